"""What a theorem's sides say: numbers that look the wrong way round are shown with what rounding is forgiven."""

from algorithms.core import Sides
from tui.sections.theorems import sides_text


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
