"""The form of an algorithm's parameters: made from its signature, checked as it is typed, its numbers like knobs.

It stands at the foot of the screen and what it asks for is seen behind it at once.
"""

from time import perf_counter
from typing import Any, ClassVar, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Select

from algorithms.core import Algorithm, Dataset, Parameter, Refused
from algorithms.core.parameters import as_typed
from algorithms.core.text import clean
from algorithms.playback.cursor.knob import can_turn, turned
from algorithms.playback.runs.loaded_run import LoadedRun
from tui.screens.asking import Dialog
from tui.screens.form_preview import FormPreview
from tui.screens.run_screen import FRAMES
from tui.widgets.field import Field
from tui.widgets.knobs import Choice, Knob

T = TypeVar("T")

_CELL = 32  # columns of a parameter's name and field, at least
_WIDE = 96  # columns in which the sentence on a parameter mostly has room
_LITTLE = 5  # rows at the foot from which on the keys are told, and above it what a fork is
_FOOT = 8  # rows at the foot that a form has where nothing of it is seen behind it
_SOON = 0.1  # seconds between two runs that are seen: what is turned faster is passed by


class _Fields(VerticalScroll, inherit_bindings=False):
    """The fields, as many as there is room for; up and down go to another of them, in sight or not."""


class ParameterForm(Dialog[T]):
    """A field a parameter; subclasses say in `result` what is made of those that differ.

    Args:
        algorithm: whose parameters are asked for.
        data: what they are checked with.
        now: the checked values they have, as attributes.
        preview: where what is asked for is seen, if it is.
        locked: the names of those that cannot be changed; they are shown and cannot be typed in.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
    ]
    turns = "← → turns it   ⇧ finer   ↑ ↓ another"

    def __init__(
        self,
        algorithm: Algorithm,
        data: Dataset,
        now: Any,
        preview: FormPreview | None = None,
        locked: frozenset[str] = frozenset(),
    ):
        super().__init__()
        self._algorithm, self._data, self._now, self._locked = algorithm, data, now, locked
        self._preview = preview
        self._asked: dict[str, Any] = {}  # what is to be seen
        self._begun: dict[str, Any] = {}  # what is seen, or soon will be
        self._begun_at = self._ticked = 0.0
        self._title, self._foot = "", 0

    # What it looks like

    def body(self) -> list[Widget]:
        cells = [*map(self._cell, self._algorithm.parameters), *self.more_cells()]
        return [_Fields(*cells, id="knobs", can_focus=False)]

    def more_cells(self) -> list[Widget]:
        """Make what stands after the parameters."""
        return []

    def _cell(self, p: Parameter) -> Widget:
        value, name = getattr(self._now, p.name), f"p-{p.name}"
        field: Widget
        choices = (False, True) if p.type is bool else p.choices
        if choices:
            field = Choice(choices, value, id=name)
        else:
            field = (Knob if can_turn(p) else Field)(as_typed(value), id=name, compact=True)
        field.disabled = p.name in self._locked
        return Horizontal(Label(Content(p.name)), field, classes="field")

    def on_mount(self) -> None:
        if self._preview is not None:
            self._preview.complain = self.complain
            self.set_timer(1 / FRAMES, self._tick)
        for field in self._fields:
            field.focus()
            break
        self._entitle()
        self._ticked = perf_counter()

    def on_resize(self) -> None:
        self._share_out()

    def _share_out(self) -> None:
        """Give the fields the columns there are, and no more rows than leave the picture free."""
        self._foot = foot = _FOOT if self._preview is None else self._preview.foot
        grid, said = self.query_one("#knobs"), self.query_one(".trouble")
        grid.styles.grid_size_columns = max((self.size.width - 2) // _CELL, 1)
        said.styles.min_height = rows = 1 if self.size.width >= _WIDE or foot < _LITTLE else 2
        for widget in self.query(".hint, .words"):
            widget.display = foot >= (_LITTLE if "hint" in widget.classes else _LITTLE + 1 + rows)
        grid.styles.max_height = max(foot - rows - (1 if foot < _LITTLE else 2), 1)

    @property
    def _fields(self) -> list[Widget]:
        return [field for field in self.query("Input, Select") if not field.disabled]

    def on_descendant_focus(self) -> None:
        """Mark the field that has the keys, and say what it is."""
        holders = set(self.focused.ancestors) if self.focused else set()
        for cell in self.query(".field"):
            cell.set_class(cell in holders, "in-hand")
        self.check()

    def trouble(self, text: str) -> Content:
        """Write what is wrong, or what the parameter in hand is when nothing is."""
        return Content.styled(text, "$error") if text else Content.styled(self._help(), "$dim")

    def _help(self) -> str:
        p = self._in_hand()
        if p is None:
            return ""
        any_number = {int: "any whole number", float: "any number"}.get(p.type, "")
        bounds = any_number if p.bounds == p.name else p.bounds
        return clean(p.help if p.choices or p.type is bool else "; ".join(filter(None, (p.help, bounds))))

    def _in_hand(self) -> Parameter | None:
        """Find the parameter whose field has the keys."""
        names = {node.id for node in (self.focused.ancestors_with_self if self.focused else ())}
        return next((p for p in self._algorithm.parameters if f"p-{p.name}" in names), None)

    # What it asks for

    def values(self) -> dict[str, Any]:
        """Read every parameter: as it was typed or chosen, or the value it has where nothing was."""
        values: dict[str, Any] = {}
        for p in self._algorithm.parameters:
            field = self.query_one(f"#p-{p.name}")
            assert isinstance(field, Input | Select)
            now = getattr(self._now, p.name)
            values[p.name] = now if field.value == as_typed(now) else field.value
        return values

    def differing(self) -> dict[str, Any]:
        """List the parameters that have other values than before, checked; `Refused` says in a sentence what not."""
        checked = self._algorithm.problem(self._data, None, self.values()).parameters
        names = [p.name for p in self._algorithm.parameters]
        return {n: getattr(checked, n) for n in names if getattr(checked, n) != getattr(self._now, n)}

    def result(self, differing: dict[str, Any]) -> T:
        """Give what is made of the parameters that differ; `Refused` says in a sentence what will not do."""
        raise NotImplementedError

    def check(self) -> T | None:
        """Give the result, which is to be seen; None when it will not do, which is said."""
        try:
            differing = self.differing()
            result = self.result(differing)
        except Refused as refusal:
            self.complain(clean(refusal))
            return None
        self.complain("")
        self._asked = differing
        if perf_counter() - self._begun_at > _SOON:
            self._see()
        return result

    def on_input_changed(self, event: Input.Changed) -> None:
        self.check()

    def on_select_changed(self) -> None:
        self.check()

    # What is seen of it

    def _see(self) -> None:
        """Have what is asked for seen, where something else is."""
        if self._preview is not None and self._asked != self._begun:
            self._begun = self._asked
            self._preview.show(self._asked)
            self._begun_at = perf_counter()

    def _tick(self) -> None:
        """Let the run that is seen go on, and say how far it has come."""
        if self._preview is None or not self.is_live:
            return
        now = perf_counter()
        elapsed, self._ticked = now - self._ticked, now
        if self._preview.foot != self._foot:  # the screen behind was laid out anew
            self._share_out()
        self._see()
        self._preview.go_on(elapsed)
        self._entitle()
        self.set_timer(max(1 / FRAMES - (perf_counter() - now), 0.01), self._tick)

    def _entitle(self) -> None:
        """Say in the frame what is seen; only when that changes, since each time the frame is painted again."""
        words = self._preview.words if self._preview is not None else ""
        title = f"{self.heading}: {words}" if words else self.heading
        if title != self._title:
            self._title = title
            self.query_one(".dialog").border_title = Content(title)

    # Keys

    def on_knob_turned(self, event: Knob.Turned) -> None:
        """Turn a number to its next value; what was typed and will not do stays, and is said."""
        knob, part = event.knob, event.knob.part
        p = next(p for p in self._algorithm.parameters if knob.id == f"p-{p.name}")
        now = getattr(self._now, p.name)
        if knob.value != as_typed(now):
            try:
                now = getattr(self._algorithm.checked({p.name: knob.value}), p.name)
            except Refused as refusal:
                self.complain(clean(refusal))
                return
        knob.set(as_typed(turned(p, now, event.by, event.fine, part)), part)

    def action_move(self, by: int) -> None:
        """Go to the nearest field above or below."""
        if self.focused is None or self.focused not in self._fields:
            return
        here = self.focused.region.offset
        there = [field for field in self._fields if (field.region.y - here.y) * by > 0]
        if there:
            min(there, key=lambda f: (abs(f.region.y - here.y), abs(f.region.x - here.x))).focus()

    def take(self) -> None:
        """Be done with what was typed, if it will do."""
        result = self.check()
        if result is not None:
            self._see()
            self.dismiss(result)

    def on_input_submitted(self) -> None:
        self.take()

    def key_enter(self, event: events.Key) -> None:
        """Enter on a closed choice takes it too; on an open one it chooses."""
        if not isinstance(self.focused, Input | OptionList):
            event.stop()  # or it would be for the screen below as well, once this one is closed
            self.take()


class EditParameters(ParameterForm[dict[str, Any]]):
    """Asks for new values; the run starts afresh with them. Gives those that differ."""

    heading = "Parameters"
    hint = f"{ParameterForm.turns}   enter takes it   esc leaves it as it is"

    def __init__(self, opened: LoadedRun, preview: FormPreview | None = None):
        algorithm = opened.algorithm
        now = algorithm.problem(opened.data, None, opened.parameters).parameters
        super().__init__(algorithm, opened.data, now, preview)

    def result(self, differing: dict[str, Any]) -> dict[str, Any]:
        return differing
