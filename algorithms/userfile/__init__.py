"""The reader's own: a generator from a file, a module or a script, shown by what it yields."""

from algorithms.userfile.in_process import running_algorithm
from algorithms.userfile.loading import is_userfile, load_userfile

__all__ = ["is_userfile", "load_userfile", "running_algorithm"]
