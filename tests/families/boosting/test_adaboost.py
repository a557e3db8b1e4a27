"""AdaBoost with stumps: by hand, against scikit-learn and a search of all stumps, its theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from algorithms import Add, Label, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import blobs, breast_cancer, davis, moons, penguins, rings, wine
from algorithms.families.boosting.adaboost import algorithm as module
from algorithms.families.boosting.adaboost.algorithm import (
    error as training_error,
    reweighted,
    rounds_of,
    stumps,
    vote_weight,
    weighted_error,
)
from algorithms.families.boosting.shared.stumps import Stump, cost
from tests.families.boosting.runs import ADABOOST, all_stumps, noisy, states_of
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_the_first_stump_with_half_the_edge_is_noticed",
    "update": "test_weights_that_move_half_the_way_are_noticed",
}
SILENT = {  # in the run that opens, and why
    "no error is left once 2 Σγ² >= ln(2n)": "the 150 rounds come to a third of ln(2n)",
}

ERROR, LOSS, NO_ERROR_LEFT, MARGINS, BEST, VOTE, WEIGHTS, COIN_TOSS, EDGE, LEAST = ADABOOST.theorems
FOUR = Dataset([[1.0], [2.0], [3.0], [4.0]], [1, 1, 0, 1], classes=("-", "+"), features=("x",))
EXCLUSIVE_OR = Dataset([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, 0, 0], classes=("-", "+"))


def status(theorem, data, before, after):
    return theorem.verdict(ADABOOST.problem(data), before, after).status


def held_out_error(problem, state):
    return training_error(problem.held_out, state)


# The algorithm


def test_by_hand():
    """+ + - +: below 2.5 is best, wrong on the last row: ε = 1/4, z = 1/2, α = ½ ln 3, and that row gets half."""
    start, found, weighed, fresh = states_of(FOUR, rounds=1)
    assert start.weights.tolist() == [0.25] * 4
    assert (found.features[0], found.thresholds[0], found.below[0], found.above[0]) == (0, 2.5, 1.0, -1.0)
    assert found.errors[0] == 0.25
    np.testing.assert_allclose(weighed.alphas, [np.log(3) / 2])
    np.testing.assert_allclose(weighed.votes, np.array([1, 1, -1, -1]) * np.log(3) / 2)
    np.testing.assert_allclose(fresh.weights, [1 / 6, 1 / 6, 1 / 6, 1 / 2])
    problem = ADABOOST.problem(FOUR)
    np.testing.assert_allclose(rounds_of(problem, fresh).product, np.sqrt(3) / 2)
    assert training_error(problem, fresh) == 0.25
    assert training_error(problem, start) == 1.0


def test_the_phases_take_turns_and_a_round_is_an_iteration():
    states = states_of(moons.load(), rounds=3)
    assert [s.phase for s in states] == ["start", *["find", "weigh", "reweight"] * 3]
    assert [s.iteration for s in states] == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert [len(s.alphas) for s in states] == [0, 0, 1, 1, 1, 2, 2, 2, 3, 3]


def test_what_is_never_wrong_ends_the_run():
    run = Timeline(ADABOOST, Dataset([[1.0], [2.0], [5.0]], [0, 0, 1], classes=("-", "+"))).run()
    last = run.at(run.last).state
    assert run.stopped.reason == "a stump is right on every row: z = 1, and no row is left to learn from"
    assert last.alphas.tolist() == [1.0]
    assert training_error(run.problem, last) == 0.0
    assert not run.failures
    assert LOSS.verdict(run.problem, None, last).status == "does not apply"
    assert "α would be infinite" in ADABOOST.explain(run.problem, None, last)


def test_what_is_no_better_than_a_coin_toss_ends_the_run():
    run = Timeline(ADABOOST, EXCLUSIVE_OR).run()
    assert len(run) == 2
    assert run.stopped.reason.startswith("no stump is better than a coin toss")
    assert not run.failures
    assert next(ADABOOST(EXCLUSIVE_OR, state=run.at(1).state), None) is None


def test_with_gini_stumps_whose_z_is_a_millionth_are_no_ties():
    """All z go to 0 together; Gini's index goes as z², so that its last digits are a millionth of z."""
    rng = np.random.default_rng(10)
    X = rng.integers(0, 2, (40, 3)).astype(float)
    y = np.where(rng.random(40) < 0.25 + 0.25 * X[:, 0] + 0.2 * X[:, 1], "b", "a")
    run = Timeline(ADABOOST, (X, y), {"rounds": 200, "criterion": "gini"}).run()
    last = run.at(run.last).state
    assert run.stopped.reason.startswith("the purest stump is no better than a coin toss")
    assert not run.stopped.untrue
    assert np.abs((last.weights * run.data.signs) @ (2 * X - 1)).max() < 1e-11
    assert not run.failures


