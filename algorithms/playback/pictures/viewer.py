"""Viewer: how a run is looked at (plane, zoom, which panel where), and the picture of one step of it.

A Picture holds all that the widgets show; they are functions of it and keep nothing of their own.
"""

import math
import re
from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple, replace

from algorithms.core import Array, Curve, Dataset, Panel, Points, Scene, Table, Trail, Verdict
from algorithms.core.errors import in_words
from algorithms.core.grids import Grids
from algorithms.core.plane import Plane, features_plane, planes
from algorithms.core.problem import Problem
from algorithms.core.resolve import History, ResolvedPanel, View, placed_limits, resolve
from algorithms.core.text import clean
from algorithms.core.words import Words, point_of
from algorithms.data.null_space import null_space_panel
from algorithms.playback.pictures.changed_table import CHANGED, changed_table
from algorithms.playback.pictures.followed import FollowedValues
from algorithms.playback.pictures.limits import Limits, fitted_limits, limits_around
from algorithms.playback.pictures.rulers import counts_on_lines, panel_on_lines
from algorithms.playback.pictures.tables_before import TablesBefore, table_of
from algorithms.playback.pictures.tones_in_use import TonesInUse, mark_tones
from algorithms.timeline import Frame, Timeline
from algorithms.timeline.live_run import Stopped
from algorithms.timeline.variables import AlongVariable, along_variable

LATER = "it takes long: measured once one stays here"
_MOST_PANELS = 100
_APART = 2  # columns or rows by which stages beside each other differ at most
_SENTENCES = re.compile(r"(?<=\.) ")
_QUICK = 0.008  # seconds that a fine picture may take while things move
_RECENT = 12
_OUT = 1000.0  # times the whole panel: farther out nobody looks


class CurveNow(Struct, frozen=True, eq=False):
    """A curve along the run, and its value at the step that is shown.

    Attributes:
        along: the same along a variable of its own, None where it is drawn along the steps.
        here: what that variable was when the value was measured; NaN before.
        held_from: the step at which the value was measured, where it is not at the one that is shown.
        breaks: the steps at which it begins to measure something else, each with what.
    """

    curve: Curve
    t: Array
    values: Array
    now: float
    along: AlongVariable | None = None
    here: float = math.nan
    held_from: int | None = None
    breaks: tuple[tuple[int, str], ...] = ()


class Picture(Struct, frozen=True, eq=False):
    """One step as it is shown.

    Attributes:
        stage: the panel on the stage.
        beside: the scene's other panels, as resolved ones or tables, and last what changed in the step.
        limits: what each plot shows, by title.
        charts: the curves, by the chart they share.
        failed: theorems that failed at some step, with the first one.
        drawn: how many panels of the scene could be on the stage.
        coarse: whether the regions were asked for on a coarser grid than there is room for.
        trouble: what went wrong while looking, "" if nothing did.
        apart: whether what the scene can be asked is answered from another process, and so may take its time.
        tables_before: what the scene's tables were a step before, by title, as far as that is known.
        tones_in_use: the tones that the stage of this run has, as far as the run has come.
    """

    frame: Frame
    stage: ResolvedPanel
    beside: tuple[tuple[str, ResolvedPanel | Table], ...]
    limits: dict[str, Limits]
    verdicts: tuple[Verdict, ...]
    failed: dict[str, int]
    charts: dict[str, list[CurveNow]]
    words: str
    drawn: int
    coarse: bool
    stopped: Stopped | None
    trouble: str = ""
    apart: bool = False
    tables_before: dict[str, Table] = {}
    tones_in_use: frozenset[int] = frozenset()


class _Shown(Struct, frozen=True, eq=False):
    """A scene, resolved."""

    stage: ResolvedPanel
    beside: tuple[tuple[str, ResolvedPanel | Table], ...]
    limits: dict[str, Limits]
    drawn: int


