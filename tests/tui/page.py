"""Write pages of runs, usual and hostile ones, and read them as their script does, without a browser."""

import base64
import copy
import gzip
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from textual.widgets import Input, OptionList

from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.timeline.branches import Change
from tests.text.hostile import ALGORITHM as HOSTILE, HostileSource
from tests.tiny import TINY, Rows
from tests.tui.pilot import stage, text as shown_text, until
from tui.app import IterscopeApp
from tui.headless import write_page
from tui.paint.cells import Cells
from tui.screens.export import KINDS, ExportDialog
from tui.screens.stage import StageScreen
from tui.screens.writing import WritesFiles
from tui.widgets.raster import RasterView

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


async def forked_page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page of a run of ten steps and one that is forked from its fifth, as key e writes it."""
    monkeypatch.chdir(folder)
    app = IterscopeApp(tiny(steps=10))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) == 11)
        session = stage(pilot).session
        session.fork(5, Change({"eta": 0.3, "steps": 12}), "larger steps")
        await until(pilot, lambda: len(session.branches.all) == 2 and session.branch.timeline.last == 12)
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        app.screen.query_one("#kinds", OptionList).highlighted = [kind.suffix for kind in KINDS].index(".html")
        await pilot.pause()
        for field, value in (("#file", "forked.html"), ("#first", "0"), ("#last", "12")):
            app.screen.query_one(field, Input).value = value
        await pilot.press("enter")
        await until(
            pilot, lambda: isinstance(app.screen, StageScreen) and "written: " in shown_text(pilot, "#narration")
        )
        assert session.branch.name == "larger steps", "the run that was shown is shown"
        assert session.player.t == 5
    return folder / "forked.html"


def document(page: bytes, which: int = 0) -> dict[str, Any]:
    """What is packed in a page, of one of its runs."""
    packed = re.search(rb'<script type="application/octet-stream" id="data">([^<]*)</script>', page)
    assert packed is not None
    held = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return held | held["runs"][which]  # type: ignore[no-any-return]


def page_in(html: str) -> bytes:
    """The page in a frame, as a browser has it."""
    (held,) = re.findall(r'<iframe sandbox="allow-scripts" style="[^"<>]*" srcdoc="([^"]*)"></iframe>', html)
    return unescape(held).encode()


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


def without_keys(screen: WritesFiles) -> Cells:
    """The cells of a screen as on a page; afterwards it has its keys again."""
    views = list(screen.query(RasterView))
    cells = None
    for on_page in (True, False):
        screen.app.on_page = on_page  # type: ignore[attr-defined]
        screen.redraw()  # type: ignore[attr-defined]
        for view in views:
            view.redraw()
        cells = cells or screen.cells_now()
    assert cells is not None
    return cells
