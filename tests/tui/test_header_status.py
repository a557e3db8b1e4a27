"""How far a run has come, in the header's words."""

from algorithms import Timeline
from algorithms.playback.player import Player
from tests.timeline.toys import DATA, declared, forgetful
from tui.widgets.header import status, unhurried


def test_the_distance_of_the_kept_steps_is_an_ordinal() -> None:
    algorithm = declared(forgetful, start_only=(), curves=(), theorems=())
    run = Timeline(algorithm, DATA, {"laps": 2_000}, budget=56_000).run()
    assert (run.resumes, run.stride) == (False, 32)
    assert status(Player(run)).endswith("every 32nd kept")


def test_of_a_run_that_stands_still_the_data_are_named_rather_than_the_speed() -> None:
    player = Player(Timeline(declared(forgetful, start_only=(), curves=(), theorems=()), DATA, {"laps": 20}).run())
    standing = status(player)
    assert "4 steps/s" in standing
    assert unhurried(standing) == standing.replace("■ 4 steps/s", "■")
    player.play()
    assert unhurried(status(player)) == status(player), "of one that plays the speed is wanted"
