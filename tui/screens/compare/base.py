"""What every part of the compare screen has: the runs, their pictures, and the clock."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import Container, Grid
from textual.worker import Worker

from algorithms.core import Array
from algorithms.playback.comparison.alignment import Axis
from algorithms.playback.comparison.compare_player import ComparePlayer
from algorithms.playback.comparison.compared_run import LETTERS, ComparedRun, common, kindred, viewers
from algorithms.playback.comparison.earlier import Earlier, Spoken
from algorithms.playback.comparison.matching import Matching, matching
from algorithms.playback.comparison.objectives import Objectives
from algorithms.playback.comparison.toning import retoned
from algorithms.playback.cursor.player import Player
from algorithms.playback.pictures.viewer import CurveNow, Picture, Viewer
from algorithms.playback.runs.run_session import RunSession
from tui.screens.compare.keys import KEYS
from tui.screens.compare.layout import Layout, View, layout
from tui.screens.compare.telling import Names, course, end, other_data, status, story, whereabouts
from tui.screens.run_screen import FINISHED, RunScreen, Worked
from tui.sections.comparison.numbers import charted
from tui.widgets.chart_and_numbers import ChartAndNumbers, Standing
from tui.widgets.keys import Keys
from tui.widgets.pane import Heading, Pane
from tui.widgets.stories import Stories, Story
from tui.widgets.tabs import Tabs
from tui.widgets.too_small import TooSmall
from tui.widgets.top_line import TopLine
from tui.widgets.tracks import Course, Tracks

VIEWS: tuple[View, ...] = ("stages", "chart", "numbers")
_READ = 0.08  # seconds between two chart and numbers while the runs play
_WORK = 0.012  # seconds of a tick that runs are worked on


class Shown(Struct, frozen=True, eq=False):
    """A picture of a run, and what theorems that are silent in it said last."""

    run: int
    picture: Picture
    spoken: tuple[Spoken | None, ...]


class CompareBase(RunScreen):
    """Shows several runs. What keys do stands in the subclasses, one a concern, each with its bindings.

    Attributes:
        compared: the runs.
        together: their clock and cursor.
        viewers: how each is looked at.
        pictures: what is shown of each; None before the first.
        matching: their clusters, and the tones these wear.
        spoken: what theorems that are silent at the step said last, by run.
        current: which of them keys are for that are for one.
        view: what is shown alone, or "all" that fits.
        part: which of chart and numbers is shown where there is room for one.
    """

    def __init__(self, session: RunSession, compared: Sequence[ComparedRun]):
        super().__init__(session)
        runs = [run.timeline for run in compared]
        self.compared = tuple(compared)
        self.together = session.compare(compared)
        self.viewers: list[Viewer] = viewers(runs)
        self.pictures: list[Picture | None] = [None] * len(runs)
        self.matching: Matching = matching(runs, [None] * len(runs))
        self.spoken: list[tuple[Spoken | None, ...]] = [()] * len(runs)
        self.current = 0
        self._chosen = ""  # the theorem that was, by its statement
        self.view: View = "all"
        self.part = "chart"
        self._plain: list[Picture | None] = [None] * len(runs)  # pictures in the tones of their own numbers
        self._answered: dict[int, Shown] = {}  # pictures that were made in a thread
        self._earlier = [Earlier(run) for run in runs]
        self.name_runs()
        self._wanted = [False] * len(runs)  # a picture that is to be made in a thread
        self._courses: list[Course | None] = [None] * len(runs)
        self._turn, self._abreast_at = 0, 0.0
        self._owed = False  # whether chart and numbers are of an earlier step than the stages
        self._pursued = False  # whether it is said that something is looked for

    def name_runs(self) -> None:
        """Name what they share, and what tells them apart."""
        self._common, self._names = common(self.compared), Names.of(self.compared)
        self._data = other_data([run.timeline for run in self.compared])

    def kept(self) -> dict[str, Any]:
        """Describe what is seen, in plain values."""
        return {"view": self.view, "part": self.part}

    # What is on the screen

    @property
    def space(self) -> tuple[int, int]:
        """Get the columns and rows that the comparison has: the screen, where nothing stands beside it."""
        return self.size.width, self.size.height

    @property
    def cursor(self) -> ComparePlayer:
        return self.together

    @property
    def player_in_hand(self) -> Player:
        return self.together.followers[self.current].player

    def compose(self) -> ComposeResult:
        yield TopLine(id="top")
        yield Tabs(VIEWS, id="tabs")
        with Container(id="middle"):
            with Grid(id="stages"):
                for i, run in enumerate(self.compared):
                    yield Pane(i, run.timeline.data)
            yield ChartAndNumbers(id="abreast")
        yield Stories(id="stories")
        yield Tracks(id="tracks")
        yield Keys(KEYS, id="keys")
        yield TooSmall(id="too_small")

    def on_mount(self) -> None:
        self.session.audience = self

    def on_resize(self) -> None:
        self.share_out()

    @property
    def layout_now(self) -> Layout:
        width, height = self.space
        return layout(width, height, len(self.compared), self.view, self.part)

    def share_out(self) -> None:
        """Share the screen out anew; when it comes to be shown it is."""
        if not self.is_live:
            return
        small = self.measure()
        now, runs = self.layout_now, len(self.compared)
        stages, abreast = self.query_one("#stages", Grid), self.query_one(ChartAndNumbers)
        stages.styles.grid_size_columns = now.columns
        stages.styles.grid_size_rows = -(-runs // now.columns)
        stages.display = not small and (now.lower is not None or now.beside > 0)
        abreast.display = not small and now.lower != 0
        self.query_one("#middle").styles.layout = "horizontal" if now.beside else "vertical"
        abreast.styles.height = "1fr" if now.lower is None else now.lower
        abreast.styles.width = now.beside or "1fr"
        self.query_one(Tabs).display = not small and now.tabs
        self.query_one(Tabs).choose(VIEWS.index(self.view) if self.view in VIEWS else 0)
        if now.parts:
            abreast.choose(now.parts, self._part_note(now), stacked=now.beside > 0)
        self.query_one(Stories).styles.height = now.stories
        self.query_one(Tracks).styles.height = runs + 1
        self.call_after_refresh(self.redraw)

    def _part_note(self, now: Layout) -> str:
        if now.tabs:
            return ""
        if self.view in ("chart", "numbers"):
            return f"{VIEWS.index(self.view) + 1}: all"
        return "" if len(now.parts) == 2 else f"t: {'numbers' if self.part == 'chart' else 'chart'}"

    def redraw(self, moving: bool = False, only: Sequence[int] | None = None) -> None:
        """Make the pictures of the current frames, or of some of them, and show them."""
        if not self.is_live:
            return
        seen = self.query_one("#stages").display
        self._make(range(len(self.compared)) if only is None else only, moving, seen)
        if only is None and seen and self._refit():
            self._make(range(len(self.compared)), moving, seen)
        self.show_where()

    def _make(self, runs: Sequence[int], moving: bool, seen: bool) -> None:
        """Make the pictures of runs that no thread is at work on, and show them."""
        made, rooms = [], {}
        for i in (i for i in runs if not self.together.busy(self.together.followers[i])):
            if self.compared[i].timeline.algorithm.apart:
                self._wanted[i] = True
            else:
                rooms[i] = self._room(i)
                made.append(self._made(i, rooms[i], moving))
        self._put(made, seen)
        if seen:  # a room that was a guess is known now
            self._put([self._made(i, self._room(i), moving) for i in rooms if self._room(i) != rooms[i]], seen)

    def _made(self, i: int, room: tuple[int, int], moving: bool) -> Shown:
        """Picture a run; in a thread, if it has one."""
        frame = self.together.followers[i].player.frame
        picture = self.viewers[i].picture(frame, *room, moving=moving, stage_only=True)
        return Shown(i, picture, self._earlier[i].of(picture))

    def _room(self, i: int) -> tuple[int, int]:
        """Measure columns and rows of a run's plot; hardly any where it is not seen."""
        pane = self.query_one(f"#pane-{i}", Pane)
        return pane.stage.room if self.query_one("#stages").display else (2, 2)

    def _put(self, made: Sequence[Shown], seen: bool) -> None:
        """Show pictures that were made, and again those whose clusters wear other tones beside them."""
        if not made:
            return
        for shown in made:
            self._plain[shown.run], self.spoken[shown.run] = shown.picture, shown.spoken
        runs, frames = [run.timeline for run in self.compared], [None if p is None else p.frame for p in self._plain]
        before, self.matching = self.matching, matching(runs, frames)
        fresh = {shown.run for shown in made}
        for i, picture in enumerate(self._plain):
            if picture is not None and (i in fresh or before.tones[i] != self.matching.tones[i]):
                self._show(i, picture, seen)

    def _show(self, i: int, picture: Picture, seen: bool) -> None:
        clusters, tones = self.matching.clusters[i], self.matching.tones[i]
        if clusters is not None and tones is not None:
            picture = replace(picture, stage=retoned(picture.stage, clusters, tones))
        self.pictures[i] = picture
        if seen:
            data = self.compared[i].timeline.problem_at(picture.frame.t).data
            self.query_one(f"#pane-{i}", Pane).show(picture, self._notes(i), data)

    def _refit(self) -> bool:
        """Tell whether what panels share, their limits, was changed by a later picture."""
        return any(
            a is not None and b is not None and a.limits[a.stage.title] != b.limits[b.stage.title]
            for i, a in enumerate(self.pictures)
            for j, b in enumerate(self.pictures)
            if i < j and self.alike(i, j)
        )

    def alike(self, i: int, j: int) -> bool:
        """Tell whether what two runs have on their stages has the same axes."""
        a, b = self.pictures[i], self.pictures[j]
        if a is None or b is None or a.stage.space != b.stage.space:
            return False
        first, second = self.compared[i].timeline, self.compared[j].timeline
        if not kindred(first.data, second.data):
            return False
        return a.stage.space == "data" or (first.algorithm is second.algorithm and a.stage.title == b.stage.title)

    def _notes(self, i: int) -> tuple[str, ...]:
        """Write what stands in the corner of a stage."""
        picture = self.pictures[i]
        zoomed = picture is not None and self.viewers[i].zoomed(picture.stage.title)
        first = next((LETTERS[j] for j, tones in enumerate(self.matching.tones) if tones is not None), "")
        notes = (
            "zoomed, w: whole" if zoomed else "",
            end(self.compared[i].timeline, picture) if len(self.compared) > 2 else "",
            f"colours as in {first}" if self.matching.changed(i) else "",
        )
        return tuple(filter(None, notes))

    def show_where(self) -> None:
        """Show what changes with the cursor besides the stages."""
        if not self.is_live:
            return
        together, self._pursued = self.together, self._pursues
        last, here = together.range, together.place[0]
        unit, name = together.alignment.unit(last)
        axis = Axis(last, here, unit, name)
        for i, follower in enumerate(together.followers):
            if not together.busy(follower):  # else it is left as it was when last known
                self._courses[i] = course(together, follower)
        courses = tuple(course for course in self._courses if course is not None)
        if len(courses) == len(self.compared):
            self.query_one(Tracks).show(courses, axis)
        now = self.layout_now
        names = self._names.fitting((self.space[0] - now.beside) // now.columns)
        pictures = [picture for picture in self.pictures if picture is not None]
        shown = [("", "", "")] * len(self.compared)
        if len(pictures) == len(self.compared):
            objectives = self._objectives(pictures)
            shown = charted(pictures, self.query_one(ChartAndNumbers).page(pictures, objectives[0]), objectives[1])
        for i, follower in enumerate(together.followers):
            holds = together.holds(follower)
            heading = Heading(i, names[i], whereabouts(follower, holds), i == self.current, holds, shown[i])
            self.query_one(f"#pane-{i}", Pane).show_heading(heading)
        if len(pictures) == len(self.compared):
            self.query_one(Stories).show(self._stories(), self.session.notice)
            self._show_abreast(pictures, axis)
        self.query_one(TopLine).show(*self._common, status(together, not self.on_page), together.playing)
        self.query_one(Keys).show(self.key_line())

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        """List what the bottom line shows."""
        now = self.layout_now
        part = "next view" if now.tabs else "numbers" if self.part == "chart" else "chart"
        words = {"play": "pause" if self.together.playing else "play", "part": part}
        vain = {"part"} if len(now.parts) >= 2 else set()
        vain |= set() if any(run.timeline.algorithm.events for run in self.compared) else {"event(True)"}
        return tuple((k, words.get(a, d), a) for k, d, a in KEYS if a not in vain)

    def in_hall(self, key: str) -> bool:
        """Do what a key is for while the screen is laid out for a hall; False where it is for what it always is."""
        return False

    def _show_abreast(self, pictures: list[Picture], axis: Axis) -> None:
        """Show chart and numbers; while they play, no more often than they can be read."""
        abreast, now = self.query_one(ChartAndNumbers), perf_counter()
        self._owed = self.together.playing and now - self._abreast_at < _READ
        if abreast.display and not self._owed:
            self._abreast_at = now
            abreast.show(pictures, axis, self._along, self.spoken, self.matching, self._standing(pictures))

    def _objectives(self, pictures: Sequence[Picture]) -> tuple[Objectives, Objectives]:
        """Tell what the runs' objectives depend on as they go on, and at the steps that are shown."""
        runs = [run.timeline for run in self.compared]
        steps = (run.problem_at(picture.frame.t) for run, picture in zip(runs, pictures))
        kinds = [run.algorithm for run in runs]
        return Objectives((run.algorithm, run.problem) for run in runs), Objectives(zip(kinds, steps))

    def _standing(self, pictures: Sequence[Picture]) -> Standing:
        followers = self.together.followers
        held = frozenset(i for i, follower in enumerate(followers) if self.together.holds(follower))
        ends = tuple(follower.run.last if follower.run.stopped else None for follower in followers)
        first = self.together.first_differences.get(self.current)
        own_axes = any(not self.alike(0, i) for i in range(1, len(followers)))
        return Standing(held, ends, self.current, first, self._data, own_axes, *self._objectives(pictures))

    def _along(self, i: int, curve: CurveNow) -> tuple[Array, Array]:
        return self.together.alignment.series(self.compared[i].timeline, curve.t, curve.values)

    def _stories(self) -> tuple[Story, ...]:
        followers = self.together.followers
        stories = [story(i, followers[i], picture) for i, picture in enumerate(self.pictures) if picture is not None]
        return tuple(stories) if self.layout_now.stories > 1 else (stories[self.current],)

    def theorem_in_hand(self) -> int:
        """Tell which theorem of the run in hand is opened: that which was chosen, where the run states it."""
        stated = [theorem.statement for theorem in self.compared[self.current].timeline.algorithm.theorems]
        return stated.index(self._chosen) if self._chosen in stated else 0

    def choose_theorem(self, index: int) -> None:
        """Keep in hand a theorem of the run in hand that was chosen on its page."""
        self._chosen = self.compared[self.current].timeline.algorithm.theorems[index].statement

    # The clock

    def go_on(self, elapsed: float) -> None:
        """Let all runs go on, those in threads whose steps take long."""
        if not self.is_live:
            return
        lengths = [(len(follower.run), follower.run.looked) for follower in self.together.followers]
        shown = self.together.tick(elapsed, _WORK)
        grew = lengths != [(len(follower.run), follower.run.looked) for follower in self.together.followers]
        self._work_apart()
        self._after_work(shown, grew)

    def _work_apart(self) -> None:
        """Give every run whose steps take long a thread of its own; kin take turns."""
        count = len(self.together.followers)
        if self.together.seeks and any(follower.busy for follower in self.together.followers):
            return  # in rounds, so that between them what was found can be looked at
        for i in [(self._turn + k) % count for k in range(count)]:
            follower = self.together.followers[i]
            wants = self.together.wants_work(follower) or (self._wanted[i] and not self.together.busy(follower))
            if follower.player.slow and wants:
                follower.busy, self._turn = True, i + 1
                self.run_worker(self._work_of(i), thread=True, name=f"run {i}")

    def _work_of(self, i: int) -> Callable[[], Worked]:
        """Let a run go on, and make its picture where the algorithm answers from elsewhere; for a thread."""
        together, room, wanted = self.together, self._room(i), self._wanted[i]
        self._wanted[i] = False

        def work() -> Worked:
            player, picture = together.followers[i].player, None
            length, stepped = player.timeline.looked, together.work_on(i, 0.1)
            if player.timeline.algorithm.apart and (stepped or wanted):
                self._answered[i] = self._made(i, room, stepped)
                picture = self._answered[i].picture
            return Worked(player, stepped, player.timeline.looked != length, picture, room)

        return work

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if not (event.worker.name.startswith("run ") and event.state in FINISHED):
            return
        i, done = int(event.worker.name.removeprefix("run ")), event.worker.result
        follower = self.together.followers[i]
        follower.busy = False
        if done is None or not self.is_live or done.player is not follower.player:  # another run stands there
            self._answered.pop(i, None)
            return
        if done.picture is not None:
            self._moved = perf_counter()
            self._put([self._answered.pop(i)], bool(self.query_one("#stages").display))
            self._wanted[i] = self._room(i) != done.room  # it was a guess: now it is known
            self.show_where()
        self._after_work([i] if done.stepped and done.picture is None else [], done.picture is None)

    def _after_work(self, shown: list[int], grew: bool) -> None:
        self.session.tell_news()
        now = perf_counter()
        if shown:
            self._moved = now
            if self.together.playing:
                self.session.forget_notice()
            self.redraw(moving=True, only=shown)
        elif grew and now - self._moved > 0.3:
            self._moved = now
            self.redraw()
        elif self._owed or self.query_one(ChartAndNumbers).stale or self._pursues or self._pursued:
            self.show_where()
        elif self.stands_still() and any(p is not None and p.coarse for p in self.pictures):
            self.redraw()

    @property
    def _pursues(self) -> bool:
        return bool(self.together.seeks) or any(follower.aim for follower in self.together.followers)

    def act(self) -> None:
        """Do at once what was asked, so that a key is answered within a frame; what was told before is over."""
        self.session.forget_notice()
        shown = self.together.work(0.03)
        if shown:
            self._after_work(shown, False)
        else:
            self.session.tell_news()
            self.show_where()

    def show_notice(self) -> None:
        """Show the notice of the session, which is another one."""
        self.show_where()
