"""What every part of the stage screen has: the session, the picture of its current step, and the clock."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.worker import Worker

from algorithms.core import Ask, Dataset
from algorithms.core.text import clean
from algorithms.playback.cursor.player import Player
from algorithms.playback.pictures.viewer import Picture, Viewer, at_the_end
from algorithms.playback.runs.data_words import data_words
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession
from tui.screens.run_screen import FINISHED, RunScreen, Worked
from tui.screens.stage.keys import CHANGES, EVENT, FOLLOW, FORKS, KEYS, keys_for
from tui.sections.column.layout import STACKED
from tui.sections.panels.forks import Forks, rows_of
from tui.sections.theorems.rows import in_hand
from tui.settings import Remembered
from tui.starting import prepare_steps, settled
from tui.widgets.column import Column
from tui.widgets.header import Header
from tui.widgets.keys import Keys
from tui.widgets.narration import Narration
from tui.widgets.source import Source
from tui.widgets.stage import Stage
from tui.widgets.too_small import TooSmall
from tui.widgets.track import Track

_PAUSE = 0.25  # seconds from the first picture to what is prepared for the keys after it
_WORK = 0.012  # seconds of measuring what waited, at once
_STAGE_AND_WORDS = 18  # rows of all but the source at least, ten of them of the stage
_REFITS = 3  # of a picture to the room that it left the plot, in a row


class StageBase(RunScreen):
    """A run on the screen, and those forked from it. The keys stand in the subclasses, one a concern.

    Attributes:
        picture: what is shown, None before the first.
        prepares: what the parts have to say of a picture before it is shown, one after the other.
        follows: what they do once it is, with the one before it.
    """

    def __init__(self, loaded: LoadedRun, at: int = 0, player: Player | None = None, whole: bool = True):
        super().__init__(RunSession(loaded, at, player, whole=whole))
        self.session.audience = self
        self.remembered = Remembered()  # of lessons and sessions nothing
        self._source_rows: int | None = None
        self._view: dict[str, Any] | None = None  # how a session was looked at, until there are widgets to be told
        self._searched = False  # whether the header says that something is searched for
        self._awaiting: list[Callable[[], None]] = []  # what is done when the step that was asked for has come
        self._wanted: bool | None = None  # a picture that waits for a thread, and whether things move in it
        self._tried: RunSession | None = None
        self._chosen_theorem: int | None = None
        self.picture: Picture | None = None
        self._made: Picture | None = None  # what is shown, before the parts had their say
        self._made_for = (0, 0)  # the room of the plot
        self.prepares: tuple[Callable[[Picture], Picture], ...] = ()
        self.follows: tuple[Callable[[Picture, Picture | None], None], ...] = ()
        self._redraws = False  # whether that is to come
        self._refits: tuple[object, int] = (None, 0)  # at what size and step, and how often in a row

    @property
    def shown(self) -> RunSession:
        """Get the session whose run is on the screen: that which is tried out, or the one there is."""
        return self._tried or self.session

    @property
    def loaded(self) -> LoadedRun:
        """Get the first run, as it was opened."""
        return self.shown.loaded

    @property
    def player(self) -> Player:
        """Get the clock and cursor of the current run."""
        return self.shown.player

    @property
    def cursor(self) -> Player:
        return self.player

    @property
    def player_in_hand(self) -> Player:
        return self.player

    @property
    def asked(self) -> Ask | None:
        """Get the question that stands: meanwhile no theorem is stated, which may answer it."""
        return None

    @property
    def viewer(self) -> Viewer:
        """Get how the current run is looked at."""
        return self.shown.viewer

    @property
    def data(self) -> Dataset:
        """Get the rows with which the step that is shown was made."""
        return self.shown.data

    # What is on the screen

    def compose(self) -> ComposeResult:
        data = self.loaded.data
        yield Header(id="header")
        with Horizontal(id="body"):
            yield Stage(data, id="stage")
            yield Column(data, id="side")
        yield Narration(id="narration")
        yield Source(id="source")
        yield Track(id="track")
        yield Keys(KEYS, id="keys")
        yield TooSmall(id="too_small")

    def on_unmount(self) -> None:
        """End what goes on beside the screen: each part its own."""

    def on_mount(self) -> None:
        self._fit(*self.app.size)  # before it is laid out for the first time, and not for the second

    def on_resize(self) -> None:
        self.measure()
        self._fit(*self.size)
        self._redraw_soon()

    def _fit(self, width: int, height: int) -> None:
        """Give each part its share of a terminal of that size."""
        self.query_one("#source").styles.height = self._rows_of_source(height)
        self.query_one("#narration").styles.height = _rows_of_words(width, self.query_one(Narration).stating)
        self.query_one("#side").styles.width = min(max(round(width * 0.345), 32), 60)

    def _redraw_soon(self) -> None:
        """Redraw once things are where they belong; once, however often that is asked for until then."""
        if not self._redraws:
            self._redraws = True
            self.call_after_refresh(self.redraw)

    def _rows_of_source(self, height: int) -> int:
        if self._source_rows is not None:
            return min(self._source_rows, most_of_source(height))
        return usual_rows_of_source(height)

    def redraw(self, moving: bool = False) -> None:
        """Make the picture of the current frame and show it; in a thread where that may take long."""
        self._redraws = False
        if not self.is_live:
            return
        if self.shown.access.busy or self.loaded.algorithm.apart:
            self._wanted = moving and self._wanted is not False
            return
        room = self.query_one(Stage).room
        self._show_for(room, self.viewer.picture(self.player.frame, *room, moving=moving))
        if (known := self.query_one(Stage).room) != room:  # it was a guess
            self._show_for(known, self.viewer.picture(self.player.frame, *known, moving=moving))

    def _show_for(self, room: tuple[int, int], picture: Picture) -> None:
        """Show a picture that was made for a plot of so many cells."""
        self._made_for = room
        self.show_picture(picture)

    def on_stage_replotted(self) -> None:
        """Make the picture anew where the plot came to have other room, as in another layout: tints, levels and lines
        lie on a grid of its cells. Labels and legend depend on that room and it on them, hence not for ever."""
        stage = self.query_one(Stage)
        at = (stage.size, self.player.t)
        self._refits = (at, self._refits[1] + 1 if self._refits[0] == at else 0)
        if stage.room != self._made_for and self._refits[1] < _REFITS:
            self.redraw()

    def show_picture(self, picture: Picture) -> None:
        """Hand a picture to the widgets, and then to what follows it."""
        self._made = picture
        for prepare in self.prepares:
            picture = prepare(picture)
        before, data = self.picture, self.data
        if before is None:
            self.call_after_refresh(settled)
            self.set_timer(_PAUSE, prepare_steps)
        self.picture = picture
        if before is None or picture.frame.t != before.frame.t:
            at_first = before is None and picture.frame.t == 0
            self.query_one(Narration).open_with(self.loaded.algorithm.point if at_first else "")
        self.query_one(Stage).show(picture, self._plane_note(picture), data)
        self.query_one(Column).show(picture, self.shown.range, data, self._phase_of, self.player.seen)
        self._state_theorem(picture)
        self._show_words(picture)
        _, first, lines = self.loaded.algorithm.source
        stopped, line = picture.stopped, picture.frame.line
        if stopped is not None and stopped.failed and picture.frame.t == self.player.timeline.last:
            line = stopped.line if first <= stopped.line < first + len(lines) else line  # that which failed
        self.query_one(Source).show(first, lines, line)
        self.show_where()
        for follow in self.follows:
            follow(picture, before)

    def _phase_of(self, t: int) -> str:
        """Say what a step was; "" where the run has not come to it."""
        timeline = self.player.timeline
        return timeline.kind(t).phase if timeline.begin <= t <= timeline.last else ""

    def _rows_beside(self) -> int:
        """Count the rows of the column beside the stage, were no theorem stated below it.

        From the window, and not from what stands there: behind another screen nothing is laid out anew, and what
        followed from where things are would change its mind for ever.
        """
        height = self.size.height
        below = _rows_of_words(self.size.width, False) + self._rows_of_source(height) + self._rows_of_track()
        return height - below - 2  # the header and the keys

    def _rows_of_track(self) -> int:
        """Count the rows of the timeline: those of the session's runs stay while another is tried out."""
        runs = max(len(self.shown.branches.all), len(self.session.branches.all))
        return rows_of(runs, self.size.height)

    def _state_theorem(self, picture: Picture) -> None:
        """Give the theorem in hand a row below the stage where the column beside it has no room for all its parts."""
        narration = self.query_one(Narration)
        aside = not narration.brief and self.asked is None and self._rows_beside() < STACKED
        hand = in_hand(picture.verdicts) if self._chosen_theorem is None else self._chosen_theorem
        theorem = picture.verdicts[hand] if hand < len(picture.verdicts) and aside else None
        if narration.stating != (theorem is not None):
            narration.styles.height = _rows_of_words(self.size.width, theorem is not None)
            self._redraw_soon()
        narration.state(theorem, picture.failed)

    def _show_words(self, picture: Picture) -> None:
        phase = picture.frame.state.phase
        stopped = picture.stopped
        words, wrong = picture.words, bool(picture.trouble)
        if stopped is not None and picture.frame.t == self.player.timeline.last:
            words = at_the_end(stopped, words)
            wrong = wrong or stopped.wrong
        meaning = self.loaded.algorithm.phases.get(phase, "")
        if stopped is not None and stopped.failed and picture.frame.t == self.player.timeline.last:
            mine = self.loaded.spec and not self.loaded.algorithm.recorded
            meaning = "the steps up to this one stay" + ("; ctrl+r loads the edited file again" if mine else "")
        troubles = self.player.timeline.troubles
        if troubles:
            meaning = clean(f"{troubles[0].what} could not be measured at step {troubles[0].t}: {troubles[0].error}")
        self.query_one(Narration).show(phase, meaning, words, wrong, self.notice_for(picture))

    def notice_for(self, picture: Picture) -> str:
        """Choose the notice that is shown with a picture."""
        return self.shown.notice

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
        """List what the bottom line shows."""
        session = self.session
        vain = CHANGES if session.recorded else FORKS if not session.branch.timeline.resumes else ()
        vain = vain if self.loaded.algorithm.events else (*vain, EVENT)
        keys = tuple(key for key in keys_for(len(session.branches.all) > 1) if key[2] not in vain)
        if self.loaded.algorithm.theorems:
            return keys
        return tuple(FOLLOW if key[2] == FOLLOW[2] else key for key in keys)

    def show_where(self) -> None:
        if not self.is_live:
            return
        session, player, runs = self.shown, self.player, self.shown.branches.all
        self._searched = player.goal is not None
        problem = player.timeline.problem_at(player.t)
        several = len(runs) > 1
        self.query_one(Header).show(
            player,
            self.loaded.algorithm.title,
            data_words(problem.data, self.loaded.algorithm) if problem.data else "",
            session.current.parameter_words(problem.parameters),
            clean(session.branch.name) if several else "",
        )
        track = self.query_one(Track)
        track.styles.height = self._rows_of_track()
        track.show(player, Forks(runs, session.branch, session.range, not session.whole) if several else None)
        keys = tuple((k, "pause" if a == "play" and player.playing else d, a) for k, d, a in self.key_line())
        self.query_one(Keys).show(keys)

    # The clock

    def go_on(self, elapsed: float) -> None:
        """Let the current run go on, in a thread where its steps take long."""
        player = self.player
        if self.shown.access.busy:
            return
        if player.slow and (player.wants_work or self._wanted is not None):
            self._work_in_thread(elapsed)
            return
        known = _extent(player)
        self._after_work(player.tick(elapsed), _extent(player) != known)

    def _work_in_thread(self, elapsed: float) -> None:
        """Let the run go on, and make the picture where the algorithm answers from elsewhere, in a thread."""
        player, viewer, wanted, self._wanted = self.player, self.viewer, self._wanted, None
        room, apart = self.query_one(Stage).room, self.loaded.algorithm.apart
        self.shown.access.take()

        def work() -> Worked:
            known, stepped = _extent(player), player.tick(elapsed, 0.1)
            picture = None
            if apart and (stepped or wanted is not None):
                picture = viewer.picture(player.frame, *room, moving=stepped or bool(wanted))
            return Worked(player, stepped, _extent(player) != known, picture, room)

        self.run_worker(work, thread=True, name="run")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.worker.name == "run" and event.state in FINISHED:
            access, done = self.shown.access, event.worker.result
            access.busy = False
            if done is not None and done.player is self.player and self.is_live:
                self._take(done)
            else:  # another run was opened meanwhile
                self._wanted = None
                self.redraw()
            access.free()

    def _take(self, done: Worked) -> None:
        """Show what a thread has done."""
        if done.stepped:
            self._moved = perf_counter()
            self.shown.forget_notice()
        if done.picture is not None:
            self._show_for(done.room, done.picture)
            if self.query_one(Stage).room != done.room:  # it was a guess: now it is known
                self.redraw()
        elif self._wanted is not None and not self.loaded.algorithm.apart:
            wanted, self._wanted = self._wanted, None
            self.redraw(wanted)
        self._after_work(done.stepped and done.picture is None, done.grew and done.picture is None)

    def _after_work(self, stepped: bool, grew: bool) -> None:
        if stepped:
            self.shown.forget_notice()  # of the step before; what has come up on the way to this one is told
        self.shown.tell_news()
        if stepped:
            self._moved = perf_counter()
            self.redraw(moving=True)
        elif grew:
            self._grew()
        elif self.player.goal is not None or self._searched:  # also when nothing was found: the search is over
            self.show_where()
        elif self.picture is not None and self.stands_still():
            self._look_closer(self.picture)
        if self._tried is None and not self.player.arrives:
            awaiting, self._awaiting = self._awaiting, []
            for act in awaiting:
                self.session.when_free(act)

    def _look_closer(self, picture: Picture) -> None:
        """Show a step finely, since there is time; then measure those before it that were passed by."""
        run = self.player.timeline
        if picture.coarse:
            self.redraw()
        elif not run.settled and run.settle(_WORK):
            self._grew()

    def _grew(self) -> None:
        """Show that the run is longer than it was: its curves are too."""
        made, stopped = self._made, self.player.timeline.stopped
        if perf_counter() - self._moved <= 0.2 and not stopped:
            self.show_where()
            return
        self._moved = perf_counter()
        if made is None or stopped or made.coarse or made.frame is not self.player.frame or self.loaded.algorithm.apart:
            self.redraw()
        else:
            self.show_picture(self.viewer.grown(made))

    # What was asked

    def action_section(self, section: int) -> None:
        """Show one section beside the stage alone, or all."""
        self.refuse(self.query_one(Column).choose(section))

    def theorem_in_hand(self) -> int:
        """Tell which theorem is opened when none is named: that which was chosen, or one that speaks."""
        if self._chosen_theorem is not None:
            return self._chosen_theorem
        return in_hand(self.picture.verdicts) if self.picture is not None else 0

    def choose_theorem(self, index: int) -> None:
        """Keep in hand a theorem that was chosen on its page."""
        self._chosen_theorem = index

    def action_chart(self) -> None:
        """Show the next chart."""
        self.refuse(self.query_one(Column).next_chart())

    def action_along(self) -> None:
        """Put something else along the charts."""
        refused = self.query_one(Column).change_along()
        if refused:
            self.refuse(refused)
        else:
            self.redraw()

    def action_log(self) -> None:
        """Make the chart's values logarithmic, or not."""
        self.refuse(self.query_one(Column).switch_log())

    def action_follow(self) -> None:
        """Show the charts from near, following the cursor, or the whole run."""
        self.refuse(self.query_one(Column).follow())

    def act(self) -> None:
        """Do at once what was asked, so that a key is answered within a frame."""
        before = self.picture
        if not self.session.access.busy and not self.player.slow:
            self._after_work(self.player.work(0.03), False)
        if self.picture is before:  # a new one has come with how far it is
            self.show_where()

    def on_key(self, event: events.Key) -> None:
        """Say no more what one will see: something is done."""
        self.query_one(Narration).open_with("")

    def action_cancel(self) -> None:
        """Stop what goes on."""
        if self.player.cancel():
            self.redraw()

    def pause(self) -> None:
        """Stop playing, for a dialog."""
        self.player.play(False)
        self.show_where()

    def when_there(self, act: Callable[[], None]) -> None:
        """Do what is meant for the step that was asked for: when the run is there, and no thread has it."""
        if self.player.arrives:
            self._awaiting.append(act)
        else:
            self.session.when_free(act)

    def show_notice(self) -> None:
        """Show the notice of the session, which is another one."""
        if self.picture is not None and self.is_live:
            self._show_words(self.picture)

    def when_free(self, act: Callable[[], None]) -> None:
        self.session.when_free(act)

    def put_by(self) -> None:
        """End what is done by hand, before another screen comes."""


def usual_rows_of_source(height: int) -> int:
    """Count the rows of the source on a screen of that height where none were chosen."""
    return 7 if height >= 44 else 5 if height >= 36 else 4 if height >= 29 else 0


def most_of_source(height: int) -> int:
    """Count the rows that the source may have: half of the screen where the stage has room for its plot beside it."""
    return max(min(height // 2 - 2, height - _STAGE_AND_WORDS), 0)


def _rows_of_words(width: int, stating: bool) -> int:
    """Count the rows of the words below the stage, and of the theorem that is stated there."""
    return (2 if width >= 130 else 3) + stating


def _extent(player: Player) -> tuple[int, int, bool]:
    """Measure how far a run has come, and was looked at, and whether it has ended there: all are shown."""
    run = player.timeline
    return len(run), run.looked, run.stopped is not None
