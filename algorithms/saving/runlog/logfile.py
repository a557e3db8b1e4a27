"""Log file: a file of records that is only ever added to; what is whole in it can be told from what is not.

    file    MAGIC, then records
    record  length of the body (4 bytes), kind (1), check of these and of where the record stands (4), body, digest (16)

A record goes to the file in one piece, so a writer that is killed leaves whole records and at most one that
is cut. The head has a check of its own: a length that was damaged is told from a record that is not all there yet.
"""

import os
import struct
import weakref
import zlib
from contextlib import suppress
from enum import IntEnum
from hashlib import blake2b
from pathlib import Path
from time import monotonic, sleep
from typing import Self

from msgspec import Struct

from algorithms.core.errors import Refused
from algorithms.core.system import read_at
from algorithms.saving.files import create_file, open_at_most

try:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, LOCK_UN, flock
except ImportError:  # there are systems without it: who writes is then not known
    flock = None  # type: ignore[assignment]

MAGIC = b"iterscope recording 3\n"
# the forms that are read: the first has no parts, the second no index
READ = (b"iterscope recording 1\n", b"iterscope recording 2\n", MAGIC)
MOST = 256 << 20  # bytes of a record

_HEAD = struct.Struct("<IBI")
_CHECKED = struct.Struct("<QIB")
_DIGEST = 16
_PATIENCE = 0.5  # seconds in which whoever only looks whether it is written lets go of it
_LOOKED = 1 << 20  # bytes that are looked through at once
_TAIL = 1 << 16  # bytes in which the last record is looked for; an end with a traceback is shorter


class Kind(IntEnum):
    """What a record holds: the header comes first, and once; after the end comes a seam or nothing. A part is a value
    that several steps have, such as a tree of a forest. A seam says that more comes, also after an end. The index of a
    long recording says where all the others are."""

    HEADER = 1
    ARRAY = 2
    STEP = 3
    END = 4
    PART = 5
    SEAM = 6
    INDEX = 7


class Damaged(Exception):
    """A record that is whole in length is not what was written; the message begins with where: "byte 120: ..." """


class Record(Struct, frozen=True):
    """A record, and the position that the next one has."""

    kind: Kind
    body: bytes
    next: int


class LogWriter:
    """A new tape.

    Raises:
        Refused: when it cannot be made, or written any further: what was whole stays so.
    """

    def __init__(self, path: str | Path, *, overwrite: bool = False):
        self.path = Path(path)
        self._file = create_file(path, overwrite=overwrite)
        if flock is not None:
            with suppress(OSError):
                flock(self._file.fileno(), LOCK_EX | LOCK_NB)
        self._end = 0
        self._put(MAGIC)

    @classmethod
    def behind(cls, path: str | Path) -> Self:
        """Take up a tape that is there; what is to be kept of it is said by `keep`, before anything is added.

        Raises:
            Refused: when there is none that can be written, or another process has it in hand.
        """
        made = cls.__new__(cls)
        made.path, made._end = Path(path), 0
        with open_at_most(path, "a recording"):
            pass  # nothing else is opened to be written
        try:
            made._file = made.path.open("r+b", buffering=0)
        except OSError as error:
            raise Refused(f"{path} cannot be written: {error.strerror}.") from None
        if flock is not None and not _taken(made._file.fileno()):
            made._file.close()
            raise Refused(f"{path} is being written by another process: wait for its end, or choose another name.")
        return made

    def keep(self, size: int) -> None:
        """Keep so many bytes of what is there, and go on behind them."""
        self._file.truncate(size)
        self._end = self._file.seek(size)

    def add(self, *records: tuple[Kind, bytes]) -> list[int]:
        """Add records, in one piece; they are in the file when this returns, whatever becomes of the process.

        Returns:
            Where each stands.
        """
        parts: list[bytes] = []
        at, places = self._end, list[int]()
        for kind, body in records:
            if len(body) > MOST:
                raise Refused(f"a step of {len(body) >> 20} MiB is too large to be recorded; {MOST >> 20} MiB are not.")
            head = _head(at, len(body), kind)
            parts += [head, body, _digest(head, body)]
            places.append(at)
            at += len(head) + len(body) + _DIGEST
        self._put(b"".join(parts))
        return places

    @property
    def closed(self) -> bool:
        """Tell whether nothing more can be added."""
        return self._file.closed

    def close(self) -> None:
        """Have it on the disk, and let go of it."""
        if not self._file.closed:
            with suppress(OSError):
                os.fsync(self._file.fileno())
            self._file.close()

    def _put(self, piece: bytes) -> None:
        left = memoryview(piece)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            with suppress(OSError):
                os.truncate(self._file.fileno(), self._end)
            self._file.close()
            raise Refused(f"{self.path} cannot be written any further: {error.strerror}.") from None
        self._end += len(piece)


