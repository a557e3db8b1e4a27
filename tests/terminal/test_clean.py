"""What comes from data cannot steer a terminal, break a line or be taken for markup."""

import unicodedata

import pytest
from hypothesis import given, strategies as st
from textual.app import App, ComposeResult
from textual.widgets import Label

from algorithms.core.text import clean
from tui.terminal.clean import safe

# Bidirectional controls, the byte order mark and tags are "format" characters; joiners are too, and scripts need them.
_JOINERS = "\u200c\u200d"

any_text = st.text(st.characters(codec=None) | st.sampled_from("\x1b\x9b\x07\r\n\t\u202e\u2066\u2028\ud800[]/@"))


@given(any_text)
def test_nothing_that_steers_is_left(text: str) -> None:
    for character in clean(text):
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(character) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )
        assert character not in "\u200e\u200f\u061c\ufeff"


@given(any_text)
def test_it_is_one_line_that_can_be_encoded(text: str) -> None:
    line = clean(text)
    line.encode()
    assert len(line.splitlines()) <= 1


@given(any_text, st.integers(1, 50))
def test_it_is_not_longer_than_allowed(text: str, limit: int) -> None:
    assert len(clean(text, limit)) <= limit
    assert clean(clean(text, limit), limit) == clean(text, limit)


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), max_size=100))
def test_ordinary_text_is_untouched(text: str) -> None:
    assert clean(text + _JOINERS) == text + _JOINERS


def test_what_was_replaced_is_seen() -> None:
    assert clean("a\x1b[2J\x7f\x9b\u202eb\tc\r\nd\ud800") == "a␛[2J␡��b  c⏎d�"


def test_a_long_cell_costs_nothing() -> None:
    assert clean("\n" * 50_000_000, 5) == "⏎⏎⏎⏎…"


class Shows(App[None]):
    def __init__(self, text: str):
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        yield Label(safe(self.text))


@pytest.mark.parametrize("text", ["[@click=app.quit]here[/]", "[/nope]", "[red]5[/red]", "[", "\\[b]", "$primary"])
async def test_markup_is_shown_and_not_obeyed(text: str) -> None:
    app = Shows(text)
    async with app.run_test() as pilot:
        shown = app.query_one(Label).render_line(0).text
        assert shown == text
        await pilot.click(Label)
        assert app.is_running
        assert app.return_code is None
