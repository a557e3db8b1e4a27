"""The reader's own: a generator from a file, a module or a script, shown by what it yields."""

from algorithms.userfile.in_process import watched
from algorithms.userfile.loading import is_userfile, load, named

__all__ = ["is_userfile", "load", "named", "watched"]