class Slices:
    """The planes on which data can be looked at, and the current one; viewers of the same data may share them.

    Attributes:
        all, plane: the planes, and the current one.
        unasked: whether nobody has chosen a plane yet.
        shared: whether several viewers have them, so that all must show the same part of the plane.
        equal: whether a panel asks for units that are as long across as up; then all have them that share.
    """

    def __init__(self, data: Dataset):
        self.all: tuple[Plane, ...] = tuple(planes(data))
        self.plane = self.all[0]
        self.unasked, self.shared, self.equal = True, False, False
        self._widened: dict[Limits, tuple[tuple[int, int], Limits]] = {}

    def agreed(self, shown: Limits, columns: int, rows: int, wide: Limits) -> Limits:
        """Choose one of the limits that stages beside each other make of the same: a legend may take a row of one."""
        if not self.shared:
            return wide
        (across, up), first = self._widened.get(shown, ((columns, rows), wide))
        if abs(across - columns) > _APART or abs(up - rows) > _APART:  # the window has another size by now
            across, up, first = columns, rows, wide
        self._widened[shown] = (across, up), first
        return first


class Viewer:
    """What a person chose to look at; makes the picture of any frame.

    Args:
        slices: the planes, when they are another viewer's too.
        rows: the data that have room on the axes, the first with a margin; those of the run if not given.

    Attributes:
        timeline: the run that is looked at.
        slices: the planes.
        followed: the values that a person has chosen to see along the run.
        compares: whether what the algorithm is compared with stands on its first panel, too.
    """

    def __init__(self, timeline: Timeline, slices: Slices | None = None, rows: Sequence[Dataset] = ()):
        self.timeline = timeline
        self.slices = slices or Slices(timeline.data)
        self._rows = list(rows) or [timeline.data]
        self._kept_plane: dict[str, Any] = {}  # the one that was chosen when the session was saved
        self._plane: tuple[Plane, Dataset, Plane] | None = None
        self.on_stage = 0
        self._extents: dict[str, Limits] = {}  # of the rows, by plane and panel
        self._fitted: dict[str, Limits] = {}  # of panels in their own space: all that was in them so far
        self._chosen: dict[str, Limits] = {}  # zoomed or panned
        self._whole_of: dict[str, Limits] = {}  # of each panel, when it was last seen as a whole
        self._slow = False
        self._spoke: dict[str, tuple[bool, ...]] = {}  # which theorems had sides at the last step of each phase
        self._grids = Grids()
        self._tables = TablesBefore()
        self._tones_in_use = TonesInUse()
        self.followed = FollowedValues()
        self.compares = False

    @property
    def planes(self) -> tuple[Plane, ...]:
        return self.slices.all

    @property
    def plane(self) -> Plane:
        plane, data = self.slices.plane, self.timeline.data
        if self._plane is None or self._plane[:2] != (plane, data):  # one object for as long, by which grids are kept
            self._plane = plane, data, plane.on(data)
        return self._plane[2]

    # What to look at

    def likewise(self, timeline: Timeline) -> "Viewer":
        """Make one that looks at another run on the same data in the same way, and is fitted with this one."""
        viewer = Viewer(timeline, self.slices, self._rows)
        viewer.restore(self.kept())
        viewer.fit_with(self)
        return viewer

    def fit_again(self, kept: dict[str, Any]) -> None:
        """Fit panels to what was in them when that was kept."""
        self._fitted.clear()
        self.restore({"fitted": kept.get("fitted")})

    def watch(self, timeline: Timeline, runs: Iterable[Timeline]) -> None:
        """Look at another run of the same algorithm in the same way; the rows of all runs there are have room."""
        self.timeline = timeline
        rows = list(dict.fromkeys(run.data for run in runs))
        if rows != self._rows:
            self._rows = rows
            self._extents.clear()

    def choose_plane(self, plane: Plane) -> None:
        """Look at the data on another plane."""
        self.slices.plane, self.slices.unasked = plane, False
        self._chosen.clear()

    def _suit(self, scene: Scene) -> None:
        """Look at the data on the plane that the scene asks for, as long as nobody chose one."""
        slices, data = self.slices, self.timeline.data
        slices.unasked = False
        wanted = next((p.features for p in scene.panels if p.space == "data" and p.features is not None), None)
        if wanted is not None and data.map is None and data.d > 2:
            slices.plane = features_plane(data, *wanted)
            slices.all = (slices.plane, *(p for p in slices.all if p.title != slices.plane.title))
        if self._kept_plane:
            title, features = self._kept_plane.get("title"), _features(self._kept_plane.get("features"), data.inputs.d)
            slices.plane = next((p for p in slices.all if p.title == title), slices.plane)
            if slices.plane.title != title and features:
                slices.plane = features_plane(data, *features)

    def next_stage(self, panels: int, by: int = 1) -> None:
        """Put another panel of the scene on the stage."""
        self.on_stage = (self.on_stage + by) % max(panels, 1)

    def choose_limits(self, title: str, limits: Limits | None) -> None:
        """Show another part of a panel, all of it when None.

        What is so narrow that its numbers cannot be told apart, or so far out that scores there might overflow, is not.
        """
        whole = self._whole_of.get(title)
        if limits is None:
            self._chosen.pop(title, None)
        elif limits.divisible and (whole is None or limits.joined(whole).within(_OUT, whole)):
            self._chosen[title] = limits

    def fit_with(self, other: "Viewer") -> None:
        """Have panels in their own space fitted to what is in them here and in another's of the same title."""
        self._fitted = other._fitted

    def zoomed(self, title: str) -> bool:
        """Tell whether a part of a panel was chosen."""
        return title in self._chosen

    def kept(self) -> dict[str, Any]:
        """Describe what was chosen, in plain values from which `restore` has it again."""
        plane: dict[str, Any] = {"title": self.plane.title}
        features = np.abs(self.plane.basis).argmax(axis=1) if self.timeline.data else np.zeros(2, np.intp)
        if self.timeline.data and self.plane.title == _title_of(self.timeline.data, features):
            plane["features"] = features.tolist()
        limits = {"zoomed": self._chosen, "fitted": self._fitted}
        sides = {name: {title: list(map(float, astuple(x))) for title, x in of.items()} for name, of in limits.items()}
        chosen = sides | {"followed": list(self.followed.texts), "compares": self.compares}
        return {"plane": plane, "stage": self.on_stage} | {name: held for name, held in chosen.items() if held}

    def restore(self, kept: dict[str, Any]) -> None:
        """Look as it was kept, as far as that can be meant; the rest stays as usual."""
        plane = kept.get("plane")
        self._kept_plane = plane if isinstance(plane, dict) else {}
        stage = kept.get("stage")
        if type(stage) is int and 0 <= stage < _MOST_PANELS:
            self.on_stage = stage
        self.followed.restore(kept.get("followed"))
        self.compares = kept.get("compares") is True
        for name, held in (("zoomed", self._chosen), ("fitted", self._fitted)):
            saved = kept.get(name)
            if isinstance(saved, dict):
                held.update({title: Limits(*sides) for title, sides in saved.items() if _are_limits(sides)})

    # What there is to see

    def picture(self, frame: Frame, columns: int, rows: int, moving: bool = False, stage_only: bool = False) -> Picture:
        """Picture a frame for a stage of so many cells; with `stage_only`, without the panels beside it."""
        run = self.timeline
        problem = run.problem_at(frame.t)
        past = History((), run.recent(frame.t, _RECENT), frame.state)
        waits = moving and run.waits(frame)
        coarse = moving and self._slow
        trouble = ""
        try:
            scene = self._compared(run.algorithm.scene(problem, frame.before, frame.state), problem, frame)
            if self.slices.unasked:
                self._suit(scene)
            if any(isinstance(mark, Trail) for panel in scene.panels for mark in panel.marks):
                past = replace(past, trail=run.trail(frame.t))
            words = run.algorithm.explain(problem, frame.before, frame.state)
            shown = self._resolved(scene, past, columns, rows, coarse, stage_only)
            tables = {} if stage_only else self._tables.of(run, frame, scene)
        except Exception as error:  # a hook must not take the screen down
            trouble, tables = in_words(error), {}
            words = f"what there is to see of this step could not be made: {trouble}"
            shown = self._resolved(self._rows_only(), past, columns, rows, coarse, stage_only)
        return Picture(
            frame=frame,
            stage=shown.stage,
            beside=() if stage_only else (*shown.beside, (CHANGED, changed_table(frame))),
            limits=shown.limits,
            verdicts=self._later(frame) if waits else self._verdicts(frame),
            failed=self._failed(),
            charts=self._charts(frame),
            words=words,
            drawn=shown.drawn,
            coarse=coarse or waits,
            stopped=run.stopped,
            trouble=trouble,
            apart=run.algorithm.apart,
            tables_before=tables,
            tones_in_use=self._tones_in_use.of(run, self.on_stage) | mark_tones(shown.stage.marks),
        )

    def _compared(self, scene: Scene, problem: Problem, frame: Frame) -> Scene:
        """Put what the algorithm is compared with on its first panel, where that is asked for."""
        compared = self.timeline.algorithm.compared
        if not self.compares or compared is None or not scene.panels:
            return scene
        first, *others = scene.panels
        return Scene((replace(first, marks=(*first.marks, *compared(problem, frame.state))), *others))

    def grown(self, picture: Picture) -> Picture:
        """Picture the same frame where the run has come further since: its curves are longer."""
        run = self.timeline
        tones = self._tones_in_use.of(run, self.on_stage) | mark_tones(picture.stage.marks)
        charts, failed = self._charts(picture.frame), self._failed()
        return replace(picture, charts=charts, failed=failed, stopped=run.stopped, tones_in_use=tones)

    def _verdicts(self, frame: Frame) -> tuple[Verdict, ...]:
        verdicts = self.timeline.verdicts(frame)
        self._spoke[frame.state.phase] = tuple(verdict.sides is not None for verdict in verdicts)
        return verdicts

    def _later(self, frame: Frame) -> tuple[Verdict, ...]:
        """Give in place of verdicts that take long what is said until one looks at the step for a moment."""
        theorems = self.timeline.algorithm.theorems
        spoke = self._spoke.get(frame.state.phase, (False,) * len(theorems))
        return tuple(Verdict(of, "undecided", why=LATER, spoke=had) for of, had in zip(theorems, spoke))

    def _failed(self) -> dict[str, int]:
        return {failure.verdict.theorem.statement: failure.t for failure in reversed(self.timeline.failures)}

    def _resolved(
        self, scene: Scene, past: History, columns: int, rows: int, coarse: bool, stage_only: bool
    ) -> "_Shown":
        """Resolve the panel on the stage and those beside it, unless it is the only one wanted, as plane arrays."""
        panels = scene.panels
        if self.timeline.data.map is not None:
            panels = (*panels, null_space_panel(self.timeline.data))
        drawn = [p for p in panels if not table_of(p)]
        on_stage = drawn[self.on_stage % len(drawn)] if drawn else Panel(title="", marks=())
        limits: dict[str, Limits] = {}
        started = perf_counter()
        stage = self._flat(on_stage, past, columns, rows, coarse, limits, staged=True)
        if not coarse:
            self._slow = perf_counter() - started > _QUICK
        beside: list[tuple[str, ResolvedPanel | Table]] = []
        for panel in panels:
            if panel is not on_stage and not stage_only:
                table = table_of(panel)
                beside.append((panel.title, table or self._flat(panel, past, 44, 14, coarse, limits)))
        return _Shown(stage, tuple(beside), limits, len(drawn))

    def _rows_only(self) -> Scene:
        data = self.timeline.data
        classes = data.y if data.kind == "class" else None
        return Scene((Panel(title=data.name, space="data", marks=(Points(at=data.X, classes=classes),)),))

    def _flat(
        self,
        panel: Panel,
        past: History,
        columns: int,
        rows: int,
        coarse: bool,
        limits: dict[str, Limits],
        staged: bool = False,
    ) -> ResolvedPanel:
        """Resolve the panel on the part of the plane that is shown, on the stage or beside it."""
        chosen = self._chosen.get(panel.title)
        shown = chosen or self._whole(panel, past)
        if panel.space == "data" and panel.equal and self.slices.shared:
            self.slices.equal = True
        equal = panel.equal or (panel.space == "data" and self.slices.equal)
        if equal:
            shown = shown.equal(columns, rows)
        still = (
            chosen or not staged or (equal and self.slices.shared)
        )  # stages beside each other may differ by a column
        wide = shown if still else panel_on_lines(panel, self.plane, shown, columns, rows, equal)
        if panel.space == "data" and not still:
            wide = self.slices.agreed(shown, columns, rows, wide)
        fine = (max(columns // 2, 2), max(rows, 2)) if coarse else (max(columns, 2), max(rows * 2, 2))
        flat = resolve(panel, self.plane, _view(wide, *fine), past, self._grids)
        wide = counts_on_lines(flat, wide, shown, columns, rows, equal)
        if chosen is None:
            self._whole_of[panel.title] = wide
        limits[panel.title] = wide
        return flat

    def _whole(self, panel: Panel, past: History) -> Limits:
        """Find all of a panel: the data's extent on the plane, or what was in it so far."""
        if panel.space == "data":
            key = f"{self.plane.title}/{panel.title}"
            if key not in self._extents:
                first, *others = [self.plane.on(data).project(data.X) for data in self._rows]
                self._extents[key] = limits_around(first).with_room_for(np.concatenate([first, *others]))
            return self._extents[key]
        limits = placed_limits(panel)
        if limits is not None:
            return limits_around(np.array(limits).T, margin=0.0)  # with room where rounding left none
        flat = resolve(panel, self.plane, View(0, 1, 0, 1, 2, 2), past)
        fitted, holds = fitted_limits(flat, self._fitted.get(panel.title))
        if holds:
            self._fitted[panel.title] = fitted
        return fitted

    def _charts(self, frame: Frame) -> dict[str, list[CurveNow]]:
        run = self.timeline
        now = run.values(frame)
        by_name = {curve.name: value for curve, value in zip(run.algorithm.curves, now)}
        charts: dict[str, list[CurveNow]] = {}
        anew = run.begun_anew()
        for curve, value in zip(run.algorithm.curves, now):
            t, values = run.curve(curve.name)
            breaks = (*anew, *run.forks_of(curve.name))
            held_from = None
            silent = bool(np.isnan(value)) and not frame.state.is_nan(curve.name)  # one yielded as nan is to be seen
            if silent and len(t):  # measured at another phase: the last value holds on
                before = int(np.searchsorted(t, frame.t, side="right")) - 1
                value, held_from = (float(values[before]), int(t[before])) if before >= 0 else (value, None)
            along = along_variable(run, curve)
            title, here = curve.group, math.nan
            if along is not None and curve.variable is not None:
                title = f"{curve.group} along {along.name}"
                here = along.last_before(frame.t) if silent else by_name[curve.variable.name]
            charts.setdefault(title, []).append(CurveNow(curve, t, values, value, along, here, held_from, breaks))
        for text, t, values, value in self.followed.along(run, frame):
            charts.setdefault(text, []).append(CurveNow(Curve(text, _unmeasured), t, values, value))
        return charts


def _unmeasured(problem: Any, state: Any) -> float:
    """Measure nothing: a value that is followed is worked out from the states."""
    return math.nan


def _title_of(data: Dataset, features: Array) -> str:
    """Make the title of the plane of two features, "" when they are not two."""
    across, up = map(int, features)
    return "" if across == up else features_plane(data, across, up).title


def _features(kept: Any, d: int) -> tuple[int, int] | None:
    """Read two different features by number, None where it is not that."""
    if not isinstance(kept, list) or len(kept) != 2 or any(type(j) is not int or not 0 <= j < d for j in kept):
        return None
    across, up = kept
    return (across, up) if across != up else None


def _are_limits(sides: Any) -> bool:
    """Tell whether they are limits that something can be seen in."""
    if not isinstance(sides, list | tuple) or len(sides) != 4 or not all(type(x) in (int, float) for x in sides):
        return False
    left, right, bottom, top = map(float, sides)
    room = 1e-12 * max(abs(left), abs(right), abs(bottom), abs(top))
    return right - left > room and top - bottom > room


def _view(limits: Limits, columns: int, rows: int) -> View:
    return View(limits.left, limits.right, limits.bottom, limits.top, columns, rows)


def at_the_end(stopped: Stopped, words: str) -> str:
    """Describe the last step: first why there is no next one, then what came out, so that neither is what is cut;
    nothing twice."""
    reason = clean(stopped.reason)
    if stopped.failed:
        return f"Failed{f' in line {stopped.line}' if stopped.line else ''}: {reason}"
    point = point_of(words)
    rest = _SENTENCES.split(words.replace(point, "", 1).strip()) if point else _SENTENCES.split(words)
    new = [sentence for sentence in rest if sentence and sentence.rstrip(".") not in reason]
    untrue = [f"That is not so: {clean(stopped.untrue)}."] if stopped.untrue else []
    said, after = " ".join([f"The end: {reason}.", *untrue]), " ".join(new)
    if untrue or not point:  # that it is not so comes before all else
        return " ".join(filter(None, [said, point, after]))
    return Words.of(said, point, after)
