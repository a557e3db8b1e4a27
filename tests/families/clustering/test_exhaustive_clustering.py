"""k-means by trying all labellings: the lecture's rectangle, counts by formula, scikit-learn, its theorems broken."""

import pickle
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans

from algorithms import Move, Refused, Timeline, edited, find
from algorithms.core import Dataset, Problem, Theorem
from algorithms.core.scene import Bars, Cursor, Labels, Points
from algorithms.core.state import same
from algorithms.data import blobs, faithful, iris, rectangle
from algorithms.families.clustering.exhaustive_clustering import chosen_rows
from algorithms.toolbox.labellings import digits, lasting, least_objective, stays, within

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_worse_labelling_kept_as_the_best_is_noticed",
    "update": "test_a_value_that_is_not_that_of_the_labelling_is_noticed",
}

ALL = find("exhaustive_clustering")
LLOYD, LEAST, PAIRS, FOUND, FULL, NAMES, MINIMUM = ALL.theorems
PLANTED = {  # what is said of the end, past the states that are disturbed, and of a best one that is hardly changed
    LEAST.statement: "test_a_worse_labelling_kept_as_the_best_is_noticed",
    LLOYD.statement: "test_a_value_that_is_not_that_of_the_labelling_is_noticed",
    FOUND.statement: "test_at_the_end_another_least_or_another_count_is_noticed",
    FULL.statement: "test_at_the_end_another_least_or_another_count_is_noticed",
    NAMES.statement: "test_at_the_end_another_least_or_another_count_is_noticed",
    MINIMUM.statement: "test_at_the_end_a_best_labelling_that_is_no_local_minimum_is_noticed",
}


NAMED = {
    "rectangle": rectangle,
    "blobs": blobs.with_(n=20, k=3),
    "faithful": faithful.with_(scale=True),
    "iris": iris,
}


@cache
def finished(name: str = "rectangle", **parameters: Any) -> tuple[Problem, list[Any]]:
    problem = ALL.problem(NAMED[name].load(), None, parameters or {"k": 2})
    return problem, list(ALL.start(problem))


def broken(problem: Problem, states: list[Any], theorem: Theorem, i: int, **changes: Any) -> None:
    """The theorem holds at the i-th state, and fails where that is changed."""
    before = states[i - 1]
    assert theorem.verdict(problem, before, states[i]).status == "holds"
    assert theorem.verdict(problem, before, states[i].replaced(**changes)).status == "fails"


# The algorithm


def test_the_rectangle_of_the_lecture_has_four_values_and_lloyd_is_stuck_at_sixteen() -> None:
    problem, states = finished()
    values = sorted({round(state.value, 2) for state in states[1:]})
    assert values == [1, 11.33, 16, 17]
    assert (states[-1].least, digits(states[-1].best, 2, 4).tolist()) == (1.0, [0, 0, 1, 1])
    lines = next(state for state in states if digits(state.number, 2, 4).tolist() == [0, 1, 0, 1] and state.number >= 0)
    j_by_lloyd = next(curve for curve in ALL.curves if curve.name == "J by Lloyd")
    assert j_by_lloyd.measure(problem, lines) == pytest.approx(16)
    assert problem.data.truth["least"] == states[-1].least


def test_labellings_are_counted_as_digits() -> None:
    assert [tuple(digits(number, 3, 4).tolist()) for number in range(81)] == list(product(range(3), repeat=4))
    assert len(finished("blobs", k=3, rows=5)[1]) == 3**5 + 1


@pytest.mark.parametrize(("name", "k", "rows"), [("blobs", 3, 6), ("faithful", 2, 8), ("iris", 3, 6)])
def test_scikit_learn_finds_the_same_least_from_many_starts(name: str, k: int, rows: int) -> None:
    problem, states = finished(name, k=k, rows=rows)
    X = problem.data.X[np.sort(np.random.default_rng((0, 0)).random(problem.data.n).argsort()[:rows])]
    least = KMeans(k, n_init=60, random_state=0, tol=0).fit(X).inertia_
    assert states[-1].least == pytest.approx(least, rel=1e-8)
    assert least_objective(X, k) == pytest.approx(least, rel=1e-8)


def test_those_that_stay_are_those_from_which_scikit_learn_does_not_move() -> None:
    X = np.random.default_rng(3).normal(size=(6, 2))
    for number in range(2**6):
        z = digits(number, 2, 6)
        if len(set(z.tolist())) == 2:
            means = np.array([X[z == j].mean(axis=0) for j in (0, 1)])
            model = KMeans(2, init=means, n_init=1, tol=0).fit(X)
            assert stays(X, z, 2) == (model.labels_ == z).all()
            assert model.inertia_ <= within(X, z, 2) + 1e-12


