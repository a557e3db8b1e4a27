"""BranchedRuns: a run with those forked from it, without a screen: their players, notices, forks and edits."""

from collections.abc import Callable

from msgspec.structs import replace

from algorithms.core import Dataset, Refused
from algorithms.core.text import clean
from algorithms.playback.cursor.breakpoints import Breakpoint, watch_for
from algorithms.playback.cursor.player import Player
from algorithms.playback.pictures.viewer import Viewer
from algorithms.playback.runs.access import Access
from algorithms.playback.runs.audience import Audience, Nobody
from algorithms.playback.runs.edit_history import EditHistory
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.notices import Notices
from algorithms.timeline.branches import Branch, Branches, Change

_LONG = 0.5  # seconds a step from which on one who waits for it is told


class BranchedRuns:
    """A run with those forked from it.

    Args:
        loaded: the first run.
        at: the step that is shown first.
        player: the player of the first run, when it was made beforehand.
        audience: what shows it; nobody if not given.
        whole: whether the runs are shown whole, or each as far as one has been.

    Raises:
        Refused: when there is no first state to show.

    Attributes:
        loaded: the first run, as it was opened.
        branches: the runs.
        branch: the current one.
        players: the clock and cursor of every run that was shown.
        viewer: how the current run is looked at.
        whole: whether the runs are shown whole.
        breakpoints: those that are off included.
        access: who works on the runs, where a thread does.
    """

    def __init__(
        self,
        loaded: LoadedRun,
        at: int = 0,
        player: Player | None = None,
        audience: Audience | None = None,
        whole: bool = True,
    ):
        self.audience: Audience = audience or Nobody()
        self.whole = whole
        self.breakpoints: list[Breakpoint] = []
        self.access = Access()
        self.begin(loaded, at, player=player)

    def begin(self, loaded: LoadedRun, at: int = 0, speed: int = 2, player: Player | None = None) -> None:
        """Begin with another run in place of all there are; the breakpoints stay. `Refused` as for a new session."""
        player = player or Player(loaded.timeline(), speed)
        self.loaded, self.branches = loaded, Branches(player.timeline)
        self.branch = self.branches.root
        self.players = {self.branch: self.shown_so(player)}
        self.viewer = Viewer(player.timeline)
        told = "; ".join(notice.removesuffix(".") for notice in loaded.data.notices)
        self._edits, self._notices = EditHistory(), Notices(f"{told}." if told else "")
        if at:
            player.seek(at)
            if not player.slow:
                player.work(0.5)
        elif loaded.algorithm.growing:
            player.follow()
        self.arm()

    # The current run

    @property
    def player(self) -> Player:
        """Get the clock and cursor of the current run."""
        return self.player_of(self.branch)

    def player_of(self, branch: Branch) -> Player:
        """Find the clock and cursor of a run; one that was never shown stands where it begins."""
        if branch not in self.players:
            self.players[branch] = self.shown_so(Player(branch.timeline, at=branch.begin))
        return self.players[branch]

    def shown_so(self, player: Player) -> Player:
        """Have a run shown as the others are: no further than one has been, unless they are shown whole."""
        if not self.whole:
            player.show_as_seen()
        return player

    def show_whole(self, whole: bool) -> None:
        """Show the runs whole, or hide of each what comes after its cursor; what forks begin with stays."""
        self.whole = whole
        for branch, player in self.players.items():
            if whole:
                player.show_whole()
            else:
                player.hide_what_comes(max((fork.begin for fork in branch.children), default=0))

    @property
    def current(self) -> LoadedRun:
        """Give what was opened, with the parameters that the current run has now."""
        return self.as_loaded(self.branch)

    def as_loaded(self, branch: Branch) -> LoadedRun:
        """Give what was opened, with the parameters that a run has now."""
        changed = {name: value for b in branch.path for name, value in b.change.parameters.items()}
        return replace(self.loaded, parameters=self.loaded.parameters | changed)

    @property
    def data(self) -> Dataset:
        """Get the rows with which the step that is shown was made."""
        return self.player.timeline.problem_at(self.player.t).data

    @property
    def range(self) -> int:
        """Get the step at the right end of the timeline and the charts: the same for all runs, that they compare."""
        return max(player.range for player in list(self.players.values()))

    def arm(self) -> None:
        """Have the current run stop at the breakpoints that are on and have a meaning in it."""
        self.player.watch = watch_for(self.breakpoints, self.player.timeline)

    # Notices: nothing else writes them

    @property
    def notice(self) -> str:
        """Get the sentence that is told, "" when none is."""
        return self._notices.text

    def tell(self, text: str) -> None:
        """Tell a sentence in place of the one before; "" ends that."""
        self._notices.text = text
        self.audience.show_notice()

    def forget_notice(self) -> None:
        """End the notice with the step that it was told of."""
        self._notices.text = ""

    def when_free(self, act: Callable[[], None]) -> None:
        """Do what needs the runs for itself: now, or when the step that is being made in a thread is done."""
        if self.access.when_free(act) and self.player.timeline.seconds_a_step > _LONG:
            self.tell("as soon as this step is done")

    # Forks

    def fork(self, at: int, change: Change, name: str = "") -> None:
        """Fork the current run at step `at` and go to the fork; where it cannot be, tell why."""
        self.fork_from(self.branch, at, change, name, lambda made: self._forked(made, at))

    def fork_from(self, branch: Branch, at: int, change: Change, name: str, then: Callable[[Branch], None]) -> None:
        """Fork a run at step `at` and go on with the fork; where it cannot be, tell why."""

        def made() -> Branch:
            if at > branch.timeline.last or not any(each is branch for each in self.branches.all):
                raise Refused(
                    f"the run was begun anew meanwhile, and is not at step {at:,} any more: fork it from there"
                )
            return self.branches.fork(branch, at, change, name)

        self.when_free(lambda: self._obtain(made, then))

    def _obtain(self, make: Callable[[], Branch], then: Callable[[Branch], None]) -> None:
        """Make a fork, aside where that may take long, and go on with it; or tell why there is none."""
        access = self.access

        def go_on(made: Branch | Refused) -> None:
            access.busy = False
            if isinstance(made, Refused):
                self.tell(clean(made))
            else:
                then(made)
            access.free()

        if self.loaded.algorithm.apart:
            self.tell("forking it")
            access.take()
            self.audience.aside(lambda: self._fork_or_refusal(make), go_on)
        else:
            go_on(self._fork_or_refusal(make))

    def _fork_or_refusal(self, make: Callable[[], Branch]) -> Branch | Refused:
        """Make a fork with its player; without a first state it goes again."""
        try:
            made = make()
        except Refused as refusal:
            return refusal
        try:
            self.player_of(made)
        except Refused as refusal:
            self.branches.delete(made)
            return refusal
        return made

    def _forked(self, made: Branch, at: int) -> None:
        self._select(made, made.begin)
        self.tell(f"{where_forked(made, at)}; tab goes to the other run")

    # Going from one run to another

    def select(self, branch: Branch, t: int | None = None) -> None:
        """Go to a run, at step t, or at the step of the one before; beyond its end, at its end."""
        self.when_free(lambda: self._select(branch, t))

    def _select(self, branch: Branch, t: int | None = None) -> None:
        if branch not in self.branches.all:  # deleted while it was waited for
            return
        before, playing, place = self.player, self.player.playing, self.player.meets_at
        before.cancel()
        self.branch = branch
        player = self.player
        player.pace = before.pace
        t = place if t is None else t
        if player.t != t:
            player.meet(t)
            if not player.slow:
                player.work(0.03)
        player.playing = playing and not player.at_end
        self.viewer.watch(branch.timeline, (b.timeline for b in self.branches.all))
        self.forget_notice()
        self.arm()
        self.audience.redraw()

    def select_beside(self, by: int) -> None:
        """Go to the next run at the same step, or one before; tell where there is only one."""
        runs = self.branches.all
        if len(runs) == 1:
            self.tell("there is one run; f makes a second one from this step")
        else:
            self.select(runs[(runs.index(self.branch) + by) % len(runs)])

    def select_remaining(self, chosen: Branch | None = None) -> None:
        """Go to a run when others may be deleted; without one, to the current run or the nearest that it came from."""
        runs = self.branches.all
        self.select(chosen or next(b for b in reversed(self.branch.path) if b in runs))
        self.when_free(self._forget_deleted)

    def _forget_deleted(self) -> None:
        runs = self.branches.all
        self.players = {branch: player for branch, player in self.players.items() if branch in runs}

    # Edits of the data and of the state

    def change(self, change: Change, words: str) -> None:
        """Fork from the step that is shown with an edit, or add it to the fork that edits have begun here.

        Edits are to the data that are shown. Where it cannot be done, tell why; then everything stays as it is.
        """
        branch, t = self.branch, self.player.t
        self.when_free(lambda: self._change(branch, t, change, words))

    def _change(self, branch: Branch, t: int, change: Change, words: str) -> None:
        if branch is not self.branch or t != self.player.t:  # it went on while the step was waited for
            return
        if self._edits.grows(branch, self.player):
            self._remake(branch, *self._edits.joined(branch, change), words)
        else:
            self._obtain(lambda: self.branches.fork(branch, t, change), lambda made: self._edited(made, t, (), words))

    def _remake(self, branch: Branch, change: Change, before: tuple[Change, ...], words: str) -> None:
        """Put a run with another change in the place of the current fork, which never went on."""
        self._obtain(
            lambda: self.branches.remake(branch, change),
            lambda made: self._edited(made, branch.begin, before, words),
        )

    def _edited(self, made: Branch, t: int, before: tuple[Change, ...], words: str) -> None:
        """Go to a fork that was begun by an edit at step t."""
        self._edits = EditHistory(made, before)
        self._select(made, made.begin)
        self._forget_deleted()
        if made.timeline.from_start:
            words = f"{words}; {clean(made.timeline.from_start).rstrip('.')}"
        elif made.begin != t:
            words = f"{words}, from step {made.begin:,}, the last sound place"
        self.tell(f"{words}; u undoes it, tab is the other run")

    def undo(self) -> None:
        """Take the last edit back; tell where there is none."""
        self.when_free(self._undo)

    def _undo(self) -> None:
        branch = self.branch
        grows, undone = self._edits.grows(branch, self.player), self._edits.undone()
        if grows and undone:
            self._remake(branch, *undone, "the last edit is undone")
        elif branch.parent is None or not (branch.change.edits or branch.change.state or self._edits.began(branch)):
            self.tell("nothing to undo: this run was not begun by an edit")
        else:
            if grows:
                self.branches.delete(branch)
            self._select(branch.parent, branch.parent.timeline.nearest_entry(branch.at))
            self._forget_deleted()
            stays = "" if grows else f"; {clean(branch.name)} stays, B has all runs"
            self.tell(f"undone: back in {clean(self.branch.name)}{stays}")


def where_forked(made: Branch, at: int) -> str:
    """Say where a fork begins that was asked for at step `at`."""
    if made.timeline.from_start:
        return clean(made.timeline.from_start).rstrip(".")
    sound = "" if made.begin == at else f", the last sound place before step {at:,}"
    return f"forked at step {made.begin:,}{sound}"
