"""When a number of the run in hand last changed."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.cursor import goals
from algorithms.timeline import conditions
from tui.screens.compare.returning import Returning
from tui.screens.last_change import LastChange


class LookingBack(Returning):
    """When a number of the run in hand last changed; the others come along."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "last_change", "when it last changed, in the run in hand")]

    async def action_last_change(self) -> None:
        await self.rest()
        player = self.player_in_hand
        self.app.push_screen(LastChange(player.timeline, player.frame), self._go_to_change)

    def _go_to_change(self, condition: conditions.Condition | None) -> None:
        if condition is not None:
            player = self.player_in_hand
            self.together.pursue(self.current, goals.to_last_change(player, condition))
            self.act()
