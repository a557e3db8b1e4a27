"""Files of records that no recorder would write."""

from pathlib import Path
from typing import Any

import msgspec

from algorithms.saving.runlog.logfile import Kind, LogWriter


def tape(path: Path, *records: tuple[Kind, Any]) -> Path:
    """A tape of anything, with sums that are right."""
    writer = LogWriter(path)
    writer.add(*((kind, body if isinstance(body, bytes) else msgspec.msgpack.encode(body)) for kind, body in records))
    writer.close()
    return path
