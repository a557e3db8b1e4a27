"""Data that is hard on numbers: a row alone, rows all equal, a class without rows, the largest and smallest sizes.

Each case is a function of nothing, seeded, that says what is in it; `dataset` makes of it what an algorithm asks for.
"""

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from algorithms import Dataset
from algorithms.core import Array, Needs

MANY_SIZES = (1e-300, 1e-160, 1e-90, 1e-60, 1e-20, 1e-8, 1e8, 1e20, 1e60, 1e90, 1e140, 1e160, 1e300)


class Rows(Struct, frozen=True, eq=False):
    """What a case holds.

    Attributes:
        X: (n, d).
        codes: (n,) class codes, 0 and 1.
        numbers: (n,) targets.
        classes: the classes by name, where fewer may be in the rows than there are.
        held_out: how many of the last rows are held out.
    """

    X: Array
    codes: Array
    numbers: Array
    classes: tuple[str, ...] = ()
    held_out: int = 0


def usual(n: int = 12, d: int = 2, seed: int = 0) -> Rows:
    """Two clouds that overlap, and targets that follow the features but for noise."""
    rng = np.random.default_rng((seed, n, d))
    codes = np.arange(n) % 2
    X = rng.standard_normal((n, d)) + codes[:, None]
    return Rows(X, codes, X @ rng.standard_normal(d) + 0.1 * rng.standard_normal(n))


def with_X(X: Array, of: Rows) -> Rows:
    return Rows(X, of.codes, of.numbers, of.classes, of.held_out)


def one_row() -> Rows:
    return usual(n=1)


def two_rows() -> Rows:
    return usual(n=2)


def two_rows_of_one_feature() -> Rows:
    return usual(n=2, d=1)


def two_equal_rows() -> Rows:
    return with_X(np.ones((2, 2)), usual(n=2))


def all_rows_equal() -> Rows:
    return with_X(np.tile([0.1, -0.3], (12, 1)), usual())


def all_zero() -> Rows:
    return with_X(np.zeros((12, 2)), usual())


def a_constant_column() -> Rows:
    rows = usual(d=3)
    X = rows.X.copy()
    X[:, 1] = 0.1
    return with_X(X, rows)


def duplicate_columns() -> Rows:
    rows = usual()
    return with_X(np.column_stack([rows.X, rows.X, 3 * rows.X[:, :1]]), rows)


def more_features_than_rows() -> Rows:
    return usual(n=5, d=14)


def a_row_twice_in_two_classes() -> Rows:
    rows = usual()
    X = rows.X.copy()
    X[1], X[3] = X[0], X[0]
    return with_X(X, rows)


def one_class() -> Rows:
    rows = usual()
    return Rows(rows.X, np.zeros(12, np.int64), rows.numbers)


def one_class_of_two_named() -> Rows:
    rows = usual()
    return Rows(rows.X, np.zeros(12, np.int64), rows.numbers, ("a", "b"))


def the_other_class_of_two_named() -> Rows:
    rows = usual()
    return Rows(rows.X, np.ones(12, np.int64), rows.numbers, ("a", "b"))


def a_class_with_one_row() -> Rows:
    rows = usual()
    return Rows(rows.X, (np.arange(12) == 7).astype(np.int64), rows.numbers)


def targets_all_equal() -> Rows:
    rows = usual()
    return Rows(rows.X, rows.codes, np.full(12, 0.3))


def targets_all_zero() -> Rows:
    rows = usual()
    return Rows(rows.X, rows.codes, np.zeros(12))


def one_row_held_out() -> Rows:
    rows = usual()
    return Rows(rows.X, rows.codes, rows.numbers, ("a", "b"), 1)


def a_row_far_out_held_out() -> Rows:
    rows = one_row_held_out()
    X = rows.X.copy()
    X[-1] = [1e140, -1e140]
    return with_X(X, rows)


def one_feature_all_equal() -> Rows:
    return with_X(np.full((12, 1), 0.1), usual(d=1))


def one_feature_and_a_row_far_out() -> Rows:
    rows = usual(d=1)
    X = rows.X.copy()
    X[5] = 1e15
    return with_X(X, rows)


def one_feature_far_from_the_origin() -> Rows:
    rows = usual(d=1)
    return Rows(np.round(rows.X * 4) + 1e15, rows.codes, rows.numbers + 1e15)


def far_from_the_origin() -> Rows:
    rows = usual()
    return Rows(rows.X + 1e9, rows.codes, rows.numbers + 1e9)


def on_a_line_far_out() -> Rows:
    return with_X(np.arange(12.0)[:, None] * [1.0, 1e-9] + [1e7, 0.0], usual())