def test_the_purest_stump_may_be_a_coin_toss_where_another_is_better():
    """z is 1e-12 for the row that is parted from the others, and 1e-7 for the other feature: that is less pure."""
    tiny, z = 1e-12, 1e-7
    X = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    data = Dataset(X, [1, 1, 0, 1, 0], classes=("-", "+"))
    weights = np.array([tiny / 2, 0.25 + z / 4 - tiny / 2, 0.25 - z / 4, 0.25 - z / 4, 0.25 + z / 4])
    weighs = replace(module.uniform(5), weights=weights)
    for criterion, feature, end in (
        ("gini", 0, "the purest stump is no better than a coin toss"),
        ("error", 1, "1 round"),
    ):
        last, reason = end_of(
            ADABOOST.start(ADABOOST.problem(data, None, {"criterion": criterion, "rounds": 1}), weighs)
        )
        assert last.features.tolist() == [feature]
        assert reason.startswith(end)


def test_an_end_by_a_coin_toss_is_untrue_where_another_stump_is_better(monkeypatch):
    monkeypatch.setattr(module, "best_stump", lambda *_: Stump(0, 0.5, -1.0, 1.0))
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    run = Timeline(ADABOOST, Dataset(X, [0, 1, 0, 1], classes=("-", "+"))).run()
    assert run.stopped.reason.startswith("no stump is better than a coin toss")
    assert run.stopped.untrue


def test_in_the_lectures_table_nothing_moves():
    """Weights .3 .5 .2 with rows 0 and 2 wrong: ε = ½, so α = 0."""
    weights, right = np.array([0.3, 0.5, 0.2]), np.array([-1.0, 1.0, -1.0])
    error = weighted_error(weights, right, np.ones(3))
    assert (error, vote_weight(error)) == (0.5, 0.0)
    np.testing.assert_allclose(reweighted(weights, right, 0.0), weights)


@pytest.mark.parametrize(
    "data",
    [
        noisy(),
        noisy(60, 2, 1),
        moons.with_(noise=0.3).load(),
        rings.load(),
        blobs.with_(n=300, d=4, seed=1).load(),
        breast_cancer.with_(columns=("worst_radius", "worst_texture", "worst_smoothness", "worst_concavity")).load(),
        wine.with_(positive="cultivar_2").load(),
    ],
    ids=lambda data: f"{data.name}-{data.d}",
)
def test_with_gini_it_is_scikit_learns(data):
    """Its weights are 2α, and its decision function is twice the mean vote. In these data no two splits are equally
    good, of which it takes any."""
    data = Dataset(data.X.astype(np.float32), data.y, classes=data.classes)  # as its trees see them
    rounds = 20
    last = states_of(data, rounds=rounds, criterion="gini")[-1]
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=rounds, random_state=0)
    model.fit(data.X, data.y)
    np.testing.assert_allclose(2 * last.alphas, model.estimator_weights_, rtol=0, atol=1e-8)
    np.testing.assert_allclose(last.errors, model.estimator_errors_, rtol=0, atol=1e-8)
    np.testing.assert_allclose(2 * last.votes / last.alphas.sum(), model.decision_function(data.X), rtol=0, atol=1e-8)
    problem = ADABOOST.problem(data)
    assert training_error(problem, last) == pytest.approx(1 - model.score(data.X, data.y))


