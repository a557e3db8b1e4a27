"""The lectures: what they state, by lecture and section; the current statement, where it is seen, and its run."""

import shlex
from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from algorithms.core import Refused
from algorithms.lectures import LECTURES, Statement, by_section, commands, flat, named, places, shown_by, to_watch
from algorithms.playback.runs.first_screen import Request
from algorithms.playback.runs.request import requested
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import broken, wrapped
from tui.screens import browser
from tui.screens.browser import Browser
from tui.terminal.clean import safe
from tui.widgets.raster import RasterView

_FAMILIES = ("tab", "algorithms", "algorithms")
_REST = ("⇧↓", "the rest", "scroll(1)")
_SHARE, _MOST_ROWS = 0.55, 18  # of the screen's rows for the statement, above its preview
_KIND = 12  # columns of what kind of place it is


class StatementView(RasterView):
    """Shows a statement whole: what it says, what its lecture errs in, what to type and where to look."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._statement: Statement | None = None
        self._sentence = ""
        self._top = 0

    def show(self, statement: Statement) -> None:
        """Show a statement from its beginning."""
        self._statement, self._top = statement, 0
        self.redraw()

    def tell(self, sentence: str) -> None:
        """Say a sentence in place of a statement."""
        self._statement, self._sentence = None, sentence
        self.redraw()

    def scroll_lines(self, by: int) -> None:
        """Show it from so many lines further down, or up."""
        self._top = max(self._top + by, 0)
        self.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.scroll_lines(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.scroll_lines(-1)

    def paint(self, canvas: Canvas) -> None:
        palette, one = self.palette, self._statement
        if one is None:
            inside = framed(canvas, "no match", "", palette)
            for row, line in enumerate(wrapped(self._sentence, inside.columns - 2)):
                inside.text(1, row, line, palette.ink)
            return
        lines, room = list(_lines(one, canvas.columns - 4, palette)), max(canvas.rows - 2, 1)
        if len(lines) > room:
            lines = [line for line in lines if line[0] or line[2]]  # blank ones can go
        self._top = min(self._top, max(len(lines) - room, 0))
        below = len(lines) - room - self._top
        hint = f"⇧↓ {below} more" if below > 0 else "⇧↑ above" if self._top else ""
        title = fitted(f"{one.id}  {one.section}", canvas.columns - 9 - width_of(hint))
        inside = framed(canvas, title, hint, palette)
        for row, (head, head_ink, line, ink) in enumerate(lines[self._top : self._top + room]):
            column = inside.text(1, row, head, head_ink)
            inside.text(column, row, line, ink)


def _lines(one: Statement, width: int, palette: Palette) -> Iterator[tuple[str, int, str, int]]:
    """Lay a statement out in lines: what stands before each and its colour, the line and its colour."""
    for line in wrapped(one.says, width):
        yield "", palette.dim, line, palette.ink
    yield "", palette.dim, "", palette.ink
    if one.errs:
        for i, line in enumerate(wrapped(f"the lecture errs: {one.errs}", width)):
            head = "the lecture errs:" if i == 0 and line.startswith("the lecture errs:") else ""
            yield head, palette.wrong, line.removeprefix(head), palette.ink
        yield "", palette.dim, "", palette.ink
    for command in commands(one):
        for line in broken(command, width):
            yield "", palette.dim, line, palette.accent
    for kind, which in places(one):
        if kind != "demo":  # its command says it
            for i, line in enumerate(wrapped(which, width - _KIND)):
                yield f"{'' if i else kind:{_KIND}}", palette.dim, line, palette.ink


class LecturesScreen(Browser):
    """Lectures, sections and statements at the left, those that match what is typed; the current one at the right.

    Args:
        current: the id of the statement to begin at, "" for the first.
        algorithm: whose statements to begin among, "" for any.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "watch", "open its run at the step where it is seen"),
        Binding("tab", "algorithms", "the algorithms, by family"),
        Binding("shift+down", "scroll(1)", "the rest of a long statement"),
        Binding("shift+up", "scroll(-1)", "the beginning of a long statement"),
        Binding("slash", "start_filter", "find by the words of a statement; any letter begins it too"),
    ]
    KEYS = (
        browser.CHOOSE,
        browser.WATCH,
        browser.FILTER,
        _FAMILIES,
        browser.BACK,
        _REST,
        browser.BY_NAME,
        browser.QUIT,
        browser.HELP,
    )
    KEYS_FILTERING = (browser.CHOOSE, browser.WATCH, browser.NO_FILTER, _FAMILIES, _REST, browser.BY_NAME, browser.HELP)

    def __init__(self, current: str = "", algorithm: str = ""):
        shown = [one.id for one in shown_by(algorithm)]
        super().__init__(current if current in shown or not shown else shown[0])

    def about(self) -> StatementView:
        return StatementView(id="about")

    def on_resize(self) -> None:
        self.query_one(StatementView).styles.height = min(round(self.size.height * _SHARE), _MOST_ROWS)

    def on_mount(self) -> None:
        self.host.by_lecture = True

    @property
    def total(self) -> int:
        return len(flat(by_section()))

    def options(self, query: str, room: int) -> list[Option]:
        options: list[Option] = []
        for lecture, sections in by_section(query).items():
            options.append(Option(Content.styled(fitted(LECTURES[lecture], room), "bold $foreground"), disabled=True))
            for heading, group in sections.items():
                options.append(Option(Content(fitted(heading, room)), disabled=True))
                options += [Option(Content(fitted(f"  {one.id:4} {one.says}", room)), id=one.id) for one in group]
        return options

    def first(self, matching: Sequence[str], query: str, current: str) -> str:
        exact = query.strip().upper()
        if exact in matching:
            return exact
        return current if current in matching else matching[0]

    def describe(self, chosen: str, query: str) -> None:
        statement = named(chosen)
        if statement is not None:
            self.host.statement = chosen
            self.query_one(StatementView).show(statement)

    def describe_none(self, query: str) -> None:
        self.query_one(StatementView).tell(f"No statement has {query!r} in it; esc lists them all.")

    def show_preview(self, chosen: str) -> None:
        statement = named(chosen)
        if statement is not None and not statement.run and to_watch(statement):
            raise Refused(f"A demo shows it; enter opens it: python -m tui {to_watch(statement)}")
        request = _request(statement)
        assert request.opened is not None
        self.preview.show(request.opened, request.at)

    def open_entry(self, chosen: str) -> None:
        """Open the run of a statement at its step, beside others where it is compared."""
        try:
            request = _request(named(chosen))
        except Refused as refusal:
            self.notify(safe(refusal).plain, title="not opened", severity="warning", markup=False)
            return
        assert request.opened is not None
        self.host.watch_run(request.opened, request.at, request.player, request.against, chosen)

    def action_scroll(self, by: int) -> None:
        self.query_one(StatementView).scroll_lines(by)

    def action_algorithms(self) -> None:
        """List the algorithms instead, from the one that shows the current statement on."""
        statement = named(self.current)
        self.host.browse_algorithms(statement.algorithm if statement else "")


def _request(statement: Statement | None) -> Request:
    """Read what a statement says to type.

    Raises:
        Refused: where that is no run that can be opened here; it says what to type instead.
    """
    if statement is None:
        raise Refused("There is no such statement.")
    if statement.dropped:
        raise Refused(f"It is not to be seen: {statement.dropped}")
    if not to_watch(statement):
        raise Refused(f"A demo shows it; in a terminal, type {' or '.join(commands(statement))}")
    try:
        return requested(shlex.split(to_watch(statement)))
    except Refused as refusal:
        raise Refused(f"{refusal} It was asked for by python -m tui {to_watch(statement)}") from None
