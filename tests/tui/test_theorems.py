"""What the list of theorems says: each its numbers, the rows to those that speak, and nothing that rounding left."""

import pytest

from algorithms.core import Sides, Theorem, Verdict
from algorithms.core.theorems import NOT_NOW
from tui.paint.canvas import Canvas, width_of
from tui.paint.palette import DARK
from tui.paint.text import cut, typeset, wrapped
from tui.sections.theorems.relations import beside, laid_sides, laid_values, named_values, numbers_of, sides_text
from tui.sections.theorems.rows import paint_theorems, summary, wanted_rows

LONG = "the lower bound F touches it after the E step and is below it, or at it, after the M step"


def test_two_sides_that_are_0_but_for_rounding_are_0() -> None:
    assert sides_text(Sides(("0", 0.0), ("least", -1.67e-16), size=1.0)) == "0 ≤ least = 0"
    assert sides_text(Sides(("Σ g", 3.55e-15), ("-λ Σ w", 0.0), relation="==", size=400.0)) == "Σ g = -λ Σ w = 0"
    assert sides_text(Sides(("|x|", 3e-13), ("r²", 9e-13), ("r", 2e-6), size=9.0)) == "|x| = 0 ≤ r² = 0 ≤ r = 2.00e-06"


def test_a_number_that_is_no_rounding_stays() -> None:
    assert numbers_of(Sides(("gap", 1e-10), ("bound", 2e-10))) == ("1.00e-10", "2.00e-10"), "no size is known"
    assert numbers_of(Sides(("0", 0.0), ("s·y", 1e-20), relation="<", size=1.0)) == ("0", "1.00e-20")
    assert numbers_of(Sides(("off", 1e-6), ("bound", 2e-6), size=1.0, slack=1e-3)) == ("1.00e-06", "2.00e-06")
    assert numbers_of(Sides(("0", 0.0), ("least", 0.5), size=1.0)) == ("0", "0.500")


def test_sides_that_are_far_apart_are_no_rounding_and_a_slack_for_rounding_is() -> None:
    assert numbers_of(Sides(("‖x' - x*‖", 1.2e-12), ("bound", 1.3e-9), size=3546.0)) == ("1.20e-12", "1.30e-09")
    assert numbers_of(Sides(("λ - ρ", -4.3e-13), ("bound", 2.2e-16), slack=9.4e-9)) == ("0", "0")


def test_a_name_that_the_statement_does_not_have_stands_before_its_number() -> None:
    freedom = Sides(("tr H - 1", 0.014), ("Σ s²/(s² + λ)", 0.014), relation="==", size=1.0)
    assert (
        "".join(text for text, _ in named_values(freedom, "degrees of freedom: tr H = 1"))
        == "tr H - 1: 0.0140 = 0.0140"
    )
    least = Sides(("0", 0.0), ("least eigenvalue", 1.25))
    assert "".join(text for text, _ in named_values(least, "H is positive")) == "0 ≤ least eigenvalue = 1.250"
    assert "".join(text for text, _ in named_values(least, "its least eigenvalue is ≥ 0")) == "0 ≤ 1.250"
    entry = Sides(("α[3]", 0.5), ("a'", 0.75))
    assert "".join(text for text, _ in named_values(entry, "α ≤ a'")) == "0.500 ≤ 0.750"


def test_equal_sides_are_written_alike_and_those_that_hold_by_a_tolerance_say_within_what() -> None:
    assert sides_text(Sides(("a", 1.0), ("b", 1.0 + 1e-13), relation="==", size=1.0)) == "a = b = 1"
    assert sides_text(Sides(("a", 0.5), ("b", 0.499), slack=0.01)) == "a = 0.500 ≤ b = 0.499 (within 1e-2)"


def test_sides_that_hold_as_they_are_and_sides_that_fail_say_nothing_of_it() -> None:
    for sides in (
        Sides(("0", 0.0), ("least", 0.5)),
        Sides(("0", 0.0), ("least", -0.5)),
        Sides(("a", 1.0), ("b", 1.0), relation="=="),
    ):
        assert "within" not in sides_text(sides)


