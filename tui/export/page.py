"""A run as one HTML page that any browser steps through: the cells of the screen at each step, and its words.

The page draws cells and knows no algorithm. What comes from data is in one place of it, packed: nothing of that is ever
read as markup or as a script, and the page's own policy has the browser refuse every other script and every request.
"""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Refused
from algorithms.core.text import clean
from tui.export.cells import changes, run_lengths
from tui.paint.cells import Cells

MOST = 1000  # steps of a page; browsers hold all of its cells in memory
_LONGEST = 2_000  # characters of a sentence
_HERE = Path(__file__).parent
_ASIDE = '<aside id="lesson" aria-label="the lesson"></aside>\n<div id="handout"></div>'


def check(steps: int) -> None:
    """Refuse more steps than browsers hold."""
    if steps > MOST:
        raise Refused(f"a page of {steps:,} steps is too large for browsers; it has {MOST:,} at most.")


class Words(Struct, frozen=True):
    """What is said of a step, for the page's own line and for those who hear the page.

    Attributes:
        t: the step's number; of a comparison that of what its runs share, as an iteration.
        iteration: None where that is what is counted.
        phase: "" where there is none.
        events: those that happened, by name.
        theorems: each statement, and how it stands.
    """

    t: int
    iteration: int | None
    phase: str
    events: tuple[str, ...]
    sentence: str
    theorems: tuple[tuple[str, str], ...]


class Step(Struct, frozen=True, eq=False):
    """A step as it is on the screen, in both looks, which differ in their styles alone."""

    dark: Cells
    light: Cells
    words: Words


# how much is done, and a step; None while it is being made
Steps = Iterator[tuple[float, Step | None]]


# runs by name, each with what makes its steps; a page of one run does not show the name
Runs = Sequence[tuple[str, Callable[[], Steps]]]


def page(runs: Runs, title: str, unit: str = "step") -> Callable[[BinaryIO], Iterator[float]]:
    """Make what writes the page.

    Args:
        unit: what steps are called.
    """

    def write(file: BinaryIO) -> Iterator[float]:
        packed: list[dict[str, Any]] = []
        for number, (name, steps) in enumerate(runs):
            rows: Rows | None = None
            words = Spoken()
            for share, step in steps():
                if step is not None:
                    rows = rows or Rows(step.dark.glyphs.shape)
                    rows.add(step.dark, step.light)
                    words.add(step.words)
                yield (number + share) / len(runs)
            if rows is not None:
                packed.append({"name": clean(name)} | rows.packed() | words.packed())
        if packed:
            file.write(page_of({"title": clean(title), "unit": clean(unit), "runs": packed}))

    return write


class _Numbers(dict[Any, int]):
    """Numbers what it is asked for, in the order of asking."""

    def __missing__(self, key: Any) -> int:
        self[key] = len(self)
        return self[key]


class Rows:
    """The cells of many steps, as what changes: row after row, which packs a tenth to a quarter better than step
    after step."""

    def __init__(self, shape: tuple[int, int]):
        self._shape = shape
        self._palette, self._before = _Numbers(), Cells(np.zeros((0, 0)), np.zeros((0, 0)))
        rows = range(shape[0])
        self._places: list[list[int]] = [[] for _ in rows]
        self._texts: list[list[str]] = [[] for _ in rows]
        self._styles: list[list[list[int]]] = [[] for _ in rows]
        self._seen = [0 for _ in rows]
        self._steps = 0

    def add(self, dark: Cells, light: Cells) -> None:
        """Add a step."""
        if dark.glyphs.shape != self._shape:
            raise Refused("the terminal has changed its size while the page was written: export it again.")
        cells = Cells(dark.glyphs, self._numbered(dark.styles, light.styles))
        for row, first, end in changes(self._before, cells):
            self._places[row] += [self._steps - self._seen[row], first]
            self._texts[row].append("".join(map(chr, cells.glyphs[row, first:end].tolist())))
            self._styles[row].append(run_lengths(cells.styles[row, first:end].tolist()))
            self._seen[row] = self._steps
        self._before = cells
        self._steps += 1

    def _numbered(self, dark: Array, light: Array) -> Array:
        """Number the pairs of styles."""
        (darks, of_dark), (lights, of_light) = (np.unique(x, return_inverse=True) for x in (dark, light))
        pairs, of_pair = np.unique(of_dark.ravel() * len(lights) + of_light.ravel(), return_inverse=True)
        keys = [(int(darks[pair // len(lights)]), int(lights[pair % len(lights)])) for pair in pairs.tolist()]
        return np.array([self._palette[key] for key in keys])[of_pair].reshape(dark.shape)

    def packed(self) -> dict[str, Any]:
        """Write them in plain values.

        Returns:
            palette: ink, ground in the dark, the same in the light, and whether it is bold, of each style.
            places: for each row the steps since its last change and the first column that changed, again and again.
            texts: what stands from there; "\\0" is the second cell of a character that is two wide.
            styles: its styles, as number and length again and again.
        """
        palette = [[*_inks(dark), *_inks(light), dark >> 48] for dark, light in self._palette]
        rows, columns = self._shape
        cells = {"palette": palette, "places": self._places, "texts": self._texts, "styles": self._styles}
        return {"size": [columns, rows], **cells}


def _inks(style: int) -> tuple[str, str]:
    return f"#{style >> 24 & 0xFFFFFF:06x}", f"#{style & 0xFFFFFF:06x}"


class Spoken:
    """The words of many steps; phases, sentences and theorems recur, and are there once."""

    def __init__(self) -> None:
        self._steps: list[list[Any]] = []
        self._tables = {name: _Numbers() for name in ("phases", "events", "sentences", "statements", "verdicts")}

    def add(self, words: Words) -> None:
        """Add those of a step."""
        of = self._tables
        events = [of["events"][clean(name)] for name in words.events]
        sentence = of["sentences"][clean(words.sentence, _LONGEST)]
        verdicts = [of["verdicts"][of["statements"][clean(s)], clean(stands)] for s, stands in words.theorems]
        phase = of["phases"][clean(words.phase)]
        self._steps.append([words.t, words.iteration, phase, events, sentence, verdicts])

    def packed(self) -> dict[str, Any]:
        """Write them in plain values: the tables, and where in them the words of each step are."""
        return {"steps": self._steps} | {name: list(table) for name, table in self._tables.items()}


def page_of(document: dict[str, Any], *, lesson: bool = False) -> bytes:
    """Put the page together. What comes from data is in it as base64, which is no markup whatever it says.

    Args:
        lesson: whether its runs are the moments of a lesson, of which the page has the text beside the screen.
    """
    plain = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
    names = ("page", "lesson") if lesson else ("page",)
    script = "".join((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in ("cells", *names))
    style = "".join((_HERE / f"{name}.css").read_text(encoding="utf-8") for name in names)
    parts = {
        "POLICY": f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        "STYLE": style,
        "SCRIPT": script,
        "ASIDE": _ASIDE if lesson else "",
        "DATA": base64.b64encode(gzip.compress(plain, 9, mtime=0)).decode(),
    }
    frame = (_HERE / "page.html").read_text(encoding="utf-8")
    return re.sub("@([A-Z]+)@", lambda named: parts[named[1]], frame).encode()


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
