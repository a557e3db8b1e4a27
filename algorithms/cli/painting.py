"""What is told how much of a page is painted."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from algorithms.cli.arguments import ProgressLine
from algorithms.cli.interrupts import Interrupts


@contextmanager
def painting(path: str) -> Iterator[Callable[[float], None]]:
    """Give what is to be told how much of a page is painted: a line on a terminal says it, and ctrl+c ends it."""
    shows_progress = ProgressLine(f"painting {path[:40]}") if sys.stderr.isatty() else nullcontext()
    with Interrupts() as interrupts, shows_progress as line:

        def watch(share: float) -> None:
            interrupts.look()
            if line is not None:
                line.show(share)

        yield watch
