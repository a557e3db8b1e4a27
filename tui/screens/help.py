"""The help: what is on the screen first, then the keys in groups, then the words of the field that are used."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from tui.look import printed
from tui.paint.axes import framed
from tui.paint.canvas import Canvas
from tui.screens.asking import AnsweredOnce
from tui.sections.blocks import Block, Columns, laid_out
from tui.sections.key_groups import in_groups
from tui.sections.signs import LETTERS, OnScreen, Sign
from tui.widgets.raster import RasterView

_WIDEST = 100  # columns of a page of sentences
_ASIDE = (0.345, 40, 60)  # of what is on the screen where it stands beside the stage: as wide as the column there
_SCREEN, _EDITING, _KEYS, _WORDS = "what is on the screen", "while editing", "keys", "words"
_REMEMBERED = "files of your own"
_FILES = (
    ("settings.json", "look, speed, layout and last runs, as they were left; --clean goes without"),
    ("keys.toml", "other keys for what can be pressed here; ctrl+p, keys of your own, makes one to begin with"),
)


class Help(AnsweredOnce[None]):
    """Pages, of which the first speaks of what is on the screen, where that is a run.

    Args:
        bindings: the keys, all of which are told.
        while_editing: those of a mode that is on, with what they do; they come first.
        on_screen: what the first page says; None for keys alone.
        kept: the folder of what is remembered and of the reader's own keys, "" where nothing is.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1,enter", "close", "close"),
        Binding("pagedown,right,down,space", "turn(1)", "the next page"),
        Binding("pageup,left,up", "turn(-1)", "the page before"),
    ]

    def __init__(
        self,
        bindings: Iterable[BindingType],
        while_editing: Iterable[tuple[str, str]] = (),
        on_screen: OnScreen | None = None,
        kept: str = "",
    ):
        super().__init__()
        self._view = HelpView([b for b in bindings if isinstance(b, Binding)], [*while_editing], on_screen, kept)

    def compose(self) -> ComposeResult:
        self._fit(*self.app.size)  # before its first picture: else the stage goes dark for a moment
        yield self._view

    def on_resize(self) -> None:
        self._fit(*self.size)
        self._view.redraw()

    def _fit(self, columns: int, rows: int) -> None:
        """Give the page the room it needs; what is on the screen stands beside the stage, which stays bright."""
        page = self._view.leaf(columns, rows)
        beside = page.title == _SCREEN
        self.set_class(beside, "beside")
        styles, free = self._view.styles, (columns - page.width, rows - page.height)
        styles.width, styles.height = page.width, page.height
        styles.offset = (free[0], 0) if beside else (free[0] // 2, free[1] // 2)

    def action_turn(self, by: int) -> None:
        self._view.page += by
        self.on_resize()

    def action_close(self) -> None:
        self.dismiss()


class Page(Struct, frozen=True):
    """A page as it is laid out, with its columns and rows on the screen."""

    title: str
    laid: Columns
    width: int
    height: int


class HelpView(RasterView):
    """Paints a page.

    Attributes:
        page: which of them.
    """

    def __init__(
        self, bindings: list[Binding], while_editing: list[tuple[str, str]], on_screen: OnScreen | None, kept: str
    ):
        super().__init__(id="help")
        self._told, self._editing, self._on_screen, self._kept = bindings, while_editing, on_screen, kept
        self._pages: list[Page] = []
        self.page = 0

    def leaf(self, width: int, height: int) -> Page:
        """Lay all pages out for such a screen; gives the current one."""
        self._pages = [*self._laid_out(width, height)]
        self.page = min(max(self.page, 0), len(self._pages) - 1)
        return self._pages[self.page]

    def paint(self, canvas: Canvas) -> None:
        if not self._pages:
            return
        page, following = self._pages[self.page], self._pages[self.page + 1 :][:1]
        count = f"{self.page + 1} of {len(self._pages)}" if len(self._pages) > 1 else ""
        framed(canvas, page.title, count, self.palette, marked=True)
        end = canvas.text(2, canvas.rows - 1, " esc closes ", self.palette.dim)
        if following:
            canvas.text(end + 1, canvas.rows - 1, f" pgdn: {following[0].title} ", self.palette.dim)
        page.laid.paint(canvas.part(2, 1, canvas.columns - 4, canvas.rows - 2), self.palette)

    def _laid_out(self, width: int, height: int) -> Iterator[Page]:
        accent, shown = self.palette.accent, self._on_screen
        if self._editing:
            editing = [Sign(keys, accent, does) for keys, does in self._editing]
            yield from _leaves(_EDITING, editing, width, height)
        if shown is None:
            told = ((" ".join(printed(key) for key in b.key.split(",")), b.description) for b in self._told)
            yield from _leaves(_KEYS, [Sign(keys, accent, does) for keys, does in told], width, height)
            return
        signs = [(where, listed) for where, listed in shown.signs.items() if where != LETTERS]
        letters = [(where, listed) for where, listed in shown.signs.items() if where == LETTERS]
        beside = _beside([*signs, *letters], width, height)
        together = beside.width < width  # else the letters have pages of their own, and the stage is in sight
        if shown.signs:
            yield beside if together else _beside(signs, width, height)
        groups = in_groups(self._told)
        grouped = [(name, [Sign(keys, accent, does) for keys, does in rows]) for name, rows in groups.items()]
        laid = laid_out(grouped, width - 4, height - 2, whole=True)
        yield Page(_KEYS, laid, width, min(laid.rows + 2, height))
        if letters and not together:
            yield from _leaves(LETTERS, letters[0][1], width, height)
        if shown.words:
            yield from _leaves(_WORDS, [Sign(w.word, accent, w.sentence) for w in shown.words], width, height)
        if self._kept:
            files = [Sign(name, accent, does) for name, does in _FILES]
            yield from _leaves(_REMEMBERED, [Sign("folder", accent, self._kept), *files], width, height)


def _beside(blocks: Sequence[Block], width: int, height: int) -> Page:
    """Lay out what stands beside the stage, in one column if that will do; the keys below stay in sight."""
    share, least, most = _ASIDE
    aside = min(max(round(width * share), least), most)
    laid = laid_out(blocks, aside - 4, height - 3)
    if len(laid.lines) == 1:
        return Page(_SCREEN, laid, aside, height - 1)
    return Page(_SCREEN, laid_out(blocks, width - 4, height - 3), width, height - 1)


def _leaves(title: str, signs: Sequence[Sign], width: int, height: int) -> Iterator[Page]:
    """Lay sentences out below each other, on as many pages as they take."""
    width = min(width, _WIDEST)
    for column in laid_out([("", signs)], width - 4, max(height - 2, 1), most=1).lines:
        yield Page(title, Columns((column,)), width, min(len(column) + 2, height))
