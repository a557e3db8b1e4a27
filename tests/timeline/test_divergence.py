"""Two runs held against each other: a planted fault is found where it was planted; what agrees is said to agree."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from algorithms import Refused, Timeline, datasets, find, load
from algorithms.timeline.changed_fields import changed_fields, formatted
from algorithms.timeline.divergence import Comparison, closest, entry_difference, started_alike
from tests.timeline.toys import DATA, ORBIT, OrbitState, declared, orbit

KMEANS = """
import numpy as np

def kmeans(X, k=3, wrong=0, late=False):
    centers = X[:k].copy()
    for i in range(1, 60):
        labels = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
        if i == wrong:
            labels[5] = (labels[5] + 1) % k
        if not late:
            yield {"centers": centers, "labels": labels}
        new = np.array([X[labels == j].mean(axis=0) for j in range(k)])
        if late:
            yield {"centers": new, "labels": labels}
        if (new == centers).all():
            return "nothing moved"
        centers = new
"""


@pytest.fixture
def students(tmp_path: Path) -> Any:
    (tmp_path / "a_students.py").write_text(KMEANS)

    def run(**parameters: Any) -> Timeline:
        return Timeline(load(str(tmp_path / "a_students.py")), datasets.load("faithful"), {"k": 3} | parameters)

    return run


def ours(students: Any) -> Timeline:
    return started_alike(students(), Timeline(find("lloyd"), datasets.load("faithful"), {"k": 3}), {"centers": "means"})


@pytest.mark.parametrize("late", [False, True])
def test_a_students_k_means_agrees_with_ours(students: Any, late: bool) -> None:
    names = ("theirs", "ours")
    done = closest(students(late=late), ours(students), match={"centers": "means", "labels": "labels"}, names=names)
    assert done.compared >= 4
    assert done.by in (("iteration", "update") if late else ("assign",))
    assert done.divergence is None or done.divergence.fields == (
        "",
        "",
    )  # one of the two may look once more that nothing moves


@pytest.mark.parametrize("wrong", [1, 2, 4])
def test_a_planted_fault_is_found(students: Any, wrong: int) -> None:
    done = closest(
        students(wrong=wrong), ours(students), match={"centers": "means", "labels": "labels"}, names=("kmeans", "lloyd")
    )
    assert done.divergence is not None
    assert done.by == "assign"
    assert done.compared == wrong - 1
    assert done.divergence.steps[0] == wrong
    assert done.divergence.fields == ("labels", "labels")
    assert done.divergence.index == (5,)
    assert done.divergence.values[0] != done.divergence.values[1]
    assert f"They differ first at step {wrong} of kmeans and" in done.divergence.sentence or wrong == 1
    assert "labels[5] is" in done.divergence.sentence


def test_the_same_run_twice_agrees_and_a_fork_differs_where_it_was_changed() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 30}).run()
    again = Timeline(ORBIT, DATA, {"laps": 30})
    assert Comparison(run, again).work() is None
    fork = run.fork(40, pull=0.5)
    done = Comparison(run, fork)
    found = done.work()
    assert found is not None
    assert found.steps == (fork.begin + 1, fork.begin + 1)
    assert found.fields == ("x", "x")
    assert found.index == (0,)
    assert found.values == (run.at(fork.begin + 1).state.x[0], fork.at(fork.begin + 1).state.x[0])
    assert done.compared == 1  # what they share is not looked at


@settings(max_examples=20, deadline=None)
@given(at=st.integers(1, 80), entry=st.integers(0, 1), by=st.sampled_from((1e-3, 1.0, math.nan)))
def test_a_difference_is_found_at_its_step_and_entry(at: int, entry: int, by: float) -> None:
    def faulty(data: Any, state: OrbitState | None = None, *, laps: int = 30) -> Any:
        for each in orbit(data, state, laps=laps):
            x = each.x.copy()
            if each.t == at:
                x[entry] += by
            yield OrbitState(t=each.t, iteration=each.iteration, phase=each.phase, x=x, row=each.row, jumps=each.jumps,
                             seen=each.seen)  # fmt: skip
        return "done"

    one = Timeline(ORBIT, DATA, {"laps": 30}, budget=3_000)
    other = Timeline(
        declared(faulty, start_only=()), DATA, {"laps": 30}
    )  # kept whole: its fault is not in what follows
    found = Comparison(one, other, match={"x": "x"}).work()
    assert found is not None
    assert found.steps == (at, at)
    assert found.index == (entry,)
    assert Comparison(one, other, match={"x": "x"}, most=at).work() is None
    if by == 1e-3:
        assert Comparison(one, other, match={"x": "x"}, tolerance=0.01).work() is None


def test_slices_come_to_the_same() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 60}, budget=3_000).run()
    other = Timeline(ORBIT, DATA, {"laps": 60, "pull": 0.899999}, budget=3_000).run()
    for by in ("step", "iteration", "lap"):
        whole = Comparison(run, other, by=by)
        whole.work()
        sliced = Comparison(run, other, by=by)
        times = 0
        while not sliced.done:
            sliced.work(0.0)
            times += 1
        assert sliced.divergence == whole.divergence
        assert sliced.divergence is not None
        assert times > 1


def test_one_that_ends_earlier_is_told() -> None:
    one, other = (Timeline(ORBIT, DATA, {"laps": laps}) for laps in (3, 5))
    found = Comparison(one, other, names=("A", "B")).work()
    assert found is not None
    assert found.sentence == "They agree as far as both go; then A ends at step 12 (3 laps), and B goes on."


def test_curves_are_compared_where_they_are_named() -> None:
    one, other = (Timeline(ORBIT, DATA, {"laps": 4}) for _ in range(2))
    assert Comparison(one, other, match={"length": "length", "jumps": "jumps"}).work() is None
    other = Timeline(ORBIT, DATA, {"laps": 4, "pull": 0.8})
    found = Comparison(one, other, match={"length": "length"}).work()
    assert found is not None
    assert found.steps == (2, 2)


def test_what_cannot_be_compared_is_refused() -> None:
    one = Timeline(ORBIT, DATA, {"laps": 4})
    other = Timeline(find("lloyd"), DATA, {"k": 2})
    with pytest.raises(Refused, match="no field has the same name in both: the first has x, seen, row, jumps; the sec"):
        Comparison(one, other).work()
    with pytest.raises(Refused, match="the second has no 'mean'; it has means, labels"):
        Comparison(one, other, match={"x": "mean"}).work()
    with pytest.raises(Refused, match="by step or iteration or drift or jump or lap or assign"):
        Comparison(one, other, by="fly")
    with pytest.raises(Refused, match="the shapes are 2 and 2 x 2"):
        started_alike(one, other, {"x": "means"})
    with pytest.raises(Refused, match="Orbit begins without a field 'y'"):
        started_alike(one, other, {"y": "means"})


@pytest.mark.parametrize(
    ("a", "b", "index"),
    [
        (1.0, 1.0 + 1e-12, None),
        (1e12, 1e12 + 1e-3, None),
        (1.0, 1.0 + 1e-6, ()),
        (math.nan, math.nan, None),
        (math.inf, math.inf, None),
        (math.inf, -math.inf, ()),
        (math.inf, 1.0, ()),
        (math.nan, 1.0, ()),
        (None, None, None),
        (None, np.ones(2), ()),
        ("a", "a", None),
        ("a", "b", ()),
        (1, 1.0, None),
        (True, 1, None),
        (np.array([1, 2], np.int8), np.array([1.0, 2.0]), None),
        (np.ones((2, 2)), np.array([[1, 1], [1, 3]]), (1, 1)),
        (np.ones(2), np.ones(3), ()),
        (np.ones(0), np.ones(0), None),
        ((np.ones(2),), (np.array([1.0, 2.0]),), (0, 1)),
        ((np.ones(2),), (), ()),
    ],
)
def test_values_differ_or_not(a: Any, b: Any, index: tuple[int, ...] | None) -> None:
    for one, other in ((a, b), (b, a)):
        found = entry_difference(one, other, 1e-9)
        assert (found.index if found else None) == index


def test_what_changed_in_a_step() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 3}).run()
    assert changed_fields(None, run.at(0).state) == []
    lap = next(t for t in range(len(run)) if run.at(t).state.phase == "lap")
    by_field = {d.field: d for d in changed_fields(run.at(lap).before, run.at(lap).state)}
    assert list(by_field) == ["iteration", "seen", "row"]
    assert by_field["iteration"].words == "0 → 1"
    assert by_field["seen"].words == "0 → 1 part"
    assert (by_field["row"].words, by_field["row"].count, by_field["row"].largest) == ("2 → -1", 1, 3.0)
    x = {d.field: d for d in changed_fields(run.at(0).state, run.at(1).state)}["x"]
    assert (x.words, x.count, x.largest) == ("[0]: 0 → 1, [1]: 0 → 0.25", 2, 1.0)


def test_changes_of_every_kind_are_told() -> None:
    def one(before: Any, after: Any) -> Any:
        from algorithms.userfile.state import PlainState

        found = changed_fields(PlainState(fields=(("v", before),)), PlainState(t=1, fields=(("v", after),)))
        return (found[0].words, found[0].count, found[0].largest) if found else None

    assert one(1.0, 1.0) is None
    assert one(math.nan, math.nan) is None
    assert one(True, False) == ("True → False", 1, 1.0)
    assert one("on", "off") == ("on → off", 1, None)
    assert one(np.array([1, 1, 1]), np.array([1, 2, 4])) == ("[2]: 1 → 4, [1]: 1 → 2", 2, 3.0)
    assert one(np.arange(5), np.arange(5) + 1)[0].endswith(", …")
    assert one(np.array([math.nan, 1.0]), np.array([math.nan, 2.0])) == ("[1]: 1 → 2", 1, 1.0)
    assert one(np.array([math.inf, 1.0]), np.array([1.0, 2.0])) == ("[0]: ∞ → 1, [1]: 1 → 2", 2, 1.0)
    assert one(np.array([1.0]), np.array([1.0, 7.0])) == ("1 → 2, new: 7", 1, None)
    assert one(np.array([[1.0]]), np.array([1.0, 7.0]))[0] == "1 x 1 → 2"
    assert one(None, np.ones(3)) == ("none → [1 1 1]", 1, None)
    assert one(None, np.ones((3, 2))) == ("none → 3 x 2 numbers", 1, None)
    assert one(10**30, 10**30 + 1)[1] == 1
    from algorithms.userfile.state import PlainState

    gone = changed_fields(PlainState(fields=(("a", 1),)), PlainState(fields=(("b", 2),)))
    assert [(d.field, d.words) for d in gone] == [("b", "new: 2"), ("a", "gone: it was 1")]


def test_one_is_counted_as_one() -> None:
    one, two = (1.0,), (1.0, 2.0)
    entry = entry_difference(one, two, 0.0)
    assert entry is not None
    assert entry.values == ("1 part", "2 parts")
    assert formatted(one) == "1 part"
