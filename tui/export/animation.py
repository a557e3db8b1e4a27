"""Steps as an animation: an asciinema recording, or a GIF where Pillow is there to draw it."""

import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import BinaryIO

from algorithms.core import Refused
from algorithms.core.text import clean
from tui.paint.cells import Cells, painting

HOLD = 2.0  # seconds that the last step stays
MOST_GIF = 300  # steps of a GIF; browsers hold every one of its pictures in memory

# how much is done, and the screen of a step; None while it is being made
Frames = Iterator[tuple[float, Cells | None]]


def cast(
    frames: Callable[[], Frames], seconds: float, title: str, event: Callable[[], str] = str
) -> Callable[[BinaryIO], Iterator[float]]:
    """Make what writes an asciinema recording, version 2: a line a step, with what changes on the screen.

    Args:
        seconds: from a step to the next.
        event: names what happens at the step that was made last, "" if nothing does; players show it as a chapter.
    """

    def write(file: BinaryIO) -> Iterator[float]:
        before: Cells | None = None
        now = 0.0
        for share, cells in frames():
            if cells is not None:
                rows, columns = cells.glyphs.shape
                new_size = before is not None and before.glyphs.shape != cells.glyphs.shape
                if before is None:
                    _line(file, {"version": 2, "width": columns, "height": rows, "title": title})
                else:
                    now += seconds
                if new_size:
                    _line(file, [round(now, 6), "r", f"{columns}x{rows}"])
                start = "\x1b[?25l\x1b[0m\x1b[2J" if before is None else "\x1b[2J" if new_size else ""
                sent = start + painting(None if new_size else before, cells)
                _line(file, [round(now, 6), "o", sent])
                if name := event():
                    _line(file, [round(now, 6), "m", clean(name)])
                before = cells
            yield share
        if before is not None:
            _line(file, [round(now + HOLD, 6), "o", "\x1b[0m\x1b[?25h"])

    return write


def _line(file: BinaryIO, value: object) -> None:
    file.write(json.dumps(value, ensure_ascii=False).encode() + b"\n")


def gif(frames: Callable[[], Frames], seconds: float) -> Callable[[BinaryIO], Iterator[float]]:
    """Make what writes a GIF that plays over and over.

    Raises:
        Refused: without Pillow.
    """
    if not can_gif():
        raise Refused("a GIF is drawn by Pillow, which is not installed: pip install 'iterscope[gif]', or take .cast.")
    from tui.export.pictures import write_gif

    return lambda file: write_gif(file, frames(), seconds, HOLD)


def can_gif() -> bool:
    """Tell whether Pillow is installed."""
    return find_spec("PIL") is not None
