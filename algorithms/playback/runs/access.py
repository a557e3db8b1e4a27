"""Access: who works on the runs, a thread or those who have to wait for it."""

from collections.abc import Callable


class Access:
    """The right to work on the runs, which one has at a time; nobody is blocked, what has to wait is done later.

    Attributes:
        busy: whether a thread works on them; then nobody else may.
    """

    def __init__(self) -> None:
        self.busy = False
        self._waiting: list[Callable[[], None]] = []

    def take(self) -> None:
        """Take the runs for a thread."""
        self.busy = True

    def when_free(self, act: Callable[[], None]) -> bool:
        """Do what needs the runs for itself: now, or when they are given back; whether it has to wait."""
        if self.busy:
            self._waiting.append(act)
        else:
            act()
        return bool(self._waiting)

    def free(self) -> None:
        """Give the runs back, and do what has waited for them."""
        self.busy = False
        while self._waiting and not self.busy:
            self._waiting.pop(0)()
