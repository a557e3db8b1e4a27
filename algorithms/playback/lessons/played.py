"""Played: a moment of a lesson on its run."""

import re
import shlex
from collections.abc import Iterable
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Move, Refused
from algorithms.data.recipe import name_and_value
from algorithms.lectures.lessons import Instruction, Lesson, Misread, Moment
from algorithms.playback.comparison.compared_run import MOST, ComparedRun, distinct
from algorithms.playback.lessons.asked import run_asked, run_beside
from algorithms.playback.lessons.ends import Ends, ends_of
from algorithms.playback.lessons.knob import Knob, knob_of
from algorithms.playback.runs.in_front import InFront, in_front
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.place import place
from algorithms.timeline import Timeline
from algorithms.timeline.branches import Branch, Branches, Change

_ENTRY = re.compile(r"(?P<field>\w+)(\[(?P<index>[\d, ]+)\])? = (?P<value>[+-]?[\d.]+(e[+-]?\d+)?)")
_MOVED = re.compile(r"row (?P<row>\d+) = (?P<at>[-+.,\de ]+)")


class Played(Struct, frozen=True, eq=False):
    """A moment on its run.

    Attributes:
        loaded: the run as it was opened.
        branches, branch: the run with its forks, and that which is shown.
        t: the step.
        front: what is in front.
        beside: the runs that stand beside it.
        ends: the runs that are made like it, None for none.
        knob: the parameter that can be turned, None for none.
        led: the instructions that led there; none of a run in which something was turned.
        reached: how far its runs had come then.
    """

    loaded: LoadedRun
    branches: Branches
    branch: Branch
    t: int
    front: InFront
    beside: tuple[ComparedRun, ...] = ()
    ends: Ends | None = None
    knob: Knob | None = None
    led: tuple[Instruction, ...] = ()
    reached: tuple[tuple[int, bool], ...] = ()

    @property
    def run(self) -> Timeline:
        return self.branch.timeline

    @property
    def compared(self) -> list[ComparedRun]:
        """List the run and those beside it."""
        return [ComparedRun("", self.run), *self.beside]

    @property
    def ended(self) -> bool:
        """Tell whether the run has ended at this step: then those beside it have too."""
        return self.run.stopped is not None and self.t == self.run.last

    def at(self, run: Timeline) -> int:
        """Tell at which step the run, or one beside it, stands."""
        return run.last if self.ended else min(self.t, run.last)

    def besides(self) -> list[str]:
        """Say in words what it has besides its run."""
        lines = [] if self.ends is None else self.ends.lines()
        if self.beside:
            runs = zip("ABCD", distinct(self.compared), self.compared)
            lines += [f"{letter}: {name}, step {self.at(each.timeline):,}" for letter, name, each in runs]
        if self.knob is not None:
            low, high = self.knob.ends
            lines.append(f"{self.knob.name} can be turned from {low} to {high}")
        return lines


def played(
    lesson: Lesson,
    index: int,
    *,
    answered: bool = False,
    turned: tuple[str, float] | None = None,
    on: Played | None = None,
) -> Played:
    """Run a lesson to one of its moments, on a run of its own that has gone no further than that takes.

    Args:
        answered: whether its question was, so that its step is taken.
        turned: a parameter that was turned, and to what.
        on: where the lesson was before, and is no more: its run goes on where that leads to the moment.

    Raises:
        Misread: for what cannot be done, with its line.
    """
    moment = lesson.moments[index]
    leading = lesson.instructions_to(index)
    if answered and moment.ask is not None:
        leading.append(moment.ask.go)
    there = _Way(lesson, leading, turned, on if _leads(on, leading, turned) else None).end()
    front = _in_front(lesson, moment.instructions, there.branch.timeline)
    led, reached = tuple(leading) if turned is None else (), _reached(there.branches)
    shown = Played(there.loaded, there.branches, there.branch, there.t, front, led=led, reached=reached)
    return _with_besides(lesson, moment, shown)


def _leads(on: Played | None, leading: list[Instruction], turned: tuple[str, float] | None) -> bool:
    """Tell whether instructions go on from a moment whose runs are as they were when it was played."""
    if on is None or turned is not None or not on.led or list(on.led) != leading[: len(on.led)]:
        return False
    return _reached(on.branches) == on.reached


def _reached(branches: Branches) -> tuple[tuple[int, bool], ...]:
    return tuple((branch.timeline.last, branch.timeline.stopped is None) for branch in branches.all)


def _with_besides(lesson: Lesson, moment: Moment, shown: Played) -> Played:
    """Add what a moment has besides its run."""
    path, run = shown.branch.path, shown.run
    forked = {name: value for each in path for name, value in each.change.parameters.items()}
    like = replace(shown.loaded, parameters=shown.loaded.parameters | forked, data=run.problem_at(shown.t).data)
    for one in moment.said_by("compare"):
        with _Told(lesson, one):
            if len(shown.beside) == MOST - 1:
                raise Refused(f"{MOST} runs at most stand beside each other")
            shown = replace(shown, beside=(*shown.beside, _beside(one.rest, like, shown)))
    for one in moment.said_by("sweep"):
        with _Told(lesson, one):
            shown = replace(shown, ends=ends_of(one.rest, like, shown.front.chart))
    for one in moment.said_by("knob"):
        with _Told(lesson, one):
            shown = replace(shown, knob=knob_of(one.rest, run, shown.t))
    return shown


