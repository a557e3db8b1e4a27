"""Charts as text: drawn whatever the curve, with nothing that plotext chokes on."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from algorithms.cli.chart import Series, chart, round_ticks


def series(*values: float) -> Series:
    return Series("curve", np.arange(len(values)), np.array(values))


@pytest.mark.parametrize(
    "values",
    [
        (1.0,),
        (2.0, 2.0, 2.0),
        (0.0, 0.0),
        (1.0, math.nan, 3.0),
        (1.0, math.inf, -math.inf, 2.0),
        (1e308, -1e308),
        (1e-308, 2e-308),
        (1e15, 1e15 + 1),
        tuple(math.sin(i / 9) * i for i in range(3000)),
    ],
)
@pytest.mark.parametrize("log", [False, True])
def test_charts_of_awkward_curves_are_drawn(values, log):
    drawing = chart([series(*values), series(*values[::-1])], 60, 10, log)
    if log and not any(0 < value < math.inf for value in values):
        assert drawing is None
        return
    assert drawing is not None
    assert drawing.splitlines()[0] == "⠒⠒ curve   xx curve"
    assert len(drawing.splitlines()) == 11
    assert max(map(len, drawing.splitlines())) <= 60


def test_a_chart_without_a_point_is_none():
    assert chart([series(math.nan, math.inf)], 60, 10) is None
    assert chart([series(0.0, -1.0)], 60, 10, log=True) is None


def test_a_peak_of_one_step_is_not_lost_in_a_long_curve():
    flat = [0.0] * 20_000
    flat[9_999] = 10.0
    top = chart([series(*flat)], 80, 12).splitlines()[1]  # below the frame
    assert any("\u2800" < c <= "\u28ff" for c in top)


@given(
    st.floats(-1e9, 1e9, allow_nan=False),
    st.floats(1e-3, 1e9, allow_nan=False),
    st.integers(2, 9),
)
def test_ticks_are_round_and_within_the_limits(low, span, about):
    ticks = round_ticks(low, low + span, about)
    assert 1 <= len(ticks) <= about + 2
    assert all(low - span * 1e-6 <= tick <= low + span * (1 + 1e-6) for tick in ticks)


@pytest.mark.parametrize(("x", "log"), [((0.01, 1.0, 100.0), True), ((0.0, 1.0, 2.0), False), ((7.0,), False)])
def test_a_chart_along_a_variable_has_its_name_and_its_ends(x, log):
    drawing = chart([Series("error", np.array(x), np.arange(len(x)) + 1.0)], 60, 10, False, "λ", log)
    assert drawing.splitlines()[-1].strip() == "λ →"
    ticks = drawing.splitlines()[-2].split()
    assert all(f"{end:g}" in ticks for end in x)
