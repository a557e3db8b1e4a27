"""Lists that can be clicked and paged through at any size and at any moment, and whose lines stand for something.

Textual's page keys raise while a list has no lines: where there is no room for one, and between a change of its options
and the next layout. A click raises on a line that has gone by the time it is handled. Both are mended in OptionList
itself: the lists of Select and of the palette are Textual's own.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from textual import events
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

T = TypeVar("T")


class Line(Option, Generic[T]):
    """A line of a list, and what it stands for: its place may be another's by the time it is chosen."""

    def __init__(self, text: str, value: T):
        super().__init__(Content(text))
        self.value = value


def chosen(event: OptionList.OptionSelected) -> Any:
    """Get what the line stands for that was chosen, whatever stands in its place by now."""
    assert isinstance(event.option, Line)
    return event.option.value


class Options(OptionList):
    """A list of options."""

    def fill(self, lines: Sequence[Option], highlighted: int = 0) -> None:
        """Show other lines, one of them highlighted, the last where there are fewer."""
        self.clear_options()
        self.add_options(lines)
        self.highlighted = min(max(highlighted, 0), len(lines) - 1) if lines else None


def _paged(page: Callable[[OptionList], None]) -> Callable[[OptionList], None]:
    def turn(self: OptionList) -> None:
        with suppress(LookupError):
            page(self)

    return turn


_on_click = OptionList._on_click


async def _click(self: OptionList, event: events.Click) -> None:
    if (event.style.meta.get("option") or 0) < self.option_count:
        await _on_click(self, event)


_textual: Any = OptionList
_textual._on_click = _click
_textual.action_page_down, _textual.action_page_up = map(_paged, (_textual.action_page_down, _textual.action_page_up))
