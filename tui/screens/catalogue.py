"""The catalogue: every algorithm by family; the one in hand with its rule and theorems, playing."""

from time import perf_counter
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from algorithms.core import Algorithm
from algorithms.core.catalogue import families, find
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
KEYS = (
    ("↑ ↓", "choose", "noop"),
    ("enter", "watch it", "watch"),
    ("esc", "back", "back"),
    ("ctrl+p", "everything by name", "app.command_palette"),
    ("q", "quit", "app.quit"),
    ("?", "all keys", "help"),
)


class Preview(RasterView):
    """A small stage on which the algorithm in hand plays by itself."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._player: Player | None = None
        self._viewer: Viewer | None = None
        self._ended = 0.0

    def show(self, opened: LoadedRun) -> None:
        """Start to play another one."""
        self._player = Player(Timeline(opened.algorithm, opened.data, opened.parameters, budget=8 << 20), pace=3)
        self._viewer = Viewer(self._player.timeline)
        self._player.play(True)
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
    """What the algorithm in hand does: its rule, its theorems, where it comes from."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._algorithm: Algorithm | None = None

    def show(self, algorithm: Algorithm) -> None:
        self._algorithm = algorithm
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette, algorithm = self.palette, self._algorithm
        if algorithm is None:
            canvas.fill(palette.panel)
            return
        inside = framed(canvas, algorithm.title, algorithm.family, palette)
        width, row = inside.columns - 2, 0
        for line in wrapped(algorithm.summary, width):
            inside.text(1, row, line, palette.ink)
            row += 1
        row += 1
        for line in algorithm.rule.splitlines():
            inside.text(3, row, fitted(line, inside.columns - 3), palette.accent)
            row += 1
        row += 1
        for theorem in algorithm.theorems:
            lines = wrapped(f"{theorem.statement}  ({theorem.source})", width - 2)
            if row + len(lines) > inside.rows:
                break
            for i, line in enumerate(lines):
                inside.text(1, row, "" if i else "∴", palette.good)
                inside.text(3, row, line, palette.dim)
                row += 1
        self._paint_phases(inside, algorithm, row + 1)

    def _paint_phases(self, inside: Canvas, algorithm: Algorithm, row: int) -> None:
        """What a step can be, where there is room for it."""
        width = max((width_of(phase) for phase in algorithm.phases), default=0) + 2
        if row + len(algorithm.phases) > inside.rows:
            return
        for phase, meaning in algorithm.phases.items():
            inside.text(3, row, phase, self.palette.accent)
            inside.text(3 + width, row, fitted(meaning, inside.columns - width - 4), self.palette.dim)
            row += 1


class CatalogueScreen(Screen[None]):
    """Families and algorithms at the left, the one in hand at the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "watch", "watch the algorithm in hand"),
        Binding("escape,a", "back", "back to the run"),
        Binding("question_mark,f1", "help", "all keys"),
        Binding("q", "app.quit", "quit"),
    ]

    def __init__(self, in_hand: str = ""):
        super().__init__()
        self._first = in_hand

    def compose(self) -> ComposeResult:
        with Horizontal(id="body"):
            yield Options(*_options(), id="names")
            with Vertical():
                yield About(id="about")
                yield Preview(id="preview")
        yield Keys(KEYS, id="keys")
        yield TooSmall(id="too_small")

    def on_resize(self) -> None:
        self.set_class(self.size.width < LEAST[0] or self.size.height < LEAST[1], "small")
        names, room = self.query_one("#names", OptionList), _NAMES[self.size.width >= _ROOMY]
        names.styles.width = room + 4
        for name in (name for family in families().values() for name in family):
            names.replace_option_prompt(name, _titled(name, room))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return not self.has_class("small") or action == "help"

    def on_mount(self) -> None:
        self._ticked = perf_counter()
        self.set_interval(1 / 20, self._tick)
        names = self.query_one("#names", OptionList)
        options = [names.get_option_at_index(i) for i in range(names.option_count)]
        first = next(i for i, option in enumerate(options) if not option.disabled)
        names.highlighted = next((i for i, option in enumerate(options) if option.id == self._first), first)
        names.focus()

    def _tick(self) -> None:
        now = perf_counter()
        elapsed, self._ticked = now - self._ticked, now
        if self.app.screen is self:
            self.query_one(Preview).tick(elapsed)

    @property
    def _in_hand(self) -> Algorithm | None:
        names = self.query_one("#names", OptionList)
        if names.highlighted is None:
            return None
        name = names.get_option_at_index(names.highlighted).id
        return find(name) if name else None

    def on_option_list_option_highlighted(self) -> None:
        algorithm = self._in_hand
        if algorithm is not None:
            self.query_one(About).show(algorithm)
            self.query_one(Preview).show(LoadedRun.usual(algorithm))

    def on_option_list_option_selected(self) -> None:
        self.action_watch()

    def action_watch(self) -> None:
        algorithm = self._in_hand
        if algorithm is not None:
            self.app.watch_run(LoadedRun.usual(algorithm))  # type: ignore[attr-defined]

    def action_back(self) -> None:
        """To the run that was being watched, if there is one."""
        if len(self.app.screen_stack) > 2:
            self.app.pop_screen()

    def action_noop(self) -> None:
        """The arrows are the list's own."""

    def action_help(self) -> None:
        self.app.push_screen(Help(self.BINDINGS))


def _options() -> list[Option]:
    """Families as headings that cannot be chosen, algorithms by their titles."""
    options: list[Option] = []
    for family, names in families().items():
        options.append(Option(Content(f"{family}"), disabled=True))
        options += [Option(_titled(name, _NAMES[0]), id=name) for name in names]
    return options


def _titled(name: str, room: int) -> Content:
    """An algorithm's title, cut to so many columns."""
    return Content(fitted(f"  {find(name).title}", room))
