"""Several runs side by side."""

from tui.screens.compare.screen import CompareScreen

__all__ = ["CompareScreen"]