def _beside(text: str, like: LoadedRun, shown: Played) -> ComparedRun:
    """Make the run that stands beside that of a moment, as far as it is seen."""
    if text:
        opened = run_beside(text, like)
        made = ComparedRun("", opened.timeline(), opened)
    elif shown.branch.parent is None:
        raise Refused("beside which run? It is forked from none: name an algorithm, or what differs, -p eta=0.1")
    else:
        made = ComparedRun(shown.branch.parent.name, shown.branch.parent.timeline)
    run = made.timeline
    if shown.ended:
        run.run()
    else:
        run.advance(shown.t + 1 - len(run))
    return made


class _Way:
    """Goes where instructions lead, one after the other.

    Args:
        turned: a parameter that has another value than the instructions say, where it is said last.
        on: where the first of them have led already.
    """

    def __init__(
        self,
        lesson: Lesson,
        instructions: Iterable[Instruction],
        turned: tuple[str, float] | None = None,
        on: Played | None = None,
    ):
        first, *self.rest = instructions
        self.lesson, self.t = lesson, 0
        self._turned, self._at = ({}, first) if turned is None else (dict([turned]), first)
        for one in self.rest:
            if one.word == "fork" and turned is not None and turned[0] in _pairs(one.rest):
                self._at = one
        if on is not None:
            self.rest = self.rest[len(on.led) - 1 :]
            self.loaded, self.branches, self.branch, self.t = on.loaded, on.branches, on.branch, on.t
            return
        with _Told(lesson, first):
            self.loaded = run_asked(first.rest)
            if self._at is first and self._turned:
                self.loaded = replace(self.loaded, parameters=self.loaded.parameters | self._turned)
            self.branches = Branches(self.loaded.timeline())
            self.branch = self.branches.root
            self.branch.timeline.advance(1)

    def end(self) -> "_Way":
        for one in self.rest:
            with _Told(self.lesson, one):
                if one.word == "go":
                    self.t = place(self.branch.timeline, one.rest, self.t)
                else:
                    change = self._forked(one) if one.word == "fork" else self._edited(one.rest)
                    self.branch = self.branches.fork(self.branch, self.t, change)
                    self.t = self.branch.begin
                    self.branch.timeline.advance(1 - len(self.branch.timeline))
        return self

    def _forked(self, one: Instruction) -> Change:
        return Change(parameters=_pairs(one.rest) | (self._turned if one is self._at else {}))

    def _edited(self, text: str) -> Change:
        moved, entry = _MOVED.fullmatch(text), _ENTRY.fullmatch(text)
        if moved is not None:
            return Change(edits=(Move(int(moved["row"]), tuple(map(float, moved["at"].split(",")))),))
        if entry is None:
            raise Refused("an edit is of an entry of the state, means[1,0] = 0.5, or of a row, row 3 = 1.5, 2")
        state = self.branch.timeline.at(self.t).state.parts()
        if entry["field"] not in state:
            raise Refused(f"the state has no {entry['field']}; it has {', '.join(state)}")
        if entry["index"] is None:
            return Change(state={entry["field"]: type(state[entry["field"]])(float(entry["value"]))})
        changed = np.array(state[entry["field"]])
        try:
            changed[tuple(map(int, entry["index"].split(",")))] = float(entry["value"])
        except (IndexError, ValueError) as error:
            raise Refused(f"{entry['field']} has no such entry: {error}") from None
        return Change(state={entry["field"]: changed})


def _pairs(text: str) -> dict[str, Any]:
    return dict(name_and_value(pair, "fork eta=0.1") for pair in shlex.split(text))


class _Told:
    """Tells of what cannot be done with the line that asks for it."""

    def __init__(self, lesson: Lesson, instruction: Instruction):
        self.lesson, self.instruction = lesson, instruction

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Misread):
            return
        if isinstance(error, Refused | IndexError | ValueError):
            one = self.instruction
            raise Misread(self.lesson.file, one.line, f"{one.word} {one.rest}".strip() + f": {error}") from None


def _in_front(lesson: Lesson, instructions: Iterable[Instruction], run: Timeline) -> InFront:
    front = InFront()
    for one in instructions:
        with _Told(lesson, one):
            if one.word == "theorem":
                front = replace(front, theorem=in_front(run.algorithm, theorem=one.rest).theorem)
            elif one.word == "chart":
                front = replace(front, chart=in_front(run.algorithm, chart=one.rest).chart)
            elif one.word == "sides":
                front = replace(front, sides=True)
            elif one.word == "hall":
                front = replace(front, hall=True)
    return front
