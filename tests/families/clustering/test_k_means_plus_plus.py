"""k-means++: by hand, the chances counted over seeds, against Lloyd's start, and its theorems broken on purpose."""

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances

from algorithms import Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Problem, Theorem
from algorithms.core.scene import Bars, Cursor, Points
from algorithms.core.state import same
from algorithms.data import blobs, faithful, iris
from algorithms.families.clustering.k_means_plus_plus.pictures import wheel
from algorithms.toolbox.clusters import first_rows, greedy_draws

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_the_farthest_row_or_any_other_than_the_one_pointed_at_is_noticed",
    "update": "test_distances_that_are_not_shortened_or_too_much_are_noticed",
}

PLUS = find("k_means_plus_plus")
LLOYD, POINTED, NEW, BEST, NEAREST, FALLS, ONE_MEAN = PLUS.theorems
LINE = Dataset([[0.0], [1.0], [3.0], [10.0]])


def run_of(data: Any, **parameters: Any) -> tuple[Problem, list[Any]]:
    problem = PLUS.problem(data, None, parameters)
    return problem, list(PLUS.start(problem))


def broken(problem: Problem, states: list[Any], theorem: Theorem, i: int, **changes: Any) -> None:
    """The theorem holds at the i-th state, and fails where that is changed."""
    before = states[i - 1]
    assert theorem.verdict(problem, before, states[i]).status == "holds"
    assert theorem.verdict(problem, before, states[i].replaced(**changes)).status == "fails"


def one_on(row: int) -> Any:
    """The rows of LINE with one mean, on a row."""
    state = run_of(LINE)[1][2]
    return state.replaced(rows=[row], drawn=[row], squared=(LINE.X[:, 0] - LINE.X[row, 0]) ** 2)


# The algorithm


def test_two_means_by_hand() -> None:
    """From 0 the rows 0, 1, 3, 10 have D² 0, 1, 9, 100: chances 0, 1/110, 9/110, 100/110."""
    problem = PLUS.problem(LINE, None, {"k": 2})
    draw, shorten = list(PLUS.start(problem, one_on(0)))
    row = int(draw.rows[-1])
    u = np.random.default_rng((0, 0)).random(2)[1]
    assert row == np.searchsorted([0, 1 / 110, 10 / 110, 1], u, side="right")
    assert (draw.phase, draw.iteration, draw.squared.tolist()) == ("draw", 2, [0, 1, 9, 100])
    assert shorten.squared.tolist() == [
        min(d, (x - LINE.X[row, 0]) ** 2) for d, x in zip([0, 1, 9, 100], [0, 1, 3, 10])
    ]


def test_rows_are_drawn_as_often_as_their_chances_say() -> None:
    first, second = np.zeros(4), np.zeros(4)
    for seed in range(600):
        first[next(s for s in PLUS(LINE, k=1, seed=seed) if s.phase == "draw").rows[0]] += 1
        problem = PLUS.problem(LINE, None, {"k": 2, "seed": seed})
        second[next(PLUS.start(problem, one_on(3))).rows[1]] += 1
    p = np.array([100, 81, 49, 0]) / 230
    assert first / 600 == pytest.approx(np.full(4, 0.25), abs=0.06)
    assert second / 600 == pytest.approx(p, abs=0.06)
    assert second[3] == 0


@pytest.mark.parametrize("data", [faithful.with_(scale=True), iris, blobs], ids=lambda d: d.name)
@pytest.mark.parametrize("draws", [1, greedy_draws(6)])
def test_the_same_seed_draws_the_rows_that_lloyd_starts_from(data: Any, draws: int) -> None:
    for seed in range(5):
        _, states = run_of(data.load(), k=6, draws=draws, seed=seed)
        start = "k-means++" if draws == 1 else "greedy"
        assert states[-1].rows.tolist() == first_rows(data.load().X, 6, start, seed).tolist()


