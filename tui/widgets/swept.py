"""The runs of a sweep as a picture: a histogram, or a curve with its spread over an ordered parameter."""

from typing import Any

import numpy as np
from textual import events
from textual.message import Message

from algorithms.core import Array, Band, Bars, Cursor, ErrorBars, Path
from algorithms.core.parameters import as_typed
from algorithms.core.plane import Axis
from algorithms.core.scene import Tone
from algorithms.core.text import clean, counted, ordinal
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.sweeps.swept_runs import SweptRuns
from algorithms.timeline import Timeline
from tui.paint.axes import framed, plotted
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.marks import paint
from tui.paint.plot import Plot
from tui.paint.text import wrapped
from tui.paint.ticks import number, tick_labels
from tui.widgets.raster import RasterView

CHOSEN, IN_HAND, LETTERS = "▼", "◆", "AB"
_LINES, _MORE_LINES = 6, 7  # of words under the chart; where there is more room
_TALL = 26  # rows from which on there is
_LOG = ", log"
_ROOM = 0.16  # of the chart's height above the tallest bar, for what is marked on it
_OF_NUMBERS = "●─ the middle run   ground: 8 in 10 runs   · the least and the greatest"
_OF_WORDS = "● the middle run   bars: 8 in 10 runs   · the least and the greatest"


