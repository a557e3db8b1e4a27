"""LoggedRun: a recording as an Algorithm, whose states are read from the file and not made."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from algorithms.core.algorithm import Algorithm, Needs
from algorithms.core.curves import Event
from algorithms.core.dataset import Dataset, NoData
from algorithms.core.errors import NotYet, Raised, Refused
from algorithms.core.problem import Problem
from algorithms.core.scene import Scene
from algorithms.core.state import State, same
from algorithms.core.theorems import Theorem, Verdict
from algorithms.core.words import Words
from algorithms.saving.files import open_at_most
from algorithms.saving.runlog.declared import (
    catalogued,
    contrast_of,
    in_hall_of,
    no_conversion,
    summary_of,
    theorem_of,
    title_of,
    type_of,
    view_of,
)
from algorithms.saving.runlog.logfile import MAGIC, READ, Damaged, LogReader
from algorithms.saving.runlog.pack import Unpacker
from algorithms.saving.runlog.records import Header, StepRecord
from algorithms.saving.runlog.scan import Scan
from algorithms.timeline.step_log import Kind as StepKind, Scanned
from algorithms.userfile.happenings import EVENTS_RECORDED, RESTART, Happenings
from algorithms.userfile.numbers import YieldedNumbers, field_with_nan
from algorithms.userfile.scene import explain, scene
from algorithms.userfile.signature import stand_in
from algorithms.userfile.sources import FixedData
from algorithms.userfile.state import PlainState
from algorithms.userfile.values import yielded_fields

T = TypeVar("T")

_LOOKED_AT = 20  # steps after which what a view names should have been recorded
_KEPT = 32  # steps that are kept read
_UNFINISHED = "the recording has no end: it was broken off, or is being written elsewhere; what comes is shown"
_ITS_PHASE = "a phase that it yields"
_STOPS = "the recording stops here without an end: it was broken off, or is still being written"


def is_recording(path: str | Path) -> bool:
    """Tell whether there is a file of that name that begins as a recording does."""
    try:
        with open_at_most(path, "a recording") as file:
            return file.read(len(MAGIC)) in READ
    except (Refused, OSError):
        return False


class LoggedRun(Algorithm):
    """A run that was recorded, or is being recorded; nothing in it can be changed, and it needs none of the code.

    What is damaged ends the run, with a notice: no number of a damaged step is shown. Where the run is one of ours, so
    are the scenes; otherwise what was recorded is shown by what it is.

    Args:
        path: the file; `datasets` holds its data.
        follow: whether a state that has not been written yet is waited for, as `NotYet`; if not, the run ends there.

    Attributes:
        data: the rows, or None where they were not recorded.
        notices: what a person should be told of the recording, each once.

    Raises:
        Refused: in a sentence, for what is no recording.
    """

    resumes = True  # any step can be read again; what follows it, too

    recorded = True

    def __init__(self, path: str | Path, *, follow: bool = False):
        self._tape, self._follow = LogReader(path), follow
        self._path = Path(path).resolve()
        self.notices: list[str] = []
        self._scan = Scan(self._tape, self.tell)
        self._held: OrderedDict[int, StepRecord] = OrderedDict()
        self._unpacker = Unpacker(self._array_body, self._part_body)
        try:
            self._header = header = self._scan.header()
            values = header.values()
            self.data = header.data.dataset() if header.data is not None else None
            self._declare(header, values)
        except Damaged as damage:
            raise Refused(f"{path} is damaged: {damage}.") from None
        self._note_what_is_missing(header)

    def _declare(self, header: Header, values: Mapping[str, Any]) -> None:
        """Declare what the recorded algorithm did, with what was recorded in place of what it worked out."""
        self._convert: Callable[[StepRecord], State] = self._plain_state
        self._recorded_problem: Problem | None = None
        self._view = view_of(header)
        self._numbers, self._happenings = YieldedNumbers(self._view), Happenings()
        self._happened: dict[int, tuple[tuple[str, str], ...]] = {}  # by step
        self._looked_at = 0  # so many steps were looked at for it
        self.yielded = self._numbers.fields
        shown: Callable[[Problem, Any, Any], Scene] = partial(scene, view=self._view)
        known = catalogued(header, values, self.data)
        if known is not None:
            algorithm, self._recorded_problem, kind = known
            shown = algorithm.scene
            self._convert = lambda step: self._state_of(kind, step)
        super().__init__(
            stand_in(header.name, ((name, type_of(value), value) for name, value in values.items())),
            title=title_of(header),
            summary=summary_of(header),
            rule=header.rule,
            needs=Needs(rows=0),
            phases=header.phases,
            events=self._events(header),
            curves=tuple(recorded.curve(self._curve) for recorded in header.curves),
            theorems=tuple(theorem_of(t, self._verdict(i)) for i, t in enumerate(header.theorems)),
            scene=shown,
            explain=self._words if header.fields else partial(explain, view=self._view),
            datasets=(FixedData(self.data) if self.data is not None else NoData(),),
            references=header.references,
            objective=None if known is None else known[0].objective,
            contrast=contrast_of(header),
            in_hall=in_hall_of(header),
        )

    # As an Algorithm

    @property
    def name(self) -> str:
        return self._header.name

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the path of the file, from which it is opened again."""
        return LoggedRun, (self._path,)

    @property
    def family(self) -> str:
        return "own"

    @property
    def about(self) -> str:
        return self._header.about or self._header.summary

    @property
    def source(self) -> tuple[str, int, list[str]]:
        return self._header.file, self._header.first, list(self._header.lines)

    @property
    def growing(self) -> bool:
        """Tell whether it has no end yet: more may come."""
        return not self._tape.ended

    @property
    def news(self) -> str:
        if self._tape.replaced():
            return f"{self._path.name} was replaced by a newer file"
        goes_on = self._scan.end is not None and self._scan.goes_on()
        return f"{self._path.name} goes on behind the end that was shown" if goes_on else ""

    def problem(self, X: Any = None, y: Any = None, parameters: Mapping[str, Any] | None = None) -> Problem:
        """Give the problem that it was recorded on; other data or parameters are refused."""
        data = Dataset.of(X, y)
        problem = super().problem(data, None, parameters)
        recorded = {p.name: p.default for p in self.parameters}
        if any(getattr(problem.parameters, name) != value for name, value in recorded.items()):
            raise Refused("a recording is what it is: its parameters cannot be changed.")
        if self.data is not None and not _equal(data, self.data):
            raise Refused("a recording is what it is: its data cannot be changed.")
        return self._recorded_problem or problem

    def start(self, problem: Problem, state: State | None = None) -> Any:
        """Begin with the first state, or after `state`, which must be one of the recording."""
        if state is None:
            return _Reading(self, 0)
        read = self.state(state.t)
        if read is None or not same(read, state):
            raise Refused("a recording is what it is: a state of it cannot be changed.")
        return _Reading(self, state.t + 1)

    def note(self, state: State) -> State:
        """Learn from a state of an undeclared run which numbers there are to be followed, and what happened in it."""
        if self._header.fields or not isinstance(state, PlainState):
            return state
        self.curves = self._numbers.curves_with(state)
        if state.phase not in self.phases:
            self.phases = {**self.phases, state.phase: _ITS_PHASE}
        if state.remark:
            self.tell(state.remark)
        unknown = self._view.unknown(self.yielded) if state.t == _LOOKED_AT else ""
        if unknown:
            self.tell(unknown)
        if state.t != self._looked_at:
            return state
        self._looked_at += 1
        state = self._happenings.seen(state)
        if seam := self._scan.seams.get(state.t):
            state = replace(state, happened=((RESTART, seam), *state.happened))
            self.tell(f"{seam}: step {state.t:,} is the first after it")
        if state.happened:
            self._happened[state.t] = state.happened
        while self._happenings.notices:
            self.tell(self._happenings.notices.pop(0))
        return state

    def tell(self, notice: str) -> None:
        """Give a notice, unless it was given before."""
        if notice not in self.notices:
            self.notices.append(notice)

    # Reading

    def state(self, t: int) -> State | None:
        """Read the state at step t; None when it has not been written, or what follows is known not to come.

        Raises:
            Damaged: when it is not what was written.
        """
        step = self.step(t)
        return None if step is None else self._convert(step)

    def read(self, t: int) -> State | None:
        """Read the state at step t, of which note was taken; None where it is damaged: the run ends before it then."""
        try:
            return self.state(t)
        except Damaged as damage:
            self._ends_before(t, f"the recording is damaged: {damage}; what comes before step {t:,} is whole")
            return None

    def _ends_before(self, t: int, reason: str) -> None:
        self._scan.cut(t, reason)
        self.tell(reason)

    def step(self, t: int) -> StepRecord | None:
        """Read what was recorded of step t, as for `state`."""
        held = self._held.get(t)
        if held is not None:
            return held
        scan = self._scan
        if not scan.to(t):
            return None
        step = scan.decoded(scan.steps[t], StepRecord)
        if step.t != t:
            raise Damaged(f"byte {scan.steps[t]:,}: step {step.t:,} stands where step {t:,} should")
        self._held[t] = step
        if len(self._held) > _KEPT:
            self._held.popitem(last=False)
        return step

    # All that is known of its steps, without reading them

    def scan(self, until: float) -> bool:
        """Take note of the records that were not looked at, up to the moment `until`; False when that came first."""
        return self._scan.on(until)

    def scanned(self, first: int) -> Scanned | None:
        """Tell what is known of the steps from `first` on of which note was taken; None where there are none."""
        scan, silent = self._scan, (False,) * len(self.events)
        if len(scan.steps) <= first:
            return None
        codes, kinds_of = np.unique(np.array(scan.codes[first:]), return_inverse=True)
        kinds = [StepKind(phase, line, events or silent) for phase, line, events in map(scan.kinds.__getitem__, codes)]
        new = {kind.phase: _ITS_PHASE for kind in kinds if kind.phase not in self.phases}
        if new:
            self.phases = {**self.phases, **new}
        return Scanned(kinds, kinds_of, np.array(scan.iterations[first:]))

    @property
    def events_recorded(self) -> bool:
        """Tell whether it says of each step what happened in it; else every step has to be looked at for that."""
        return bool(self._header.fields)

    @property
    def end_known(self) -> bool:
        """Tell whether the end was read that it has now."""
        return self._scan.end is not None

    def _array_body(self, number: int) -> bytes:
        return self._scan.body("array", self._scan.arrays, number)

    def _part_body(self, number: int) -> bytes:
        return self._scan.body("part", self._scan.parts, number)

    def outcome(self) -> str:
        """Say why no more steps come.

        Raises:
            Raised: when the run failed.
            NotYet: when they are waited for.
        """
        if self._scan.end is None:
            if not self._follow:
                return _STOPS
            if not self._tape.written:
                self.tell(_UNFINISHED)
            raise NotYet
        if self._scan.end.details:
            raise Raised(self._scan.end.reason, self._scan.end.line, self._scan.end.details)
        return self._scan.end.reason or "it has ended"

    def _note_what_is_missing(self, header: Header) -> None:
        if header.data is not None and self.data is None:
            self.tell(f"the rows of {header.data.name} were too many to be recorded, and are not shown")

    # States, and what was said of them

    def _plain_state(self, step: StepRecord) -> State:
        values = self._unpacker.step(step.fields)
        plain = all(not isinstance(value, dict | tuple) for value in values.values())
        fields = tuple(values.items()) if plain else yielded_fields(values)
        return PlainState(
            t=step.t, iteration=step.iteration, phase=step.phase, fields=fields, frame=step.frame, remark=step.remark,
            warned=step.warned, happened=self._happened.get(step.t, ()),
        )  # fmt: skip

    def _state_of(self, kind: type[State], step: StepRecord) -> State:
        values = self._unpacker.step(step.fields)
        values |= {"t": step.t, "iteration": step.iteration, "phase": step.phase}
        try:
            return msgspec.convert(values, kind, dec_hook=no_conversion)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise Damaged(f"step {step.t:,} is no state of {self.title}: {error}") from None

    def _recorded(self, state: State) -> StepRecord:
        step = self.step(state.t)
        if step is None:
            raise Damaged("it has become shorter than it was")
        return step

    def _curve(self, name: str) -> Callable[[Problem, Any], float]:
        return lambda problem, state: self._recorded(state).curves.get(name, np.nan)

    def _words(self, problem: Problem, before: Any, after: Any) -> str:
        recorded = self._recorded(after)
        if recorded.point and recorded.point in recorded.words:
            return Words(recorded.words, recorded.point)
        return recorded.words or explain(problem, before, after)

    def _events(self, header: Header) -> tuple[Event, ...]:
        """Give the events that were recorded; an undeclared run has, where none are, those that are seen in any."""
        if not header.fields and {name for name, _ in header.events} <= {event.name for event in EVENTS_RECORDED}:
            return EVENTS_RECORDED
        given = zip(header.events, chain(header.anew, repeat("")), chain(header.wrong, repeat(False)))
        return tuple(self._event(i, *each, anew, wrong) for i, (each, anew, wrong) in enumerate(given))

    def _event(self, i: int, name: str, phase: str, anew: str, wrong: bool) -> Event:
        def happened(before: Any, after: Any) -> bool:
            events = self._recorded(after).events
            return i < len(events) and events[i]

        return Event(name, happened, phase, anew, wrong)

    def _verdict(self, i: int) -> Callable[[Theorem, Any], Verdict]:
        def verdict(theorem: Theorem, state: Any) -> Verdict:
            verdicts = self._recorded(state).verdicts
            if i >= len(verdicts):
                return Verdict(theorem, "does not apply", why="not recorded at this step")
            return Verdict(theorem, verdicts[i].status, verdicts[i].sides, verdicts[i].why)

        return verdict