def test_a_name_that_ends_in_a_digit_or_a_sign_does_not_run_into_its_number() -> None:
    text = sides_text(Sides(("F with 7", 225.7), ("F with 6, less max D²", 247.5)))
    assert text == "F with 7: 225.7 ≤ F with 6, less max D² = 247.5"
    assert sides_text(Sides(("k + 1", 6.0), ("R²/γ*²", 274.25))) == "k + 1: 6 ≤ R²/γ*² = 274.2"
    assert sides_text(Sides(("Σ α of -", 7.0), ("7", 7.0), relation="==")) == "Σ α of -: 7 = 7"


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("γ", "0.31", "γ = 0.31"),
        ("D(α)", "-1.2", "D(α) = -1.2"),
        ("x₁", "0", "x₁ = 0"),
        ("w·w*", "4", "w·w* = 4"),
        ("least y f = 1", "0.98", "least y f = 1: 0.98"),
        ("k of 7", "-3", "k of 7: -3"),
        ("", "7", "7"),
    ],
)
def test_no_number_is_read_as_a_factor_of_its_name_or_as_taken_off_it(name: str, value: str, shown: str) -> None:
    assert beside(name, value) == shown


def test_sides_that_are_equal_have_their_number_once_and_those_that_are_not_each_its_own() -> None:
    assert sides_text(Sides(("a", 1.0), ("b", 2.0), relation="==")) == "a = 1 = b = 2"
    assert sides_text(Sides(("F, z = w*", 1.0), ("b", 1.0), relation="==")) == "F, z = w*: 1 = b = 1"
    rows = ["".join(text for text, _ in row) for row in laid_sides(Sides(("a", 1.0), ("b", 1.0), relation="=="), 7)]
    assert rows == ["a", "= b = 1"]


@pytest.mark.parametrize("width", range(18, 60, 3))
def test_no_number_and_no_relation_stands_without_its_name(width: int) -> None:
    sides = Sides(("m γ", 1.671), ("w·w*", 2.206), ("what is left of ‖w‖", 3.274), ("row 6 of pass 1", 13.0))
    rows = ["".join(text for text, _ in row) for row in laid_sides(sides, width)]
    assert all(width_of(row) <= width for row in rows)
    assert all(row.startswith("≤ ") for row in rows[1:])
    assert all(value in " ".join(rows) for value in numbers_of(sides)), "names are cut, numbers are not"
    assert " ".join(rows).count("≤") == 3


def test_relations_are_written_as_the_lecture_does() -> None:
    assert typeset("m <= R²/γ², z >= 1, a != b") == "m ≤ R²/γ², z ≥ 1, a ≠ b"
    assert typeset("a <=> b, x <- y, 2 => 3, i <<= 1") == "a <=> b, x <- y, 2 => 3, i <<= 1"
    assert typeset("income <=50K") == "income <=50K", "a name of the data stays"


def test_a_text_is_cut_after_a_word_that_says_something() -> None:
    assert cut("the order of the rows does not matter", 18) == "the order…"
    assert cut("short", 9) == "short"
    assert cut("incomprehensibilities", 9) == "incompre…"


@pytest.mark.parametrize(
    ("statement", "width", "shown"),
    [
        ("m γ ≤ w·w* ≤ ‖w‖", 14, "m γ ≤ w·w* ≤…"),
        ("m γ ≤ w·w* ≤ ‖w‖", 12, "m γ ≤ w·w*…"),
        ("W is the minimum of J: Σ(y - Wx)x' = δ(W - W₀)", 34, "W is the minimum of J…"),
        ("E[J of means drawn by k-means++] ≤ 8 (ln k + 2) OPT", 48, "E[J of means drawn by k-means++] ≤…"),
        ("each class by itself: W_c·x = 1/K + H(y_c - 1/K)", 34, "each class by itself: W_c·x =…"),
        ("share of margins ≤ 0 is at most var/s² ≤ ρ(1 - s²)/s²", 48, "share of margins ≤ 0 is at most var/s² ≤…"),
        ("captured variance + reconstruction error is the total", 20, "captured variance +…"),
        ("‖w' - w*‖² + η²Σ_Z(λ - |x_j·r*|)² ≤ ‖w - w*‖²", 26, "‖w' - w*‖² +…"),
        ("w' = Π((1 - ηλ)w + η y x [z < 1])", 28, "w' =…"),
        ("(1 - ηλ)w + η y x [z < 1] is projected", 22, "(1 - ηλ)w + η y x…"),
        ("total = within + between, after an update", 20, "total =…"),
    ],
)
def test_a_statement_is_cut_at_a_clause_and_neither_in_brackets_nor_within_a_side(
    statement: str, width: int, shown: str
) -> None:
    assert cut(statement, width) == shown