def a_row_far_out() -> Rows:
    rows = usual()
    X = rows.X.copy()
    X[5] *= 1e12
    return with_X(X, rows)


def a_target_far_out() -> Rows:
    rows = usual()
    numbers = rows.numbers.copy()
    numbers[5] = -1e12
    return Rows(rows.X, rows.codes, numbers)


def columns_of_all_sizes() -> Rows:
    rows = usual(d=len(MANY_SIZES))
    return with_X(rows.X * np.array(MANY_SIZES), rows)


def rows_of_all_sizes() -> Rows:
    rows = usual(n=len(MANY_SIZES))
    return with_X(rows.X * np.array(MANY_SIZES)[:, None], rows)


def columns_from_small_to_ordinary() -> Rows:
    rows = usual(d=5)
    return with_X(rows.X * [1e-300, 1e-160, 1e-90, 1e-8, 1.0], rows)


def columns_from_ordinary_to_large() -> Rows:
    rows = usual(d=4)
    return with_X(rows.X * [1.0, 1e8, 1e60, 1e90], rows)


def columns_of_sizes_that_multiply() -> Rows:
    rows = usual(d=4)
    return with_X(rows.X * [1e-25, 1e-9, 1e9, 1e25], rows)


def the_largest_numbers() -> Rows:
    rows = usual()
    most = float(np.finfo(float).max)
    return Rows(np.where(rows.X > 0, most, -most), rows.codes, np.where(rows.numbers > 0, most, -most))


def the_smallest_numbers() -> Rows:
    rows = usual()
    return Rows(np.where(rows.X > 0, 5e-324, -5e-324), rows.codes, np.where(rows.numbers > 0, 5e-324, -5e-324))


def sized(size: float) -> Callable[[], Rows]:
    """Ordinary rows measured in other units."""

    def rows() -> Rows:
        given = usual()
        return Rows(given.X * size, given.codes, given.numbers * size)

    rows.__name__ = f"of_size_{size:g}"
    return rows


CASES: dict[str, Callable[[], Rows]] = {
    case.__name__: case
    for case in (
        one_row,
        two_rows,
        two_rows_of_one_feature,
        two_equal_rows,
        all_rows_equal,
        all_zero,
        a_constant_column,
        duplicate_columns,
        more_features_than_rows,
        a_row_twice_in_two_classes,
        one_class,
        one_class_of_two_named,
        the_other_class_of_two_named,
        a_class_with_one_row,
        targets_all_equal,
        targets_all_zero,
        one_row_held_out,
        a_row_far_out_held_out,
        one_feature_all_equal,
        one_feature_and_a_row_far_out,
        one_feature_far_from_the_origin,
        far_from_the_origin,
        on_a_line_far_out,
        a_row_far_out,
        a_target_far_out,
        columns_of_all_sizes,
        rows_of_all_sizes,
        columns_of_sizes_that_multiply,
        columns_from_small_to_ordinary,
        columns_from_ordinary_to_large,
        the_largest_numbers,
        the_smallest_numbers,
        *map(sized, MANY_SIZES),
    )
}


def dataset(rows: Rows, needs: Needs) -> Dataset:
    """The rows with the target that an algorithm learns from, none where it learns from none.

    Raises:
        Refused: where there can be no such data.
    """
    if not needs.data:
        return Dataset.none
    y = {"class": rows.codes, "number": rows.numbers, "either": rows.numbers, "none": None}[needs.target]
    training = len(rows.X) - rows.held_out
    aside = None
    if rows.held_out:
        aside = _made(rows, rows.X[training:], None if y is None else y[training:], needs, None)
    return _made(rows, rows.X[:training], None if y is None else y[:training], needs, aside)


def _made(rows: Rows, X: Array, y: Array | None, needs: Needs, aside: Dataset | None) -> Dataset:
    kind = None if y is None else "class" if needs.target == "class" else "number"
    classes = rows.classes if kind == "class" else ()
    return Dataset(X, y, name="hard", kind=kind, classes=classes, held_out=aside)


def distinct(needs: Needs) -> list[str]:
    """The cases that differ in what such an algorithm is given: targets, say, are nothing to one that needs none."""
    given: dict[object, str] = {}
    for name, case in CASES.items():
        rows = case()
        numbers = rows.numbers
        y = {"class": rows.codes, "number": numbers, "either": numbers, "none": rows.codes[:0]}[needs.target]
        classes = rows.classes if needs.target == "class" else ()
        given.setdefault((rows.X.shape, rows.X.tobytes(), y.tobytes(), classes, rows.held_out), name)
    return list(given.values())
