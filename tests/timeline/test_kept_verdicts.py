"""What a step showed of theorems and curves when it was recorded is not measured again when it is looked at."""

from typing import Any

import pytest

from algorithms import Timeline
from algorithms.timeline import series
from algorithms.timeline.hooks import Hooks
from tests.tiny import TINY, Rows


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The steps at which theorems are checked."""
    steps: list[int] = []
    check = Hooks.verdicts

    def noted(self: Hooks, before: Any, after: Any) -> Any:
        steps.append(after.t)
        return check(self, before, after)

    monkeypatch.setattr(Hooks, "verdicts", noted)
    return steps


def test_a_step_that_was_measured_is_not_measured_again(asked: list[int]) -> None:
    run = Timeline(TINY, Rows())
    run.advance(6)
    recorded = len(asked)
    looked_at = [(run.verdicts(run.at(t)), run.values(run.at(t))) for t in range(6)]
    assert len(asked) == recorded
    hooks = Hooks(run.algorithm, run.problem)
    for t, (verdicts, values) in enumerate(looked_at):
        frame = run.at(t)
        assert values == pytest.approx(hooks.values(frame.state), nan_ok=True)
        anew = hooks.verdicts(frame.before, frame.state)
        assert [(v.status, v.sides and v.sides.values) for v in verdicts] == [
            (v.status, v.sides and v.sides.values) for v in anew
        ]


def test_one_that_was_measured_long_ago_is(asked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "_KEPT", 2)
    run = Timeline(TINY, Rows())
    run.advance(6)
    del asked[:]
    run.verdicts(run.at(5))
    assert asked == []
    run.verdicts(run.at(1))
    assert asked == [1]


def test_a_fork_has_its_own(asked: list[int]) -> None:
    run = Timeline(TINY, Rows())
    run.advance(6)
    fork = run.fork(3, eta=0.5)
    fork.advance(2)
    del asked[:]
    assert fork.values(fork.at(4)) != run.values(run.at(4))
    assert asked == []
