"""What is in front by name, as it was asked for, or as a session was kept: a theorem, a chart, the hall."""

from typing import Any

from algorithms.core import Refused
from algorithms.core.search import theorem_named
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.in_front import InFront
from tui.screens.stage.lecturing import Lecturing
from tui.widgets.column import Column


class Fronting(Lecturing):
    """Puts in front, once its step is there, what is asked for; keeps the hall with the session.

    Attributes:
        front: what is to be put in front, None once it is.
    """

    front: InFront | None = None

    def put_in_front(self, picture: Picture, before: Picture | None) -> None:
        """Put in front what is to be, once."""
        front = self.front
        if front is None or self.player.goal is not None:
            return
        self.front = None
        stated = self.player.timeline.algorithm.theorems
        theorem = [] if front.theorem is None else [stated[front.theorem].statement]
        column = self.query_one(Column)
        if theorem:
            column.bring_forward(theorem, (), ())
        if front.chart:  # before the theorem, which has a row below the stage where there is room for one of them
            column.bring_forward((), [front.chart], ())
        if front.theorem is not None:
            self.choose_theorem(front.theorem)
        self._drawn = front.sides and bool(stated)
        if front.hall:
            self.lay_out_for_a_hall(True)
        elif theorem or front.sides:
            self.show_hall(picture, before)

    def resume_hall(self, kept: Any) -> None:
        """Lay the screen out as it was kept, as far as that can be meant."""
        if not isinstance(kept, dict):
            return
        theorem = None
        if isinstance(kept.get("theorem"), str):
            try:
                theorem = theorem_named(self.player.timeline.algorithm, kept["theorem"])
            except Refused:  # its statement was another
                theorem = None
        self.front = InFront(theorem, hall=True, sides=kept.get("sides") is True)

    def on_mount(self) -> None:
        self.resume_hall((self._view or {}).get("hall"))

    def view_now(self) -> dict[str, Any]:
        """Describe how the screen shows it, the hall included."""
        if not self.lecturing:
            return super().view_now()
        stated = self.player.timeline.algorithm.theorems
        chosen = (
            {"theorem": stated[self._theorem % len(stated)].statement} if self._chosen and self._theorem >= 0 else {}
        )
        return super().view_now() | {"hall": {"sides": self._drawn, **chosen}}
