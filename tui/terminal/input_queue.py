"""Keys, clicks and pastes are handed on one at a time: what comes in one read ends as the same typed slowly does.

A terminal gives what was typed while a machine was busy in one read (over ssh, from a clipboard, by fast hands).
Textual would hand all of it on at once: to a screen that is not composed yet, to one that has gone, to rows that have
others in their place by the time of the click.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from textual import events
from textual.app import App
from textual.css.query import NoMatches
from textual.errors import NoWidget
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget

from tui.terminal.inside import is_leaving, needs_layout, paint_now, takes_messages

INPUT = (events.InputEvent, events.Paste)

_LOOK = 0.02  # seconds between two looks whether a queue that is waited for has been closed
_LOOKS = 50  # after so many of them, of which none can be had while the loop is busy, input goes on all the same
_TURNS = 5  # of the loop
_STILL = 2  # turns of the loop without a message in any queue
_SCREENS = 5  # at most, of those that open one another
_FRAME = 0.2  # seconds between two pictures while input waits


class InputQueue:
    """Holds input back until all that the one before brought about is there.

    It goes through the queues of its widget, the screen and the app, and back through those two for what they sent each
    other; a screen that has come meanwhile is composed and has had its resume. What is typed after the app has begun to
    leave is dropped.
    """

    def __init__(self, app: App[Any]):
        self._app = app
        self._waiting: deque[events.Event] = deque()
        self._in_hand: events.Event | None = None
        self._following: asyncio.Task[None] | None = None
        self._painted = 0.0
        self._owes_painting = False
        self._skips = False  # whether what the event in hand changes is drawn with a later one
        self._drawn = 0.0
        self._undrawn: dict[Widget, Callable[[], object]] = {}

    def admits(self, event: events.Event) -> bool:
        """Tell whether an event is to be handed on now; one that is not waits, or is dropped."""
        if is_leaving(self._app) or not self._app.screen_stack:
            self._waiting.clear()
            return False
        if event is self._in_hand:
            return True
        if self._in_hand is None:
            self._in_hand, self._skips = event, False
            return True
        if _only_moves(event) and self._waiting and _only_moves(self._waiting[-1]):
            self._waiting.pop()  # where the mouse was meanwhile
        self._waiting.append(event)
        return False

    def receivers(self, event: events.Event) -> list[MessagePump]:
        """List whose queues an event goes through, before it does.

        What a widget makes of it (a key submits a field) begins in its own queue and goes up from parent to parent.
        """
        app, screen = self._app, self._app.screen
        target: Widget | None = app.focused
        if isinstance(event, events.MouseEvent):
            target = None
            with suppress(NoWidget, NoMatches):
                target = app.get_widget_at(event.x, event.y)[0]
        chain = [] if target is None else [target, *(node for node in target.ancestors_with_self if node is not app)]
        return [*chain, screen, app, screen, app]

    def follow(self, receivers: list[MessagePump]) -> None:
        """Hand the next one on when the one in hand has gone through these queues."""
        self._following = asyncio.create_task(self._hand_on_after(receivers))

    async def _hand_on_after(self, receivers: list[MessagePump]) -> None:
        try:
            await self._settled(receivers)
            if self._app.screen_stack:
                await self._draw_what_was_skipped()
        finally:
            if is_leaving(self._app) or not self._app.screen_stack:
                self._waiting.clear()
            self._in_hand = self._waiting.popleft() if self._waiting else None
            if self._in_hand is not None:
                self._skips = self._moves_next() and monotonic() - self._drawn < _FRAME
                self._drawn = self._drawn if self._skips else monotonic()
                self._app.post_message(self._in_hand)
            elif self._owes_painting:
                self._owes_painting = False
                self._app.call_later(self._paint)

    def _moves_next(self) -> bool:
        """Tell whether the next event goes to another step, whatever is drawn of this one."""
        moves_with = getattr(self._app.screen, "moves_with", None)
        following = self._waiting[0] if self._waiting else None
        return isinstance(following, events.Key) and moves_with is not None and moves_with(following.key)

    async def _draw_what_was_skipped(self) -> None:
        """Draw it before anything that depends on what is seen: all but a further step."""
        if self._undrawn and not self._moves_next():
            self._skips, undrawn = False, self._undrawn
            self._undrawn = {}
            for widget, draw in undrawn.items():
                widget.call_later(draw)
            for widget in undrawn:
                await _passed(widget)
            catch_up = getattr(self._app.screen, "catch_up", None)
            if catch_up is not None:
                self._app.screen.call_later(catch_up)
                await _passed(self._app.screen)

    async def _settled(self, receivers: list[MessagePump]) -> None:
        """Wait until these queues, and those of a screen that came meanwhile, have been gone through."""
        screen = receivers[-2] if len(receivers) > 1 else None
        for _ in range(_SCREENS):
            for pump in receivers:
                await _passed(pump)
            await self._at_rest()
            if is_leaving(self._app) or not self._app.screen_stack or self._app.screen is screen:
                break
            screen = self._app.screen
            receivers = [screen, self._app]
        if self._waiting and isinstance(self._waiting[0], events.MouseEvent) and isinstance(screen, Screen):
            for _ in range(_LOOKS):  # it means what stands there when all is in its place
                if not needs_layout(screen) or not takes_messages(screen):
                    break
                await asyncio.sleep(_LOOK / 2)

    async def _at_rest(self) -> None:
        """Wait until no widget in front has a message in its queue; what they send each other goes through many."""
        turns = still = 0
        while self._app.screen_stack and still < _STILL and turns < _LOOKS:
            await asyncio.sleep(0)
            front = self._app.screen
            sent = any(pump.message_queue_size for pump in (self._app, front, *front.walk_children()))
            turns, still = turns + 1, 0 if sent else still + 1

    def puts_off_drawing(self, widget: Widget, draw: Callable[[], object]) -> bool:
        """Tell whether a widget is drawn later, as another step is about to be taken; `draw` is called then."""
        if self._skips:
            self._undrawn[widget] = draw
        return self._skips

    def puts_off_painting(self) -> bool:
        """Tell whether a picture may wait, since input does and one was painted just now."""
        now = monotonic()
        if self._waiting and now - self._painted < _FRAME:
            self._owes_painting = True
            return True
        self._painted = now
        return False

    def _paint(self) -> None:
        screen = self._app.screen
        if takes_messages(screen):
            paint_now(screen)


def _only_moves(event: events.Event) -> bool:
    return isinstance(event, events.MouseMove) and not event.button


async def _passed(pump: MessagePump) -> None:
    """Wait until what is in a queue now has been handled, or the queue is closed."""
    passed = asyncio.Event()
    if not pump.call_later(passed.set):
        return
    for _ in range(_TURNS):  # which is all that most need, and costs no timer
        await asyncio.sleep(0)
        if passed.is_set():
            return
    for _ in range(_LOOKS):
        with suppress(TimeoutError):
            await asyncio.wait_for(passed.wait(), _LOOK)
            return
        if not takes_messages(pump):
            return
