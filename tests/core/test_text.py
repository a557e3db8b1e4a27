"""Words for numbers."""

import pytest

from algorithms.core.text import change, ordinal


@pytest.mark.parametrize(
    ("number", "word"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st")]
    + [(32, "32nd"), (112, "112th"), (1_024, "1,024th"), (1_013, "1,013th"), (4_096, "4,096th"), (102, "102nd")],
)
def test_an_ordinal_has_its_ending(number: int, word: str) -> None:
    assert ordinal(number) == word


def test_a_change_that_would_read_as_none_is_said_by_how_much():
    assert change(0.0, 0.1) == "from 0 to 0.1"
    assert change(0.679, 0.679003) == "by 3e-06 to 0.679"
    assert change(-1e-30, -2e-30) == "from -1e-30 to -2e-30"
