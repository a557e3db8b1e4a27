"""Digests of states: the same for the same values on any machine, another for any other, and what is said of it."""

import math
import struct
from hashlib import blake2b
from typing import Any

import numpy as np
import pytest

from algorithms import Timeline
from algorithms.core import Array, State
from algorithms.timeline import digests
from algorithms.timeline.digests import NUMBERS, Digester, FieldDigest
from tests.saving.forest import FOREST, Rows


class Held(State, frozen=True, kw_only=True):
    means: Array
    labels: Array
    loss: float = 0.0
    nodes: tuple[Any, ...] = ()


def held(**changes: Any) -> Held:
    given = {"means": np.array([[1.0, 2.0], [3.0, 4.0]]), "labels": np.array([0, 1, 1]), "loss": 0.5} | changes
    return Held(**given)


def digests_of(state: State, version: int = 2) -> dict[str, FieldDigest]:
    return Digester(version).of(state)


def difference(saved: dict[str, FieldDigest], state: State) -> str:
    differs = Digester().difference(saved, state)
    return differs.words if differs else ""


def rounding(saved: State, state: State, elsewhere: bool = False) -> bool:
    differs = Digester().difference(digests_of(saved), state, elsewhere)
    assert differs is not None
    return differs.rounding


def digest(value: Any) -> str:
    return digests_of(held(nodes=(value,)))["nodes"].digest


def test_a_digest_is_of_the_type_the_shape_and_the_bytes_low_byte_first() -> None:
    """Spelled out, so that a file saved elsewhere or long ago is held against the same."""
    found = {name: one.digest for name, one in digests_of(held()).items()}

    def hashed(content: bytes) -> str:
        return blake2b(content, digest_size=8).hexdigest()

    assert found["means"] == hashed(b"array float64 (2, 2);" + struct.pack("<4d", 1, 2, 3, 4))
    assert found["labels"] == hashed(b"array int (3,);" + struct.pack("<3q", 0, 1, 1))
    assert found["loss"] == hashed(b"float" + struct.pack("<d", 0.5))
    assert found["phase"] == hashed(b"str 5;start")


def test_a_tuple_is_digested_by_the_digests_of_its_parts_and_in_files_of_before_with_all_that_is_in_it() -> None:
    def hashed(content: bytes, size: int = 8) -> bytes:
        return blake2b(content, digest_size=size).digest()

    pair, array = (1, 2.0), np.array([0.5])
    plain = (b"tuple 2;int 1;1float" + struct.pack("<d", 2.0), b"array float64 (1,);" + struct.pack("<d", 0.5))
    state = held(nodes=(pair, array))
    before, now = (digests_of(state, version)["nodes"].digest for version in (1, 2))
    assert before == hashed(b"tuple 2;" + plain[0] + plain[1]).hex()
    assert now == hashed(b"tuple 2;" + hashed(plain[0], 16) + hashed(plain[1], 16)).hex()


def test_what_the_state_before_had_is_not_gone_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Timeline(FOREST, Rows().load(), {"trees": 40}).run()
    hashed: list[int] = []
    bytes_of = digests._bytes_of
    monkeypatch.setattr(digests, "_bytes_of", lambda array: hashed.append(array.size) or bytes_of(array))
    digester = Digester()
    traces = [digester.trace(run.at(t).state) for t in range(len(run))]
    assert len(hashed) == 40 * 4  # the three arrays of each tree, and a place on the path
    assert traces == [Digester().trace(run.at(t).state) for t in range(len(run))]


def test_the_machines_own_word_does_not_matter() -> None:
    numbers = np.array([[1.0, -0.5], [3.25, 1e-300]])
    assert digest(numbers) == digest(numbers.astype(">f8")) == digest(np.asfortranarray(numbers))
    assert (
        digest(np.array([1, -2], np.int32)) == digest(np.array([1, -2], np.int64)) == digest(np.array([1, -2], ">i2"))
    )
    other_nan = np.frombuffer(b"\x01\0\0\0\0\0\xf8\xff", "<f8")
    assert np.isnan(other_nan[0])
    assert digest(other_nan) == digest(np.array([np.nan]))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.array([1.0, 2.0]), np.array([1.0, np.nextafter(2.0, 3.0)])),
        (np.array([0.0]), np.array([-0.0])),
        (np.array([1.0, 2.0]), np.array([[1.0], [2.0]])),
        (np.array([1.0]), np.array([1])),
        (np.array([1.0]), np.array([1.0], np.float32)),
        (np.array([True]), np.array([1])),
        (1, 1.0),
        (1, True),
        (1, "1"),
        (None, "None"),
        ((1, 2), (12,)),
        (("ab", "c"), ("a", "bc")),
        (((1,), 2), ((1, 2),)),
    ],
)
def test_what_differs_has_another_digest(a: Any, b: Any) -> None:
    assert digest(a) != digest(b)


