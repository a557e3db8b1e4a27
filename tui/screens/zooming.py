"""Zooming and panning, with the same keys wherever there is a stage."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.pictures.limits import Limits
from tui.screens.run_screen import RunScreen


class Zooming(RunScreen):
    """Zooming and panning the stage in hand; charts zoom by the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("z", "zoom(0.7)", "zoom in"),
        Binding("Z", "zoom(1.43)", "zoom out"),
        Binding("alt+left", "pan(-0.15, 0)", "look further left"),
        Binding("alt+right", "pan(0.15, 0)", "look further right"),
        Binding("alt+up", "pan(0, 0.15)", "look further up"),
        Binding("alt+down", "pan(0, -0.15)", "look further down"),
        Binding("w", "fit", "the whole again, of what was zoomed last"),
    ]

    _chart_last = False  # whether a chart was zoomed after the stage

    def action_zoom(self, factor: float) -> None:
        self.change_limits(lambda limits: limits.zoomed(factor))

    def action_pan(self, across: float, up: float) -> None:
        self.change_limits(lambda limits: limits.moved(across, up))

    def action_fit(self) -> None:
        """Show the whole again of what was zoomed last, the stage or charts; then of the other."""
        raise NotImplementedError

    def change_limits(self, change: Callable[[Limits], Limits]) -> None:
        """Show another part of the stage in hand."""
        raise NotImplementedError

    def on_chart_mouse_zoomed(self) -> None:
        self._chart_last = True
