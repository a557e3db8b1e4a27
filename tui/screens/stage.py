"""The stage screen: a run, watched."""

from time import perf_counter
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.timer import Timer

from algorithms import Refused, Timeline
from tui.opened import Opened
from tui.player import Player
from tui.screens.asking import Asked
from tui.screens.choose_data import ChooseData
from tui.screens.choose_plane import ChoosePlane
from tui.screens.go_to import GoTo
from tui.screens.help import Help
from tui.screens.parameters import EditParameters
from tui.screens.stage_keys import BINDINGS, KEYS
from tui.terminal.clean import clean
from tui.viewer import Picture, Viewer
from tui.widgets.header import Header
from tui.widgets.keys import Keys
from tui.widgets.narration import Narration
from tui.widgets.side import Side
from tui.widgets.source import Source
from tui.widgets.stage import Stage
from tui.widgets.too_small import LEAST, TooSmall
from tui.widgets.track import Track

FRAMES = 30  # pictures a second, at most
_STILL = 0.25  # seconds without a step after which a coarse picture is made fine


class StageScreen(Screen[None]):
    """Shows one run and lets it be played, stepped, rewound and changed."""

    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    def __init__(self, opened: Opened, at: int = 0):
        super().__init__()
        self._source_rows: int | None = None
        self._busy = False
        self._clock: Timer | None = None
        self._picture: Picture | None = None
        self._begin(opened, at)

    def _begin(self, opened: Opened, at: int = 0, speed: int = 2) -> None:
        """A run from its start."""
        self.player = Player(Timeline(opened.algorithm, opened.data, opened.parameters), speed)
        self.opened = opened
        self._told = 0
        self.viewer = Viewer(self.player.timeline)
        self._notice = "; ".join(opened.data.notices)
        if at:
            self.player.seek(at)
            self.player.work(0.5)

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
        self.call_after_refresh(self._show)

    def _rows_of_source(self, height: int) -> int:
        if self._source_rows is not None:
            return self._source_rows
        return 7 if height >= 44 else 5 if height >= 36 else 4 if height >= 29 else 0

    def _show(self, moving: bool = False) -> None:
        """Make the picture of the frame in hand and hand it to the widgets."""
        if self._busy or not self.is_attached:
            return
        opened, player = self.opened, self.player
        stage = self.query_one(Stage)
        picture = self.viewer.picture(player.frame, *stage.room, moving=moving)
        if stage.plot is None:  # the room was a guess: now it is known
            stage.show(picture, (), opened.data)
            picture = self.viewer.picture(player.frame, *stage.room, moving=moving)
        self._picture = picture
        stage.show(picture, self._plane_note(picture), opened.data)
        self.query_one(Side).show(picture, player.range, opened.data)
        self._show_words(picture)
        file, first, lines = opened.algorithm.source
        self.query_one(Source).show(first, lines, player.frame.line)
        self._show_progress()

    def _show_words(self, picture: Picture) -> None:
        phase = picture.frame.state.phase
        stopped = picture.stopped
        words, wrong = picture.words, bool(picture.trouble)
        if stopped is not None and picture.frame.t == self.player.timeline.last:
            reason = clean(stopped.reason)  # first, so that it is not what is cut
            words = f"Failed in line {stopped.line}: {reason}" if stopped.failed else f"The end: {reason}. {words}"
            wrong = wrong or stopped.failed
        meaning = self.opened.algorithm.phases.get(phase, "")
        troubles = self.player.timeline.troubles
        if self._notice:
            meaning = self._notice
        elif troubles:
            meaning = clean(f"{troubles[0].what} could not be measured at step {troubles[0].t}: {troubles[0].error}")
        self.query_one(Narration).show(phase, meaning, words, wrong)

    def _plane_note(self, picture: Picture) -> tuple[str, ...]:
        parts: list[str] = []
        if picture.stage.space == "data" and len(self.viewer.planes) > 1:
            at = next((i for i, p in enumerate(self.viewer.planes) if p is self.viewer.plane), None)
            which = f"plane {at + 1} of {len(self.viewer.planes)}" if at is not None else "plane of your own"
            parts.append(f"v: {which}")
        if self.viewer.zoomed(picture.stage.title):
            parts.insert(0, "zoomed, w: whole")
        return tuple(parts)

    def _show_progress(self) -> None:
        opened, player = self.opened, self.player
        self.query_one(Header).show(player, opened.algorithm.title, opened.data_words, opened.parameter_words)
        self.query_one(Track).show(player)
        keys = tuple((k, "pause" if a == "play" and player.playing else d, a) for k, d, a in KEYS)
        self.query_one(Keys).show(keys)

    # The clock

    def _tick(self) -> None:
        now = perf_counter()
        elapsed, self._ticked = now - self._ticked, now
        player = self.player
        if self._busy or self.app.screen is not self:
            return
        if player.slow and player.wants_work:
            self._busy = True
            self.run_worker(lambda: player.tick(elapsed, 0.1), thread=True, name="run", exit_on_error=False)
            return
        length = len(player.timeline)
        self._after_work(player.tick(elapsed), len(player.timeline) != length)

    def on_worker_state_changed(self, event: Any) -> None:
        if event.worker.name == "run" and event.worker.is_finished:
            self._busy = False
            self._after_work(bool(event.worker.result), True)

    def _after_work(self, stepped: bool, grew: bool) -> None:
        player = self.player
        if player.notice:
            self._tell(player.notice)
            player.notice = ""
        self._tell_news()
        if stepped:
            self._moved = perf_counter()
            self._notice = ""
            self._show(moving=True)
        elif grew:
            self._grew()
        elif player.goal is not None:
            self._show_progress()
        elif self._picture is not None and self._picture.coarse and perf_counter() - self._moved > _STILL:
            self._show()

    def _grew(self) -> None:
        """The run is longer than it was: its curves are too."""
        if perf_counter() - self._moved > 0.2 or self.player.timeline.stopped:
            self._moved = perf_counter()
            self._show()
        else:
            self._show_progress()

    def _now(self) -> None:
        """Do at once what was asked, so that a key is answered within a frame."""
        if not self._busy and not self.player.slow:
            self._after_work(self.player.work(0.03), False)
        self._show_progress()

    def _tell_news(self) -> None:
        """What has come to light of how the algorithm behaves."""
        notices = self.opened.algorithm.notices
        if len(notices) > self._told:
            self._told = len(notices)
            self._tell(clean(notices[-1]))

    def _tell(self, text: str) -> None:
        self._notice = text
        if self._picture is not None:
            self._show_words(self._picture)

    # What the keys do

    def action_play(self) -> None:
        self.player.play()
        self._ticked = perf_counter()
        self._now()

    def action_step(self, by: int) -> None:
        self.player.step(by)
        self._now()

    def action_iteration(self, forward: bool) -> None:
        self.player.iteration(forward)
        self._now()

    def action_event(self, forward: bool) -> None:
        if not self.opened.algorithm.events:
            self._tell("this algorithm names no events; ⇧→ goes to the next iteration")
            return
        self.player.event(forward)
        self._now()

    def action_seek(self, t: int) -> None:
        self.player.playing = False
        self.player.seek(t)
        self._now()

    def action_last(self) -> None:
        self.action_seek(self.player.timeline.last)

    def action_to_end(self) -> None:
        self.player.to_end()
        self._now()

    def action_speed(self, by: int) -> None:
        self.player.faster(by)
        self._show_progress()

    def action_cancel(self) -> None:
        if self.player.cancel():
            self._show()

    def action_swap(self) -> None:
        if self._picture is not None:
            drawn = 1 + sum(1 for _, shown in self._picture.beside if hasattr(shown, "marks"))
            self.viewer.next_stage(drawn)
            self._show()

    def action_table(self) -> None:
        self.query_one(Side).next_panel()

    def action_chart(self) -> None:
        self.query_one(Side).next_chart()

    def action_section(self, section: int) -> None:
        self.query_one(Side).choose(section)

    def action_source(self) -> None:
        """Between the rows that fit, half the screen, and none."""
        usual = self._rows_of_source(self.size.height) if self._source_rows is None else None
        half = self.size.height // 2 - 2
        order = [half, 0, None] if usual else [min(6, half), half, None]
        at = order.index(self._source_rows) if self._source_rows in order else len(order) - 1
        self._source_rows = order[(at + 1) % len(order)]
        self.on_resize()

    def action_zoom(self, factor: float) -> None:
        self._look(lambda limits: limits.zoomed(factor))

    def action_pan(self, across: float, up: float) -> None:
        self._look(lambda limits: limits.moved(across, up))

    def _look(self, change: Any) -> None:
        plot = self.query_one(Stage).plot
        if plot is not None and self._picture is not None:
            self.viewer.choose_limits(self._picture.stage.title, change(plot.limits))
            self._show()

    def action_fit(self) -> None:
        if self._picture is not None:
            self.viewer.choose_limits(self._picture.stage.title, None)
            self._show()

    # The mouse

    def on_stage_zoomed(self, message: Stage.Zoomed) -> None:
        self.viewer.choose_limits(message.title, message.limits)
        self._show(moving=True)
        self._moved = perf_counter()

    def on_track_sought(self, message: Track.Sought) -> None:
        self.action_seek(message.t)

    def on_side_sought(self, message: Side.Sought) -> None:
        self.action_seek(message.t)

    # What is asked on a screen of its own

    def action_go_to(self) -> None:
        self.app.push_screen(GoTo(self.player.t, self.player.timeline.last), self._go)

    def _go(self, t: int | None) -> None:
        if t is not None:
            self.action_seek(t)

    def action_plane(self) -> None:
        if self.opened.data.d < 2:
            self._tell("there is one feature: no plane to choose")
            return
        chooser = ChoosePlane(self.opened.data, self.viewer.planes, self.viewer.plane)
        self.app.push_screen(chooser, self._use_plane)

    def _use_plane(self, plane: Any) -> None:
        if plane is not None:
            self.viewer.choose_plane(plane)
            self._show()

    def action_parameters(self) -> None:
        self._pause()
        self.app.push_screen(EditParameters(self.opened), self._start_over)

    def action_data(self) -> None:
        self._pause()
        self.app.push_screen(ChooseData(self.opened), self._start_over)

    def _pause(self) -> None:
        self.player.play(False)
        self._show_progress()

    def _start_over(self, opened: Asked) -> None:
        if opened is None:
            return
        try:
            self._begin(opened, speed=self.player.pace)
        except Refused as refusal:
            self._tell(clean(refusal))
            return
        self.query_one(Side).start_over()
        self._show()

    def action_reload(self) -> None:
        """Load a reader's own file again, and go back to the same step of the new run."""
        if not self.opened.spec:
            self._tell("ctrl+r loads a file of your own again; this one is of the catalogue")
            return
        self.player.play(False)
        self._tell("loading it again")
        self.run_worker(self._load_again, thread=True, name="load", exit_on_error=False)

    def _load_again(self) -> None:
        """In a thread: a file can take long to be imported."""
        try:
            opened = self.opened.again()
        except Refused as refusal:
            self.app.call_from_thread(self._tell, clean(f"not loaded, the run stays: {refusal}"))
            return
        self.app.call_from_thread(self._loaded_again, opened)

    def _loaded_again(self, opened: Opened) -> None:
        at, had = self.player.t, self.player.playing
        try:
            self._begin(opened, at, self.player.pace)
        except Refused as refusal:
            self._tell(clean(refusal))
            return
        self.player.play(had)
        self.query_one(Side).start_over()
        self._show()
        self._tell("loaded again")

    def action_algorithms(self) -> None:
        self._pause()
        self.app.browse(self.opened.algorithm)  # type: ignore[attr-defined]

    def action_help(self) -> None:
        self.app.push_screen(Help(self.BINDINGS))
