"""What a program leaves behind: processes, known by a mark in their environment, and halves of files."""

import os
import re
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_TEMPORARY = re.compile(r".*\.part|\.?tmp[a-z0-9_]{8}.*")
MARK = "TEST_WALK"  # no product reads it; what is started inherits it


@contextmanager
def started_with() -> Iterator[str]:
    """Mark every process that is started here meanwhile; gives the mark."""
    before, mark = os.environ.get(MARK), secrets.token_hex(8)
    os.environ[MARK] = mark
    try:
        yield mark
    finally:
        if before is None:
            del os.environ[MARK]
        else:
            os.environ[MARK] = before


def marked(mark: str) -> list[tuple[int, str]]:
    """List the processes that live with this mark, and their commands; none where there is no /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # another person's, or gone
            if f"{MARK}={mark}".encode() not in (folder / "environ").read_bytes().split(b"\0"):
                continue
            if (folder / "stat").read_text().rpartition(") ")[2][0] != "Z":
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found.append((int(folder.name), command[:80].strip()))
    return found


def end_all(processes: list[tuple[int, str]]) -> None:
    for number, _ in processes:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)


def files_left(folder: Path) -> list[str]:
    """List what no person asked for: halves of files and temporary ones, by the names that they are given."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if _TEMPORARY.fullmatch(path.name))