def test_thirty_rows_would_take_years() -> None:
    assert lasting(3**30 / 1e6) == "6.52 years"
    assert lasting(2**30 / 1e6) == "17.9 minutes"
    assert [lasting(s) for s in (1e-6, 90.0, 7200.0, 2e5)] == ["1e-06 seconds", "1.5 minutes", "2 hours", "2.31 days"]
    assert "6.52 years at a million a second" in ALL.explain(finished("blobs", k=3, rows=5)[0], None, finished()[1][0])


# Its states


def test_it_goes_on_from_any_state_bit_for_bit() -> None:
    problem, states = finished()
    for i, state in enumerate(states):
        rest = list(ALL.start(problem, pickle.loads(pickle.dumps(state))))
        assert len(rest) == len(states) - i - 1
        assert all(same(a, b) for a, b in zip(rest, states[i + 1 :]))


def test_other_rows_begin_it_anew_and_its_shape_cannot_be_changed() -> None:
    run = Timeline(ALL, rectangle, {"k": 2}).run()
    fork = run.fork(7, data=edited(run.data, [Move(0, (1.0, 3.0))])).run()
    assert fork.from_start == "Exhaustive k-means starts afresh: these labellings were of other rows."
    assert fork.failures == []
    with pytest.raises(Refused, match="k cannot be changed half-way"):
        run.fork(7, k=3)


# Its theorems


@pytest.mark.parametrize(
    ("name", "k", "rows"),
    [("rectangle", 2, 4), ("rectangle", 3, 4), ("blobs", 3, 5), ("faithful", 2, 6), ("iris", 1, 4)],
)
def test_they_hold(name: str, k: int, rows: int) -> None:
    problem, states = finished(name, k=k, rows=rows)
    for theorem in ALL.theorems:
        answers = {theorem.verdict(problem, b, a).status for b, a in zip([None, *states], states)}
        assert answers == {"holds", "does not apply"}, theorem.statement


def test_the_rows_are_those_of_the_seed() -> None:
    problem, states = finished("blobs", k=2, rows=4, seed=3)
    chosen = np.sort(np.random.default_rng((3, 0)).random(problem.data.n).argsort()[:4])
    X = problem.data.X[chosen]
    assert states[1].value == pytest.approx(((X - X.mean(axis=0)) ** 2).sum())
    assert {t.verdict(problem, a, b).status for a, b in pairwise(states) for t in ALL.theorems} == {
        "holds",
        "does not apply",
    }


def test_until_the_end_nothing_is_said_of_all() -> None:
    problem, states = finished()
    assert FOUND.verdict(problem, states[4], states[5]).why == "11 labellings still to be tried"
    assert FOUND.verdict(problem, states[14], states[15]).why == "1 labelling still to be tried"


def test_a_worse_labelling_kept_as_the_best_is_noticed() -> None:
    problem, states = finished("blobs", k=3, rows=5)
    for i in (60, 100, 243):
        for wrong in (0, 1, 30):
            broken(problem, states, LEAST, i, best=wrong)


def test_a_value_that_is_not_that_of_the_labelling_is_noticed() -> None:
    problem, states = finished("blobs", k=3, rows=5)
    for i in (2, 60, 243):
        for wrong in (0.5 * states[i].value, states[i].value + 1e-6, states[i - 1].value):
            broken(problem, states, PAIRS, i, value=wrong)
        broken(problem, states, LLOYD, i, value=0.1)


def test_at_the_end_another_least_or_another_count_is_noticed() -> None:
    problem, states = finished()
    last = len(states) - 1
    broken(problem, states, FOUND, last, least=16.0)
    broken(problem, states, FULL, last, full=13)
    broken(problem, states, NAMES, last, minima=states[last].minima - 1)


def test_at_the_end_a_best_labelling_that_is_no_local_minimum_is_noticed() -> None:
    problem, states = finished()
    broken(problem, states, MINIMUM, len(states) - 1, best=1)


# What a person sees


