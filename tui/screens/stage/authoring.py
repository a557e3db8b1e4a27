"""Authoring by doing: what is on the screen is kept as a moment of a lesson's file."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.playback.runs.in_front import InFront
from tui.screens.stage.fronting import Fronting
from tui.widgets.column import Column


class Authoring(Fronting):
    """Keeps what is on the screen as a moment of the lesson that one writes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("K", "keep_moment", "keep this as a moment of a lesson's file"),
    ]

    def action_keep_moment(self) -> None:
        """Keep the run, the step and what is in front, after the moment one is at, or in a new file."""
        self.pause()
        self.when_there(self._keep_moment)

    def _keep_moment(self) -> None:
        from algorithms.playback.lessons.keeping import moment_of

        try:
            session = self.session
            text = moment_of(session.loaded, session.branch, self.player.t, self._front_now())
            told = self.host.keep_moment(text, session.loaded)
        except Refused as refusal:
            self.refuse(clean(refusal))
            return
        self.tell(clean(told))

    def _front_now(self) -> InFront:
        """Say what is in front now; of theorems one that speaks here, as what a lesson names must."""
        verdicts = self.picture.verdicts if self.picture is not None else ()
        index = self.theorem_in_hand()
        speaks = index < len(verdicts) and verdicts[index].sides is not None and verdicts[index].status == "holds"
        chart = self.query_one(Column).curve_in_front
        named = chart if any(curve.name == chart for curve in self.player.timeline.algorithm.curves) else ""
        return InFront(index if speaks else None, named, self.lecturing, self.lecturing and self._drawn)