def test_the_place_in_the_run_is_not_part_of_it() -> None:
    assert digests_of(held(t=3)) == digests_of(held(t=9))
    assert "phase" in digests_of(held())


def test_few_numbers_stand_beside_the_digest() -> None:
    found = digests_of(held(means=np.arange(1000.0)))["means"]
    assert found.shape == "float64 (1000,)"
    assert len(found.numbers) == NUMBERS
    assert found.numbers[0] == 0.0
    assert found.numbers[-1] == 999.0
    assert digests_of(held(loss=float("inf")))["loss"].numbers == ("inf",)


def test_equal_states_have_no_difference() -> None:
    assert difference(digests_of(held()), held(t=5)) == ""


def test_a_difference_names_the_field_and_by_how_much() -> None:
    saved = digests_of(held())
    rounded = held(means=np.array([[1.0, 2.0], [np.nextafter(3.0, 4.0), 4.0]]))
    words = difference(saved, rounded)
    assert words.startswith("means holds 3.0000000000000004 where 3 was saved")
    assert "rounding" in words
    words = difference(saved, held(loss=0.75))
    assert words == "loss holds 0.75 where 0.5 was saved, 3.3e-01 of it apart"
    assert difference(saved, held(loss=float("nan"))) == "loss holds nan where 0.5 was saved"
    assert difference(saved, held(labels=np.array([0, 1]))) == "labels is int (2,) and was int (3,)"


def test_a_difference_beside_the_noted_numbers_is_still_found() -> None:
    many = np.zeros(1000)
    saved = digests_of(held(means=many))
    many = many.copy()
    many[1] = 1.0
    assert difference(saved, held(means=many)) == "means differs, though not in those of its numbers that were noted"


def test_rounding_is_told_from_what_is_more() -> None:
    """As far as was noted: whole numbers and words are never rounded, and a sum that cancels has its addends' size."""
    one = held()
    assert rounding(one, held(loss=math.nextafter(0.5, 1)))
    assert not rounding(one, held(loss=0.5 + 1e-6))
    assert not rounding(one, held(labels=np.array([0, 1, 2])))
    assert not rounding(one, held(loss=math.nextafter(0.5, 1), labels=np.array([0, 1, 2])))
    assert not rounding(one, held(loss=math.nextafter(0.5, 1), phase="other"))
    assert not rounding(one, held(loss=float("nan")))
    assert rounding(held(loss=1e-16), held(loss=-3e-16))
    assert not rounding(held(loss=1e-3), held(loss=-1e-3))
    assert rounding(held(means=np.array([[1.0, 0.0]])), held(means=np.array([[1.0, -0.0]])))


def test_the_difference_that_is_more_than_rounding_is_the_one_that_is_told() -> None:
    saved = digests_of(held())
    assert "loss holds 0.75" in difference(saved, held(means=held().means * (1 + 1e-15), loss=0.75))
    assert "means holds" in difference(saved, held(means=held().means * (1 + 1e-12), loss=math.nextafter(0.5, 1)))


def test_numbers_that_were_not_noted_are_rounded_on_another_machine_only() -> None:
    many, nudged = np.arange(1.0, 1001.0), np.arange(1.0, 1001.0)
    nudged[1] = np.nextafter(2.0, 3.0)
    assert not rounding(held(means=many), held(means=nudged))
    assert rounding(held(means=many), held(means=nudged), elsewhere=True)
    few = digests_of(held())
    few["means"] = FieldDigest("0" * 16, few["means"].shape, few["means"].numbers)
    differs = Digester().difference(few, held(), elsewhere=True)
    assert differs is not None
    assert not differs.rounding  # all of its numbers are there and equal: the digest is of something else
