"""Kernel k-means: by hand, against Lloyd's algorithm on features written down, and its theorems broken on purpose."""

import re

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.cluster import KMeans

from algorithms import Add, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Points
from algorithms.core.state import same
from algorithms.data import iris, moons, rings, wine
from algorithms.families.clustering import kernel_k_means as module
from algorithms.families.clustering.kernel_k_means import all_distances, begin, objective, rows_of
from algorithms.families.clustering.lloyd import begin as lloyd_from
from algorithms.families.clustering.shared import feature_means
from algorithms.toolbox.explicit_features import monomials
from algorithms.toolbox.kernels import Kernel

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_run_that_moves_every_second_row_is_seen_as_it_goes",
    "update": "test_means_that_go_half_way_are_seen_as_they_go",
}

KERNEL, LLOYD = find("kernel_k_means"), find("lloyd")
NEVER_RISES, FALLS, CHOICE, PARTS, SAME, BOUND, ENDS = KERNEL.theorems
PLANTED = {BOUND.statement: "test_distances_that_are_too_short_are_seen_below_the_bound"}
SILENT = {  # in the run that opens, and why
    "with φ written down it is Lloyd's step on φ(x)": "no finite φ makes an RBF kernel",
}
LINE = Dataset([[0.0], [1.0], [9.0], [10.0]])
RINGS = rings.with_(n=60, inner=0.5).load()
POLYNOMIAL = {"kernel": "polynomial", "gamma": 0.5, "degree": 2, "constant": 1.0}


def run_of(data, **parameters):
    problem = KERNEL.problem(data, None, parameters)
    return problem, list(KERNEL.start(problem))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


def failed(run):
    return {failure.verdict.theorem.statement for failure in run.failures}


# The algorithm


def test_by_hand():
    """Means on φ of 0 and 1 with x·z: {0} and {1, 9, 10}, weights 1/3; then 1 goes to the first; then nothing moves."""
    problem = KERNEL.problem(LINE, None, {"kernel": "linear", "k": 2})
    states = list(KERNEL.start(problem, begin(4, np.array([0, 1]))))
    assert [s.phase for s in states] == ["assign", "update", "assign", "update", "assign", "settled"]
    assert [s.labels.tolist() for s in states[::2]] == [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]
    np.testing.assert_allclose(states[1].weights, [[1, 0, 0, 0], [0, 1 / 3, 1 / 3, 1 / 3]])
    heights = [objective(problem, s) for s in states]
    np.testing.assert_allclose(heights, [145.0, 146 / 3, 158 / 9, 1.0, 1.0, 1.0])


@pytest.mark.parametrize("data", [RINGS, iris.load(), wine.with_(scale=True).load()], ids=lambda data: data.name)
@pytest.mark.parametrize("start", ["k-means++", "rows"])
def test_with_the_linear_kernel_it_is_lloyds_run(data, start):
    mine = list(KERNEL(data, kernel="linear", k=3, start=start, seed=1))
    theirs = list(LLOYD(data, k=3, start=start, seed=1))
    assert [s.phase for s in mine] == [s.phase for s in theirs]
    assert [s.labels.tolist() for s in mine] == [s.labels.tolist() for s in theirs]
    np.testing.assert_allclose(mine[-1].weights @ data.X, theirs[-1].means)


@pytest.mark.parametrize("data", [RINGS, iris.load()], ids=lambda data: data.name)
def test_with_features_written_down_it_is_lloyds_run_on_them(data):
    phi = Dataset(monomials(Kernel("polynomial", 0.5, 2, 1.0), data.X))
    for chosen in ([0, 1, 2], [5, 11, 40]):
        problem = KERNEL.problem(data, None, {**POLYNOMIAL, "k": 3})
        mine = list(KERNEL.start(problem, begin(data.n, np.array(chosen))))
        theirs = list(LLOYD(phi, state=lloyd_from(phi, phi.X[chosen]), k=3))
        assert [s.labels.tolist() for s in mine] == [s.labels.tolist() for s in theirs]
        model = KMeans(3, init=phi.X[chosen], n_init=1, tol=0, algorithm="lloyd").fit(phi.X)
        assert mine[-1].labels.tolist() == model.labels_.tolist()
        assert objective(problem, mine[-1]) == pytest.approx(model.inertia_, rel=1e-8)


def test_with_rbf_it_is_lloyd_on_mapped_rows():
    """The rows of a root of K are as good as φ(x): their inner products are those of φ."""
    kernel = Kernel("rbf", 1.0)
    values, vectors = np.linalg.eigh(kernel(RINGS.X, RINGS.X))
    phi = Dataset(vectors * np.sqrt(np.maximum(values, 0)))
    chosen = np.array([3, 4])
    mine = list(KERNEL(RINGS, state=begin(RINGS.n, chosen), k=2))
    theirs = list(LLOYD(phi, state=lloyd_from(phi, phi.X[chosen]), k=2))
    assert [s.labels.tolist() for s in mine] == [s.labels.tolist() for s in theirs]


