"""k-means by Lloyd's algorithm: worked by hand, against scikit-learn, and its theorems broken on purpose."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays
from msgspec.structs import replace
from sklearn.cluster import KMeans

from algorithms import Add, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.data import blobs, breast_cancer, digits, faithful, iris, wine
from algorithms.families.clustering import lloyd as module
from algorithms.families.clustering.lloyd import LloydState, begin, objective
from algorithms.toolbox import nearer as _nearer
from tests.examples import examples

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_run_that_moves_every_second_row_is_seen_as_it_goes",
    "update": "test_means_that_go_half_way_or_too_far_are_seen_as_they_go",
}

LLOYD = find("lloyd")
NEVER_RISES, FALLS, CHOICE, WITHIN_AND_BETWEEN, ENDS = LLOYD.theorems
LINE = Dataset([[0.0], [1.0], [9.0], [10.0]])
SCATTERED = blobs.with_(n=4000, d=3, k=5, spread=2.0, seed=1)  # enough rows for sums to be kept up to date


def run_from(data, means, **parameters):
    return list(LLOYD(data, state=begin(data, np.asarray(means, float)), k=len(means), **parameters))


def all_hold(problem, states):
    for before, after in zip([None, *states], states):
        for theorem in LLOYD.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", (after.t, theorem.statement, verdict.sides)


def status(theorem, before, after, data=LINE):
    return theorem.verdict(LLOYD.problem(data, None, {"k": len(after.means)}), before, after).status


# The algorithm


def test_by_hand():
    """Means on 0 and 1: {0} and {1, 9, 10}, mean 20/3; then 1 goes to the first; then nothing moves."""
    states = run_from(LINE, [[0.0], [1.0]])
    assert [s.phase for s in states] == ["assign", "update", "assign", "update", "assign", "settled"]
    assert [s.labels.tolist() for s in states[::2]] == [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]
    assert [s.moved for s in states[::2]] == [4, 1, 0]
    np.testing.assert_allclose(states[1].means[:, 0], [0.0, 20 / 3])
    np.testing.assert_allclose(states[3].means[:, 0], [0.5, 9.5])
    problem = LLOYD.problem(LINE, None, {"k": 2})
    heights = [objective(problem, s) for s in states]
    np.testing.assert_allclose(heights, [145.0, 146 / 3, 158 / 9, 1.0, 1.0, 1.0])


def test_a_row_as_near_to_another_mean_stays_where_it_is():
    data = Dataset([[0.0], [1.0], [2.0]])
    for label, means in ((0, [[0.5], [2.0]]), (1, [[0.0], [1.5]])):
        labels = np.array([0, label, 1], np.int8)
        settled = LloydState(
            means=np.array([[0.0], [2.0]]),
            labels=labels,
            sums=np.array([data.X[labels == j].sum(axis=0) for j in (0, 1)]),
            counts=np.bincount(labels),
            phase="update",
        )
        assigned, updated = list(LLOYD(data, state=settled, k=2))[:2]
        assert assigned.moved == 0
        assert updated.means.tolist() == means


def test_a_row_in_no_cluster_goes_to_the_first_of_equally_near_means():
    """0.3 - 0.2 is less than 0.2 - 0.1 in floating point, and a tie all the same."""
    data = Dataset([[0.1], [0.2], [0.3]])
    assert run_from(data, [[0.1], [0.3]])[0].labels.tolist() == [0, 0, 1]
    assert run_from(data, [[0.3], [0.1]])[0].labels.tolist() == [1, 0, 0]


def test_it_finds_the_means_of_clusters_that_are_far_apart():
    data = blobs.with_(n=300, k=4, spread=1.0, seed=2).load()
    last = list(LLOYD(data, k=4, start="greedy"))[-1]
    truth = data.truth["means"]
    nearest = ((last.means[:, None] - truth) ** 2).sum(axis=2).argmin(axis=1)
    assert sorted(nearest.tolist()) == [0, 1, 2, 3]
    assert np.abs(last.means - truth[nearest]).max() < 0.5


@pytest.mark.parametrize("recipe", [faithful.with_(scale=True), iris, digits, wine, SCATTERED], ids=lambda r: r.name)
@pytest.mark.parametrize("start", ["k-means++", "greedy", "rows", "assignment"])
def test_the_same_as_scikit_learn_from_the_same_means(recipe, start):
    data, k = recipe.load(), 4
    states = list(LLOYD(data, k=k, start=start, seed=3))
    model = KMeans(k, init=states[0].means, n_init=1, tol=0, max_iter=300, algorithm="lloyd").fit(data.X)
    last = states[-1]
    assert last.labels.tolist() == model.labels_.tolist()
    assert last.iteration == model.n_iter_
    np.testing.assert_allclose(last.means, model.cluster_centers_, rtol=0, atol=1e-8 * np.abs(data.X).max())
    problem = LLOYD.problem(data, None, {"k": k})
    np.testing.assert_allclose(objective(problem, last), model.inertia_, rtol=1e-8)


def test_the_sweeps_can_be_limited():
    run = Timeline(LLOYD, SCATTERED, {"k": 5, "sweeps": 2}).run()
    assert run.at(run.last).state.iteration == 2
    assert run.stopped.reason == "2 sweeps, and rows may still move"
    assert Timeline(LLOYD, iris).run().stopped.reason == "no row moved"


def test_one_sweep_is_said_in_the_singular():
    assert Timeline(LLOYD, SCATTERED, {"sweeps": 1}).run().stopped.reason == "1 sweep, and rows may still move"


def test_one_cluster_has_the_mean_of_all():
    last = list(LLOYD(iris.load(), k=1))[-1]
    np.testing.assert_allclose(last.means[0], iris.load().X.mean(axis=0))


def test_as_many_clusters_as_rows_leave_nothing():
    data = Dataset(np.random.default_rng(0).normal(size=(12, 2)))
    problem = LLOYD.problem(data, None, {"k": 12})
    assert objective(problem, list(LLOYD.start(problem))[-1]) < 1e-24


def test_no_assignment_comes_twice():
    for seed in range(5):
        states = [s for s in LLOYD(SCATTERED.load(), k=6, seed=seed) if s.phase in ("assign", "fill") and s.moved]
        assert len({s.labels.tobytes() for s in states}) == len(states) > 5


@pytest.mark.parametrize("start", ["rows", "k-means++", "greedy", "assignment"])
def test_the_start_depends_on_the_seed_alone(start):
    data = iris.load()
    first = [next(LLOYD(data, start=start, seed=seed)).means.tolist() for seed in (0, 0, 1)]
    assert first[0] == first[1] != first[2]


# Empty clusters


def test_an_empty_cluster_takes_the_row_farthest_from_its_mean():
    run = run_from(LINE, [[0.0], [5.0], [100.0]])
    assert [s.phase for s in run[:3]] == ["assign", "fill", "update"]
    assert run[0].labels.tolist() == [0, 0, 1, 1]
    assert run[1].labels.tolist() == [0, 0, 1, 2]
    assert run[1].means[:, 0].tolist() == [0.0, 5.0, 10.0]
    assert run[1].counts.tolist() == [2, 1, 1]
    problem = LLOYD.problem(LINE)
    assert FALLS.verdict(problem, run[0], run[1]).status == "holds"
    assert LLOYD.events[1].happened(None, run[0])
    assert not LLOYD.events[1].happened(None, run[1])
    said = LLOYD.explain(problem, run[0], run[1])
    assert "Cluster 2 had no rows" in said
    assert "row 3" in said


def test_several_empty_clusters_are_filled_at_once():
    states = run_from(LINE, [[5.0], [100.0], [200.0], [300.0]])
    assert states[1].counts.tolist() == [1, 1, 1, 1]
    problem = LLOYD.problem(LINE, None, {"k": 4})
    all_hold(problem, states)
    assert objective(problem, states[-1]) == 0.0


def test_with_fewer_different_rows_than_clusters_one_may_stay_empty():
    empty = 0
    data = Dataset([[0.1], [0.1], [0.1], [0.7], [0.7], [0.7]])
    for seed in range(10):
        for start in ("rows", "assignment", "k-means++"):
            run = Timeline(LLOYD, data, {"k": 4, "seed": seed, "start": start}).run()
            last = run.at(run.last).state
            assert run.stopped.reason == "no row moved"
            empty += not last.counts.all()
            assert not run.failures
            assert objective(run.problem, last) < 1e-30
    assert empty


# Its theorems, and what breaks them


@pytest.mark.parametrize("recipe", [*LLOYD.datasets, breast_cancer, SCATTERED], ids=lambda r: r.name)
@pytest.mark.parametrize("start", ["k-means++", "rows", "assignment"])
def test_theorems_hold_at_every_step(recipe, start):
    problem = LLOYD.problem(recipe.load(), None, {"k": 7, "start": start})
    all_hold(problem, list(LLOYD.start(problem)))


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
def test_theorems_hold_far_from_the_origin(offset):
    data = Dataset(np.random.default_rng(0).integers(0, 12, (200, 2)) + offset)  # with many ties
    problem = LLOYD.problem(data, None, {"k": 8})
    states = list(LLOYD.start(problem))
    all_hold(problem, states)
    assert states[-1].moved == 0


@settings(max_examples=examples(60), deadline=None)
@given(
    arrays.arrays(np.float64, st.tuples(st.integers(6, 40), st.integers(1, 3)), elements=st.integers(-3, 3)),
    st.integers(1, 6),
    st.sampled_from(["k-means++", "greedy", "rows", "assignment"]),
    st.floats(1e-3, 1e3),
)
def test_ties_and_equal_rows_break_nothing(X, k, start, unit):
    problem = LLOYD.problem(Dataset(X * unit), None, {"k": k, "start": start})
    states = list(LLOYD.start(problem))
    all_hold(problem, states)
    assigned = [s.labels.tobytes() for s in states if s.phase in ("assign", "fill") and s.moved]
    assert len(set(assigned)) == len(assigned)


@pytest.mark.parametrize("value", [3 * 137.22695272300575, 3 * 171.22695272300575])
def test_equal_rows_whose_mean_is_rounded_do_not_move_for_ever(value):
    run = Timeline(LLOYD, Dataset(np.full((8, 2), value)), {"k": 2}).run()
    assert run.stopped.reason == "no row moved"
    assert run.last < 6
    assert not run.failures


def test_means_that_go_past_the_middle_raise_the_objective():
    before, after = run_from(LINE, [[0.0], [1.0]])[:2]
    assert status(NEVER_RISES, before, after) == "holds"
    past = replace(after, means=before.means + 2.5 * (after.means - before.means))
    assert status(NEVER_RISES, before, past) == "fails"


def test_a_row_that_goes_to_the_farther_mean_raises_the_objective():
    before, after = run_from(LINE, [[0.0], [1.0]])[1:3]
    assert status(NEVER_RISES, before, after) == status(FALLS, before, after) == "holds"
    wrong = replace(after, labels=np.array([1, 0, 1, 1], np.int8))
    assert status(NEVER_RISES, before, wrong) == "fails"
    assert status(FALLS, before, wrong) == "fails"


def test_a_row_that_nearer_on_a_tie_breaks_the_strict_fall():
    data = Dataset([[0.0], [1.0], [2.0]])
    settled = replace(begin(data, np.array([[0.0], [2.0]])), labels=np.array([0, 0, 1], np.int8), phase="update")
    moved = settled.after("assign", labels=np.array([0, 1, 1], np.int8), moved=1)
    assert status(FALLS, settled, moved, data) == "fails"
    assert status(NEVER_RISES, settled, moved, data) == "holds"


def test_a_mean_that_is_not_in_the_middle_breaks_the_parts_of_the_whole():
    before, after = run_from(LINE, [[0.0], [1.0]])[:2]
    assert status(WITHIN_AND_BETWEEN, before, after) == "holds"
    assert status(WITHIN_AND_BETWEEN, before, replace(after, means=after.means + 0.01)) == "fails"


def test_they_say_nothing_where_there_is_nothing_to_compare():
    start = begin(LINE, np.array([[0.0], [1.0]]))
    assigned, updated = run_from(LINE, [[0.0], [1.0]])[:2]
    for theorem in LLOYD.theorems:
        assert status(theorem, None, start) == "does not apply"
        assert status(theorem, start, assigned) == ("holds" if theorem is CHOICE else "does not apply")
    assert status(FALLS, assigned, updated) == "does not apply"


def failed(run):
    return {failure.verdict.theorem.statement for failure in run.failures}


def test_a_run_that_moves_every_second_row_is_seen_as_it_goes(monkeypatch):
    nearer = module.nearer

    def every_second(data, means, labels):
        rows, to = nearer(data, means, labels)
        return (rows, to) if labels[0] < 0 else (rows[::2], to[::2])

    monkeypatch.setattr(module, "nearer", every_second)
    run = Timeline(LLOYD, faithful.with_(scale=True), {"seed": 3}).run()
    assert run.stopped.reason == "no row moved"
    assert failed(run) == {CHOICE.statement}


def test_a_run_that_ends_while_rows_still_move_is_seen_at_its_end(monkeypatch):
    nearer = module.nearer

    def ends_early(data, means, labels):
        rows, to = nearer(data, means, labels)
        return (rows[:0], to[:0]) if len(rows) < 30 else (rows, to)

    monkeypatch.setattr(module, "nearer", ends_early)
    run = Timeline(LLOYD, faithful.with_(scale=True), {"seed": 3}).run()
    assert run.stopped.reason == "no row moved"
    assert failed(run) == {CHOICE.statement, ENDS.statement}


def test_a_run_that_ends_before_its_means_are_in_the_middle_is_seen(monkeypatch):
    run = Timeline(LLOYD, faithful.with_(scale=True), {"k": 2}).run()
    t = run.nearest_entry(run.last)
    state = run.at(t).state
    aside = state.replaced(means=state.means + 1e-3)
    assert not run.fork(t, state=aside).run().failures
    monkeypatch.setattr(module, "at_rest", lambda data, state: True)
    fork = run.fork(t, state=aside).run()
    assert fork.stopped.reason == "no row moved"
    assert failed(fork) == {ENDS.statement}


def test_a_run_that_says_it_is_settled_before_its_means_are_in_the_middle_is_seen():
    before, after = run_from(LINE, [[0.0], [1.0]])[1:3]
    assert status(ENDS, before, replace(after, phase="settled")) == "fails"
    final = run_from(LINE, [[0.0], [1.0]])[-1]
    assert status(ENDS, None, final) == "holds"
    assert status(ENDS, None, replace(final, means=final.means + 1e-4)) == "fails"
    assert status(ENDS, None, replace(final, means=final.means * np.nan)) == "fails"


@pytest.mark.parametrize("share", [0.5, 1.5])
def test_means_that_go_half_way_or_too_far_are_seen_as_they_go(monkeypatch, share):
    middles = module.middles
    monkeypatch.setattr(module, "middles", lambda state: state.means + share * (middles(state) - state.means))
    run = Timeline(LLOYD, faithful.with_(scale=True), {"sweeps": 5, "seed": 3}).run()
    assert WITHIN_AND_BETWEEN.statement in failed(run)


def test_an_empty_cluster_that_takes_another_row_than_the_farthest_is_seen():
    assigned, filled = run_from(LINE, [[0.0], [5.0], [100.0]])[:2]
    assert status(CHOICE, assigned, filled) == "holds"
    labels = np.array([0, 2, 1, 1], np.int8)
    means = np.array([[0.0], [5.0], [1.0]])
    nearer = replace(filled, labels=labels, means=means, counts=np.bincount(labels))
    assert status(FALLS, assigned, nearer) == status(NEVER_RISES, assigned, nearer) == "holds"
    assert status(CHOICE, assigned, nearer) == "fails"


def test_where_a_row_ties_the_end_need_not_be_a_minimum_and_that_is_said():
    """-2 and 0 against 1: with 0 as near to both means J = 2, and 1.98 beside it."""
    data = Dataset([[-2.0], [0.0], [1.0]])
    run = Timeline(LLOYD, data, {"k": 2, "seed": 1}).run()
    last = run.at(run.last)
    assert objective(run.problem, last.state) == 2.0
    lower = min(
        ((data.X - (last.state.means + np.array([[a], [b]])).T) ** 2).min(axis=1).sum()
        for a in (-0.1, 0, 0.1)
        for b in (-0.1, 0, 0.1)
    )
    assert lower < 2.0
    assert not run.failures
    assert "Row 1 is as near to another mean" in LLOYD.explain(run.problem, last.before, last.state)
    clear = Timeline(LLOYD, faithful).run()
    assert "as near to" not in LLOYD.explain(clear.problem, None, clear.at(clear.last).state)


# Going on from a state


def test_a_mean_that_was_dragged_goes_back_to_its_rows():
    run = Timeline(LLOYD, faithful.with_(scale=True), {"k": 2}).run()
    last = max(t for t in range(len(run)) if run.kind(t).phase == "update")
    state = run.at(last).state
    fork = run.fork(last, state=replace(state, means=state.means + 0.01)).run()
    assert fork.at(last + 1).state.moved == 0
    np.testing.assert_allclose(fork.at(fork.last).state.means, state.means, atol=1e-12)


def test_a_fork_with_other_rows_sums_those():
    data = SCATTERED.load()
    run = Timeline(LLOYD, data, {"k": 5}).run()
    X = data.X.copy()
    X[:7] += 3.0
    other = Dataset(X, data.y, classes=data.classes)
    at = run.nearest_entry(6)
    fork = run.fork(at, data=other).run()
    last = fork.at(fork.last).state
    assert not fork.failures
    for j in range(5):
        np.testing.assert_allclose(last.means[j], X[last.labels == j].mean(axis=0), atol=1e-10)
    theirs = KMeans(5, init=run.at(at).state.means, n_init=1, tol=0, algorithm="lloyd").fit(X)
    np.testing.assert_allclose(last.means, theirs.cluster_centers_, atol=1e-8)


@pytest.mark.parametrize("recipe", [iris, digits, SCATTERED, blobs.with_(k=6, n=1000)], ids=lambda r: r.name)
def test_a_first_look_in_single_precision_nearer_the_same_rows(recipe, monkeypatch):
    means = next(LLOYD(recipe.load(), k=6, start="rows")).means
    plain = run_from(Dataset(recipe.load().X), means)
    monkeypatch.setattr(_nearer, "MANY", 1)
    data = Dataset(recipe.load().X)
    assert _nearer.measured(data).rough is not None
    rough = run_from(data, means)
    assert [s.labels.tolist() for s in rough] == [s.labels.tolist() for s in plain]
    ruled_out = [_nearer.doubtful(_nearer.measured(data), s.means, s.labels) for s in rough if s.phase == "update"]
    assert any(found is not None and len(found) < data.n / 4 for found in ruled_out)


def test_single_precision_is_not_asked_about_means_far_away(monkeypatch):
    monkeypatch.setattr(_nearer, "MANY", 1)
    data = Dataset(np.random.default_rng(0).normal(size=(50, 2)))
    labels = np.zeros(50, np.int8)
    assert _nearer.doubtful(_nearer.measured(data), np.array([[0.0, 0.0], [1e30, 0.0]]), labels) is None


# What is refused, said and shown


def test_refusals():
    with pytest.raises(Refused, match="5 clusters need 5 rows or more; data has 4"):
        LLOYD(LINE, k=5)
    with pytest.raises(Refused, match="out of range: scale it"):
        LLOYD(Dataset([[1e150], [2.0]]), k=2)
    with pytest.raises(Refused, match="one of k-means"):
        LLOYD(LINE, start="somewhere")


def test_the_sentences_have_the_numbers_of_the_step():
    data = faithful.load()
    problem = LLOYD.problem(data, None, {"k": 2, "start": "rows"})
    states = list(LLOYD.start(problem))
    said = [LLOYD.explain(problem, b, a) for b, a in zip([None, *states], states)]
    assert said[0].startswith("The means start on rows ")
    assert said[1].startswith("Every row joins the nearest mean: ")
    changed = states[3].labels != states[1].labels
    row = int(said[3].split("Row ")[1].split()[0])
    assert said[3].startswith(f"{changed.sum()} of 272 rows change")
    assert changed[row]
    assert data.row(row) in said[3]
    assert said[-2].startswith("No row is nearer to another mean than to its own")
    assert said[-1].startswith("Neither phase lowers J = 8902 any more, and no row ties: a local minimum.")


def test_distances_in_scaled_features_are_said_to_be_so():
    for scale in (True, False):
        problem = LLOYD.problem(faithful.with_(scale=scale).load(), None, {"seed": 3})
        states = list(LLOYD.start(problem))
        said = [LLOYD.explain(problem, b, a) for b, a in zip(states, states[1:])]
        distances = [text for text in said if "goes farthest" in text or "from its mean" in text]
        assert len(distances) >= 3
        assert all(("in scaled features" in text) == scale for text in distances)


def test_the_stage_shows_cells_that_the_rows_lie_in():
    problem = LLOYD.problem(iris.load())
    states = list(LLOYD.start(problem))
    stage, table = LLOYD.scene(problem, states[-2], states[-1]).panels
    region, rows, _, labels, grips = stage.marks
    assert np.array_equal(grips.at, labels.at)
    assert (region.score(problem.data.X).argmax(axis=1) == rows.classes).all()
    assert labels.texts == ("0", "1", "2")
    assert [row[1] for row in table.marks[0].rows] == states[-1].counts.tolist()
    moved = LLOYD.scene(problem, states[1], states[3]).panels[0].marks[1].ringed
    assert moved.sum() == (states[1].labels != states[3].labels).sum() > 0


def test_digits_show_their_means_as_pictures():
    problem = LLOYD.problem(digits.load(), None, {"k": 7})
    state = next(LLOYD.start(problem))
    sheet = LLOYD.scene(problem, None, state).panels[1].marks[0].values
    assert sheet.shape == (17, 44)
    np.testing.assert_array_equal(sheet[9:17, 9:17], state.means[6].reshape(8, 8))


def test_rows_keep_their_clusters_and_a_new_one_joins_the_nearest_mean():
    run = Timeline(LLOYD, faithful.with_(scale=True), {"k": 3}).run()
    t = run.nearest_entry(run.last)
    was = run.at(t).state
    new = was.means[2] + 0.1
    fork = run.fork(t, data=edited(run.data, [Remove(5), Move(9, tuple(new)), *[Add(tuple(new))] * 3]))
    first = fork.at(t).state
    assert first.labels.tolist() == [*np.delete(was.labels, 5).tolist(), 2, 2, 2]
    assert first.counts.tolist() == np.bincount(first.labels, minlength=3).tolist()
    for j in range(3):
        assert np.allclose(first.sums[j], fork.data.X[first.labels == j].sum(axis=0))
    assert np.array_equal(first.means, was.means)
    assert fork.run().stopped is not None


def test_a_cluster_that_loses_all_its_rows_takes_another():
    run = Timeline(LLOYD, faithful.with_(scale=True), {"k": 3}).run()
    t = run.nearest_entry(run.last)
    gone = np.flatnonzero(run.at(t).state.labels == 0)[::-1].tolist()
    fork = run.fork(t, data=edited(run.data, [Remove(row) for row in gone])).run()
    assert fork.at(fork.last).state.counts.min() > 0


def test_a_dragged_mean_is_where_it_was_dragged_to():
    run = Timeline(LLOYD, faithful.with_(scale=True), {"k": 3}).run()
    t = run.nearest_entry(run.last)
    frame = run.at(t)
    grips = run.algorithm.scene(run.problem, frame.before, frame.state).panels[0].marks[-1]
    to = np.array([0.0, 3.0])
    fork = run.fork(t, state=grips.moved(frame.state, 1, to))
    assert fork.at(t).state.means[1].tolist() == to.tolist()
    assert np.array_equal(fork.at(t).state.means[[0, 2]], frame.state.means[[0, 2]])
    fork.advance()
    assert fork.at(t + 1).state.moved > 0
