"""The form of an algorithm's parameters: made from its signature, checked as it is typed."""

from typing import Any, TypeVar

from textual import events
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Select, Static

from algorithms.core import Parameter, Refused
from algorithms.core.parameters import as_typed
from algorithms.data.text import clean
from algorithms.playback.loaded_run import LoadedRun
from tui.screens.asking import Dialog
from tui.widgets.field import Field

T = TypeVar("T")


class ParameterForm(Dialog[T]):
    """A field a parameter; subclasses say in `result` what is made of the values.

    Args:
        parameters: what is asked for.
        now: the checked values they have, as attributes.
        locked: why they cannot be changed, by name; those are shown and cannot be typed in.
    """

    def __init__(self, parameters: tuple[Parameter, ...], now: Any, locked: dict[str, str] | None = None):
        super().__init__()
        self._parameters, self._now, self._locked = parameters, now, locked or {}

    def body(self) -> list[Widget]:
        return [VerticalScroll(*map(self._row, self._parameters), id="form", can_focus=False)]

    def _row(self, p: Parameter) -> Widget:
        value, locked = getattr(self._now, p.name), self._locked.get(p.name)
        field: Widget
        choices = (True, False) if p.type is bool else p.choices
        if choices:
            options = [(as_typed(choice), choice) for choice in choices]
            field = Select(options, value=value, allow_blank=False, id=f"p-{p.name}", compact=True)
        else:
            field = Field(as_typed(value), id=f"p-{p.name}", compact=True)
        field.disabled = locked is not None
        bounds = "" if p.choices or p.type is bool else f"; {p.bounds}"
        words = Content(f"{p.help}{bounds}" if locked is None else locked)
        return Horizontal(Label(Content(p.name)), field, Static(words, classes="help"), classes="field")

    def on_mount(self) -> None:
        for field in self.query("Input, Select"):
            if not field.disabled:
                field.focus()
                break

    def values(self) -> dict[str, Any]:
        """Read every parameter: as it was typed or chosen, or the value it has where nothing was."""
        values: dict[str, Any] = {}
        for p in self._parameters:
            field = self.query_one(f"#p-{p.name}")
            assert isinstance(field, Input | Select)
            now = getattr(self._now, p.name)
            values[p.name] = now if field.value == as_typed(now) else field.value
        return values

    def result(self) -> T:
        """Give what is made of what was typed; `Refused` says in a sentence what will not do."""
        raise NotImplementedError

    def check(self) -> T | None:
        """Give the result; None when it will not do, which is said."""
        try:
            result = self.result()
        except Refused as refusal:
            self.complain(clean(refusal))
            return None
        self.complain("")
        return result

    def on_input_changed(self, event: Input.Changed) -> None:
        self.check()

    def on_select_changed(self) -> None:
        self.check()

    def take(self) -> None:
        """Be done with what was typed, if it will do."""
        result = self.check()
        if result is not None:
            self.dismiss(result)

    def on_input_submitted(self) -> None:
        self.take()

    def key_enter(self, event: events.Key) -> None:
        """Enter on a closed choice takes it too; on an open one it chooses."""
        if not isinstance(self.focused, Input | OptionList):
            event.stop()  # or it would be for the screen below as well, once this one is closed
            self.take()


class EditParameters(ParameterForm[LoadedRun]):
    """Asks for new values; the run starts afresh with them."""

    heading = "Parameters"
    hint = "tab next   enter starts the run afresh   esc leaves it as it is"

    def __init__(self, opened: LoadedRun):
        algorithm = opened.algorithm
        super().__init__(algorithm.parameters, algorithm.problem(opened.data, None, opened.parameters).parameters)
        self._opened = opened

    def result(self) -> LoadedRun:
        opened = self._opened
        defaults = {p.name: p.default for p in opened.algorithm.parameters}
        changed = {
            name: value
            for name, value in self.values().items()
            if value not in (defaults[name], as_typed(defaults[name]))
        }
        return LoadedRun.checked(opened.algorithm, opened.recipe, changed, opened.spec)
