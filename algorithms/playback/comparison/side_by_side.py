"""SideBySide: the runs that are compared, or were last, and the sessions that they are runs of."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from algorithms.core import Algorithm
from algorithms.core.text import clean
from algorithms.playback.comparison.compared_run import LETTERS, ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.timeline import Timeline
from algorithms.timeline.branches import FIRST, Branch, Branches

if TYPE_CHECKING:  # most who open a run never compare it
    from algorithms.playback.comparison.compare_player import ComparePlayer
    from algorithms.playback.comparison.comparison_view import ComparisonView


class Tree(Protocol):
    """What is asked of a session here: a run and those forked from it."""

    branches: Branches


T = TypeVar("T", bound=Tree)


class SideBySide(Generic[T]):
    """Runs beside each other.

    Args:
        sessions: those whose runs can be compared, the one that was opened first.

    Attributes:
        sessions: the same; a run from elsewhere has one of its own.
        runs: those that were compared last, () before the first time.
        together: their common clock and cursor, None while they are not shown.
        hand: which of them keys are for that are for one.
        last_view: how they stood when they were last seen, None before that.
    """

    def __init__(self, *sessions: T) -> None:
        self.sessions = list(sessions)
        self.runs: tuple[ComparedRun, ...] = ()
        self.together: ComparePlayer | None = None
        self.hand = 0
        self.last_view: ComparisonView | None = None
        self._left: tuple[Timeline, int] | None = None  # the run that was gone back to, and its step

    def home(self, run: Timeline) -> tuple[T, Branch] | None:
        """Find the session that a run is one of, and its branch; None where there is none."""
        places = ((session, branch) for session in self.sessions for branch in session.branches.all)
        return next(((session, branch) for session, branch in places if branch.timeline is run), None)

    @property
    def forked(self) -> bool:
        """Tell whether any run has been forked."""
        return any(len(session.branches.all) > 1 for session in self.sessions)

    # Which runs there are

    def candidates(self, first: Timeline) -> list[ComparedRun]:
        """List all runs that can be compared, one of them first."""
        runs = [self._named(session, branch) for session in self.sessions for branch in session.branches.all]
        return sorted(runs, key=lambda run: run.timeline is not first)

    def again(self) -> list[ComparedRun]:
        """List the runs of the last comparison that are still there, in its order; none where fewer than two are."""
        homes = (self.home(run.timeline) for run in self.runs)
        runs = [self._named(*home) for home in homes if home is not None]
        return runs if len(runs) > 1 else []

    def named(self, run: ComparedRun) -> ComparedRun:
        """Call a run as it is called among those there are."""
        home = self.home(run.timeline)
        return run if home is None else self._named(*home)

    def _named(self, session: T, branch: Branch) -> ComparedRun:
        """Call a run by the name that it has among its forks, or was given; one of several first runs has none."""
        alone = len(session.branches.all) == 1 or len(self.sessions) > 1
        return ComparedRun("" if alone and branch.name == FIRST else clean(branch.name), branch.timeline)

    def watched(self) -> Iterator[tuple[str, Algorithm]]:
        """List the algorithms, each with the letter that its notices begin with."""
        for letter, run in zip(LETTERS, self.runs):
            yield f"{letter}: ", run.timeline.algorithm

    # Showing them and going back to one

    def forget(self) -> None:
        """Forget how they stood, since others are to be compared."""
        self.hand, self.last_view, self._left = 0, None, None

    def begin(self, runs: Sequence[ComparedRun], player: Player) -> "ComparePlayer":
        """Show runs beside each other at the speed of a player: where others stood before, else from its step.

        A player that has gone on since they were left takes them along.
        """
        before, self.runs = self.runs, tuple(runs)
        left, self._left = self._left, None
        timelines = [run.timeline for run in runs]
        t = _aim(player)
        back = left is not None and player.timeline in timelines
        self.hand = timelines.index(player.timeline) if back else min(self.hand, len(runs) - 1)
        from algorithms.playback.comparison.alignment import BySteps
        from algorithms.playback.comparison.compare_player import ComparePlayer

        alignment = BySteps() if self.last_view is None else self.last_view.aligned(timelines)
        self.together = together = ComparePlayer([Player(run) for run in timelines], alignment, player.pace)
        if self.last_view is None:
            if t:
                together.seek(t)
        elif back and left != (player.timeline, t):
            together.meet(self.hand, t)
        elif self.last_view.keeps_place(alignment):
            together.resume(self.last_view.place)
        else:
            run, t = self.last_view.in_hand
            together.meet(timelines.index(run) if run in timelines else 0, t)
        together.work(0.5)
        self._drop(before)
        return together

    def _drop(self, before: Sequence[ComparedRun]) -> None:
        """Let sessions go of which a run was compared before, none is now, and nothing was forked."""
        gone = {id(run.timeline) for run in before} - {id(run.timeline) for run in self.runs}
        roots = [(each, each.branches.root) for each in self.sessions]
        self.sessions[:] = [each for each, root in roots if root.children or id(root.timeline) not in gone]

    def note(self, hand: int, screen: dict[str, Any], looks: Sequence[dict[str, Any]]) -> None:
        """Note how they stand now, and how a screen shows them."""
        together, self.hand = self.together, hand
        if together is not None:
            runs = tuple((follower.run, follower.player.t) for follower in together.followers)
            from algorithms.playback.comparison.comparison_view import ComparisonView

            self.last_view = ComparisonView(runs, hand, together.alignment, together.place, screen, tuple(looks))

    def renew(self, session: T, gone: Sequence[Timeline]) -> None:
        """Have the run that a session begins with stand where one did that is gone; without others, forget all."""
        if session not in self.sessions or len(self.sessions) == 1:
            self.start_over(session)
            return
        places = [i for i, run in enumerate(self.runs) if any(run.timeline is each for each in gone)]
        root = ComparedRun("", session.branches.root.timeline)
        self.runs = tuple(root if i in places[:1] else run for i, run in enumerate(self.runs) if i not in places[1:])
        self._left = None

    def start_over(self, session: T) -> None:
        """Have the runs of one session alone, and none of them beside another."""
        self.sessions[:], self.runs, self.together = [session], (), None
        self.forget()

    def recall(self, view: "ComparisonView") -> None:
        """Take runs that stood beside each other for those of the last comparison."""
        self.runs = tuple(ComparedRun("", run) for run, _ in view.runs)
        self.hand, self.last_view = view.hand, view

    def end(self, shown: Timeline) -> tuple[Timeline, int]:
        """Go back to one run: that in hand, else the one that was shown before; which it is, and its step."""
        together, self.together = self.together, None
        at = {id(follower.run): follower.player.t for follower in together.followers} if together is not None else {}
        run = self.last_view.in_hand[0] if self.last_view is not None else shown
        run = run if id(run) in at else self.runs[0].timeline
        self._left = run, at[id(run)]
        return self._left


def _aim(player: Player) -> int:
    """Find the step where a player is, or is going."""
    goal = player.goal
    return player.t if goal is None or goal.position is None else goal.position