def test_it_parts_the_rings_that_lloyd_cuts_across():
    run = Timeline(KERNEL, KERNEL.datasets[0]).run()
    data, last = run.data, run.at(run.last).state
    assert run.last < 240
    assert module.outside_share(run.problem, last) == 0.0
    assert KERNEL.explain(run.problem, None, last).endswith("The classes as clusters have the same J.")
    cut = list(LLOYD(data, k=2))[-1].labels
    assert 0.3 < (cut == data.y).mean() < 0.7
    assert not run.failures


def test_rings_have_the_radii_that_are_asked_for():
    data = rings.with_(inner=0.5, noise=0.0).load()
    np.testing.assert_allclose(np.linalg.norm(data.X, axis=1), np.where(data.y == 1, 2.0, 0.5))
    assert data.truth["radii"] == (0.5, 2.0)
    np.testing.assert_array_equal(rings.with_(inner=1.0).load().X, rings.load().X)


def test_rings_of_radii_one_and_two_have_more_j_than_a_cut_across():
    run = Timeline(KERNEL, rings.with_(n=120)).run()
    said = KERNEL.explain(run.problem, None, run.at(run.last).state)
    assert said.endswith("which is more: to this kernel they are not the clusters.")


# Forks


def test_a_fork_with_another_kernel_keeps_the_clusters_and_goes_on():
    run = Timeline(KERNEL, RINGS).run()
    fork = run.fork(2, gamma=3.0).run()
    assert same(fork.at(2).state, run.at(2).state)
    assert not fork.failures
    assert not fork.troubles


def test_rows_that_come_go_and_move_leave_the_others_in_their_clusters():
    run = Timeline(KERNEL, RINGS).run()
    for edit in (Add((0.1, 0.2), 0), Remove(3), Move(4, (2.0, 2.0))):
        fork = run.fork(2, data=edited(RINGS, [edit])).run()
        assert not fork.failures
        assert not fork.from_start
        np.testing.assert_allclose(fork.at(2).state.weights.sum(axis=1), 1.0)
    state = run.at(2).state
    for row in (10, 40):
        added = run.fork(2, data=edited(RINGS, [Add(tuple(RINGS.X[row] + 1e-3), 0)])).at(2).state
        assert added.labels.tolist() == [*state.labels.tolist(), all_distances(run.problem, state)[:, row].argmin()]
    first = int(run.at(0).state.weights[0].argmax())
    assert run.fork(0, data=edited(RINGS, [Remove(first)])).from_start
    assert not run.fork(0, data=edited(RINGS, [Remove((first + 1) % 60)])).run().failures


def test_the_cells_are_those_of_the_nearest_mean():
    problem, states = run_of(iris.with_(sample=40).load(), kernel="polynomial", gamma=0.5, k=3)
    last = states[-1]
    scores = rows_of(problem).closeness(problem.data.X, last.weights)
    assert scores.argmax(axis=1).tolist() == all_distances(problem, last).argmin(axis=0).tolist()


# The theorems


@pytest.mark.parametrize("kernel", [{"kernel": "linear"}, POLYNOMIAL, {"gamma": 3.0}], ids=lambda k: str(k)[:20])
@pytest.mark.parametrize("start", ["k-means++", "rows", "assignment"])
def test_they_hold_at_every_step(kernel, start):
    for data in (RINGS, iris.with_(sample=40).load(), moons.with_(n=40).load()):
        problem, states = run_of(data, k=4, start=start, **kernel)
        found = {status(t, problem, a, b) for a, b in zip([None, *states], states) for t in KERNEL.theorems}
        assert found == {"holds", "does not apply"}


def test_a_run_that_moves_every_second_row_is_seen_as_it_goes(monkeypatch):
    nearer = feature_means.FeatureRows.nearer

    def every_second(self, weights, labels):
        new = nearer(self, weights, labels)
        moved = np.flatnonzero(new != labels)[1::2] if labels[0] >= 0 else []
        new[moved] = labels[moved]
        return new

    monkeypatch.setattr(feature_means.FeatureRows, "nearer", every_second)
    assert CHOICE.statement in failed(Timeline(KERNEL, KERNEL.datasets[0]).run())


def test_means_that_go_half_way_are_seen_as_they_go(monkeypatch):
    whole = module.equal_weights
    monkeypatch.setattr(module, "equal_weights", lambda z, k, before: (whole(z, k, before) + before) / 2)
    run = Timeline(KERNEL, RINGS, {"sweeps": 3, "kernel": "linear"}).run()
    assert {PARTS.statement, SAME.statement} <= failed(run)


def test_rows_that_go_to_the_farther_mean_raise_j():
    problem, states = run_of(RINGS, seed=0)
    before, after = states[2:4]
    assert status(NEVER_RISES, problem, before, after) == "holds"
    wrong = replace(after, labels=(1 - after.labels).astype(np.int8))
    assert {status(t, problem, before, wrong) for t in (NEVER_RISES, FALLS, CHOICE)} == {"fails"}


