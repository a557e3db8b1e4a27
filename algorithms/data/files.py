"""A reader's own file as a table: CSV, TSV or NPZ.

What it takes: files are read in blocks, and kept as eight bytes a cell and the text of what is no number. At its
highest, reading a file and making a Dataset of it takes MEMORY times the table (eight bytes a cell, or the file's own
size where that is more), and beside it OVERHEAD and OVERHEAD_A_COLUMN. Of a file of more than MOST_BYTES (see
`sampling`) rows are drawn, and the table is what is drawn.
"""

from pathlib import Path

from algorithms.core.errors import Refused
from algorithms.data.archive import read_archive
from algorithms.data.progress import Watch, unwatched
from algorithms.data.sampling import Sample
from algorithms.data.table import Table
from algorithms.data.text import printable
from algorithms.data.textfile import TextFile
from algorithms.data.texttable import read_text

MEMORY = 4
OVERHEAD = 64 << 20  # bytes
OVERHEAD_A_COLUMN = 1 << 10  # bytes
_ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06")
_ARRAY = b"\x93NUM"


def read(path: Path, decimal: str = ".", sample: Sample = Sample(), watch: Watch = unwatched) -> Table:
    """Read the table in a file; its contents say what it is, not its name.

    Raises:
        Refused: with a sentence that says why there is none, where it can with line and column.
    """
    file = TextFile(path, printable(path.name) or printable(str(path)), watch)
    if file.start == _ARRAY:
        raise Refused(f"{file.name} is one array by itself; save it with numpy.savez, as X.")
    if file.start in _ARCHIVES or file.name.lower().endswith(".npz"):
        return read_archive(path, file.name, sample, watch)
    return read_text(file, decimal, sample)
