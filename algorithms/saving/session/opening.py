"""From a session to runs: every branch replayed as far as it was, in slices, and held against what was noted."""

import shlex
from collections.abc import Generator, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.algorithm import Algorithm
from algorithms.core.catalogue import find
from algorithms.core.dataset import Source
from algorithms.core.errors import Refused
from algorithms.core.state import State
from algorithms.core.text import printable
from algorithms.saving.session.capture import here
from algorithms.saving.session.schema import SavedBranch, Session, read_session
from algorithms.saving.session.sources import source_of
from algorithms.saving.session.values import field_of
from algorithms.timeline.branches import Branch, Branches, Change
from algorithms.timeline.digests import TRACE, Difference, Digester, FieldDigest
from algorithms.timeline.timeline import Timeline

_SLICE = 0.01  # seconds of work between two looks at the clock
_MOST_VALUES, _LONGEST_VALUE = 1_000, 500


class Mismatch(Struct, frozen=True):
    """The first of a branch's noted steps whose state is not as it was saved.

    Attributes:
        words: what differs and by how much, and up to where all was equal.
        rounding: whether that is rounding, as on another processor; the first step at which it is more is another.
    """

    branch: str
    t: int
    words: str
    rounding: bool = False

    def __str__(self) -> str:
        return f"{self.branch}: {self.words}"


