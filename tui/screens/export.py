"""What to export, to which file; and the waiting while it is written."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from msgspec import Struct
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.saving.files import file_name
from tui.export.animation import MOST_GIF, can_gif
from tui.export.page import check
from tui.screens.asking import Dialog
from tui.widgets.field import Field
from tui.widgets.options import Options

_SLICE = 0.02  # seconds of work between two looks at the keys
_BAR = 40


class Kind(Struct, frozen=True):
    """One thing that can be exported.

    Attributes:
        of: what of the run: "numbers", "state", "screen", "page" or "animation".
    """

    words: str
    of: str
    suffix: str


KINDS = (
    Kind("the numbers of every step so far, as a table (CSV)", "numbers", ".csv"),
    Kind("the numbers of every step so far, as JSON lines", "numbers", ".jsonl"),
    Kind("the numbers of every step so far, as arrays for NumPy (NPZ)", "numbers", ".npz"),
    Kind("the state of this step, as arrays for NumPy (NPZ)", "state", ".npz"),
    Kind("this screen, as a picture (SVG)", "screen", ".svg"),
    Kind("this screen, as text", "screen", ".txt"),
    Kind("steps, as a page to step through in a browser (HTML)", "page", ".html"),
    Kind("steps one after another, for asciinema (.cast)", "animation", ".cast"),
    Kind("steps one after another, as a GIF", "animation", ".gif"),
)


class ExportAsked(Struct, frozen=True):
    """What was chosen.

    Attributes:
        first, last: the steps of a page or an animation, and `speed` how many of them it shows a second.
    """

    kind: Kind
    path: Path
    overwrite: bool
    first: int = 0
    last: int = 0
    speed: float = 4.0


class ExportDialog(Dialog[ExportAsked]):
    """Asks what is to be exported. A file that is there is replaced when enter is pressed a second time.

    Args:
        name: what the files are called, without an ending.
        here, last: the step in hand and the newest one.
        speed: steps a second.
        kinds: what can be exported.
        unit: what steps are called.
    """

    heading = "Export"
    hint = "↑ ↓ choose   tab next   enter writes it   esc leaves it"

    def __init__(
        self, name: str, here: int, last: int, speed: float, kinds: Sequence[Kind] = KINDS, unit: str = "step"
    ):
        super().__init__()
        self._kinds, self._unit = kinds, unit
        self._name, self._here, self._last, self._speed = name, here, last, speed
        self._replace: Path | None = None

    def body(self) -> list[Widget]:
        listed = Options(*(Option(Content(_line(kind))) for kind in self._kinds), id="kinds")
        listed.highlighted = 0
        folder = Static(Content(clean(f"in {Path.cwd()}, or a path", 70)), classes="where")
        first, last = str(max(self._here - MOST_GIF + 1, 0)), str(self._here or self._last)
        return [
            listed,
            Horizontal(Label(Content("file")), Field(id="file"), classes="field wide"),
            folder,
            Horizontal(
                Label(Content(f"from {self._unit}")),
                Field(first, id="first"),
                Label(Content("to")),
                Field(last, id="last"),
                Label(Content("steps a second"), classes="speed"),
                Field(f"{self._speed:g}", id="speed", classes="speed"),
                classes="field steps",
            ),
        ]

    def on_mount(self) -> None:
        self._fill(self._kinds[0])

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._fill(self._kinds[event.option_index])

    def _fill(self, kind: Kind) -> None:
        of_step = f"-step-{self._here}" if kind.of in ("state", "screen") else ""
        self.query_one("#file", Input).value = free_name(f"{self._name}{of_step}", kind.suffix)
        self.query_one(".steps").visible = kind.of in ("page", "animation")
        for part in self.query(".speed"):
            part.visible = kind.of == "animation"  # a page has its own
        self.complain("")
        self._replace = None

    def on_option_list_option_selected(self) -> None:
        self._take()

    def on_input_submitted(self) -> None:
        self._take()

    def on_input_changed(self) -> None:
        self._replace = None

    def _take(self) -> None:
        kind = self._kinds[self.query_one("#kinds", OptionList).highlighted or 0]
        try:
            path = _path(self.query_one("#file", Input).value, kind.suffix)
            first, last, speed = self._steps() if kind.of in ("page", "animation") else (0, 0, 1.0)
            if kind.suffix == ".gif":
                _check_gif(last - first + 1)
            elif kind.of == "page":
                check(last - first + 1)
        except Refused as refusal:
            self.complain(clean(refusal))
            return
        there = os.path.lexists(path)
        if there and self._replace != path:
            self._replace = path
            self.complain(clean(f"{path.name} is there already: enter again replaces it, another name keeps it."))
            return
        self.dismiss(ExportAsked(kind, path, there, first, last, speed))

    def _steps(self) -> tuple[int, int, float]:
        typed = [self.query_one(f"#{name}", Input).value.strip().replace(",", "") for name in ("first", "last")]
        units = "s ".join(self._unit.split(" ", 1)) if " " in self._unit else f"{self._unit}s"
        if not all(text.isascii() and text.isdigit() and len(text) < 13 for text in typed):
            raise Refused(f"{units} are numbered 0 to {self._last:,} so far.")
        first, last = map(int, typed)
        if not first <= last <= self._last:
            raise Refused(
                f"from {self._unit} {first:,} to {last:,} will not do: so far it has {units} 0 to {self._last:,}."
            )
        try:
            speed = float(self.query_one("#speed", Input).value)
        except ValueError:
            speed = 0.0
        if not 0.05 <= speed <= 60:
            raise Refused("steps a second are a number from 0.05 to 60.")
        return first, last, speed


def _line(kind: Kind) -> str:
    return kind.words + (
        "; needs Pillow: pip install 'iterscope[gif]'" if kind.suffix == ".gif" and not can_gif() else ""
    )


def _check_gif(steps: int) -> None:
    if not can_gif():
        raise Refused("a GIF is drawn by Pillow, which is not installed: pip install 'iterscope[gif]', or take .cast.")
    if steps > MOST_GIF:
        raise Refused(f"a GIF of {steps:,} steps is too large; {MOST_GIF} will do, and a .cast takes any number.")


def _path(typed: str, suffix: str) -> Path:
    text = typed.strip()
    if not text:
        raise Refused("name the file.")
    path = Path(text).expanduser() if text.startswith("~") else Path(text)
    if path.suffix.lower() != suffix:
        path = path.with_name(path.name + suffix) if path.name else path
    if not path.name or os.path.isdir(path):
        raise Refused(f"{text} is a folder: name a file in it.")
    if not os.path.isdir(path.parent):  # said here, where the name still stands and can be mended
        raise Refused(f"there is no folder {path.parent}: name one that is there.")
    return path


def free_name(name: str, suffix: str) -> str:
    """Make a file's name made of any text, numbered where there is one of that name in the folder."""
    made, number = file_name(name, suffix), 1
    while os.path.lexists(made) and number < 1000:
        number += 1
        made = file_name(f"{name}-{number}", suffix)
    return made


