"""Browser: a list at the left, filtered by what is typed; its current entry at the right, in words and as a run."""

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import ClassVar, Protocol, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.lectures.lessons import Lesson
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from tui.paint.canvas import width_of
from tui.screens.explaining import Explaining
from tui.sections.signs import Letter
from tui.settings import Remembered
from tui.starting import settled
from tui.widgets.keys import Keys
from tui.widgets.options import Options
from tui.widgets.preview import Preview
from tui.widgets.too_small import LEAST, TooSmall

NAMES = (26, 47)  # columns of an entry, the second where there is room for it
_ROOMY = 120  # columns of the screen from which on there is
_PAUSE = 0.15  # seconds without another choice after which the preview starts: loading data for each would be slow
_LONGEST = 60  # characters of a filter
CHOOSE, WATCH, FILTER = ("↑ ↓", "choose", "noop"), ("enter", "watch it", "watch"), ("a-z", "find", "start_filter")
BACK, NO_FILTER = ("esc", "back", "back"), ("esc", "all", "back")
BY_NAME, QUIT = ("ctrl+p", "everything by name", "app.command_palette"), ("ctrl+q", "quit", "app.quit")
HELP = ("?", "all keys", "help")


class Host(Protocol):
    """An app that watches what was chosen, and remembers which list one chose from.

    Attributes:
        by_lecture: whether that was the list of the lectures.
        statement: the id of the statement that was current there, "" before any.
        settings: what is remembered.
    """

    by_lecture: bool
    statement: str
    settings: Remembered

    def watch_run(
        self,
        opened: LoadedRun,
        at: int = 0,
        player: Player | None = None,
        against: Sequence[ComparedRun] = (),
        statement: str = "",
        *,
        told: str = "",
    ) -> None:
        """Show a run at a step, or beside others, in place of the one that was watched; perhaps that of a statement.

        Args:
            told: what is told of it at first.
        """

    def open_lesson(self, lesson: Lesson) -> None:
        """Begin a lesson, in place of what was watched."""

    def browse_algorithms(self, name: str = "") -> None:
        """Show the list of the algorithms, one of them the current one."""

    def browse_lectures(self, statement: str = "", shown_by: str = "") -> None:
        """Show the list of the lectures, a statement the current one, or one that an algorithm shows."""


