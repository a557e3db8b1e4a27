"""NPZ archives: every header is read before anything is unpacked, nothing is unpickled, no size is believed.

Taken are the array X (rows by columns), with y as the target and `names` for the columns where they are there; without
an X, the only array of two dimensions in the same way; without that, arrays of one dimension and equal length, each a
column, y the target.
"""

import re
import struct
import zlib
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.text import counted, listed, printable
from algorithms.data.array_columns import columns_of_array, texts_of
from algorithms.data.cells import Column
from algorithms.data.plain_files import opened_plain
from algorithms.data.progress import Watch
from algorithms.data.sampling import Sample, rows_drawn
from algorithms.data.sparse_archive import is_sparse, read_sparse
from algorithms.data.table import Table, names_of

MOST_UNPACKED = 4 << 30  # bytes
_MOST_ARRAYS = 1000
_MOST_DIRECTORY = 1 << 20  # bytes
_MOST_HEADER = 10_000  # bytes
_MOST_TEXT = 1 << 16  # bytes a cell
_BLOCK = 1 << 20  # bytes
_HEADER = re.compile(
    r"\s*+\{(?:\s*+'(?:descr'\s*+:\s*+'(?P<descr>[<>|=]?+[A-Za-z]\d*+(?:\[\w++\])?+)'"
    r"|fortran_order'\s*+:\s*+(?P<fortran>True|False)"
    r"|shape'\s*+:\s*+\((?P<shape>[\d,\sL]*+)\))\s*+,?+)++\s*+\}\s*+",
    re.ASCII,
)
_DAMAGE = (BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError, OverflowError)


class Entry(Struct, frozen=True, eq=False):
    """An array of an archive, by its header.

    Attributes:
        info: where it is.
        start: the bytes before its first item.
        dtype: of its items; None when it is none that is read.
        why: then, why not: "holds Python objects, which are never unpickled".
    """

    name: str
    info: ZipInfo
    start: int = 0
    dtype: "np.dtype[np.generic] | None" = None
    shape: tuple[int, ...] = ()
    fortran: bool = False
    why: str = ""

    @property
    def size(self) -> int:
        """Bytes of its items."""
        return prod(self.shape) * self.dtype.itemsize if self.dtype is not None else 0

    @property
    def is_text(self) -> bool:
        return self.dtype is not None and self.dtype.kind in "SUM"

    @property
    def words(self) -> str:
        """For a sentence: "X (150 x 4)"."""
        return f"{self.name} ({self.why or ' x '.join(map(str, self.shape)) or 'one number'})"


class _Taken(Struct, frozen=True, eq=False):
    """Which arrays make the table, what their columns are called, and what is said of it."""

    entries: tuple[Entry, ...]
    target: str | None
    notice: str
    names: Entry | None = None


def read_archive(path: Path, file: str, sample: Sample, watch: Watch) -> Table:
    """Read the table of an NPZ archive.

    Raises:
        Refused: with a sentence that says why there is none, and which array is at fault.
    """
    handle, status = opened_plain(path, file)
    with handle:
        try:
            _check_directory(handle, status.st_size, file)
            with ZipFile(handle) as archive:
                return _table(archive, file, sample, watch)
        except Refused:
            raise
        except _DAMAGE:
            raise Refused(f"{file} is neither text nor a whole NPZ archive: it is damaged or cut short.") from None


def _check_directory(handle: BinaryIO, size: int, file: str) -> None:
    """Refuse an archive whose directory, which is read as a whole, is out of all proportion."""
    handle.seek(max(0, size - (1 << 16) - 42))
    tail = handle.read()
    at = len(tail) - 22 if tail[-22:-18] == b"PK\x05\x06" else tail.rfind(b"PK\x05\x06")
    if at < 0:
        raise BadZipFile
    if tail[max(0, at - 20) : at - 16] == b"PK\x06\x07" or size > MOST_UNPACKED:
        raise Refused(f"{file} is an archive of more than 2 GiB; save some of its rows by themselves.")
    if struct.unpack_from("<I", tail, at + 12)[0] > _MOST_DIRECTORY:
        raise Refused(f"{file} holds more than {_MOST_ARRAYS:,} arrays; save those that are needed by themselves.")


