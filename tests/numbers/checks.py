"""What a run on hard data must keep to: it is refused in a sentence, or goes on, or ends in words.

No error, no warning, no theorem that fails, no curve without end, and a picture of the first, middle and last step
in which every mark has a place and no text says nan or inf.
"""

import math
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

import numpy as np
from rich.console import Console
from textual.geometry import Size

from algorithms import Algorithm, Dataset, Refused, Timeline
from algorithms.cli.report import report
from algorithms.conformance.runs import ensure, ensure_same
from algorithms.conformance.scenes import check_mark
from algorithms.core import Arrow, Labels, Path, Table, Tree, Units
from algorithms.core.resolve import Faded
from algorithms.core.scene import Mark
from algorithms.core.theorems import Verdict
from algorithms.playback.pictures.viewer import Picture, Viewer
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK, Palette
from tui.widgets.column import Column
from tui.widgets.stage import Stage

STEPS = 200
ALL = (0, 1, 2)  # pictures of a run
_AGAIN = 4  # steps that are made again
_SECONDS = 2.0  # of a run whose steps are dear: what was recorded by then is looked at
_COLUMNS, _COLUMN, _ROWS = 60, 44, 30
_NO_NUMBER = re.compile(r"(?<![A-Za-z])[-+]?(nan|inf)(?![A-Za-z])", re.IGNORECASE)
_END = re.compile(r"overflow|diverge|too large", re.IGNORECASE)


