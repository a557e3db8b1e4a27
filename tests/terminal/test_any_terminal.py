"""Any terminal: few colours or none, tiny or huge, resized while it plays; everything can still be read and done."""

import re

import pytest

from tests.terminal.pseudo import Pseudo

_COLOURS = {
    "16 colours": {"TERM": "xterm-16color", "COLORTERM": None},
    "the Linux console": {"TERM": "linux", "COLORTERM": None},
    "256 colours": {"TERM": "xterm-256color", "COLORTERM": None},
    "none": {"NO_COLOR": "1"},
}
_SIZES = [(1, 1), (10, 3), (79, 24), (80, 23), (80, 24), (240, 70)]
_TRUE = re.compile(rb"\x1b\[[0-9;]*[34]8;2;")
_ANY = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|[34]8;)[0-9;]*m")


def leave(terminal: Pseudo) -> None:
    terminal.press("q")
    assert terminal.status() == 0
    assert terminal.left_on() == []


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ("16 colours", "none") else pytest.mark.soak) for name in _COLOURS]
)
def test_with_few_colours_it_is_read_and_worked_as_with_many(name: str) -> None:
    with Pseudo.python("-m", "tui", "lloyd", "--whole", columns=120, rows=40, **_COLOURS[name]) as terminal:
        terminal.see("step 0 of")
        terminal.press("lll")
        terminal.see("step 3 of")
        for shape in "●▲■":  # one a cluster
            assert shape in terminal.text
        terminal.press("p")
        terminal.see("Parameters")
        terminal.press("4\r")
        terminal.see("k 4")
        assert not _TRUE.search(terminal.raw) or name == "none"
        if name == "none":  # greys at most
            assert all(_grey(code) for code in _ANY.findall(terminal.raw))
        leave(terminal)


def _grey(code: bytes) -> bool:
    return all(len(set(found)) == 1 for found in re.findall(rb"[34]8;2;(\d+);(\d+);(\d+)", code))


@pytest.mark.parametrize("sizes", [_SIZES, pytest.param([(500, 200)], marks=pytest.mark.soak)], ids=["many", "huge"])
def test_at_any_size_it_plays_or_says_what_it_needs(sizes: list[tuple[int, int]]) -> None:
    step = 0
    with Pseudo.python("-m", "tui", "lloyd", "--whole", columns=sizes[0][0], rows=sizes[0][1]) as terminal:
        for columns, rows in sizes:
            if (columns, rows) != sizes[0]:
                terminal.resize(columns, rows)
            before = len(terminal.raw)
            if columns >= 80 and rows >= 24:
                terminal.see(f"step {step} of")
                terminal.press("l")
                step += 1
                terminal.see(f"step {step} of")
            else:
                said = "80x24" if columns >= 10 and rows >= 3 else ""
                terminal.until(
                    lambda said=said: b"\x1b[?1049h" in terminal.raw and said in terminal.text, "what it needs"
                )
                terminal.until(lambda before=before: len(terminal.raw) > before, f"picture of {columns}x{rows}")
        leave(terminal)


def test_it_is_resized_while_it_plays() -> None:
    with Pseudo.python("-m", "tui", "stochastic_gradient", "--whole", columns=120, rows=40) as terminal:
        terminal.see("step 0 of")
        terminal.press("++ ")
        for columns, rows in [(80, 24), (1, 1), (240, 70), (79, 40), (100, 30)]:
            terminal.resize(columns, rows)
            for _ in range(6):
                terminal.pump()
        terminal.see("keys")
        terminal.press(" 0")
        terminal.see("step 0 of")
        leave(terminal)
