"""Which value of the state, by its name, an entry of it, or anything computed of such."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Generic, TypeVar

from textual import events
from textual.widget import Widget
from textual.widgets import Input, OptionList

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.timeline import Frame, Timeline, conditions
from algorithms.timeline.changed_fields import changed_fields, formatted
from tui.paint.canvas import fitted, width_of
from tui.paint.ticks import number
from tui.screens.asking import Dialog
from tui.widgets.field import Field
from tui.widgets.options import Line, Options, chosen

_NAME, _VALUE = 28, 18

T = TypeVar("T")


class ValueOfState(Dialog[T], Generic[T]):
    """Offers every field and curve with its value, and takes an entry or anything computed of them.

    Args:
        marked: names that are marked, with the word that says why; those that change at this step if not given.
    """

    def __init__(self, run: Timeline, frame: Frame, marked: Iterable[str] | None = None, word: str = "changes here"):
        super().__init__()
        self.run_in_hand = run
        self.frame = frame = frame if frame.state.parts() else run.at(run.last)  # before a generator has yielded
        names = {d.field for d in changed_fields(frame.before, frame.state)} if marked is None else set(marked)
        values = {name: formatted(value) for name, value in frame.state.parts().items()}
        for curve, value in zip(run.algorithm.curves, run.values(frame)):
            if curve.name not in values and value == value:
                values[curve.name] = number(value)
                if marked is None and _changes(run, curve.name, frame.t):
                    names.add(curve.name)
        self._all = [(name, value, word if name in names else "") for name, value in values.items()]
        self._all += [(name, "", word) for name in sorted(names - set(values))] if marked is not None else []
        self._shown = self._all
        self.said_of: dict[str, str] = {}  # what is to be said while just that stands in the field

    def read(self, what: str) -> T | None:
        """Read what was chosen or typed; None where it is asked on.

        Raises:
            Unreadable: where it is no value.
        """
        raise NotImplementedError

    def body(self) -> list[Widget]:
        return [
            Field(id="what", placeholder="a name to choose by, or an entry such as means[0,1], or norm(w)"),
            Options(id="values", classes="values"),
        ]

    def on_mount(self) -> None:
        self.query_one("#values", OptionList).can_focus = False
        self._list()

    def _list(self) -> None:
        self.query_one("#values", Options).fill([Line(_line(*row), row[0]) for row in self._shown])

    def on_input_changed(self, event: Input.Changed) -> None:
        typed = event.value.strip().lower()
        self._shown = [row for row in self._all if typed in row[0].lower()]
        self.complain(self.said_of.get(event.value, ""))
        self._list()

    def on_key(self, event: events.Key) -> None:
        listed = self.query_one("#values", OptionList)
        if event.key in ("up", "down") and self._shown:
            event.stop()
            at = (listed.highlighted or 0) + (1 if event.key == "down" else -1)
            listed.highlighted = min(max(at, 0), len(self._shown) - 1)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._take(self._in_words(chosen(event)))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        listed = self.query_one("#values", OptionList)
        if self._shown:
            self._take(self._in_words(self._shown[listed.highlighted or 0][0]))
        else:
            self._take(event.value)

    def _in_words(self, name: str) -> str:
        """Write a name as the language of conditions has it; what is no field is in that language."""
        known = name in self.frame.state.parts() or any(c.name == name for c in self.run_in_hand.algorithm.curves)
        return conditions.quoted(name) if known else name

    def _take(self, what: str) -> None:
        try:
            answer = self.read(what)
        except conditions.Unreadable as refusal:
            self.complain(clean(refusal))
        else:
            if answer is not None:
                self.dismiss(answer)


def _changes(run: Timeline, curve: str, t: int) -> bool:
    """Tell whether a curve has another value at a step than where it was measured last."""
    with suppress(Refused):  # one that cannot be asked for is not marked
        return t > 0 and conditions.parse(f"{conditions.quoted(curve)} changes", run).holds(run, t)
    return False


def _line(name: str, value: str, marked: str) -> str:
    cells = [fitted(clean(name), _NAME), fitted(clean(value), _VALUE)]
    padded = [cell + " " * (width - width_of(cell)) for cell, width in zip(cells, (_NAME, _VALUE))]
    return "  ".join([*padded, marked])
