"""A random walk of keys, clicks, drags and resizes over the whole app, and the shortest one that still fails.

A walk is a list of actions that follows from its seed; played again it does the same. What must hold after each:
no exception, the screen answers, and what is shown is the state of the timeline.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from textual import events
from textual.app import App
from textual.pilot import Pilot

from algorithms.core.state import same
from algorithms.playback.player import Player
from algorithms.playback.viewer import Picture
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen
from tui.widgets.raster import RasterView

PATIENCE = 60.0  # seconds without an answer after which a screen counts as frozen; the machine may be busy
SIZES = ((160, 48), (120, 40), (100, 30), (80, 24), (79, 23), (40, 12), (10, 3), (1, 1), (220, 60))
_LEAVING = {"q", "ctrl+q", "ctrl+c", "ctrl+z"}
_CHARACTERS = {"space": " ", "plus": "+", "minus": "-", "equals_sign": "=", "question_mark": "?", "dollar_sign": "$"}
_TYPED = ("0.5", "3", "-1", "", "1e400", "nan", "mistake", "t > 5", "[/]", "\u202ex", "../x", "50%")
_ANYWHERE = (
    "right", "right", "left", "space", "n", "N", "tab", "shift+tab", "enter", "escape", "escape", "up", "down",
    "home", "end", "backspace", "delete", "pageup", "pagedown", "ctrl+p", "f1",
)  # fmt: skip


class Key(Struct, frozen=True, tag=True):
    """A key is pressed."""

    name: str


class Typed(Struct, frozen=True, tag=True):
    """A text is typed."""

    text: str


class Mouse(Struct, frozen=True, tag=True):
    """The mouse does something at a share of the screen's width and height: "click", "right", "up", "down", "move"."""

    what: str
    x: float
    y: float


class Drag(Struct, frozen=True, tag=True):
    """The mouse drags from one place to another."""

    x0: float
    y0: float
    x1: float
    y1: float


class Resize(Struct, frozen=True, tag=True):
    """The terminal has another size."""

    columns: int
    rows: int


Action = Key | Typed | Mouse | Drag | Resize


class Found(Exception):
    """Something that must hold did not."""


def walk(seed: int, steps: int, keys: Sequence[str]) -> list[Action]:
    """So many actions, those a person does most being the most frequent."""
    rng = random.Random(seed)
    own = [key for key in keys if key not in _LEAVING]
    makers: list[tuple[int, Callable[[], Action]]] = [
        (10, lambda: Key(rng.choice(own))),
        (8, lambda: Key(rng.choice(_ANYWHERE))),
        (2, lambda: Typed(rng.choice(_TYPED))),
        (4, lambda: Mouse(rng.choice(("click", "click", "right", "up", "down", "move")), rng.random(), rng.random())),
        (2, lambda: Drag(rng.random(), rng.random(), rng.random(), rng.random())),
        (1, lambda: Resize(*rng.choice(SIZES))),
    ]
    made = rng.choices([maker for _, maker in makers], [weight for weight, _ in makers], k=steps)
    return [make() for make in made]


def keys_of(screen: StageScreen | CompareScreen) -> list[str]:
    """Every key that a screen names."""
    return [key for binding in screen.all_bindings for key in binding.key.split(",")]


async def play(make: Callable[[], App[None]], actions: Sequence[Action]) -> None:
    """Do it all with a new app; `Found` tells what did not hold, with the number of the action."""
    i = -1
    try:
        async with make().run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            for i, action in enumerate(actions):  # noqa: B007  (the number is told when it fails)
                await asyncio.wait_for(_do(pilot, action), PATIENCE)
                if pilot.app._exception is not None:
                    raise pilot.app._exception
                await check(pilot)
                if not pilot.app.is_running:
                    return
            await settle(pilot)
    except Found:
        raise
    except TimeoutError:
        raise Found(f"action {i}, {actions[i]}: no answer within {PATIENCE:g} seconds") from None
    except BaseException as error:
        raise Found(f"action {i}, {actions[i] if i >= 0 else 'none'}: {type(error).__name__}: {error}") from error


