"""Scan: what stands where in a recording, as far as note was taken of it, record by record or by its index."""

from array import array
from collections.abc import Callable, Sequence
from time import monotonic, perf_counter, sleep
from typing import TypeVar

import msgspec
import numpy as np

from algorithms.core.errors import Refused
from algorithms.saving.runlog.index import KindOf, StepHead, read_index
from algorithms.saving.runlog.logfile import Damaged, Kind, LogReader
from algorithms.saving.runlog.records import EndRecord, Header, SeamRecord

T = TypeVar("T")

_PATIENCE = 2.0  # seconds that a recording which was just begun is given to say what it is of


class Scan:
    """What stands where on a tape.

    Args:
        tell: told what is found to be damaged.

    Attributes:
        steps, arrays, parts: where they are in the file.
        codes, iterations: of each step, which of `kinds` it is, and its iteration.
        kinds: (phase, line, events) that steps have, in the order of their codes.
        seams: what is to be said of each, by the step behind it.
        end: the last record, None while there is none.
    """

    def __init__(self, tape: LogReader, tell: Callable[[str], None]):
        self._tape, self._tell = tape, tell
        self._next = tape.start  # where the first record stands that was not looked at yet
        self.steps, self.arrays, self.parts = array("Q"), array("Q"), array("Q")
        self.codes, self.iterations = array("I"), array("q")
        self.kinds: list[KindOf] = []
        self._codes_of: dict[KindOf, int] = {}
        self.seams: dict[int, str] = {}
        self.end: EndRecord | None = None
        self._indexed: bool | None = None  # None before an index was looked for
        self._whole = True  # whether nothing was found to be damaged

    def header(self) -> Header:
        """Read what the recording begins with.

        Raises:
            Damaged: when it begins with something else.
            Refused: when it is cut before that.
        """
        until = monotonic() + _PATIENCE
        while (record := self._tape.record(self._next)) is None:
            if monotonic() > until or not self._tape.written:
                raise Refused(f"{self._tape.path} is cut before it says what it is a recording of.")
            sleep(0.02)
        if record.kind is not Kind.HEADER:
            raise Damaged("it does not begin with what it is a recording of")
        self._next = record.next
        return _decoded(record.body, Header)

    def to(self, t: int) -> bool:
        """Take note of the records up to step t; whether it is there."""
        while len(self.steps) <= t and (self.end is None or self.goes_on()):
            if not self._read_on():
                return False
        return t < len(self.steps)

    def on(self, until: float) -> bool:
        """Take note of all records, up to the moment `until`; False when that came first."""
        if self._indexed is None:
            self._use_index()
        while self.end is None or self.goes_on():
            if not self._read_on():
                return True
            if perf_counter() > until:
                return False
        return True

    def goes_on(self) -> bool:
        """Tell whether it was gone on with behind its end."""
        if not self._whole or self._next >= self._tape.size:
            return False
        try:
            record = self._tape.record(self._next)
        except Damaged:
            return False
        return record is not None and record.kind is Kind.SEAM

    def cut(self, t: int, reason: str) -> None:
        """Have it end before step t, which is damaged."""
        for column in (self.steps, self.codes, self.iterations):
            del column[t:]
        self.end, self._whole = EndRecord(reason), False

    def decoded(self, place: int, kind: type[T]) -> T:
        """Read the record that stands there.

        Raises:
            Damaged: when it is not what was written.
        """
        return _decoded(self._record(place), kind)

    def body(self, what: str, places: Sequence[int], number: int) -> bytes:
        """Read an array or a part by its number, likewise."""
        if not 0 <= number < len(places):
            raise Damaged(f"it speaks of {what} {number}, which is not there")
        return self._record(places[number])

    def _record(self, place: int) -> bytes:
        record = self._tape.record(place)
        if record is None:
            raise Damaged("it has become shorter than it was")
        return record.body

    def _read_on(self) -> bool:
        """Take note of the next record; False when there is none yet."""
        try:
            record = self._tape.record(self._next)
            if record is None:
                return False
            self._take(record.kind, record.body)
        except Damaged as damage:
            steps, self._whole = len(self.steps), False
            self.end = EndRecord(f"the recording is damaged at {damage}; the {steps:,} steps before that are whole")
            self._tell(self.end.reason)
            return True
        self._next = record.next
        return True

    def _take(self, kind: Kind, body: bytes) -> None:
        match kind:
            case Kind.STEP:
                head = _decoded(body, StepHead)
                self.steps.append(self._next)
                self.iterations.append(head.iteration)
                code = self._codes_of.setdefault(head.kind, len(self.kinds))
                if code == len(self.kinds):
                    self.kinds.append(head.kind)
                self.codes.append(code)
            case Kind.ARRAY:
                self.arrays.append(self._next)
            case Kind.PART:
                self.parts.append(self._next)
            case Kind.END:
                self.end = _decoded(body, EndRecord)
            case Kind.SEAM:
                self.seams[len(self.steps)] = _seam_words(self.end, _decoded(body, SeamRecord))
                self.end = None
            case Kind.HEADER:
                raise Damaged(f"byte {self._next:,}: a second header")

    def _use_index(self) -> None:
        """Take what the file says itself of where everything is."""
        index = read_index(self._tape)
        self._indexed = index is not None and index.next > self._next
        if index is None or not self._indexed:
            return
        try:
            self.seams = {
                step: _seam_words(self.decoded(end, EndRecord) if end else None, self.decoded(seam, SeamRecord))
                for step, seam, end in index.seams
            }
        except Damaged:
            self._indexed = False
            return
        self.steps, self.arrays, self.parts = (
            array("Q", column.astype(np.uint64).tobytes()) for column in (index.steps, index.arrays, index.parts)
        )
        self.codes = array("I", index.codes.astype(np.uintc).tobytes())
        self.iterations = array("q", index.iterations.tobytes())
        self.kinds = list(index.kinds)
        self._codes_of = {kind: code for code, kind in enumerate(index.kinds)}
        self._next, self.end = index.next, None


def _seam_words(end: EndRecord | None, seam: SeamRecord) -> str:
    """Say what comes behind a seam, and how it had ended before."""
    before = "it was broken off" if end is None else end.reason or "it had ended"
    return f"begun again after {before!r}{f'; {seam.words}' if seam.words else ''}"


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.msgpack.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Damaged(f"a record that cannot be read: {error}") from None
