"""Spectral clustering: by hand, against scikit-learn and Lloyd's algorithm, and its theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score

from algorithms import Move, Refused, Timeline, edited, find
from algorithms.core import Dataset, Points
from algorithms.data import blobs, iris, moons, rings, wine
from algorithms.families.clustering.lloyd import begin as lloyd_from
from algorithms.families.clustering.spectral_clustering import algorithm as module, neighbour_graph

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_graph_of_other_neighbours_is_noticed",
    "update": "test_a_walk_of_another_length_or_away_from_what_is_slow_is_noticed",
}

SPECTRAL, LLOYD = find("spectral_clustering"), find("lloyd")
CUT, ZEROS, JOINED, ALONG, WALK, RISES, NEAR, ENDED, LEAST, FALLS, ENDS = SPECTRAL.theorems
PLANTED = {
    CUT.statement: "test_a_cut_that_is_counted_short_is_seen_below_the_least_eigenvalues",
    LEAST.statement: "test_a_vector_taken_early_or_twice_is_noticed",
    NEAR.statement: "test_eigenvalues_of_another_laplacian_are_noticed",
}
TWO = Dataset([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])  # two groups of three on a line
RINGS = rings.with_(n=60, seed=1).load()


def run_of(data, **parameters):
    problem = SPECTRAL.problem(data, None, parameters)
    return problem, list(SPECTRAL.start(problem))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


def failed(run):
    return {failure.verdict.theorem.statement for failure in run.failures}


def of_phase(states, phase):
    """(the state before it, it) of the first of a phase."""
    i = next(i for i, s in enumerate(states) if s.phase == phase)
    return states[i - 1], states[i]


def affinity(states, n):
    W = np.zeros((n, n))
    edges = states[-1].edges
    W[edges[:, 0], edges[:, 1]] = W[edges[:, 1], edges[:, 0]] = 1.0
    return W


# The algorithm


def test_two_groups_by_hand():
    """With one neighbour: 0-1-2 and 10-11-12, degrees 1, 2, 1: 0 twice, then 1 twice, then 2 twice."""
    problem, states = run_of(TWO, neighbours=1, tol=1e-12)
    assert states[1].edges.tolist() == [[0, 1], [1, 2], [3, 4], [4, 5]]
    graph = module.graph_of(problem)
    np.testing.assert_allclose(graph.values, [0, 0, 1, 1, 2, 2], atol=1e-12)
    np.testing.assert_allclose(states[1].vectors[0] ** 2, np.array([1, 2, 1, 1, 2, 1]) / 8)
    f = module.places(problem, states[-1])[:, 0]
    np.testing.assert_allclose(np.abs(f), 1.0, atol=1e-9)  # one value in each group, of opposite signs
    assert adjusted_rand_score(states[-1].labels, [0, 0, 0, 1, 1, 1]) == 1.0
    assert module.normalised_cut(problem, states[-1]) == 0.0


def test_an_iteration_by_hand():
    """Three rows in a path: P has 1, ½, 0 along (1, √2, 1)/2, (1, 0, -1)/√2, (1, -√2, 1)/2."""
    data = Dataset([[0.0], [1.0], [2.0]])
    problem = SPECTRAL.problem(data, None, {"neighbours": 1, "steps": 1})
    edges = list(SPECTRAL.start(problem))[1]
    slow, fast = np.array([1, 0, -1]) / np.sqrt(2), np.array([1, -np.sqrt(2), 1]) / 2
    after = next(SPECTRAL.start(problem, replace(edges, u=0.6 * slow + 0.8 * fast)))
    np.testing.assert_allclose(after.u, slow, atol=1e-12)
    assert after.turn == pytest.approx(np.arccos(0.6))


@pytest.mark.parametrize(
    ("data", "parameters"),
    [
        (RINGS, {"k": 2, "neighbours": 4}),
        (blobs.with_(n=80, k=3, spread=1.0, seed=2).load(), {"k": 3, "neighbours": 8}),
        (wine.with_(scale=True).load(), {"k": 3, "neighbours": 8}),
    ],
    ids=["rings", "blobs", "wine"],
)
def test_the_same_clusters_as_scikit_learn_on_the_same_graph(data, parameters):
    problem, states = run_of(data, tol=1e-9, turns=5000, **parameters)
    W, k = affinity(states, data.n), parameters["k"]
    theirs = SpectralClustering(k, affinity="precomputed", random_state=0, n_init=20).fit(W)
    assert adjusted_rand_score(states[-1].labels, theirs.labels_) == 1.0
    values = np.linalg.eigvalsh(module.graph_of(problem).L)
    quotients = np.diag(states[-1].vectors @ module.graph_of(problem).L @ states[-1].vectors.T)
    np.testing.assert_allclose(quotients, values[:k], atol=1e-9)


def test_from_the_same_means_it_is_lloyd_and_scikit_learns_k_means_on_the_mapped_rows():
    problem, states = run_of(iris.load(), k=4)
    f = module.places(problem, states[-1])
    means = of_phase(states, "means")[1].means
    theirs = list(LLOYD(Dataset(f), state=lloyd_from(Dataset(f), means), k=4))
    mine = [s.labels.tolist() for s in states if s.phase in ("assign", "update", "settled")]
    assert mine == [s.labels.tolist() for s in theirs]
    model = KMeans(4, init=means, n_init=1, tol=0, algorithm="lloyd").fit(f)
    assert states[-1].labels.tolist() == model.labels_.tolist()
    assert module.objective(problem, states[-1]) == pytest.approx(model.inertia_, rel=1e-8)


def test_it_parts_the_rings_that_lloyd_cuts_across():
    run = Timeline(SPECTRAL, SPECTRAL.datasets[0]).run()
    assert run.last < 240
    assert adjusted_rand_score(run.at(run.last).state.labels, run.data.y) == 1.0
    assert adjusted_rand_score(list(LLOYD(run.data, k=2))[-1].labels, run.data.y) < 0.1
    assert not run.failures
    assert not run.troubles


def test_components_are_counted_as_eigenvalues_are():
    for m, apart in ((1, 2), (2, 2), (3, 1)):
        problem, states = run_of(TWO, neighbours=m)
        assert module.graph_of(problem).zeros == neighbour_graph.components(6, states[1].edges) == apart


# Forks


def test_a_fork_to_another_graph_or_other_rows_is_a_run_from_the_start():
    run = Timeline(SPECTRAL, RINGS).run()
    assert run.fork(4, neighbours=3).from_start
    assert run.fork(4, data=edited(RINGS, [Move(0, (0.0, 0.0))])).from_start


def test_a_fork_that_asks_for_more_care_or_longer_walks_goes_on():
    run = Timeline(SPECTRAL, RINGS).run()
    for changed in ({"tol": 1e-6}, {"steps": 9}, {"turns": 2}):
        fork = run.fork(3, **changed).run()
        assert not fork.from_start
        assert not fork.failures
        assert not fork.troubles


# The theorems


@pytest.mark.parametrize(
    "parameters", [{"k": 4}, {"tol": 0.2, "steps": 5}, {"neighbours": 1, "k": 3, "turns": 4}, {"tol": 0, "turns": 9}]
)
def test_they_hold_at_every_step(parameters):
    for data in (RINGS, iris.with_(sample=40).load(), moons.with_(n=40).load(), TWO):
        problem, states = run_of(data, **{"neighbours": 4, **parameters})
        found = {status(t, problem, a, b) for a, b in zip([None, *states], states) for t in SPECTRAL.theorems}
        assert found == {"holds", "does not apply"}


def test_a_graph_of_other_neighbours_is_noticed():
    problem, states = run_of(RINGS)
    assert status(JOINED, problem, None, states[1]) == "holds"
    fewer = SPECTRAL.problem(RINGS, None, {"neighbours": 4})
    wrong = replace(states[1], edges=module.graph_of(fewer).edges)
    assert status(JOINED, problem, None, wrong) == "fails"
    second = replace(states[1], edges=states[1].edges[::2])
    assert {status(t, problem, None, second) for t in (JOINED, ZEROS, ALONG)} == {"fails"}


def test_a_run_that_joins_too_few_is_seen_as_it_goes(monkeypatch):
    whole = module.neighbour_graph

    def too_few(data, neighbours):
        graph = whole(data, neighbours)
        graph.edges = graph.edges[1:]
        return graph

    monkeypatch.setattr(module, "neighbour_graph", too_few)
    assert {JOINED.statement, ALONG.statement} <= failed(Timeline(SPECTRAL, Dataset(RINGS.X)).run())


def test_a_laplacian_without_degrees_is_noticed(monkeypatch):
    monkeypatch.setattr(neighbour_graph, "laplacian", lambda joined, degrees: np.eye(len(joined)) - joined / 9)
    run = Timeline(SPECTRAL, Dataset(RINGS.X), {"turns": 5}).run()
    assert {ZEROS.statement, ALONG.statement} <= failed(run)


def test_eigenvalues_of_another_laplacian_are_noticed():
    problem, states = run_of(Dataset(RINGS.X))
    _, found = of_phase(states, "found")
    graph = module.graph_of(problem)
    assert status(NEAR, problem, None, found) == "holds"
    roots = np.sqrt(graph.degrees)
    graph.pairs = np.linalg.eigh(roots[:, None] * graph.L * roots)  # of D - W
    assert {status(t, problem, None, found) for t in (NEAR, LEAST)} == {"fails"}


def test_a_walk_of_another_length_or_away_from_what_is_slow_is_noticed(monkeypatch):
    walked = module.walked
    monkeypatch.setattr(module, "walked", lambda P, u, found, steps: walked(P, u, found, steps // 2))
    assert failed(Timeline(SPECTRAL, Dataset(RINGS.X)).run()) == {WALK.statement}
    monkeypatch.setattr(module, "walked", lambda P, u, found, steps: walked(np.eye(len(P)) - P, u, found, steps))
    assert {WALK.statement, RISES.statement} <= failed(Timeline(SPECTRAL, Dataset(RINGS.X), {"turns": 9}).run())


def test_a_vector_taken_early_or_twice_is_noticed():
    problem, states = run_of(RINGS, k=3)
    before, found = of_phase(states, "found")
    early = replace(found, turn=0.1)
    assert status(ENDED, problem, before, early) == "fails"
    twice = replace(found, vectors=np.stack([found.vectors[0], found.vectors[0]]))
    assert status(LEAST, problem, before, twice) == "fails"


def test_a_cut_that_is_counted_short_is_seen_below_the_least_eigenvalues(monkeypatch):
    whole = neighbour_graph.NeighbourGraph.cut
    monkeypatch.setattr(neighbour_graph.NeighbourGraph, "cut", lambda self, edges, z, k: whole(self, edges[::4], z, k))
    run = Timeline(SPECTRAL, iris.load(), {"k": 4}).run()
    assert CUT.statement in failed(run)


def test_means_that_go_past_the_middle_and_rows_that_go_astray_are_noticed():
    problem, states = run_of(iris.load(), k=3)
    before, after = of_phase(states, "update")
    assert status(FALLS, problem, before, after) == "holds"
    past = replace(after, means=before.means + 2.5 * (after.means - before.means))
    assert status(FALLS, problem, before, past) == "fails"
    astray = replace(after, labels=np.roll(after.labels, 60))
    assert status(FALLS, problem, before, astray) == "fails"
    last = states[-1]
    assert status(ENDS, problem, None, last) == "holds"
    assert status(ENDS, problem, None, replace(last, means=last.means + 1e-3)) == "fails"
    assert status(ENDS, problem, None, replace(last, labels=np.roll(last.labels, 60))) == "fails"


def test_the_letters_j_and_f_give_the_numbers_that_are_shown():
    """J as its letter has it, Σd Σ‖f - μ‖² of the f = u/√d of a vector of length 1."""
    problem, states = run_of(RINGS)
    last, symbols = states[-1], SPECTRAL.symbols
    d = module.graph_of(problem).degrees
    f = last.vectors[1] / np.sqrt(d)
    away = f - np.array([f[last.labels == j].mean() for j in range(2)])[last.labels]
    words, value = symbols["J"]
    assert words == "Σd Σ‖f - μ_z‖²: of f as shown"
    assert d.sum() * (away @ away) == pytest.approx(value(problem, last))
    assert symbols["f, fᵢ"][0] == "u/√d, row by row, of each vector but the first: coordinates, shown times √Σd"
    assert module.places(problem, last)[:, 0] == pytest.approx(np.sqrt(d.sum()) * f)
    ones = np.asarray(last.labels == 1)  # the proof's u of a cluster: its steps along edges come to cut/vol
    leaving, volume = module.graph_of(problem).cut(last.edges, last.labels, 2)
    steps = np.diff((ones / np.sqrt(volume[1]))[last.edges], axis=1)
    assert (steps**2).sum() == pytest.approx(leaving[1] / volume[1])
    assert "(fᵢ - f)²" not in "".join(CUT.proof)


def test_they_say_why_they_do_not_apply():
    problem, states = run_of(RINGS, turns=1)
    assert ENDED.verdict(problem, *of_phase(states, "found")).why == "the iteration was ended after 1, as asked"
    assert SPECTRAL.phases["found"].startswith("u turns by no more than tol, or its turns are used up: ")
    lone = replace(states[-1], labels=np.zeros(60, np.int8))
    assert CUT.verdict(problem, None, lone).why == "a cluster is empty"


# Refusals, and what a person sees


def test_what_cannot_be_is_refused_in_words():
    with pytest.raises(Refused, match="a row with 6 neighbours is one of 7 or more; data has 6"):
        SPECTRAL(TWO, neighbours=6)
    with pytest.raises(Refused, match="7 clusters need 7 rows or more; data has 6"):
        SPECTRAL(TWO, neighbours=2, k=7)
    with pytest.raises(Refused, match="a number for each pair of rows, of 1,000 at most"):
        SPECTRAL(moons.with_(n=1001).load())


@pytest.mark.parametrize("X", [np.ones((8, 2)), 1e-90 * RINGS.X, 1e90 * RINGS.X, RINGS.X[[0] * 6 + [*range(20)]]])
def test_equal_rows_and_large_and_small_numbers_pass(X):
    run = Timeline(SPECTRAL, Dataset(X), {"k": 3, "turns": 20}).run()
    assert run.stopped.reason == "no row moved"
    assert not run.failures


def test_assignments_are_counted_without_the_vectors():
    run = Timeline(SPECTRAL, RINGS, {"sweeps": 2}).run()
    assert [run.at(t).state.phase for t in range(len(run))].count("assign") == 2
    assert run.stopped.reason == "2 assignments, and rows may still move"


def test_across_a_fork_with_longer_walks_it_does_not_say_how_long_the_last_one_was():
    run = Timeline(SPECTRAL, RINGS)
    run.advance(4)
    fork = run.fork(2, steps=3)
    state = fork.at(2).state
    assert SPECTRAL.explain(fork.problem, None, state).startswith("The last round turned u₂ by ")
    fork.advance(1)
    assert SPECTRAL.explain(fork.problem, state, fork.at(3).state).startswith("3 steps of the walk turn u₂ by ")


def test_it_explains_its_steps():
    problem, states = run_of(RINGS, neighbours=2, k=3)
    texts = {s.phase: SPECTRAL.explain(problem, a, s) for a, s in zip([None, *states], states)}
    assert texts["start"] == "60 rows, not joined yet. Each will be joined to its 2 nearest neighbours."
    assert "connected components, so L has the eigenvalue 0 " in texts["edges"]
    assert texts["iterate"].startswith("64 steps of the walk turn u₃ by ")
    assert " rows have f <= 0, the other " in texts["found"]
    assert texts["across"] == "A random u across the 2 vectors found is to become u₃."
    assert texts["means"].startswith("Of every row the 2 values of f are its place now.")
    assert " of 60 rows lie outside their class." in texts["settled"]


def test_a_row_says_how_many_edges_it_has_and_where_f_puts_it_or_its_cluster():
    problem, states = run_of(RINGS, k=3)
    found = next(s for s in states if s.phase == "found")
    for state, words in ((found, "f "), (states[-1], f"cluster {states[-1].labels[5]}: ")):
        stage, put, *_ = SPECTRAL.scene(problem, None, state).panels
        (rows,), (placed,) = ([m for m in panel.marks if isinstance(m, Points)] for panel in (stage, put))
        assert placed.says(5).startswith(words)
        assert rows.says(5) == f"{int((state.edges == 5).sum())} edges, {placed.says(5)}"