async def _do(pilot: Pilot[None], action: Action) -> None:
    app = pilot.app
    match action:
        case Key(name=name):
            app.post_message(events.Key(name, _CHARACTERS.get(name, name if len(name) == 1 else None)))
        case Typed(text=text):
            for character in text:
                app.post_message(events.Key(character, character))
        case Mouse(what=what, x=x, y=y):
            _mouse(app, events.MouseMove, x, y)
            if what in ("click", "right"):
                button = 3 if what == "right" else 1
                for kind in (events.MouseDown, events.MouseUp):  # of which the app makes a click
                    _mouse(app, kind, x, y, button)
            elif what in ("up", "down"):
                _mouse(app, events.MouseScrollUp if what == "up" else events.MouseScrollDown, x, y)
        case Drag(x0=x0, y0=y0, x1=x1, y1=y1):
            _mouse(app, events.MouseMove, x0, y0)
            _mouse(app, events.MouseDown, x0, y0, 1)
            for share in (0.3, 0.7, 1.0):
                _mouse(app, events.MouseMove, x0 + share * (x1 - x0), y0 + share * (y1 - y0), 1)
            _mouse(app, events.MouseUp, x1, y1, 1)
        case Resize(columns=columns, rows=rows):
            await pilot.resize_terminal(columns, rows)
    await pilot.pause(0)


def _mouse(app: App[Any], kind: Any, x: float, y: float, button: int = 0) -> None:
    size = app.size
    column, row = min(int(x * size.width), size.width - 1), min(int(y * size.height), size.height - 1)
    app.post_message(
        kind(
            widget=None, x=column, y=row, delta_x=0, delta_y=0, button=button, shift=False, meta=False, ctrl=False,
            screen_x=column, screen_y=row,
        )
    )  # fmt: skip


async def check(pilot: Pilot[None]) -> None:
    """What is shown is a state of its run, that of the timeline bit for bit, wherever the walk is."""
    screen = pilot.app.screen
    if isinstance(screen, StageScreen):
        _check(screen.player, screen.picture)
    elif isinstance(screen, CompareScreen):
        for lane, picture in zip(screen.together.lanes, screen.pictures):
            _check(lane.player, picture)


def _check(player: Player, picture: Picture | None) -> None:
    if picture is None:
        return
    frame, run, shown = picture.frame, player.timeline, player.frame
    if shown.t >= len(run):
        raise Found(f"the cursor stands at step {shown.t}, the run has come to {run.last}")
    if run.resumes and not same(run.at(shown.t).state, shown.state):
        raise Found(f"the state in hand is not the timeline's at step {shown.t}")
    if frame.t == shown.t and not same(frame.state, shown.state):
        raise Found(f"the state shown is not the one in hand, at step {frame.t}")


async def settle(pilot: Pilot[None]) -> None:
    """With everything closed and stopped, the screen shows the step that the timeline is at."""
    for _ in range(200):
        screen = pilot.app.screen
        if isinstance(screen, StageScreen) and not screen.has_class("small"):
            screen.player.cancel()
            await pilot.pause(0.05)
            header = "\n".join(strip.text for strip in screen.query_one("#header", RasterView)._strips)
            if f"step {screen.player.t:,} of" in header:
                return
        await pilot.resize_terminal(120, 40)
        pilot.app.post_message(events.Key("escape", None))
        await pilot.pause(0.05)
    raise Found(f"it does not come to rest: {type(pilot.app.screen).__name__}")


async def shortest(make: Callable[[], App[None]], actions: list[Action]) -> list[Action]:
    """The failing walk with as many actions taken out as can be, by halves, quarters, ... and one at a time."""
    size = max(len(actions) // 2, 1)
    while size:
        at = 0
        while at < len(actions):
            fewer = actions[:at] + actions[at + size :]
            try:
                await play(make, fewer)
            except Found:
                actions = fewer
            else:
                at += size
        size //= 2
    return actions