@pytest.mark.parametrize(
    ("statement", "width", "second"),
    [
        ("at the end the width is the distance: 2/‖w‖ = ‖p - q‖", 48, "2/‖w‖ = ‖p - q‖"),
        ("exponential loss: every α is AdaBoost's ½ ln((1 - ε)/ε)", 48, "½ ln((1 - ε)/ε)"),
        ("over odd n more voters help if p < ½, and harm if p > ½", 48, "harm if p > ½"),
        ("the wrong rows are those that are wrong asked again", 48, "asked again"),
        ("w is the MAP of the prior N(0, γ²), λ = 1/γ², σ = 1", 48, "λ = 1/γ², σ = 1"),
        ("a text that has no formula goes on as late as it can in its second line", 48, "can in its second line"),
    ],
)
def test_lines_break_at_words_and_not_within_a_formula(statement: str, width: int, second: str) -> None:
    lines = wrapped(statement, width)
    assert lines[1:] == [second]
    assert " ".join(lines) == statement


def test_a_word_that_is_longer_than_a_line_is_cut_and_the_others_stay() -> None:
    assert wrapped("a (incomprehensibilities) b", 9) == ["a", "(incompr…", "b"]


def theorem(statement: str, *values: float, why: str = NOT_NOW, expected: bool = False) -> Verdict:
    stated = Theorem(statement, lambda problem, before, after: None, "Gauss (1809)")
    if expected:
        return Verdict(stated, "expected", why=why)
    if not values:
        return Verdict(stated, "does not apply", why=why)
    return Verdict(stated, "holds", sides=Sides(*zip("abcdef", values)))


def lines(*verdicts: Verdict, rows: int, columns: int = 50, first: int = 0) -> tuple[list[str], int, list[int]]:
    """So many theorems in so many rows: the lines, how many are left out, and the number of each row's."""
    canvas = Canvas(columns, rows, DARK.panel, DARK.ink)
    hidden, numbers = paint_theorems(canvas, verdicts, {}, DARK, first)
    return ["".join(map(chr, row)).rstrip() for row in canvas.glyphs], hidden, numbers


def statements(count: int) -> list[Verdict]:
    return [theorem(f"statement {i}", i, i + 0.5) for i in range(count)]


def test_every_theorem_has_a_row_with_its_numbers() -> None:
    shown, hidden, numbers = lines(*statements(6), rows=6)
    assert hidden == 0
    assert numbers == list(range(6))
    assert all("a " in line and line.endswith("✓") for line in shown), "what fits beside the statement stands there"
    shown, hidden, numbers = lines(theorem(LONG, 1.25, 1.75), theorem("J never rises", 0.5, 0.75), rows=3)
    assert (hidden, numbers) == (0, [0, 0, 1])
    assert shown[2].endswith("a = 0.500 ≤ b = 0.750 ✓")
    assert "…" not in "".join(shown), "what is cut away may be what makes it true"
    shown, hidden, numbers = lines(theorem(LONG, 1.25, 1.75), theorem("J never rises", 0.5, 0.75), rows=2)
    assert (hidden, numbers) == (1, [1]), "fewer, but whole"


def test_rows_go_to_those_that_speak_first_and_the_order_stays() -> None:
    silent, speaking = theorem(LONG), theorem(LONG.replace("lower", "upper"), 1.25, 1.75)
    shown, hidden, numbers = lines(silent, speaking, silent, rows=4)
    assert (hidden, numbers) == (2, [1, 1, 1])
    assert "…" not in "".join(shown)
    assert "not at this step" not in "".join(shown)
    _, _, numbers = lines(silent, speaking, silent, rows=7)
    assert numbers == [0, 0, 1, 1, 1, 2, 2]


