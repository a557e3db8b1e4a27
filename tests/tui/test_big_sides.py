"""The sides of a theorem in large digits: as many as can be read, in the colour of how it stands."""

import numpy as np
import pytest

from algorithms.core import Sides, Theorem, Verdict
from algorithms.core.theorems import Relation
from algorithms.playback.theorems.page import SidesSoFar, Spoken, TheoremPage
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.sections.theorems.abreast import OfRun
from tui.sections.theorems.large import BigSides, links_of, paint_statement, rows_of_statement, telling

SILENT = Verdict(Theorem("a <= b", lambda *_: None, "Nobody (1900)"), "does not apply", why="not at this step")


def verdict(values: tuple[float, ...], relation: Relation = "<=") -> Verdict:
    sides = Sides(*zip("abcdefg", values), relation=relation)
    return Verdict(SILENT.theorem, "holds" if sides.hold else "fails", sides)


def page(
    now: Verdict, t: int = 9, failed: int | None = None, spoken: Spoken | None = None, so_far: SidesSoFar | None = None
) -> TheoremPage:
    phases = {0: "draw", 1: "move"}
    return TheoremPage(
        t, t, 1, 1, now, (now,), phases[t % 2], lambda t: phases[t % 2], "", (), (), (), failed, so_far, None, spoken
    )


def painted(of: TheoremPage, columns: int = 118, sides: BigSides | None = None) -> Canvas:
    canvas = Canvas(columns, 4, DARK.background, DARK.ink)
    (sides or BigSides()).paint(canvas, of, DARK)
    return canvas


def row_of(canvas: Canvas, row: int) -> str:
    return "".join(map(chr, canvas.glyphs[row]))


def inks(canvas: Canvas) -> set[int]:
    """The colours of the large digits and signs."""
    blocks = np.isin(canvas.glyphs, [ord(sign) for sign in "█▀▄"])
    return set(canvas.ink[blocks].tolist()) - {DARK.accent}


def test_numbers_are_bright_and_the_relation_green_while_it_holds_red_when_it_fails() -> None:
    assert inks(painted(page(verdict((1.0, 2.0))))) == {DARK.ink, DARK.good}
    assert inks(painted(page(verdict((2.0, 1.0))))) == {DARK.wrong}


def test_a_silent_theorem_shows_what_it_said_last_grey_and_since_when() -> None:
    silent = page(SILENT, spoken=Spoken(7, verdict((1.0, 2.0))))
    assert inks(painted(silent)) == {DARK.dim}
    assert "between them" not in row_of(painted(silent), 0)
    statement = Canvas(118, 1, DARK.background, DARK.ink)
    paint_statement(statement, silent, DARK)
    assert "silent (not at this step), spoke last at step 7" in row_of(statement, 0)
    narrow = Canvas(40, 1, DARK.background, DARK.ink)
    paint_statement(narrow, silent, DARK)
    assert "a ≤ b" in row_of(narrow, 0)
    assert "spoke last at step 7" in row_of(narrow, 0)
    assert "not at this step" in row_of(painted(page(SILENT)), 1)


@pytest.mark.parametrize(
    ("now", "failed", "words", "ink"),
    [
        (verdict((1.0, 2.0)), None, "✓ held wherever it was measured", DARK.good),
        (verdict((1.0, 2.0)), 4, "holds, but failed at step 4", DARK.wrong),
        (verdict((2.0, 1.0)), 9, "✗ FAILS at this step", DARK.wrong),
        (verdict((2.0, 1.0)), 4, "✗ FAILS first at step 4", DARK.wrong),
    ],
)
def test_the_statement_says_how_it_stands(now: Verdict, failed: int | None, words: str, ink: int) -> None:
    canvas = Canvas(118, 1, DARK.background, DARK.ink)
    paint_statement(canvas, page(now, failed=failed), DARK)
    text = row_of(canvas, 0)
    assert words in text
    assert canvas.ink[0, text.index(words)] == ink


def test_what_is_left_between_two_sides_stands_beside_them_and_what_was_left_after_the_phase_before() -> None:
    so_far = SidesSoFar(("a", "b"), np.array([8, 9]), np.array([[1.0, 5.0], [2.0, 2.5]]))
    names = row_of(painted(page(verdict((2.0, 2.5)), so_far=so_far)), 0)
    assert names.index("between them") < names.index("step before: draw")
    same = SidesSoFar(("a", "b"), np.array([7, 9]), so_far.values)
    assert "step before" not in row_of(painted(page(verdict((2.0, 2.5)), so_far=same)), 0)


def test_what_was_left_a_step_before_is_not_said_twice() -> None:
    so_far = SidesSoFar(("a", "b"), np.array([8, 9]), np.array([[1.0, 1.5], [2.0, 2.5]]))
    assert "step before" not in row_of(painted(page(verdict((2.0, 2.5)), so_far=so_far)), 0)


def test_neighbours_that_differ_are_written_with_the_digits_that_tell_them_apart() -> None:
    assert telling(Sides(("a", 4.1271), ("b", 4.1274))) == (5,)
    assert telling(Sides(("a", 4.127), ("b", 4.128))) == (), "the usual digits do"
    assert telling(Sides(("a", 4.127), ("b", 4.127))) == (), "they are equal"
    assert telling(Sides(("a", 1.0000001), ("b", 1.0000002))) == (8,)
    near, usual = painted(page(verdict((4.1271, 4.1274)))), painted(page(verdict((4.127, 4.128))))
    assert (
        np.flatnonzero((near.ink == DARK.good).any(axis=0))[0] > np.flatnonzero((usual.ink == DARK.good).any(axis=0))[0]
    )


