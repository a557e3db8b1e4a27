"""What the app is derived from, so that it leaves the terminal, and the reader's data, alone when it fails."""

import sys
from typing import TYPE_CHECKING, TypeVar

from rich.text import Text
from textual import constants
from textual.app import App

from tui.terminal.failure import report

if TYPE_CHECKING:
    from textual.driver import Driver

R = TypeVar("R")


class GuardedApp(App[R]):
    """A Textual app on the safe driver, which tells of an error of its own without quoting data."""

    def get_driver_class(self) -> "type[Driver]":
        if sys.platform == "win32" or constants.DRIVER is not None:
            return super().get_driver_class()
        from tui.terminal.driver import SafeDriver  # it needs termios, which Windows does not have

        return SafeDriver

    def _fatal_error(self) -> None:
        """Textual's own prints every local variable of every frame; it has no public place to change that."""
        if "debug" in self.features:
            super()._fatal_error()
            return
        error = sys.exception()
        if error is not None and self._exit_renderables == []:  # what fails while the app closes is a consequence
            self.panic(Text(report(error)))
