"""The catalogue: algorithms by family, filtered by what is typed; the current one with its theorems, playing."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from algorithms.core import Algorithm, Theorem
from algorithms.core.catalogue import find, names
from algorithms.core.search import in_title, search, theorems_with
from algorithms.data.text import clean
from algorithms.playback.loaded_run import LoadedRun
from algorithms.playback.player import Player
from algorithms.playback.viewer import Viewer
from algorithms.timeline import Timeline
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.text import wrapped
from tui.screens.help import Help
from tui.sections.plots import paint_legend, paint_plot
from tui.widgets.keys import Keys
from tui.widgets.options import Options
from tui.widgets.raster import RasterView
from tui.widgets.too_small import LEAST, TooSmall

_NAMES = (26, 44)  # columns of an algorithm's title, the second where there is room for it
_ROOMY = 120  # columns of the screen from which on there is
_AGAIN = 2.0  # seconds for which the end of a preview is shown before it starts over
_PAUSE = 0.15  # seconds without another choice after which the preview starts: loading data for each would be slow
_LONGEST = 60  # characters of a filter
KEYS = (
    ("↑ ↓", "choose", "noop"),
    ("enter", "watch it", "watch"),
    ("a-z", "filter", "start_filter"),
    ("esc", "back", "back"),
    ("ctrl+p", "everything by name", "app.command_palette"),
    ("q", "quit", "app.quit"),
    ("?", "all keys", "help"),
)
KEYS_FILTERING = (
    ("↑ ↓", "choose", "noop"),
    ("enter", "watch it", "watch"),
    ("esc", "no filter", "back"),
    ("ctrl+p", "everything by name", "app.command_palette"),
    ("?", "all keys", "help"),
)


class Preview(RasterView):
    """A small stage on which the current algorithm plays by itself."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._player: Player | None = None
        self._viewer: Viewer | None = None
        self._ended = 0.0

    def show(self, opened: LoadedRun) -> None:
        """Start to play another run."""
        self._player = Player(Timeline(opened.algorithm, opened.data, opened.parameters, budget=8 << 20), pace=3)
        self._viewer = Viewer(self._player.timeline)
        self._player.play(True)
        self.redraw()

    def clear(self) -> None:
        """Play nothing."""
        self._player = self._viewer = None
        self.redraw()

    def tick(self, elapsed: float) -> None:
        player = self._player
        if player is None or player.slow:
            return
        if player.at_end:
            self._ended += elapsed
            if self._ended > _AGAIN:
                self._ended = 0.0
                player.play(True)
            return
        player.play(True) if not player.playing else None
        if player.tick(elapsed, 0.008):
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        if self._player is None or self._viewer is None:
            canvas.fill(self.palette.panel)
            return
        frame = self._player.frame
        picture = self._viewer.picture(frame, max(canvas.columns - 9, 2), max(canvas.rows - 4, 2), moving=True)
        flat = picture.stage
        inside = framed(canvas, flat.title, f"{frame.state.phase}, step {frame.t}", self.palette)
        paint_plot(inside, flat, picture.limits[flat.title], self.palette)
        paint_legend(canvas, flat, self.palette, self._viewer.timeline.data)


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
            lines = wrapped(f"{theorem.statement}  ({theorem.source})", inside.columns - 4)
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