def check_hard(
    algorithm: Algorithm,
    data: Dataset,
    parameters: Mapping[str, Any],
    steps: int = STEPS,
    shown: bool = True,
    painted: Sequence[int] = ALL,
) -> str:
    """Run and look; returns how it went: "refused", "ended" or "went on".

    Args:
        algorithm: what runs.
        data: what it runs on.
        parameters: those that are not at their defaults.
        steps: how many at most.
        shown: whether pictures are painted too, which takes longer than all else.
        painted: which of the three pictures are: the first, the middle, the last; with the last goes the report.
    """
    try:
        run = Timeline(algorithm, data, parameters)
    except Refused as refusal:
        check_refusal(str(refusal))
        return "refused"
    run.advance(steps, _SECONDS)
    check_run(run)
    viewer = Viewer(run)
    for place, t in enumerate((0, run.last // 2, run.last)):
        picture = viewer.picture(run.at(t), _COLUMNS, _ROWS)
        try:
            check_picture(picture)
            if shown and place in painted:
                check_painted(picture, algorithm, data)
        except AssertionError as error:
            raise AssertionError(f"step {t} ({picture.frame.state.phase}): {error}") from error
    if len(viewer.planes) > 1:
        viewer.choose_plane(viewer.planes[1])
        check_picture(viewer.picture(run.at(run.last), _COLUMNS, _ROWS))
    if shown and ALL[-1] in painted:
        _check_report(run)
    return "ended" if run.stopped else "went on"


def check_run(run: Timeline) -> None:
    """It did not fail, no hook raised, no theorem failed, and it ends in words; curves and sides are finite."""
    ensure(not (run.stopped and run.stopped.failed), f"it failed: {run.stopped and run.stopped.details}")
    ensure(len(run), "it has no state")
    ensure(not run.troubles, f"a hook raised: {[t.what + ': ' + t.details for t in run.troubles]}")
    for failure in run.failures[:1]:
        verdict = failure.verdict
        kind = run.at(failure.t).state.phase
        raise AssertionError(f"step {failure.t} ({kind}): {verdict.theorem.statement!r} fails: {_precisely(verdict)}")
    reason = run.stopped.reason if run.stopped else ""
    ensure(not run.stopped or (len(reason) > 5 and not _NO_NUMBER.search(reason)), f"it ends with {reason!r}")
    _check_curves(run, reason)
    _check_sides(run)


def check_taken_up(run: Timeline, t: int) -> None:
    """From a pickled copy of the state at t its next steps are made again, bit for bit."""
    state = run.at(t).state
    copy = pickle.loads(pickle.dumps(state))
    again = run.algorithm.start(run.problem_at(t), copy)
    for expected, found in zip((run.at(i).state for i in range(t + 1, min(t + 1 + _AGAIN, len(run)))), again):
        ensure_same(expected, found, f"taken up at {t}, ")


def check_refusal(said: str) -> None:
    """One sentence that a person can read."""
    ensure(len(said) > 10 and said.endswith(".") and "\n" not in said, f"it is refused with {said!r}, no sentence")


def _precisely(verdict: Verdict) -> str:
    """Say with all digits what speaks against it, or why in words where it is an end that has no sides."""
    if verdict.sides is None:
        return verdict.why
    return ", ".join(f"{name} = {value!r}" for name, value in zip(verdict.sides.names, verdict.sides.values))


def _check_curves(run: Timeline, reason: str) -> None:
    for curve in run.algorithm.curves:
        t, values = run.curve(curve.name)
        endless = t[np.isinf(values)]
        allowed = [run.last] if _END.search(reason) else []
        ensure(set(endless.tolist()) <= set(allowed), f"the curve {curve.name!r} is infinite at step {endless[:1]}")


def _check_sides(run: Timeline) -> None:
    """No theorem stands on a side that is infinite, at any step that was measured."""
    for i, theorem in enumerate(run.algorithm.theorems):
        t, sides = run.theorem_series(i)
        endless = t[np.isinf(sides).any(axis=1)]
        ensure(not len(endless), f"{theorem.statement!r} is claimed with an infinite side at step {endless[:1]}")


def _check_report(run: Timeline) -> None:
    page = StringIO()
    report(run, Console(file=page, width=100))
    for line in page.getvalue().splitlines():
        ensure(not _NO_NUMBER.search(line), f"the report says {line!r}")


def check_picture(picture: Picture) -> None:
    """Every mark has a place, no text says nan or inf, no theorem stands on an infinite side."""
    ensure(not picture.trouble, f"no picture could be made: {picture.trouble}")
    for what, text in texts_of(picture):
        ensure(not _NO_NUMBER.search(text), f"{what} says {text!r}")
    for verdict in picture.verdicts:
        ensure(verdict.status != "fails", f"{verdict.theorem.statement!r} fails: {verdict.sides}")
        if verdict.sides is not None:
            finite = all(map(math.isfinite, verdict.sides.values))
            ensure(finite, f"{verdict.theorem.statement!r} is claimed with {verdict.sides}")
    for title, limits in picture.limits.items():
        ensure(0 < limits.width < math.inf and 0 < limits.height < math.inf, f"{title} is shown within {limits}")
        ensure(math.isfinite(limits.left + limits.bottom), f"{title} is shown within {limits}")
    for title, shown in (("the stage", picture.stage), *picture.beside):
        for mark in (shown,) if isinstance(shown, Table) else shown.marks:
            try:
                check_mark(mark)
            except AssertionError as error:
                raise AssertionError(f"{title}: {error}") from None


def check_painted(picture: Picture, algorithm: Algorithm, data: Dataset) -> None:
    """It can be painted, and no line of it says nan or inf."""
    for what, text in painted(picture, algorithm, data):
        ensure(not _NO_NUMBER.search(text), f"{what} is painted as {text!r}")


def texts_of(picture: Picture) -> Iterator[tuple[str, str]]:
    """Every text of a picture, with what it is."""
    yield "the explanation", picture.words
    for verdict in picture.verdicts:
        yield f"{verdict.theorem.statement!r}", verdict.why
    for title, shown in (("the stage", picture.stage), *picture.beside):
        yield "a title", title
        if isinstance(shown, Table):
            yield from _texts_of_mark(shown, title)
            continue
        yield from ((title, text) for text in (shown.title, shown.note, shown.across.name, shown.up.name))
        for mark in shown.marks:
            yield from _texts_of_mark(mark, title)


def _texts_of_mark(mark: Mark, title: str) -> Iterator[tuple[str, str]]:
    where = f"{type(mark).__name__} of {title!r}"
    match mark:
        case Labels() | Units() | Tree():
            yield from ((where, text) for text in mark.texts)
        case Path() | Arrow():
            yield where, mark.name
        case Table():
            yield from ((where, cell) for row in mark.rows for cell in row if isinstance(cell, str))
        case Faded():
            yield from _texts_of_mark(mark.mark, title)


class _PaintedStage(Stage):
    """The stage without a screen."""

    @property
    def palette(self) -> Palette:
        return DARK


class _PaintedColumn(Column):
    """The column beside it without a screen, with one section or all of them."""

    def __init__(self, data: Dataset, only: int):
        super().__init__(data)
        self._only = only

    @property
    def palette(self) -> Palette:
        return DARK

    @property
    def size(self) -> Size:
        return Size(_COLUMN, _ROWS)


def painted(picture: Picture, algorithm: Algorithm, data: Dataset) -> Iterator[tuple[str, str]]:
    """The lines that the stage and the column beside it show, with where they stand."""
    stage = _PaintedStage(data)
    stage._picture = picture
    yield from _lines(stage, _COLUMNS)
    for section in range(3 + len(picture.beside)):
        painted = _PaintedColumn(data, section)
        painted._picture, painted._last = picture, picture.frame.t
        yield from _lines(painted, _COLUMN)


def _lines(widget: Stage | Column, columns: int) -> Iterator[tuple[str, str]]:
    canvas = Canvas(columns, _ROWS, DARK.background, DARK.ink)
    widget.paint(canvas)
    glyphs, _ = canvas.cells()
    for row in glyphs:
        yield f"a line of the {type(widget).__name__}", "".join(chr(code) if code else "" for code in row.tolist())
