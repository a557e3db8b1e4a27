"""Keeping the comparison in a session, with the runs in it."""

from collections.abc import Callable
from typing import Any

from tui.screens.compare.returning import Returning, screen_below
from tui.screens.keeping import KeepsSessions


class Keeping(KeepsSessions, Returning):
    """Saving and opening sessions, with how runs stand beside each other."""

    def when_free(self, act: Callable[[], None]) -> None:
        async def rested() -> None:
            await self.rest()
            act()

        self.call_next(rested)

    def view_now(self) -> dict[str, Any]:
        below = screen_below(self)
        return {} if below is None else below.view_now()
