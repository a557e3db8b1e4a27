"""What a mark must satisfy: each thing that it may not be is caught by name."""

from typing import Any

import numpy as np
import pytest

from algorithms.conformance.scenes import check_panel
from algorithms.core import (
    Array,
    Band,
    Contours,
    Cursor,
    ErrorBars,
    Matrix,
    Panel,
    Path,
    Paths,
    Points,
    Region,
)
from algorithms.core.resolve import History
from algorithms.core.scene import Mark
from algorithms.data import faithful

DATA = faithful.with_(scale=True).load()
LINE = np.array([0.0, 1.0, 2.0])
PATHS = np.zeros((2, 3, 2))


def one_at_a_time(at: Array) -> Array:
    """A height written for a single place."""
    return np.array([at[0] @ at[0]])


def beside_others(at: Array) -> Array:
    """A height that depends on which other places are asked for."""
    return np.asarray(at[:, 0] - at[:, 0].mean())


def panel_of(mark: Mark, **more: Any) -> Panel:
    data = isinstance(mark, (Region, Points))
    return Panel(title="p", marks=(mark,), space="data" if data else "own", **more)


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        (Contours(height=one_at_a_time, name="f"), r"Contours.height of \(5, 2\) places is \(1,\)"),
        (Contours(height=lambda at: at, name="f"), r"Contours.height of \(5, 2\) places is \(5, 2\)"),
        (Contours(height=beside_others, name="f"), "says something else of a place beside others"),
        (Region(score=beside_others), "says something else of a place beside others"),
        (Region(terms=(("a", one_at_a_time),)), "a score of Region.terms"),
        (Region(), "either a score or terms"),
        (Region(score=lambda at: at[:, 0], terms=(("a", lambda at: at[:, 0]),)), "either a score or terms"),
        (Points(at=DATA.X, classes=np.arange(DATA.n) % 3, names=("a", "b")), "2 names for 3 kinds"),
        (Points(at=DATA.X, says=lambda row: f"{row}: nan" if row else "fine"), "Points.says of row"),
        (Points(at=DATA.X, says=lambda row: "long " * 40), "has 200 letters"),
        (Points(at=DATA.X, says=lambda row: ""), "Points.says of row 0 is ''"),
        (Points(at=DATA.X[:2], rows=False, says=str), "speaks of rows of the data, and these are none"),
        (Paths(name="m", at=PATHS[0]), r"Paths.at is"),
        (Paths(name="m", at=PATHS + np.inf), "Paths.at is infinite"),
        (Paths(name="m", at=PATHS, strength=np.ones(3)), r"Paths.strength is \(3,\) for 2 paths"),
        (Paths(name="m", at=PATHS, strength=np.array([0.0, 2.0])), r"not in \[0, 1\]"),
        (Paths(name="m", at=PATHS, tones=(0, 1, 2)), "3 tones for 2 paths"),
        (Band(name="m", x=LINE[::-1], lower=LINE, upper=LINE), "Band.x does not rise"),
        (Band(name="m", x=LINE, lower=LINE + 1, upper=LINE), "lower end lies above its upper"),
        (Band(name="m", x=LINE, lower=LINE, upper=LINE * np.nan), "a Band is not finite"),
        (ErrorBars(name="m", at=PATHS[0], lower=LINE + 1, upper=LINE), "lower end lies above its upper"),
        (Cursor(x=np.inf), "a Cursor is at inf"),
        (Matrix(values=np.eye(3), shape=(2, 3)), "has 3 x 3"),
        (Matrix(values=np.eye(3), scale=(1.0, 1.0)), "Matrix.scale"),
        (Matrix(values=np.eye(3), marked=((3, 0),)), r"entry \(3, 0\)"),
        (Matrix(values=np.full((3, 3), np.inf)), "not a finite table"),
    ],
)
def test_what_a_mark_may_not_be_is_caught(mark: Mark, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_panel(panel_of(mark), DATA, History())


@pytest.mark.parametrize("upper", [LINE[:2], LINE[:0]])
def test_ends_that_are_not_as_many_as_places_are_refused_in_words(upper: Array) -> None:
    for mark in (
        ErrorBars(name="m", at=PATHS[0], lower=LINE, upper=upper),
        Band(name="m", x=LINE, lower=LINE, upper=upper),
    ):
        with pytest.raises(ValueError, match=f"3 places, 3 lower and {len(upper)} upper ends"):
            check_panel(panel_of(mark), DATA, History())


def test_only_a_space_of_its_own_has_logarithmic_axes_and_limits_above_0() -> None:
    rows = Points(at=DATA.X)
    with pytest.raises(AssertionError, match="only a panel of its own space"):
        check_panel(Panel(title="p", space="data", marks=(rows,), log="x"), DATA, History())
    path = Path(at=np.ones((2, 2)))
    with pytest.raises(ValueError, match="cannot show 0 or less"):
        check_panel(Panel(title="p", marks=(path,), log="y", limits=((0.0, 1.0), (0.0, 1.0))), DATA, History())


@pytest.mark.parametrize(
    "mark",
    [
        Contours(height=lambda at: at[:, 0], name="f"),
        Region(terms=(("a", lambda at: at[:, 0]), ("b", lambda at: at[:, 1]))),
        Points(at=DATA.X, classes=np.arange(DATA.n) % 3, names=("a", "b", "c")),
        Paths(at=PATHS, strength=np.ones(2), name="fits"),
        Band(name="m", x=LINE, lower=LINE, upper=LINE + 1),
        ErrorBars(name="m", at=PATHS[0], lower=LINE - 3, upper=LINE),
        Matrix(values=np.eye(2), scale=(0.0, 1.0), shape=(3, 3), marked=((1, 1),)),
    ],
)
def test_what_it_may_be_is_not(mark: Mark) -> None:
    check_panel(panel_of(mark), DATA, History())
