"""Audience: what shows a session, so that a session needs to know no screen."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Audience(Protocol):
    """What shows a session."""

    def show_notice(self) -> None:
        """Show the notice, which is another one."""

    def redraw(self) -> None:
        """Show the step of the current branch, which is another one."""

    def act(self) -> None:
        """Let the player begin at once with what was asked of it."""

    def note_look(self) -> None:
        """Note how runs beside each other are looked at, since that is to be saved."""

    def aside(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        """Work where nobody waits for it, then go on with what came of it."""


class Nobody:
    """An audience that is none: what takes long is done at once."""

    def show_notice(self) -> None: ...

    def redraw(self) -> None: ...

    def act(self) -> None: ...

    def note_look(self) -> None: ...

    def aside(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        then(work())
