"""Which part of a chart's horizontal axis is seen: zoomed about the pointer, and panned, by hand."""

import math
from typing import Any

import numpy as np

from tui.paint.x_axis import XAxis

_LEAST = 1e-3  # of the whole, where there are no whole numbers
_HUGE = 1e150
_FEWEST = 2  # whole numbers from end to end


class Zooms:
    """The parts that were chosen, by chart; a part goes along with the cursor once that would leave it."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[float, float]] = {}  # where they are drawn: logarithms on a logarithmic axis
        self._seen: dict[str, tuple[XAxis, XAxis]] = {}  # what was painted last, and the whole
        self._cursors: dict[str, float] = {}

    def __bool__(self) -> bool:
        return bool(self._parts)

    def __contains__(self, name: str) -> bool:
        return name in self._parts

    def part(self, name: str, whole: XAxis, cursor: float) -> XAxis | None:
        """Choose what is seen of a chart, with the cursor at x; None for all of it."""
        before, self._cursors[name] = self._cursors.get(name, math.nan), cursor
        held = self._parts.get(name)
        if held is None:
            return None
        if cursor != before and whole.first < whole.last:
            held = _along_with(held, *whole.places(np.array([before, cursor])).tolist())
        part = _within(held, whole)
        if part is None:
            self._parts.pop(name)
        else:
            self._parts[name] = part.ends()
        return part

    def painted(self, name: str, seen: XAxis, whole: XAxis) -> None:
        """Note what is seen, from which it is zoomed and panned."""
        self._seen[name] = seen, whole

    def zoom(self, name: str, factor: float, share: float) -> bool:
        """Scale what is seen about a share of its width; below 1 comes nearer. Tell whether anything changed."""
        if name not in self._seen:
            return False
        seen, whole = self._seen[name]
        first, last = seen.ends()
        span = _span((last - first) * factor, last - first, whole)
        about = first + share * (last - first)
        return self._choose(name, about - share * span, about + (1 - share) * span)

    def pan(self, name: str, since: XAxis, shares: float) -> bool:
        """Move what was seen by shares of its width. Tell whether anything changed."""
        first, last = since.ends()
        by = shares * (last - first)
        by = float(round(by)) if since.whole else by
        return self._choose(name, first + by, last + by)

    def seen(self, name: str) -> XAxis | None:
        """Get what is seen of a chart where that is a part, be it chosen by hand or not."""
        seen, whole = self._seen.get(name, (None, None))
        return None if seen == whole else seen

    def forget(self, name: str | None = None) -> None:
        """Show the whole again of a chart, or of all."""
        for one in (name,) if name is not None else tuple(self._parts):
            self._parts.pop(one, None)

    def _choose(self, name: str, first: float, last: float) -> bool:
        seen, whole = self._seen[name]
        part = _within((first, last), whole)
        if part is None:
            self._parts.pop(name, None)
        else:
            self._parts[name] = part.ends()
        return (part or whole) != seen

    def kept(self) -> dict[str, list[float]]:
        """Describe the parts in plain values."""
        return {name: list(part) for name, part in self._parts.items()}

    def restore(self, kept: Any) -> None:
        """Choose the parts that were kept, as far as they can be meant."""
        for name, part in kept.items() if isinstance(kept, dict) else ():
            if isinstance(part, list) and len(part) == 2 and all(type(x) in (int, float) for x in part):
                first, last = part
                if -_HUGE < first < last < _HUGE:
                    self._parts[name] = float(first), float(last)


def _span(wanted: float, now: float, whole: XAxis) -> float:
    """Choose how long the axis is that is seen: whole numbers stay whole, and each turn of the wheel counts."""
    if whole.whole:
        wanted = max(math.ceil(wanted), now + 1) if wanted > now else min(math.floor(wanted), now - 1)
        return float(max(wanted, _FEWEST))
    low, high = whole.ends()
    return max(wanted, _LEAST * (high - low))


def _within(part: tuple[float, float], whole: XAxis) -> XAxis | None:
    """Move a part into the whole; None where it is no less than that."""
    low, high = whole.ends()
    first, span = part[0], part[1] - part[0]
    if whole.whole:
        first, span = float(round(first)), float(max(round(span), 1))
    if span >= (high - low) * (1 - 1e-9):
        return None
    first = min(max(first, low), high - span)
    return whole.part(first, first + span)


def _along_with(part: tuple[float, float], before: float, cursor: float) -> tuple[float, float]:
    """Move a part along with a cursor that was in it and would leave it."""
    first, last = part
    if not (first <= before <= last) or first <= cursor <= last or not math.isfinite(cursor):
        return part
    span = last - first
    first = cursor - span * (0.75 if cursor > last else 0.25)
    return first, first + span
