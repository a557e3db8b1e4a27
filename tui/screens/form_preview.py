"""FormPreview: the run that a form asks for, seen behind it as it is asked for."""

from collections.abc import Callable
from typing import Any, Protocol

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.playback.runs.run_session import RunSession
from algorithms.playback.runs.tried_run import where


class Screen(Protocol):
    """A screen on which runs are tried out."""

    @property
    def in_hand(self) -> tuple[RunSession, int]:
        """Get the session of the run in hand, and its step."""

    def when_idle(self, act: Callable[[], None]) -> None:
        """Do what needs the runs for itself, when no thread works on them any more."""

    def try_out(self, tried: RunSession | None) -> None:
        """Show a run that is tried out, or the one there is."""

    def try_further(self, elapsed: float) -> None:
        """Let the run that is tried out go on."""

    @property
    def foot(self) -> int:
        """Count the rows that a form may cover at the foot."""


class FormPreview:
    """Shows on the screen behind a form the run that it asks for, at the step that is shown; the newest one alone.

    Args:
        screen: the screen.
        begin: how a run is begun: of a session, with other parameters, on its way to a step.
        name: what it is called.

    Attributes:
        complain: how to say why there is no such run; the form's.
    """

    def __init__(
        self, screen: Screen, begin: Callable[[RunSession, dict[str, Any], int], RunSession], name: str = "the new run"
    ):
        self._screen, self._begin, self._name = screen, begin, name
        self._session, self._t = screen.in_hand
        self._asked: dict[str, Any] = {}
        self._seen: tuple[dict[str, Any], RunSession] | None = None
        self._waits = self._closed = False
        self.complain: Callable[[str], None] = lambda text: None

    @property
    def foot(self) -> int:
        """Count the rows that the form may cover."""
        return self._screen.foot

    @property
    def words(self) -> str:
        """Say what is seen; "" while it is the run there is."""
        return where(self._seen[1], self._t, self._name) if self._seen else ""

    def show(self, parameters: dict[str, Any]) -> None:
        """Show the run with these parameters in place of those there are; without any, the run there is."""
        self._asked = parameters
        if not self._waits:
            self._waits = True
            self._screen.when_idle(self._try)

    def _try(self) -> None:
        """Begin what was asked for last; in a thread where that may take long."""
        self._waits = False
        asked, session, access = self._asked, self._session, self._session.access
        if self._closed:
            return
        if not asked:
            self._put(asked, None)
        elif session.loaded.algorithm.apart:
            access.take()

            def go_on(made: RunSession | Refused) -> None:
                access.busy = False
                self._put(asked, made)
                access.free()

            session.audience.aside(lambda: self._made(asked), go_on)
        else:
            self._put(asked, self._made(asked))

    def _made(self, asked: dict[str, Any]) -> RunSession | Refused:
        try:
            return self._begin(self._session, asked, self._t)
        except Refused as refusal:
            return refusal

    def _put(self, asked: dict[str, Any], made: RunSession | Refused | None) -> None:
        if self._closed:
            return
        if isinstance(made, Refused):
            self.complain(clean(made))
            return
        self._seen = None if made is None else (asked, made)
        self._screen.try_out(made)

    def go_on(self, elapsed: float) -> None:
        """Let the run that is seen go on."""
        self._screen.try_further(elapsed)

    def leave(self, parameters: dict[str, Any] | None) -> RunSession | None:
        """Show the run there is again, and give the one with these parameters, if it is the one that was seen."""
        seen, self._seen, self._closed = self._seen, None, True
        self._screen.try_out(None)
        return seen[1] if seen is not None and seen[0] == parameters else None