def test_scikit_learn_has_the_same_distances_and_ends_with_the_same_objective_from_these_means() -> None:
    problem, states = run_of(iris.load(), k=3)
    X, curves = problem.data.X, {curve.name: curve for curve in PLUS.curves}
    theirs = pairwise_distances(X, X[states[-1].rows]).min(axis=1) ** 2
    assert states[-1].squared == pytest.approx(theirs, abs=1e-9)
    model = KMeans(3, init=X[states[-1].rows], n_init=1, tol=0).fit(X)
    assert curves["J after Lloyd"].measure(problem, states[-1]) == pytest.approx(model.inertia_, rel=1e-8)
    assert curves["objective"].measure(problem, states[-1]) == pytest.approx(theirs.sum(), rel=1e-8)


def test_the_first_run_draws_a_row_of_each_blob_and_several_draws_do_so_more_often() -> None:
    data = PLUS.datasets[0].load()
    assert sorted(data.y[list(PLUS(data))[-1].rows].tolist()) == [0, 1, 2, 3]
    left = {
        draws: np.mean([list(PLUS(data, draws=draws, seed=s))[-1].squared.sum() for s in range(30)]) for draws in (1, 4)
    }
    assert left[4] < left[1]


def test_one_mean_leaves_on_average_twice_the_least() -> None:
    X = iris.load().X
    left = ((X[:, None] - X) ** 2).sum(axis=(1, 2))
    assert left.mean() == pytest.approx(2 * ((X - X.mean(axis=0)) ** 2).sum())


def test_fewer_different_rows_than_means_end_it_in_words() -> None:
    run = Timeline(PLUS, Dataset([[0.0, 1.0]] * 3 + [[2.0, 2.0]] * 2), {"k": 4}).run()
    assert run.at(run.last).state.squared.tolist() == [0, 0, 0, 0, 0]
    assert run.stopped is not None
    assert run.stopped.reason == "every row lies on one of 2 means: none has a chance to be the next"
    assert run.failures == []
    for t in range(len(run)):
        PLUS.scene(run.problem, run.at(t).before, run.at(t).state)
    alike = Timeline(PLUS, Dataset([[0.0, 1.0]] * 3), {"k": 2}).run()
    assert alike.stopped is not None
    assert alike.stopped.reason == "every row lies on the one mean: none has a chance to be the next"


# Its states


def test_it_goes_on_from_any_state_bit_for_bit() -> None:
    problem, states = run_of(iris.load(), k=5, draws=3)
    for i, state in enumerate(states):
        rest = list(PLUS.start(problem, pickle.loads(pickle.dumps(state))))
        assert len(rest) == len(states) - i - 1
        assert all(same(a, b) for a, b in zip(rest, states[i + 1 :]))


def test_another_seed_half_way_draws_others_from_there_on() -> None:
    run = Timeline(PLUS, iris, {"k": 6}).run()
    fork = run.fork(6, seed=1, k=8, draws=2).run()
    rows = [r.at(r.last).state.rows.tolist() for r in (run, fork)]
    assert rows[0][:3] == rows[1][:3]
    assert rows[0] != rows[1][:6]
    assert len(rows[1]) == 8
    assert fork.failures == []


def test_after_an_edit_means_go_with_their_rows_and_a_row_that_is_gone_begins_it_anew() -> None:
    run = Timeline(PLUS, iris, {"k": 5}).run()
    rows = run.at(6).state.rows
    moved = run.fork(6, data=edited(run.data, [Move(int(rows[0]), (9.0, 9.0, 9.0, 9.0))])).run()
    assert moved.at(6).state.rows.tolist() == rows.tolist()
    distances = pairwise_distances(moved.data.X, moved.data.X[rows]).min(axis=1) ** 2
    assert moved.at(6).state.squared == pytest.approx(distances, abs=1e-9)
    other = next(row for row in range(150) if row not in rows)
    shifted = run.fork(6, data=edited(run.data, [Remove(other)])).run()
    assert shifted.at(6).state.rows.tolist() == [row - (row > other) for row in rows.tolist()]
    gone = run.fork(6, data=edited(run.data, [Remove(int(rows[1]))])).run()
    assert gone.from_start == "k-means++ starts afresh: a row that was drawn is gone."
    assert moved.failures == shifted.failures == gone.failures == []


