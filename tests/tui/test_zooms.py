"""A part of a chart is zoomed about the pointer, panned, kept inside the whole, and goes along with the cursor."""

import math

import numpy as np
import pytest

from tui.paint.x_axis import XAxis, steps_up_to
from tui.sections.charts.zooms import Zooms

WHOLE = steps_up_to(100)


def seen(zooms: Zooms, whole: XAxis = WHOLE, cursor: float = 0.0) -> XAxis:
    part = zooms.part("c", whole, cursor) or whole
    zooms.painted("c", part, whole)
    return part


def test_what_is_under_the_pointer_stays_there() -> None:
    zooms = Zooms()
    assert seen(zooms) == WHOLE
    for _ in range(3):
        assert zooms.zoom("c", 0.5, 0.25)
        part = seen(zooms)
        assert part.first + 0.25 * (part.last - part.first) == pytest.approx(25, abs=1)
    assert (part.last - part.first) == pytest.approx(100 / 8, abs=1)


def test_steps_stay_whole_and_each_turn_of_the_wheel_counts_until_it_can_go_no_further() -> None:
    zooms, spans = Zooms(), [100.0]
    seen(zooms)
    while zooms.zoom("c", 0.8, 0.5):
        part = seen(zooms)
        assert part.first == int(part.first)
        spans.append(part.last - part.first)
    assert spans[-1] == 2
    assert all(b < a for a, b in zip(spans, spans[1:]))
    while zooms.zoom("c", 1.25, 0.5):
        spans.append(seen(zooms).last - seen(zooms).first)
    assert spans[-1] == 100
    assert not zooms, "all of it is the whole, which was not chosen"


def test_panning_stays_inside_the_whole_and_keeps_the_width() -> None:
    zooms = Zooms()
    seen(zooms)
    zooms.zoom("c", 0.2, 0.5)
    grabbed = seen(zooms)
    for shares, first in ((0.5, 50), (-0.5, 30), (-40.0, 0), (40.0, 80)):
        zooms.pan("c", grabbed, shares)
        part = seen(zooms)
        assert (part.first, part.last - part.first) == (first, 20)


@pytest.mark.parametrize(("t", "first"), [(50, 40), (60, 40), (61, 46), (39, 34), (90, 75)])
def test_the_part_goes_along_with_a_cursor_that_would_leave_it(t: int, first: int) -> None:
    zooms = Zooms()
    seen(zooms, cursor=50)
    zooms.zoom("c", 0.2, 0.5)
    seen(zooms, cursor=50)
    assert seen(zooms, cursor=t).first == first


def test_the_part_stays_where_the_cursor_was_not_in_it() -> None:
    zooms = Zooms()
    seen(zooms, cursor=5)
    zooms.zoom("c", 0.2, 0.5)
    assert [seen(zooms, cursor=t).first for t in (5, 6, 99)] == [40, 40, 40]


def test_a_shorter_run_has_what_is_left_of_the_part() -> None:
    zooms = Zooms()
    seen(zooms)
    zooms.zoom("c", 0.2, 0.9)
    assert seen(zooms).last == 92
    assert (seen(zooms, steps_up_to(60)).first, seen(zooms, steps_up_to(60)).last) == (40, 60)
    assert seen(zooms, steps_up_to(15)) == steps_up_to(15)
    assert not zooms


def test_a_logarithmic_axis_is_zoomed_where_it_is_drawn() -> None:
    zooms, whole = Zooms(), XAxis(1e-4, 1e4, log=True, whole=False)
    seen(zooms, whole, math.nan)
    zooms.zoom("c", 0.25, 0.5)
    part = seen(zooms, whole, math.nan)
    assert np.log10([part.first, part.last]) == pytest.approx([-1, 1])


def test_what_is_kept_is_seen_again_and_what_cannot_be_meant_is_passed_over() -> None:
    zooms, again = Zooms(), Zooms()
    seen(zooms)
    zooms.zoom("c", 0.2, 0.5)
    again.restore(zooms.kept())
    assert seen(again) == seen(zooms)
    for nonsense in (
        3,
        {"c": 3},
        {"c": [1]},
        {"c": [2, 1]},
        {"c": [10**400, 10**401]},
        {"c": [math.nan, 1.0]},
        {"c": ["a", 1]},
    ):
        again = Zooms()
        again.restore(nonsense)
        assert seen(again) == WHOLE
