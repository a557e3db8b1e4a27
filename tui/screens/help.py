"""All keys, and what the signs on the screen mean."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from tui.look import printed
from tui.paint.canvas import width_of
from tui.paint.text import wrapped
from tui.screens.asking import AnsweredOnce

_SIGNS = (
    ("● ▲ ■ ◆", "rows, one shape a class or cluster"),
    ("○ △ □ ◇", "rows that the model has wrong"),
    ("● on a ground", "several rows in one cell, the lighter the more: hover names them"),
    ("⟨●⟩ on yellow", "what this step is about"),
    ("✓ ✗ – ?", "a theorem holds, fails, does not apply here, is undecided"),
    ("E", "a theorem that holds on average over many runs, of which no single one decides: enter works it out"),
    ("=▲   at ▲", "in a chart's legend: a value that equals that of ▲ (a white ● there); one whose mark lies under ▲"),
    ("a dim number", "a value of a step before: this phase does not measure it"),
    ("━━━───", "how close the smaller side is to the greater: full is equal"),
    ("▸ ● ○", "of several runs the current one, the step that is shown, the same step of the others"),
    ("◂ 2  ▸ 4", "so many tabs further back, or on: a click shows them, digits and t reach them too"),
    ("▾", "on the timeline: where a breakpoint stopped the run"),
    (
        "mouse",
        "click or drag the timeline, click a chart to go there; hover, click rows; wheel and drag both",
    ),
    ("ctrl+p", "everything by name, and the look: dark or light"),
)


class Help(AnsweredOnce[None]):
    """Every key with what it does; made from the bindings, so that none is left out."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "close", "close")]

    def __init__(self, bindings: Iterable[BindingType], while_editing: Iterable[tuple[str, str]] = ()):
        super().__init__()
        self._while_editing = list(while_editing)
        keys = [b for b in bindings if isinstance(b, Binding)]
        self._keys = sorted(keys, key=lambda b: not b.key.startswith("question_mark"))  # this very page first

    def compose(self) -> ComposeResult:
        lines = [(" ".join(printed(key) for key in b.key.split(",")), b.description) for b in self._keys]
        half = (len(lines) + 1) // 2
        with VerticalScroll(classes="dialog help-box"):
            yield Static(Content("Keys"), classes="heading")
            with Horizontal(classes="keys-columns"):
                yield Meanings(lines[:half])
                yield Meanings(lines[half:])
            if self._while_editing:
                yield Static(Content("While editing"), classes="heading")
                yield Meanings(self._while_editing)
            yield Static(Content("What is on the screen"), classes="heading")
            yield Meanings(_SIGNS)
            yield Static(Content("esc closes"), classes="hint")

    def action_close(self) -> None:
        self.dismiss()


class Meanings(Widget):
    """Keys or signs in one column, what they mean in another, in which it is wrapped."""

    DEFAULT_CSS = "Meanings { width: 1fr; height: auto; padding-right: 2; }"

    def __init__(self, lines: Iterable[tuple[str, str]]):
        super().__init__()
        self._pairs = tuple(lines)
        self._column = max((width_of(sign) for sign, _ in self._pairs), default=0) + 2

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        parts: list[tuple[str, str] | str] = []
        for sign, meaning in self._lines(self.content_size.width):
            parts += [(sign + " " * (self._column - width_of(sign)), "$accent"), f"{meaning}\n"]
        return Content.assemble(*parts)

    def _lines(self, width: int) -> list[tuple[str, str]]:
        return [
            (sign if i == 0 else "", line)
            for sign, meaning in self._pairs
            for i, line in enumerate(wrapped(meaning, width - self._column))
        ]
