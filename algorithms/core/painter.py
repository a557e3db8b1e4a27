"""What paints runs and lessons, and draws figures for a paper: found by name when it is asked for.

What is here knows no screen: a script that shows nothing imports none.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from algorithms.core.errors import Refused

_MODULES = {"notebook": "tui.notebook", "run": "tui.headless", "lesson": "tui.lesson_page", "paper": "tui.export.paper"}


def painter(of: Literal["notebook", "run", "lesson"] = "notebook") -> Any:
    """Import what paints for a notebook's cell, or the page of a run or of a lesson."""
    return import_module(_MODULES[of])


def draughtsman() -> Any:
    """Import what draws figures.

    Raises:
        Refused: without matplotlib.
    """
    if find_spec("matplotlib") is None:
        raise Refused("a figure is drawn by matplotlib, which is not installed: pip install 'iterscope[paper]'.")
    return import_module(_MODULES["paper"])
