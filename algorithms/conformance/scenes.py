"""Scenes and explanations: finite, and made of what the app can paint."""

import re
from typing import Any, get_args

import numpy as np

from algorithms import Algorithm, Dataset
from algorithms.conformance.runs import FirstStates, described, digest, ensure, fail, recorded, some, spread
from algorithms.core import (
    Arrow,
    Band,
    Bars,
    Contours,
    Cursor,
    DragHandles,
    Ellipse,
    ErrorBars,
    Labels,
    Matrix,
    Panel,
    Path,
    Paths,
    Points,
    Region,
    Scene,
    Segments,
    State,
    Table,
    Trail,
)
from algorithms.core.plane import planes
from algorithms.core.resolve import Faded, History, Levels, ResolvedPanel, Tint, View, placed_limits, resolve
from algorithms.core.scene import Mark, Role, Tree, Units

_TITLE = 40  # columns
_SAID = 160  # letters of what is said of a row
_WORDS = 400  # letters of an explanation
_NAMED = re.compile(r"Rows? (\d+)\b")  # with which an explanation begins
_IN_TIME = "toss|round|fold|tree|stump|voter|epoch|pass|sweep|iteration|step|sample|labelling|bag|start"
_FROM_ZERO = re.compile(rf"\b({_IN_TIME}) 0(?![\d.,]|\s*[<=/])", re.IGNORECASE)
_IN_THE_LEGEND = (Segments, Trail, Ellipse, Arrow, Band, ErrorBars, Paths, Contours)  # lines at rest are titled
_ROLES = get_args(Role)
_VIEW_MARGIN = 0.1


def check_scenes(algorithm: Algorithm, data: Dataset) -> None:
    """At the first, middle and last step and in every phase, with the step before and across a fork."""
    run = recorded(algorithm, data)
    for i in some(run.states):
        for before in {i - 1, None} - {-1}:
            _check_at(algorithm, run, i, None if before is None else run.states[before])


def _check_at(algorithm: Algorithm, run: FirstStates, i: int, before: State | None) -> None:
    after = run.states[i]
    where = described(after) + ("" if before is not None or i == 0 else " with no step before it")
    scene = algorithm.scene(run.problem, before, after)
    words = algorithm.explain(run.problem, before, after)
    ensure(digest(after) == run.digests[i], f"{where}: the scene or explanation changed the state")
    check_words(words, where)
    ensure(isinstance(scene, Scene), f"{where}: the scene is a {type(scene).__name__}")
    check_named_row(words, scene, where)
    ensure(scene.panels, f"{where}: the scene has no panel")
    titles = [panel.title for panel in scene.panels]
    ensure(len(set(titles)) == len(titles), f"{where}: two panels have the same title: {titles}")
    past = History(
        [run.states[j] for j in spread(i + 1, 20)], [run.states[j] for j in range(i - 1, max(i - 9, -1), -1)], after
    )
    for panel in scene.panels:
        try:
            check_panel(panel, run.problem.data, past)
        except AssertionError as error:
            raise AssertionError(f"{where}, panel {panel.title!r}: {error}") from None
        except Exception as error:
            raise AssertionError(f"{where}, panel {panel.title!r}: {type(error).__name__}: {error}") from error


def check_named_row(words: str, scene: Scene, where: str) -> None:
    """The row with which the sentence begins is marked, where the rows are to be seen."""
    named = _NAMED.match(words)
    rows = [mark for panel in scene.panels for mark in panel.marks if isinstance(mark, Points) and mark.rows]
    if named is None or not rows:
        return
    row = int(named.group(1))
    marked = [mark.ringed for mark in rows if mark.ringed is not None and row < len(mark.ringed)]
    ensure(any(ringed[row] for ringed in marked), f"{where}: no mark shows row {row}, of which is said {words[:60]!r}")


def check_named_marks(panel: Panel) -> None:
    """What is drawn besides the rows is in the legend: of each kind of mark one has a name, at least."""
    for kind in _IN_THE_LEGEND:
        marks = [mark for mark in panel.marks if isinstance(mark, kind)]
        named = any(mark.name or getattr(mark, "legend", "") for mark in marks)
        ensure(named or not marks, f"no {kind.__name__} has a name for the legend")


def check_words(words: Any, where: str) -> None:
    """An explanation is a sentence or a few, with no number that is none."""
    ensure(isinstance(words, str) and words.strip(), f"{where}: the explanation is {words!r}")
    ensure(words[-1] in ".!?", f"{where}: the explanation is no sentence: {words!r}")
    ensure(not re.search(r"\b(nan|None|inf)\b", words), f"{where}: the explanation says {words!r}")
    ensure(not re.search(r"\de\+0[0-6](?!\d)", words), f"{where}: a number is not written in full: {words!r}")
    check_counted(words)
    ensure(len(words) <= _WORDS, f"{where}: the explanation has {len(words)} letters: {words!r}")


