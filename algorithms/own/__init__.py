"""The reader's own: a generator from a file, a module or a script, shown by what it yields."""

from algorithms.own.live import watched
from algorithms.own.loading import is_own, load, named

__all__ = ["is_own", "load", "named", "watched"]
