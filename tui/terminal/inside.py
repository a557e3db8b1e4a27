"""Textual from the inside: the private names that holding input and containing faults need.

Textual gives no public place to hear of what fails in a handler, nor to ask whether a queue still takes messages.
`NAMES` is compared with the installed Textual by a test, with the lowest version allowed and the newest; what a
subclass overrides or mends in its own file is named here too.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import Any, TypeAlias

from rich.console import Console
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate as CompositorUpdate
from textual._context import visible_screen_stack
from textual.app import App
from textual.dom import DOMNode
from textual.geometry import Region
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import EventTargetGone, Timer
from textual.widget import Widget
from textual.widgets import OptionList

Dispatch: TypeAlias = Callable[[MessagePump, Message], Awaitable[None]]
Refresh: TypeAlias = Callable[[Screen[Any]], None]

NAMES: dict[type, tuple[str, ...]] = {
    MessagePump: ("_dispatch_message", "_get_dispatch_methods", "_closing", "_parent"),
    App: ("_handle_exception", "_exit", "_batch_count", "_display", "_background_screens"),
    Compositor: ("visible_widgets", "_dirty_regions", "_render_chops", "cuts"),
    Screen: ("_compositor_refresh", "_compositor", "_dirty_widgets", "_on_resize"),
    Widget: ("_compose", "_layout_required"),
    DOMNode: ("_bindings",),
    OptionList: ("_on_click",),
    Timer: ("_tick",),  # its frame is the first of what its callback raised
}


def wrap_dispatch(wrapper: Callable[[Dispatch], Dispatch]) -> None:
    """Put a function around the handling of each message by whatever it is for."""
    MessagePump._dispatch_message = wrapper(MessagePump._dispatch_message)  # type: ignore[assignment, method-assign]


def wrap_painting(wrapper: Callable[[Refresh], Refresh]) -> None:
    """Put a function around the painting of what has changed on a screen."""
    Screen._compositor_refresh = wrapper(Screen._compositor_refresh)  # type: ignore[assignment, method-assign]


def wrap_timers() -> None:
    """Have what is to be called once be called, however late.

    A timer leaves out what it is late for. One that calls once is over then and calls nothing: it takes no more than
    another program having the processor while it begins, and a clock that each tick winds anew stands for ever.
    """
    begin = Timer.__init__

    @wraps(begin)
    def begun(self: Timer, *args: Any, **how: Any) -> None:
        begin(self, *args, **(how | {"skip": False} if how.get("repeat") == 0 else how))

    Timer.__init__ = begun  # type: ignore[method-assign]


def name_bindings(node: DOMNode) -> None:
    """Give each key of a screen that says what it does an id, its action: by these a keymap goes."""
    keys = node._bindings.key_to_bindings
    for key, bound in keys.items():
        keys[key] = [replace(b, id=b.action) if b.description and b.id is None else b for b in bound]


def paint_now(screen: Screen[Any]) -> None:
    """Paint what has changed on a screen, also what has since it was last looked at."""
    if screen.app._batch_count:
        screen.refresh()  # it is painted when the batch is over
        return
    screen._compositor.update_widgets(screen._dirty_widgets)  # or painting would forget those that are not in it yet
    screen._compositor_refresh()


def display(screen: Screen[Any], update: CompositorUpdate) -> None:
    """Send an update of the screen in front, unless a batch is made; it is asked for its text at that moment."""
    screen.app._display(screen, update)  # type: ignore[arg-type]  # it takes both
    screen._dirty_widgets.clear()


def take_dirty(screen: Screen[Any]) -> set[Region]:
    """Take the regions that are to be painted: with the screen's own all of it."""
    compositor = screen._compositor
    dirty, compositor._dirty_regions = compositor._dirty_regions, set()
    return dirty


def laid_out(screen: Screen[Any]) -> Region:
    """Get the region of the screen for which its widgets have their places; it may have another size by now."""
    return screen._compositor.size.region


def places_of_widgets(screen: Screen[Any]) -> Iterator[tuple[Widget, Region, Region]]:
    """Yield the widgets in sight, those behind first, each with its region and the part that is seen."""
    for widget, (region, clip) in reversed(screen._compositor.visible_widgets.items()):
        yield widget, region, region.intersection(clip).intersection(laid_out(screen))


class DrawnRows:
    """Some rows of a screen as Textual draws them."""

    def __init__(self, screen: Screen[Any], rows: list[int]):
        compositor = screen._compositor
        visible_screen_stack.set(screen.app._background_screens)
        self._rows, self._cuts = rows, compositor.cuts
        self._chops = compositor._render_chops(laid_out(screen), set(rows).__contains__)

    def __iter__(self) -> Iterator[tuple[int, list[tuple[int, Strip]]]]:
        """Yield each row with its pieces, and the columns where these begin."""
        for row in self._rows:
            yield row, [(column, strip) for column, strip in self._chops[row].items() if strip is not None]

    def written(self, spans: list[tuple[int, int, int]], console: Console) -> str:
        """Have Textual write (row, first column, column after the last) of them."""
        return ChopsUpdate(self._chops, spans, [cuts[1:] for cuts in self._cuts]).render_segments(console)


def is_leaving(app: App[Any]) -> bool:
    """Tell whether the app has been asked to end."""
    return app._exit


def takes_messages(pump: MessagePump) -> bool:
    """Tell whether a message that is sent now will be handled."""
    return pump.is_running and not pump._closing


def needs_layout(screen: Screen[Any]) -> bool:
    """Tell whether its widgets have yet to be given their places."""
    return screen._layout_required


def screen_of(pump: MessagePump | None) -> Screen[Any] | None:
    """Find the screen that something is a part of; None for the app, and for what has been taken out."""
    while pump is not None and not isinstance(pump, Screen):
        pump = pump._parent
    return pump


def owner_of(error: BaseException) -> MessagePump | None:
    """Find what an exception belongs to, by whoever caught it: a timer's target, a queue, the screen of a layout."""
    if error.__traceback__ is None:
        return None
    catcher = error.__traceback__.tb_frame.f_locals.get("self")
    if isinstance(catcher, Timer):  # its task has the context of whoever set it
        with suppress(EventTargetGone):
            return catcher.target if isinstance(catcher.target, MessagePump) else None
    return catcher if isinstance(catcher, MessagePump) else None


def is_composing(error: BaseException) -> bool:
    """Tell whether it was raised by a `compose`, where Textual catches it before the message is done with."""
    trace = error.__traceback__
    return trace is not None and trace.tb_frame.f_code is Widget._compose.__code__
