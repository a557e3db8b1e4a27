"""A fault closes the screen that it is in, and nothing else; what happened is written down and told.

Textual ends the app on the first exception of any handler, timer, callback, worker or painter. All of them come to
`App._handle_exception`; those of a message also end the loop of the widget that it was for, so that handling it there
alone would leave a dead dialog. Hence the handling of each message is wrapped as well.
"""

import os
from asyncio import CancelledError
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from time import monotonic
from traceback import walk_tb
from typing import Any, TypeVar
from weakref import WeakSet

from msgspec import Struct
from textual import events
from textual.app import App
from textual.geometry import Region
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.worker import WorkerFailed, get_current_worker

from tui.terminal.failure import places_of
from tui.terminal.input_queue import INPUT, InputQueue
from tui.terminal.inside import (
    Dispatch,
    Refresh,
    is_composing,
    is_leaving,
    owner_of,
    screen_of,
    wrap_dispatch,
    wrap_painting,
    wrap_timers,
)
from tui.terminal.sending import Sending

T = TypeVar("T")
W = TypeVar("W", bound=Widget)

_MOST, _WITHIN = 20, 10.0  # so many faults in so many seconds: there is nothing to stand on
_QUIET = 5.0  # seconds until the same kind of fault is told of again
_BYTES = 100_000  # of the file of details, which begins anew when it is full


class Fault(Struct, frozen=True, eq=False):
    """What failed, where.

    Attributes:
        owner: the widget, screen or app that it belongs to; None where that has been taken away.
        beginning: whether that was being composed or mounted.
    """

    error: BaseException
    owner: MessagePump | None
    beginning: bool = False

    @property
    def screen(self) -> Screen[Any] | None:
        """Get the screen that it is in; where the app did something for a widget, an action say, that widget's."""
        if not isinstance(self.owner, App):
            return screen_of(self.owner)
        callers = (frame.f_locals.get("self") for frame, _ in walk_tb(self.error.__traceback__))
        return screen_of(next((caller for caller in callers if isinstance(caller, Widget)), None))


class Contained(App[T]):
    """An app that goes on when something in it fails, and does one thing at a time.

    Attributes:
        strict: whether a fault ends the app, as under test and with ITERSCOPE_STRICT=1.
        input_queue: what hands on keys and clicks, and knows what need not be drawn or painted meanwhile.
        sending: what sends the terminal the cells that have changed.
        painted: called when the screen in front was painted, for those who look on.
        on_page: whether what is painted is for a page or for paper, where no key can be pressed.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.strict = bool(os.environ.get("ITERSCOPE_STRICT"))
        self.input_queue = InputQueue(self)
        self.sending = Sending()
        self.painted: Callable[[], object] | None = None
        self.on_page = False
        self._times: deque[float] = deque(maxlen=_MOST)
        self._told: dict[str, float] = {}
        self._blank: WeakSet[Widget] = WeakSet()
        self._ending: BaseException | None = None  # the fault that cannot be contained

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Resize):
            self.sending.forget()  # what is left of the old picture is for the terminal to say
        if isinstance(event, INPUT) and not self.screen_stack:
            return  # it comes back up from a screen that has gone with the app
        if not isinstance(event, INPUT) or event.is_forwarded:
            await super().on_event(event)
        elif self.input_queue.admits(event):
            self._notice_leaving(event)
            receivers: list[MessagePump] = [self]
            try:
                receivers = self.input_queue.receivers(event)
                await super().on_event(event)
            finally:  # whatever failed: or nothing would ever be handed on again
                self.input_queue.follow(receivers)

    def _notice_leaving(self, event: events.Event) -> None:
        """Tell the driver, which watches until then whether a key that is to end the app ever has its turn."""
        noticed = getattr(self._driver, "leaving_was_noticed", None)
        if noticed is not None and isinstance(event, events.Key) and event.key in ("ctrl+c", "ctrl+q"):
            noticed()

    # Faults

    def _handle_exception(self, error: Exception) -> None:
        fault = Fault(error, owner_of(error), is_composing(error))
        if isinstance(error, WorkerFailed):
            fault = Fault(error.error, get_current_worker().node)
        if not self.contains(fault):
            super()._handle_exception(error)

    def contains(self, fault: Fault) -> bool:
        """Close what failed, and tell of it; whether the app can go on."""
        if self.strict or fault.error is self._ending or not (self.is_running or is_leaving(self)):
            return False
        screen, stack = fault.screen, self.screen_stack
        gone = is_leaving(self) or (screen not in stack and not (screen is None and fault.owner is self))
        _write_down(fault, gone)
        if gone:  # it failed since it was being closed
            return True
        height = stack.index(screen) if screen is not None else 0
        if self._too_many() or (height <= 1 and fault.beginning):
            self._ending = fault.error
            return False
        if height > 1 and screen is not None:
            self._close(screen)
        self._tell(fault, closed=height > 1)
        return True

    def leaves_blank(self, widget: Widget, error: Exception) -> bool:
        """Tell whether a widget that cannot be drawn is left blank; told of once for each."""
        if widget in self._blank:
            return not self.strict
        self._blank.add(widget)
        return self.contains(Fault(error, widget))

    def _too_many(self) -> bool:
        now = monotonic()
        self._times.append(now)
        return len(self._times) == _MOST and now - self._times[0] < _WITHIN

    def _close(self, screen: Screen[Any]) -> None:
        """Leave a page or dialog without an answer, and all that lies over it."""
        with suppress(Exception):  # what it does on being left may be what fails
            while self.screen is not screen:
                self.pop_screen()
            screen.dismiss(None)
        while screen in self.screen_stack:
            self.pop_screen()

    def _tell(self, fault: Fault, closed: bool) -> None:
        kind, now = type(fault.error).__name__, monotonic()
        if now - self._told.get(kind, -_QUIET) < _QUIET:
            return
        self._told[kind] = now
        what = _name(fault.screen)
        happened = f"{what} failed and was closed" if closed else f"something failed in {what}"
        with suppress(Exception):  # a notice that cannot be shown is no reason to end
            self.notify(
                f"{happened}; all that you made stays. Details, without your data: {details_file()}",
                title=f"an error of iterscope's own ({kind})", severity="error", markup=False,
            )  # fmt: skip


def details_file() -> Path:
    """Find the file that faults are written to, in the platform's folder for the state of programs."""
    from platformdirs import user_state_path

    return user_state_path("iterscope", appauthor=False) / "faults.txt"