def test_given_the_stumps_of_least_error_the_votes_are_scikit_learns():
    """Each of our stumps, fitted as a tree that is handed our split, so that only the boosting is compared."""
    data = noisy()
    last = states_of(data, rounds=30)[-1]
    weights, votes = np.full(data.n, 1 / data.n), np.zeros(data.n)
    found = stumps(last)
    for i in range(30):
        split = (data.X[:, last.features[i]] > last.thresholds[i]).astype(float)[:, None]
        tree = DecisionTreeClassifier(max_depth=1).fit(split, data.y, sample_weight=weights)
        says = np.where(tree.predict(split) == 1, 1.0, -1.0)
        assert says.tolist() == found.stump(i)(data.X).tolist()
        wrong = says != data.signs
        alpha = 0.5 * np.log((1 - weights[wrong].sum()) / weights[wrong].sum())
        weights = np.where(wrong, weights * np.exp(2 * alpha), weights)
        weights /= weights.sum()
        votes += alpha * says
    np.testing.assert_allclose(last.votes, votes, atol=1e-8)
    np.testing.assert_allclose(last.weights, weights, atol=1e-10)


def test_the_error_on_rows_held_out_is_scikit_learns():
    data = moons.with_(n=400, noise=0.3, hold_out=0.5).load()
    problem = ADABOOST.problem(data, None, {"rounds": 25, "criterion": "gini"})
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=25, random_state=0)
    model.fit(data.X, data.y)
    scores = list(model.staged_score(data.held_out.X, data.held_out.y))
    found = [held_out_error(problem, s) for s in ADABOOST.start(problem) if s.phase == "weigh"]
    np.testing.assert_allclose(found, 1 - np.array(scores), atol=1 / len(data.held_out.X) + 1e-12)
    assert np.median(np.abs(found - (1 - np.array(scores)))) < 1e-12


def test_a_tied_vote_is_an_error_of_either_class():
    """Three stumps whose weights are 0.1 + 0.2 - 0.3: not 0 in floating point, and a tie all the same."""
    tied = replace(
        states_of(FOUR, rounds=1)[-1],
        votes=np.array([0.1 + 0.2 - 0.3, -(0.1 + 0.2 - 0.3), 0.3 - 0.2 - 0.1, 0.6]),
        alphas=np.array([0.1, 0.2, 0.3]),
        features=np.zeros(3, int),
        thresholds=np.full(3, 3.5),
        below=np.array([1.0, 1.0, -1.0]),
        above=np.ones(3),
    )
    assert rounds_of(ADABOOST.problem(FOUR), tied).margins.tolist() == [0.0, 0.0, 0.0, 0.6 / tied.alphas.sum()]
    assert training_error(ADABOOST.problem(FOUR), tied) == 0.75


# Its theorems, and what breaks them


@pytest.mark.parametrize("criterion", ["error", "gini"])
@pytest.mark.parametrize("recipe", [*ADABOOST.datasets, davis, penguins.with_(positive="Gentoo")], ids=lambda r: r.name)
def test_theorems_hold_at_every_step(recipe, criterion):
    run = Timeline(ADABOOST, recipe, {"criterion": criterion, "rounds": 20}).run()
    assert not run.failures
    assert not run.troubles


def test_a_thousand_rounds_keep_them():
    data = moons.with_(n=100, noise=0.2).load()
    problem = ADABOOST.problem(data, None, {"rounds": 1000})
    before = None
    for after in ADABOOST.start(problem):
        if after.iteration % 50 == 0:
            for theorem in ADABOOST.theorems:
                assert theorem.verdict(problem, before, after).status != "fails", (after.t, theorem.statement)
        before = after


