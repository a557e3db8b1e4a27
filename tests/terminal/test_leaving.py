"""A key that is to end the app ends it, also where the loop comes to a stand before the key has its turn."""

import asyncio
import time

from tui.terminal.driver import LeaveWatch


async def stood_still(noticed: bool, before: float = 0.0) -> list[str]:
    """Watch a loop that goes on for so many seconds and then stands still; what was done to it."""
    ended: list[str] = []
    watch = LeaveWatch(asyncio.get_running_loop(), lambda: ended.append("ended"), patience=0.2)
    watch.start()
    await asyncio.sleep(before)
    assert ended == [], "while the loop goes on the key may wait for others"
    if noticed:
        watch.noticed.set()
    time.sleep(1.5)
    watch.noticed.set()
    watch.join()
    return ended


async def test_a_loop_that_comes_to_a_stand_before_the_key_has_its_turn_is_ended() -> None:
    assert await stood_still(noticed=False, before=1.0) == ["ended"]


async def test_one_that_has_taken_the_key_may_take_its_time() -> None:
    assert await stood_still(noticed=True, before=0.5) == []


def test_nobody_watches_a_loop_that_is_closed() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    watch = LeaveWatch(loop, lambda: None)
    watch.start()
    watch.join(60)
    assert not watch.is_alive()
