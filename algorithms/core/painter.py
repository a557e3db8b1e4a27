"""What paints runs for a notebook, and draws figures for a paper: both found when they are asked for."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from algorithms.core.errors import Refused


def painter() -> Any:
    """Import what paints, when a cell asks to be shown: by its name, since what is here knows no screen."""
    return import_module("tui.notebook")


def draughtsman() -> Any:
    """Import what draws figures, likewise.

    Raises:
        Refused: without matplotlib.
    """
    if find_spec("matplotlib") is None:
        raise Refused("a figure is drawn by matplotlib, which is not installed: pip install 'iterscope[paper]'.")
    return import_module("tui.export.paper")
