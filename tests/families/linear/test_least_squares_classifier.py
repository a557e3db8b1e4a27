"""The least squares classifier: by hand, against closed forms and scikit-learn, the tilt, masking, and its theorems."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import LinearRegression, Ridge

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, DragHandles
from algorithms.core.state import same
from algorithms.data import blobs, collinear, digits, iris, penguins, tilt
from algorithms.families.linear.least_squares_classifier.class_means import line_of_means
from algorithms.toolbox.one_hot import rows_won, wrong_rows

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_taken_twice_or_out_of_turn_is_noticed",
    "update": "test_a_step_half_as_far_or_backwards_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "masking: W_middle = (1 - s)W_low + sW_high": "there are two classes, and no middle one",
}

LEAST = find("least_squares_classifier")
PUSHED, MINIMUM, ALONE, OWN, ONE, MASKED = LEAST.theorems
TWO = Dataset([[1.0], [-1.0]], [1, 0], classes=("-", "+"))


def run_of(data, **parameters):
    problem = LEAST.problem(data, None, parameters)
    return problem, list(LEAST.start(problem))


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


def predicted(data, W):
    return (np.column_stack([data.X, np.ones(data.n)]) @ W.T).argmax(axis=1)


def measured(run, name):
    return dict(zip((c.name for c in LEAST.curves), run.values(run.at(run.last))))[name]


# The algorithm


def test_the_first_row_by_hand():
    """x = (1, 1), δ = 1: x·Px = 2, k = (1/3, 1/3); e = (0, 1) - (½, ½), so W moves by (∓1/6, ∓1/6)."""
    _, states = run_of(TWO, delta=1.0)
    assert states[0].W.tolist() == [[0.0, 0.5], [0.0, 0.5]]
    assert np.allclose(states[1].W, np.array([[-1, 2], [1, 4]]) / 6)
    assert np.allclose(states[1].S @ states[1].S.T, np.eye(2) - 1 / 3)
    assert len(states) == 3


def test_the_lectures_three_places_on_a_line_by_hand():
    """x = -1, 0, 1, a class each: the fits are ⅓ - x/2, ⅓ and ⅓ + x/2 as δ -> 0."""
    _, states = run_of(Dataset([[-1.0], [0.0], [1.0]], [0, 1, 2], classes=("a", "b", "c")), delta=1e-6)
    assert np.allclose(states[-1].W, [[-1 / 2, 1 / 3], [0, 1 / 3], [1 / 2, 1 / 3]], atol=1e-5)


@pytest.mark.parametrize("recipe", [iris, penguins.with_(scale=True), digits], ids=lambda r: r.name)
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_scikit_learn_comes_to_the_same_weights(recipe, order):
    """W - V is ridge regression of y - 1/K on the rows with the 1 appended."""
    data, delta = recipe.load(), 0.5
    last = run_of(data, delta=delta, order=order, seed=3)[1][-1]
    K = len(data.classes)
    X = np.column_stack([data.X, np.ones(data.n)])
    theirs = Ridge(alpha=delta, fit_intercept=False, solver="cholesky").fit(X, np.eye(K)[data.y] - 1 / K)
    W0 = np.zeros_like(last.W)
    W0[:, -1] = 1 / K
    assert np.allclose(last.W - W0, theirs.coef_, rtol=1e-7, atol=1e-9)


def test_after_every_row_it_is_the_fit_of_the_rows_so_far():
    data = iris.load()
    _, states = run_of(data, delta=1e-6, order="shuffled")
    X = np.column_stack([data.X, np.ones(data.n)])
    for m in (40, 90, 150):
        rows = [s.row for s in states[1 : m + 1]]
        theirs = LinearRegression(fit_intercept=False).fit(X[rows], np.eye(3)[data.y[rows]])
        assert np.allclose(states[m].W, theirs.coef_, atol=1e-5)


# The tilt


@pytest.mark.parametrize(("far", "degrees", "errors"), [(0, 0.0, 0), (1, 21.1, 2), (5, 30.2, 5), (200, 33.6, 5)])
def test_the_tilt_is_that_of_the_lecture(far, degrees, errors):
    """The tilt grows with the far cluster up to a limit; logistic regression stays upright with no row wrong."""
    data = tilt.with_(far=far, spread=0.0).load()
    run = Timeline(LEAST, data, {"delta": 1e-6}).run()
    assert measured(run, "degrees from logistic") == pytest.approx(degrees, abs=0.06)
    assert measured(run, "training error") * data.n == pytest.approx(errors)


def test_the_tilt_comes_with_the_far_rows_and_newtons_logistic_regression_does_not_tilt():
    data = tilt.load()
    run = Timeline(LEAST, data).run()
    angle = dict(zip(*run.curve("degrees from logistic")))
    assert angle[30] < 0.5
    assert angle[50] > 25
    assert (predicted(data, run.at(30).state.W) == data.y).all()
    assert (predicted(data, run.at(run.last).state.W) != data.y).sum() == 5
    newton = list(find("logistic_newton")(data, penalty=1.0))[-1].w
    assert np.degrees(np.arctan2(abs(newton[1]), newton[0])) < 0.5
    assert ((data.X @ newton[:-1] + newton[-1] > 0) == data.y).all()


def test_the_far_row_says_that_being_right_costs():
    run = Timeline(LEAST, tilt).run()
    frame = run.at(31)
    words = LEAST.explain(run.problem, frame.before, frame.state)
    assert "right by more than 1, which still costs" in words


def test_each_class_is_learnt_by_itself_whatever_the_others_do():
    """Rows of versicolor called virginica leave the weights of setosa as they were, and so does a fork that does it."""
    data = iris.load()
    run = Timeline(LEAST, data).run()
    turned = edited(data, [Label(i, 2) for i in range(60, 90)])
    other = run.fork(run.last, data=turned).run()
    W, V = run.at(run.last).state.W, other.at(other.last).state.W
    assert pytest.approx(V[0], abs=1e-12) == W[0]
    assert np.abs(W[1] - V[1]).max() > 0.1
    X = np.column_stack([data.X, np.ones(data.n)])
    for c in range(3):
        own = np.linalg.solve(X.T @ X + 0.01 * np.eye(5), X.T @ ((data.y == c) - 1 / 3.0))
        assert W[c] - [0, 0, 0, 0, 1 / 3] == pytest.approx(own, abs=1e-9)
    problem, states = run_of(data)
    assert {v.status for v in verdicts(ALONE, problem, states[1:])} == {"holds"}
    mixed = states[-1].replaced(W=states[-1].W + 0.01 * states[-1].W[::-1])
    assert ALONE.verdict(problem, None, mixed).status == "fails"


# Masking


def test_of_three_classes_in_a_row_the_middle_one_wins_nowhere_and_squares_give_it_its_place():
    data = collinear.load()
    problem, states = run_of(data)
    assert [v.status for v in verdicts(MASKED, problem, states)[-1:]] == ["holds"]
    assert (
        np.bincount(predicted(data, states[-1].W), minlength=3).tolist() == [50, 0, 50 * 2]
        or (predicted(data, states[-1].W) != 1).all()
    )
    anywhere = np.random.default_rng(0).uniform(-100, 100, (2000, 2))
    assert (predicted(Dataset(anywhere), states[-1].W) != 1).all()
    mapped = collinear.with_(map="quadratic").load()
    assert (predicted(mapped, run_of(mapped)[1][-1].W) == mapped.y).all()


def test_on_one_feature_of_the_irises_equal_counts_are_enough():
    data = iris.with_(columns=("petal_length_cm",)).load()
    problem, states = run_of(data)
    assert verdicts(MASKED, problem, states)[-1].status == "holds"
    assert (predicted(data, states[-1].W) != 1).all()


@pytest.mark.parametrize(("seed", "middle"), [(0, 8), (1, 2), (2, 4), (3, 19)])
def test_sampled_means_off_the_line_leave_the_middle_class_a_wedge_as_in_the_lecture(seed, middle):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(3), 50)
    X = np.array([[-3.0, -3.0], [0.0, 0.0], [3.0, 3.0]])[y] + 0.5 * rng.standard_normal((150, 2))
    data = Dataset(X, y, classes=("a", "b", "c"))
    problem, states = run_of(data, delta=1e-6)
    assert (predicted(data, states[-1].W) == 1).sum() == middle
    verdict = verdicts(MASKED, problem, states)[-1]
    assert verdict.status == "does not apply"
    assert "off the line" in verdict.why


def test_masking_is_silent_where_counts_differ_or_there_is_no_line():
    X = np.random.default_rng(0).standard_normal((9, 2))
    assert "2, 3, 4 rows" in line_of_means(X, np.repeat([0, 1, 2], [2, 3, 4]), 3)
    assert "no middle one" in line_of_means(X, np.repeat([0, 1], [4, 5]), 2)
    assert "in one place" in line_of_means(np.zeros((9, 2)), np.repeat([0, 1, 2], 3), 3)
    assert "off the line" in line_of_means(X, np.repeat([0, 1, 2], 3), 3)


# Its states


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_it_goes_on_from_any_state_bit_for_bit(order):
    data = iris.load()
    states = list(LEAST(data, order=order))
    for k in range(0, len(states), 19):
        rest = list(LEAST(data, state=pickle.loads(pickle.dumps(states[k])), order=order))
        assert len(rest) == len(states) - k - 1
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :]))


@pytest.mark.parametrize("t", [12, 50])
def test_a_row_that_is_moved_added_or_removed_half_way_gives_the_fit_of_the_rows_as_they_are(t):
    run = Timeline(LEAST, tilt)
    run.advance(t + 1)
    for edits in ([Move(3, (5.0, 5.0))], [Add((0.0, 3.0), 0)], [Remove(1), Remove(7)]):
        data = edited(run.data, edits)
        fork = run.fork(t, data=data).run()
        assert fork.failures == []
        assert np.allclose(fork.at(fork.last).state.W, run_of(data)[1][-1].W, atol=1e-12)


def test_a_fork_with_another_penalty_or_order_is_as_if_it_had_always_been():
    run = Timeline(LEAST, iris.with_(sample=80))
    run.advance(71)
    for changed in ({"delta": 30.0}, {"order": "shuffled"}):
        fork = run.fork(70, **changed)
        assert same(fork.at(70).state.W, run_of(run.data, **changed)[1][70].W)
        assert fork.run().failures == []


def test_a_state_that_names_another_row_than_it_took_in_is_noticed():
    problem, states = run_of(tilt.load())
    before, after = states[20:22]
    assert OWN.verdict(problem, before, after).status == "holds"
    assert OWN.verdict(problem, before, replace(after, row=3)).status == "fails"


def test_the_arrow_can_be_dragged_and_theorems_of_the_minimum_fall_silent():
    run = Timeline(LEAST, tilt).run()
    frame = run.at(40)
    panel = LEAST.scene(run.problem, frame.before, frame.state).panels[0]
    grips = next(mark for mark in panel.marks if isinstance(mark, DragHandles))
    moved = grips.moved(frame.state, 0, grips.at[0] + [0.5, 0.5])
    fork = run.fork(40, state=moved).run()
    assert fork.failures == []
    assert {v.why for v in fork.verdicts(fork.at(fork.last)) if "moved" in v.why} == {"W was moved by hand"}


def test_the_words_at_the_beginning_of_a_fork_are_true():
    run = Timeline(LEAST, tilt).run()
    fork = run.fork(0, state=run.at(0).state.replaced(W=run.at(9).state.W, by_hand=True))
    words = LEAST.explain(fork.problem, None, fork.at(0).state)
    assert words == "W was moved by hand. No row is taken in yet."
    fork = run.fork(1, delta=3.0)
    assert " Rows taken in: 1. Wrong rows: " in LEAST.explain(fork.problem, None, fork.at(1).state)


# Its theorems


@pytest.mark.parametrize("delta", [1e-6, 0.01, 100.0])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_they_hold_at_every_step(order, delta):
    for recipe in (tilt, collinear.with_(n=21), iris.with_(sample=30), blobs.with_(k=4, n=20)):
        problem, states = run_of(recipe.load(), order=order, delta=delta)
        for theorem in LEAST.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def test_a_step_half_as_far_or_backwards_is_noticed():
    problem, states = run_of(tilt.load())
    before, after = states[34:36]
    for theorem in (MINIMUM, OWN, PUSHED):
        assert theorem.verdict(problem, before, after).status == "holds"
        for share in (0.5, -1.0, 1.01):
            wrong = replace(after, W=before.W + share * (after.W - before.W))
            assert theorem.verdict(problem, before, wrong).status == "fails"


def test_a_row_taken_twice_or_out_of_turn_is_noticed():
    problem, states = run_of(iris.load())
    before = states[60]
    for row in (3, 149):
        x, y = np.append(problem.data.X[row], 1.0), np.eye(3)[problem.data.y[row]]
        v = before.S.T @ x
        W = before.W + np.outer(y - before.W @ x, before.S @ v / (1 + v @ v))
        after = before.after("take in", W=W, row=60, used=61)
        assert MINIMUM.verdict(problem, before, after).status == "fails"
        assert OWN.verdict(problem, before, after).status == "fails"


def test_a_gain_that_forgets_what_is_known_is_noticed_by_the_next_row():
    """With S left as it was, the next row's step is too long: W is the minimum of nothing."""
    problem, states = run_of(iris.load())
    stale = replace(states[61], S=states[30].S)
    after = next(LEAST.start(problem, stale))
    assert MINIMUM.verdict(problem, stale, after).status == "fails"


