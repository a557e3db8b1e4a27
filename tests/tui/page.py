"""Write pages of runs, usual and hostile ones, and read them as their script does, without a browser."""

import base64
import copy
import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.playback.runs.loaded_run import LoadedRun
from tests.text.hostile import ALGORITHM as HOSTILE, HostileSource
from tests.tiny import TINY, Rows
from tui.headless import write_page

SIZE = (100, 30)

Look = tuple[NDArray[np.uint32], NDArray[np.int64]]  # glyphs and styles, as the cells of a screen have them


def tiny(**parameters: object) -> LoadedRun:
    return LoadedRun.checked(TINY, Rows(), dict(parameters))


def written(folder: Path, run: LoadedRun, **given: Any) -> bytes:
    """The page of a run."""
    path = folder / "page.html"
    write_page(run, path, overwrite=True, **({"size": SIZE} | given))
    return path.read_bytes()


FOR_BROWSERS = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "</title><svg onload=alert(3)>",
    "@DATA@ @SCRIPT@ @POLICY@",
    "\ud800 lone",
    "宽字符 🙂 \u202egnal",
)


def hostile() -> LoadedRun:
    """The hostile run of the suite, with words for browsers in what a page says."""
    algorithm, whole = copy.copy(HOSTILE), " ".join(FOR_BROWSERS)
    object.__setattr__(algorithm, "title", whole)
    object.__setattr__(algorithm, "explain", lambda *_: whole)
    object.__setattr__(algorithm, "phases", dict.fromkeys(algorithm.phases, whole))
    return LoadedRun.checked(algorithm, HostileSource(), {})


def document(page: bytes) -> dict[str, Any]:
    """What is packed in a page."""
    packed = re.search(rb'<script type="application/octet-stream" id="data">([^<]*)</script>', page)
    assert packed is not None
    return json.loads(gzip.decompress(base64.b64decode(packed[1])))  # type: ignore[no-any-return]


def screens(held: dict[str, Any]) -> list[tuple[Look, Look]]:
    """The cells of each step in the dark and in the light."""
    columns, rows = held["size"]
    glyphs, numbers = (np.zeros((len(held["steps"]), rows, columns), kind) for kind in (np.uint32, np.intp))
    for row in range(rows):
        at = 0
        for i, (text, lengths) in enumerate(zip(held["texts"][row], held["styles"][row])):
            since, first = held["places"][row][2 * i : 2 * i + 2]
            at += since
            glyphs[at:, row, first : first + len(text)] = [ord(c) for c in text]
            numbers[at:, row, first : first + len(text)] = np.repeat(lengths[::2], lengths[1::2])
    dark, light = (np.array([_style(style[k], style[k + 1], style[4]) for style in held["palette"]]) for k in (0, 2))
    return [((shown, dark[n]), (shown, light[n])) for shown, n in zip(glyphs, numbers)]


def _style(ink: str, ground: str, bold: int) -> int:
    return bold << 48 | int(ink[1:], 16) << 24 | int(ground[1:], 16)


def text(look: Look) -> list[str]:
    """The rows of a screen, without the blanks at their ends."""
    return ["".join(chr(glyph) for glyph in row if glyph).rstrip() for row in look[0].tolist()]
