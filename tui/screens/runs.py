"""The runs there are: where each begins and what differs; to go to one, rename it or delete it."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input, OptionList

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.timeline.branches import Branch, Branches
from tui.paint.canvas import fitted, width_of
from tui.screens.asking import Dialog
from tui.widgets.field import Field
from tui.widgets.options import Line, Options, chosen

_NAME, _PLACE = 38, 15  # columns of a line


class Rename(Dialog[str]):
    """Asks for another name of a run, and gives it that."""

    heading = "Rename"

    def __init__(self, branches: Branches, branch: Branch):
        super().__init__()
        self._branches, self._branch = branches, branch

    def body(self) -> list[Widget]:
        return [Field(self._branch.name, id="name")]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self._branches.rename(self._branch, event.value.strip())
        except Refused as refusal:
            self.complain(clean(refusal))
        else:
            self.dismiss(self._branch.name)


class Runs(Dialog[Branch]):
    """Lists the runs, each below the one that it was forked from; gives the one to go to.

    Args:
        branches: the runs.
        hand: the one in hand.
        changed: called when one was renamed or deleted.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "rename", "rename"),
        Binding("delete,d", "delete", "delete"),
    ]
    heading = "Runs"
    hint = "↑ ↓ choose   enter goes there   r rename   d delete   esc leaves it"

    def __init__(self, branches: Branches, hand: Branch, changed: Callable[[], None]):
        super().__init__()
        self._branches, self._hand, self._changed = branches, hand, changed

    def body(self) -> list[Widget]:
        return [Options(id="runs")]

    def on_mount(self) -> None:
        self._list(self._hand)

    def _list(self, highlighted: Branch) -> None:
        """Make the lines anew, with one in hand."""
        runs = self._branches.all
        lines = [Line(line_of(run, run is self._hand), run) for run in runs]
        self.query_one("#runs", Options).fill(lines, runs.index(highlighted))

    @property
    def _chosen(self) -> Branch:
        return self._branches.all[self.query_one("#runs", OptionList).highlighted or 0]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        branch = chosen(event)
        if branch in self._branches.all:  # else it was deleted meanwhile
            self.dismiss(branch)

    def action_rename(self) -> None:
        chosen = self._chosen

        def renamed(name: str | None) -> None:
            self._list(chosen)
            if name is not None:
                self._changed()

        self.app.push_screen(Rename(self._branches, chosen), renamed)

    def action_delete(self) -> None:
        from tui.screens.confirm import Confirm

        chosen = self._chosen
        below = len(list(chosen.tree())) - 1
        if chosen.parent is None:
            self._delete(chosen)
            return
        forks = "its fork" if below == 1 else f"its {below} forks"
        question = f"{clean(chosen.name)} goes" + (f", and {forks} with it." if below else ".")
        does = "deletes them" if below else "deletes it"
        self.app.push_screen(Confirm(question, does), lambda sure: self._delete(chosen) if sure else None)

    def _delete(self, branch: Branch) -> None:
        try:
            self._branches.delete(branch)
        except Refused as refusal:
            self.complain(clean(refusal))
            return
        self.complain("")
        assert branch.parent is not None
        if self._hand in branch.tree():
            self._hand = branch.parent
        self._list(branch.parent)
        self._changed()


def line_of(run: Branch, held: bool) -> str:
    """ "▸   eta 1 -> 0.1 at 37     from step 37   to 120, ended": indented by how often it was forked; what differs
    stands below where the name does not say it."""
    line = run.timeline
    depth = len(run.path) - 1
    name = "  " * min(depth, 6) + clean(run.name)
    ended = "" if line.stopped is None else ", failed" if line.stopped.failed else ", ended"
    differs = f"\n      {clean(run.differs)}" if run.differs and not run.name.startswith(run.differs) else ""
    begin = f"from step {run.begin:,}"
    return f"{'▸' if held else ' '} {_wide(name, _NAME)} {_wide(begin, _PLACE)} to {line.last:,}{ended}{differs}"


def _wide(text: str, width: int) -> str:
    text = fitted(text, width)
    return text + " " * (width - width_of(text))
