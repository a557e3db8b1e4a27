"""Another run in place of the one in hand: with other parameters, on other data, or from an edited file."""

from functools import partial
from typing import Any, ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.playback.comparison.compared_run import LETTERS, ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun, loaded_again
from algorithms.playback.runs.tried_run import tried
from tui.screens.asking import Asked
from tui.screens.choose_data import ChooseData
from tui.screens.choose_runs import ChooseRuns
from tui.screens.compare.trying import Trying
from tui.screens.form_preview import FormPreview
from tui.screens.parameters import EditParameters


class Changing(Trying):
    """Another run in place of the one in hand; the others stay."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "parameters", "change the parameters of the run in hand"),
        Binding("d", "data", "change the data of the run in hand"),
        Binding("C", "choose_runs", "choose the runs anew"),
        Binding("a", "algorithms", "all algorithms"),
        Binding("P", "ask", "be asked about the next step of the run in hand, alone"),
        Binding("R", "sweep", "many runs like the one in hand"),
        Binding("ctrl+r", "reload", "load your own file again", priority=True),
    ]

    async def action_parameters(self) -> None:
        if self.is_recording():
            return
        await self.rest()
        session, branch = self.home
        loaded, place = session.as_loaded(branch), self.current
        preview = FormPreview(self, partial(tried, branch=branch))

        async def answered(differing: dict[str, Any] | None) -> None:
            seen = await self.leave_tried(preview, differing)
            if differing is None:
                return
            asked = replace(loaded, parameters=loaded.parameters | differing)
            if seen is None:
                self._start(asked)
            else:
                self._replace(place, ComparedRun("", seen.player.timeline, asked))

        self.app.push_screen(EditParameters(loaded, preview), answered)

    async def action_data(self) -> None:
        if self.is_recording():
            return
        session, branch = self.home
        if not session.loaded.algorithm.needs.data:
            self.tell(f"{clean(session.loaded.algorithm.title)} works on no data; p changes its parameters")
            return
        await self.rest()
        self.app.push_screen(ChooseData(session.as_loaded(branch)), self._start)

    def _start(self, loaded: Asked) -> None:
        """Begin a run in place of the one in hand, in a thread where its first state may take long."""
        if loaded is None:
            return
        place, apart = self.current, loaded.algorithm.apart
        if apart:
            self.tell("starting it")
            self.aside(lambda: _begun(loaded), lambda run: self._replace(place, run))
        else:
            self._replace(place, _begun(loaded))

    def _replace(self, place: int, run: ComparedRun | Refused) -> None:
        if isinstance(run, Refused):
            self.tell(clean(f"not started, {LETTERS[place]} stays: {run}"))
            return
        runs = [*self.compared[:place], run, *self.compared[place + 1 :]]
        self.show_runs(runs, place, f"{LETTERS[place]} is another run")

    async def action_choose_runs(self) -> None:
        """Ask for the runs, those that are compared chosen; the one in hand is among them."""
        await self.rest()
        session, branch = self.home
        like = replace(session.as_loaded(branch), data=branch.timeline.data)
        hand = self.compared[self.current]
        ours = [hand, *(run for run in self.compared if run is not hand)]
        self.app.push_screen(ChooseRuns(like, [*ours, *self.further], len(ours)), self._show_chosen)

    def _show_chosen(self, chosen: list[ComparedRun] | None) -> None:
        """Show those that were chosen, each in the place that it had."""
        if chosen is None:
            return
        hand = self.compared[self.current]
        stay = [run for run in self.compared if run in chosen]
        runs = [*stay, *(run for run in chosen if run not in stay)]
        self.show_runs(runs, runs.index(hand))

    async def action_sweep(self) -> None:
        if not self.is_recording():
            await self.leave_for("sweep")

    async def action_ask(self) -> None:
        """Ask about the next step of the run in hand where it stands alone: what others did may tell what comes."""
        from algorithms.playback.asks.quiz import unasked

        reason = unasked(self.player_in_hand.timeline, self.player_in_hand.t)
        if reason:
            self.refuse(f"{LETTERS[self.current]}: {clean(reason)}")
        else:
            await self.leave_for("ask")

    async def action_reload(self) -> None:
        """Load the reader's own file that the run in hand is of again; it begins anew, and the others stay."""
        session, branch = self.home
        if not session.loaded.spec:
            letter = LETTERS[self.current]
            self.tell(f"ctrl+r loads a file of your own again; {letter} is of the catalogue")
            return
        await self.rest()
        self.tell("loading it again")
        loaded, place = session.as_loaded(branch), self.current
        self.aside(lambda: _loaded_again(loaded), lambda run: self._replace(place, run))


def _begun(loaded: LoadedRun) -> ComparedRun | Refused:
    """Begin a run; without a first state it is refused."""
    try:
        return ComparedRun("", Player(loaded.timeline()).timeline, loaded)
    except Refused as refusal:
        return refusal


def _loaded_again(loaded: LoadedRun) -> ComparedRun | Refused:
    """Load an edited file and begin its run."""
    try:
        again, player = loaded_again(loaded)
    except Refused as refusal:
        return refusal
    return ComparedRun("", player.timeline, again)
