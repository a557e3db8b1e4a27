"""The sentence that says most is there at the end and in a hall, and is not the one that is cut."""

import pytest

from algorithms import find
from algorithms.core.words import Words, point_of
from algorithms.playback.pictures.viewer import Viewer, at_the_end
from algorithms.playback.runs.loaded_run import LoadedRun
from tui.widgets.narration import in_short

OUTCOMES = {
    "bias_variance": ("degree 9", "degree 3", "over-fitting"),
    "cross_validation": ("training error would have chosen degree 9", "degree 3", "over-fitting"),
    "smo": ("carry w",),
    "nearest_neighbours": ("k = 7 gets the fewest wrong", "Training error would have chosen k = 1"),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_at_the_end_what_came_out_is_said_first_and_in_a_hall_alone(name: str) -> None:
    run = LoadedRun.usual(find(name)).timeline().run()
    assert run.stopped is not None
    words = at_the_end(run.stopped, Viewer(run).picture(run.at(run.last), 80, 24).words)
    for part in OUTCOMES[name]:
        assert part in in_short(words), words
    assert words.startswith(f"The end: {run.stopped.reason}. {in_short(words)}")


def test_a_point_is_a_part_of_the_whole_and_words_without_one_are_cut_to_the_first_sentence() -> None:
    words = Words.of("Row 3 asks.", "Now both agree.", "W rises.")
    assert words == "Row 3 asks. Now both agree. W rises."
    assert in_short(words) == point_of(words) == "Now both agree."
    assert in_short("Row 3 asks. Now both agree.") == "Row 3 asks."
