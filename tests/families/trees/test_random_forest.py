"""The random forest: bagging where it asks about all features, scikit-learn's beside it, its theorems broken."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.ensemble import RandomForestClassifier

from algorithms import Add, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import moons, wine
from algorithms.families.trees.random_forest import algorithm as file
from algorithms.families.trees.random_forest.algorithm import by_features, importance, plan_of
from algorithms.families.trees.random_forest.importances import rises, shuffled
from algorithms.families.trees.shared import vote_statements
from algorithms.families.trees.shared.bags import first_drawn, heard, says, tree_on_bag
from algorithms.families.trees.shared.vote_statements import Margins, margins_of
from algorithms.saving.runlog import Recorder
from algorithms.toolbox.impurity import total_impurity
from algorithms.toolbox.questions import columns_of, counts_of, survey
from algorithms.toolbox.trees import LEAF, Nodes

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_root_that_asks_about_the_worst_feature_drawn_is_noticed",
    "update": "test_a_rise_measured_inside_the_bag_is_noticed",
}

FOREST = find("random_forest")
STRENGTH, JENSEN, DECOMPOSED, TWICE, OUT, DRAWS, ROOT, GROWN_OUT, RISE, NOTHING = FOREST.theorems
PLANTED = {  # no small change of a state makes its trees others, or the vote so bad
    STRENGTH.statement: "test_deviations_that_are_twice_too_large_break_the_bound",
    JENSEN.statement: "test_votes_that_count_twice_break_jensen",
    TWICE.statement: "test_a_minority_that_decides_errs_more_than_twice_as_often",
    ROOT.statement: "test_a_root_that_asks_about_the_worst_feature_drawn_is_noticed",
    GROWN_OUT.statement: "test_a_tree_that_sends_its_rows_to_the_other_child_is_noticed",
}
SMALL = wine.with_(scale=True, hold_out=0.5, columns=("alcohol", "flavanoids", "proline", "hue", "ash")).load()


def run_of(data=SMALL, **parameters):
    """The problem and its states."""
    problem = FOREST.problem(data, None, parameters)
    return problem, list(FOREST.start(problem))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


def values(run, t):
    return dict(zip([curve.name for curve in FOREST.curves], run.values(run.at(t))))


# By hand


def test_its_phases_and_their_numbers():
    _, states = run_of(trees=2)
    assert [s.phase for s in states] == ["start", *["draw", "grow", "permute"] * 2]
    assert [s.iteration for s in states] == [0, 1, 1, 1, 2, 2, 2]
    assert [len(s.bags) for s in states] == [0, 1, 1, 1, 2, 2, 2]
    assert [len(s.trees) for s in states] == [0, 0, 1, 1, 1, 2, 2]
    assert [sum(len(r) > 0 for r in s.rises) for s in states] == [0, 0, 0, 1, 1, 1, 2]


def test_a_rise_by_hand():
    """Row by row: the tree asks x0 <= 1; with that column turned round both rows outside the bag go wrong."""
    counts = np.array([[1, 1], [1, 0], [0, 1]])
    tree = Nodes(np.array([0, -1, -1]), np.array([1.0, np.nan, np.nan]), np.array([1, LEAF, LEAF]), counts)
    X, y = np.array([[0.0, 5.0], [2.0, 6.0], [3.0, 7.0]]), np.array([0, 1, 1])
    outside = np.array([True, True, False])
    seeds = [(s,) for s in range(8)]
    turned = [bool(shuffled(X[outside], 0, seed)[0, 0] == 2.0) for seed in seeds]
    assert {*turned} == {True, False}
    assert [rises(tree, X, y, outside, seed).tolist() for seed in seeds] == [[float(t), 0.0] for t in turned]
    assert rises(tree, X, y, np.zeros(3, bool), (0,)).tolist() == [0.0, 0.0]


def test_strength_and_correlation_by_hand():
    """Two trees on two rows of class 0: right and right; right and wrong. Margins 1 and 0, s = ½, var = ¼."""
    known = margins_of(np.array([[0, 0], [0, 1]]), np.array([0, 0]), 2)
    assert known.margins.tolist() == [1.0, 0.0]
    assert (known.strength, known.deviations.tolist()) == (0.5, [0.0, 1.0])
    assert known.correlation == 0.25 / 0.25


def test_deviations_that_are_twice_too_large_break_the_bound(monkeypatch):
    """A deviation twice as large makes the correlation a quarter of what it is."""
    problem, states = run_of(trees=9)
    before, after = states[-3:-1]
    assert status(STRENGTH, problem, before, after) == "holds"

    def twice(problem, state):
        said, y = heard(problem, state), problem.data.y
        known = margins_of(said, np.asarray(y), len(problem.data.classes))
        return Margins(known.margins, 2 * known.deviations)

    monkeypatch.setattr(vote_statements, "margins", twice)
    assert status(STRENGTH, problem, before, after) == "fails"


def test_the_bound_is_claimed_of_a_strength_above_0_alone(monkeypatch):
    """Trees that are all wrong have margins of -1: the share of these is 1, and var/s² is 0."""
    wrong = margins_of(np.ones((3, 4), int), np.zeros(4, int), 2)
    assert wrong.margins.tolist() == [-1.0] * 4
    assert (wrong.margins <= 0).mean() > wrong.margins.var() / wrong.strength**2
    problem, states = run_of(trees=2)
    monkeypatch.setattr(vote_statements, "margins", lambda problem, state: wrong)
    assert STRENGTH.verdict(problem, states[-3], states[-2]).why == "the strength s = -1 is not above 0"
    for about in (FOREST.about, vote_statements.__doc__):
        assert "s > 0" in about.partition("<=   var(margin)/s²")[0]


# Against bagging and scikit-learn


def test_with_all_features_at_each_node_it_is_bagging():
    _, states = run_of(trees=5, features=SMALL.d, seed=3)
    *_, bagged = find("bagging")(SMALL, trees=5, seed=3)
    assert all(same(a, b) for a, b in zip(states[-1].trees, bagged.trees, strict=True))
    assert same(states[-1].out, bagged.out)


def accuracies(data, trees, seeds, **same_as):
    aside = data.held_out
    ours, other = [], []
    for seed in seeds:
        *_, last = FOREST(data, trees=trees, seed=seed)
        votes = sum(np.eye(len(data.classes))[says(tree, aside.X)] for tree in last.trees)
        ours.append((votes.argmax(axis=1) == aside.y).mean())
        theirs = RandomForestClassifier(trees, random_state=seed).fit(data.X, data.y)
        other.append(theirs.score(aside.X, aside.y))
    return np.array(ours), np.array(other)


def within_the_spread(ours, other):
    """The mean of the one lies between the least and the greatest of the other, over the seeds."""
    return other.min() <= ours.mean() <= other.max()


def test_it_is_as_often_right_as_scikit_learn_s():
    assert within_the_spread(*accuracies(SMALL, 7, range(8)))


@pytest.mark.soak
@pytest.mark.parametrize("recipe", [moons.with_(n=400, noise=0.35), wine], ids=["moons", "wine"])
def test_over_twenty_seeds_it_is_as_often_right_as_scikit_learn_s(recipe):
    assert within_the_spread(*accuracies(recipe.with_(hold_out=0.5).load(), 25, range(20)))


def test_importances_are_in_the_order_of_scikit_learn_s_permutation():
    from sklearn.inspection import permutation_importance

    _, states = run_of(trees=25)
    model = RandomForestClassifier(25, random_state=0).fit(SMALL.X, SMALL.y)
    theirs = permutation_importance(model, SMALL.held_out.X, SMALL.held_out.y, random_state=0).importances_mean
    assert np.corrcoef(importance(states[-1]), theirs)[0, 1] > 0.75
    assert importance(states[-1]).argmin() == theirs.argmin()
    assert importance(states[-1]) == pytest.approx(np.mean(states[-1].rises, axis=0))


# Its states


def test_it_goes_on_from_any_state_bit_for_bit():
    problem, states = run_of(trees=4)
    for i, state in enumerate(states):
        rest = list(FOREST.start(FOREST.problem(SMALL, None, {"trees": 4}), pickle.loads(pickle.dumps(state))))
        assert all(same(a, b) for a, b in zip(rest, states[i + 1 :], strict=True))


def test_a_row_more_and_one_moved_are_measured_where_they_are_by_the_trees_as_they_were():
    run = Timeline(FOREST, SMALL, {"trees": 5}).run()
    there = tuple(SMALL.X[2] + 3.0)
    data = edited(SMALL, [Move(0, there), Add(there, 1), Remove(4)])
    fork = run.fork(9, data=data)
    now = fork.at(9).state
    assert now.trees == run.at(9).state.trees
    assert [each[-1] for each in now.bags] == [0, 0, 0]
    expected = [
        rises(tree, data.X, np.asarray(data.y), each == 0, (0, b, 2))
        for b, (tree, each) in enumerate(zip(now.trees, now.bags))
    ]
    assert all(same(a, b) for a, b in zip(now.rises, expected, strict=True))
    assert not fork.run().failures
    assert not fork.troubles


def test_without_importances_it_goes_from_tree_to_tree_and_a_fork_may_turn_them_on():
    run = Timeline(FOREST, SMALL, {"trees": 4, "importances": False}).run()
    assert [run.at(t).state.phase for t in range(len(run))] == ["start", *["draw", "grow"] * 4]
    fork = run.fork(4, importances=True).run()
    assert [len(rise) for rise in fork.at(fork.last).state.rises] == [0, 5, 5, 5]
    assert not fork.failures
    assert not fork.troubles
    added = fork.fork(fork.last, data=edited(SMALL, [Add(tuple(SMALL.X[0]), 1)]))
    assert [len(rise) for rise in added.at(added.begin).state.rises] == [0, 5, 5, 5]


def test_a_fork_of_the_last_state_without_importances_ends_where_it_stands():
    run = Timeline(FOREST, SMALL, {"trees": 2}).run()
    fork = run.fork(run.last, importances=False).run()
    assert fork.stopped.reason == "2 trees"
    assert fork.at(fork.last).state.phase == "permute"
    assert not fork.failures


@pytest.mark.parametrize("changed", [{"features": 5}, {"max_depth": 2}, {"min_leaf": 6}, {"seed": 4}, {"trees": 3}])
def test_a_fork_with_other_trees_from_here_on_is_sound(changed):
    fork = Timeline(FOREST, SMALL, {"trees": 5}).run().fork(9, **changed).run()
    assert not fork.failures
    assert not fork.troubles


def test_more_features_than_there_are_are_refused_in_a_sentence():
    with pytest.raises(Refused, match="6 features cannot be drawn at a node: wine has 5."):
        run_of(features=6)


# Its theorems


@pytest.mark.parametrize("data", [SMALL, moons.with_(n=50, noise=0.3).load()], ids=lambda data: data.name)
@pytest.mark.parametrize("parameters", [{}, {"features": 2}, {"max_depth": 2}, {"min_leaf": 9, "criterion": "entropy"}])
def test_they_hold(data, parameters):
    problem, states = run_of(data, trees=5, **parameters)
    for before, after in zip([None, *states], states):
        for theorem in FOREST.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", verdict.sides


def test_a_root_that_asks_about_the_worst_feature_drawn_is_noticed():
    problem, states = run_of(trees=1, features=3)
    before, after = states[1:3]
    columns, rows = columns_of(SMALL), np.repeat(np.arange(SMALL.n), after.bags[0])
    counts = counts_of(columns, rows)
    best = survey(columns, rows, counts, total_impurity("gini", SMALL.n), 1).best
    drawn = first_drawn(SMALL.d, 0, plan_of(problem))[:3].tolist()
    assert after.trees[0].feature[0] == max(drawn, key=lambda j: best[j].fall)
    worst = best[min(drawn, key=lambda j: best[j].fall)]
    left = counts_of(columns, rows[SMALL.X[rows, worst.feature] <= worst.threshold])
    stump = Nodes(
        np.array([worst.feature, -1, -1]),
        np.array([worst.threshold, np.nan, np.nan]),
        np.array([1, LEAF, LEAF]),
        np.array([counts, left, counts - left]),
    )
    assert status(ROOT, problem, before, after) == "holds"
    assert status(ROOT, problem, before, replace(after, trees=(stump,))) == "fails"


def test_a_tree_that_asks_about_features_it_did_not_draw_is_noticed(monkeypatch):
    """All of them at each node, as in bagging."""

    def bagged(data, b, plan):
        return tree_on_bag(data, b, replace(plan, features=data.d))

    monkeypatch.setattr(file, "tree_on_bag", bagged)
    run = Timeline(FOREST, wine, {"trees": 4, "importances": False}).run()
    assert ROOT.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_a_tree_that_sends_its_rows_to_the_other_child_is_noticed():
    problem, states = run_of(trees=1)
    tree = states[2].trees[0]
    turned = Nodes(tree.feature, -tree.threshold - 1, tree.left, tree.counts)
    assert status(GROWN_OUT, problem, states[1], states[2]) == "holds"
    assert status(GROWN_OUT, problem, states[1], replace(states[2], trees=(turned,))) == "fails"


def test_votes_that_count_twice_break_jensen(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, states = run_of(trees=5)
    before, after = states[-3:-1]
    assert status(JENSEN, problem, before, after) == "holds"
    counted = vote_statements.shares
    monkeypatch.setattr(vote_statements, "shares", lambda problem, state: 2 * counted(problem, state))
    assert status(JENSEN, run_of(trees=5)[0], before, after) == "fails"


def test_a_minority_that_decides_errs_more_than_twice_as_often():
    problem, states = run_of(trees=5)
    before, after = states[-3:-1]
    assert status(TWICE, problem, before, replace(after, votes=-after.votes)) == "fails"


def test_a_rise_measured_inside_the_bag_is_noticed():
    problem, states = run_of(trees=1)
    before, after = states[-2:]
    inside = rises(after.trees[0], SMALL.X, np.asarray(SMALL.y), after.bags[0] > 0, (0, 0, 2))
    assert status(RISE, problem, before, after) == status(NOTHING, problem, before, after) == "holds"
    assert status(RISE, problem, before, replace(after, rises=(inside,))) == "fails"
    everywhere = after.rises[0] + 0.01
    assert status(NOTHING, problem, before, replace(after, rises=(everywhere,))) == "fails"


# What is seen


@pytest.mark.parametrize("name", ["wine", "penguins"])
def test_the_correlation_falls_with_fewer_features_and_the_trees_get_weaker(name):
    recipe = next(each for each in FOREST.datasets if each.name == name)
    measured = by_features(FOREST.problem(recipe.load()))
    correlations = [measured[features][0] for features in sorted(measured)]
    assert correlations == sorted(correlations)
    assert measured[1][1] < measured[max(measured)][1]


def test_against_bagging_its_trees_are_worse_and_its_vote_is_better():
    recipe = FOREST.datasets[0]
    forest = Timeline(FOREST, recipe, {"seed": 1}).run()
    bagged = Timeline(find("bagging"), recipe, {"seed": 1}).run()
    mine = values(forest, forest.last - 1)
    theirs = dict(zip([c.name for c in bagged.algorithm.curves], bagged.values(bagged.at(bagged.last))))
    assert mine["correlation"] < 0.8 * theirs["correlation"]
    assert mine["spread"] > theirs["spread"]
    assert mine["squared error"] < theirs["squared error"]
    assert mine["held-out error"] <= theirs["held-out error"]


def test_pictures_have_their_importance_as_an_image():
    X = np.random.default_rng(0).random((30, 6))
    data = Dataset(X, (X[:, 4] > 0.5).astype(int), classes=("a", "b"), image=(2, 3))
    problem, states = run_of(data, trees=6)
    titles = {panel.title: panel for panel in FOREST.scene(problem, states[-2], states[-1]).panels}
    (image,) = titles["importance of the pixels"].marks
    assert image.values.shape == (2, 3)
    assert np.unravel_index(image.values.argmax(), (2, 3)) == (1, 1)


def test_it_says_what_shuffling_costs():
    problem, states = run_of(trees=1)
    words = FOREST.explain(problem, *states[-2:])
    name = SMALL.features[int(states[-1].rises[0].argmax())]
    assert f"{name} costs tree 1 most" in words


def test_a_recording_grows_with_the_trees_and_not_with_their_square(tmp_path):
    sizes = []
    for trees in (6, 12, 24):
        problem, states = run_of(trees=trees)
        recorder = Recorder.of(tmp_path / f"{trees}.log", FOREST, problem)
        for before, state in zip([None, *states], states):
            recorder.keep(before, state, 30)
        recorder.end("grown")
        sizes.append((tmp_path / f"{trees}.log").stat().st_size)
    assert sizes[2] - sizes[1] == pytest.approx(2 * (sizes[1] - sizes[0]), rel=0.15)


def test_the_bounds_and_the_error_of_an_importance_by_hand():
    problem, states = run_of(SMALL, trees=5)
    last = states[-1]
    aside, k = SMALL.held_out, len(SMALL.classes)
    shares = np.mean([np.eye(k)[says(tree, aside.X)] for tree in last.trees], axis=0)
    own = shares[np.arange(aside.n), aside.y]
    others = shares.copy()
    others[np.arange(aside.n), aside.y] = -1
    margin = own - others.max(axis=1)
    curves = {curve.name: curve for curve in FOREST.curves}
    assert curves["var/s²"].measure(problem, last) == pytest.approx(margin.var() / margin.mean() ** 2)
    table = next(p for p in FOREST.scene(problem, None, last).panels if p.title.startswith("importance")).marks[0]
    rises = np.array(last.rises)
    first = rises.mean(axis=0).argmax()
    assert table.rows[0][1:3] == pytest.approx((rises[:, first].mean(), rises[:, first].std(ddof=1) / np.sqrt(5)))


def test_the_root_of_d_is_called_so_and_0_means_it_too():
    problem = FOREST.problem(SMALL)
    assert problem.parameters.features == "sqrt"
    roots = [plan_of(FOREST.problem(SMALL, None, {"features": f})).features for f in ("sqrt", 0, 2, 5)]
    assert roots == [2, 2, 2, 5]
    with pytest.raises(Refused, match="6 features cannot be drawn at a node: .* has 5"):
        FOREST.problem(SMALL, None, {"features": 6})
