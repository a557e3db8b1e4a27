"""What a person is told of data: a screen shows it, a command line prints it, a script is warned."""

import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

_PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"


class LeftOut(str):
    """A notice that rows or columns were left out, of which a script is warned."""


def warn_of(name: str, notices: Iterable[str]) -> None:
    """Warn the script that asked for data of what was left out of them, at its own line."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    for notice in notices:
        if isinstance(notice, LeftOut):
            warnings.warn(f"{name}: {notice}", UserWarning, stacklevel=level)
