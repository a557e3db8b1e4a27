"""A test that waits gives up after so long, and not because the machine stood still."""

import pytest

from tests import patience


def test_a_machine_that_stood_still_has_lost_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(patience, "monotonic", lambda: clock[0])
    waits = patience.Patience(3)
    clock[0] = 100.0
    assert not waits.over
    clock[0] = 100.5
    assert not waits.over
    clock[0] = 200.0
    assert not waits.over
    clock[0] = 201.5
    assert waits.over
