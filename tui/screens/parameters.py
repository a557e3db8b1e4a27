"""The form of an algorithm's parameters: made from its signature, checked as it is typed."""

from typing import Any

from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, Select, Static

from algorithms import Parameter, Refused, as_typed
from tui.opened import Opened
from tui.screens.asking import Dialog
from tui.terminal.clean import clean


class EditParameters(Dialog[Opened]):
    """Asks for new values; the run starts afresh with them."""

    heading = "Parameters"
    hint = "tab next   enter starts the run afresh   esc leaves it as it is"

    def __init__(self, opened: Opened):
        super().__init__()
        self._opened = opened
        self._now = opened.algorithm.problem(opened.data, None, opened.parameters).parameters

    def body(self) -> list[Widget]:
        rows = [self._row(p) for p in self._opened.algorithm.parameters]
        return [VerticalScroll(*rows, id="form")]

    def _row(self, p: Parameter) -> Widget:
        value = getattr(self._now, p.name)
        field: Widget
        choices = (True, False) if p.type is bool else p.choices
        if choices:
            options = [(as_typed(choice), choice) for choice in choices]
            field = Select(options, value=value, allow_blank=False, id=f"p-{p.name}", compact=True)
        else:
            field = Input(as_typed(value), id=f"p-{p.name}", compact=True)
        bounds = "" if p.choices or p.type is bool else f"; {p.bounds}"
        words = Content(f"{p.help}{bounds}")
        return Horizontal(Label(Content(p.name)), field, Static(words, classes="help"), classes="field")

    def _values(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for p in self._opened.algorithm.parameters:
            field = self.query_one(f"#p-{p.name}")
            assert isinstance(field, Input | Select)
            value = field.value
            if not isinstance(value, str) or value != as_typed(p.default):
                values[p.name] = value
        return {name: value for name, value in values.items() if value != self._default(name)}

    def _default(self, name: str) -> Any:
        return next(p.default for p in self._opened.algorithm.parameters if p.name == name)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._check()

    def _check(self) -> Opened | None:
        try:
            opened = Opened.checked(self._opened.algorithm, self._opened.recipe, self._values(), self._opened.spec)
        except Refused as refusal:
            self.complain(clean(refusal))
            return None
        self.complain("")
        return opened

    def on_input_submitted(self) -> None:
        opened = self._check()
        if opened is not None:
            self.dismiss(opened)

    def on_select_changed(self) -> None:
        self._check()

    def key_enter(self) -> None:
        """Enter on a closed choice starts too."""
        if not isinstance(self.focused, Input):
            self.on_input_submitted()