# Its theorems


@pytest.mark.parametrize("data", [iris, faithful, blobs.with_(d=3, n=60)], ids=lambda d: d.name)
@pytest.mark.parametrize("draws", [1, 4])
def test_they_hold(data: Any, draws: int) -> None:
    problem, states = run_of(data.load(), k=7, draws=draws, seed=2)
    for theorem in PLUS.theorems:
        answers = {theorem.verdict(problem, b, a).status for b, a in zip([None, *states], states)}
        assert answers == {"holds", "does not apply"}, theorem.statement


def test_the_farthest_row_or_any_other_than_the_one_pointed_at_is_noticed() -> None:
    problem, states = run_of(iris.load(), k=5)
    for i in (1, 3, 5, 7):
        far = int(states[i].squared.argmax()) if i > 1 else 0
        for row in {far, (int(states[i].drawn[0]) + 1) % 150, 149} - {int(states[i].drawn[0])}:
            broken(problem, states, POINTED, i, drawn=[row], rows=[*states[i].rows[:-1], row])


@pytest.mark.parametrize("draws", [1, 4])
def test_numbers_of_an_earlier_draw_are_noticed(draws: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def first_ones(state: Any, draws: int, seed: int) -> Any:
        return np.random.default_rng((seed, 0)).random(draws if len(state.rows) else 1)

    module = "algorithms.families.clustering.k_means_plus_plus.algorithm"
    monkeypatch.setattr(f"{module}.pointers", first_ones)
    run = Timeline(PLUS, iris, {"k": 5, "draws": draws}).run()
    assert POINTED.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_of_one_row_drawn_the_ends_of_its_piece_are_named_without_a_place() -> None:
    for draws in (1, 4):
        problem, states = run_of(iris.load(), k=5, draws=draws)
        pointer = {"u"} if draws == 1 else {f"u (row {row})" for row in states[5].drawn.tolist()}
        sides = POINTED.verdict(problem, states[4], states[5]).sides
        assert sides is not None
        assert {sides.names[1]} <= pointer
        assert [name.partition(" (")[0] for name in sides.names] == ["piece from", "u", "to"]


def test_a_row_on_a_mean_is_noticed() -> None:
    problem, states = run_of(iris.load(), k=5)
    broken(problem, states, NEW, 5, rows=[*states[5].rows[:-1], states[5].rows[0]])


def test_not_keeping_the_best_of_the_rows_drawn_is_noticed() -> None:
    problem, states = run_of(iris.load(), k=5, draws=4)
    others = set(states[5].drawn.tolist()) - {int(states[5].rows[-1])}
    assert others
    for row in others:
        broken(problem, states, BEST, 5, rows=[*states[5].rows[:-1], row])


def test_distances_that_are_not_shortened_or_too_much_are_noticed() -> None:
    problem, states = run_of(iris.load(), k=5)
    for i in (4, 6, 8):
        to_the_last = pairwise_distances(problem.data.X, problem.data.X[states[i].rows[-1:]])[:, 0] ** 2
        for wrong in (states[i - 1].squared, 0.5 * states[i].squared, np.sqrt(states[i].squared), to_the_last):
            broken(problem, states, NEAREST, i, squared=wrong)
        broken(problem, states, FALLS, i, squared=states[i - 1].squared)
    broken(problem, states, ONE_MEAN, 2, squared=0.5 * states[2].squared)


def test_means_that_lloyd_could_only_leave_higher_are_noticed() -> None:
    problem, states = run_of(iris.load(), k=5)
    broken(problem, states, LLOYD, 10, squared=0.1 * states[10].squared)


def test_the_mean_over_seeds_is_far_below_the_bound() -> None:
    (expectation,) = PLUS.expectations
    problem, _ = run_of(faithful.with_(scale=True).load(), k=4)
    ends = [list(PLUS.start(PLUS.problem(problem.data, None, {"k": 4, "seed": seed})))[-1] for seed in range(40)]
    name = "J after Lloyd"
    settled = next(curve for curve in PLUS.curves if curve.name == name)
    values = {name: np.array([settled.value(problem, end) for end in ends])}
    mean = np.mean([expectation.measure(problem, end) for end in ends])
    assert values[name].min() < mean < expectation.bound(problem, values)
    assert expectation.bound(problem, values) == pytest.approx(8 * (np.log(4) + 2) * values[name].min())


# What a person sees


def test_rows_are_as_large_as_their_chance_and_the_pointer_stands_on_the_piece_drawn() -> None:
    run = Timeline(PLUS, iris, {"k": 4}).run()
    frame = run.at(5)
    stage, turned, table = PLUS.scene(run.problem, frame.before, frame.state).panels
    rows = next(mark for mark in stage.marks if isinstance(mark, Points))
    squared = frame.state.squared
    assert rows.weights == pytest.approx(squared / squared.max())
    assert np.flatnonzero(rows.ringed).tolist() == frame.state.drawn.tolist()
    bars = next(mark for mark in turned.marks if isinstance(mark, Bars))
    (cursor,) = [mark for mark in turned.marks if isinstance(mark, Cursor)]
    piece = int(np.searchsorted(bars.edges, cursor.x, side="right")) - 1
    assert np.flatnonzero(squared)[piece] == frame.state.rows[-1]
    assert np.diff(bars.edges) == pytest.approx(bars.heights)
    assert [row[1] for row in table.marks[0].rows] == frame.state.rows.tolist()


def test_it_says_what_it_does() -> None:
    problem, states = run_of(LINE, k=2, seed=3)
    texts = [PLUS.explain(problem, b, a) for b, a in zip([None, *states], states)]
    assert texts[0] == "There is no mean yet: each of the 4 rows has the same chance, 1/4, to be the first of 2 means."
    assert texts[1] == "Row 0 (x1 0) becomes mean 0. Each row had the chance 1/4."
    assert (
        texts[2]
        == "Every distance is taken to mean 0. The objective J = ΣD² = 110, where the middle of the rows has 61."
    )
    assert texts[3].startswith("Row 3 (x1 10) becomes mean 1: it is 10 from the nearest mean, so its chance was D²/ΣD²")
    assert texts[4].startswith("1 row is nearer to mean 1 than to any before it. The objective J = ΣD² falls by ")
    assert " to 10; Lloyd's" in texts[4]


def test_across_a_fork_it_speaks_of_all_means_there_are() -> None:
    run = Timeline(PLUS, LINE, {"k": 3, "seed": 3})
    run.advance(5)
    fork = run.fork(4, k=2)
    text = PLUS.explain(fork.problem, None, fork.at(4).state)
    assert text.startswith("Every distance is that to the nearest of 2 means. The objective J = ΣD² = 10; Lloyd's ")


def test_more_means_than_rows_and_rows_out_of_range_are_refused() -> None:
    with pytest.raises(Refused, match=r"^5 means need 5 rows or more; data has 4\.$"):
        PLUS(LINE, k=5)
    with pytest.raises(Refused, match="out of range"):
        PLUS(Dataset([[1e140], [1e139], [1.0]]), k=2)


def test_a_chance_below_the_rounding_of_their_sum_has_no_piece_of_the_wheel() -> None:
    bars = wheel(np.array([0.5, 1e-30, 0.5, 0.0])).marks[0]
    assert isinstance(bars, Bars)
    assert bars.heights.tolist() == [0.5, 0.5]
    assert bars.edges is not None
    assert bars.edges.tolist() == [0.0, 0.5, 1.0]