class Writing(Dialog[str]):
    """Works at what is to be written, a little at a time; ends with "" when it is done, or with why it was not.

    Args:
        name: of the file.
        work: yields how much is done, 0 to 1; closing it gives it up.
    """

    hint = "esc stops it; nothing is left of it"

    def __init__(self, name: str, work: Iterator[float]):
        super().__init__()
        self.heading = clean(f"Writing {name}", 70)
        self._work = work

    def body(self) -> list[Widget]:
        return [Static(_bar(0.0), id="share")]

    def on_mount(self) -> None:
        self.set_interval(1 / 30, self._go_on)

    def _go_on(self) -> None:
        if self.app.screen is not self:
            return
        until, share = perf_counter() + _SLICE, 0.0
        try:
            while perf_counter() < until:
                share = next(self._work)
        except StopIteration:
            self.dismiss("")
            return
        except Refused as refusal:
            self.dismiss(str(refusal))
            return
        self.query_one("#share", Static).update(_bar(share))

    def on_unmount(self) -> None:
        """Give up what is not done, however the dialog goes: an app that ends asks no dialog."""
        close = getattr(self._work, "close", None)
        if close is not None:
            close()

    def action_leave(self) -> None:
        self.dismiss(None)


def _bar(share: float) -> Content:
    whole = round(share * _BAR)
    return Content.assemble(("━" * whole, "$accent"), ("─" * (_BAR - whole), "$dim"), f" {share:.0%}")
