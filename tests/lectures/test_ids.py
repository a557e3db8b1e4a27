"""Each statement of the lectures has an id of its own, and none is missing."""

from collections import Counter

import pytest

from algorithms.lectures import LECTURES, statements

COUNTS = {"M": 166, "A": 71, "B": 16, "C": 32, "D": 31}  # statements of each lecture, in the order of LECTURES
ALL_STAND = True  # set to True, for good, with the last of the statements
EXPECTED = {f"{letter}{number}": lecture for (letter, count), lecture in zip(COUNTS.items(), LECTURES, strict=True)
            for number in range(1, count + 1)}  # fmt: skip


def test_an_id_names_one_statement_of_its_lecture() -> None:
    twice = [id for id, times in Counter(one.id for one in statements()).items() if times > 1]
    assert twice == []
    assert [one.id for one in statements() if EXPECTED.get(one.id) != one.lecture] == []


@pytest.mark.skipif(not ALL_STAND, reason="the statements are still being written")
def test_no_statement_of_the_lectures_is_missing() -> None:
    assert len(EXPECTED) == 316
    assert set(EXPECTED) - {one.id for one in statements()} == set()
