"""How far the reading of a file has come, told to whoever wants to know, who may also end it."""

from collections.abc import Callable
from typing import TypeAlias

Watch: TypeAlias = Callable[[float], None]
"""Called a few times a second's work with the share that has been read, 0 to 1; what it raises ends the reading."""


class Cancelled(Exception):
    """Whoever watched a reading wants it no more."""


def unwatched(share: float) -> None:
    """Watch nothing."""
