"""Recorder: a run written to a file as it happens; whatever becomes of the process, what was written can be read."""

import os
import traceback
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from types import GeneratorType, TracebackType
from typing import Any, Self, TypeVar

import msgspec
import numpy as np

from algorithms.core.algorithm import Algorithm
from algorithms.core.catalogue import find, names
from algorithms.core.dataset import Dataset
from algorithms.core.errors import Raised, Refused
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.words import point_of
from algorithms.saving.runlog.index import IndexWriter
from algorithms.saving.runlog.logfile import Kind, LogWriter
from algorithms.saving.runlog.pack import Packer
from algorithms.saving.runlog.records import EndRecord, Header, RowsRecord, SeamRecord, StepRecord, VerdictRecord
from algorithms.saving.runlog.resuming import differences, taken_up
from algorithms.saving.runlog.settings import recordable
from algorithms.timeline.hooks import Hooks
from algorithms.userfile.importing import script_of, view_beside
from algorithms.userfile.in_process import data_of
from algorithms.userfile.plain import PlainAlgorithm
from algorithms.userfile.state import START, STEP, PlainState
from algorithms.userfile.steps import PlainSteps, Script, phase_in, rounds_in
from algorithms.userfile.values import yielded_fields
from algorithms.userfile.view import NO_VIEW, View

T = TypeVar("T")

_PHASES = {START: "called; it has yielded nothing yet", STEP: "what it yielded"}
_OF_ALL = set(State.__struct_fields__)  # what every state has


