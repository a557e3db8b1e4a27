"""Two states, field by field: what agrees, and by how much the rest does not."""

import math

import numpy as np
import pytest
from msgspec import Struct

from algorithms.core import Array, State
from algorithms.playback.comparison.field_differences import field_differences, index_words


class Node(Struct, frozen=True, eq=False):
    """A node of a tree."""

    threshold: float
    counts: Array
    children: tuple["Node", ...] = ()


class Nested(State, frozen=True, kw_only=True):
    """A state of all kinds of fields."""

    w: Array
    turn: float = 0.0
    tree: Node | None = None
    rows: tuple[Array, ...] = ()
    name: str = "a"
    done: bool = False


def node(threshold: float, *children: Node, at: float = 1.0) -> Node:
    return Node(threshold, np.array([at, 2.0]), children)


FIRST = Nested(w=np.array([[1.0, -2.0], [1e-6, 4.0]]), tree=node(1.0, node(2.0)), rows=(np.arange(3), np.arange(2)))


def _with(**changes: object) -> Nested:
    fields = {"w": FIRST.w, "tree": FIRST.tree, "rows": FIRST.rows} | changes
    return Nested(**fields)  # type: ignore[arg-type]


def test_what_is_equal_agrees_and_has_no_greatest_difference() -> None:
    rows = field_differences(FIRST, _with())
    assert [row.name for row in rows] == ["phase", "iteration", "w", "turn", "tree", "rows", "name", "done"]
    assert all(row.agrees for row in rows)
    assert all(row.absolute is row.relative is None for row in rows)
    assert [row.entries for row in rows] == [1, 1, 4, 1, 6, 5, 1, 1]


def test_the_greatest_difference_and_the_greatest_relative_one_are_at_entries_of_their_own() -> None:
    row = {r.name: r for r in field_differences(FIRST, _with(w=np.array([[1.5, -2.0], [2e-6, 7.0]])))}["w"]
    assert (row.differing, row.entries) == (3, 4)
    assert row.absolute is not None
    assert row.relative is not None
    assert (row.absolute.index, row.absolute.values, row.absolute.by) == ((1, 1), (4.0, 7.0), 3.0)
    assert (row.relative.index, row.relative.values, row.relative.by) == ((1, 0), (1e-6, 2e-6), 0.5)


def test_rounding_is_no_difference_though_its_size_is_known() -> None:
    row = {r.name: r for r in field_differences(FIRST, _with(w=FIRST.w * (1 + 1e-15)))}["w"]
    assert row.agrees
    assert row.absolute is not None
    assert 0 < row.absolute.by < 1e-14


def test_lengths_and_shapes_that_differ_are_said() -> None:
    row = {r.name: r for r in field_differences(FIRST, _with(w=np.zeros((3, 2)), rows=(np.arange(3),)))}
    assert row["w"].shapes == "2 x 2 and 3 x 2 numbers"
    assert row["rows"].shapes == "2 and 1 part"
    assert not row["rows"].agrees
    assert row["rows"].entries == 3, "what both have is still held against each other"


def test_nested_structures_are_held_against_each_other_down_to_their_entries() -> None:
    other = _with(tree=node(1.0, node(2.0, at=9.0)), rows=(np.array([0, 1, 5]), np.arange(2)), name="b", done=True)
    row = {r.name: r for r in field_differences(FIRST, other)}
    assert row["tree"].absolute is not None
    assert index_words(row["tree"].absolute.index) == ".children[0].counts[0]"
    assert row["tree"].absolute.values == (1.0, 9.0)
    assert row["rows"].relative is not None
    assert index_words(row["rows"].relative.index) == "[0,2]"
    assert row["name"].absolute is not None
    assert row["name"].absolute.values == ("a", "b")
    assert row["done"].differing == 1
    deeper = {r.name: r for r in field_differences(FIRST, _with(tree=node(1.0)))}["tree"]
    assert deeper.shapes == ".children: 1 and 0 parts"
    none = {r.name: r for r in field_differences(FIRST, _with(tree=None))}["tree"]
    assert none.values == ("Node", "none")
    assert none.differing == 1


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_number_is_infinitely_far_from_what_is_none(value: float) -> None:
    row = {r.name: r for r in field_differences(FIRST, _with(turn=value))}["turn"]
    assert row.absolute is not None
    assert row.absolute.by == math.inf
    assert row.single
    again = _with(turn=value)
    assert all(r.agrees for r in field_differences(again, again))


class Other(State, frozen=True, kw_only=True):
    """Another algorithm's."""

    w: Array
    margin: float = 0.0


def test_a_field_that_only_one_run_has_is_told() -> None:
    rows = {row.name: row for row in field_differences(FIRST, Other(w=FIRST.w))}
    assert rows["w"].agrees
    assert rows["margin"].values == ("", "0")
    assert rows["margin"].missing
    assert rows["tree"].values == ("Node", "")