def test_features_that_are_not_those_of_the_kernel_are_noticed(monkeypatch):
    problem, states = run_of(RINGS, **POLYNOMIAL)
    assert status(SAME, problem, None, states[2]) == "holds"
    other = Dataset(RINGS.X)
    wrong = monomials(Kernel("polynomial", 0.5, 2, 0.5), RINGS.X)
    monkeypatch.setattr(module, "explicit_features", lambda data, kernel: wrong)
    assert status(SAME, KERNEL.problem(other, None, POLYNOMIAL), None, states[2]) == "fails"


def test_distances_that_are_too_short_are_seen_below_the_bound(monkeypatch):
    whole = feature_means.FeatureRows.squared_distances
    monkeypatch.setattr(feature_means.FeatureRows, "squared_distances", lambda self, w: 0.9 * whole(self, w))
    assert BOUND.statement in failed(Timeline(KERNEL, KERNEL.datasets[0]).run())


def test_a_run_that_ends_early_is_seen_at_its_end():
    problem, states = run_of(RINGS)
    assert status(ENDS, problem, None, states[-1]) == "holds"
    early = replace(states[-1], labels=np.roll(states[-1].labels, 1))
    assert status(ENDS, problem, None, early) == "fails"


def test_no_clustering_is_below_the_bound():
    problem = KERNEL.problem(RINGS, None, {"k": 3})
    rows, rng = module.rows_of(problem), np.random.default_rng(0)
    heights = []
    for _ in range(30):
        labels = rng.integers(0, 3, RINGS.n).astype(np.int8)
        weights = feature_means.equal_weights(labels, 3, np.zeros((3, RINGS.n)))
        heights.append(rows.squared_distances(weights)[labels, np.arange(RINGS.n)].sum())
    assert rows.least_possible(3) <= min(heights)
    assert rows.least_possible(1) == pytest.approx(rows.total)


def test_they_say_why_they_do_not_apply():
    problem, states = run_of(RINGS)
    assert SAME.verdict(problem, None, states[2]).why == "no finite φ makes an RBF kernel"


# Refusals, and what a person sees


def test_an_empty_clusters_mean_stays():
    data = Dataset([[0.1], [0.1], [0.1], [0.7], [0.7], [0.7]])
    run = Timeline(KERNEL, data, {"k": 4, "start": "rows"}).run()
    assert run.stopped.reason == "no row moved"
    assert not run.failures
    assert objective(run.problem, run.at(run.last).state) == pytest.approx(0.0, abs=1e-12)


def test_what_cannot_be_is_refused_in_words():
    with pytest.raises(Refused, match="5 clusters need 5 rows or more"):
        KERNEL(LINE, k=5)
    with pytest.raises(Refused, match="all rows of data are in one place"):
        KERNEL(np.ones((5, 2)))
    with pytest.raises(Refused, match="a number for each pair of rows, of 3,000 at most"):
        KERNEL(moons.with_(n=3001).load())


@pytest.mark.parametrize("scale", [1e-20, 1e20])
def test_large_and_small_numbers_pass(scale):
    run = Timeline(KERNEL, Dataset(scale * RINGS.X), {"kernel": "linear", "k": 3}).run()
    assert not run.failures


@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_far_from_the_origin_lloyds_step_is_still_the_same(offset):
    run = Timeline(KERNEL, Dataset(offset + RINGS.X), {"kernel": "linear", "k": 3}).run()
    assert SAME.verdict(run.problem, run.at(1).state, run.at(2).state).status == "holds"
    assert not run.failures


def test_it_explains_its_steps():
    problem, states = run_of(RINGS)
    texts = [KERNEL.explain(problem, a, b) for a, b in zip([None, *states], states)]
    assert texts[0].startswith("The means start on φ of rows ")
    assert texts[1].startswith("Every row joins the nearest mean: ")
    assert texts[2].startswith("The rows of a mean weigh alike: 1/")
    assert " of 60 rows change cluster" in texts[3] or " rows changes cluster" in texts[3]
    found = re.search(r"Row (\d+) ", texts[3])
    assert found is not None
    row = int(found[1])
    joined, left = states[3].labels[row], states[2].labels[row]
    away = np.sqrt(all_distances(problem, states[3])[:, row])
    assert f"Row {row} ({problem.data.row(row)}) joins {joined}: its φ is {away[joined]:.3g} from its" in texts[3]
    assert f"mean, {away[left]:.3g} from that of {left}. " in texts[3]


def test_where_phi_puts_it_a_row_says_its_cluster_as_on_the_stage():
    problem, states = run_of(RINGS)
    stage, plane, *_ = KERNEL.scene(problem, states[2], states[3]).panels
    (rows,), (put, *_) = ([m for m in panel.marks if isinstance(m, Points)] for panel in (stage, plane))
    assert put.says(7) == rows.says(7)
    assert f"cluster {states[3].labels[7]}: " in put.says(7)