class CatalogueScreen(Screen[None]):
    """Families and algorithms at the left, those that match what is typed; the current one at the right.

    Args:
        current: the name of the algorithm to begin at, "" for the first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "watch", "watch the current algorithm"),
        Binding("slash", "start_filter", "filter by title, family, theorem or data; any letter but q begins it too"),
        Binding("escape", "back", "no filter; without one, back to the run"),
        Binding("question_mark,f1", "help", "all keys"),
        Binding("q", "app.quit", "quit, while nothing is typed"),
    ]

    def __init__(self, current: str = ""):
        super().__init__()
        self._chosen = current  # the name of the current algorithm, kept while it matches
        self._query: str | None = None  # what is typed; None while nothing is
        self._room = _NAMES[0]
        self._waiting: Timer | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static("", id="filter")
                yield Options(id="names")
            with Vertical():
                yield About(id="about")
                yield Preview(id="preview")
        yield Keys(KEYS, id="keys")
        yield TooSmall(id="too_small")

    def on_resize(self) -> None:
        self.set_class(self.size.width < LEAST[0] or self.size.height < LEAST[1], "small")
        room = _NAMES[self.size.width >= _ROOMY]
        self.query_one("#left").styles.width = room + 4
        if room != self._room:
            self._room = room
            self._list()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return not self.has_class("small") or action == "help"

    def on_mount(self) -> None:
        self._ticked = perf_counter()
        self._clock = self.set_interval(1 / 20, self._tick)
        self._list()
        self.query_one("#names", OptionList).focus()

    def on_screen_resume(self) -> None:
        """Let the clock go on, which stands while a dialog is in front: each tick would have both painted whole."""
        self._ticked = perf_counter()
        self._clock.resume()

    def _tick(self) -> None:
        now = perf_counter()
        elapsed, self._ticked = now - self._ticked, now
        if self.app.screen is self:
            self.query_one(Preview).tick(elapsed)
        else:
            self._clock.pause()

    # The filter

    def on_key(self, event: events.Key) -> None:
        """Add what is typed to the filter; q quits while nothing is typed."""
        if self.has_class("small"):
            return
        if event.key == "backspace" and self._query is not None:
            self._filter(self._query[:-1] or None)
        elif event.character and event.is_printable and self._is_typed(event.character):
            self._filter((self._query or "") + event.character)
        else:
            return
        event.stop()

    def _is_typed(self, character: str) -> bool:
        if self._query is None:
            return character not in "q/? "
        return character != "?"

    def on_paste(self, event: events.Paste) -> None:
        if not self.has_class("small") and event.text.strip():
            self._filter((self._query or "") + clean(" ".join(event.text.split())))
            event.stop()

    def action_start_filter(self) -> None:
        """Take what is typed next for the filter, q too."""
        self._filter(self._query or "")

    def _filter(self, query: str | None) -> None:
        self._query = query if query is None else query.lstrip()[:_LONGEST]
        self._list()

    def _list(self) -> None:
        """List the algorithms that match; the current one stays so if it is among them."""
        query = self._query or ""
        grouped = search(query)
        matching = [name for family in grouped.values() for name in family]
        listed = self.query_one("#names", OptionList)
        listed.clear_options()
        listed.add_options(_options(grouped, self._room))
        self.query_one("#filter", Static).update(self._filter_line(len(matching)))
        self.query_one(Keys).show(KEYS if self._query is None else KEYS_FILTERING)
        if not matching:
            self._show_none(query)
            return
        name = _first(matching, query, self._chosen)
        listed.highlighted = listed.get_option_index(name)

    def _filter_line(self, matching: int) -> Content:
        if self._query is None:
            return Content("type to filter")
        count = f"{matching} of {len(names())}"
        room = self._room - len(count) - 2
        shown = self._query if width_of(self._query) < room else "…" + self._query[-(room - 2) :]
        gap = max(room - width_of(shown) - 1, 0) + 2
        return Content.assemble((shown, "$foreground"), ("▏", "$accent"), (" " * gap + count, "$dim"))

    # The current algorithm

    @property
    def _current(self) -> Algorithm | None:
        listed = self.query_one("#names", OptionList)
        if listed.highlighted is None:
            return None
        name = listed.get_option_at_index(listed.highlighted).id
        return find(name) if name else None

    def on_option_list_option_highlighted(self) -> None:
        algorithm = self._current
        if algorithm is not None:
            self._chosen = algorithm.name
            self.query_one(About).show(algorithm, self._query or "")
            self._preview_soon(algorithm)

    def _preview_soon(self, algorithm: Algorithm) -> None:
        if self._waiting is not None:
            self._waiting.stop()
        self._waiting = self.set_timer(_PAUSE, lambda: self.query_one(Preview).show(LoadedRun.usual(algorithm)))

    def _show_none(self, query: str) -> None:
        if self._waiting is not None:
            self._waiting.stop()
        sentence = f"No algorithm has {clean(query)!r} in its title, family, theorems or data; esc lists them all."
        self.query_one(About).tell(sentence)
        self.query_one(Preview).clear()

    def on_option_list_option_selected(self) -> None:
        self.action_watch()

    def action_watch(self) -> None:
        algorithm = self._current
        if algorithm is not None:
            self.app.watch_run(LoadedRun.usual(algorithm))  # type: ignore[attr-defined]

    def action_back(self) -> None:
        """Clear the filter; without one, go back to the run that was being watched, if there is one."""
        if self._query is not None:
            self._filter(None)
        elif len(self.app.screen_stack) > 2:
            self.app.pop_screen()

    def action_noop(self) -> None:
        """Do nothing: the arrows are the list's own."""

    def action_help(self) -> None:
        self.app.push_screen(Help(self.BINDINGS))


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
