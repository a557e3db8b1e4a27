"""Viewer: how a run is looked at (plane, zoom, which panel where), and the picture of one step of it.

A Picture holds all that the widgets show; they are functions of it and keep nothing of their own.
"""

from time import perf_counter

import numpy as np
from msgspec import Struct

from algorithms import (
    Flat,
    Frame,
    Panel,
    Past,
    Plane,
    Points,
    Scene,
    Stopped,
    Table,
    Timeline,
    Verdict,
    View,
    features_plane,
    in_words,
    planes,
    resolve,
)
from tui.paint.plot import Limits, limits_around
from tui.sections.curves import CurveNow
from tui.sections.plots import wanted_limits

_QUICK = 0.008  # seconds that a fine picture may take while things move
_TRAIL, _RECENT = 120, 12
_OUT = 1000.0  # times the whole panel: farther out nobody looks


class Picture(Struct, frozen=True, eq=False):
    """One step as it is shown.

    Attributes:
        stage: the panel on the stage.
        beside: the scene's other panels, as resolved ones or tables.
        limits: what each plot shows, by title.
        charts: the curves, by the chart they share.
        failed: theorems that failed at some step, with the first one.
        coarse: whether the regions were asked for on a coarser grid than there is room for.
        trouble: what went wrong while looking, "" if nothing did.
    """

    frame: Frame
    stage: Flat
    beside: tuple[tuple[str, Flat | Table], ...]
    limits: dict[str, Limits]
    verdicts: tuple[Verdict, ...]
    failed: dict[str, int]
    charts: dict[str, list[CurveNow]]
    words: str
    coarse: bool
    stopped: Stopped | None
    trouble: str = ""


class _Shown(Struct, frozen=True, eq=False):
    """A scene, resolved."""

    stage: Flat
    beside: tuple[tuple[str, Flat | Table], ...]
    limits: dict[str, Limits]


