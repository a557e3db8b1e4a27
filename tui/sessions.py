"""Open a session or what was rescued in place of what is watched, and leave with or without what was made."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from textual.app import App
from textual.screen import Screen

from algorithms.core import Refused
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.session_file import opened_of
from tui.rescue import Rescue, Rescued, count_as_unsaved
from tui.screens.stage import StageScreen
from tui.terminal.clean import safe

if TYPE_CHECKING:
    from algorithms.saving.session import Opening
    from tui.screens.rescued import Choice

Prepare: TypeAlias = Callable[[StageScreen], object]

_AT_ONCE = 0.2  # seconds of replay that need no dialog


def open_session(
    app: App[Any], opening: "Opening", prepare: Callable[[StageScreen], object] = lambda stage: None
) -> None:
    """Replay a session and show it; what takes long is shown, and what differs is told.

    Args:
        prepare: what is done with its stage before that is shown.
    """
    from tui.screens.session import Replaying

    with suppress(Refused):  # it is said where the replay is shown
        apart = opening.algorithm.apart  # which has no say in how long it takes
        if not apart and opening.work(_AT_ONCE) and not opening.differs:
            _show(app, opening, prepare)
            return
    app.push_screen(Replaying(opening), lambda replayed: _show(app, replayed, prepare))


def offer_rescued(app: App[Any], rescue: Rescue, run: LoadedRun | None) -> None:
    """Offer what was rescued of the algorithm that is opened, or of any where none is."""
    rescued = rescue.offer(run.algorithm.name, run.spec) if run is not None else rescue.offer(None)
    if rescued is not None:
        from tui.screens.rescued import OfferRescued

        asking = OfferRescued(rescued.words, rescued.path.name)
        app.push_screen(asking, lambda choice: _take_up(app, rescued, run, choice))


def _take_up(app: App[Any], rescued: Rescued, run: LoadedRun | None, choice: "Choice | None") -> None:
    from algorithms.saving.session import Opening

    def prepare(stage: StageScreen) -> None:
        count_as_unsaved(stage)
        rescued.drop()  # from here on it is rescued anew

    if choice == "drop":
        rescued.drop()
    elif choice == "open":
        try:
            opening = Opening(rescued.path, run.algorithm if run is not None and run.spec else None)
        except Refused as refusal:
            app.notify(safe(refusal).plain, title="not opened", severity="error", markup=False)
            return
        open_session(app, opening, prepare)


def _show(app: App[Any], opening: "Opening | None", prepare: Prepare) -> None:
    if opening is not None:
        stage = StageScreen(opened_of(opening), player=Player(opening.branches.root.timeline))
        stage.resume(opening)
        prepare(stage)
        show(app, stage)
        stage.compare_again()
    elif len(app.screen_stack) == 1:  # there is nothing to go back to
        from tui.screens.catalogue import CatalogueScreen

        app.push_screen(CatalogueScreen())


def show(app: App[Any], screen: Screen[Any]) -> None:
    """Show a screen in place of all there are."""
    while len(app.screen_stack) > 1:
        app.pop_screen()
    app.push_screen(screen)


def leave(app: App[Any]) -> None:
    """End the app; what is not saved is asked about, once."""
    from tui.screens.session import Leave

    stage = next((screen for screen in app.screen_stack if isinstance(screen, StageScreen)), None)
    if stage is None or isinstance(app.screen, Leave):
        app.exit()
    else:
        stage.unless_unsaved(app.exit)
