"""Stepping, playing and going anywhere."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.screens.stage.base import StageBase
from tui.screens.stepping import Stepping
from tui.widgets.seeking import StepSought


class Moving(Stepping, StageBase):
    """Stepping, playing and going anywhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "play", "play or pause"),
        Binding("right,l", "step(1)", "a step on"),
        Binding("left,h", "step(-1)", "a step back"),
        Binding("shift+right,L", "iteration(True)", "to the next iteration"),
        Binding("shift+left,H", "iteration(False)", "the iteration before"),
        Binding("n", "event(True)", "to the next event"),
        Binding("N", "event(False)", "to the event before"),
        Binding("home,0,^", "seek(0)", "to the start"),
        Binding("end,$", "last", "to the newest step"),
        Binding("r", "to_end", "run to the end"),
        Binding("g", "go_to", "go to a step"),
        Binding("plus,equals_sign", "speed(1)", "faster"),
        Binding("minus", "speed(-1)", "slower"),
        Binding("escape", "cancel", "stop, or pause"),
    ]

    def action_play(self) -> None:
        self.player.play()
        self.wind()
        self.act()

    def action_event(self, forward: bool) -> None:
        if not self.loaded.algorithm.events:
            self.refuse("this algorithm names no events; ⇧→ goes to the next iteration")
            return
        self.player.event(forward)
        self.act()

    def action_seek(self, t: int) -> None:
        self.player.playing = False
        self.player.seek(t)
        self.act()

    def action_last(self) -> None:
        self.player.to_newest()
        self.act()

    def action_to_end(self) -> None:
        self.player.to_end()
        self.act()

    def on_step_sought(self, message: StepSought) -> None:
        self.action_seek(message.t)

    def action_go_to(self) -> None:
        from tui.screens.go_to import GoTo

        run = self.player.timeline
        self.app.push_screen(GoTo(self.player.t, run.last, run.stopped is not None), self._go)

    def _go(self, t: int | None) -> None:
        if t is not None:
            self.action_seek(t)
