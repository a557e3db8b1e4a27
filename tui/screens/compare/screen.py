"""CompareScreen: all of its parts together."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.screens.compare.authoring import Authoring
from tui.screens.compare.changing import Changing
from tui.screens.compare.exporting import Exporting
from tui.screens.compare.forking import Forking
from tui.screens.compare.keeping import Keeping
from tui.screens.compare.looking_back import LookingBack
from tui.screens.compare.moving import Moving
from tui.screens.compare.reading import Reading
from tui.screens.compare.stopping import Stopping
from tui.screens.compare.theorems import Theorems
from tui.screens.compare.viewing import Viewing


class CompareScreen(
    Authoring, Moving, Viewing, Reading, Stopping, LookingBack, Forking, Changing, Theorems, Keeping, Exporting
):
    """Shows two to four runs at once, and moves them together."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "stop; pause; back to the run in hand"),
        Binding("c", "leave", "back to the run in hand"),
    ]

    async def action_cancel(self) -> None:
        if self.together.cancel():
            self.redraw()
        else:
            await self.leave()

    async def action_leave(self) -> None:
        await self.leave()