class Recorder:
    """A new recording. Every step is in the file when `write` returns, and stays there if the process is killed.

    It opens with `python -m tui --follow FILE`, also while it is still being written, and needs no code for that.

    Args:
        path: the file; it must not be there, but for `overwrite` and `append`.
        title: what the run is called on the screen.
        data: the rows it learns from, if they are to be shown: a Dataset, or (n, d) numbers.
        y: (n,) targets, when `data` are numbers.
        parameters: what it ran with, by name; what is no number, text or truth value is recorded as its text.
        overwrite: whether a file that is there is replaced.
        append: whether a recording that is there is gone on with, as by a script that was begun again; where it is, is
            an event of the run. Its title, data and view stay; what differs of data and parameters is said there.
        view: how fields are shown, where that cannot be guessed: `{"loss": "log", "train test": "together"}`, as a
            VIEW beside a generator; of one that is recorded with `over` its own VIEW where none is given.

    Raises:
        Refused: when the file is there, or cannot be written, or gone on with; or a view cannot be meant, with the
            ways that there are.

    >>> from algorithms import Recorder
    >>> with Recorder("run.log", title="halving") as recorder:  # doctest: +SKIP
    ...     for i in range(10):
    ...         recorder.write({"x": 0.5**i})
    """

    def __init__(
        self,
        path: str | Path,
        *,
        title: str = "",
        data: Any = None,
        y: Any = None,
        parameters: Mapping[str, Any] | None = None,
        overwrite: bool = False,
        append: bool = False,
        view: Mapping[str, str] | None = None,
    ):
        if append and overwrite:
            raise Refused("a recording is gone on with or replaced: append or overwrite, and not both.")
        self._view = View.read(view, "the view of a recording")
        self._title = title
        self._data = None if data is None else Dataset.of(data, y)
        self._parameters = recordable(parameters or {})
        self._hooks: Hooks | None = None
        self._begin(path, overwrite, append)

    @classmethod
    def of(cls, path: str | Path, algorithm: Algorithm, problem: Problem, *, overwrite: bool = False) -> Self:
        """Begin a recording of a run of an Algorithm on a problem, with its curves, theorems and words; see `keep`."""
        made = cls.__new__(cls)
        made._hooks, made._view = Hooks(algorithm, problem), NO_VIEW
        made._begin(path, overwrite)
        return made

    def _begin(self, path: str | Path, overwrite: bool, append: bool = False) -> None:
        self._old = taken_up(path) if append and os.path.lexists(path) else None
        if self._old is None:
            self._tape, self._packer, self._index = LogWriter(path, overwrite=overwrite), Packer(), IndexWriter()
        else:
            self._tape, self._index = self._old.tape, self._old.index
            self._packer = Packer(self._old.arrays, self._old.parts)
            self._view = View.read(self._old.view, "the view of a recording")
        self._begun = self._ended = False
        self.steps = self._old.steps if self._old else 0  # so many are in the file

    # A run of one's own

    def write(self, yielded: Any) -> None:
        """Record a step: a number, an array, a state, or a dict, tuple, dataclass, NamedTuple or Struct of such.

        Raises:
            Refused: when it is too large, or the file cannot be written any further.
        """
        if not self._begun:
            self._open_with(None)
        if isinstance(yielded, PlainState):
            self._write_own(yielded, 0)
        elif isinstance(yielded, State):
            fields = yielded_fields({n: getattr(yielded, n) for n in yielded.__struct_fields__ if n not in _OF_ALL})
            self._write_own(PlainState(iteration=yielded.iteration, phase=yielded.phase, fields=fields), 0)
        else:
            fields = yielded_fields(yielded)
            rounds = rounds_in(fields, self.steps, self._view)
            self._put(StepRecord(self.steps, rounds, phase_in(fields), 0, self._packer.step(dict(fields))))

    def over(self, states: Iterable[T]) -> Generator[T, None, Any]:
        """Yield what `states` yields, each recorded on its way, with the line, the local variables and how it ended.

        >>> from algorithms import Recorder
        >>> for state in Recorder("run.log").over(my_generator(X)):  # doctest: +SKIP
        ...     print(state)
        """
        seen = _Seen(states)
        script = Script("", 1, ())
        if isinstance(states, GeneratorType):
            script = script_of(states.gi_code)
            if not self._begun and self._data is None:
                self._data = data_of(states)
            if not self._begun and self._view == NO_VIEW and not self._old and states.gi_frame is not None:
                self._view = view_beside(states.gi_frame.f_globals)
        if not self._begun:
            self._open_with(script, getattr(states, "__name__", ""))
        old = self._old
        steps = PlainSteps(lambda: seen, script, view=self._view, made=old.iterations if old else 0)
        same_source = old is None or old.header is None or old.header.lines == script.lines
        try:
            while True:
                try:
                    state = next(steps)
                except StopIteration as end:
                    self.end(str(end.value or "it has ended"))
                    return end.value
                if old is None or state.phase != START:
                    self._write_own(state, steps.gi_frame.f_lineno if same_source else 0)
                if state.phase != START:
                    yield seen.last
        except GeneratorExit:
            self.end("it was not watched any further")
            raise
        except Raised as error:
            self.end(error.reason, error.line, error.details)
            raise (error.__cause__ or error) from None

    def _open_with(self, script: Script | None, name: str = "") -> None:
        """Write what the recording begins with, or where it goes on."""
        script = script or Script("", 1, ())
        if self._old is None or self._old.header is None:
            self._write_header(script, name)
            return
        self._begun = True
        self._add(Kind.SEAM, SeamRecord(_text(differences(self._old.header, self._data, self._parameters, script))))

    def _write_header(self, script: Script, name: str) -> None:
        title = self._title or name or self._tape.path.stem
        packer = Packer()
        header = Header(
            title=title,
            name=name or title,
            summary=f"{title}, from {Path(script.file).name}" if script.file else title,
            parameters={name: packer.value(value) for name, value in self._parameters.items()},
            phases=_PHASES,
            file=Path(script.file).name,
            first=script.first,
            lines=script.lines,
            data=None if self._data is None else RowsRecord.of(self._data),
            view=self._view.plain(),
        )
        self._put_header(header)

    # A run of an Algorithm

    def keep(self, before: State | None, state: State, line: int) -> None:
        """Record a state of the algorithm that this is a recording `of`, yielded in that line of its file."""
        assert self._hooks is not None
        hooks, algorithm = self._hooks, self._hooks.algorithm
        if not self._begun:
            self._put_header(_header_of(algorithm, hooks.problem, state))
        if isinstance(state, PlainState):
            self._write_own(state, line)
            return
        values = hooks.values(state)
        fields = {n: getattr(state, n) for n in state.__struct_fields__ if n not in _OF_ALL}
        words = _words(algorithm, hooks.problem, before, state)
        self._put(
            StepRecord(
                self.steps,
                state.iteration,
                state.phase,
                line,
                self._packer.step(fields),
                curves={c.name: v for c, v in zip(algorithm.curves, values) if not np.isnan(v)},
                events=hooks.events(before, state),
                verdicts=tuple(map(VerdictRecord.of, hooks.verdicts(before, state))),
                words=str(words),
                point=point_of(words),
            )
        )

    # The end

    def end(self, reason: str, line: int = 0, details: str = "") -> None:
        """Say why no more steps come, once; `details`, a traceback, when it failed. Then the file is closed."""
        if self._ended:
            return
        self._ended = True
        try:
            if not self._begun and self._hooks is None:
                self._open_with(None)
            if self._begun and not self._tape.closed:  # it is, once the disk was full
                self._tape.add((Kind.END, msgspec.msgpack.encode(EndRecord(_text(reason), line, _text(details)))))
        finally:
            self._tape.close()

    def close(self) -> None:
        """End it, if that was not said before."""
        self.end("no more was recorded")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        elif isinstance(error, Exception) and not isinstance(error, BrokenPipeError):
            self.end(f"{type(error).__name__}: {error}", 0, "".join(traceback.format_exception(error)))
        else:
            self.end("it was interrupted")

    # What is put on the tape

    def _write_own(self, state: PlainState, line: int) -> None:
        self._put(
            StepRecord(
                self.steps,
                state.iteration,
                state.phase,
                line,
                self._packer.step(dict(state.fields)),
                state.frame,
                state.remark,
                warned=state.warned,
            )
        )

    def _put_header(self, header: Header) -> None:
        self._begun = True
        self._add(Kind.HEADER, header)

    def _put(self, step: StepRecord) -> None:
        if self._ended:
            raise Refused(f"{self._tape.path} has ended: a step cannot be added to it.")
        try:
            self._add(Kind.STEP, step)
        except UnicodeEncodeError:  # rare, so that not each text is looked at beforehand
            self._add(Kind.STEP, _written(step))
        self.steps += 1

    def _add(self, kind: Kind, record: Any) -> None:
        body = msgspec.msgpack.encode(record)
        new, self._packer.new = self._packer.new, []
        *before, at = self._tape.add(*new, (kind, body))
        for (of, _), place in zip(new, before):
            self._index.other(of, place)
        if kind is not Kind.STEP:
            self._index.other(kind, at)
            return
        self._index.step(at, record.iteration, (record.phase, record.line, record.events))
        if self._index.due:
            (at,) = self._tape.add((Kind.INDEX, self._index.record()))
            self._index.other(Kind.INDEX, at)


