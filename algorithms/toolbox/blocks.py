"""Rows in blocks that stay in the cache from one operation to the next."""

from collections.abc import Iterator

_NUMBERS = 1 << 15  # of a block: 256 kB


def row_blocks(n: int, width: int, least: int = 64) -> Iterator[slice]:
    """n rows in blocks, when each is worked on as `width` numbers; of `least` rows at least, but for the last."""
    size = max(_NUMBERS // width, least)
    for first in range(0, n, size):
        yield slice(first, first + size)