def _table(archive: ZipFile, file: str, sample: Sample, watch: Watch) -> Table:
    entries = _entries(archive, file)
    if is_sparse(entries):
        return read_sparse(entries, lambda entry: _flat(archive, entry, file), file, sample)
    taken = _chosen(entries, file)
    first = taken.entries[0]
    n = first.shape[0]
    widths = [prod(entry.shape[1:]) for entry in taken.entries]
    size = sum(entry.size for entry in taken.entries)
    if size > MOST_UNPACKED:
        raise Refused(
            f"{file} unpacks to {size / 2**30:,.0f} GiB ({first.words}); up to {MOST_UNPACKED >> 30} GiB are read."
        )
    most = sample.most(max(size, 8 * n * sum(widths)), sum(widths))
    rows = None if most is None or most >= n else rows_drawn(n, most, sample.seed, watch)
    done = 0

    def read_on(count: int) -> None:
        nonlocal done
        done += count
        watch(min(1.0, done / size))

    heads, notices = _heads(archive, taken, widths, file)
    columns: list[Column] = []
    for entry, width in zip(taken.entries, widths):
        items = _items(archive, entry, rows, file, read_on)
        columns.extend(columns_of_array(heads[len(columns) : len(columns) + width], items))
    target = columns[-1].name if taken.target else taken.target
    sampled = sample.notice(len(columns[0].values), n, size)
    return Table(tuple(columns), notices=(taken.notice, *notices, *sampled), target=target)


def _entries(archive: ZipFile, file: str) -> dict[str, Entry]:
    """List the arrays by name, as their headers say."""
    infos = [info for info in archive.infolist() if info.filename.endswith(".npy")]
    if not infos:
        raise Refused(f"{file} is an archive without arrays; save a spreadsheet as CSV, arrays with numpy.savez.")
    if len(infos) > _MOST_ARRAYS:
        raise Refused(f"{file} holds {len(infos):,} arrays; {_MOST_ARRAYS:,} at most are looked at.")
    entries: dict[str, Entry] = {}
    for info in infos:
        entry = _entry(archive, info)
        if entry.name in entries:
            raise Refused(f"{file} holds two arrays called {entry.name}.")
        entries[entry.name] = entry
    return entries


def _entry(archive: ZipFile, info: ZipInfo) -> Entry:
    name = printable(info.filename.removesuffix(".npy"))
    if info.flag_bits & 1:
        return Entry(name, info, why="encrypted")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return Entry(name, info, why="packed in a way that is not read")
    with archive.open(info) as stream:
        magic = stream.read(8)
        wide = magic[6:7] != b"\1"
        if magic[:6] != b"\x93NUMPY" or magic[6:7] not in (b"\1", b"\2", b"\3"):
            return Entry(name, info, why="not an array")
        (length,) = struct.unpack("<I" if wide else "<H", stream.read(4 if wide else 2))
        if length > _MOST_HEADER:
            return Entry(name, info, why="a header without end")
        start = 8 + (4 if wide else 2) + length
        header = _HEADER.fullmatch(stream.read(length).decode("latin-1"))
    if header is None or None in header.groups():
        return Entry(name, info, why="not an array of single numbers or texts")
    shape = tuple(int(part.strip("L ")) for part in header["shape"].split(",") if part.strip())
    try:
        dtype = np.dtype(header["descr"])
    except TypeError:
        return Entry(name, info, why="items of an unknown kind")
    if dtype.kind == "O":
        return Entry(
            name, info, why="Python objects, which are never unpickled; save it as numbers or with astype(str)"
        )
    if dtype.kind not in "biufSUM" or not 0 < dtype.itemsize <= _MOST_TEXT:
        return Entry(name, info, why=f"items of the kind {dtype.name}")
    return Entry(name, info, start, dtype, shape, header["fortran"] == "True")


def _chosen(entries: dict[str, Entry], file: str) -> _Taken:
    """Choose the arrays that make the table."""
    X = entries.get("X")
    if X is None:
        tables = [e for e in entries.values() if len(e.shape) == 2 and not e.is_text and e.name != "y"]
        if len(tables) > 1:
            raise Refused(
                f"{file} holds {listed([e.words for e in tables])}; call the one with the rows X, or save it by itself."
            )
        X = tables[0] if tables else None
    taken = _columns_chosen(entries, file) if X is None else _matrix_chosen(X, entries, file)
    for entry in taken.entries:
        _check(entry, file)
    left = [e.words for e in entries.values() if e not in taken.entries and e is not taken.names]
    notice = f"{taken.notice}; not taken: {listed(left)}." if left else f"{taken.notice}."
    return replace(taken, notice=notice)


