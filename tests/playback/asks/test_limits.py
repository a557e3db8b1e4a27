"""What the limits of a panel are while a question stands: those of a run that has come no further."""

import pytest

from algorithms import find
from algorithms.playback.asks.quiz import Quiz
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession

_CELLS = 60, 20


def watched(name: str, furthest: int, t: int) -> RunSession:
    """A run that was watched to a step, and taken back to another."""
    session = RunSession(LoadedRun.usual(find(name)))
    run = session.branch.timeline
    run.advance(furthest + 1 - len(run))
    for at in (*range(min(furthest, run.last) + 1), t):
        session.player.seek(at)
        session.viewer.picture(run.at(at), *_CELLS)
    return session


def limits(session: RunSession) -> dict[str, Limits]:
    return session.viewer.picture(session.branch.timeline.at(session.player.t), *_CELLS).limits


NAMES = ["softmax_regression", "cross_validation", "kernel_regression", "decision_tree"]


@pytest.mark.parametrize("name", NAMES)
def test_no_panel_is_as_large_as_what_comes_while_a_question_stands(name: str) -> None:
    far = watched(name, 40, 3)
    near = Quiz(watched(name, 3, 3)).session
    asked = Quiz(far).session
    assert asked.player.t == near.player.t
    assert limits(far) != limits(near)  # as it was watched they do tell
    assert limits(asked) == limits(near)
