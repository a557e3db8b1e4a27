"""All keys, and what the signs on the screen mean."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

_SHOWN = {
    "space": "space", "right": "→", "left": "←", "shift+right": "⇧→", "shift+left": "⇧←", "plus": "+",
    "equals_sign": "=", "minus": "-", "question_mark": "?", "alt+left": "alt ←", "alt+right": "alt →",
    "alt+up": "alt ↑", "alt+down": "alt ↓", "escape": "esc", "shift+tab": "⇧tab",
    "right_square_bracket": "]", "left_square_bracket": "[",
}  # fmt: skip
_SIGNS = (
    ("● ▲ ■ ◆", "rows, one shape a class or cluster"),
    ("○ △ □ ◇", "rows that the model has wrong"),
    ("⟨●⟩ on yellow", "what this step is about"),
    ("✓ ✗ – ?", "a theorem holds, fails, does not apply here, is undecided"),
    ("━━━───", "how close the smaller side is to the greater: full is equal"),
    ("▸ ● ○", "of several runs the one in hand, the step that is shown, the same step of the others"),
    ("▾", "on the timeline: where a breakpoint stopped the run"),
    ("mouse", "click or drag the timeline, click a chart to go there; hover or click rows; wheel and drag the stage"),
    ("ctrl+p", "everything by name, and the look: dark or light"),
)


class Help(ModalScreen[None]):
    """Every key with what it does; made from the bindings, so that none is left out."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "close", "close")]

    def __init__(self, bindings: Iterable[BindingType], while_editing: Iterable[tuple[str, str]] = ()):
        super().__init__()
        self._while_editing = list(while_editing)
        self._keys = [b for b in bindings if isinstance(b, Binding)]

    def compose(self) -> ComposeResult:
        lines = [(" ".join(_SHOWN.get(k, k) for k in b.key.split(",")), b.description) for b in self._keys]
        half = (len(lines) + 1) // 2
        with VerticalScroll(classes="dialog help-box"):
            yield Static(Content("Keys"), classes="heading")
            with Horizontal(classes="keys-columns"):
                yield Static(_columns(lines[:half]))
                yield Static(_columns(lines[half:]))
            if self._while_editing:
                yield Static(Content("While editing"), classes="heading")
                yield Static(_columns(self._while_editing))
            yield Static(Content("What is on the screen"), classes="heading")
            yield Static(_columns(list(_SIGNS)))
            yield Static(Content("esc closes"), classes="hint")

    def action_close(self) -> None:
        self.dismiss()


def _columns(lines: list[tuple[str, str]]) -> Content:
    width = max(len(key) for key, _ in lines) + 2
    parts: list[tuple[str, str] | str] = []
    for key, does in lines:
        parts += [(f"{key:<{width}}", "$accent"), f"{does}\n"]
    return Content.assemble(*parts)