class Viewer:
    """What a person chose to look at; makes the picture of any frame."""

    def __init__(self, timeline: Timeline):
        self.timeline = timeline
        self.planes: tuple[Plane, ...] = tuple(planes(timeline.data))
        self.plane = self.planes[0]
        self._unasked = True  # whether nobody has chosen a plane yet
        self.on_stage = 0
        self._fitted: dict[str, Limits] = {}  # of panels in their own space: all that was in them so far
        self._chosen: dict[str, Limits] = {}  # zoomed or panned
        self._whole_of: dict[str, Limits] = {}  # of each panel, when it was last seen as a whole
        self._slow = False

    # What to look at

    def choose_plane(self, plane: Plane) -> None:
        """Look at the data on another plane."""
        self.plane = plane
        self._unasked = False
        self._chosen.clear()

    def _suit(self, scene: Scene) -> None:
        """Look at the data on the plane that the scene asks for, as long as nobody chose one."""
        self._unasked = False
        data = self.timeline.data
        wanted = next((p.features for p in scene.panels if p.space == "data" and p.features is not None), None)
        if wanted is not None and data.d > 2:
            self.plane = features_plane(data, *wanted)
            self.planes = (self.plane, *(p for p in self.planes if p.title != self.plane.title))

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

    def zoomed(self, title: str) -> bool:
        """Whether a part of a panel was chosen."""
        return title in self._chosen

    # What there is to see

    def picture(self, frame: Frame, columns: int, rows: int, moving: bool = False) -> Picture:
        """All that is to be shown of a frame, for a stage of so many cells."""
        run = self.timeline
        problem = run.problem_at(frame.t)
        past = Past(run.trail(frame.t, _TRAIL), run.recent(frame.t, _RECENT))
        coarse = moving and self._slow
        trouble = ""
        try:
            scene = run.algorithm.scene(problem, frame.before, frame.state)
            if self._unasked:
                self._suit(scene)
            words = run.algorithm.explain(problem, frame.before, frame.state)
            shown = self._resolved(scene, past, columns, rows, coarse)
        except Exception as error:  # a hook must not take the screen down
            trouble = in_words(error)
            words = f"what there is to see of this step could not be made: {trouble}"
            shown = self._resolved(self._rows_only(), past, columns, rows, coarse)
        return Picture(
            frame=frame,
            stage=shown.stage,
            beside=shown.beside,
            limits=shown.limits,
            verdicts=run.verdicts(frame),
            failed={f.verdict.theorem.statement: f.t for f in reversed(run.failures)},
            charts=self._charts(frame),
            words=words,
            coarse=coarse,
            stopped=run.stopped,
            trouble=trouble,
        )

    def _resolved(self, scene: Scene, past: Past, columns: int, rows: int, coarse: bool) -> "_Shown":
        """The panel on the stage and those beside it as plane arrays."""
        drawn = [p for p in scene.panels if not _table_of(p)]
        on_stage = drawn[self.on_stage % len(drawn)] if drawn else Panel(title="", marks=())
        limits: dict[str, Limits] = {}
        started = perf_counter()
        stage = self._flat(on_stage, past, columns, rows, coarse, limits)
        if not coarse:
            self._slow = perf_counter() - started > _QUICK
        beside: list[tuple[str, Flat | Table]] = []
        for panel in scene.panels:
            if panel is not on_stage:
                table = _table_of(panel)
                beside.append((panel.title, table or self._flat(panel, past, 44, 14, coarse, limits)))
        return _Shown(stage, tuple(beside), limits)

    def _rows_only(self) -> Scene:
        data = self.timeline.data
        classes = data.y if data.kind == "class" else None
        return Scene((Panel(title=data.name, space="data", marks=(Points(at=data.X, classes=classes),)),))

    def _flat(self, panel: Panel, past: Past, columns: int, rows: int, coarse: bool, limits: dict[str, Limits]) -> Flat:
        """The panel resolved on the part of the plane that is shown."""
        chosen = self._chosen.get(panel.title)
        shown = chosen or self._whole(panel, past)
        if panel.equal:
            shown = shown.equal(columns, rows)
        if chosen is None:
            self._whole_of[panel.title] = shown
        limits[panel.title] = shown
        fine = (max(columns // 2, 2), max(rows, 2)) if coarse else (max(columns, 2), max(rows * 2, 2))
        return resolve(panel, self.plane, _view(shown, *fine), past)

    def _whole(self, panel: Panel, past: Past) -> Limits:
        """All of a panel: the data's extent on the plane, or what was in it so far."""
        if panel.space == "data":
            key = f"{self.plane.title}/{panel.title}"
            if key not in self._fitted:
                at = self.plane.project(self.timeline.data.X)
                self._fitted[key] = limits_around(at)
            return self._fitted[key]
        if panel.limits is not None:
            return limits_around(np.array(panel.limits).T, margin=0.0)  # with room where rounding left none
        wanted = wanted_limits(resolve(panel, self.plane, View(0, 1, 0, 1, 2, 2), past))
        held = self._fitted.get(panel.title)
        self._fitted[panel.title] = held.joined(wanted) if held else wanted
        return self._fitted[panel.title]

    def _charts(self, frame: Frame) -> dict[str, list[CurveNow]]:
        run = self.timeline
        now = run.values(frame)
        charts: dict[str, list[CurveNow]] = {}
        for curve, value in zip(run.algorithm.curves, now):
            t, values = run.curve(curve.name)
            if not np.isfinite(value) and len(t):  # measured at another phase: the last value holds on
                before = int(np.searchsorted(t, frame.t, side="right")) - 1
                value = float(values[before]) if before >= 0 else value
            charts.setdefault(curve.group, []).append(CurveNow(curve, t, values, value))
        return charts


def _table_of(panel: Panel) -> Table | None:
    return next((m for m in panel.marks if isinstance(m, Table)), None)


def _view(limits: Limits, columns: int, rows: int) -> View:
    return View(limits.left, limits.right, limits.bottom, limits.top, columns, rows)