def check_counted(words: str) -> None:
    """What happens in time is counted from 1; rows, and what else is an index into an array, from 0."""
    counted = _FROM_ZERO.search(words)
    ensure(counted is None, f"what happens in time is counted from 1: {words!r}")


def check_panel(panel: Panel, data: Dataset, past: History) -> None:
    """A panel, its axes and its marks, before and after they are resolved."""
    ensure(0 < len(panel.title) <= _TITLE, f"its title is {len(panel.title)} columns wide; {_TITLE} are shown")
    check_counted(f"{panel.title} {panel.note}")
    ensure(panel.space in ("data", "own"), f"its space is {panel.space!r}")
    ensure(panel.marks, "it has no marks")
    check_named_marks(panel)
    alone = [mark for mark in panel.marks if isinstance(mark, (Table, Tree))]
    ensure(not alone or len(panel.marks) == 1, "a table or tree stands among other marks; it needs a panel of its own")
    if panel.limits is not None:
        (left, right), (bottom, top) = panel.limits
        ensure(
            left < right and bottom < top and np.isfinite([left, right, bottom, top]).all(), f"limits {panel.limits}"
        )
    ensure(panel.log in ("", "x", "y", "xy"), f"its logarithmic axes are {panel.log!r}")
    ensure(not panel.log or panel.space == "own", "only a panel of its own space has logarithmic axes")
    for mark in panel.marks:
        _check_asked(mark, data.d if panel.space == "data" else 2)
    for plane in planes(data)[:2] if panel.space == "data" else planes(data)[:1]:
        flat = resolve(panel, plane, _view(panel, plane.project(data.X)), past)
        ensure(isinstance(flat, ResolvedPanel), "it does not resolve")
        for mark in flat.marks:
            check_mark(mark)


def _view(panel: Panel, rows: Any) -> View:
    limits = placed_limits(panel)
    if limits is not None:
        (left, right), (bottom, top) = limits
    elif panel.space == "data":
        (left, bottom), (right, top) = rows.min(axis=0), rows.max(axis=0)
    else:
        left, right, bottom, top = 0.0, 1.0, 0.0, 1.0
    return View(left - _VIEW_MARGIN, right + _VIEW_MARGIN, bottom - _VIEW_MARGIN, top + _VIEW_MARGIN, 24, 16)


def _check_asked(mark: Mark, d: int) -> None:
    """What a mark asks at places takes all of them at once, and says of each what it says of it alone."""
    places = np.random.default_rng(0).uniform(0.25, 0.75, (5, d))
    match mark:
        case Contours():
            asked = [("Contours.height", mark.height)]
        case Region():
            ensure((mark.score is None) == bool(mark.terms), "a Region has either a score or terms")
            asked = [("Region.score", mark.score)] if mark.score else []
            asked += [("a score of Region.terms", score) for _, score in mark.terms[:2]]
        case _:
            return
    for what, ask in asked:
        of_all = np.asarray(ask(places), float)
        many = isinstance(mark, Region) and of_all.ndim == 2
        ensure(of_all.shape[:1] == (5,) and (many or of_all.ndim == 1), f"{what} of (5, {d}) places is {of_all.shape}")
        alone = np.concatenate([np.asarray(ask(place[None]), float) for place in places])
        ensure(np.allclose(of_all, alone, 1e-6, 1e-9), f"{what} says something else of a place beside others")


def check_mark(mark: Mark) -> None:
    """A resolved mark: plane arrays of the right shapes, finite, in tones that there are."""
    if isinstance(mark, Faded):
        ensure(0 < mark.age <= 1, f"an Echo has the age {mark.age}")
        check_mark(mark.mark)
    elif not (_check_at_places(mark) or _check_of_parts(mark) or _check_over_the_plane(mark)):
        fail(f"{type(mark).__name__} is no mark that can be painted")