class _Reading(Iterator[State]):
    """The states of a recording from position t on.

    Attributes:
        gi_frame: where the generator stood when it yielded the last one; itself.
        first_nan: the first step of a plain generator's that holds a nan, None while none does.
    """

    def __init__(self, recorded: LoggedRun, t: int):
        self._recorded, self._t = recorded, t
        self.first_nan: int | None = None
        self.f_lasti = self.f_lineno = 0

    @property
    def gi_frame(self) -> "_Reading":
        return self

    def __next__(self) -> State:
        recorded = self._recorded
        try:
            step = recorded.step(self._t)
            state = None if step is None else recorded.state(self._t)
        except Damaged as damage:
            reason = f"the recording is damaged: {damage}; what comes before step {self._t:,} is whole"
            recorded._ends_before(self._t, reason)
            raise StopIteration(reason) from None
        if step is None or state is None:
            raise StopIteration(recorded.outcome())
        self._t += 1
        self.f_lasti = self.f_lineno = step.line
        state = recorded.note(state)
        if self.first_nan is None and isinstance(state, PlainState) and (name := field_with_nan(state)):
            self.first_nan = state.t
            recorded.tell(f"the first nan is at step {state.t:,}, in {name}")
        return state


def _equal(data: Dataset, recorded: Dataset) -> bool:
    """Tell whether these are the rows that were recorded."""
    return data is recorded or (same(data.X, recorded.X) and same(data.y, recorded.y))
