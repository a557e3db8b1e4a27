"""A recording that is taken up again by another process: what is whole in it stays, and more comes behind a seam."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from algorithms.core.dataset import Dataset
from algorithms.core.errors import Refused
from algorithms.saving.runlog.index import IndexWriter, StepHead
from algorithms.saving.runlog.logfile import Damaged, Kind, LogReader, LogWriter
from algorithms.saving.runlog.records import Header, RowsRecord
from algorithms.userfile.steps import Script

_SHOWN = 40  # characters of a value


class TakenUp(Struct, eq=False):
    """A tape, and what is on it.

    Attributes:
        header: None where its writer was ended before it had said what it is of.
        steps, arrays, parts: so many records of each are there.
        iterations: that of the last step.
        index: of what has none yet.
    """

    tape: LogWriter
    header: Header | None = None
    steps: int = 0
    arrays: int = 0
    parts: int = 0
    iterations: int = 0
    index: IndexWriter = msgspec.field(default_factory=IndexWriter)

    @property
    def view(self) -> dict[str, str] | None:
        """Get how its fields are shown."""
        return self.header.view if self.header is not None else None


def taken_up(path: str | Path) -> TakenUp:
    """Take up a recording behind its last whole record; one that was cut off while it was written loses what is not.

    Raises:
        Refused: when it is none, is damaged, is being written, or is the run of a declared algorithm.
    """
    reader = LogReader(path)
    old = TakenUp(LogWriter.behind(path))
    try:
        size = _counted(reader, old)
        if old.header is not None and old.header.fields:
            raise Refused(f"{path} is a run of {old.header.title}, which can be run again: nothing is added to it.")
        old.tape.keep(size)
    except (Damaged, msgspec.MsgspecError) as damage:
        old.tape.close()
        raise Refused(f"{path} is damaged, and cannot be gone on with: {damage}.") from None
    except Refused:
        old.tape.close()
        raise
    finally:
        reader.close()
    return old


def _counted(reader: LogReader, old: TakenUp) -> int:
    """Count what is on a tape; returns where it ends."""
    at = reader.start
    while (record := reader.record(at)) is not None:
        match record.kind:
            case Kind.HEADER:
                old.header = msgspec.msgpack.decode(record.body, type=Header)
            case Kind.STEP:
                head = msgspec.msgpack.decode(record.body, type=StepHead)
                old.steps, old.iterations = old.steps + 1, head.iteration
                old.index.step(at, head.iteration, head.kind)
            case Kind.ARRAY:
                old.arrays += 1
            case Kind.PART:
                old.parts += 1
        if record.kind is not Kind.STEP:
            old.index.other(record.kind, at)
        at = record.next
    return at


def differences(header: Header, data: Dataset | None, parameters: Mapping[str, Any], script: Script) -> str:
    """Say what is not as it was when the recording was begun, "" where nothing is."""
    was, now = header.values(), parameters
    said = [f"{name} {_short(was.get(name))} → {_short(now[name])}" for name in now if now[name] != was.get(name)]
    if data is not None and (header.data is None or RowsRecord.of(data).digest != header.data.digest):
        said.append("on other rows, which are not shown")
    if script.lines and script.lines != header.lines:
        said.append("its source is not the one that is shown")
    return "; ".join(said)


def _short(value: Any) -> str:
    return "not given" if value is None else str(value)[:_SHOWN]
