"""RunSession: runs being watched, without a screen: branches and players, breakpoints, notices, and what is saved.

A screen has a session and shows it; keys call its methods. What a session brings about, it tells its audience.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.comparison.side_by_side import SideBySide
from algorithms.playback.cursor import goals
from algorithms.playback.cursor.player import Goal, Player
from algorithms.playback.runs.audience import Audience
from algorithms.playback.runs.branched_runs import BranchedRuns
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.session_file import SessionFile, opened_of, take_over
from algorithms.timeline import Timeline, conditions
from algorithms.timeline.branches import Branch, Branches

if TYPE_CHECKING:
    from algorithms.playback.comparison.compare_player import ComparePlayer
    from algorithms.saving.session import Opening


class RunSession(BranchedRuns):
    """A run with those forked from it, or several beside each other.

    Attributes:
        file: where the runs are saved.
        side_by_side: the runs that are compared, or were last, and the sessions that they are runs of, which share it.
    """

    def begin(self, loaded: LoadedRun, at: int = 0, speed: int = 2, player: Player | None = None) -> None:
        """Begin with another run, as before; in a comparison it takes the place of the one that was there."""
        before = getattr(self, "branches", None)
        super().begin(loaded, at, speed, player)
        if before is None:
            self.side_by_side: SideBySide[RunSession] = SideBySide(self)
        else:
            self.side_by_side.renew(self, [branch.timeline for branch in before.all])
        self.file = SessionFile()
        for session in self.side_by_side.sessions:
            session.file, session._notices = self.file, self._notices

    def take(self, loaded: LoadedRun, branches: Branches, branch: Branch, t: int) -> None:
        """Begin with runs that were made beforehand, one of them the current one at step t; they count as kept."""
        self.side_by_side.start_over(self)
        self.begin(loaded, player=Player(branches.root.timeline))
        self.branches, self.branch = branches, branch
        for each in branches.all:
            each.timeline.unveil()
        self.players = {branch: self.shown_so(Player(branch.timeline, at=t))}
        self.viewer.watch(branch.timeline, (each.timeline for each in branches.all))
        self.file.keep(self)
        self.arm()

    def show_to(self, audience: Audience) -> None:
        """Have a screen show this session, and those that are compared with it."""
        for session in (self, *self.side_by_side.sessions):
            session.audience = audience

    @property
    def recorded(self) -> bool:
        """Tell whether what is shown was recorded, so that nothing in it can be changed."""
        return self.loaded.algorithm.recorded

    def tell_news(self) -> None:
        """Tell what the cursor has to say, and what has come to light of how an algorithm behaves."""
        together = self.side_by_side.together
        cursor = together or self.player
        watched = self.side_by_side.watched() if together else [("", self.loaded.algorithm)]
        notice, cursor.notice = cursor.notice, ""
        for text in (notice, self._notices.newest(watched)):
            if text:
                self.tell(text)

    # Breakpoints and searches

    def go_to_breakpoint(self, forward: bool) -> None:
        """Go to the next step at which a breakpoint holds, or the last one before.

        Where none is on, to one at which an event says that something is wrong, or to where the run fails; tell where
        there are no such events.
        """
        watch, run = self.player.watch, self.player.timeline
        wrong = " or ".join(f'"{event.name}"' for event in run.algorithm.events if event.wrong)
        if watch is not None:
            self.go_to_condition(watch.any, forward)
        elif wrong:
            self._pursue(goals.to_what_goes_wrong(self.player, conditions.parse(wrong, run), forward))
        else:
            none = "no breakpoint is on" if self.breakpoints else "there are no breakpoints"
            self.tell(f"{none}; b makes one")

    def go_to_condition(self, condition: conditions.Condition, forward: bool) -> None:
        """Go to the next step at which a condition holds, or the last one before."""
        self._pursue(goals.to_condition(self.player, condition, forward))

    def go_to_last_change(self, condition: conditions.Condition) -> None:
        """Go to the last step before this one at which "FIELD changes" holds."""
        self._pursue(goals.to_last_change(self.player, condition))

    def go_to_last_change_of(self, field: str) -> None:
        """Go to the last step at which a field changed, named as it is shown; tell where that cannot be asked."""
        try:
            condition = goals.change_of(self.player, field)
        except Refused as refusal:
            self.tell(clean(refusal))
        else:
            self.go_to_last_change(condition)

    @property
    def others(self) -> list[Branch]:
        """Get the runs besides the current one."""
        return [branch for branch in self.branches.all if branch is not self.branch]

    def go_to_difference(self, other: Branch) -> None:
        """Go to the first step at which the current run differs from another."""
        self.when_free(lambda: self._pursue(goals.to_difference(self.branch, other)))

    def _pursue(self, goal: Goal) -> None:
        self.player.pursue(goal)
        self.audience.act()

    # Runs beside each other

    @property
    def candidates(self) -> list[ComparedRun]:
        """Get the runs that can be compared, the current one first; those that the comparison brought in last."""
        return self.side_by_side.candidates(self.branch.timeline)

    @property
    def compared_last(self) -> list[ComparedRun]:
        """Get the runs of the last comparison in its order; [] where fewer than two are left of it."""
        return self.side_by_side.again()

    def compare(self, runs: Sequence[ComparedRun]) -> "ComparePlayer":
        """Put runs beside each other, shown whole: where others stood before, else at the step of the current one."""
        self.forget_notice()
        for run in runs:
            run.timeline.unveil()
            self._notices.skip(run.timeline.algorithm)
            if self.side_by_side.home(run.timeline) is None:
                self._bring_in(run)
        return self.side_by_side.begin(runs, self.player)

    def _bring_in(self, run: ComparedRun) -> None:
        """Give a run from elsewhere a session of its own beside this one."""
        made = RunSession(run.opened, player=Player(run.timeline, self.player.pace), whole=self.whole)
        with suppress(Refused):  # a name that will not do is done without
            made.branches.rename(made.branch, run.name or made.branch.name)
        made._stand_beside(self)

    def _stand_beside(self, other: "RunSession") -> None:
        """Share with another session all but the runs."""
        self.audience, self.access, self.breakpoints = other.audience, other.access, other.breakpoints
        self.file, self.side_by_side, self._notices = other.file, other.side_by_side, other._notices
        self.side_by_side.sessions.append(self)
        self.arm()

    def home(self, run: Timeline) -> "tuple[RunSession, Branch]":
        """Find the session that a compared run is one of, and its branch."""
        home = self.side_by_side.home(run)
        assert home is not None
        return home

    def end_comparison(self) -> "RunSession":
        """Go back to one run, the one in hand, at the step that it was compared at; its session."""
        together = self.side_by_side.together
        run, t = self.side_by_side.end(self.branch.timeline)
        home, branch = self.home(run)
        for player in home.players.values():
            home.shown_so(player)
        self.forget_notice()
        if branch is not home.branch:
            home.select(branch, t)
        elif t != home.player.t:
            home.player.seek(t)
        if together is not None:
            home.player.pace = together.pace
        return home

    # Saving

    @property
    def unsaved(self) -> str:
        """Say what would be lost, in words; "" when nothing would."""
        return self.file.unsaved(self)

    def save(self, path: Path, screen: dict[str, Any]) -> bool:
        """Write the session with what a screen adds to the view; tell what came of it."""
        self.audience.note_look()
        try:
            self.file.save(self, path, screen)
        except Refused as refusal:
            self.tell(clean(f"not saved: {refusal}"))
            return False
        self.tell(clean("; ".join([f"saved: {path}", *self.file.left_out])))
        return True

    def resume(self, opening: "Opening") -> None:
        """Take over the runs of a saved session, how they were looked at and what they were compared with."""
        from algorithms.playback.comparison.saved_comparison import compared_in

        take_over(self, opening)
        for other in opening.beside:
            beside = RunSession(opened_of(other), player=Player(other.branches.root.timeline))
            take_over(beside, other)
            beside._stand_beside(self)
        self.file.opened(self, opening)
        compared_in(opening, self.side_by_side)
        self.arm()
        same = "as it runs here" if opening.differs else "as it was saved"
        if opening.differences and not opening.differs:
            same = "as it was saved, but for rounding, as on another processor"
        self._notices.text = clean(f"{opening.file}: {same}")
