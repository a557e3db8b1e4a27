"""Bagging: bags by hand, against scikit-learn's, its votes counted anew, and its theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

from algorithms import Add, Label, Move, Remove, Timeline, edited, find
from algorithms.core import Contours, Points, Region
from algorithms.core.dataset import Dataset
from algorithms.core.state import same
from algorithms.data import iris, moons, wine
from algorithms.families.trees.bagging import by_base
from algorithms.families.trees.shared import vote_statements
from algorithms.families.trees.shared.bags import Plan, bag, depth_of, says
from algorithms.families.trees.shared.linear_voters import LinearVoter, linear_voter
from algorithms.toolbox.impurity import total_impurity
from algorithms.toolbox.questions import NO_QUESTION, columns_of, counts_of, falls_along
from algorithms.toolbox.trees import LEAF, Nodes

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_tree_that_asks_the_second_best_question_first_is_noticed",
    "update": "test_a_vote_that_is_counted_twice_or_in_the_bag_is_noticed",
}

BAGGING = find("bagging")
JENSEN, DECOMPOSED, TWICE, OUT, DRAWS, ROOT, GROWN_OUT, THE_SAME, LINEAR = BAGGING.theorems
PLANTED = {  # no small change of a state makes its trees others, or the vote so bad
    ROOT.statement: "test_a_tree_that_asks_the_second_best_question_first_is_noticed",
    GROWN_OUT.statement: "test_a_tree_that_sends_its_rows_to_the_other_child_is_noticed",
    JENSEN.statement: "test_votes_that_count_twice_break_jensen",
    TWICE.statement: "test_a_minority_that_decides_errs_more_than_twice_as_often",
    THE_SAME.statement: "test_without_bags_all_trees_are_one",
    LINEAR.statement: "test_a_linear_rule_of_the_rows_without_their_bag_or_half_as_steep_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "without bags all trees are one, and so is their vote": "each tree has a bag of its own",
    "least squares on a bag: Σ c x (y - Wx)ᵀ = 0": "the newest member is a tree",
}
SMALL = moons.with_(n=60, noise=0.3, seed=2, hold_out=0.3).load()


def run_of(data=SMALL, **parameters):
    """The problem and its states."""
    problem = BAGGING.problem(data, None, parameters)
    return problem, list(BAGGING.start(problem))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


def values(run, t):
    return dict(zip([curve.name for curve in BAGGING.curves], run.values(run.at(t))))


# By hand


def test_two_bags_of_four_rows_by_hand():
    data = Dataset([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], classes=("a", "b"))
    _, states = run_of(data, trees=2, seed=5)
    assert [s.phase for s in states] == ["start", "draw", "grow", "draw", "grow"]
    assert [s.iteration for s in states] == [0, 1, 1, 2, 2]
    last = states[-1]
    votes, out = np.zeros((4, 2), int), np.zeros((4, 2), int)
    for b in range(2):
        drawn = np.random.default_rng((5, b)).integers(4, size=4)
        assert last.bags[b].tolist() == [int((drawn == row).sum()) for row in range(4)]
        lows, highs = drawn[drawn < 2], drawn[drawn >= 2]
        middle = (lows.max() + highs.min()) / 2 if len(lows) and len(highs) else np.inf
        says = [int(x > middle) if middle < np.inf else int(len(highs) > 0) for x in range(4)]
        for row, vote in enumerate(says):
            votes[row, vote] += 1
            out[row, vote] += row not in drawn
    assert last.votes.tolist() == votes.tolist()
    assert last.out.tolist() == out.tolist()


def test_the_out_of_bag_error_is_by_the_votes_of_trees_without_the_row():
    problem, states = run_of(iris.load(), trees=9)
    last, y = states[-1], problem.data.y
    votes = np.zeros((problem.data.n, 3))
    for drawn, tree in zip(last.bags, last.trees):
        outside = drawn == 0
        votes[outside] += np.eye(3)[says(tree, problem.data.X[outside])]
    asked = votes.any(axis=1)
    curve = next(curve for curve in BAGGING.curves if curve.name == "out-of-bag error")
    wrong = float((votes[asked].argmax(axis=1) != y[asked]).mean())
    assert curve.value(problem, last) == pytest.approx(wrong)
    assert wrong > 0


@pytest.mark.parametrize(("n", "share"), [(1, 1.0), (2, 0.75), (10, 0.651), (100, 0.634), (10**6, 1 - np.exp(-1))])
def test_the_share_of_rows_in_a_bag(n, share):
    from algorithms.families.trees.bagging import in_a_bag

    assert in_a_bag(n) == pytest.approx(share, abs=5e-4)


def test_over_many_bags_it_is_what_is_expected():
    expectation = BAGGING.expectations[0]
    data = iris.load()
    measured = [float((bag(data.n, 0, Plan("gini", 4, 100, 1, True, seed)) > 0).mean()) for seed in range(400)]
    problem, states = run_of(data, trees=1)
    assert expectation.measure(problem, states[1]) == measured[0]
    error = np.std(measured, ddof=1) / np.sqrt(400)
    assert np.mean(measured) == pytest.approx(expectation.bound(problem, {}), abs=3 * error)


# Against scikit-learn


def accuracies(data, trees, seeds, theirs):
    aside = data.held_out
    ours = []
    for seed in seeds:
        *_, last = BAGGING(data, trees=trees, seed=seed)
        votes = sum(np.eye(len(data.classes))[says(tree, aside.X)] for tree in last.trees)
        ours.append((votes.argmax(axis=1) == aside.y).mean())
    other = [theirs(trees, seed).fit(data.X, data.y).score(aside.X, aside.y) for seed in seeds]
    return np.array(ours), np.array(other)


def theirs(trees, seed):
    return BaggingClassifier(DecisionTreeClassifier(), n_estimators=trees, random_state=seed)


def within_the_spread(ours, other):
    """The mean of the one lies between the least and the greatest of the other, over the seeds."""
    return other.min() <= ours.mean() <= other.max()


def test_it_is_as_often_right_as_scikit_learn_s():
    data = moons.with_(n=200, noise=0.35, hold_out=0.5).load()
    assert within_the_spread(*accuracies(data, 10, range(6), theirs))


@pytest.mark.soak
@pytest.mark.parametrize("recipe", [moons.with_(n=400, noise=0.35, hold_out=0.5), wine.with_(hold_out=0.5), iris])
def test_over_twenty_seeds_it_is_as_often_right_as_scikit_learn_s(recipe):
    data = recipe.with_(hold_out=0.5).load()
    assert within_the_spread(*accuracies(data, 25, range(20), theirs))


def test_a_tree_on_its_bag_is_scikit_learn_s_on_the_weighted_rows():
    """Of one feature no two questions part the rows alike, so that there is nothing to choose."""
    data = Dataset(SMALL.X[:, :1].astype(np.float32).astype(float), SMALL.y, classes=SMALL.classes)
    _, states = run_of(data, trees=3)
    for weights, tree in zip(states[-1].bags, states[-1].trees):
        theirs = DecisionTreeClassifier(random_state=0).fit(data.X, data.y, sample_weight=weights)
        assert (says(tree, data.X) == theirs.predict(data.X))[weights > 0].all()
        assert len(tree.left) == theirs.tree_.node_count


# Its states


def test_it_goes_on_from_any_state_bit_for_bit():
    problem, states = run_of(trees=12)
    for i in (0, 1, 2, 9, 20, 23):
        rest = list(BAGGING.start(BAGGING.problem(SMALL, None, {"trees": 12}), pickle.loads(pickle.dumps(states[i]))))
        assert all(same(a, b) for a, b in zip(rest, states[i + 1 :], strict=True))


def test_states_hold_the_same_trees_and_bags():
    _, states = run_of(trees=5)
    for before, after in zip(states, states[1:]):
        assert all(a is b for a, b in zip(before.trees, after.trees))
        assert all(a is b for a, b in zip(before.bags, after.bags))


def test_a_new_row_is_outside_every_bag_and_one_that_goes_takes_its_draws_along():
    run = Timeline(BAGGING, SMALL, {"trees": 6}).run()
    state = run.at(8).state
    added = run.fork(8, data=edited(SMALL, [Add((0.5, 0.2), 1), Remove(3)]))
    now = added.at(8).state
    assert [each[-1] for each in now.bags] == [0] * 4
    assert now.out[-1].sum() == now.votes[-1].sum() == 4
    kept = [row for row in range(SMALL.n) if row != 3]
    assert all(same(a[:-1], b[kept]) for a, b in zip(now.bags, state.bags))
    added.run()
    assert not added.failures
    assert not added.troubles


def test_a_row_that_is_moved_is_voted_on_where_it_is_now_by_the_trees_as_they_were():
    run = Timeline(BAGGING, SMALL, {"trees": 4}).run()
    fork = run.fork(6, data=edited(SMALL, [Move(0, (2.0, -1.0)), Label(1, 1 - int(SMALL.y[1]))]))
    now = fork.at(6).state
    there = np.array([says(tree, np.array([[2.0, -1.0]]))[0] for tree in now.trees])
    assert now.votes[0].tolist() == np.bincount(there, minlength=2).tolist()
    assert fork.at(6).state.trees == run.at(6).state.trees
    assert same(now.votes[1:], run.at(6).state.votes[1:])
    assert not fork.run().failures


@pytest.mark.parametrize(
    "changed", [{"bags": False}, {"max_depth": 1}, {"min_leaf": 7}, {"criterion": "entropy"}, {"seed": 9}]
)
def test_a_fork_with_other_trees_from_here_on_is_sound(changed):
    fork = Timeline(BAGGING, SMALL, {"trees": 6}).run().fork(6, **changed).run()
    assert not fork.failures
    assert not fork.troubles
    assert fork.at(fork.last).state.votes.sum() == 6 * SMALL.n
    assert THE_SAME.verdict(fork.problem, None, fork.at(fork.last).state, forked=True).status == "does not apply"


# Its theorems


@pytest.mark.parametrize("data", [SMALL, iris.load(), wine.load()], ids=lambda data: data.name)
@pytest.mark.parametrize("parameters", [{}, {"max_depth": 2}, {"min_leaf": 9}, {"bags": False}, {"criterion": "error"}])
def test_they_hold(data, parameters):
    problem, states = run_of(data, trees=4, **parameters)
    for before, after in zip([None, *states], states):
        for theorem in BAGGING.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", verdict.sides


def test_without_bags_all_trees_are_one():
    problem, states = run_of(trees=3, bags=False)
    assert status(THE_SAME, problem, states[-2], states[-1]) == "holds"
    other = run_of(trees=3)[1][-1]
    assert status(THE_SAME, problem, states[-2], replace(states[-1], trees=other.trees)) == "fails"


def test_a_tree_that_asks_the_second_best_question_first_is_noticed():
    problem, states = run_of(trees=2)
    before, after = states[-2:]
    columns, total = columns_of(SMALL), total_impurity("gini", SMALL.n)
    tree, rows = after.trees[-1], np.repeat(np.arange(SMALL.n), after.bags[-1])
    feature = int(tree.feature[0])
    places, falls = falls_along(columns, feature, rows, counts_of(columns, rows), total, 1)
    second = int(np.argsort(-falls)[1])
    threshold = (places[second] + places[second + 1]) / 2
    assert falls[second] > NO_QUESTION.fall
    goes_left = SMALL.X[rows, feature] <= threshold
    left = counts_of(columns, rows[goes_left])
    counts = np.array([tree.counts[0], left, tree.counts[0] - left])
    stump = Nodes(np.array([feature, -1, -1]), np.array([threshold, np.nan, np.nan]), np.array([1, LEAF, LEAF]), counts)
    assert status(ROOT, problem, before, after) == "holds"
    assert status(ROOT, problem, before, replace(after, trees=(*before.trees, stump))) == "fails"


def test_a_tree_that_sends_its_rows_to_the_other_child_is_noticed():
    problem, states = run_of(trees=2)
    before, after = states[-2:]
    tree = after.trees[-1]
    turned = Nodes(tree.feature, -tree.threshold, tree.left, tree.counts)
    assert status(GROWN_OUT, problem, before, after) == "holds"
    assert status(GROWN_OUT, problem, before, replace(after, trees=(*before.trees, turned))) == "fails"


def test_a_vote_that_is_counted_twice_or_in_the_bag_is_noticed():
    problem, states = run_of(trees=3)
    before, after = states[-2:]
    twice = replace(after, votes=2 * after.votes - before.votes)
    assert status(DECOMPOSED, problem, before, twice) == "fails"
    inside = replace(after, out=before.out + (after.votes - before.votes))
    assert status(OUT, problem, before, after) == "holds"
    assert status(OUT, problem, before, inside) == "fails"


def test_a_bag_of_other_size_is_noticed():
    problem, states = run_of(trees=1)
    short = replace(states[1], bags=(np.maximum(states[1].bags[0] - 1, 0),))
    assert status(DRAWS, problem, states[0], states[1]) == "holds"
    assert status(DRAWS, problem, states[0], short) == "fails"


def test_votes_that_count_twice_break_jensen(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, states = run_of(trees=9)
    before, after = states[-2:]
    assert status(JENSEN, problem, before, after) == "holds"
    counted = vote_statements.shares
    monkeypatch.setattr(vote_statements, "shares", lambda problem, state: 2 * counted(problem, state))
    assert status(JENSEN, run_of(trees=9)[0], before, after) == "fails"


def test_a_minority_that_decides_errs_more_than_twice_as_often():
    problem, states = run_of(trees=9)
    before, after = states[-2:]
    assert status(TWICE, problem, before, replace(after, votes=-after.votes)) == "fails"


def test_what_is_not_said_of_equal_rows_of_two_classes():
    data = Dataset([[0.0], [0.0], [1.0], [2.0]], [0, 1, 0, 1], classes=("a", "b"))
    problem, states = run_of(data, trees=1)
    assert GROWN_OUT.verdict(problem, *states[-2:]).why == "rows of two classes are equal: no question parts them"
    problem, states = run_of(trees=1, max_depth=1)
    assert GROWN_OUT.verdict(problem, *states[-2:]).why.startswith("the tree is not grown out")
    assert depth_of(states[-1].trees[0]) == 1


# What may vote


def test_least_squares_on_a_bag_is_that_of_the_rows_as_often_as_they_are_drawn():
    problem, states = run_of(trees=3, base="least squares")
    data, last = problem.data, states[-1]
    for voter, drawn in zip(last.trees, last.bags):
        rows = np.repeat(np.arange(data.n), drawn)
        model = LinearRegression().fit(data.X[rows], np.eye(2)[data.y[rows]])
        assert voter.scores(data.X) == pytest.approx(model.predict(data.X))
        assert says(voter, data.X).tolist() == model.predict(data.X).argmax(axis=1).tolist()
    steps = [(b, s) for b, s in zip(states, states[1:]) if s.phase == "grow"]
    assert [LINEAR.verdict(problem, b, s).status for b, s in steps] == ["holds"] * 3


def test_a_linear_rule_of_the_rows_without_their_bag_or_half_as_steep_is_noticed():
    problem, states = run_of(trees=2, base="least squares")
    before, after = states[-2:]
    whole = linear_voter(problem.data.X, np.asarray(problem.data.y), 2, np.ones(problem.data.n))
    for W in (whole.W, after.trees[-1].W / 2):
        faulty = replace(after, trees=(*after.trees[:-1], replace(after.trees[-1], W=W)))
        assert status(LINEAR, problem, before, faulty) == "fails"


def test_stumps_are_trees_of_one_question():
    _, states = run_of(trees=4, base="stump")
    assert [depth_of(tree) for tree in states[-1].trees] == [1] * 4


def test_least_squares_hardly_moves_with_the_bag_and_its_vote_gains_little():
    run = Timeline(BAGGING, BAGGING.datasets[0], {"trees": 10}).run()
    known = by_base(run.problem)
    assert known["least squares"].spread < known["tree"].spread / 5
    for base, each in known.items():
        last = values(own := run.fork(0, base=base).run(), own.last)
        assert each.spread == pytest.approx(last["spread"])
        assert each.one - each.spread == pytest.approx(last["squared error"])
        assert each.vote_wrong == pytest.approx(last["held-out error"])


def test_a_fork_goes_on_with_another_base():
    run = Timeline(BAGGING, SMALL, {"trees": 6}).run()
    fork = run.fork(run.nearest_entry(6), base="least squares").run()
    assert fork.failures == []
    assert [isinstance(voter, LinearVoter) for voter in fork.at(fork.last).state.trees] == [False] * 3 + [True] * 3


@pytest.mark.parametrize("size", [1e-160, 1e140])
def test_numbers_of_any_size_can_be_weighed(size):
    data = Dataset(SMALL.X * size, SMALL.y, classes=SMALL.classes)
    problem, states = run_of(data, trees=2, base="least squares")
    usual, of_usual = run_of(Dataset(SMALL.X, SMALL.y, classes=SMALL.classes), trees=2, base="least squares")
    assert states[-1].votes.tolist() == of_usual[-1].votes.tolist()
    assert status(LINEAR, problem, *states[-2:]) == status(LINEAR, usual, *of_usual[-2:]) == "holds"


# What is seen


def test_the_vote_errs_less_than_its_trees_and_bags_make_them_differ():
    run = Timeline(BAGGING, BAGGING.datasets[0]).run()
    last = values(run, run.last)
    assert last["held-out error"] < 0.85 * last["a tree, held out"]
    assert last["squared error"] == pytest.approx(last["of a tree"] - last["spread"])
    assert abs(last["out-of-bag error"] - last["held-out error"]) < 0.06
    alike = Timeline(BAGGING, BAGGING.datasets[0], {"bags": False, "trees": 4}).run()
    assert values(alike, alike.last)["spread"] == pytest.approx(0, abs=1e-12)


def test_the_stage_has_bags_as_sizes_and_one_term_a_tree():
    problem, states = run_of(trees=3)
    stage = BAGGING.scene(problem, states[-2], states[-1]).panels[0]
    region, points, newest = stage.marks
    assert isinstance(region, Region)
    assert isinstance(points, Points)
    assert isinstance(newest, Contours)
    assert [part for part, _ in region.terms] == list(states[-1].trees)
    sizes = np.asarray(points.weights)
    assert (sizes[states[-1].bags[-1] == 0] < sizes[states[-1].bags[-1] > 0].min()).all()
    places = SMALL.X[:5]
    assert newest.height(places).tolist() == says(states[-1].trees[-1], places).tolist()
    mean = sum(score(places) for _, score in region.terms) / 3
    assert mean == pytest.approx(states[-1].votes[:5] / 3)


def test_it_says_how_many_rows_a_bag_holds():
    problem, states = run_of(trees=1)
    assert BAGGING.explain(problem, states[0], states[1]).startswith("Bag 1: 42 draws hit ")
    assert "on rows held out is" in BAGGING.explain(problem, states[1], states[2])


def test_one_row_outside_the_bag_is_said_as_such():
    problem = BAGGING.problem(Dataset([[0.0], [1.0], [2.0]], [0, 1, 0], classes=("a", "b")), None, {"trees": 1})
    start = next(BAGGING.start(problem))
    drawn = start.after("draw", bags=(np.array([2, 1, 0]),))
    assert BAGGING.explain(problem, start, drawn).endswith("Row 0 is in it 2 times, 1 row is outside.")
    tree = Nodes(np.array([-1]), np.array([np.nan]), np.array([LEAF]), np.array([[2, 1]]))
    grown = drawn.after("grow", trees=(tree,), votes=np.array([[1, 0]] * 3), out=np.array([[0, 0], [0, 0], [1, 0]]))
    assert BAGGING.explain(problem, drawn, grown).startswith("Tree 1 has 1 leaf and is wrong on 0 of the 1 row outside")