def _check_at_places(mark: Mark) -> bool:
    """Check a mark that stands at places; False for another kind."""
    match mark:
        case Points():
            n = _places(mark.at, "Points.at")
            for field in ("classes", "weights", "ringed", "crossed", "haloed", "faded"):
                value = getattr(mark, field)
                ensure(value is None or np.shape(value) == (n,), f"Points.{field} is {np.shape(value)} for {n} points")
            if mark.classes is not None:
                ensure(np.asarray(mark.classes).dtype.kind in "iu", "Points.classes are not codes")
                ensure(not n or np.min(mark.classes) >= 0, "Points.classes are negative")
            if mark.weights is not None:
                ensure(((mark.weights >= 0) & (mark.weights <= 1)).all(), "Points.weights are not in [0, 1]")
            if mark.shares is not None:
                ensure(np.shape(mark.shares)[:1] == (n,), f"Points.shares are {np.shape(mark.shares)} for {n} points")
                ensure(np.allclose(np.sum(mark.shares, axis=1), 1), "Points.shares do not sum to one")
            kinds = _kinds(mark)
            ensure(not mark.names or len(mark.names) >= kinds, f"{len(mark.names)} names for {kinds} kinds of points")
            _tones(mark.tone)
            _check_said(mark, n)
        case Labels():
            n = _places(mark.at, "Labels.at")
            ensure(len(mark.texts) == n, f"{len(mark.texts)} texts for {n} labels")
            ensure(len(mark.tones) in (1, n), f"{len(mark.tones)} tones for {n} labels")
            ensure(len(mark.glyph) == 1, f"the glyph {mark.glyph!r} is not one character")
            _tones(*mark.tones)
        case DragHandles():
            n = _places(mark.at, "Grips.at")
            ensure(len(mark.names) == n and all(mark.names), f"{len(mark.names)} names for {n} grips")
            ensure(callable(mark.moved), "Grips.moved cannot be called")
        case Path():
            ensure(np.ndim(mark.at) == 2 and np.shape(mark.at)[1] == 2, f"Path.at is {np.shape(mark.at)}")
            ensure(not np.isinf(mark.at).any(), "Path.at is infinite")
            _tones(mark.tone)
        case Segments() | Arrow():
            ensure(np.shape(mark.start) == np.shape(mark.end), f"{type(mark).__name__} starts and ends differ in shape")
            _places(mark.start, f"{type(mark).__name__}.start")
            n = _places(mark.end, f"{type(mark).__name__}.end")
            _tones(mark.tone)
            if isinstance(mark, Segments) and mark.values is not None:
                _signed(mark.values, n, "Segments.values")
        case Units():
            n = _places(mark.at, "Units.at")
            _signed(mark.values, n, "Units.values")
            ensure(len(mark.texts) in (0, n), f"{len(mark.texts)} texts for {n} units")
            ensure(mark.marked is None or np.shape(mark.marked) == (n,), f"Units.marked for {n} units")
        case _:
            return False
    return True


def _check_of_parts(mark: Mark) -> bool:
    """Check a mark that has nodes, bars, cells or rows; False for another kind."""
    match mark:
        case Tree():
            m = len(mark.parents)
            ensure(m and mark.parents[0] == -1, "a Tree's first node is not its root")
            ensure(all(-1 < p < i for i, p in enumerate(mark.parents[1:], 1)), "a Tree's node comes before its parent")
            ensure(len(mark.texts) == m and len(mark.tones) in (0, m), f"texts and tones of {m} nodes of a Tree")
            ensure(all(0 <= i < m for i in mark.marked), f"a Tree of {m} nodes has {mark.marked} marked")
            _tones(*(tone for tone in mark.tones if tone is not None))
        case Bars():
            m = len(mark.heights)
            ensure(np.isfinite(mark.heights).all(), "Bars.heights are not finite")
            ensure(mark.edges is None or len(mark.edges) == m + 1, f"{m} bars need {m + 1} edges")
            ensure(mark.edges is not None or len(mark.names) == m, f"{len(mark.names)} names for {m} bars")
            ensure(mark.edges is None or (np.diff(mark.edges) > 0).all(), "Bars.edges do not increase")
            ensure(len(mark.tones) in (1, m), f"{len(mark.tones)} tones for {m} bars")
            _tones(*mark.tones)
        case Matrix():
            _check_matrix(mark)
        case Paths():
            _check_paths(mark)
        case _:
            return False
    return True


def _check_over_the_plane(mark: Mark) -> bool:
    """Check a mark that has a value along an axis or all over the plane; False for another kind."""
    match mark:
        case Band():
            ensure(np.isfinite([mark.x, mark.lower, mark.upper]).all(), "a Band is not finite")
            ensure((np.diff(mark.x) > 0).all(), "Band.x does not rise")
            ensure((mark.lower <= mark.upper).all(), "a Band's lower end lies above its upper one")
            _tones(mark.tone)
        case ErrorBars():
            _places(mark.at, "ErrorBars.at")
            ensure(np.isfinite([mark.lower, mark.upper]).all(), "ErrorBars' ends are not finite")
            ensure((mark.lower <= mark.upper).all(), "an ErrorBar's lower end lies above its upper one")
            _tones(mark.tone)
        case Cursor():
            ensure(np.isfinite(mark.x), f"a Cursor is at {mark.x}")
            _tones(mark.tone)
        case Table():
            _check_table(mark)
        case Tint():
            ensure(np.isfinite(mark.strength).all(), "a Region's score is not finite")
            ensure(mark.tones.shape == mark.strength.shape, "a Tint's tones and strengths differ in shape")
            ensure(mark.tones.min() >= -1, "a Region's tones are negative")
            ensure(mark.shares is None or np.isfinite(mark.shares).all(), "a Region's shares are not finite")
        case Levels():
            ensure(np.isfinite(mark.height).all(), "a height or score is not finite")
            _tones(mark.tone)
        case _:
            return False
    return True


