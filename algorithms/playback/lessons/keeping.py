"""Keeping: what is on the screen as a moment of a lesson's file, so that a lesson is written by doing."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Move, Refused
from algorithms.core.dataset import NoData
from algorithms.core.parameters import as_typed
from algorithms.data.recipe import Recipe, recipe_named
from algorithms.lectures.lessons import read_lesson
from algorithms.playback.comparison.letters import LETTERS
from algorithms.playback.lessons.asked import run_beside
from algorithms.playback.lessons.saying import sentence_of
from algorithms.playback.runs.in_front import InFront
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.saving.files import Exists, file_name, write_whole
from algorithms.timeline import Timeline
from algorithms.timeline.branches import Branch

_COLUMNS = 110
_MOST_ENTRIES = 12  # of a state that were edited by hand, a line each
_MOST_FILES = 99
_LISTS = ("columns", "classes")
_ELSEWHERE = ("name", "made", "scale", "target", "map", *_LISTS)  # fields of a recipe that are no flag as they are


class Kept(Struct, frozen=True):
    """A moment that was kept: the lesson's file, and which moment of it that is, from 0."""

    path: Path
    index: int


class Beside(Struct, frozen=True, eq=False):
    """A run among others: as it was opened, the branch of it that is shown, and the step."""

    loaded: LoadedRun
    branch: Branch
    t: int


def kept_in_new(moment: str, loaded: LoadedRun, folder: Path) -> Kept:
    """Begin a lesson with a moment, in a file of a name that there was not.

    Raises:
        Refused: when it cannot be written.
    """
    stem = file_name(f"{loaded.algorithm.name}-lesson")
    for i in range(1, _MOST_FILES + 1):
        path = folder / f"{stem}{f'-{i}' if i > 1 else ''}.md"
        try:
            write_whole(path, f"---\ntitle: {loaded.algorithm.title}\n---\n\n{moment}")
        except Exists:
            continue
        return Kept(path, 0)
    raise Refused(f"there are {_MOST_FILES} files {stem}.md in this folder already.")


