"""What dialogs have in common: a titled box over the screen, escape to leave it as it was."""

from typing import Any, ClassVar, TypeAlias, TypeVar

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from algorithms.playback.runs.loaded_run import LoadedRun
from tui.screens.live import LiveScreen

Asked: TypeAlias = LoadedRun | None
T = TypeVar("T")


class AnsweredOnce(LiveScreen[T], ModalScreen[T]):
    """A screen over others that gives one answer, and closes itself only."""

    _answered = False

    @property
    def is_answered(self) -> bool:
        """Tell whether nothing that still comes counts: it has been answered, or closed by another."""
        return self._answered or self not in self.app.screen_stack

    @property
    def is_live(self) -> bool:
        return not self._answered and super().is_live

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Give the answer; the first counts. What lies over the screen goes too: Textual closes the topmost."""
        if self.is_answered:
            return AwaitComplete()
        self._answered = True
        while self.app.screen is not self:
            self.app.pop_screen()
        return super().dismiss(result)


def closed(screen: Screen[Any]) -> None:
    """Close the screen that is on top; a dialog is left as by escape, so that who asked knows that it is over."""
    if isinstance(screen, AnsweredOnce) and not screen.is_answered:
        screen.dismiss()
    if screen.app.screen is screen:
        screen.app.pop_screen()


class Dialog(AnsweredOnce[T | None]):
    """A box with a title and one line of help; subclasses give what stands between."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "leave it as it is")]
    heading: str = ""
    hint: str = "enter takes it   esc leaves it as it is"

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self.heading), classes="heading")
            yield from self.body()
            yield Static("", classes="trouble")
            yield Static(Content(self.hint), classes="hint")

    def body(self) -> list[Widget]:
        """Make the widgets between title and hint."""
        raise NotImplementedError

    def complain(self, text: str) -> None:
        """Say what is wrong; the dialog stays open. Of one that has gone meanwhile nothing is said."""
        if self.is_live:
            self.query_one(".trouble", Static).update(self.trouble(text))

    def trouble(self, text: str) -> Content:
        """Write what is wrong, "" when nothing is."""
        return Content(text)

    def action_leave(self) -> None:
        self.dismiss(None)