def test_errors_that_do_not_sum_to_zero_are_noticed():
    problem, states = run_of(iris.load())
    W = states[60].W.copy()
    W[1] *= 1.001
    assert ONE.verdict(problem, None, replace(states[60], W=W)).status == "fails"


def test_a_middle_class_that_wins_somewhere_is_noticed():
    problem, states = run_of(collinear.load())
    W = states[-1].W.copy()
    W[1, 0] += 1e-4
    assert MASKED.verdict(problem, None, replace(states[-1], W=W)).status == "fails"


# What a person reads


def test_a_tie_is_wrong_and_won_by_nobody():
    scores = np.array([[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]])
    assert wrong_rows(scores, np.array([0, 1, 1])).tolist() == [True, False, True]
    assert rows_won(scores).tolist() == [1, 1]


def test_rows_of_one_class_are_refused_in_words():
    for name in ("least_squares_classifier", "softmax_regression"):
        with pytest.raises(Refused, match="data has one \\(a\\). Name another target"):
            find(name)(Dataset([[1.0], [2.0]], [0, 0], classes=("a",)))


def test_features_too_large_for_the_penalty_are_refused_in_words():
    far = Dataset([[1e9], [-1e9]], [0, 1], classes=("a", "b"))
    with pytest.raises(Refused, match="take δ above"):
        LEAST(far, delta=1e-6)
    assert len(list(LEAST(far, delta=100.0))) == 3


@pytest.mark.parametrize("size", [1e140, 1e-140])
def test_numbers_whose_squares_are_out_of_range_are_refused_in_words(size):
    with pytest.raises(Refused, match="scale"):
        LEAST(Dataset([[size], [-size]], [0, 1], classes=("a", "b")))


def test_two_classes_show_the_boundary_and_what_rows_pay_more_show_the_fits():
    for recipe, titles in (
        (tilt, ["the boundary W₁·x = W₀·x", "what a row pays", "weights"]),
        (collinear, ["where each class wins", "fits along the means", "weights"]),
        (digits, ["where each class wins", "fits along the means", "W of 0 as an image", "weights"]),
    ):
        run = Timeline(LEAST, recipe)
        run.advance(20)
        frame = run.at(1)
        panels = LEAST.scene(run.problem, frame.before, frame.state).panels
        assert [panel.title.replace("W of 1", "W of 0") for panel in panels][:-2] == titles
