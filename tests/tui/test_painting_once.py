"""A step is painted once: no widget twice, and none whose content is as it was."""

from collections import Counter

import pytest
from textual.pilot import Pilot

from tests.tui.pilot import SIZES, app, at, stage, still, until
from tui.paint.canvas import Canvas
from tui.widgets.narration import Narration
from tui.widgets.source import Source
from tui.widgets.track import Track


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each of three widgets was painted."""
    count: Counter[str] = Counter()
    for widget in (Track, Source, Narration):

        def counting(self: object, canvas: Canvas, paint=widget.paint, name=widget.__name__) -> None:  # type: ignore[no-untyped-def]
            count[name] += 1
            paint(self, canvas)

        monkeypatch.setattr(widget, "paint", counting)
    return count


async def stands_still(pilot: Pilot[None]) -> None:
    """Wait until nothing is computed or painted any more."""
    await until(pilot, at(pilot, 0))
    await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
    await still(pilot)


async def test_a_step_paints_the_timeline_once(painted: Counter[str]) -> None:
    async with app().run_test(size=SIZES[0]) as pilot:
        await stands_still(pilot)
        painted.clear()
        stage(pilot).action_step(1)
        assert painted["Track"] == 1
        assert at(pilot, 1)()


async def test_what_is_as_it_was_is_not_painted_again(painted: Counter[str]) -> None:
    async with app().run_test(size=SIZES[0]) as pilot:
        await stands_still(pilot)
        painted.clear()
        stage(pilot).redraw()
        assert painted == {"Track": 1}


async def test_the_narration_is_painted_again_when_it_becomes_brief(painted: Counter[str]) -> None:
    async with app().run_test(size=SIZES[0]) as pilot:
        await stands_still(pilot)
        painted.clear()
        stage(pilot).query_one(Narration).brief = True
        stage(pilot).redraw()
        assert painted["Narration"] == 1
