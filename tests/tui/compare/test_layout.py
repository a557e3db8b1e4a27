"""The compare screen's layout: nothing too small to read, and nothing lost, at any size."""

import pytest

from algorithms import Timeline, datasets, find
from algorithms.playback.comparison.compared_run import ComparedRun
from tui.screens.compare.layout import View, columns, layout
from tui.screens.compare.telling import Names


@pytest.mark.parametrize("runs", [2, 3, 4])
@pytest.mark.parametrize("size", [(160, 48), (100, 30), (80, 24), (200, 60), (300, 30)])
@pytest.mark.parametrize("view", ["all", "stages", "chart", "numbers"])
def test_it_fits(size: tuple[int, int], runs: int, view: View) -> None:
    width, height = size
    now = layout(width, height, runs, view, "chart")
    rows = height - runs - 3 - now.stories - now.tabs
    if now.beside:
        assert now.parts == ("chart", "numbers")
        assert (width - now.beside) // now.columns >= 32
        assert rows // (runs // now.columns) >= 9
        return
    assert runs % now.columns == 0
    if now.lower is None:
        assert now.parts == (view,)
        return
    each = (rows - now.lower) // (runs // now.columns)
    assert each >= 6
    assert width // now.columns >= 24
    assert (now.lower == 0) == (not now.parts)


def test_two_runs_have_everything_at_once_where_there_is_room() -> None:
    now = layout(160, 48, 2, "all", "chart")
    assert (now.columns, now.parts, now.stories, now.tabs) == (2, ("chart", "numbers"), 2, False)


def test_four_runs_stand_two_by_two_with_chart_and_numbers_at_their_right() -> None:
    now = layout(160, 48, 4, "all", "chart")
    assert (now.columns, now.parts, now.stories) == (2, ("chart", "numbers"), 1)
    assert 50 <= now.beside <= 80
    assert not layout(160, 48, 3, "all", "chart").beside
    assert not layout(160, 48, 4, "chart", "chart").beside
    assert not layout(100, 30, 4, "all", "chart").beside


def test_there_is_one_of_chart_and_numbers_at_100x30() -> None:
    assert layout(100, 30, 2, "all", "numbers").parts == ("numbers",)
    assert not layout(100, 30, 2, "all", "numbers").tabs


@pytest.mark.parametrize(("size", "least"), [((100, 30), 9), ((120, 36), 12), ((160, 48), 17)])
def test_the_chart_has_rows_to_be_read_by(size: tuple[int, int], least: int) -> None:
    now = layout(*size, 2, "all", "chart")
    assert now.lower is not None
    assert now.lower >= least


def test_runs_are_called_in_as_few_words_as_there_is_room_for() -> None:
    data = datasets.iris.load()
    given = [{"k": 3, "start": "rows", "seed": 7}, {"k": 3, "seed": 7}, {"k": 3, "start": "rows", "seed": 18}]
    names = Names.of([ComparedRun("", Timeline(find("lloyd"), data, each)) for each in given])
    assert names.fitting(80) == names.whole == ["start rows  seed 7", "start k-means++  seed 7", "start rows  seed 18"]
    assert names.fitting(32) == ["rows seed 7", "k-means++ seed 7", "rows seed 18"]
    assert names.fitting(25) == ["rows 7", "k-means++ 7", "rows 18"]


def test_there_is_one_thing_at_a_time_at_80x24() -> None:
    now = layout(80, 24, 2, "all", "chart")
    assert now.tabs
    assert now.lower == 0
    assert layout(80, 24, 2, "numbers", "chart").lower is None


def test_what_is_shown_alone_has_the_room_of_the_rest() -> None:
    assert layout(160, 48, 2, "stages", "chart").lower == 0
    assert layout(160, 48, 2, "chart", "chart").parts == ("chart",)


@pytest.mark.parametrize(
    ("width", "height", "runs", "count"), [(160, 24, 4, 4), (90, 44, 4, 2), (90, 16, 2, 2), (70, 50, 2, 1)]
)
def test_stages_stand_so_that_they_are_large(width: int, height: int, runs: int, count: int) -> None:
    assert columns(width, height, runs) == count
