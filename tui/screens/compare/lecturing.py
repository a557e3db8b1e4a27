"""For a hall: the stages beside each other, and under them one chart or one theorem, a line of words a run."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from algorithms.core import Contrast
from algorithms.playback.comparison.alignment import Axis
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.in_front import InFront
from algorithms.playback.runs.run_session import RunSession
from algorithms.playback.theorems.page import TheoremPage, theorem_page
from tui.screens.compare.layout import Layout, hall_rows, in_a_hall
from tui.screens.compare.reading import Reading
from tui.screens.hall import Hall
from tui.sections.theorems.abreast import Measured, OfRun, Shown, here_on, rows_of_digits, rows_of_heading
from tui.sections.theorems.large import measured_sides
from tui.sections.theorems.measured import measured
from tui.widgets.chart_and_numbers import ChartAndNumbers
from tui.widgets.narration import in_short
from tui.widgets.stories import Story
from tui.widgets.theorems_abreast import TheoremsAbreast
from tui.widgets.top_line import TopLine

_SHOWN = ("digits", "curves")  # of a theorem
_SHARE = 0.62  # of the rows, that digits take at most


class Lecturing(Hall, Reading):
    """A layout of the same screen, readable from the last row.

    Under the stages stands the chart of a curve, or a theorem: its sides in large digits, or as curves.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("F", "lecture", "for a hall: large, little of it; 2 3 x choose what"),
    ]
    _theorem = 0  # which is in hand; below 0 what is measured as the point, the last of them -1
    _digits = 0  # rows that its digits take
    _large = ""  # what of it is shown: "digits", "curves", or "" for the chart of a curve

    def __init__(self, session: RunSession, compared: Sequence[ComparedRun]):
        super().__init__(session, compared)
        self._said: dict[int, OfRun] = {}  # what the theorem in hand said of each run last
        lecture = self._seen.get("lecture")
        if isinstance(lecture, dict):
            self.set_class(True, "lecture")
            self._large = lecture["shown"] if lecture.get("shown") in _SHOWN else ""
            theorem = lecture.get("theorem")
            known = range(-len(self._contrasts), len(self._statements))
            self._theorem = theorem if type(theorem) is int and theorem in known else 0

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield widget
            if isinstance(widget, ChartAndNumbers):
                yield TheoremsAbreast(id="large")

    def action_lecture(self) -> None:
        """Lay the screen out for a hall, or as usual; in hand is the theorem that was chosen on its page, which is
        large then; else what is measured as the point, or a theorem that speaks in most runs."""
        self.set_class(not self.lecturing, "lecture")
        chosen = self._chosen in self._statements
        self._large, self.view = "digits" if self.lecturing and chosen else "", "all"
        self._theorem = self._statements.index(self._chosen) if chosen else self._offered()
        self.share_out()

    def _offered(self) -> int:
        """Choose what is in hand where nobody has chosen."""
        if self._contrasts:
            return -len(self._contrasts)
        speaking = [v.theorem.statement for p in self.pictures if p for v in p.verdicts if v.sides is not None]
        statements = self._statements
        most = max(range(len(statements)), key=lambda i: (speaking.count(statements[i]), -i), default=0)
        return most if speaking else max(self._theorem, 0)

    def choose_theorem(self, index: int) -> None:
        """Make a theorem of the run in hand, that was chosen on its page, the large one too."""
        super().choose_theorem(index)
        self._theorem = self._statements.index(self._chosen)
        if self.lecturing:
            self._large = self._large or "digits"
            self.share_out()

    def put_in_front(self, front: InFront) -> None:
        """Put in front what is to be, once there are pictures: a theorem of the run in hand, a chart, the hall."""
        pictures = [picture for picture in self.pictures if picture is not None]
        if front.chart:
            self.query_one(ChartAndNumbers).bring_forward(front.chart, pictures, self._objectives(pictures)[0])
        if front.theorem is not None:
            self.choose_theorem(front.theorem)
        if front.hall and not self.lecturing:
            self.action_lecture()
            self._large = "" if front.theorem is None else "curves" if front.sides else "digits"
            self.share_out()

    def kept(self) -> dict[str, Any]:
        lecture = {"shown": self._large, "theorem": self._theorem}
        return super().kept() | ({"lecture": lecture} if self.lecturing else {})

    @property
    def _statements(self) -> list[str]:
        """List what is stated of any of the runs."""
        stated = (t.statement for run in self.compared for t in run.timeline.algorithm.theorems)
        return list(dict.fromkeys(stated))

    @property
    def _contrasts(self) -> list[Contrast]:
        """List what is measured as the point of any of the runs."""
        contrasts: list[Contrast] = []
        for run in self.compared:
            of_run = run.timeline.algorithm.contrast
            if of_run is not None and of_run not in contrasts:
                contrasts.append(of_run)
        return contrasts

    def theorem_in_hand(self) -> int:
        """Tell which theorem is opened: in the hall that in hand, where the run in hand states it."""
        stated = [theorem.statement for theorem in self.compared[self.current].timeline.algorithm.theorems]
        large = self.lecturing and 0 <= self._theorem < len(self._statements)
        statement = self._statements[self._theorem] if large else ""
        return stated.index(statement) if statement in stated else super().theorem_in_hand()

    # Keys that do something else in the hall

    def in_hall(self, key: str) -> bool:
        if not self.lecturing or key == "stages":
            return False
        large = self._large
        if not self._statements and not self._contrasts and key != "curve":
            self.refuse("no theorem is stated for these")
            return True
        if key == "numbers":  # what is in hand, then what comes after it
            self._theorem = self._following() if large else self._theorem
            self._large = large or "digits"
        elif key == "chart":  # the sides of a theorem as curves, and in digits again
            self._theorem = max(self._theorem, 0)
            self._large = "digits" if large == "curves" or not self._statements else "curves"
        elif key == "part":
            self._large = "" if large else "digits"
        elif large:  # the curves of the algorithm again
            self._large = ""
        else:
            return False
        self.view = "all"
        self.share_out()
        return True

    def _following(self) -> int:
        """Find what comes after what is large: the next theorem; after the last one, what is measured, which has no
        sides to be drawn, or the first."""
        first = 0 if self._large == "curves" and self._statements else -len(self._contrasts)
        return self._theorem + 1 if self._theorem + 1 < len(self._statements) else first

    # What is on the screen

    @property
    def layout_now(self) -> Layout:
        if not self.lecturing:
            return super().layout_now
        width, height = self.space
        return in_a_hall(width, height - self._rows, len(self.compared), self.view, self._digits)

    def _rows_of_digits(self) -> int:
        """Count the rows of what is in hand in digits, its words and a blank one among them; 0 where none is shown."""
        pictures = [picture for picture in self.pictures if picture is not None]
        if self._large != "digits" or len(pictures) < len(self.compared):
            return 0
        return self._rows_for(self._of_runs(pictures, Axis(1.0, 0.0, 1.0, "")))

    def _rows_for(self, of_runs: Sequence[Shown]) -> int:
        width, height = self.space
        most = round(hall_rows(height - self._rows, len(self.compared)) * _SHARE)
        if not of_runs:
            return 0
        above = rows_of_heading(of_runs[0], width)
        return above + rows_of_digits(of_runs, width, max(most - above, 1)) + 1

    def _part_note(self, now: Layout) -> str:
        return "" if self.lecturing else super()._part_note(now)

    def share_out(self) -> None:
        if self.is_live:
            self.query_one(ChartAndNumbers).thick = self.query_one(TopLine).brief = self.lecturing
            self._digits = self._rows_of_digits()
        super().share_out()
        if self.is_live:
            chart, large = self.query_one(ChartAndNumbers), self.query_one(TheoremsAbreast)
            under = bool(chart.display)
            large.display = under and self.lecturing and self._large != ""
            chart.display = under and not large.display
            large.styles.height = self.layout_now.lower or "1fr"

    def _stories(self) -> tuple[Story, ...]:
        stories = super()._stories()
        return tuple(replace(s, words=in_short(s.words)) for s in stories) if self.lecturing else stories

    def _show_abreast(self, pictures: list[Picture], axis: Axis) -> None:
        super()._show_abreast(pictures, axis)
        large = self.query_one(TheoremsAbreast)
        if large.display and not self._owed:
            self._abreast_at = perf_counter()
            used = frozenset[int]().union(*(picture.tones_in_use for picture in pictures))
            of_runs = self._of_runs(pictures, axis)
            if self._large == "digits" and self._rows_for(of_runs) > self._digits:  # it had not spoken before
                self.call_after_refresh(self.share_out)
            large.show(of_runs, axis, self.layout_now.columns, self._large == "curves", used)

    def _of_runs(self, pictures: Sequence[Picture], axis: Axis) -> Sequence[Shown]:
        """Collect what the theorem in hand says of the runs that state it, or what was measured in those that have it
        as their point."""
        statements, contrasts = self._statements, self._contrasts
        if self._theorem < 0 and contrasts:
            contrast = contrasts[self._theorem % len(contrasts)]
            found = ((i, measured(picture, contrast)) for i, picture in enumerate(pictures) if self._has(i, contrast))
            return [Measured(i, contrast, None if two is None else measured_sides(contrast, two)) for i, two in found]
        if not statements:
            return []
        statement = statements[self._theorem % len(statements)]
        said = (self._of_run(i, picture, axis, statement) for i, picture in enumerate(pictures))
        return [one for one in said if one is not None]

    def _has(self, i: int, contrast: Contrast) -> bool:
        return self.compared[i].timeline.algorithm.contrast == contrast

    def _of_run(self, i: int, picture: Picture, axis: Axis, statement: str) -> OfRun | None:
        run, alignment = self.compared[i].timeline, self.together.alignment
        stated = [theorem.statement for theorem in run.algorithm.theorems]
        if statement not in stated:
            return None
        held = self._said.get(i)
        if self.together.busy(self.together.followers[i]):  # else it is left as it was when last known
            return held
        page: TheoremPage = theorem_page(run, picture.frame, stated.index(statement), stated=picture.verdicts)
        t, values = (page.so_far.t, page.so_far.values) if page.so_far is not None else (np.zeros(0), np.zeros((0, 0)))
        x, values = alignment.series(run, t, values)
        place, _ = alignment.series(run, np.array([picture.frame.t]), np.zeros(1))
        here = min(here_on(place / axis.unit, axis.here / axis.unit), axis.here / axis.unit)
        self._said[i] = OfRun(i, page, x / axis.unit, values, here)
        return self._said[i]
