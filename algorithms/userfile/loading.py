"""By what a person types: a file or module of their own."""

from algorithms.core.algorithm import Algorithm
from algorithms.core.system import HAS_GROUPS
from algorithms.userfile.importing import import_target
from algorithms.userfile.in_process import plain_algorithm
from algorithms.userfile.spec import Spec


def is_userfile(text: str) -> bool:
    """Tell whether it speaks of a file or a module, and not of the catalogue."""
    place = Spec.of(text).place
    return place.endswith(".py") or ":" in text.partition(" -- ")[0] or "/" in place


def load_userfile(spec: str, apart: bool = False) -> Algorithm:
    """Load the algorithm in "path/to/mine.py", "mine.py:name" or "package.module:name".

    In "mine.py -- --epochs 3" the file finds what stands behind -- in sys.argv.

    A file with an ALGORITHM gives that; one with a generator function gives an algorithm that shows what it yields.

    Args:
        apart: whether it is imported and run in processes of its own; where the system has no groups of processes, in
            which all that it starts can be ended, it runs in this one.

    Raises:
        Refused: in a sentence with file and line, when there is nothing that can be watched.
    """
    if apart and HAS_GROUPS:
        from algorithms.userfile.isolated import open_isolated

        return open_isolated(spec)
    target = import_target(spec)
    return target if isinstance(target, Algorithm) else plain_algorithm(target, Spec.of(spec))
