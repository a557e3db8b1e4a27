"""Stepping and speed, the same for one run and for several."""

from tui.screens.run_screen import RunScreen


class Stepping(RunScreen):
    """Moves the cursor a step or an iteration on or back, and sets how fast it plays."""

    def action_step(self, by: int) -> None:
        self.cursor.step(by)
        self.act()

    def action_iteration(self, forward: bool) -> None:
        self.cursor.iteration(forward)
        self.act()

    def action_speed(self, by: int) -> None:
        self.cursor.faster(by)
        self.show_where()
