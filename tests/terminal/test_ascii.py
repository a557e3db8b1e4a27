"""With --ascii nothing else is sent to the terminal, in as many cells, and shapes still tell the classes apart."""

from hypothesis import given, strategies as st
from rich.cells import cell_len

from tests.terminal.pseudo import Pseudo
from tui.paint.palette import GLYPHS, HOLLOW, SMALL
from tui.terminal.ascii import in_ascii


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Mn", "Me", "Cf"]), max_size=30))
def test_it_is_ascii_of_the_same_width(text: str) -> None:
    assert in_ascii(text).isascii()
    assert len(in_ascii(text)) == sum(map(cell_len, text))


def test_what_steers_the_terminal_stays() -> None:
    assert in_ascii("\x1b[38;2;1;2;3m●\x1b[0m") == "\x1b[38;2;1;2;3mo\x1b[0m"


def test_a_relation_with_its_blank_is_the_one_of_a_program() -> None:
    assert in_ascii("m ≤ R²/γ², z ≥ 1, a ≠ b") == "m <=R2/g2, z >=1, a !=b"


def test_classes_are_told_apart_and_right_from_wrong() -> None:
    shapes = in_ascii(GLYPHS) + in_ascii(HOLLOW)
    assert len(set(shapes)) == len(GLYPHS) + len(HOLLOW)
    assert len(set(in_ascii(SMALL[:6]))) == 6


def test_a_run_is_watched_and_changed_in_ascii() -> None:
    with Pseudo.python("-m", "tui", "lloyd", "--whole", "--ascii", columns=160, rows=48) as terminal:
        terminal.see("step 0 of")
        terminal.press("lll")
        terminal.see("step 3 of")
        terminal.press("p")
        terminal.see("Parameters")
        assert terminal.text.isascii()
        assert "+-" in terminal.text or "---" in terminal.text
        terminal.escape("Parameters")
        terminal.resize(80, 24)
        terminal.press("l")
        terminal.see("step 4 of")
        assert terminal.text.isascii()


def test_the_lectures_are_browsed_in_ascii() -> None:
    with Pseudo.python("-m", "tui", "--ascii", columns=80, rows=24) as terminal:
        terminal.see("tab lectures")
        terminal.press("\t")
        terminal.see("tab algorithms")
        terminal.press("M35")
        terminal.see("python -m tui")
        assert terminal.text.isascii()