def kept_after(moment: str, path: Path, index: int | None) -> Kept:
    """Put a moment into a lesson's file after another, or at its end: all that stands there stays.

    Raises:
        Refused: when the file is none that can be read, or be written.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is no UTF-8'}.") from None
    lesson = read_lesson(text, str(path))
    lines = text.splitlines(keepends=True)
    last = len(lesson.moments) - 1
    index = last if index is None else min(index, last)
    at = lesson.moments[index + 1].line - 1 if index < last else len(lines)
    before, after = "".join(lines[:at]).rstrip("\n"), "".join(lines[at:])
    write_whole(path, f"{before}\n\n{moment}" + (f"\n{after}" if after else ""), overwrite=True)
    return Kept(path, index + 1)


def moment_of(loaded: LoadedRun, branch: Branch, t: int, front: InFront, beside: Sequence[Beside] = ()) -> str:
    """Write a step of a run, with what is in front of it, as a moment with the algorithm's own sentence for its text.

    Args:
        loaded: the first run, as it was opened.
        beside: the runs that stand beside it.

    Raises:
        Refused: for what no lesson says: code of one's own, rows that came or went, a run of other data by hand.
    """
    run = branch.timeline
    theorem = [] if front.theorem is None else [f"theorem {run.algorithm.theorems[front.theorem].statement}"]
    shown = [*theorem, *([f"chart {front.chart}"] if front.chart else [])]
    shown += [word for word, on in (("hall", front.hall), ("sides", front.sides)) if on]
    shown += [_compared(loaded, branch, t, each) for each in beside]
    block = "\n".join([f"run {command_of_run(loaded)}", *_way(branch, t), *shown])
    forked = f", {branch.name}" if branch.parent is not None else ""
    title = f"{loaded.algorithm.title}, step {t:,}{forked}{', side by side' if beside else ''}"
    text = [_paragraph(sentence_of(run, t))]
    text += [_paragraph(sentence_of(b.branch.timeline, b.t), f" of {x}") for x, b in zip(LETTERS[1:], beside)]
    return f"## {title}\n\n```moment\n{block}\n```\n\n" + "\n\n".join(text) + "\n"


def leading(stood: Sequence[Beside]) -> int:
    """Choose the run that a moment of runs side by side is of: one that was forked, and else the furthest one."""
    forks = [each.branch.parent is not None for each in stood]
    going = [not _ended(each.branch.timeline, each.t) for each in stood]
    return max(range(len(stood)), key=lambda i: (forks[i], going[i], stood[i].t, -i))


def _ended(run: Timeline, t: int) -> bool:
    return run.stopped is not None and t == run.last


def _compared(loaded: LoadedRun, branch: Branch, t: int, other: Beside) -> str:
    """Write what puts another run beside that of a moment."""
    run, beside = branch.timeline, other.branch.timeline
    there = beside.last if _ended(run, t) else min(t, beside.last)
    if other.t != there or (_ended(run, t) and beside.stopped is None):
        raise Refused("in a lesson runs stand side by side at one step, or all at their ends: u aligns them by step.")
    if other.branch is branch.parent:
        return "compare"
    if other.branch.parent is not None:
        raise Refused("a lesson has one fork beside the run it was forked from, and others from their start.")
    if other.loaded.spec:
        raise Refused("a lesson runs no code of its own: it shows algorithms of the catalogue.")
    changed = {name: value for each in branch.path for name, value in each.change.parameters.items()}
    like = replace(loaded, parameters=loaded.parameters | changed, data=run.problem_at(t).data)
    same = other.loaded.data is like.data or other.loaded.recipe == like.recipe
    usual = {p.name: like.parameters.get(p.name, p.default) for p in other.loaded.algorithm.parameters}
    given = [f"{name}={as_typed(value)}" for name, value in beside.parameters.items() if value != usual[name]]
    words = [*(() if same else _data_words(other.loaded.recipe)), *(word for pair in given for word in ("-p", pair))]
    if other.loaded.algorithm is not loaded.algorithm or not words:
        words = [other.loaded.algorithm.name, *words]
    again = run_beside(shlex.join(words), like)
    if again.timeline().parameters != beside.parameters or not (same or again.recipe == other.loaded.recipe):
        raise Refused("one of these runs cannot be written on a command line, so no lesson can have it.")
    return f"compare {shlex.join(words)}"


def _paragraph(sentence: str, of: str = "") -> str:
    """Write what the algorithm says so that the lesson is checked against it."""
    if set("{}") & set(sentence):
        return f"{{said{of}}}"
    whole = f"{{said{of} = {' '.join(sentence.split())}}}"
    lines = wrap(whole, _COLUMNS, break_long_words=False, break_on_hyphens=False)
    return whole if any(line.startswith(("#", "```")) for line in lines) else "\n".join(lines)


def command_of_run(loaded: LoadedRun) -> str:
    """Write what follows `python -m tui` for a run.

    Raises:
        Refused: when no command line is this run.
    """
    from algorithms.playback.runs.request import requested

    if loaded.spec:
        raise Refused("a lesson runs no code of its own: it shows algorithms of the catalogue.")
    given = [f"{name}={as_typed(value)}" for name, value in loaded.parameters.items()]
    parameters = [word for pair in given for word in ("-p", pair)]
    words = [loaded.algorithm.name, *_data_words(loaded.recipe), *parameters]
    opened = requested(words).opened
    if opened is None or opened.recipe != loaded.recipe and not isinstance(loaded.recipe, NoData):
        raise Refused("these data cannot be written on a command line, so no lesson can have them.")
    return shlex.join(words)


def _data_words(recipe: Any) -> Iterator[str]:
    if not isinstance(recipe, Recipe):
        if not isinstance(recipe, NoData):
            raise Refused("these data have no name, so no lesson can have them.")
        return
    own = ",".join(f"{name}={as_typed(value)}" for name, value in recipe.made)
    named = f"{recipe.name}:{own}" if own else recipe.name
    plain = recipe_named(named)
    yield from ("--data", named)
    if recipe.scale != plain.scale:
        yield "--scale"
    if recipe.target != plain.target:
        yield from ("--target", recipe.target or "none")
    if recipe.map != plain.map:
        yield from ("--map", recipe.map or "none")
    for name in _LISTS:
        if getattr(recipe, name) != getattr(plain, name):
            yield from (f"--{name}", ",".join(getattr(recipe, name)))
    for name in Recipe.__struct_fields__:
        if name not in _ELSEWHERE and getattr(recipe, name) != getattr(plain, name):
            yield from (f"--{name.replace('_', '-')}", str(getattr(recipe, name)))


def _way(branch: Branch, t: int) -> Iterator[str]:
    """List the instructions from the start of the first run to a step: where it forks, and then on."""
    path = [each for each in branch.path if each.begin <= t]
    here = 0
    for each in path[1:]:
        if each.begin > here:
            yield f"go {each.begin}"
            here = each.begin
        yield from _changed(each)
    run = branch.timeline
    if run.stopped is not None and t == run.last:
        yield "go end"  # the step alone does not say that it is the last one
    elif t > here:
        yield f"go {t}"


def _changed(branch: Branch) -> Iterator[str]:
    assert branch.parent is not None
    if branch.timeline.from_start:
        raise Refused("this fork begins at the start again: open it as a run of its own, and keep that.")
    change = branch.change
    if change.parameters:
        yield "fork " + shlex.join(f"{name}={as_typed(value)}" for name, value in change.parameters.items())
    for edit in change.edits:
        if not isinstance(edit, Move):
            raise Refused("rows that came, went or were labelled anew cannot be in a lesson; ctrl+s saves them.")
        yield f"edit row {edit.row} = {', '.join(map(repr, map(float, edit.at)))}"
    before = branch.parent.timeline.at(branch.begin).state
    for name, value in change.state.items():
        yield from _entries(name, before.get(name), value)


def _entries(name: str, before: Any, after: Any) -> Iterator[str]:
    """Write a field of the state that was replaced, an entry a line."""
    if isinstance(after, int | float):
        yield f"edit {name} = {after!r}"
        return
    if not isinstance(after, np.ndarray) or np.shape(before) != after.shape or after.dtype.kind not in "fiu":
        raise Refused(f"{name} was changed in a way that a lesson cannot write; ctrl+s saves it.")
    places = np.argwhere(after != before).tolist()
    if len(places) > _MOST_ENTRIES:
        raise Refused(f"{len(places)} entries of {name} were changed, too many to be written; ctrl+s saves them.")
    for place in places:
        yield f"edit {name}[{','.join(map(str, place))}] = {float(after[tuple(place)])!r}"
