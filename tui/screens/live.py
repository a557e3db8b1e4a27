"""What all screens have in common: nothing is asked of one that is not composed yet, or is being left.

Keys, clicks, answers of threads and the end of the app come when they come: also between the moment when a screen is
pushed and that when its widgets are there, and after it was closed.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

from textual import events, messages
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker

T = TypeVar("T")

# What Textual begins and ends a screen with and waits for; and what a thread did counts, whoever sees it.
_ALWAYS = (
    events.Callback,
    events.Compose,
    events.Idle,
    events.ScreenSuspend,
    events.Unmount,
    messages.CloseMessages,
    messages.Prune,
    Worker.StateChanged,
)


class LiveScreen(Screen[T]):
    """A screen that handles messages and keys while its widgets are there, and not before and after."""

    _widgets_mounted = False

    @property
    def is_live(self) -> bool:
        """Tell whether all widgets are mounted, and neither the screen nor the app is being left."""
        return self._widgets_mounted and self.is_attached and self.app.is_running and self in self.app.screen_stack

    async def mount_composed_widgets(self, widgets: list[Widget]) -> None:
        """Called by Textual with what `compose` yielded; it is mounted, all that is in it too, when this ends."""
        await super().mount_composed_widgets(widgets)
        self._widgets_mounted = True

    def _get_dispatch_methods(
        self, method_name: str, message: Message
    ) -> Iterable[tuple[type, Callable[[Message], Awaitable[Any]]]]:
        """Called by Textual for the handlers of a message. It goes on to the app: a key is for the screen in front."""
        heeds = self.is_live or isinstance(message, _ALWAYS)
        return super()._get_dispatch_methods(method_name, message) if heeds else ()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.is_live and super().check_action(action, parameters)
