"""The stage screen: a run, watched. Its parts are in files of their own, one a concern."""

from tui.screens.stage.screen import StageScreen

__all__ = ["StageScreen"]
