"""The catalogue: algorithms by family, filtered by what is typed; the current one with its theorems, playing."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from algorithms.core import Algorithm, Theorem
from algorithms.core.catalogue import find, names
from algorithms.core.search import in_title, search, theorems_with
from algorithms.playback.runs.loaded_run import LoadedRun
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.text import typeset, wrapped
from tui.screens import browser
from tui.screens.browser import Browser
from tui.widgets.raster import RasterView

_LECTURES = ("tab", "lectures", "lectures")


class About(RasterView):
    """Describes the current algorithm: its rule, its theorems, its phases."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._algorithm: Algorithm | None = None
        self._query, self._sentence = "", ""

    def show(self, algorithm: Algorithm, query: str = "") -> None:
        """Show an algorithm, those of its theorems first that the query is about."""
        self._algorithm, self._query = algorithm, query
        self.redraw()

    def tell(self, sentence: str) -> None:
        """Say a sentence in place of an algorithm."""
        self._algorithm, self._sentence = None, sentence
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette, algorithm = self.palette, self._algorithm
        if algorithm is None:
            inside = framed(canvas, "no match", "", palette)
            for row, line in enumerate(wrapped(self._sentence, inside.columns - 2)):
                inside.text(1, row, line, palette.ink)
            return
        inside = framed(canvas, algorithm.title, algorithm.family, palette)
        sought = theorems_with(algorithm, self._query)
        row = self._paint_theorems(inside, sought, 0, palette.ink)  # why it is listed comes first: room may be short
        row += bool(sought)
        for line in wrapped(algorithm.summary, inside.columns - 2):
            inside.text(1, row, line, palette.ink)
            row += 1
        row += 1
        for line in algorithm.rule.splitlines():
            inside.text(3, row, fitted(line, inside.columns - 3), palette.accent)
            row += 1
        others = [theorem for theorem in algorithm.theorems if theorem not in sought]
        row = self._paint_theorems(inside, others, row + 1, palette.dim)
        self._paint_phases(inside, algorithm, row + 1)

    def _paint_theorems(self, inside: Canvas, theorems: Sequence[Theorem], row: int, color: int) -> int:
        """Paint as many theorems as there is room for; returns the row below them."""
        for theorem in theorems:
            lines = wrapped(f"{typeset(theorem.statement)}  ({theorem.source})", inside.columns - 4)
            if row + len(lines) > inside.rows:
                break
            inside.text(1, row, "∴", self.palette.good)
            for line in lines:
                inside.text(3, row, line, color)
                row += 1
        return row

    def _paint_phases(self, inside: Canvas, algorithm: Algorithm, row: int) -> None:
        """Paint what a step can be, where there is room for it."""
        width = max((width_of(phase) for phase in algorithm.phases), default=0) + 2
        if row + len(algorithm.phases) > inside.rows:
            return
        for phase, meaning in algorithm.phases.items():
            inside.text(3, row, phase, self.palette.accent)
            inside.text(3 + width, row, fitted(meaning, inside.columns - width - 4), self.palette.dim)
            row += 1


class CatalogueScreen(Browser):
    """Families and algorithms at the left, those that match what is typed; the current one at the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "watch", "watch the current algorithm"),
        Binding("tab", "lectures", "what the lectures state, by lecture and section"),
        Binding("slash", "start_filter", "filter by title, family, theorem or data; any letter but q begins it too"),
    ]
    KEYS = (
        browser.CHOOSE,
        browser.WATCH,
        browser.FILTER,
        _LECTURES,
        browser.BACK,
        browser.BY_NAME,
        browser.QUIT,
        browser.HELP,
    )
    KEYS_FILTERING = (browser.CHOOSE, browser.WATCH, browser.NO_FILTER, _LECTURES, browser.BY_NAME, browser.HELP)

    def about(self) -> About:
        return About(id="about")

    def on_mount(self) -> None:
        self.host.by_lecture = False

    @property
    def total(self) -> int:
        return len(names())

    def options(self, query: str, room: int) -> list[Option]:
        return _options(search(query), room)

    def first(self, matching: Sequence[str], query: str, current: str) -> str:
        return _first(matching, query, current)

    def describe(self, chosen: str, query: str) -> None:
        self.query_one(About).show(find(chosen), query)

    def describe_none(self, query: str) -> None:
        sentence = f"No algorithm has {query!r} in its title, family, theorems or data; esc lists them all."
        self.query_one(About).tell(sentence)

    def show_preview(self, chosen: str) -> None:
        self.preview.show(LoadedRun.usual(find(chosen)))

    def open_entry(self, chosen: str) -> None:
        self.host.watch_run(LoadedRun.usual(find(chosen)))

    def action_lectures(self) -> None:
        """List what the lectures state instead, from what the current algorithm shows on."""
        self.host.browse_lectures(shown_by=self.current)


def _first(matching: Sequence[str], query: str, current: str) -> str:
    """Choose the current algorithm: the one that was, else the first with the query in its title."""
    titled = [name for name in matching if query and in_title(find(name), query)]
    preferred = titled or matching
    return current if current in preferred else preferred[0]


def _options(grouped: Mapping[str, Sequence[str]], room: int) -> list[Option]:
    """List families as headings that cannot be chosen, and algorithms by their titles."""
    options: list[Option] = []
    for family, members in grouped.items():
        options.append(Option(Content(family), disabled=True))
        options += [Option(_titled(name, room), id=name) for name in members]
    return options


def _titled(name: str, room: int) -> Content:
    """Cut an algorithm's title to so many columns."""
    return Content(fitted(f"  {find(name).title}", room))
