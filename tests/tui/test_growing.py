"""While a run is computed behind, its curves are drawn anew, and the stage of the same step is not."""

from collections import Counter
from typing import Any

import pytest

from tests.tui.pilot import app, at, stage, still, until
from tui.widgets.column import Column
from tui.widgets.stage import Stage


async def test_the_stage_of_the_same_step_is_painted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: Counter[str] = Counter()
    for kind in (Stage, Column):

        def counted(self: Any, canvas: Any, paint: Any = kind.paint, name: str = kind.__name__) -> None:
            painted[name] += 1
            paint(self, canvas)

        monkeypatch.setattr(kind, "paint", counted)
    async with app().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        screen = stage(pilot)
        await until(pilot, lambda: screen.player.timeline.stopped is not None)
        await still(pilot)
        monkeypatch.setattr(screen.player.timeline._own, "stopped", None)  # as if there were more to come
        painted.clear()
        screen._moved = 0.0
        screen._grew()
        assert painted == {"Column": 1}
        screen.redraw()
        assert painted == {"Column": 2, "Stage": 1}
