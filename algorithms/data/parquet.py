"""The table in a Parquet file, where pyarrow is there to read it."""

import re
from pathlib import Path

import numpy as np

from algorithms.core.errors import Refused
from algorithms.core.frames import columns_of
from algorithms.data.array_columns import table_of_arrays
from algorithms.data.plain_files import opened_plain
from algorithms.data.progress import Watch
from algorithms.data.sampling import Sample, rows_drawn
from algorithms.data.table import Table

MAGIC = b"PAR1"
_BATCH = 1 << 16  # rows that are taken apart at a time
_INDEX = re.compile(r"__index_level_\d+__")  # what pandas calls the numbers of its rows


def read_parquet(path: Path, file: str, sample: Sample, watch: Watch) -> Table:
    """Read the table of a Parquet file.

    Raises:
        Refused: where pyarrow is not there, with what to do; for a file that is damaged.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise Refused(
            f"{file} is a Parquet file, which is read where pyarrow is: pip install pyarrow, or save the table as CSV."
        ) from None
    handle, status = opened_plain(path, file)
    with handle:
        try:
            opened = parquet.ParquetFile(handle)
            names = [name for name in opened.schema_arrow.names if not _INDEX.fullmatch(name)]
            n, width = opened.metadata.num_rows, max(len(names), 1)
            size = max(status.st_size, 8 * n * width)
            most = sample.most(size, width)
            rows = None if most is None or most >= n else rows_drawn(n, most, sample.seed, watch)
            batches, seen = [], 0
            for batch in opened.iter_batches(batch_size=_BATCH, columns=names):
                here = (
                    np.arange(len(batch)) if rows is None else rows[(rows >= seen) & (rows < seen + len(batch))] - seen
                )
                batches.append(batch.take(pyarrow.array(here)) if rows is not None else batch)
                seen += len(batch)
                watch(min(seen / max(n, 1), 1.0))
            table = pyarrow.Table.from_batches(batches, opened.schema_arrow.empty_table().select(names).schema)
            columns = columns_of(table)
        except (pyarrow.ArrowException, OSError) as error:
            reason = str(error).splitlines()[0][:200].rstrip(".") if str(error) else type(error).__name__
            raise Refused(f"{file} is no whole Parquet file: {reason}.") from None
    return table_of_arrays(columns or (), file, notices=sample.notice(len(table), n, size))
