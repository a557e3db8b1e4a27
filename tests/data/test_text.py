"""Words for numbers."""

import pytest

from algorithms.data.text import ordinal


@pytest.mark.parametrize(
    ("number", "word"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st")]
    + [(32, "32nd"), (112, "112th"), (1_024, "1,024th"), (1_013, "1,013th"), (4_096, "4,096th"), (102, "102nd")],
)
def test_an_ordinal_has_its_ending(number: int, word: str) -> None:
    assert ordinal(number) == word