def _check_said(points: Points, n: int) -> None:
    """What is said of the first row, the last and one between is a clause or two, with no number that is none."""
    if points.says is None:
        return
    ensure(points.rows, "Points.says speaks of rows of the data, and these are none")
    for row in sorted({0, n // 2, n - 1}) if n else ():
        words = points.says(row)
        ensure(isinstance(words, str) and bool(words.strip()), f"Points.says of row {row} is {words!r}")
        ensure(not re.search(r"\b(nan|None|inf)\b", words), f"Points.says of row {row} is {words!r}")
        ensure(
            len(words) <= _SAID and "\n" not in words, f"Points.says of row {row} has {len(words)} letters: {words!r}"
        )


def _kinds(points: Points) -> int:
    """How many kinds of points there are to be named."""
    if points.classes is not None:
        return int(np.max(points.classes, initial=-1)) + 1
    return 1 if points.shares is None else int(np.shape(points.shares)[1])


def _check_paths(mark: Paths) -> None:
    ensure(np.ndim(mark.at) == 3 and np.shape(mark.at)[2] == 2, f"Paths.at is {np.shape(mark.at)}")
    ensure(not np.isinf(mark.at).any(), "Paths.at is infinite")
    c = len(mark.at)
    ensure(len(mark.tones) in (1, c), f"{len(mark.tones)} tones for {c} paths")
    if mark.strength is not None:
        ensure(np.shape(mark.strength) == (c,), f"Paths.strength is {np.shape(mark.strength)} for {c} paths")
        ensure(((mark.strength >= 0) & (mark.strength <= 1)).all(), "Paths.strength is not in [0, 1]")
    _tones(*mark.tones)


def _check_matrix(mark: Matrix) -> None:
    ensure(np.ndim(mark.values) == 2 and np.isfinite(mark.values).all(), "Matrix.values are not a finite table")
    rows, columns = np.shape(mark.values)
    if mark.scale is not None:
        low, high = mark.scale
        ensure(np.isfinite([low, high]).all() and low < high, f"Matrix.scale is {mark.scale}")
    if mark.shape is not None:
        ensure(rows <= mark.shape[0] and columns <= mark.shape[1], f"a Matrix of {mark.shape} has {rows} x {columns}")
        rows, columns = mark.shape
    for row, column in mark.marked:
        ensure(0 <= row < rows and 0 <= column < columns, f"entry ({row}, {column}) of a Matrix is marked")


def _check_table(table: Table) -> None:
    width = len(table.columns)
    for head in table.columns:
        check_counted(head)
    ensure(len(table.tones) in (0, len(table.rows)), f"{len(table.tones)} tones for {len(table.rows)} rows of a table")
    _tones(*(tone for tone in table.tones if tone is not None))
    for i in table.marked:
        ensure(0 <= i < len(table.rows), f"row {i} of a table of {len(table.rows)} is marked")
    for row in table.rows:
        ensure(len(row) == width, f"a row of {len(row)} cells under {width} columns: {row}")
        for cell in row:
            ensure(isinstance(cell, (str, int, float, type(None))), f"a cell is a {type(cell).__name__}: {row}")
            ensure(not isinstance(cell, float) or np.isfinite(cell), f"a cell is {cell}: {row}; None is for nothing")


def _signed(values: Any, n: int, what: str) -> None:
    ensure(np.shape(values) == (n,), f"{what} is {np.shape(values)} for {n}")
    ensure((np.abs(values) <= 1).all(), f"{what} are not in [-1, 1]")


def _places(at: Any, what: str) -> int:
    ensure(np.ndim(at) == 2 and np.shape(at)[1] == 2, f"{what} is {np.shape(at)} on the plane")
    ensure(np.isfinite(at).all(), f"{what} is not finite")
    return len(at)


def _tones(*tones: Any) -> None:
    for tone in tones:
        whole = isinstance(tone, (int, np.integer)) and not isinstance(tone, bool) and tone >= 0
        ensure(whole or tone in _ROLES, f"there is no tone {tone!r}")
