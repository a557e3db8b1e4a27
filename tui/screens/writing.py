"""Writing what is seen to files: the screen as it is, and steps one after another."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.console import Console
from textual.app import App

from algorithms.core import Refused, Verdict
from algorithms.core.text import clean
from algorithms.playback.pictures.viewer import Picture, at_the_end
from algorithms.saving.files import write_in_parts, write_whole
from algorithms.timeline import Timeline
from tui.paint.palette import DARK, LIGHT, Palette
from tui.paint.text import typeset
from tui.screens.run_screen import RunScreen
from tui.sections.theorems.relations import sides_text
from tui.terminal.containment import Contained
from tui.widgets.keys import Keys
from tui.widgets.raster import RasterView

if TYPE_CHECKING:
    from tui.export.animation import Frames
    from tui.export.page import Runs
    from tui.paint.cells import Cells
    from tui.screens.export import ExportAsked


class WritesFiles(RunScreen):
    """Writing what is seen of a run, or of several, to files, and telling what became of them."""

    def cells_now(self) -> "Cells":
        """Read the cells of the screen."""
        from tui.export.cells import shown

        palette = DARK if self.app.current_theme.dark else LIGHT
        return shown(self, palette.ink << 24 | palette.background)

    def in_both_looks(self, paint: Callable[[], None]) -> "tuple[Cells, Cells]":
        """Paint and read the cells as they are in the dark and in the light; the app's own look comes last, and stays.

        The row of keys is left out: they are not those of a page.
        """
        rows, views = self.query_one(Keys).region.y, list(self.query(RasterView))
        looks = (LIGHT, DARK) if self.app.current_theme.dark else (DARK, LIGHT)
        cells = {}
        for palette in looks:
            before = [view.cells for view in views]
            with _looking(cast(Contained[object], self.app), palette):
                if palette is looks[0]:
                    paint()
                for view, painted in zip(views, before):
                    if view.cells is painted:  # it shows the same as a step before, but in the other look
                        view.redraw()
                whole = self.cells_now()
            cells[palette.name] = type(whole)(whole.glyphs[:rows], whole.styles[:rows])
        return cells["dark"], cells["light"]

    def write_screen(self, asked: "ExportAsked", title: str) -> None:
        """Write the screen as it is; `Refused` where that cannot be."""
        from tui.export.svg import svg

        made = svg(self.app, title) if asked.kind.suffix == ".svg" else self.cells_now().text
        write_whole(asked.path, made, overwrite=asked.overwrite)

    def write_frames(
        self, asked: "ExportAsked", frames: "Callable[[], Frames]", title: str, event: Callable[[], str] = str
    ) -> None:
        """Write the screen at several steps as an animation; `Refused` where that cannot be.

        Args:
            event: names what happens at the step that is shown, "" if nothing does.
        """
        from tui.export.animation import cast, gif

        seconds = 1 / asked.speed
        write = gif(frames, seconds) if asked.kind.suffix == ".gif" else cast(frames, seconds, title, event)
        self.work_at(asked, write_in_parts(asked.path, write, overwrite=asked.overwrite))

    def write_page(self, asked: "ExportAsked", runs: "Runs", title: str, unit: str = "step") -> None:
        """Write the screen at several steps, or what they are called, as a page for browsers."""
        from tui.export.page import page

        self.work_at(asked, write_in_parts(asked.path, page(runs, title, unit), overwrite=asked.overwrite))

    def work_at(self, asked: "ExportAsked", work: Iterator[float]) -> None:
        """Work at a file in a dialog that shows how much of it is done."""

        from tui.screens.export import Writing

        def done(reason: str | None) -> None:
            for view in self.query(RasterView):  # what was painted for a page has no keys
                view.redraw()
            if reason is None:
                self.tell(clean(f"stopped: {asked.path.name} was not written"))
            elif reason:
                self.tell(clean(reason))
            else:
                self.tell_written(asked.path)

        self.app.push_screen(Writing(asked.path.name, work), done)

    def tell_written(self, path: Path) -> None:
        """Tell that a file is there, and its size."""
        size = path.stat().st_size
        words = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB" if size >= 1e3 else f"{size} bytes"
        self.tell(clean(f"written: {path} ({words})"))

    def export_with(self, write: "Callable[[ExportAsked], bool]", asked: "ExportAsked | None") -> None:
        """Write what was asked for once the dialog is gone, since the screen may be what is asked; tell how it went.

        Args:
            write: writes it, and gives whether that is done, and not still worked at.
        """

        def written(asked: "ExportAsked") -> None:
            try:
                if write(asked):
                    self.tell_written(asked.path)
            except Refused as refusal:
                self.tell(clean(refusal))

        if asked is not None:
            self.call_after_refresh(self.when_free, partial(written, asked))


@contextmanager
def _looking(app: Contained[object], palette: Palette) -> Iterator[None]:
    """Paint in a look, in all of its colours and without keys, without having the style sheet read again."""
    theme, console, on_page = app.theme, app.console, app.on_page
    app.on_page = True
    app.set_reactive(App.theme, f"iterscope-{palette.name}")
    app.console = Console(file=StringIO(), color_system="truecolor", force_terminal=True)
    try:
        yield
    finally:
        app.set_reactive(App.theme, theme)
        app.console, app.on_page = console, on_page


def sentence_of(picture: Picture, last: int) -> str:
    """Say of a step what the screen says of it, at the last one why there is no next."""
    ended = picture.stopped is not None and picture.frame.t == last
    return typeset(at_the_end(picture.stopped, picture.words) if picture.stopped and ended else picture.words)


def events_of(run: Timeline, t: int) -> tuple[str, ...]:
    """Name what happens at a step that matters."""
    return tuple(event.name for event, came in zip(run.algorithm.events, run.kind(t).events) if came)


def standings(picture: Picture) -> tuple[tuple[str, str], ...]:
    """List the theorems, and how each stands."""
    return tuple((typeset(verdict.theorem.statement), standing(verdict)) for verdict in picture.verdicts)


def standing(verdict: Verdict) -> str:
    """Say how a theorem stands: "holds: m γ = 3.1 ≤ w·w* = 4", "on average: ...", or why it says nothing."""
    stands = {"expected": "on average", "fails": "FAILS", "does not apply": ""}.get(verdict.status, verdict.status)
    numbers = sides_text(verdict.sides) if verdict.sides is not None else typeset(verdict.why)
    return ": ".join(filter(None, [stands, numbers])) or "says nothing here"
