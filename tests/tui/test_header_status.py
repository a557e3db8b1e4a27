"""How far a run has come, in the header's words."""

from algorithms import Timeline
from algorithms.playback.player import Player
from tests.timeline.toys import DATA, declared, forgetful
from tui.widgets.header import status


def test_the_distance_of_the_kept_steps_is_an_ordinal() -> None:
    algorithm = declared(forgetful, start_only=(), curves=(), theorems=())
    run = Timeline(algorithm, DATA, {"laps": 2_000}, budget=56_000).run()
    assert (run.resumes, run.stride) == (False, 32)
    assert status(Player(run)).endswith("every 32nd kept")
