"""Charts of curves: drawn where there is room, and nothing where there is none."""

import numpy as np
import pytest

from tui.paint.charts import Line, drawn, steps_up_to
from tui.paint.palette import DARK

LONG = Line(np.arange(500.0), np.linspace(3.0, 1.0, 500), 0xFFFFFF)


@pytest.mark.parametrize(("columns", "rows"), [(0, 0), (0, 20), (1, 20), (15, 20), (80, 3)])
def test_without_room_there_is_no_chart(columns: int, rows: int) -> None:
    assert drawn([LONG], columns, rows, steps_up_to(500), False, DARK) is None


def test_with_room_the_curve_falls_from_left_to_right() -> None:
    chart = drawn([LONG], 60, 12, steps_up_to(500), False, DARK)
    assert chart is not None
    rows, columns = np.nonzero((chart.glyphs >= 0x2801) & (chart.glyphs <= 0x28FF))
    assert rows[columns.argmin()] < rows[columns.argmax()]
    assert chart.step(chart.column(250)) == pytest.approx(250, abs=10)
