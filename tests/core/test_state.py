"""States: complete, owned, read-only, and equal bit for bit or not."""

import math
import pickle
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from msgspec import Struct

from algorithms.core import Array, Row, State
from algorithms.core.state import _array_fields, same, size_of

Words = tuple[str, ...]


class Part(Struct, frozen=True):
    feature: int
    weights: Array


class Whole(State, frozen=True, kw_only=True):
    w: Array
    maybe: Array | None = None
    parts: tuple[Array, ...] = ()
    nested: tuple[tuple[Array, float], ...] = ()
    words: Words = ()
    way: Literal["up", "down"] = "up"
    count: int = 0
    rate: float = 0.0


def test_after_counts_and_names_and_shares() -> None:
    first = Whole(w=np.zeros(2))
    second = first.after("step", count=1)
    assert (second.t, second.phase, second.count) == (1, "step", 1)
    assert second.w is first.w
    assert (first.t, first.phase, first.count) == (0, "start", 0)
    assert second.after("step", iteration=4).iteration == 4


@pytest.mark.parametrize("field", ["w", "maybe", "parts", "nested"])
def test_what_comes_in_is_owned_and_read_only(field: str) -> None:
    def into(array: Array) -> Any:
        value: Any = {"parts": (array,), "nested": ((array, 1.0),)}.get(field, array)
        return Whole(**{"w": np.zeros(1)} | {field: value})

    def out(state: Whole) -> Array:
        value: Any = getattr(state, field)
        while isinstance(value, tuple):
            value = value[0]
        array: Array = value
        return array

    mine = np.full((3, 4), 2.0)
    assert out(into(mine)) is mine
    with pytest.raises(ValueError, match="read-only"):
        mine[0, 0] = 7

    base = np.arange(12.0).reshape(3, 4)
    for view in (base[1:], base[:, ::2], base.T):
        held = out(into(view))
        assert held.base is None
        assert held.flags.c_contiguous
        assert not held.flags.writeable
        assert np.array_equal(held, view)
    assert base.flags.writeable

    later = out(into(np.ones(3)).after("step", **{field: getattr(into(np.ones(4)), field)}))
    assert not later.flags.writeable
    again = pickle.loads(pickle.dumps(into(np.arange(6.0).reshape(2, 3))))
    assert not out(again).flags.writeable
    assert out(again).base is None


def test_same_is_bit_for_bit() -> None:
    def state(**fields: Any) -> Whole:
        return Whole(**{"w": np.array([1.0, math.nan])} | fields)

    assert same(state(), state())
    assert same(state(rate=math.nan), state(rate=math.nan))
    assert same(state(parts=(np.ones(2),)), state(parts=(np.ones(2),)))
    different: list[dict[str, Any]] = [
        {"w": np.array([1.0, 2.0])},
        {"w": np.array([1, 2])},
        {"w": np.array([[1.0, math.nan]])},
        {"rate": -0.0},
        {"parts": (np.ones(2),)},
        {"count": 1},
        {"phase": "step"},
    ]
    for fields in different:
        assert not same(state(), state(**fields))
    assert not same(np.array([0.0]), np.array([-0.0]))
    assert same(Part(1, np.ones(2)), Part(1, np.ones(2)))
    assert not same(Part(1, np.ones(2)), Part(1, np.zeros(2)))
    assert not same(1, 1.0)


def test_size_counts_what_is_not_shared() -> None:
    big = Whole(w=np.zeros(1000), parts=(np.zeros(500), np.zeros(500)))
    assert 16_000 < size_of(big) < 17_000
    assert size_of(big.after("step", count=2), big) < 300
    assert 4000 < size_of(big.after("step", parts=(*big.parts, np.zeros(500))), big) < 5000
    assert size_of(Whole(w=np.zeros(1), nested=((np.zeros(1000), 0.5),))) > 8000


def test_a_field_that_names_a_row_is_no_array_to_look_after() -> None:
    class Visit(State, frozen=True, kw_only=True):
        row: Annotated[int, Row] = -1
        rows: Annotated[Array, Row] = np.zeros(0, int)

    assert _array_fields[Visit] == ("rows",)
