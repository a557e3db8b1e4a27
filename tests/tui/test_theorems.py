"""What a theorem's sides say: numbers that look the wrong way round are shown with what rounding is forgiven."""

from algorithms.core import Sides, Theorem, Verdict
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.sections.theorems import paint_theorems, sides_text


def test_sides_that_hold_by_rounding_alone_say_within_what() -> None:
    assert sides_text(Sides(("0", 0.0), ("least", -1.67e-16), size=1.0)) == "0 ≤ least -1.67e-16 (within 1e-12)"
    assert sides_text(Sides(("a", 1.0), ("b", 1.0 + 1e-13), relation="==", size=1.0)).endswith("(within 1e-12)")


def test_sides_that_hold_as_they_are_and_sides_that_fail_say_nothing_of_it() -> None:
    for sides in (
        Sides(("0", 0.0), ("least", 0.5)),
        Sides(("0", 0.0), ("least", -0.5)),
        Sides(("a", 1.0), ("b", 1.0), relation="=="),
    ):
        assert "within" not in sides_text(sides)


def painted(count: int, rows: int, first: int = 0) -> tuple[list[str], int, list[int]]:
    """So many theorems in so many rows: the lines, how many are left out, and the number of each row's."""
    verdicts = tuple(
        Verdict(
            Theorem(f"statement {i}", lambda problem, before, after: None, "Gauss (1809)"),
            "holds",
            sides=Sides(("a", float(i)), ("b", i + 0.5), relation="<="),
        )
        for i in range(count)
    )
    canvas = Canvas(50, rows, DARK.panel, DARK.ink)
    hidden, numbers = paint_theorems(canvas, verdicts, {}, DARK, first)
    return ["".join(map(chr, row)).strip() for row in canvas.glyphs], hidden, numbers


def test_with_little_room_every_theorem_has_a_row_and_the_first_its_numbers_below() -> None:
    lines, hidden, numbers = painted(6, 7)
    assert hidden == 0
    assert numbers == [0, 0, 1, 2, 3, 4, 5]
    assert lines[0].startswith("statement 0")
    assert lines[1].startswith("a 0 ≤ b 0.5")
    assert all("a " in line and "✓" in line for line in lines[2:]), "what fits beside the statement stands there"


def test_with_less_room_the_last_line_says_how_many_more_there_are() -> None:
    lines, hidden, numbers = painted(9, 6)
    assert (hidden, numbers) == (5, [0, 0, 1, 2, 3])
    assert lines[-1].startswith("5 more")
    lines, hidden, numbers = painted(9, 6, first=4)
    assert (hidden, numbers) == (1, [4, 4, 5, 6, 7])