def test_why_a_theorem_is_silent_is_said_where_there_is_room() -> None:
    silent = theorem("two classes: w₁ = -w₂", why="there are 3 classes")
    assert lines(silent, rows=1)[0] == [" two classes: w₁ = -w₂      there are 3 classes –"]
    why = "it compares with a run that was not changed"
    shown, _, _ = lines(theorem("two classes: w₁ = -w₂", why=why), rows=2)
    assert shown[1].strip() == why


def test_what_holds_on_average_says_so_in_its_row() -> None:
    why = "over 1,000 samples of the data: open it, and it is worked out"
    shown, _, _ = lines(theorem("E[S/n] = (n - 1)/n σ²", why=why, expected=True), rows=1)
    assert shown[0].endswith("on average E")
    shown, _, _ = lines(theorem("E[S/n] = (n - 1)/n σ²", why="0.31 ± 0.01", expected=True), rows=1)
    assert shown[0].endswith("0.31 ± 0.01 E")


def test_with_less_room_the_last_line_says_how_many_more_there_are_and_the_key_for_them() -> None:
    shown, hidden, numbers = lines(*statements(9), rows=6)
    assert (hidden, numbers) == (4, [0, 1, 2, 3, 4])
    assert shown[-1].endswith("2 shows 4 more")
    shown, hidden, numbers = lines(*statements(9), rows=6, first=4)
    assert (hidden, numbers) == (0, [4, 5, 6, 7, 8])


def test_theorems_that_speak_are_in_sight_before_silent_ones_in_the_order_stated() -> None:
    silent = [theorem(f"silent {i}") for i in range(7)]
    speaking = theorem("first statement", 1, 2), theorem("second statement", 3, 4)
    verdicts = [*silent[:3], speaking[0], *silent[3:], speaking[1]]
    shown, hidden, numbers = lines(*verdicts, rows=5)
    assert (numbers, hidden) == ([0, 1, 3, 8], 5)
    assert shown[-1].endswith("2 shows 5 silent")
    shown, hidden, numbers = lines(*verdicts, rows=5, first=4)
    assert (numbers, hidden) == ([2, 4, 5, 6, 7], 0), "the next page has the others"


def test_the_rows_of_silent_theorems_go_to_statements_that_are_cut() -> None:
    shown, hidden, numbers = lines(theorem("silent"), theorem(LONG, 1.25, 1.75), theorem("silent too"), rows=4)
    assert (numbers, hidden) == ([1, 1, 1], 2)
    assert "…" not in "".join(shown)


def test_the_heading_says_what_an_e_is_where_there_is_room() -> None:
    verdicts = theorem("J never rises", 1, 2), theorem("E[S/n] = σ²", why="0.31", expected=True)
    assert summary(verdicts, 30) == "1 holds, E: on average"
    assert summary(verdicts, 20) == "1 holds"
    assert summary(verdicts[:1], 30) == "1 holds"


@pytest.mark.parametrize("columns", [30, 40, 53, 58])
def test_what_is_wanted_is_what_is_needed(columns: int) -> None:
    verdicts = (theorem(LONG, 1.25, 1.75), theorem("J never rises", 0.5, 0.75), theorem(LONG))
    few, stated, whole = wanted_rows(verdicts, columns)
    assert few <= stated <= whole
    shown, _, numbers = lines(*verdicts, rows=whole, columns=columns)
    assert len(numbers) == whole
    assert "…" not in "".join(shown)
    for rows in range(1, whole):
        assert "…" not in "".join(lines(*verdicts, rows=rows, columns=columns)[0]), "no statement is cut"


def test_sides_that_hold_but_for_rounding_say_so_wherever_they_stand() -> None:
    sides = Sides(("left", 8.7e-17), ("right", 4.6e-17), slack=1e-6)
    assert sides.hold
    assert "".join(text for text, _ in laid_values(sides)) == "8.70e-17 ≤ 4.60e-17 (within 1e-6)"
    assert "".join(text for text, _ in named_values(sides, "left <= right")).endswith("(within 1e-6)")
    lines = ["".join(text for text, _ in row) for row in laid_sides(sides, 16)]
    assert lines[-1] == "(within 1e-6)", "in a row of its own where there is no room beside them"