def test_no_error_is_left_when_the_edges_have_come_far_enough():
    run = Timeline(ADABOOST, wine.with_(positive="cultivar_2"), {"rounds": 60}).run()
    said = [NO_ERROR_LEFT.verdict(run.problem, None, run.at(t).state) for t in range(len(run))]
    assert said[-1].status == "holds"
    assert said[1].status == "does not apply"
    assert said[-10].sides.values == (0.0, 0.0)
    assert said[1].why == "2Σγ² = 0 is still below ln(2n) = 5.87"


def test_a_vote_with_the_wrong_sign_breaks_the_bounds():
    """A stump whose α is taken off instead of added: the error is no longer what the edges promise."""
    run = states_of(moons.load(), rounds=12)
    weighed = run[-2]
    says = stumps(weighed).stump(-1)(moons.load().X)
    wrong = replace(weighed, votes=weighed.votes - 2 * weighed.alphas[-1] * says)
    assert status(LOSS, moons.load(), None, weighed) == "holds"
    assert status(LOSS, moons.load(), None, wrong) == "fails"
    against = replace(weighed, votes=-weighed.votes)
    for theorem in (ERROR, MARGINS):
        assert status(theorem, moons.load(), None, weighed) == "holds"
        assert status(theorem, moons.load(), None, against) == "fails"


def test_errors_after_the_edges_have_come_far_enough_break_the_theorem():
    data = wine.with_(positive="cultivar_2").load()
    last = states_of(data, rounds=60)[-1]
    assert status(NO_ERROR_LEFT, data, None, last) == "holds"
    votes = last.votes.copy()
    votes[3] = 0.0
    assert status(NO_ERROR_LEFT, data, None, replace(last, votes=votes)) == "fails"


def test_weights_that_grow_the_wrong_way_are_no_coin_toss():
    data = moons.load()
    _, _, weighed, fresh = states_of(data, rounds=1)
    assert status(COIN_TOSS, data, weighed, fresh) == "holds"
    right = data.signs * stumps(fresh).stump(-1)(data.X)
    for exponent in (1.0, -0.5, 0.0):
        weights = weighed.weights * np.exp(exponent * weighed.alphas[-1] * right)
        broken = replace(fresh, weights=weights / weights.sum())
        assert status(COIN_TOSS, data, weighed, broken) == "fails"


def test_weights_that_are_not_normalised_are_not_those_of_the_votes():
    data = moons.load()
    fresh = states_of(data, rounds=1)[-1]
    assert status(WEIGHTS, data, None, fresh) == "holds"
    assert status(WEIGHTS, data, None, replace(fresh, weights=fresh.weights * 0.999)) == "fails"


def test_an_error_that_is_not_the_weight_of_the_wrong_rows_is_not_half_of_one_less_z():
    data = moons.load()
    found = states_of(data, rounds=4)[10]
    assert status(EDGE, data, None, found) == "holds"
    assert status(EDGE, data, None, replace(found, errors=found.errors * 1.01)) == "fails"
    assert status(EDGE, data, None, replace(found, weights=np.roll(found.weights, 1))) == "fails"


@pytest.mark.parametrize("times", [0.0, 0.99, 1.01, -1.0])
def test_at_another_weight_in_the_vote_the_sum_is_not_the_least(times):
    data = moons.load()
    weighed = states_of(data, rounds=2)[5]
    alphas = weighed.alphas.copy()
    alphas[-1] *= times
    assert status(LEAST, data, None, weighed) == "holds"
    assert status(LEAST, data, None, replace(weighed, alphas=alphas)) == "fails"


# Going on from a state


def test_a_run_that_ended_goes_on_with_more_rounds():
    data = noisy()
    long = states_of(data, rounds=20)
    assert all(same(a, b) for a, b in zip(states_of(data, state=long[30], rounds=20), long[31:], strict=True))
    assert states_of(data, state=long[30], rounds=5) == []