class _Seen(Iterator[Any]):
    """What is iterated over, with the last of it; where a generator stands can still be asked."""

    def __init__(self, things: Iterable[Any]):
        self._things = iter(things)
        self.last: Any = None

    @property
    def gi_frame(self) -> Any:
        return getattr(self._things, "gi_frame", None)

    def __next__(self) -> Any:
        self.last = next(self._things)
        return self.last


def _header_of(algorithm: Algorithm, problem: Problem, state: State) -> Header:
    own = isinstance(state, PlainState)
    fields = () if own else tuple(n for n in state.__struct_fields__ if n not in _OF_ALL)
    header = Header.of(algorithm, problem, fields, algorithm.name in names() and find(algorithm.name) is algorithm)
    view = algorithm.view if isinstance(algorithm, PlainAlgorithm) else NO_VIEW
    return msgspec.structs.replace(header, view=view.plain())


def _words(algorithm: Algorithm, problem: Problem, before: State | None, state: State) -> str:
    try:
        return algorithm.explain(problem, before, state)
    except Exception as error:
        return f"what there is to say of this step could not be made: {type(error).__name__}: {error}"


def _written(step: StepRecord) -> StepRecord:
    """Give the step with texts that can be written as UTF-8."""
    texts = {name: _text(getattr(step, name)) for name in ("phase", "remark", "words", "point", "warned")}
    frame = tuple((_text(name), _text(value)) for name, value in step.frame)
    return msgspec.structs.replace(step, frame=frame, **texts)


def _text(text: str) -> str:
    """Make a text that can be written as UTF-8: file names may hold halves of characters."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