class Browser(Explaining[None]):
    """Headings and entries at the left, those that match what is typed; the current entry at the right.

    Args:
        current: the id of the entry to begin at, "" for the first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "no filter; without one, back to the run"),
        Binding("question_mark,f1", "help", "all keys"),
    ]
    KEYS: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    KEYS_FILTERING: ClassVar[tuple[tuple[str, str, str], ...]] = ()

    def __init__(self, current: str = ""):
        super().__init__()
        self._chosen = current  # the id of the current entry, kept while it matches
        self._query: str | None = None  # what is typed; None while nothing is
        self._room = NAMES[0]
        self._waiting: Timer | None = None

    # What the lists differ in

    def about(self) -> Widget:
        """Make what describes the current entry."""
        raise NotImplementedError

    def options(self, query: str, room: int) -> list[Option]:
        """List what matches, as wide as there is room for: headings without an id, and entries."""
        raise NotImplementedError

    def first(self, matching: Sequence[str], query: str, current: str) -> str:
        """Choose the current entry of those that match: the one that was, where nothing matches better."""
        raise NotImplementedError

    @property
    def total(self) -> int:
        """Count the entries there are."""
        raise NotImplementedError

    def describe(self, chosen: str, query: str) -> None:
        """Describe an entry at the right."""
        raise NotImplementedError

    def show_preview(self, chosen: str) -> None:
        """Play the run of an entry; `Refused` says why there is none."""
        raise NotImplementedError

    def describe_none(self, query: str) -> None:
        """Say at the right that nothing matches."""
        raise NotImplementedError

    def letters_now(self) -> Iterable[Letter]:
        """List the letters of the current entry."""
        return ()

    # The screen

    @property
    def host(self) -> Host:
        """Get the app, for what only it can do."""
        return cast(Host, self.app)

    @property
    def preview(self) -> Preview:
        """Get the small stage."""
        return self.query_one(Preview)

    @property
    def all_bindings(self) -> list[BindingType]:
        """List the keys that do something; those that both lists have come last."""
        return [*type(self).BINDINGS, *Browser.BINDINGS]

    def compose(self) -> ComposeResult:
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static("", id="filter")
                yield Options(id="names")
            with Vertical():
                yield self.about()
                yield Preview(id="preview")
        yield Keys(self.KEYS, id="keys")
        yield TooSmall(id="too_small")

    def on_resize(self) -> None:
        self.set_class(self.size.width < LEAST[0] or self.size.height < LEAST[1], "small")
        room = NAMES[self.size.width >= _ROOMY]
        self.query_one("#left").styles.width = room + 4
        if room != self._room:
            self._room = room
            self._list()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return (not self.has_class("small") or action == "help") and super().check_action(action, parameters)

    def on_mount(self) -> None:
        self._ticked = perf_counter()
        self._clock = self.set_interval(1 / 20, self._tick)
        self._list()
        self.query_one("#names", OptionList).focus()
        self.call_after_refresh(settled)

    def on_screen_resume(self) -> None:
        """Let the clock go on, which stands while a dialog is in front: each tick would have both painted whole."""
        self._ticked = perf_counter()
        self._clock.resume()

    def _tick(self) -> None:
        now = perf_counter()
        elapsed, self._ticked = now - self._ticked, now
        if self.app.screen is self:
            self.preview.tick(elapsed)
        else:
            self._clock.pause()

    # The filter

    def on_key(self, event: events.Key) -> None:
        """Add what is typed to the filter."""
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
            return character not in "/? "
        return character != "?"

    def on_paste(self, event: events.Paste) -> None:
        if not self.has_class("small") and event.text.strip():
            self._filter((self._query or "") + clean(" ".join(event.text.split())))
            event.stop()

    def action_start_filter(self) -> None:
        """Take what is typed next for the filter."""
        self._filter(self._query or "")

    def _filter(self, query: str | None) -> None:
        self._query = query if query is None else query.lstrip()[:_LONGEST]
        self._list()

    def _list(self) -> None:
        """List the entries that match; the current one stays so if it is among them."""
        query = self._query or ""
        options = self.options(query, self._room)
        matching = [option.id for option in options if option.id]
        listed = self.query_one("#names", OptionList)
        listed.clear_options()
        listed.add_options(options)
        self.query_one("#filter", Static).update(self._filter_line(len(matching)))
        self.query_one(Keys).show(self.KEYS if self._query is None else self.KEYS_FILTERING)
        if not matching:
            self._show_none(query)
            return
        listed.highlighted = listed.get_option_index(self.first(matching, query, self._chosen))

    def _filter_line(self, matching: int) -> Content:
        if self._query is None:
            return Content("type to find")
        count = f"{matching} of {self.total}"
        room = self._room - len(count) - 2
        shown = self._query if width_of(self._query) < room else "…" + self._query[-(room - 2) :]
        gap = max(room - width_of(shown) - 1, 0) + 2
        return Content.assemble((shown, "$foreground"), ("▏", "$accent"), (" " * gap + count, "$dim"))

    # The current entry

    @property
    def current(self) -> str:
        """Get the id of the current entry, "" where nothing matches."""
        listed = self.query_one("#names", OptionList)
        return "" if listed.highlighted is None else listed.get_option_at_index(listed.highlighted).id or ""

    def on_option_list_option_highlighted(self) -> None:
        chosen = self.current
        if chosen:
            self._chosen = chosen
            self.describe(chosen, self._query or "")
            self._preview_soon(chosen)

    def _preview_soon(self, chosen: str) -> None:
        self._wait_no_more()
        self._waiting = self.set_timer(_PAUSE, lambda: self._preview(chosen))

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()

    def _preview(self, chosen: str) -> None:
        try:
            self.show_preview(chosen)
        except Refused as refusal:
            self.preview.tell(str(refusal))

    def _show_none(self, query: str) -> None:
        self._wait_no_more()
        self.describe_none(clean(query))
        self.preview.clear()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.open_entry(event.option_id or "")

    def action_watch(self) -> None:
        if self.current:
            self.open_entry(self.current)

    def open_entry(self, chosen: str) -> None:
        """Open an entry."""
        raise NotImplementedError

    def action_back(self) -> None:
        """Clear the filter; without one, go back to the run that was being watched, if there is one."""
        if self._query is not None:
            self._filter(None)
        elif len(self.app.screen_stack) > 2:
            self.app.pop_screen()

    def action_noop(self) -> None:
        """Do nothing: the arrows are the list's own."""

    def action_help(self) -> None:
        from tui.screens.help import Help

        self.app.push_screen(Help(self.all_bindings))
