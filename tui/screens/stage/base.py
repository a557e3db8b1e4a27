"""What every part of the stage screen has in hand: the run, its picture, and the clock."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.timer import Timer

from algorithms.core import Dataset
from algorithms.data.text import clean
from algorithms.playback.loaded_run import LoadedRun, data_words
from algorithms.playback.player import Player
from algorithms.playback.viewer import Picture, Viewer, at_the_end
from algorithms.saving.runlog import LoggedRun
from algorithms.timeline.branches import Branch, Branches
from tui.screens.stage.keys import CHANGES, FORKS, KEYS, keys_for
from tui.sections.forks import Forks, rows_of
from tui.widgets.header import Header
from tui.widgets.keys import Keys
from tui.widgets.narration import Narration
from tui.widgets.side import Side
from tui.widgets.source import Source
from tui.widgets.stage import Stage
from tui.widgets.too_small import LEAST, TooSmall
from tui.widgets.track import Track

FRAMES = 30  # pictures a second, at most
_LONG = 0.5  # seconds a step from which on one who waits for it is told
_STILL = 0.25  # seconds without a step after which a coarse picture is made fine


class Worked(Struct, frozen=True, eq=False):
    """What a thread has done for a player: whether it stepped or grew, and a picture, made for so much room."""

    player: Player
    stepped: bool
    grew: bool
    picture: Picture | None
    room: tuple[int, int]


class StageBase(Screen[None]):
    """A run on the screen, and those forked from it. What keys do to it stands in the subclasses, one a concern, each
    with its bindings.

    Attributes:
        opened: what was opened: the first run.
        branches: the runs.
        branch: the one in hand.
        viewer: how it is looked at.
        picture: what is shown, None before the first.
    """

    def __init__(self, opened: LoadedRun, at: int = 0, player: Player | None = None):
        super().__init__()
        self._source_rows: int | None = None
        self._busy = False
        self._sought = False  # whether the header says that something is looked for
        self._wanted: bool | None = None  # a picture that waits for a thread, and whether things move in it
        self._clock: Timer | None = None
        self._waiting: list[Callable[[], None]] = []
        self.picture: Picture | None = None
        self.begin(opened, at, player=player)

    def begin(self, opened: LoadedRun, at: int = 0, speed: int = 2, player: Player | None = None) -> None:
        """A run from its start, whose player may have been made beforehand."""
        player = player or Player(opened.timeline(), speed)
        self.branches = Branches(player.timeline)
        self.branch = self.branches.root
        self._players = {self.branch: player}
        self.opened = opened
        self._told = 0
        self.viewer = Viewer(player.timeline)
        self._notice = "; ".join(opened.data.notices)
        if at:
            self.player.seek(at)
            if not self.player.slow:
                self.player.work(0.5)
        elif isinstance(opened.algorithm, LoggedRun) and not opened.algorithm.ended:
            self.player.follow()

    # The run in hand

    @property
    def player(self) -> Player:
        """The clock and cursor of the run in hand."""
        return self.player_of(self.branch)

    def player_of(self, branch: Branch) -> Player:
        """The clock and cursor of a run; one that was never shown stands where it begins."""
        if branch not in self._players:
            self._players[branch] = Player(branch.timeline, at=branch.begin)
        return self._players[branch]

    @property
    def in_hand(self) -> LoadedRun:
        """What was opened, with the parameters that the run in hand has now."""
        changed = {name: value for b in self.branch.path for name, value in b.change.parameters.items()}
        return replace(self.opened, parameters=self.opened.parameters | changed)

    @property
    def data(self) -> Dataset:
        """The rows with which the step that is shown was made."""
        return self.player.timeline.problem_at(self.player.t).data

    @property
    def range(self) -> int:
        """The step at the right end of the timeline and the charts: the same for all runs, that they compare."""
        return max(player.range for player in list(self._players.values()))

    # What is on the screen

    def compose(self) -> ComposeResult:
        data = self.opened.data
        yield Header(id="header")
        with Horizontal(id="body"):
            yield Stage(data, id="stage")
            yield Side(data, id="side")
        yield Narration(id="narration")
        yield Source(id="source")
        yield Track(id="track")
        yield Keys(KEYS, id="keys")
        yield TooSmall(id="too_small")

    def on_mount(self) -> None:
        self._ticked = self._moved = perf_counter()
        self._clock = self.set_interval(1 / FRAMES, self._tick)

    def on_resize(self) -> None:
        width, height = self.size
        small = width < LEAST[0] or height < LEAST[1]
        self.set_class(small, "small")
        self.query_one("#source").styles.height = self._rows_of_source(height)
        self.query_one("#narration").styles.height = 2 if width >= 110 else 3
        self.query_one("#side").styles.width = min(max(round(width * 0.345), 32), 60)
        self.call_after_refresh(self.redraw)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In too small a terminal, help and leaving alone: what cannot be seen should not happen."""
        return not self.has_class("small") or action == "help"

    def _rows_of_source(self, height: int) -> int:
        if self._source_rows is not None:
            return min(self._source_rows, max(height // 2 - 2, 0))
        return 7 if height >= 44 else 5 if height >= 36 else 4 if height >= 29 else 0

    def redraw(self, moving: bool = False) -> None:
        """Make the picture of the frame in hand and hand it to the widgets; in a thread where that may take long."""
        if not self.is_attached:
            return
        if self._busy or self.opened.algorithm.apart:
            self._wanted = moving and self._wanted is not False
            return
        room = self.query_one(Stage).room
        self._put(self.viewer.picture(self.player.frame, *room, moving=moving))
        if self.query_one(Stage).room != room:  # it was a guess: now it is known
            self._put(self.viewer.picture(self.player.frame, *self.query_one(Stage).room, moving=moving))

    def _put(self, picture: Picture) -> None:
        """Hand a picture to the widgets."""
        data = self.data
        self.picture = picture
        self.query_one(Stage).show(picture, self._plane_note(picture), data)
        self.query_one(Side).show(picture, self.range, data)
        self._show_words(picture)
        _, first, lines = self.opened.algorithm.source
        stopped, line = picture.stopped, picture.frame.line
        if stopped is not None and stopped.failed and picture.frame.t == self.player.timeline.last:
            line = stopped.line if first <= stopped.line < first + len(lines) else line  # that which failed
        self.query_one(Source).show(first, lines, line)
        self._show_progress()

    def _show_words(self, picture: Picture) -> None:
        phase = picture.frame.state.phase
        stopped = picture.stopped
        words, wrong = picture.words, bool(picture.trouble)
        if stopped is not None and picture.frame.t == self.player.timeline.last:
            words = at_the_end(stopped, words)
            wrong = wrong or stopped.failed
        meaning = self.opened.algorithm.phases.get(phase, "")
        if stopped is not None and stopped.failed and picture.frame.t == self.player.timeline.last:
            mine = self.opened.spec and not isinstance(self.opened.algorithm, LoggedRun)
            meaning = "the steps up to this one stay" + ("; ctrl+r loads the edited file again" if mine else "")
        troubles = self.player.timeline.troubles
        if troubles:
            meaning = clean(f"{troubles[0].what} could not be measured at step {troubles[0].t}: {troubles[0].error}")
        self.query_one(Narration).show(phase, meaning, words, wrong, self._notice)

    def _plane_note(self, picture: Picture) -> tuple[str, ...]:
        parts: list[str] = []
        if picture.stage.space == "data" and len(self.viewer.planes) > 1:
            at = next((i for i, p in enumerate(self.viewer.planes) if p is self.viewer.plane), None)
            which = f"plane {at + 1} of {len(self.viewer.planes)}" if at is not None else "plane of your own"
            parts.append(f"v: {which}")
        if self.viewer.zoomed(picture.stage.title):
            parts.insert(0, "zoomed, w: whole")
        return tuple(parts)

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        """What the bottom line shows."""
        recorded, resumes = isinstance(self.opened.algorithm, LoggedRun), self.branch.timeline.resumes
        vain = CHANGES if recorded else FORKS if not resumes else ()
        return tuple(key for key in keys_for(len(self.branches.all) > 1) if key[2] not in vain)

    def _show_progress(self) -> None:
        player, runs = self.player, self.branches.all
        self._sought = player.goal is not None
        problem = player.timeline.problem_at(player.t)
        several = len(runs) > 1
        self.query_one(Header).show(
            player,
            self.opened.algorithm.title,
            data_words(problem.data),
            self.in_hand.parameter_words(problem.parameters),
            clean(self.branch.name) if several else "",
        )
        track = self.query_one(Track)
        track.styles.height = rows_of(len(runs), self.size.height)
        track.show(player, Forks(runs, self.branch, self.range) if several else None)
        keys = tuple((k, "pause" if a == "play" and player.playing else d, a) for k, d, a in self.key_line())
        self.query_one(Keys).show(keys)

    # The clock

    def _tick(self) -> None:
        now = perf_counter()
        elapsed, self._ticked = now - self._ticked, now
        player = self.player
        if self._busy or self.app.screen is not self:
            return
        if player.slow and (player.wants_work or self._wanted is not None):
            self._work_in_thread(elapsed)
            return
        length = len(player.timeline)
        self._after_work(player.tick(elapsed), len(player.timeline) != length)

    def _work_in_thread(self, elapsed: float) -> None:
        """Let the run go on, and make the picture where the algorithm answers from elsewhere, in a thread."""
        player, viewer, wanted, self._wanted = self.player, self.viewer, self._wanted, None
        room, apart = self.query_one(Stage).room, self.opened.algorithm.apart
        self._busy = True

        def work() -> Worked:
            length, stepped = len(player.timeline), player.tick(elapsed, 0.1)
            picture = None
            if apart and (stepped or wanted is not None):
                picture = viewer.picture(player.frame, *room, moving=stepped or bool(wanted))
            return Worked(player, stepped, len(player.timeline) != length, picture, room)

        self.run_worker(work, thread=True, name="run")

    def on_worker_state_changed(self, event: Any) -> None:
        if event.worker.name == "run" and event.worker.is_finished:
            self._busy = False
            done = event.worker.result
            if done is not None and done.player is self.player and self.is_attached:
                self._take(done)
            else:  # another run was opened meanwhile
                self._wanted = None
                self.redraw()
            waiting, self._waiting = self._waiting, []
            for act in waiting:
                act()

    def _take(self, done: Worked) -> None:
        """Show what a thread has done."""
        if done.stepped:
            self._moved = perf_counter()
            self._notice = ""
        if done.picture is not None:
            self._put(done.picture)
            if self.query_one(Stage).room != done.room:  # it was a guess: now it is known
                self.redraw()
        elif self._wanted is not None and not self.opened.algorithm.apart:
            wanted, self._wanted = self._wanted, None
            self.redraw(wanted)
        self._after_work(done.stepped and done.picture is None, done.grew and done.picture is None)

    def _after_work(self, stepped: bool, grew: bool) -> None:
        player = self.player
        notice, player.notice = player.notice, ""
        if stepped:
            self._notice = ""  # of the step before; what has come up on the way to this one is told
        if notice:
            self.tell(notice)
        self._tell_news()
        if stepped:
            self._moved = perf_counter()
            self.redraw(moving=True)
        elif grew:
            self._grew()
        elif player.goal is not None or self._sought:  # also when nothing was found: it is no longer looked for
            self._show_progress()
        elif self.picture is not None and self.picture.coarse and perf_counter() - self._moved > _STILL:
            self.redraw()

    def _grew(self) -> None:
        """The run is longer than it was: its curves are too."""
        if perf_counter() - self._moved > 0.2 or self.player.timeline.stopped:
            self._moved = perf_counter()
            self.redraw()
        else:
            self._show_progress()

    def act(self) -> None:
        """Do at once what was asked, so that a key is answered within a frame."""
        if not self._busy and not self.player.slow:
            self._after_work(self.player.work(0.03), False)
        self._show_progress()

    def pause(self) -> None:
        self.player.play(False)
        self._show_progress()

    def is_recording(self) -> bool:
        """Whether what is shown was recorded; then it is said that nothing in it can be changed."""
        recorded = isinstance(self.opened.algorithm, LoggedRun)
        if recorded:
            self.tell("a recording is what it is: nothing in it can be changed, and it is in its file already")
        return recorded

    def unless_forks(self, start: Callable[[], None]) -> None:
        """Start another run in place of all there are: at once, or when there are forks, once they may go."""
        if len(self.branches.all) > 1:
            self.unless_unsaved(start)
        else:
            start()

    def unless_unsaved(self, leave: Callable[[], object]) -> None:
        """Leave this run, once what is not saved has been asked about; of the part that saves."""
        raise NotImplementedError

    def when_free(self, act: Callable[[], None]) -> None:
        """Do what needs the runs for itself: now, or when the step that is being made in a thread is done."""
        if self._busy:
            self._waiting.append(act)
            if self.player.timeline.seconds_a_step > _LONG:
                self.tell("as soon as this step is done")
        else:
            act()

    def _tell_news(self) -> None:
        """What has come to light of how the algorithm behaves."""
        notices = self.opened.algorithm.notices
        if len(notices) > self._told:
            self._told = len(notices)
            self.tell(clean(notices[-1]))

    def tell(self, text: str) -> None:
        self._notice = text
        if self.picture is not None:
            self._show_words(self.picture)
