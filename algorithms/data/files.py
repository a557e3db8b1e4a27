"""A reader's own file as a table: CSV, TSV, NPZ, JSON or Parquet, packed with gzip or not.

What it takes: files are read in blocks, and kept as eight bytes a cell and the text of what is no number. At its
highest, reading a file and making a Dataset of it takes MEMORY times the table (eight bytes a cell, or the file's own
size where that is more), and beside it OVERHEAD and OVERHEAD_A_COLUMN. Of a file of more than MOST_BYTES (see
`sampling`) rows are drawn, and the table is what is drawn.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from algorithms.core.errors import Refused
from algorithms.core.text import printable
from algorithms.data.json_table import ENDINGS, read_json
from algorithms.data.parquet import MAGIC, read_parquet
from algorithms.data.plain_files import opened_plain
from algorithms.data.progress import Watch, unwatched
from algorithms.data.sampling import Sample
from algorithms.data.table import Table
from algorithms.data.textfile import TextFile
from algorithms.data.texttable import read_text

MEMORY = 4
OVERHEAD = 64 << 20  # bytes
OVERHEAD_A_COLUMN = 1 << 10  # bytes
_ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06")
_ARRAY = b"\x93NUM"
_GZIP = b"\x1f\x8b"
_BLOCK = 1 << 20  # bytes


def read(path: Path, decimal: str = ".", sample: Sample = Sample(), watch: Watch = unwatched) -> Table:
    """Read the table in a file; its contents say what it is, not its name (but for JSON, which begins as a text may).

    Raises:
        Refused: with a sentence that says why there is none, where it can with line and column.
    """
    name = printable(path.name) or printable(str(path))
    file = TextFile(path, name, watch)
    if file.start[:2] != _GZIP:
        return _read(path, file, decimal, sample, watch)
    with unpacked(path, name, lambda share: watch(share / 2)) as plain:

        def second_half(share: float) -> None:
            watch(0.5 + share / 2)

        return _read(plain, TextFile(plain, name.removesuffix(".gz"), second_half), decimal, sample, second_half)


def _read(path: Path, file: TextFile, decimal: str, sample: Sample, watch: Watch) -> Table:
    if file.start == _ARRAY:
        raise Refused(f"{file.name} is one array by itself; save it with numpy.savez, as X.")
    if file.start in _ARCHIVES or file.name.lower().endswith(".npz"):
        from algorithms.data.archive import read_archive

        return read_archive(path, file.name, sample, watch)
    if file.start == MAGIC:
        return read_parquet(path, file.name, sample, watch)
    if file.name.lower().endswith(ENDINGS):
        return read_json(path, file.name, sample, watch)
    return read_text(file, decimal, sample)


@contextmanager
def unpacked(path: Path, name: str, watch: Watch) -> Iterator[Path]:
    """Unpack a file of gzip to one that goes when the reading is done.

    Raises:
        Refused: when it is damaged, or unpacks to more than is read.
    """
    from gzip import GzipFile

    from algorithms.data.archive import MOST_UNPACKED

    handle, status = opened_plain(path, name)
    with handle, TemporaryDirectory() as folder:
        plain, size = Path(folder) / "unpacked", 0
        try:
            with GzipFile(fileobj=handle) as packed, plain.open("wb") as into:
                while block := packed.read(_BLOCK):
                    size += into.write(block)
                    if size > MOST_UNPACKED:
                        raise Refused(f"{name} unpacks to more than {MOST_UNPACKED >> 30} GiB, and no more is read.")
                    watch(min(handle.tell() / max(status.st_size, 1), 1.0))
        except Refused:
            raise
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise Refused(f"{name} cannot be unpacked: {reason[:1].lower()}{reason[1:].rstrip('.')}.") from None
        yield plain
