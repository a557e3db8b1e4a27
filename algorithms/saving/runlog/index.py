"""Index of a recording: where its steps are in the file, and of what kind, so that one is read without those before.

A record of it stands behind every few thousand steps and says where the one before stands. It is found from the end of
the file; what comes behind it, or all of a recording that is short or older, is looked through record by record.
"""

from typing import Any, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.saving.runlog.logfile import Damaged, Kind, LogReader

KindOf: TypeAlias = tuple[str, int, tuple[bool, ...]]  # the phase, the line and what happened

_STEPS, _BYTES = 4096, 4 << 20  # after so many steps, or bytes, there is a record of the index
_FAR = 64 << 20  # bytes from the end in which the last is looked for


class StepHead(Struct, frozen=True, array_like=True):
    """What is known of a step without its fields; as `StepRecord`, of which it is the beginning."""

    t: int
    iteration: int
    phase: str
    line: int
    fields: msgspec.Raw
    frame: msgspec.Raw = msgspec.Raw(b"\x90")
    remark: msgspec.Raw = msgspec.Raw(b"\xa0")
    curves: msgspec.Raw = msgspec.Raw(b"\x80")
    events: tuple[bool, ...] = ()

    @property
    def kind(self) -> KindOf:
        """Give what steps can have in common: the phase, the line and what happened."""
        return self.phase, self.line, self.events


class Numbers(Struct, frozen=True, array_like=True):
    """Whole numbers as the first of them and the differences, each in `size` bytes."""

    first: int = 0
    count: int = 0
    size: int = 1
    differences: bytes = b""

    @classmethod
    def of(cls, numbers: list[int]) -> "Numbers":
        if not numbers:
            return cls()
        apart = np.diff(np.array(numbers, np.int64))  # where that overflows, the sum of them does so back
        least, most = int(apart.min(initial=0)), int(apart.max(initial=0))
        size = next(s for s in (1, 2, 4, 8) if -(1 << 8 * s - 1) <= least and most < 1 << 8 * s - 1)
        return cls(numbers[0], len(numbers), size, apart.astype(f"<i{size}").tobytes())

    def array(self) -> Array:
        """Make the numbers (count,); `Damaged` where they are none."""
        if not self.count:
            return np.empty(0, np.int64)
        if self.size not in (1, 2, 4, 8) or len(self.differences) != (self.count - 1) * self.size:
            raise Damaged("its index is none")
        numbers = np.empty(self.count, np.int64)
        numbers[0], numbers[1:] = self.first, np.frombuffer(self.differences, f"<i{self.size}")
        return np.cumsum(numbers, out=numbers)


class IndexRecord(Struct, frozen=True, array_like=True):
    """Some steps and what stands among them.

    Attributes:
        before: where the record of the steps before these is in the file, 0 for none.
        first: how many steps there are before these.
        steps, arrays, parts: where their records are.
        kinds: (phase, line, events) that these steps have; `codes` names one for each.
        seams: (the step behind it, where its record is, where that of the end before it is, 0 for none) of each.
    """

    before: int
    first: int
    steps: Numbers
    codes: Numbers
    iterations: Numbers
    arrays: Numbers
    parts: Numbers
    kinds: tuple[KindOf, ...]
    seams: tuple[tuple[int, int, int], ...] = ()


class IndexWriter:
    """Notes what is added to a recording, for the next record of its index.

    Attributes:
        due: whether that is to be added now.
    """

    def __init__(self) -> None:
        self._before = self._first = self._ends = 0
        self._clear()

    def _clear(self) -> None:
        self._steps: list[int] = []
        self._codes: list[int] = []
        self._iterations: list[int] = []
        self._arrays: list[int] = []
        self._parts: list[int] = []
        self._kinds: dict[KindOf, int] = {}
        self._seams: list[tuple[int, int, int]] = []

    def step(self, at: int, iteration: int, kind: KindOf) -> None:
        """Note a step, whose record stands at `at`."""
        self._steps.append(at)
        self._iterations.append(iteration)
        self._codes.append(self._kinds.setdefault(kind, len(self._kinds)))
        self._ends = 0

    def other(self, kind: Kind, at: int) -> None:
        """Note a record that is no step."""
        if kind is Kind.ARRAY:
            self._arrays.append(at)
        elif kind is Kind.PART:
            self._parts.append(at)
        elif kind is Kind.END:
            self._ends = at
        elif kind is Kind.SEAM:
            self._seams.append((self._first + len(self._steps), at, self._ends))
            self._ends = 0
        elif kind is Kind.INDEX:
            self._before, self._first = at, self._first + len(self._steps)
            self._clear()

    @property
    def due(self) -> bool:
        return len(self._steps) >= _STEPS or (bool(self._steps) and self._steps[-1] - self._steps[0] >= _BYTES)

    def record(self) -> bytes:
        """Write down what was noted; it is noted itself, as `other`, once it stands in the file."""
        record = IndexRecord(
            self._before,
            self._first,
            Numbers.of(self._steps),
            Numbers.of(self._codes),
            Numbers.of(self._iterations),
            Numbers.of(self._arrays),
            Numbers.of(self._parts),
            tuple(self._kinds),
            tuple(self._seams),
        )
        return msgspec.msgpack.encode(record)


class Indexed(Struct, frozen=True, eq=False):
    """What the index of a recording says, all records of it together.

    Attributes:
        steps, codes, iterations: of each step where it is, of which kind and in which iteration (n,).
        arrays, parts: where their records are.
        kinds: what `codes` name.
        seams: as in IndexRecord.
        next: where the file goes on behind the last record of the index.
    """

    steps: Array
    codes: Array
    iterations: Array
    arrays: Array
    parts: Array
    kinds: tuple[KindOf, ...]
    seams: tuple[tuple[int, int, int], ...]
    next: int


def read_index(tape: LogReader) -> Indexed | None:
    """Read the index of a recording; None where it has none, or one that cannot be trusted."""
    at, following, blocks = tape.last_of(Kind.INDEX, _FAR), 0, list[IndexRecord]()
    try:
        while at:
            record = tape.record(at)
            if record is None or record.kind is not Kind.INDEX:
                return None
            block = msgspec.msgpack.decode(record.body, type=IndexRecord)
            if not block.before < at:
                return None
            following = following or record.next
            blocks.append(block)
            at = block.before
        return _together(blocks[::-1], following) if blocks else None
    except (Damaged, msgspec.MsgspecError, ValueError, OverflowError):
        return None


def _together(blocks: list[IndexRecord], following: int) -> Indexed | None:
    kinds: dict[KindOf, int] = {}
    columns: dict[str, list[Array]] = {name: [] for name in ("steps", "codes", "iterations", "arrays", "parts")}
    count = 0
    for block in blocks:
        of = {name: getattr(block, name).array() for name in columns}
        here = len(of["steps"])
        if block.first != count or not here == len(of["codes"]) == len(of["iterations"]):
            return None
        known = np.array([kinds.setdefault(kind, len(kinds)) for kind in block.kinds], np.int64)
        if not 0 <= int(of["codes"].min()) <= int(of["codes"].max()) < len(known):
            return None
        of["codes"] = known[of["codes"]]
        for name, column in of.items():
            columns[name].append(column)
        count += here
    whole: dict[str, Any] = {name: np.concatenate(parts) for name, parts in columns.items()}
    seams = tuple(seam for block in blocks for seam in block.seams)
    return Indexed(**whole, kinds=tuple(kinds), seams=seams, next=following)
