"""The small stage of the catalogue plays by itself, also a run of which a step seemed long on a busy machine."""

import pytest

from algorithms import find
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.timeline import Timeline
from tui.widgets.preview import Preview


def test_a_run_whose_step_was_long_is_played_seldom_and_not_never(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Preview, "redraw", lambda self: None)  # there is no app to draw for
    monkeypatch.setattr(Player, "slow", True)
    monkeypatch.setattr(Timeline, "seconds_a_step", 0.1)
    preview = Preview()
    preview.show(LoadedRun.usual(find("lloyd")))
    player = preview._player
    assert player is not None
    for _ in range(2):  # to its start, and on
        for _ in range(19):
            preview.tick(0.1)
        assert (player.t, player.timeline.last) == (0, 0)
        preview.tick(0.2)  # twenty times a step's length have gone by
    assert player.timeline.last > 0
    monkeypatch.setattr(Player, "slow", False)
    for _ in range(9):
        preview.tick(0.2)
    assert player.t > 0
