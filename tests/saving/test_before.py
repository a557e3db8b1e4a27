"""Sessions and recordings that were written before the rooms were rearranged are still read."""

from pathlib import Path

import pytest

from algorithms import Opening, Timeline
from algorithms.saving.runlog import LoggedRun

BEFORE = Path(__file__).parent / "before"
MENDED = {
    "perceptron": "clean holds 5 where 0 was saved",  # another step size no longer forgets which rows were right
    "dragged_mean": "the run had ended",  # it settles in a step of its own
    "pca": "iteration holds",  # they are those of the power iteration
}


@pytest.mark.parametrize("path", sorted(BEFORE.glob("*.json")), ids=lambda path: path.stem)
def test_a_session_of_before_is_replayed_to_the_same_states(path: Path) -> None:
    opening = Opening(path)
    while not opening.work(1.0):
        pass
    for difference in opening.differences:  # as on another processor, or of states that have other fields by now
        words = difference.words
        assert "rounding" in words or "version" in words or MENDED.get(path.stem, "nothing") in words
    assert len(opening.branches.all) == 2


@pytest.mark.parametrize(
    ("name", "steps"), [("adaboost", 61), ("lloyd", 14), ("perceptron", 61), ("student", 7)], ids=lambda x: str(x)
)
def test_a_recording_of_before_has_all_its_steps(name: str, steps: int) -> None:
    recording = LoggedRun(BEFORE / f"{name}.log")
    run = Timeline(recording, recording.datasets[0]).run()
    assert len(run) == steps
    assert run.at(steps - 1).state.t == steps - 1
