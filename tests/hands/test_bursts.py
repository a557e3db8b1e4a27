"""What comes in one read ends as the same keys typed slowly: on the stage, in dialogs, lists, palette, comparison."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from algorithms import find
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import against
from tests.hands.actions import key
from tests.hands.in_app import PATIENCE, Hands
from tests.patience import Patience
from tui.app import IterscopeApp
from tui.rescue import Rescue
from tui.screens.browser import Browser
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen

STAGE, LIST, BESIDE = "stage", "catalogue", "comparison"
_STILL = 0.25  # seconds without a change after which nothing more is expected of a key

# Where it begins, and the keys: names, and texts in quotation marks.
BURSTS = [
    (STAGE, "right right right left"),
    (STAGE, "right right f 3 enter r"),
    (STAGE, "right f escape right right"),
    (STAGE, "g 7 enter right"),
    (STAGE, "p 4 enter right"),
    (STAGE, "p escape right right"),
    (STAGE, "y z z"),
    (STAGE, "y escape right"),
    (STAGE, "b 't > 5' enter escape right"),
    (STAGE, "b t 'x'"),
    (STAGE, "e down down tab 'x'"),
    (STAGE, "d 'ir'"),
    (STAGE, "question_mark escape right right"),
    (STAGE, "i escape right right"),
    (STAGE, "right right right f 3 enter B down"),
    (STAGE, "ctrl+s 'xy'"),
    (STAGE, "W escape right"),
    (STAGE, "a enter right right"),
    (STAGE, "C escape right right"),
    (STAGE, "ctrl+p 'k-me'"),
    (STAGE, "ctrl+p 'random' escape right"),
    (STAGE, "ctrl+p x escape ctrl+p y"),
    (LIST, "down down enter right right"),
    (LIST, "'smo' enter right"),
    (LIST, "tab down down"),
    (LIST, "slash 'pca' enter right"),
    (LIST, "tab 'dual' escape"),
    (BESIDE, "right right right left"),
    (BESIDE, "g 4 enter right"),
    (BESIDE, "question_mark escape right right"),
    (BESIDE, "escape right right"),
    (BESIDE, "right f 3 enter"),
]  # fmt: skip


def app_of(begin: str) -> IterscopeApp:
    rescue = Rescue(Path.cwd())
    if begin == LIST:
        return IterscopeApp(rescue=rescue)
    opened = LoadedRun.usual(find("lloyd"))
    beside = [against(opened, ":seed=3").timeline()] if begin == BESIDE else []
    return IterscopeApp(opened, against=beside, rescue=rescue)


def pressed(burst: str) -> list[str]:
    """What a terminal sends for each key of a burst, in their order."""
    sent: list[str] = []
    for i, part in enumerate(burst.split("'")):
        sent += list(part) if i % 2 else ["\x1b[27u" if name == "escape" else key(name).text for name in part.split()]
    return sent


def state_of(app: App[None]) -> list[Any]:
    """The screens there are, and of each where it is: step, run, what was typed, which line is highlighted."""
    seen: list[Any] = []
    for screen in app.screen_stack[1:]:
        here: list[Any] = [type(screen).__name__]
        if isinstance(screen, StageScreen):
            session = screen.session
            forks = [(branch.name, branch.begin, branch.differs) for branch in session.branches.all]
            stops = [(each.text, each.on) for each in session.breakpoints]
            here += [session.loaded.algorithm.name, session.player.t, session.branch.name, forks, stops]
            here += [{name: str(value) for name, value in session.player.timeline.parameters.items()}]
        elif isinstance(screen, CompareScreen):
            here += [[follower.player.t for follower in screen.together.followers]]
        elif isinstance(screen, Browser):
            here += [screen._query, screen._chosen]
        here += [(field.id, field.value, field.has_focus) for field in screen.query(Input)]
        if not isinstance(screen, StageScreen | CompareScreen):
            here += [(listed.id, listed.highlighted) for listed in screen.query(OptionList)]
        seen.append(here)
    return seen


async def still(pilot: Pilot[None]) -> list[Any]:
    """Wait until nothing changes any more."""
    seen, since = state_of(pilot.app), time.monotonic()
    while time.monotonic() - since < _STILL:
        await pilot.pause(0.06)
        if (now := state_of(pilot.app)) != seen:
            seen, since = now, time.monotonic()
    return seen


async def ready(pilot: Pilot[None]) -> None:
    """Wait until the run has been computed to its end, or the list is there."""

    def is_there() -> bool:
        screen = pilot.app.screen
        if isinstance(screen, StageScreen):
            return screen.picture is not None and screen.player.timeline.stopped is not None
        if isinstance(screen, CompareScreen):
            return all(follower.player.timeline.stopped is not None for follower in screen.together.followers)
        return isinstance(screen, Browser)

    await until(pilot, is_there)
    await still(pilot)


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> bool:
    patience = Patience(PATIENCE)
    while not holds() and not patience.over:
        await pilot.pause(0.03)
    return holds()


@pytest.mark.parametrize(("begin", "burst"), BURSTS, ids=[f"{begin} {burst}" for begin, burst in BURSTS])
async def test_a_burst_ends_as_the_same_typed_slowly(
    begin: str, burst: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with app_of(begin).run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        slow = Hands(pilot)
        for sent in pressed(burst):
            slow.send(sent)
            await slow.answer()  # all of it was handed on, and the loop is idle
        wanted = await still(pilot)
    async with app_of(begin).run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        Hands(pilot).send("".join(pressed(burst)))
        await until(pilot, lambda: state_of(pilot.app) == wanted)
        assert await still(pilot) == wanted