class SweptView(RasterView):
    """Paints the runs that have come; a click chooses those of a bar.

    Args:
        swept: the runs.
        in_hand: the run in hand, which is marked among them.

    Attributes:
        notice: a sentence to be told on the last line, "" for none.
    """

    class Clicked(Message):
        """A bar was clicked, or a value."""

        def __init__(self, group: int):
            super().__init__()
            self.group = group

    def __init__(self, swept: SweptRuns, in_hand: Timeline):
        super().__init__(id="swept")
        self._swept, self._run, self.notice = swept, in_hand, ""
        self._left, self._columns = 0, 1  # of the chart, as it was painted last
        self._groups: list[int] = []  # what each of its columns belongs to, -1 for nothing

    def paint(self, canvas: Canvas) -> None:
        swept, palette = self._swept, self.palette
        inside = framed(canvas, swept.title, "", palette, marked=True)
        lines = _LINES if inside.rows < _TALL else _MORE_LINES
        rows = inside.rows - lines - 1
        chart = inside.part(1, 0, inside.columns - 2, rows)
        if not len(swept.groups.places):
            waiting = "the first runs are under way" if swept.running else swept.summary or "no run has a number"
            chart.text(1, max(rows // 2, 0), fitted(waiting, chart.columns - 2), palette.dim)
            self._groups = []
        elif rows >= 4:
            plot = self._spread(chart) if swept.asked.ordered else self._histogram(chart)
            self._left = inside.columns - 1 - plot.canvas.columns  # of the widget: the frame and the labels before it
            self._columns = plot.canvas.columns
        for row, (text, ink) in enumerate(self._words(inside.columns - 4, lines)):
            inside.text(2, rows + 1 + row, text, ink)

    # The chart

    def _histogram(self, chart: Canvas) -> Plot:
        swept, palette = self._swept, self.palette
        groups, log = swept.groups, swept.asked.log
        edges, heights = groups.edges, groups.heights
        assert edges is not None
        mine = self._scaled(swept.in_hand(self._run))
        ends = [edges[0], edges[-1], *([] if mine is None else [mine])]
        limits = Limits(float(min(ends)), float(max(ends)), 0.0, float(heights.max()) * (1 + _ROOM) + 0.5)
        x_axis = _axis(swept.asked.curve, log, chart)
        plot = plotted(chart, limits, x_axis, Axis("runs"), palette, log="x" if log else "")
        here = None if swept.chosen is None else swept.group_of(swept.chosen)
        tones: tuple[Tone, ...] = tuple("accent" if i == here else 0 for i in range(len(heights)))
        paint(Bars(heights=heights.astype(float), edges=edges, tones=tones), plot)
        self._groups = self._under(plot, edges)
        middles = (edges[:-1] + edges[1:]) / 2
        tags = self._tags()
        if mine is not None and edges[0] <= mine <= edges[-1]:
            at = min(int(np.searchsorted(edges, mine, side="right")) - 1, len(heights) - 1)
            tags[at] = tags.get(at, "") + IN_HAND
        elif mine is not None:
            self._tag(plot, mine, 0.0, IN_HAND)
        for group, text in tags.items():
            self._tag(plot, float(middles[group]), float(heights[group]), text)
        return plot

    def _spread(self, chart: Canvas) -> Plot:
        """Draw the middle run of each value, the ground in which 8 of 10 runs are, and the ends."""
        swept, palette, asked = self._swept, self.palette, self._swept.asked
        at = self._positions()
        there, numbers = swept.spread()
        mine = self._scaled(swept.in_hand(self._run))
        low, high = float(numbers.min()), float(numbers.max())
        if mine is not None:
            low, high = min(low, mine), max(high, mine)
        room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
        width = (at[-1] - at[0]) * 0.03 or 0.5
        limits = Limits(float(at[0] - width), float(at[-1] + width), low - room, high + room)
        log = ("x" if asked.of_logarithms else "") + ("y" if asked.log else "")
        axes = _axis(asked.over, asked.of_logarithms, chart), _axis(asked.curve, asked.log, chart)
        plot = plotted(chart, limits, *axes, palette, log=log)
        x, (least, lower, middle, upper, greatest) = at[there], numbers.T
        middles = np.stack([x, middle], axis=1)
        if not asked.numbers:  # between words there is nothing
            self._name_values(chart, plot, at)
            paint(ErrorBars(at=middles, lower=lower, upper=upper, tone=0), plot)
        else:
            if asked.each > 1:
                paint(Band(x=x, lower=lower, upper=upper, tone=0), plot)
            paint(Path(at=middles, tone=0), plot)
        if swept.chosen is not None and (here := swept.group_of(swept.chosen)) is not None:
            paint(Cursor(x=float(at[here])), plot)
        for values, glyph in ((least, "·"), (greatest, "·"), (middle, "●")):
            self._dots(plot, x, values, glyph, palette.tone(0))
        self._marked(plot, at)
        own = self._run.parameters.get(asked.over)
        if mine is not None and own is not None and (place := self._position(own, at)) is not None:
            self._dots(plot, np.array([place]), np.array([mine]), IN_HAND, palette.ink)
        ends = np.concatenate([[-np.inf], (at[:-1] + at[1:]) / 2, [np.inf]])
        self._groups = self._under(plot, ends)
        return plot

    def _marked(self, plot: Plot, at: Array) -> None:
        """Put the letters of the marked runs, and the sign of the chosen one, where their numbers are."""
        swept = self._swept
        signs = [*zip(swept.marked, LETTERS), *([(swept.chosen, CHOSEN)] if swept.chosen not in swept.marked else [])]
        for place, sign in signs:
            group = None if place is None else swept.group_of(place)
            value = None if place is None else self._scaled(swept.value(place))
            if group is not None and value is not None:
                self._dots(plot, at[[group]], np.array([value]), sign, self.palette.accent)

    def _dots(self, plot: Plot, x: Array, y: Array, glyph: str, ink: int) -> None:
        column, row, inside = plot.cells(np.stack([x, y], axis=1))
        for i in np.flatnonzero(inside).tolist():
            plot.canvas.text(int(column[i]), int(row[i]), glyph, ink, bold=True)

    def _positions(self) -> Array:
        """Place the values of what is swept over: as they are, their logarithms, or one beside the other."""
        asked = self._swept.asked
        numbers = asked.numbers
        if not numbers:
            return np.arange(len(asked.plan.axes[asked.over]), dtype=float)
        at = np.log10(numbers) if asked.of_logarithms else np.array(numbers)
        return at if (np.diff(at) > 0).all() else np.arange(len(at), dtype=float)

    def _position(self, value: Any, at: Array) -> float | None:
        """Find where a value of what is swept over stands."""
        asked = self._swept.asked
        if not asked.numbers:
            words = [as_typed(each) for each in asked.plan.axes[asked.over]]
            return float(words.index(as_typed(value))) if as_typed(value) in words else None
        if not isinstance(value, int | float) or (asked.of_logarithms and value <= 0):
            return None
        place = float(np.log10(value)) if asked.of_logarithms else float(value)
        return place if at[0] <= place <= at[-1] else None

    def _name_values(self, chart: Canvas, plot: Plot, at: Array) -> None:
        """Write the words that are swept over in place of numbers under the axis."""
        asked, row, left = self._swept.asked, plot.canvas.rows, chart.columns - 1 - plot.canvas.columns
        chart.text(0, row, " " * chart.columns, self.palette.dim)
        column, _, _ = plot.cells(np.stack([at, np.full(len(at), plot.limits.bottom)], axis=1))
        free = 0
        for value, place in zip(asked.plan.axes[asked.over], column.tolist()):
            text = clean(as_typed(value), 20)
            start = min(max(left + place - width_of(text) // 2, 0), chart.columns - width_of(text))
            if start >= free:
                free = chart.text(start, row, text, self.palette.dim) + 1

    def _under(self, plot: Plot, edges: Array) -> list[int]:
        """Tell which group each column of the chart belongs to."""
        view, columns = plot.limits, plot.canvas.columns
        x = view.left + (np.arange(columns) + 0.5) / max(columns, 1) * view.width
        group = np.searchsorted(edges, x, side="right") - 1
        return [g if 0 <= g < len(edges) - 1 else -1 for g in group.tolist()]

    def _tags(self) -> dict[int, str]:
        """Say what is marked in each group: the letters of marked runs, and the sign of the chosen one."""
        swept = self._swept
        tags: dict[int, str] = {}
        for place, sign in [*zip(swept.marked, LETTERS), (swept.chosen, CHOSEN)]:
            group = None if place is None else swept.group_of(place)
            if group is not None:
                tags[group] = tags.get(group, "") + sign
        return tags

    def _tag(self, plot: Plot, x: float, level: float, signs: str) -> None:
        """Write signs over a bar."""
        column, row, _ = plot.cells(np.array([[x, level]]))
        start = max(min(int(column[0]) - (len(signs) - 1) // 2, plot.canvas.columns - len(signs)), 0)
        for i, sign in enumerate(signs):
            ink = self.palette.ink if sign == IN_HAND else self.palette.accent
            plot.canvas.text(start + i, max(int(row[0]) - 1, 0), sign, ink, bold=True)

    def _scaled(self, value: float | None) -> float | None:
        """Give a number as it is drawn: its logarithm where they are."""
        if value is None or not np.isfinite(value) or (self._swept.asked.log and value <= 0):
            return None
        return float(np.log10(value)) if self._swept.asked.log else value

    # Words

    def _words(self, width: int, most: int) -> list[tuple[str, int]]:
        """Write the lines under the chart, at most so many: where they are too many the legend goes, and then what is
        said of the chosen run ends early."""
        swept, palette = self._swept, self.palette
        summary = wrapped(": ".join(filter(None, (swept.progress, swept.summary))), width)
        group, chosen = self._of_chosen(width)
        marks = _side_by_side(self._marks(), width)
        legend = [_OF_NUMBERS if swept.asked.numbers else _OF_WORDS] * (swept.asked.ordered and swept.asked.each > 1)
        notice = [self.notice] if self.notice else []
        room = max(most - len([*summary, *group, *marks, *notice]), 1)
        if len(chosen) + len(legend) > room:
            legend = []
        if len(chosen) > room:
            chosen = [*chosen[: room - 1], " ".join([chosen[room - 1], *map(str.strip, chosen[room:])])]
        lines = [(line, palette.ink) for line in summary] + [(line, palette.dim) for line in group]
        lines += [(line, palette.accent) for line in chosen] + [(line, palette.ink) for line in marks]
        lines += [(line, palette.dim) for line in legend]
        lines = [*lines[: most - len(notice)], *((line, palette.accent) for line in notice)]
        return [(fitted(line, width), ink) for line, ink in lines]

    def _of_chosen(self, width: int) -> tuple[list[str], list[str]]:
        """Say of which bar or value the chosen run is, unless each value has one run, and what came of it."""
        swept = self._swept
        if swept.chosen is None or (group := swept.group_of(swept.chosen)) is None:
            return [], []
        members = swept.groups.members(group)
        at = int(np.flatnonzero(members == swept.chosen)[0]) + 1
        words = f"{self._group_words(group)}: {counted(len(members), 'run')}, the {ordinal(at)} is chosen"
        alone = swept.asked.ordered and swept.asked.each == 1
        said = wrapped(swept.words(swept.chosen), width - 2)
        chosen = [f"{sign} {line}" for sign, line in zip([CHOSEN, *" " * len(said)], said)]
        return [] if alone else wrapped(words, width), chosen

    def _group_words(self, group: int) -> str:
        asked, edges = self._swept.asked, self._swept.groups.edges
        if edges is None:
            return clean(f"{asked.over} {as_typed(asked.plan.axes[asked.over][group])}")
        ends = [10.0**edge if asked.log else edge for edge in edges[group : group + 2].tolist()]
        low, high = tick_labels(ends) if not asked.log else (f"{end:.3g}" for end in ends)
        return clean(f"{asked.curve} from {low} to {high}")

    def _marks(self) -> list[str]:
        swept = self._swept
        words = [
            f"{letter} {swept.named(place)}: {swept.value(place):.6g}" for place, letter in zip(swept.marked, LETTERS)
        ]
        mine = swept.in_hand(self._run)
        if mine is not None:
            so_far = "" if self._run.stopped else " so far"
            words.append(f"{IN_HAND} the run in hand: {number(mine)}{so_far}")
        return words

    # The mouse

    def on_click(self, event: events.Click) -> None:
        column = event.x - self._left
        if 0 <= column < min(self._columns, len(self._groups)) and self._groups[column] >= 0:
            self.post_message(self.Clicked(self._groups[column]))


def _axis(name: str, log: bool, chart: Canvas) -> Axis:
    """Name an axis; that it is logarithmic is said whole, whatever room the name has."""
    if not log:
        return Axis(clean(name))
    return Axis(fitted(clean(name), max(chart.columns // 2 - 4 - width_of(_LOG), 1)) + _LOG)


def _side_by_side(parts: list[str], width: int) -> list[str]:
    """Write words in as few lines as there is room for, three blanks between two on one line."""
    lines: list[str] = []
    for part in parts:
        if lines and width_of(lines[-1]) + 3 + width_of(part) <= width:
            lines[-1] += f"   {part}"
        else:
            lines.append(part)
    return lines
