"""Authoring by doing: runs side by side are kept as a moment of a lesson's file."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.playback.runs.in_front import InFront
from tui.screens.compare.lecturing import Lecturing
from tui.widgets.chart_and_numbers import ChartAndNumbers


class Authoring(Lecturing):
    """Keeps the runs as they stand beside each other as a moment of the lesson that one writes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("K", "keep_moment", "keep this as a moment of a lesson's file"),
    ]

    async def action_keep_moment(self) -> None:
        """Keep the runs, the step and what is in front, after the moment one is at, or in a new file."""
        from algorithms.playback.lessons.keeping import Beside, leading, moment_of

        await self.rest()
        homes = [self.session.home(run.timeline) for run in self.compared]
        steps = [follower.player.t for follower in self.together.followers]
        stood = [Beside(session.loaded, branch, t) for (session, branch), t in zip(homes, steps)]
        first = leading(stood)
        lead, beside = stood[first], [each for i, each in enumerate(stood) if i != first]
        try:
            text = moment_of(lead.loaded, lead.branch, lead.t, self._front_of(first), beside)
            told = self.host.keep_moment(text, lead.loaded)
        except Refused as refusal:
            self.refuse(clean(refusal))
            return
        self.tell(clean(told))

    def _front_of(self, i: int) -> InFront:
        """Say what is in front now, of a run: of theorems one that speaks, as what a lesson names must."""
        run, picture = self.compared[i].timeline, self.pictures[i]
        stated = [theorem.statement for theorem in run.algorithm.theorems]
        large = self.lecturing and self._large != "" and self._theorem >= 0
        chosen = self._statements[self._theorem] if large else self._chosen
        index = stated.index(chosen) if chosen in stated else None
        verdict = picture.verdicts[index] if picture is not None and index is not None else None
        speaks = verdict is not None and verdict.sides is not None and verdict.status == "holds"
        return InFront(index if speaks else None, self._curve_of(i), self.lecturing, large and self._large == "curves")

    def _curve_of(self, i: int) -> str:
        """Name the curve of a run that is on the chart, "" where that has none."""
        pictures = [picture for picture in self.pictures if picture is not None]
        named = self.query_one(ChartAndNumbers).page(pictures, self._objectives(pictures)[0])
        own = [curve.name for curve in self.compared[i].timeline.algorithm.curves]
        return next((name for name in named if name in own), "")
