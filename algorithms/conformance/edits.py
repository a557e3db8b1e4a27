"""Edits: rows added, moved, removed and labelled anew in the midst of a run, and what can be dragged."""

from typing import Any

import numpy as np

from algorithms import Add, Algorithm, Dataset, Label, Move, Refused, Remove, Timeline, edited
from algorithms.conformance.contract import check_rows_named
from algorithms.conformance.forks import by_phase, check_runs_on, entries
from algorithms.conformance.runs import advanced, digest, ensure
from algorithms.conformance.scenes import check_words
from algorithms.core import DragHandles, Edit, Panel
from algorithms.core.state import axes_of


def check_edits(algorithm: Algorithm, data: Dataset) -> None:
    """A fork with each kind of edit, and with each grip dragged, runs on and its theorems hold; or it is refused."""
    run = advanced(algorithm, data)
    later = {places[-1] for places in by_phase(algorithm, run)}
    for t in entries(algorithm, run):
        for what, edits in kinds(data).items():
            if t in later or len(edits) > 1:  # early in a phase only several at once, which are of each kind
                _check_edited(run, t, edits, f"forked at step {t} ({run.kind(t).phase}) with {what}")
        _check_grips(run, t, f"at step {t} ({run.kind(t).phase})")


def kinds(data: Dataset) -> dict[str, list[Edit]]:
    """Edits worth a try, by what they are: single ones, and several at once; none where there are no rows."""
    if not data:
        return {}
    spread, middle = data.X.std(axis=0), data.n // 2
    y = None if data.y is None else data.y[middle].item()
    far = Add(tuple(data.X[middle] + 2.0 * spread), y)
    some: dict[str, list[Edit]] = {
        "a row added": [far],
        "a row moved": [Move(0, tuple(data.X[0] + 0.1 * spread))],
        "the first row removed": [Remove(0)],
        "rows coming and going": [Remove(data.n - 1), far, Move(middle, tuple(data.X[0])), Remove(0), Remove(0), far],
    }
    if data.kind == "class":
        some["a label flipped"] = [Label(middle, (data.y[middle].item() + 1) % len(data.classes))]  # type: ignore[index]
    if data.kind == "number":
        some["a target changed"] = [Label(middle, 2 * float(np.max(data.y)))]  # type: ignore[arg-type]
    return some


def _check_edited(run: Timeline, t: int, edits: list[Edit], where: str) -> None:
    algorithm = run.algorithm
    try:
        data = edited(run.data, edits)
        fork = run.fork(t, data=data)
    except Refused as refusal:
        ensure(str(refusal).endswith("."), f"{where}: refused with {str(refusal)!r}, which is no sentence")
        ensure("`adapt`" not in str(refusal), f"{where}: {refusal}")
        return
    ensure(fork.data is data, f"{where}: the fork does not run on the edited data")
    if fork.from_start:
        ensure(fork.begin == 0 and fork.from_start.endswith("."), f"{where}: a run afresh begins at {fork.begin}")
        allowed = algorithm.adapt is None or algorithm.measured
        ensure(allowed, f"{where}: it starts afresh, although there is an `adapt` and nothing is `measured`")
    else:
        ensure(fork.begin == t, f"{where}: the fork begins at {fork.begin}")
        first, was = fork.at(t).state, run.at(t).state
        held = digest(was)
        _check_as_long_as_data(run.at(t).state, first, run.data.n, data.n, where)
        check_rows_named(first, data.n, where)
        ensure(digest(was) == held, f"{where}: the state of the run itself has changed")
    check_runs_on(fork, where)
    _check_scene(fork, fork.begin, where)
    _check_scene(fork, fork.last, where)


def _check_as_long_as_data(was: Any, now: Any, before: int, after: int, where: str) -> None:
    """What runs along the rows is now as long as there are rows; what does not is as long as it was."""
    kind: Any = type(was)
    axes = axes_of(kind)
    for name in was.__struct_fields__:
        old, new = getattr(was, name), getattr(now, name)
        if isinstance(old, np.ndarray) and isinstance(new, np.ndarray) and old.ndim:
            along = axes.get(name, ("",) * old.ndim)
            wanted = tuple(after if axis == "n" else length for axis, length in zip(along, old.shape))
            ensure(new.shape == wanted, f"{where}: {name} is {new.shape} for {after} rows; it was {old.shape}")


def _check_scene(fork: Timeline, t: int, where: str) -> None:
    frame = fork.at(t)
    scene = fork.algorithm.scene(fork.problem, frame.before, frame.state)
    ensure(scene.panels, f"{where}: there is nothing to see at step {t}")
    words = fork.algorithm.explain(fork.problem, frame.before, frame.state)
    check_words(words, f"{where}, step {t}")


def grips_of(run: Timeline, t: int) -> list[tuple[Panel, DragHandles]]:
    frame = run.at(t)
    panels = run.algorithm.scene(run.problem, frame.before, frame.state).panels
    return [(panel, mark) for panel in panels for mark in panel.marks if isinstance(mark, DragHandles)]


def _check_grips(run: Timeline, t: int, where: str) -> None:
    """Every place that can be dragged is finite and in the panel's space, and dragging it gives a run that goes on."""
    state = run.at(t).state
    for panel, grips in grips_of(run, t):
        d = run.data.d if panel.space == "data" else 2
        at = np.asarray(grips.at, float)
        where = f"{where}, panel {panel.title!r}"
        ensure(at.ndim == 2 and at.shape[1] == d, f"{where}: the grips are {at.shape} in {d} dimensions")
        ensure(np.isfinite(at).all(), f"{where}: a grip is not finite")
        ensure(len(grips.names) == len(at) and all(grips.names), f"{where}: {len(grips.names)} names, {len(at)} grips")
        for i in sorted({0, len(at) - 1} - {-1}):
            what = f"{where}: {grips.names[i]} dragged"
            held = digest(state)
            to = at[i] + 0.2 * (run.data.X.std(axis=0) if panel.space == "data" else np.abs(at[i]) + 0.1)
            moved = grips.moved(state, i, to)
            ensure(digest(state) == held, f"{what} changes the state that it is given")
            ensure(
                type(moved) is type(state) and (moved.t, moved.phase) == (state.t, state.phase),
                f"{what} gives a state of another moment",
            )
            ensure(digest(moved) != held, f"{what} changes nothing")
            check_runs_on(run.fork(t, state=moved), what)
            if grips.sets is not None and t == 0:
                fork = run.fork(0, **grips.sets(to))
                ensure(len(at) == 1 and fork.from_start, f"{what} at step 0 does not set where the run starts")
                check_runs_on(fork, f"{what} at step 0")