class ReplayedRuns:
    """A first run and its forks being run again.

    Args:
        session: what the file says of them.
        path: the file.
        algorithm, instead: as of `Opening`.

    Attributes:
        file: the name of the file.
        session: what the file says.
        algorithm, source: what runs, and what its data are made by.
        branches: the tree, whole when `done`.
        compared: how many noted steps of each branch are as they were saved, or differ by rounding.
        differences: the first of each branch that is not as it was saved, and the first that is so by more than
            rounding.

    Raises:
        Refused: when its data, algorithm or parameters are not to be had.
    """

    def __init__(self, session: Session, path: Path, algorithm: Algorithm | None, instead: str):
        self.path, self.session = path, session
        self.file = printable(path.name)
        self.algorithm = _algorithm(session, algorithm, path, instead)
        self.source: Source = source_of(session.data, path.parent, self.file)
        _check_values(session.parameters, self.file)
        timeline = Timeline(self.algorithm, self.source.load(), session.parameters)
        self.branches = Branches(timeline)
        self.compared: dict[str, int] = {}
        self.differences: list[Mismatch] = []
        self.done = False
        self._digester = Digester(session.version)
        self._refused: Refused | None = None
        self._named: dict[str, Branch] = {}
        self._far = _extents(session)
        self._behind, self._steps = 0, sum(far for far in self._far.values()) or 1
        self._going = self._replayed()

    @property
    def differs(self) -> bool:
        """Tell whether a state is not as it was saved by more than rounding, as on another processor."""
        return not all(one.rounding for one in self.differences)

    @property
    def moved(self) -> str:
        """Say where it was saved, when that is another machine or another NumPy than here; else ""."""
        return self.session.written_by if self.session.written_by != here() else ""

    @property
    def progress(self) -> float:
        """Measure how much has been replayed, from 0 to 1."""
        running = list(self._named.values())[-1:]
        return min((self._behind + sum(len(branch.timeline) for branch in running)) / self._steps, 1.0)

    def branch(self, name: str) -> Branch:
        """Get the branch that the file calls so; there are all of them when it is `done`."""
        return self._named[name]

    def work(self, seconds: float = float("inf")) -> bool:
        """Replay for so long at most; whether all is done.

        Raises:
            Refused: when a fork cannot be made again.
        """
        if self._refused is not None:
            raise self._refused
        until = perf_counter() + seconds
        while not self.done:
            try:
                self.done = next(self._going, True)
            except Refused as refused:
                self._refused = refused
                raise
            if perf_counter() >= until:
                break
        return self.done

    def _replayed(self) -> Iterator[bool]:
        """Make and run every branch; False is yielded whenever there is more to be done."""
        for saved in self.session.branches:
            branch = self._made(saved)
            self._named[saved.name] = branch
            self.compared[saved.name] = 0
            equal = branch.begin - 1
            trace = bytes.fromhex("".join(self.session.traces.get(saved.name, ())))
            for step in self.session.states.get(saved.name, ()):
                rounded = self._rounded(saved.name)
                first = None
                if not rounded:
                    first = yield from self._traced(branch, trace, equal + 1, step.t)
                yield from self._run(branch, step.t)
                differs = yield from self._compared(branch, step.t, step.fields)
                rounding = self.moved if differs is None else differs.rounding
                if (differs or first is not None) and not (rounded and rounding):
                    known = first if first is not None else step.t if trace or equal == step.t - 1 else None
                    words = differs.words if differs else ""
                    self._differs(saved.name, step.t, equal, None if rounded else known, words, bool(rounding))
                    if not rounding:
                        break
                equal, self.compared[saved.name] = step.t, self.compared[saved.name] + 1
            yield from self._run(branch, self._far[saved.name])
            if not len(branch.timeline):
                stopped = branch.timeline.stopped
                raise Refused(
                    printable(f"{self.file}: {saved.name!r} has no first state: {stopped and stopped.reason}.")
                )
            if saved.ended:
                yield from self._end(branch, saved.name, equal)
            self._behind += self._far[saved.name]

    def _made(self, saved: SavedBranch) -> Branch:
        """Make the branch itself: the first run, or a fork of one that was made before."""
        if not saved.parent:
            if saved.name != self.branches.root.name:
                self.branches.rename(self.branches.root, saved.name)
            return self.branches.root
        parent = self._named[saved.parent]
        run = parent.timeline
        where = f"{self.file}: {saved.name!r} cannot be forked from {saved.parent!r} at step {saved.at}"
        if saved.at > run.last:
            raise Refused(f"{where}: that run has come to step {run.last} only.")
        try:
            _check_values(saved.change.parameters, self.file)
            before = run.at(run.nearest_entry(saved.at)).state
            state = {
                name: field_of(name, value, getattr(before, name, None)) for name, value in saved.change.state.items()
            }
            change = Change(parameters=dict(saved.change.parameters), edits=saved.change.edits, state=state)
            return self.branches.fork(parent, saved.at, change, saved.name)
        except Exception as error:  # whatever a file says must not end in a traceback
            reason = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
            raise Refused(f"{where}: {printable(reason[:300])}") from None

    def _run(self, branch: Branch, t: int) -> Iterator[bool]:
        run = branch.timeline
        while len(run) <= t and not run.stopped:
            run.advance(t + 1 - len(run), _SLICE)
            yield False

    def _end(self, branch: Branch, name: str, equal: int) -> Iterator[bool]:
        """Have the end of a run that had ended, and say so when there is none."""
        run = branch.timeline
        last = run.last
        while not run.stopped and run.last == last:
            run.advance(1, _SLICE)
            yield False
        if not run.stopped and all(one.branch != name or one.rounding for one in self.differences):
            self._differs(name, last + 1, equal, last + 1, f"the run had ended at step {last}")

    def _state(self, branch: Branch, t: int) -> Generator[bool, None, State | None]:
        """Get the state at t, which may take several slices; None when it is not kept and cannot be replayed."""
        frame = None
        while frame is None:
            frame = branch.timeline.fetch(t, _SLICE)
            yield False
        return frame.state if frame.t == t else None

    def _compared(
        self, branch: Branch, t: int, fields: dict[str, FieldDigest]
    ) -> Generator[bool, None, Difference | None]:
        """Say how the state at t differs from what was noted, None where it does not."""
        run = branch.timeline
        if t > run.last:
            return Difference(f"the run ends at step {run.last}: {run.stopped.reason if run.stopped else ''}")
        state = yield from self._state(branch, t)
        return None if state is None else self._digester.difference(fields, state, bool(self.moved))

    def _rounded(self, name: str) -> bool:
        """Tell whether a branch is known to differ by rounding, so that from there on no step is equal bit for bit."""
        return any(one.branch == name and one.rounding for one in self.differences)

    def _traced(self, branch: Branch, trace: bytes, begin: int, end: int) -> Generator[bool, None, int | None]:
        """Find the first step from `begin` on, before `end`, whose trace is not as it was saved; None if none is so."""
        run = branch.timeline
        size = TRACE
        for t in range(begin, min(end, run.begin + len(trace) // size)):
            yield from self._run(branch, t)
            if t > run.last:
                return t
            state = yield from self._state(branch, t)
            at = (t - run.begin) * size
            if state is not None and self._digester.trace(state) != trace[at : at + size]:
                return t
        return None

    def _differs(self, name: str, t: int, equal: int, first: int | None, words: str, rounding: bool = False) -> None:
        """Note that a branch differs: `first` is the first such step, if it is known, and `words` are of step t."""
        if first is None:
            still = "still is, but for rounding" if self._rounded(name) else "still is"
            sentence = f"step {t} is not as it was saved, and step {equal} {still}: {words}"
        elif first < t and words:
            sentence = f"step {first} is the first that is not as it was saved; at step {t} {words}"
        else:
            sentence = f"step {first} is the first that is not as it was saved{': ' if words else ''}{words}"
        self.differences.append(Mismatch(name, t if first is None else first, printable(sentence), rounding))


class Opening(ReplayedRuns):
    """A session being opened.

    Args:
        path: the file.
        algorithm: the one it is of, if it is the reader's own: opening runs no code, so it is loaded beforehand.
        instead: what would open one of the reader's own, with {file} and {spec} in it.

    Attributes:
        beside: the runs from elsewhere that it compares with its own; they are replayed after these.

    Raises:
        Refused: when the file is no session, or its data, algorithm or parameters are not to be had.

    >>> from algorithms import Opening
    >>> opening = Opening("lesson.json")  # doctest: +SKIP
    >>> opening.work()  # doctest: +SKIP
    True
    """

    def __init__(
        self,
        path: str | Path,
        algorithm: Algorithm | None = None,
        *,
        instead: str = "python -m tui {spec} --open {file}",
    ):
        path = Path(path)
        session: Session = read_session(path)
        super().__init__(session, path, algorithm, instead)
        own = {session.spec: algorithm}
        self.beside = tuple(ReplayedRuns(each, path, own.get(each.spec), instead) for each in session.beside)

    @property
    def progress(self) -> float:
        return (super().progress + sum(each.progress for each in self.beside)) / (1 + len(self.beside))

    def _replayed(self) -> Iterator[bool]:
        yield from super()._replayed()
        for each in self.beside:
            while not each.work(0.0):
                yield False
            title = each.algorithm.title
            self.differences += [replace(one, branch=f"{title}, {one.branch}") for one in each.differences]


def _algorithm(session: Session, given: Algorithm | None, path: Path, instead: str) -> Algorithm:
    file = printable(path.name)
    if given is not None:
        if given.name != session.algorithm:
            raise Refused(f"{file} is a session of {session.algorithm}, not of {given.name}.")
        return given
    if session.spec:
        would_do = instead.format(spec=shlex.quote(session.spec), file=shlex.quote(str(path)))
        raise Refused(
            f"{file} is a session of {session.algorithm} in {session.spec}, and opening one runs no code: "
            f"`{printable(would_do)}` names the code that is to run."
        )
    return find(session.algorithm)


def _extents(session: Session) -> dict[str, int]:
    """Measure how far each branch is run: to its last noted step, its cursor, and where others are forked from it."""
    last = {name: steps[-1].t for name, steps in session.states.items() if steps}
    far = {branch.name: max(branch.cursor, last.get(branch.name, 0)) for branch in session.branches}
    far[session.cursor.branch] = max(far[session.cursor.branch], session.cursor.t)
    for branch in session.branches:
        if branch.parent:
            far[branch.parent] = max(far[branch.parent], branch.at)
    return far


def _check_values(parameters: dict[str, Any], file: str) -> None:
    """Parameters are numbers, short texts, and lists of such."""
    for name, value in parameters.items():
        parts = value if isinstance(value, list) else [value]
        if len(parts) > _MOST_VALUES or any(
            isinstance(part, dict | list) or (isinstance(part, str) and len(part) > _LONGEST_VALUE) for part in parts
        ):
            raise Refused(f"{file} is damaged: {printable(name)} is no value of a parameter.")
