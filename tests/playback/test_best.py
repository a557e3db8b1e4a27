"""Which of several values is the best, where the name of the number tells."""

import math

import pytest

from algorithms import find, names
from algorithms.playback.comparison.best import best


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("objective", 1.0),
        ("held-out error", 1.0),
        ("training log loss", 1.0),
        ("duality gap", 1.0),
        ("log-likelihood", 3.0),
        ("log evidence", 3.0),
        ("dual", 3.0),
        ("margin of w", 3.0),
        ("captured share", 3.0),
        ("on the margin", None),
        ("rows moved", None),
        ("‖w‖", None),
        ("bound on the error of the dual", None),
    ],
)
def test_the_name_tells_what_is_best(name: str, least: float | None) -> None:
    assert best(name, [2.0, 1.0, None, math.nan, 3.0]) == least


def test_of_no_value_none_is_best() -> None:
    assert best("error", [None, math.nan]) is None


def test_most_algorithms_have_a_curve_of_which_it_is_known() -> None:
    known = [name for name in names() if any(best(c.name, [1.0, 2.0]) is not None for c in find(name).curves)]
    assert len(known) > 0.8 * len(names())
