"""What is said of several runs: their numbers, their curves, and what tells them apart."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms import Dataset, Timeline, datasets, find
from algorithms.core import Curve, Remove, Variable, Verdict
from algorithms.core.edits import edited
from algorithms.core.theorems import NOT_NOW
from algorithms.data.recipe import Recipe
from algorithms.playback.comparison.compared_run import ComparedRun, bare, common, distinct, kindred, viewers
from algorithms.playback.comparison.earlier import Earlier
from algorithms.playback.comparison.matching import matching
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.data_words import data_words, telling_words
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.saving.loading import named_algorithm
from algorithms.timeline.variables import AlongVariable, joined
from tests.timeline.toys import DATA, declared, length, orbit
from tests.tiny import TINY, Rows
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.paint.text import typeset
from tui.sections.charts.overlay import Overlay, curves_of, pages, variable_of
from tui.sections.comparison.numbers import (
    Number,
    charted,
    difference,
    furthest_apart,
    numbers,
    paint_numbers,
    share,
    table_rows,
)
from tui.widgets.chart_and_numbers import ChartAndNumbers


def tiny(**parameters: Any) -> Timeline:
    return Timeline(TINY, Rows().load(), parameters)


def pictures(*runs: Timeline, t: int = 4) -> list[Picture]:
    for run in runs:
        run.advance(t + 1)
    return [v.picture(run.at(t), 40, 12, stage_only=True) for v, run in zip(viewers(runs), runs)]


def entrants(*runs: Timeline) -> list[ComparedRun]:
    return [ComparedRun("", run) for run in runs]


def test_what_they_share_is_said_once_and_what_differs_at_each() -> None:
    runs = entrants(tiny(), tiny(eta=0.3))
    assert common(runs) == ("Tiny descent", "two rows", ("steps 30",))
    assert distinct(runs) == ["eta 0.1", "eta 0.3"]


def test_another_algorithm_is_named_and_with_it_what_both_have() -> None:
    data = Dataset(np.arange(20.0).reshape(10, 2), name="ten")
    runs = entrants(Timeline(find("lloyd"), data, {"k": 2}), Timeline(find("gaussian_mixture"), data, {"k": 3}))
    assert common(runs)[:2] == ("side by side", "ten")
    assert distinct(runs)[0].startswith(f"{find('lloyd').title}  k 2")
    assert distinct(runs, short=True)[1].startswith("gaussian_mixture  k 3")


def test_a_name_that_says_the_difference_is_not_said_twice() -> None:
    runs = [ComparedRun("first", tiny()), ComparedRun("eta 0.3 from here", tiny(eta=0.3))]
    assert distinct(runs) == ["first  eta 0.1", "eta 0.3 from here"]
    assert bare(runs) == ["first eta 0.1", "eta 0.3 from here"]
    assert bare(runs, numbers=True) == ["first", "eta 0.3 from here"]


def on(name: str, recipe: Recipe, **parameters: Any) -> Timeline:
    return Timeline(find(name), recipe.load(), parameters)


@pytest.mark.parametrize(
    ("name", "recipes", "words"),
    [
        (
            "perceptron",
            (datasets.blobs.with_(margin=0.1), datasets.blobs.with_(margin=1)),
            ["blobs, margin 0.1", "blobs, margin 1"],
        ),
        ("lloyd", (datasets.faithful.with_(scale=True), datasets.faithful), ["faithful, scaled", "faithful, unscaled"]),
        ("lloyd", (datasets.iris, datasets.moons), ["iris", "moons"]),
        (
            "perceptron",
            (datasets.iris.with_(positive="setosa"), datasets.iris.with_(positive="virginica")),
            ["iris, setosa or not", "iris, virginica or not"],
        ),
        (
            "lloyd",
            (datasets.penguins.with_(hold_out=0.3), datasets.penguins.with_(hold_out=0.3, hold_out_seed=1)),
            ["penguins, 103 rows held out", "penguins, 103 rows held out (seed 1)"],
        ),
    ],
)
def test_data_that_differ_are_told_apart(name: str, recipes: tuple[Recipe, Recipe], words: list[str]) -> None:
    runs = entrants(*(on(name, recipe) for recipe in recipes))
    assert distinct(runs) == words
    assert common(runs)[1] == ""


def test_rows_that_only_a_script_knows_are_told_apart_by_their_number_or_their_order() -> None:
    first, second, more = (Dataset(np.arange(n) + at, name="mine") for n, at in ((4.0, 0), (4.0, 9), (6.0, 0)))
    assert telling_words([first, more]) == ["mine, 4 rows", "mine, 6 rows"]
    assert telling_words([first, second]) == ["mine, rows of their own (1)", "mine, rows of their own (2)"]
    assert telling_words([first, Dataset(np.arange(4.0), name="mine")]) == ["", ""]


def test_rows_that_were_edited_are_told_from_those_that_were_not() -> None:
    data = datasets.iris.load()
    assert telling_words([data, edited(data, (Remove(3),))]) == ["iris, unedited", "iris, edited"]


def test_two_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = []
    for folder, rows in (("a", "1\n2\n3\n"), ("b", "1\n2\n9\n")):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "rows.csv")
        paths[-1].write_text(f"x\n{rows}")
    words = telling_words([datasets.load(str(path)) for path in paths])
    assert words == ["a/rows.csv", "b/rows.csv"]


def test_words_of_a_file_steer_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,\x1b[2Jb,c\n1,2,3\n4,5,6\n")
    column = datasets.load(str(path)).features[1]
    assert "\x1b" not in data_words(datasets.load(str(path), columns=("a", column)))


def test_two_files_with_a_function_of_one_name_are_told_apart(tmp_path: Path) -> None:
    runs = []
    for name in ("first.py", "second.py"):
        (tmp_path / name).write_text("def mine():\n    for i in range(3):\n        yield i\n")
        runs.append(LoadedRun.usual(named_algorithm(str(tmp_path / name), apart=True)).timeline())
    one, two = distinct(entrants(*runs))
    assert (one.split("(")[1], two.split("(")[1]) == ("first.py)", "second.py)")


@pytest.mark.parametrize(
    ("name", "recipe", "words"),
    [
        ("lloyd", find("lloyd").datasets[0], "faithful, scaled"),
        ("lloyd", datasets.faithful, "faithful, unscaled"),
        ("lloyd", datasets.iris, "iris"),
        ("perceptron", find("perceptron").datasets[0], "blobs, n 60, margin 0.3"),
        ("perceptron", datasets.blobs, "blobs, n 200, margin 0"),
    ],
)
def test_data_are_named_with_what_is_not_as_the_algorithm_has_them(name: str, recipe: Recipe, words: str) -> None:
    assert data_words(recipe.load(), find(name)) == words


def test_the_letters_that_the_name_has_are_said_once() -> None:
    assert data_words(datasets.load("badges", map="letters:2"), find("smo")) == "badges, letters:2 map"


def test_numbers_of_all_come_first_and_the_largest_difference_is_found() -> None:
    rows = numbers(pictures(tiny(), tiny(eta=0.3)))
    assert [row.name for row in rows] == ["step", "iteration", "f", "log f"]
    assert rows[0].values == (4, 4)
    assert rows[furthest_apart(rows) or 0].name in ("f", "log f")
    assert [row.place for row in rows] == [True, True, False, False]
    assert furthest_apart([Number("step", (1, 9), True), Number("a", (2.0, 1.0)), Number("b", (3.0, 1.0))]) == 2
    assert furthest_apart([Number("step", (1, 9), True), Number("a", (2.0, 2.0)), Number("b", (None, 1.0))]) is None


def test_a_row_a_place_or_a_step_is_never_what_differs_most() -> None:
    places = [Number(name, (1, 900), place=True) for name in ("step", "iteration", "λ")]
    assert furthest_apart(places) is None
    assert furthest_apart([*places, Number("mistakes", (8, 9))]) == len(places)


def test_a_number_that_only_one_run_has_comes_last() -> None:
    data = Dataset(np.random.default_rng(0).normal(size=(20, 2)))
    runs = Timeline(find("lloyd"), data), Timeline(find("gaussian_mixture"), data)
    rows = numbers(pictures(*runs))
    assert [row.name for row in rows[:2]] == ["step", "iteration"]
    assert all(None in row.values for row in rows[2:])


def test_the_table_holds_both_runs_the_difference_and_the_theorems() -> None:
    canvas = Canvas(60, 12, DARK.background, DARK.ink)
    paint_numbers(canvas, pictures(tiny(), tiny(eta=0.25)), "", DARK)
    lines = ["".join(map(chr, row)) for row in canvas.glyphs]
    f = next(line for line in lines if " f " in line)
    assert "2.684" in f  # 4² (1 - 2 x 0.1)^(2 x 4)
    assert "0.0625" in f  # 4² (1 - 2 x 0.25)^(2 x 4)
    assert "-2.6219" in f
    assert "-97.7 %" not in f, "there is no room for it"
    theorems = next(line for line in lines if "theorems" in line)
    assert "all that speak hold" in theorems
    assert sum("◂" in line for line in lines) == 1


def painted(width: int, *shown: Picture, height: int = 40, **more: Any) -> list[str]:
    canvas = Canvas(width, height, DARK.background, DARK.ink)
    paint_numbers(canvas, shown, "", DARK, **more)
    return ["".join(map(chr, row)) for row in canvas.glyphs]


def iris_minima(*seeds: int) -> list[Timeline]:
    """End k-means at minima: from rows with these seeds."""
    data = datasets.iris.load()
    return [Timeline(find("lloyd"), data, {"k": 3, "start": "rows", "seed": seed}).run() for seed in seeds]


def at_the_end(runs: list[Timeline]) -> tuple[list[Picture], dict[str, Any]]:
    """Picture runs at their ends, with what the table needs to say of their clusters and silent theorems."""
    frames = [run.at(run.last) for run in runs]
    shown = [v.picture(frame, 40, 12, stage_only=True) for v, frame in zip(viewers(runs), frames)]
    spoken = [Earlier(run).of(picture) for run, picture in zip(runs, shown)]
    return shown, {"spoken": spoken, "matching": matching(runs, frames)}


def test_both_sides_of_a_theorem_stand_in_a_row_for_two_runs_and_a_silent_one_says_when_it_spoke() -> None:
    runs = iris_minima(7, 0)
    shown, more = at_the_end(runs)
    lines = painted(100, *shown, **more)
    never_rises = next(line for line in lines if "J ≤ J before" in line)
    assert "142.75 ≤ 142.75" in never_rises
    assert "78.856 ≤ 78.856" in never_rises
    assert "✓" in never_rises
    total = next(line for line in lines if "total = J + between" in line)
    assert total.count("681.37 = 681.37") == 2
    last = [max(t for t in range(run.last) if run.verdicts(run.at(t))[3].sides is not None) for run in runs]
    assert f"at {last[0]}, {last[1]}" in total


def test_a_number_that_was_measured_in_another_phase_is_dim() -> None:
    run = Timeline(find("gaussian_mixture"), datasets.recipe("faithful").load(), {"k": 2})
    for t, bright in ((4, True), (5, False)):
        shown = pictures(run, run, t=t)
        gap = next(row for row in table_rows(shown, 100) if row.name == "gap")
        assert [cell.bright for cell in gap.cells] == [bright, bright]
        assert run.kind(t).phase == ("maximise" if bright else "expect")


def test_both_sides_of_a_theorem_stand_in_rows_of_their_own_for_four_runs() -> None:
    runs = iris_minima(7, 0, 18, 1)
    shown, more = at_the_end(runs)
    lines = painted(70, *shown, **more)
    assert next(line for line in lines if " J ≤ " in line).split()[3:6:2] == ["142.75", "145.45"]
    i = next(i for i, line in enumerate(lines) if "total =" in line)
    assert lines[i].count("681.37") == lines[i + 1].count("681.37") == 4
    said = lines[i + 2].split()
    assert said[1:4] == ["last", "at", "step"]
    steps = [max(t for t in range(r.last) if r.verdicts(r.at(t))[3].sides is not None) for r in runs]
    assert [int(t) for t in said[4:8]] == steps


def test_matched_clusters_stand_in_the_table_with_the_rows_they_share() -> None:
    shown, more = at_the_end(iris_minima(7, 0))
    lines = painted(100, *shown, **more)
    title = next(line for line in lines if "clusters, matched by the rows they share" in line)
    assert "of 150 rows agree" in title
    assert sum("only in" in line for line in lines) == 2
    assert sum(" shared " in line for line in lines) == 2


def test_of_more_than_two_runs_it_is_said_how_far_each_is_from_the_best_and_where_it_ended() -> None:
    runs = iris_minima(7, 0, 18)
    shown, more = at_the_end(runs)
    lines = painted(70, *shown, **more, ends=[run.last for run in runs[:2]] + [None])
    i = next(i for i, line in enumerate(lines) if " objective " in line)
    assert lines[i + 1].split()[1:-1] == ["over", "the", "best", "+81.0", "%", "best", "+84.5", "%"]
    ended = next(line for line in lines if "ended at step" in line)
    assert ended.split()[4:7] == [str(runs[0].last), str(runs[1].last), "–"]
    assert "ended" not in " ".join(painted(70, *shown, **more, ends=[None, None, None]))
    of_two = painted(100, *shown[:2], ends=[3, 9])
    assert not any("the best" in line for line in of_two)
    assert next(line for line in of_two if "ended at step" in line).split()[4:7] == ["3", "9", "+6"]
    equal = painted(70, shown[0], shown[0], shown[0])
    assert not any("the best" in line for line in equal)


def test_a_silent_theorem_says_why_where_it_knows_more_than_that_it_speaks_of_other_steps() -> None:
    first, second = pictures(tiny(), tiny(eta=0.25))

    def silent(picture: Picture, why: str) -> Picture:
        verdicts = (Verdict(picture.verdicts[0].theorem, "does not apply", why=why), *picture.verdicts[1:])
        return replace(picture, verdicts=verdicts)

    statement = typeset(first.verdicts[0].theorem.statement)
    both = painted(100, silent(first, "w is 0."), silent(second, "w is 0."))
    i = next(i for i, line in enumerate(both) if statement in line)
    assert "silent so far" in both[i]
    assert "silent: w is 0" in both[i + 1]
    why = "w is 0: it has no direction"  # more of it than a row has room for is told where it is opened
    assert any(line.rstrip("│ ").endswith("  B: w is 0") for line in painted(100, first, silent(second, why)))
    other = painted(100, silent(first, NOT_NOW), silent(second, NOT_NOW))
    assert not any("silent: " in line for line in other)


def test_a_theorem_that_failed_is_told_in_the_table_with_the_run() -> None:
    first, second = pictures(tiny(), tiny(eta=0.25))
    statement = second.verdicts[0].theorem.statement
    lines = painted(100, first, replace(second, failed={statement: 3}))
    assert any("B ✗ 3" in line for line in lines)
    assert any("one failed at step 3" in line for line in lines)


def test_the_table_is_scrolled_to_its_last_row() -> None:
    shown, more = at_the_end(iris_minima(7, 0))
    canvas = Canvas(100, 9, DARK.background, DARK.ink)
    last = paint_numbers(canvas, shown, "", DARK, **more)
    rows = table_rows(shown, 98, **more)
    assert last == len(rows) - 6
    assert paint_numbers(canvas, shown, "", DARK, first=last + 5, **more) == last
    lines = ["".join(map(chr, row)) for row in canvas.glyphs]
    assert rows[-1].name in lines[-2]
    assert f"{last + 1} to {len(rows)} of {len(rows)} rows" in lines[0]


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (142.75, 78.85, "-44.8 %"),
        (78.851, 78.855, "+0.005 %"),
        (-2.0, -1.0, "+50.0 %"),
        (1.0, 30.0, "+2,900 %"),
        (0.0, 1.0, ""),
        (1.0, 1.0, ""),
        (None, 1.0, ""),
        (1.0, float("nan"), ""),
    ],
)
def test_how_far_a_run_is_from_the_first(a: float | None, b: float | None, words: str) -> None:
    assert share(a, b) == words


def test_what_is_charted_stands_over_each_run_and_how_far_it_is_from_the_first() -> None:
    shown, _ = at_the_end(iris_minima(7, 0, 7))
    assert charted(shown[:2], ["objective"]) == [("objective", "142.75", ""), ("objective", "78.856", "-44.8 %")]
    assert charted(shown[::2], ["objective"])[1] == ("objective", "142.75", "as A")
    assert [apart for *_, apart in charted(shown, ["objective"])] == ["+81.0 %", "best", "+81.0 %"]
    assert [apart for *_, apart in charted(shown, ["rows moved"])] == ["", "as A", "as A"], (
        "it is not known what is best"
    )
    start = pictures(*iris_minima(7, 0), t=0)
    assert charted(start, ["objective"]) == [("", "", "")] * 2, "nothing was measured yet"


def test_curves_that_runs_share_have_a_page_and_the_others_stand_beside_each_other() -> None:
    data = Dataset(np.random.default_rng(0).normal(size=(20, 2)))
    first, second, third = pictures(
        Timeline(find("lloyd"), data), Timeline(find("lloyd"), data, {"k": 2}), Timeline(find("gaussian_mixture"), data)
    )

    def names(*shown: Picture) -> list[list[str]]:
        return [[one.name for one in page] for page in pages(shown)]

    shared = [[name] for name in curves_of(first)]
    assert names(first, second) == shared
    assert names(first, second, third)[: len(shared)] == shared
    beside = names(first, third)
    assert beside[0] == [next(iter(curves_of(first))), next(iter(curves_of(third)))]
    assert {name for page in beside for name in page} == {*curves_of(first), *curves_of(third)}


def orbits(**parameters: Any) -> tuple[Timeline, Timeline]:
    """Two runs whose laps take three steps and five, with a curve along the laps."""
    along = Curve("length", length, phases=("lap",), along=Variable("laps", lambda p, s: s.iteration, **parameters))
    algorithm = declared(orbit, curves=(along, Curve("jumps", lambda p, s: s.jumps)))
    more = Dataset(np.random.default_rng(0).normal(size=(5, 2)), name="five rows")
    return Timeline(algorithm, DATA), Timeline(algorithm, more)


def test_curves_along_one_variable_are_held_against_each_other_at_equal_values_of_it() -> None:
    first, second = orbits()
    shown = pictures(first, second, t=21)  # five laps of the one, three of the other
    at = {row.name: row for row in numbers(shown)}
    expected = tuple(run.curve("length")[1][2] for run in (first, second))
    assert at["length at laps 3"].values == expected
    assert at["laps"].place
    assert variable_of([curves_of(picture)["length"] for picture in shown]) == "laps"
    canvas, view = Canvas(60, 14, DARK.background, DARK.ink), ChartAndNumbers()
    view._pictures = shown
    series, against = view._along_variable({run: curves_of(picture)["length"] for run, picture in enumerate(shown)})
    Overlay().paint(canvas, "length", "", series, against, False, DARK)
    lines = ["".join(map(chr, row)) for row in canvas.glyphs]
    assert "at 5" in lines[1]
    assert "at 3" in lines[1]
    assert "laps →" in lines[-1]
    columns = [next(line.index(letter) for line in lines[2:-1] if letter in line) for letter in "AB"]
    assert columns[0] > columns[1], "each stands at its own number of laps"


def test_runs_that_call_it_differently_are_held_against_each_other_step_by_step() -> None:
    first, second = orbits(letter=lambda problem: f"laps of {problem.data.n}")
    shown = pictures(first, second, t=21)
    assert "length along laps of 3" in shown[0].charts
    assert variable_of([curves_of(picture)["length"] for picture in shown]) == ""
    assert "length" in [row.name for row in numbers(shown)]


def test_where_no_run_has_the_others_values_they_are_read_off_the_lines() -> None:
    first = AlongVariable("λ", True, np.arange(3), np.array([100.0, 10.0, 1.0]), np.array([3.0, 2.0, 1.0]))
    second = AlongVariable("λ", True, np.arange(2), np.array([1000.0, 10.0**0.5]), np.array([10.0, 5.0]))
    at = joined([first, second])
    assert at is not None
    assert (at.x, at.measured) == (10.0, False)
    assert at.values == (2.0, pytest.approx(6.0))  # a fifth of the way from 10^0.5 to 10^3
    assert joined([first, second.until(0)]) is None


def test_runs_on_the_same_features_share_the_plane_and_what_is_in_view() -> None:
    near = np.random.default_rng(0).normal(size=(12, 3))
    runs = [
        Timeline(find("lloyd"), Dataset(X, features=features), {"k": 2})
        for X, features in ((near, ("a", "b", "c")), (near * 0.9 + 0.2, ("a", "b", "c")), (near / 9.0, ("u", "v", "w")))
    ]
    assert [kindred(runs[0].data, run.data) for run in runs] == [True, True, False]
    for run in runs:
        run.advance(1)
    first, second, third = made = viewers(runs)
    assert first.slices is second.slices
    assert first.slices is not third.slices
    limits = [next(iter(v.picture(v.timeline.at(0), 40, 12, stage_only=True).limits.values())) for v in made]
    assert limits[0] == limits[1]
    assert limits[0].width > 2 * limits[2].width


def test_what_rounding_does_is_no_difference_between_runs() -> None:
    a = 14.37
    b = a - 1.776e-15
    assert (difference(a, b), share(a, b)) == ("=", "")
    assert furthest_apart([Number("J", (a, b))]) is None
    assert difference(1.0, 1.0 + 1e-9) == "+1.000e-09"
    assert difference(0.0, 1e-15) != "=", "of 0 nobody knows what is rounding"