def _matrix_chosen(X: Entry, entries: dict[str, Entry], file: str) -> _Taken:
    """Choose X, and y and names where they are there and fit."""
    if X.dtype is None:
        raise Refused(f"{X.name} of {file} cannot be read: {X.why}.")
    if X.is_text or len(X.shape) not in (1, 2):
        held = "holds text" if X.is_text else f"has {counted(len(X.shape), 'dimension')}"
        raise Refused(f"{X.name} of {file} {held}; it must be numbers, rows by columns.")
    y, names = entries.get("y"), entries.get("names")
    notice = f"{X.name} ({' x '.join(map(str, X.shape))}) is taken as rows by columns"
    if y is None:
        return _Taken((X,), "", notice, names)
    if y.dtype is None:
        raise Refused(f"y of {file} cannot be read: {y.why}.")
    if y.shape not in ((X.shape[0],), (X.shape[0], 1)):
        raise Refused(f"{file} holds {X.words} and {y.words}; y must be one value a row.")
    return _Taken((X, y), "y", f"{notice}, y as the target", names)


def _columns_chosen(entries: dict[str, Entry], file: str) -> _Taken:
    """Choose the arrays of one dimension, which must be equally long; y comes last."""
    there = [e for e in entries.values() if len(e.shape) == 1]
    if not there:
        raise Refused(
            f"{file} holds {listed([e.words for e in entries.values()])}; an array of rows by columns is needed."
        )
    if len({e.shape for e in there}) > 1:
        raise Refused(f"{file} holds {listed([e.words for e in there])}; columns must be equally long.")
    there.sort(key=lambda e: e.name == "y")
    target = "y" if there[-1].name == "y" and len(there) > 1 else None
    return _Taken(tuple(there), target, f"{listed([e.name for e in there])} are taken as columns")


def _check(entry: Entry, file: str) -> None:
    """Refuse an array whose header does not say what the archive holds of it, or that holds nothing."""
    if not prod(entry.shape):
        raise Refused(f"{file} holds {entry.words}: there is nothing in it.")
    held = entry.info.file_size - entry.start
    if entry.size != held:
        raise Refused(
            f"{entry.words} of {file} would take {counted(entry.size, 'byte')}, and the archive holds {held:,} of it."
        )


def _items(archive: ZipFile, entry: Entry, rows: Array | None, file: str, read_on: Callable[[int], None]) -> Array:
    """Read the (k, d) items of some rows, or of all, in blocks: rows that are not taken are never in memory."""
    assert entry.dtype is not None
    n, d = entry.shape[0], prod(entry.shape[1:])
    k = n if rows is None else len(rows)
    positions = None
    if rows is not None:  # of the items wanted, in the order in which they are stored
        j = np.arange(d)
        positions = (rows + n * j[:, None] if entry.fortran else rows[:, None] * d + j).ravel()
    items = np.empty(k * d, entry.dtype)
    block = max(1, _BLOCK // entry.dtype.itemsize)
    with archive.open(entry.info) as stream:
        stream.read(entry.start)
        for start in range(0, n * d, block):
            stop = min(start + block, n * d)
            wanted = (stop - start) * entry.dtype.itemsize
            raw = stream.read(wanted)
            if len(raw) < wanted:
                raise Refused(f"{entry.words} of {file} is cut short.")
            part = np.frombuffer(raw, entry.dtype)
            if positions is None:
                items[start:stop] = part
            else:
                low, high = np.searchsorted(positions, (start, stop))
                items[low:high] = part[positions[low:high] - start]
            read_on(wanted)
    return items.reshape(d, k).T if entry.fortran else items.reshape(k, d)


def _flat(archive: ZipFile, entry: Entry, file: str) -> Array:
    """Read all items of an array in a row."""
    if entry.dtype is None:
        raise Refused(f"{entry.name} of {file} cannot be read: {entry.why}.")
    _check(entry, file)
    return _items(archive, replace(entry, shape=(prod(entry.shape),)), None, file, lambda _: None)[:, 0]


def _heads(archive: ZipFile, taken: _Taken, widths: list[int], file: str) -> tuple[tuple[str, ...], list[str]]:
    """Name the columns, each once, with notices of names that changed."""
    notices: list[str] = []
    heads = [e.name if width == 1 else f"x{j + 1}" for e, width in zip(taken.entries, widths) for j in range(width)]
    names = taken.names
    if names is not None:
        given = texts_of(_items(archive, names, None, file, lambda _: None)[:, 0]) if _may_name(names, widths) else []
        if given:
            heads[: len(given)] = given
        else:
            notices.append(f"{names.words} does not name the columns.")
    return names_of(heads, notices)[0], notices


def _may_name(names: Entry, widths: list[int]) -> bool:
    """Tell whether there is a name for every column, or for every one but the target."""
    fits = names.is_text and len(names.shape) == 1 and names.shape[0] in (widths[0], sum(widths))
    return fits and names.size == names.info.file_size - names.start
