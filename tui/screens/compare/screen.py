"""CompareScreen: all of its parts together."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.screens.compare.base import CompareBase
from tui.screens.compare.looking import Looking
from tui.screens.compare.moving import Moving
from tui.screens.help import Help


class CompareScreen(Moving, Looking):
    """Shows two to four runs at once, and moves them together."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "stop; pause; back to one run"),
        Binding("c", "leave", "back to one run"),
        Binding("question_mark,f1", "help", "all keys"),
        Binding("q", "app.quit", "quit"),
    ]

    @property
    def all_bindings(self) -> list[Binding]:
        """The keys of all parts, in the order of the parts."""
        parts = [part for part in type(self).__mro__ if issubclass(part, CompareBase)]
        own = [*parts[1:], parts[0]]  # help and quit come last
        return [b for part in own for b in vars(part).get("BINDINGS", ()) if isinstance(b, Binding)]

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

    def action_help(self) -> None:
        self.app.push_screen(Help(self.all_bindings))