def test_sides_that_are_equal_are_written_so_and_take_the_columns_of_the_others() -> None:
    three = Sides(("a", -1.417), ("b", -1.417), ("c", 2.0))
    assert links_of(three) == ["=", "≤"]
    assert links_of(Sides(("a", 1.0), ("b", 1.0), relation="<")) == ["<"], "they fail"
    signs = [[row_of(painted(page(verdict((a, 3.0, 9.0)))), row) for row in range(4)] for a in (3.0, 2.0)]
    assert [row.index("c") for row in (signs[0][0], signs[1][0])] == [signs[0][0].index("c")] * 2
    assert signs[0][1:] != signs[1][1:]


def test_of_more_than_two_sides_nothing_is_said_to_be_left_between() -> None:
    so_far = SidesSoFar(tuple("abcd"), np.array([8, 9]), np.array([[1.0, 2, 3, 4], [1.0, 2, 3, 4]]))
    canvas = painted(page(verdict((1.0, 2.0, 3.0, 4.0)), so_far=so_far), 300)
    assert "step before" not in row_of(canvas, 0)
    assert DARK.accent not in canvas.ink[1:][canvas.glyphs[1:] != ord(" ")]


def test_where_there_is_little_room_numbers_have_fewer_digits_and_text_is_the_last_way() -> None:
    four = page(verdict((4.2, 7.283, 7.301, 27.43)))
    wide, less = painted(four, 120), painted(four, 100)
    assert "█" in row_of(wide, 1)
    assert "█" in row_of(less, 1)
    assert row_of(less, 0).index("d") < row_of(wide, 0).index("d") - 12  # a digit less in each
    assert row_of(painted(four, 40), 0).strip() == "a = 4.200 ≤ b = 7.283 ≤ c = 7.301"


def test_a_number_keeps_the_columns_it_once_took_so_that_nothing_moves() -> None:
    sides = BigSides()
    wide = painted(page(verdict((-1.234, 5.0))), sides=sides)
    narrow = painted(page(verdict((1.0, 5.0))), sides=sides)
    assert row_of(wide, 0).index("b") == row_of(narrow, 0).index("b") > 24
    assert row_of(painted(page(verdict((1.0, 5.0)))), 0).index("b") < 24


def test_among_several_runs_the_numbers_of_a_silent_theorem_are_marked_where_it_spoke_last() -> None:
    x, values = np.array([3.0, 5.0, 7.0]), np.zeros((3, 2))
    assert OfRun(0, page(SILENT, spoken=Spoken(7, verdict((1.0, 2.0)))), x, values, here=9.0).spoke == 7
    assert OfRun(0, page(verdict((1.0, 2.0))), x, values, here=9.0).spoke == 9


LONG = ("‖w' - w*‖² + η²Σ_Z(λ - |xⱼ·r*|)²", "‖w - w*‖²")


def of_long(values: tuple[float, float] = (1.5, 2.5)) -> TheoremPage:
    sides = Sides(*zip(LONG, values))
    return page(Verdict(SILENT.theorem, "holds", sides))


def test_a_label_that_is_too_long_has_two_rows_and_is_not_cut() -> None:
    canvas = Canvas(64, 5, DARK.background, DARK.ink)
    BigSides().paint(canvas, of_long(), DARK)
    rows = [row_of(canvas, row) for row in range(5)]
    labels = " ".join(" ".join(rows[:2]).split())
    assert "…" not in labels
    assert all(word in labels for word in LONG[0].split())
    assert "█" in rows[2]
    assert "█" not in rows[0] + rows[1]
    assert rows[1].index("‖w - w*‖²") > 20, "a short one stands right above its number"
    assert "‖w - w*‖²" not in rows[0]


def test_where_labels_have_one_row_each_the_numbers_stand_right_below_it() -> None:
    canvas = Canvas(118, 5, DARK.background, DARK.ink)
    BigSides().paint(canvas, of_long(), DARK)
    assert LONG[0] in row_of(canvas, 0)
    assert "█" in row_of(canvas, 1)


@pytest.mark.parametrize("columns", [30, 40, 60, 80])
def test_a_statement_is_whole_in_as_many_rows_as_it_takes(columns: int) -> None:
    words = "no bump elsewhere takes f above f*: ln P(f + βk(z, ·)) <= ln P(f*)"
    stated = page(Verdict(Theorem(words, lambda *_: None, "Nobody (1900)"), "does not apply", why="not at this step"))
    rows = rows_of_statement(stated, DARK, columns)
    canvas = Canvas(columns, rows, DARK.background, DARK.ink)
    paint_statement(canvas, stated, DARK)
    whole = " ".join(" ".join(row_of(canvas, row) for row in range(rows)).split())
    assert "…" not in whole
    assert all(word in whole for word in words.replace("<=", "≤").split())


def test_numbers_that_are_measured_have_the_lesser_one_first_and_no_colour_of_a_verdict() -> None:
    canvas = Canvas(100, 4, DARK.background, DARK.ink)
    BigSides().paint_measured(canvas, Sides(("a tree", 0.086), ("the vote", 0.056)), DARK)
    assert inks(canvas) == {DARK.ink, DARK.dim}


def test_a_label_breaks_before_an_operation_and_never_after_ln() -> None:
    canvas = Canvas(80, 5, DARK.background, DARK.ink)
    sides = Sides(("ln P", -35.9), ("ln P + η(1 - ½ηL)‖g‖²", -33.9), ("ln P'", -32.4))
    BigSides().paint(canvas, page(Verdict(SILENT.theorem, "holds", sides)), DARK)
    assert "+ η(1 - ½ηL)‖g‖²" in row_of(canvas, 1)
    assert row_of(canvas, 0).strip() == "ln P"
