"""Played: a moment of a lesson on its run."""

import re
import shlex
from collections.abc import Iterable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Move, Refused
from algorithms.core.catalogue import names
from algorithms.data.recipe import name_and_value
from algorithms.lectures.lessons import Instruction, Lesson, Misread
from algorithms.playback.runs.in_front import InFront, in_front
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.place import place
from algorithms.timeline import Timeline
from algorithms.timeline.branches import Branch, Branches, Change

_ENTRY = re.compile(r"(?P<field>\w+)(\[(?P<index>[\d, ]+)\])? = (?P<value>[+-]?[\d.]+(e[+-]?\d+)?)")
_MOVED = re.compile(r"row (?P<row>\d+) = (?P<at>[-+.,\de ]+)")
_NOT_HERE = (
    "--at",
    "--open",
    "--follow",
    "--against",
    "--theme",
    "--ascii",
    "--hall",
    "--theorem",
    "--chart",
    "--lesson",
    "--lessons",
    "--notes",
)


class Played(Struct, frozen=True, eq=False):
    """A moment on its run.

    Attributes:
        loaded: the run as it was opened.
        branches, branch: the run with its forks, and that which is shown.
        t: the step.
        front: what is in front.
    """

    loaded: LoadedRun
    branches: Branches
    branch: Branch
    t: int
    front: InFront

    @property
    def run(self) -> Timeline:
        return self.branch.timeline


def played(lesson: Lesson, index: int, *, answered: bool = False) -> Played:
    """Run a lesson to one of its moments, on a run of its own that has gone no further than that takes.

    Args:
        answered: whether its question was, so that its step is taken.

    Raises:
        Misread: for what cannot be done, with its line.
    """
    moment = lesson.moments[index]
    leading = lesson.instructions_to(index)
    if answered and moment.ask is not None:
        leading.append(moment.ask.go)
    there = _Way(lesson, leading).end()
    front = _in_front(lesson, moment.instructions, there.branch.timeline)
    return Played(there.loaded, there.branches, there.branch, there.t, front)


class _Way:
    """Goes where instructions lead, one after the other."""

    def __init__(self, lesson: Lesson, instructions: Iterable[Instruction]):
        first, *self.rest = instructions
        self.lesson, self.t = lesson, 0
        with _Told(lesson, first):
            self.loaded = _loaded(first.rest)
            self.branches = Branches(self.loaded.timeline())
            self.branch = self.branches.root
            self.branch.timeline.advance(1)

    def end(self) -> "_Way":
        for one in self.rest:
            with _Told(self.lesson, one):
                if one.word == "go":
                    self.t = place(self.branch.timeline, one.rest, self.t)
                else:
                    change = self._forked(one.rest) if one.word == "fork" else self._edited(one.rest)
                    self.branch = self.branches.fork(self.branch, self.t, change)
                    self.t = self.branch.begin
                    self.branch.timeline.advance(1 - len(self.branch.timeline))
        return self

    @staticmethod
    def _forked(text: str) -> Change:
        return Change(parameters=dict(name_and_value(pair, "fork eta=0.1") for pair in shlex.split(text)))

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
            raise Misread(self.lesson.file, one.line, f"{one.word} {one.rest}: {error}") from None


def _loaded(text: str) -> LoadedRun:
    """Load a run of the catalogue: a lesson runs no code of its own, and shows one run."""
    from algorithms.playback.runs.request import requested

    words = shlex.split(text)
    if words[0] not in names():
        raise Refused(f"{words[0]} is no algorithm of the catalogue")
    if wrong := [word for word in words if word in _NOT_HERE]:
        raise Refused(f"{wrong[0]} has no place in a lesson")
    opened = requested(words).opened
    assert opened is not None
    return opened


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