def test_the_best_so_far_and_a_histogram_of_all() -> None:
    problem, states = finished()
    best, histogram, table, hand = ALL.scene(problem, states[10], states[11]).panels
    assert (best.title, best.note) == ("the best labelling so far", "labelling 4")
    assert (hand.title, hand.note) == ("the labelling in hand", "labelling 11")
    labels = [mark.classes for mark in best.marks if isinstance(mark, Points)][-1]
    assert labels is not None
    assert labels.tolist() == [0, 0, 1, 1]
    bars = next(mark for mark in histogram.marks if isinstance(mark, Bars))
    assert bars.heights.sum() == 11
    assert next(mark for mark in histogram.marks if isinstance(mark, Cursor)).x == 1.0
    facts = {row[0]: row[1] for row in table.marks[0].rows}
    assert (facts["tried"], facts["of 2^4"], facts["least F"]) == (11, 16, 1.0)


def test_a_row_says_its_cluster_and_one_that_is_not_labelled_that_it_is_left_out() -> None:
    problem, states = finished("blobs", rows=5, k=2)
    *_, hand = ALL.scene(problem, states[9], states[10]).panels
    rows, labelled = (mark for mark in hand.marks if isinstance(mark, Points))
    p = problem.parameters
    chosen = chosen_rows(problem.data, p.rows, p.seed).tolist()
    assert rows.fade == "rows left out"
    assert labelled.classes is not None
    assert rows.says is not None
    z, X = np.asarray(labelled.classes), problem.data.X[chosen]
    for i, row in enumerate(chosen):
        away = [float(np.linalg.norm(X[i] - X[z == j].mean(axis=0))) for j in (0, 1)]
        assert (
            rows.says(row)
            == f"cluster {z[i]}: {away[z[i]]:.4g} from its mean, {away[1 - z[i]]:.4g} from that of {1 - z[i]}"
        )
    assert {rows.says(row) for row in range(problem.data.n) if row not in chosen} == {"left out"}


def test_it_says_what_it_does() -> None:
    problem, states = finished()
    texts = [ALL.explain(problem, b, a) for b, a in zip([None, *states], states)]
    assert texts[0].startswith("All 4 rows have 2^4 = 16 labellings with 2 clusters. Of 30 rows there would")
    assert texts[4] == (
        "Labelling 4, 0 0 1 1, has F = 1, below 11.33: the least so far. It is a local minimum, in which Lloyd's "
        "algorithm stays."
    )
    assert texts[8].startswith(
        "Labelling 8, 0 1 1 1, has F = 11.33. The least so far is 1, of 0 0 1 1. Lloyd's algorithm"
    )
    assert "row 1 (place 2 of 4) is 2.69 from its mean and 1 from that of cluster 0" in texts[8]
    problem, states = finished(k=3)
    assert ALL.explain(problem, states[0], states[1]).endswith("; 2 clusters are empty.")  # 0 0 0 0


def test_the_only_row_of_a_cluster_is_not_hidden_by_the_mark_of_its_mean() -> None:
    problem, states = finished()
    at = next(i for i, state in enumerate(states) if state.number == 7)  # 0 1 1 1
    hand = ALL.scene(problem, states[at - 1], states[at]).panels[-1]
    glyphs = {text: mark.glyph for mark in hand.marks if isinstance(mark, Labels) for text in mark.texts}
    assert glyphs == {"0": " ", "1": "+"}


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"k": 5}, r"^5 clusters need 5 rows or more; 4 are labelled\.$"),
        (
            {"k": 3, "rows": 16},
            r"^3\^16 = 43,046,721 labellings are too many; 20,000 can be tried",
        ),
    ],
)
def test_what_cannot_be_done_is_said(parameters: Any, sentence: str) -> None:
    data = rectangle.load() if parameters["k"] == 5 else iris.load()
    with pytest.raises(Refused, match=sentence):
        ALL(data, **parameters)


def test_equal_rows_have_one_value() -> None:
    run = Timeline(ALL, Dataset([[1.0]] * 3), {"k": 2}).run()
    assert run.failures == []
    assert run.at(run.last).state.least == 0.0


def test_one_cluster_has_one_labelling_and_it_is_said_as_such() -> None:
    run = Timeline(ALL, Dataset([[1.0], [2.0], [4.0]]), {"k": 1}).run()
    assert run.stopped is not None
    assert run.stopped.reason == "the one labelling is tried"
    assert run.failures == []


def test_rows_left_out_are_small_in_the_legend_too_and_a_number_is_of_a_labelling():
    run = Timeline(find("exhaustive_clustering"), find("exhaustive_clustering").datasets[0])
    run.advance(4)
    stage = run.algorithm.scene(run.problem, run.at(2).state, run.at(3).state).panels[0]
    others = next(mark for mark in stage.marks if isinstance(mark, Points))
    assert (others.fade, bool(others.faded.all()), others.names) == ("rows left out", True, ())
    assert stage.note.startswith("labelling ")