class LogReader:
    """A tape, read at any place while it may still be growing.

    Raises:
        Refused: for what is no plain file, or no recording.
    """

    def __init__(self, path: str | Path):
        self.path = Path(path)
        with open_at_most(path, "a recording") as file:
            self._file = os.dup(file.fileno())
        self.close = weakref.finalize(self, os.close, self._file)
        try:
            begun = self._read(0, len(MAGIC))
        except Damaged as damage:
            self.close()
            raise Refused(f"{path} is no recording that can be read: {damage}.") from None
        if begun not in READ:
            self.close()
            whole = "; it is cut at its very beginning" if begun and any(m.startswith(begun) for m in READ) else ""
            raise Refused(f"{path} is no recording that this version reads{whole}.")

    start = len(MAGIC)

    def record(self, at: int) -> Record | None:
        """Read the record at that position; None while it is not there as a whole.

        Raises:
            Damaged: when it is not what was written.
        """
        head = self._read(at, _HEAD.size)
        if len(head) < _HEAD.size:
            return None
        length, kind, check = _HEAD.unpack(head)
        if check != zlib.crc32(_CHECKED.pack(at, length, kind)):
            raise Damaged(f"byte {at:,}: what should begin a record does not")
        if length > MOST or kind not in Kind.__members__.values():
            raise Damaged(f"byte {at:,}: a record of kind {kind} and {length:,} bytes is none that is written")
        beyond = at + _HEAD.size + length + _DIGEST
        if self.size < beyond:  # before room is made for what the head speaks of
            return None
        rest = self._read(at + _HEAD.size, length + _DIGEST)
        if len(rest) < length + _DIGEST:
            return None
        body = rest[:length]
        if rest[length:] != _digest(head, body):
            raise Damaged(f"byte {at:,}: the record there is not as it was written")
        return Record(Kind(kind), body, beyond)

    @property
    def size(self) -> int:
        """Bytes of the file now."""
        return os.fstat(self._file).st_size

    def replaced(self) -> bool:
        """Tell whether another file stands at its path by now."""
        try:
            there = os.stat(self.path)
        except OSError:
            return False
        here = os.fstat(self._file)
        return (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino)

    def last_of(self, kind: Kind, most: int) -> int:
        """Find where the last record of a kind stands, not farther from the end than so many bytes; 0 for nowhere."""
        size, mark = self.size, bytes([kind])
        end = size
        while end > max(size - most, self.start):
            first = max(end - _LOOKED, self.start)
            piece = self._read(first, end - first + _HEAD.size)  # a head may stand across the next one's begin
            i = piece.rfind(mark, 4)
            while i >= 0:
                at = first + i - 4
                head = piece[i - 4 : i - 4 + _HEAD.size]
                length = int.from_bytes(head[:4], "little")
                if at + length < size and head == _head(at, length, kind):
                    return at
                i = piece.rfind(mark, 4, i)
            end = first
        return 0

    @property
    def ended(self) -> bool:
        """Tell whether the last record is an end, without reading those before it."""
        size = self.size
        first = max(size - _TAIL, self.start)
        tail = self._read(first, size - first)
        for i in range(len(tail) - _HEAD.size - _DIGEST, -1, -1):
            length = len(tail) - i - _HEAD.size - _DIGEST
            if tail[i + 4] == Kind.END and tail.startswith(_head(first + i, length, Kind.END), i):
                return True
        return False

    @property
    def written(self) -> bool:
        """Tell whether a process on this machine has it open to be written; True where that cannot be known."""
        if flock is None:
            return True
        try:
            flock(self._file, LOCK_SH | LOCK_NB)
            flock(self._file, LOCK_UN)
        except OSError:
            return True
        return False

    def _read(self, at: int, size: int) -> bytes:
        """Read so many bytes from there, fewer at the end of the file; threads may share it: it has no place in it."""
        content = b""
        try:
            while len(content) < size:
                piece = read_at(self._file, size - len(content), at + len(content))
                if not piece:
                    break
                content = content + piece if content else piece
        except OSError as error:
            raise Damaged(f"byte {at:,}: it cannot be read ({error.strerror})") from None
        return content


def _taken(number: int) -> bool:
    """Have a file for oneself; False where another process has it."""
    until = monotonic() + _PATIENCE
    while True:
        try:
            flock(number, LOCK_EX | LOCK_NB)
            return True
        except OSError:
            if monotonic() > until:
                return False
            sleep(0.02)


def _head(at: int, length: int, kind: int) -> bytes:
    return _HEAD.pack(length, kind, zlib.crc32(_CHECKED.pack(at, length, kind)))


def _digest(head: bytes, body: bytes) -> bytes:
    digest = blake2b(head, digest_size=_DIGEST)
    digest.update(body)
    return digest.digest()
