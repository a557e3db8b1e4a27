"""The sides of one theorem over the run, in thick lines, for the last row of a hall."""

from textual import events

from algorithms.core.text import clean
from algorithms.playback.theorems.page import TheoremPage
from tui.paint.axes import framed
from tui.paint.canvas import Canvas
from tui.paint.text import wrapped
from tui.sections.theorems.charts import DrawnChart, TheoremCharts, has_charts
from tui.sections.theorems.head import widest_words
from tui.widgets.raster import RasterView
from tui.widgets.seeking import StepSought

_AGAIN = 0.05  # seconds until more of what is around the cursor is painted


class SidesChart(RasterView):
    """Shows what the theorem in hand says at all steps.

    Attributes:
        charts: how it is looked at.
    """

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self.charts = TheoremCharts(hall=True)
        self._page: TheoremPage | None = None
        self._of: object = None
        self._drawn: list[DrawnChart] = []

    def show(self, page: TheoremPage, used: frozenset[int], of: object) -> tuple[int, ...]:
        """Show a theorem of a run; returns the tones of its sides.

        Args:
            used: tones on the stage, which no side takes.
            of: the run, or whatever tells it from others.
        """
        if of is not self._of:  # what was asked of the steps of another run is not of this one
            self.charts, self._of = TheoremCharts(hall=True), of
        self.charts.used, self._page = used, page
        self.redraw()
        return self.charts.tones(page)

    def follow(self) -> None:
        """Show it from near, following the cursor, or over the whole run."""
        self.charts.follow()
        self.redraw()

    def turn(self) -> None:
        """Draw it along the theorem's own variable, where it has one, or the steps."""
        self.charts.along = not self.charts.along
        self.redraw()

    def switch_log(self) -> None:
        """Make it logarithmic, or not."""
        self.charts.switch_log()
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        canvas.fill(self.palette.background)
        page, self._drawn = self._page, []
        if page is None:
            return
        framed(canvas, "" if has_charts(page) else "the sides", "", self.palette)
        if has_charts(page):  # their heading stands there
            canvas.text(1, 0, f"─{' ' * (canvas.columns - 4)}─", self.palette.line)
        self._drawn = self.charts.paint(canvas.part(3, 0, canvas.columns - 5, canvas.rows - 1), page, self.palette)
        if not self._drawn:
            why = clean(page.verdict.why) or "nothing was measured yet"
            if page.so_far is not None and page.so_far.never_apart:
                why = widest_words(page.so_far)
            for row, line in enumerate(wrapped(why, canvas.columns - 4)[: canvas.rows - 2]):
                canvas.text(2, row + 1, line, self.palette.dim)
        if self.charts.unfinished:
            self.set_timer(_AGAIN, self.redraw)

    def on_click(self, event: events.Click) -> None:
        for chart in self._drawn:
            if chart.top <= event.y < chart.top + chart.rows:
                self.post_message(StepSought(chart.step(event.x - 3)))
