"""CompareScreen: all of its parts together."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.screens.compare.alone import Alone
from tui.screens.compare.exporting import Exporting
from tui.screens.compare.moving import Moving
from tui.screens.compare.stopping import Stopping
from tui.screens.compare.viewing import Viewing


class CompareScreen(Moving, Viewing, Stopping, Exporting, Alone):
    """Shows two to four runs at once, and moves them together."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "stop; pause; back to one run"),
        Binding("c", "leave", "back to one run"),
    ]

    async def action_cancel(self) -> None:
        if self.together.cancel():
            self.redraw()
        else:
            await self.action_leave()

    async def action_leave(self) -> None:
        """Back to what was there before, when no thread works on a run any more."""
        self.together.cancel()
        await self.workers.wait_for_complete()
        self.dismiss()
