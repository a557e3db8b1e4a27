"""What is sent of screens: each once for all, as what has changed since the one before, or whole.

A message is its length in four bytes and a packed JSON object; one of no length says that the line still stands.
"""

import json
import zlib
from asyncio import Event
from functools import cached_property
from typing import Any

from tui.export.cells import changes, run_lengths
from tui.paint.cells import Cells

STILL_THERE = (0).to_bytes(4, "big")


class Shown:
    """A screen of the lecturer's.

    Attributes:
        number: of the screens that were shown before it.
        followed: set when another one is shown.
    """

    def __init__(self, cells: Cells, place: str, before: "Shown | None" = None):
        self.cells, self._place = cells, place
        self.number: int = before.number + 1 if before is not None else 0
        self._resized = before is not None and before.cells.glyphs.shape != cells.glyphs.shape
        self._spans = changes(before.cells if before is not None else None, cells)
        self.followed = Event()

    @property
    def differs(self) -> bool:
        """Tell whether anything is other than in the one before."""
        return bool(self._spans)

    @cached_property
    def difference(self) -> bytes:
        """What who has the one before is sent."""
        return self.whole if self._resized else self._message(self._spans, whole=False)

    @cached_property
    def whole(self) -> bytes:
        """What is sent to who has another one, or none."""
        return self._message(changes(None, self.cells), whole=True)

    def _message(self, spans: list[tuple[int, int, int]], *, whole: bool) -> bytes:
        rows, columns = self.cells.glyphs.shape
        parts = [
            [
                row,
                first,
                "".join(map(chr, self.cells.glyphs[row, first:end].tolist())),
                run_lengths(self.cells.styles[row, first:end].tolist()),
            ]
            for row, first, end in spans
        ]
        said: dict[str, Any] = {"whole": whole, "place": self._place, "size": [columns, rows], "rows": parts}
        packed = zlib.compress(json.dumps(said, separators=(",", ":")).encode(), 6)
        return len(packed).to_bytes(4, "big") + packed
