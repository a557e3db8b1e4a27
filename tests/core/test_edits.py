"""Edits of a Dataset: what they make of it, and what cannot be made."""

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from algorithms import Add, Dataset, Label, Move, Refused, Remove, edited
from algorithms.core import Edit
from algorithms.core.edits import followed
from tests.examples import examples

DATA = Dataset(np.arange(8.0).reshape(4, 2), ["no", "yes", "no", "yes"], features=("a", "b"), target="t", name="four")
NUMBERS = Dataset(np.arange(4.0), np.array([0.5, 1.5, 2.5, 3.5]), kind="number", target="t", name="numbers")
BARE = Dataset(np.arange(8.0).reshape(4, 2), name="bare")

number = st.floats(-1e6, 1e6)
place = st.tuples(number, number)
kinds = st.lists(
    st.tuples(st.sampled_from(["add", "move", "remove", "label"]), st.integers(0, 30), place, st.integers(0, 1)),
    max_size=25,
)


@settings(max_examples=examples(200), deadline=None)
@given(kinds)
def test_edits_do_what_the_same_done_to_lists_does(todo: list[tuple[str, int, tuple[float, float], int]]) -> None:
    places, labels, rows = DATA.X.tolist(), list(map(int, np.asarray(DATA.y))), [0, 1, 2, 3]
    edits: list[Edit] = []
    for kind, which, at, y in todo:
        row = which % len(rows)
        if kind == "add":
            edits.append(Add(at, y))
            places.append(list(at))
            labels.append(y)
            rows.append(-1)
        elif kind == "move":
            edits.append(Move(row, at))
            places[row] = list(at)
        elif kind == "label":
            edits.append(Label(row, y))
            labels[row] = y
        elif len(rows) > 2:
            edits.append(Remove(row))
            del places[row], labels[row], rows[row]
    if len(set(labels)) < 2:
        with pytest.raises(Refused, match="would be left"):
            edited(DATA, edits)
        return
    made = edited(DATA, edits)
    assert made.X.tolist() == places
    assert np.asarray(made.y).tolist() == labels
    assert (made.features, made.classes, made.target, made.name) == (("a", "b"), ("no", "yes"), "t", "four")
    found = followed(DATA, made)
    assert found is not None
    assert found.tolist() == rows
    # One by one, each on the data that the one before it made, they come to the same.
    by_steps = DATA
    try:
        for edit in edits:
            by_steps = edited(by_steps, [edit])
    except Refused:
        return
    assert by_steps.X.tobytes() == made.X.tobytes()
    assert np.array_equal(followed(DATA, by_steps), rows)  # type: ignore[arg-type]


@given(st.lists(st.tuples(place, number), max_size=5))
def test_edits_survive_json_bit_for_bit(values: list[tuple[tuple[float, float], float]]) -> None:
    edits: list[Edit] = [edit for at, y in values for edit in (Add(at, y), Move(1, at), Remove(2), Label(3, y))]
    assert msgspec.json.decode(msgspec.json.encode(edits), type=list[Edit]) == edits


def test_no_edit_leaves_the_data_themselves() -> None:
    assert edited(DATA, []) is DATA
    assert DATA.origin is None


def test_the_data_before_stay_as_they_were() -> None:
    before = DATA.X.copy()
    made = edited(DATA, [Move(0, (9.0, 9.0)), Label(0, 1)])
    assert np.array_equal(DATA.X, before)
    assert made.origin is not None
    assert made.origin.parent is DATA
    assert not made.X.flags.writeable


def test_what_was_known_of_the_data_is_kept() -> None:
    scaled = Dataset(
        DATA.X,
        DATA.y,
        classes=DATA.classes,
        centre=[1.0, 2.0],
        spread=[3.0, 4.0],
        truth={"p": 0.5},
        notices=("a notice",),
        held_out=DATA,
    )
    made = edited(scaled, [Remove(1)])
    assert (made.scaled, made.truth, made.notices, made.held_out) == (True, {"p": 0.5}, ("a notice",), DATA)
    assert made.original(made.X).tolist() == scaled.original(scaled.X)[[0, 2, 3]].tolist()


@pytest.mark.parametrize(
    ("data", "edits", "words"),
    [
        (DATA, [Remove(4)], "there is no row 4: they go from 0 to 3"),
        (DATA, [Move(-1, (0.0, 0.0))], "there is no row -1"),
        (DATA, [Move(0, (0.0,))], "a row of four is 2 finite numbers"),
        (DATA, [Add((0.0, np.nan), 1)], "a row of four is 2 finite numbers"),
        (DATA, [Add((0.0, 0.0))], r"needs the code of its class \(0 no, 1 yes\), not None"),
        (DATA, [Label(0, 2)], "needs the code of its class"),
        (DATA, [Label(0, 0.5)], "needs the code of its class"),
        (DATA, [Remove(0), Remove(1)], "no row of no would be left"),
        (DATA, [Remove(0), Label(1, 1)], "no row of no would be left"),
        (DATA, [Remove(0)] * 4, "no row would be left"),
        (DATA, [Remove(0)] * 5, "there is no row 0: none is left"),
        (NUMBERS, [Add((1.0,))], "needs a finite number as its t"),
        (NUMBERS, [Label(0, np.inf)], "needs a finite number as its t"),
        (BARE, [Label(0, 1)], "bare has no target"),
        (BARE, [Add((1.0, 2.0), 1)], "bare has no target"),
    ],
)
def test_what_cannot_be_edited_is_refused_in_words(data: Dataset, edits: list[Any], words: str) -> None:
    with pytest.raises(Refused, match=words):
        edited(data, edits)


def test_rows_of_unrelated_data_are_taken_one_for_one() -> None:
    other = Dataset(DATA.X + 1)
    found = followed(DATA, other)
    assert found is not None
    assert found.tolist() == [0, 1, 2, 3]
    assert followed(DATA, Dataset(DATA.X[:3])) is None
    made = edited(edited(DATA, [Remove(0)]), [Add((0.0, 0.0), 0), Remove(1)])
    found = followed(DATA, made)
    assert found is not None
    assert found.tolist() == [1, 3, -1]