def test_a_fork_with_other_rows_votes_on_those():
    run = Timeline(ADABOOST, noisy(), {"rounds": 10}).run()
    data = noisy()
    X = data.X.copy()
    X[0] = 9.0
    at = run.nearest_entry(15)
    fork = run.fork(at, data=Dataset(X, data.y, classes=data.classes)).run()
    last = fork.at(fork.last).state
    np.testing.assert_allclose(last.votes, stumps(last)(X), atol=1e-9)
    assert not fork.failures


# What is refused, said and shown


def test_refusals():
    constant = Dataset(np.ones((4, 2)), [0, 1, 0, 1], classes=("-", "+"))
    with pytest.raises(Refused, match="every feature of data is constant"):
        ADABOOST(constant)
    with pytest.raises(Refused, match="tells 2 classes apart"):
        ADABOOST(wine.load())
    with pytest.raises(Refused, match="0"):
        ADABOOST(FOUR, rounds=0)
    one_varies = Dataset([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [0, 1, 1], classes=("-", "+"))
    assert states_of(one_varies)[1].features.tolist() == [1]


def test_after_edits_rows_weigh_what_their_votes_say():
    run = Timeline(find("adaboost"), moons)
    run.advance(40)
    t = run.nearest_entry(39)
    same_rows = run.fork(t, data=edited(run.data, [Add((0.0, 0.0), 0), Remove(run.data.n)])).at(t).state
    assert np.allclose(same_rows.weights, run.at(t).state.weights, rtol=1e-9)
    fork = run.fork(t, data=edited(run.data, [Add((0.5, 0.5), 1), Label(3, 1 - int(run.data.y[3])), Remove(8)]))
    first = fork.at(t).state
    losses = np.exp(-fork.data.signs * first.votes)
    assert np.allclose(first.weights, losses / losses.sum())
    assert first.weights[3] > run.at(t).state.weights[3] or run.at(t).state.votes[3] * run.data.signs[3] < 0


# Wrong choices and wrong updates


def failures_of(data=None, **parameters):
    """The statements that fail somewhere in a run."""
    problem = ADABOOST.problem(data or noisy(120, 3), None, {"rounds": 8, **parameters})
    states = list(ADABOOST.start(problem))
    verdicts = [t.verdict(problem, b, a) for b, a in zip([None, *states], states) for t in ADABOOST.theorems]
    return {v.theorem.statement for v in verdicts if v.status == "fails"}


@pytest.mark.parametrize("criterion", ["error", "gini"])
def test_the_first_stump_with_half_the_edge_is_noticed(monkeypatch, criterion):
    assert failures_of(criterion=criterion) == set()

    def first_with_half_the_edge(X, features, signs, weights, criterion):
        edge = 0.5 - min(cost(stump, X, signs, weights, "error") for stump in all_stumps(X))
        enough = (s for s in all_stumps(X) if 0.5 - cost(s, X, signs, weights, "error") >= edge / 2)
        return next(enough)

    monkeypatch.setattr(module, "best_stump", first_with_half_the_edge)
    assert failures_of(criterion=criterion) == {BEST.statement}


@pytest.mark.parametrize("field", ["features", "thresholds", "below", "above", "alphas"])
def test_altered_stumps_and_alphas_are_not_those_that_voted(field):
    data = noisy(120, 3)
    state = states_of(data, rounds=5)[-1]
    assert status(VOTE, data, None, state) == "holds"
    value = getattr(state, field).copy()
    value[1] = {"features": (value[1] + 1) % 3, "thresholds": value[1] + 0.5, "alphas": 1.001 * value[1]}.get(
        field, -value[1]
    )
    assert status(VOTE, data, None, replace(state, **{field: value})) == "fails"


def test_votes_that_weigh_too_much_are_noticed(monkeypatch):
    monkeypatch.setattr(module, "vote_weight", lambda error: 1.1 * vote_weight(error))
    assert {LOSS.statement, COIN_TOSS.statement, WEIGHTS.statement} <= failures_of()


def test_weights_that_move_half_the_way_are_noticed(monkeypatch):
    monkeypatch.setattr(module, "reweighted", lambda w, right, alpha: reweighted(w, right, alpha / 2))
    assert {COIN_TOSS.statement, WEIGHTS.statement} <= failures_of()


def test_an_error_that_was_measured_wrong_is_noticed(monkeypatch):
    monkeypatch.setattr(module, "weighted_error", lambda *given: 0.9 * weighted_error(*given))
    assert LOSS.statement in failures_of()


# Long runs, and forks


def test_after_thousands_of_rounds_no_theorem_fails_where_the_product_vanishes():
    """Σα beyond 7097: e^(θ Σα) is infinite and ΠZ is 0."""
    data = penguins.with_(positive="Gentoo").load()
    problem = ADABOOST.problem(data)
    last = states_of(data, rounds=400)[-1]
    copies = 7200 / last.alphas.sum()
    many = int(np.ceil(copies))
    long = replace(
        last,
        votes=last.votes * many,
        **{name: np.tile(getattr(last, name), many) for name in ("features", "thresholds", "below", "above")},
        errors=np.tile(last.errors, many),
        alphas=np.tile(last.alphas, many),
    )
    assert rounds_of(problem, long).product == 0.0
    assert 0.1 * long.alphas.sum() > np.log(np.finfo(float).max)
    verdict = MARGINS.verdict(problem, None, long)
    assert verdict.status == "holds"
    assert not np.isnan(verdict.sides.values[1])


def test_after_a_fork_with_other_rows_nothing_is_said_of_the_rounds_on_those_before():
    run = Timeline(ADABOOST, moons.with_(n=60, noise=0.2), {"rounds": 20}).run()
    t = run.nearest_entry(40)
    rng = np.random.default_rng(0)
    added = [
        Add((float(a), float(b)), int(c))
        for a, b, c in zip(rng.normal(size=30), rng.normal(size=30), rng.integers(0, 2, 30))
    ]
    fork = run.fork(t, data=edited(run.data, added)).run()
    assert not fork.failures
    for at in (t, fork.last):
        values = dict(zip((c.name for c in ADABOOST.curves), fork.values(fork.at(at))))
        assert 0 < values["training error"] < 1
        assert np.isnan([values[name] for name in ("Π Z", "exp(-2Σγ²)", "2Σγ²", "ln(2n)")]).all()
    state = fork.at(t + 1).state
    table = ADABOOST.scene(fork.problem, None, state).panels[-1].marks[0].rows
    assert [row[3] is None for row in table] == [False] + [True] * (len(table) - 1)
    assert all(v.status != "fails" for v in fork.verdicts(fork.at(fork.last)))
    assert WEIGHTS.verdict(fork.problem, None, fork.at(t).state).status == "holds"


def test_after_a_fork_with_the_same_rows_the_weights_are_still_those_of_the_votes():
    run = Timeline(ADABOOST, moons, {"rounds": 20}).run()
    fork = run.fork(run.nearest_entry(30), criterion="gini").run()
    assert not fork.failures
    values = [v for v in fork.verdicts(fork.at(fork.last)) if v.theorem in (VOTE, WEIGHTS)]
    assert [v.status for v in values] == ["holds", "holds"]


# Words


@pytest.mark.parametrize("field", ["votes", "weights", "alphas", "errors"])
def test_what_is_no_number_is_not_passed_over(field):
    data = noisy(120, 3)
    states = states_of(data, rounds=3)
    broken = {t.statement for t in ADABOOST.theorems if status(t, data, states[-2], states[-1]) == "fails"}
    assert not broken
    values = getattr(states[-1], field).copy()
    values[1] = np.nan
    wrong = replace(states[-1], **{field: values})
    with np.errstate(invalid="ignore"):
        broken = {t.statement for t in ADABOOST.theorems if status(t, data, states[-2], wrong) == "fails"}
    assert broken
    problem = ADABOOST.problem(data)
    assert ADABOOST.explain(problem, states[-2], wrong)
    assert ADABOOST.scene(problem, states[-2], wrong).panels