def blank_where_it_fails(render: Callable[[W, Region], list[Strip]]) -> Callable[[W, Region], list[Strip]]:
    """Have a widget that cannot be drawn stay blank, while all others are drawn."""

    @wraps(render)
    def rendered(self: W, crop: Region) -> list[Strip]:
        try:
            return render(self, crop)
        except Exception as error:
            if not isinstance(self.app, Contained) or not self.app.leaves_blank(self, error):
                raise
            return [Strip.blank(crop.width)] * crop.height

    return rendered


def _write_down(fault: Fault, gone: bool) -> None:
    """Append where it happened, without the error's own words, which may quote the data."""
    where = f"{type(fault.owner).__name__} in {type(fault.screen).__name__}{', which had gone' if gone else ''}"
    path = details_file()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        full = path.exists() and path.stat().st_size > _BYTES
        with path.open("w" if full else "a", encoding="utf-8") as file:
            file.write(f"{type(fault.error).__name__}: {where}\n{places_of(fault.error)}\n\n")


def _name(screen: Screen[Any] | None) -> str:
    """Name a screen as a person would: by its heading, or as the page that it is."""
    heading = getattr(screen, "heading", "")
    if heading:
        return f"“{heading}”"
    kind = type(screen).__name__.removesuffix("Screen").lower() if screen is not None else "app"
    return f"the {kind}"


def _contained_dispatch(dispatch: Dispatch) -> Dispatch:
    async def dispatched(self: MessagePump, message: Message) -> None:
        try:
            await dispatch(self, message)
        except CancelledError:
            raise
        except Exception as error:
            fault = Fault(error, self, isinstance(message, (events.Compose, events.Mount)))
            app = getattr(self, "app", None)  # none where the context of an app has gone
            if not isinstance(app, Contained) or not app.contains(fault):
                raise

    return dispatched


def _painted_in_time(refresh: Refresh) -> Refresh:
    def refreshed(self: Screen[Any]) -> None:
        app = self.app
        if isinstance(app, Contained) and app.input_queue.puts_off_painting():
            return
        if isinstance(app, Contained) and self is app.screen and not (app.is_headless or app.is_inline):
            app.sending.send(self)
        else:
            refresh(self)
        if isinstance(app, Contained) and app.painted is not None and self is app.screen:
            app.painted()

    return refreshed


wrap_dispatch(_contained_dispatch)
wrap_painting(_painted_in_time)
wrap_timers()
Widget.render_lines = blank_where_it_fails(Widget.render_lines)  # type: ignore[assignment, method-assign]
