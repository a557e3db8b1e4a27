"""Kernel regression: by hand, against scikit-learn and ridge on φ, and its theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.kernel_ridge import KernelRidge

from algorithms import Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import diabetes, line, prostate, sine
from algorithms.families.kernels.kernel_regression.algorithm import beyond_range, f_of, spectral_of, system_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_direction_that_is_the_residual_alone_is_noticed",
    "update": "test_a_step_half_as_far_or_backwards_is_noticed",
}
PLANTED = {  # what no small change of a state breaks, and the fault that does
    "it ends within as many steps as A has different eigenvalues": "test_a_run_that_gets_nowhere_is_noticed",
    "f is ridge on φ(x): ‖f - φ·w‖ <= ‖r‖ on the rows": "test_a_run_that_gets_nowhere_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "f is ridge on φ(x): ‖f - φ·w‖ <= ‖r‖ on the rows": "no finite φ makes an RBF kernel",
}

REGRESSION = find("kernel_regression")
RATE, ENERGY, RESIDUAL, ORTHOGONAL, CONJUGATE, COUNT, DISTANCE, RIDGE, REPRESENTER = REGRESSION.theorems
# K = [1 0; 0 4] of x·z, y = (1, 2).
TWO = Dataset([[1.0, 0.0], [0.0, 2.0]], [1.0, 2.0], kind="number")
# Two equal rows with different targets: y is not in the range of K.
EQUAL = Dataset([[1.0], [1.0], [2.0]], [0.0, 2.0, 2.0], kind="number")
LINEAR = {"kernel": "linear", "centred": False}


def run_of(data, **parameters):
    problem = REGRESSION.problem(data, None, parameters)
    return problem, list(REGRESSION.start(problem))


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


def verdict(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


# The algorithm


def test_the_first_step_by_hand():
    """A = diag(2, 5), b = (1, 2): r·r = 5, d·Ad = 22, η = 5/22; r' = (1 - 10/22, 2 - 50/22) = (6/11, -3/11)."""
    _, states = run_of(TWO, penalty=1.0, **LINEAR)
    assert states[1].alpha == pytest.approx([5 / 22, 10 / 22])
    assert states[1].residual == pytest.approx([6 / 11, -3 / 11])
    beta = (45 / 121) / 5
    assert states[1].direction == pytest.approx([6 / 11 + beta, -3 / 11 + 2 * beta])
    assert len(states) == 3
    assert states[2].alpha == pytest.approx([1 / 2, 2 / 5])


@pytest.mark.parametrize("recipe", [sine, prostate.with_(scale=True), diabetes.with_(scale=True, sample=100)])
@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf"])
def test_scikit_learn_comes_to_the_same_multipliers(recipe, kernel):
    data = recipe.load()
    problem, states = run_of(data, kernel=kernel, penalty=5.0, degree=2, centred=False, tolerance=1e-13)
    theirs = KernelRidge(alpha=5.0, kernel={"polynomial": "poly"}.get(kernel, kernel), degree=2, coef0=1.0)
    if kernel != "linear":
        theirs.gamma = 1 / (data.d * data.X.var())
    theirs.fit(data.X, data.y)
    assert states[-1].alpha == pytest.approx(theirs.dual_coef_, abs=1e-8 * np.abs(theirs.dual_coef_).max())
    places = data.X[:5] + 0.3
    assert f_of(problem, states[-1])(places) == pytest.approx(theirs.predict(places), rel=1e-8)


def test_without_a_penalty_it_comes_to_the_shortest_solution_also_where_K_is_singular():
    problem, states = run_of(EQUAL, penalty=0.0, tolerance=1e-12, **LINEAR)
    gram = system_of(problem).gram
    assert np.linalg.matrix_rank(gram) == 1
    assert states[-1].alpha == pytest.approx(np.linalg.pinv(gram) @ EQUAL.y)
    assert beyond_range(problem) == pytest.approx(np.sqrt(2))  # (-1, 1, 0) + (0, 0, 0): f fits the mean of equal rows
    assert spectral_of(problem).rank == 1


def test_the_plain_steps_blow_up_where_y_is_beyond_the_range():
    """On K α = y instead: r has a part that K never sees, d grows by it while d·Kd does not."""
    gram, y = system_of(REGRESSION.problem(EQUAL, None, LINEAR)).gram, np.asarray(EQUAL.y)
    alpha, r, d = np.zeros(3), y, y
    lengths = []
    for _ in range(12):
        if d @ gram @ d == 0:  # as rounding has it: the step has no length any more
            lengths.append(np.inf)
            break
        eta = (r @ r) / (d @ gram @ d)
        alpha, r_next = alpha + eta * d, r - eta * gram @ d
        d, r = r_next + (r_next @ r_next) / (r @ r) * d, r_next
        lengths.append(float(np.linalg.norm(alpha)))
    assert max(lengths) > 1e3


def test_it_ends_within_as_many_steps_as_there_are_eigenvalues():
    for kernel, most in [("linear", 2), ("polynomial", 5)]:
        problem, states = run_of(sine.load(), kernel=kernel)
        assert spectral_of(problem).distinct == most
        assert states[-1].iteration == most
        assert {v.status for v in verdicts(COUNT, problem, states)} == {"holds"}


def test_bumps_of_a_line_fit_better_than_its_mean_and_held_out_rows_are_measured():
    run = Timeline(REGRESSION, prostate.with_(scale=True, hold_out=0.3)).run()
    values = {c.name: [c.value(run.problem, run.at(t).state) for t in (0, run.last)] for c in run.algorithm.curves}
    assert values["training error"][1] < 0.5 * values["training error"][0]
    assert values["held-out error"][1] < values["held-out error"][0]


# Its states


@pytest.mark.parametrize("penalty", [0.0, 0.1])
def test_it_goes_on_from_any_state_bit_for_bit(penalty):
    states = list(REGRESSION(sine.load(), penalty=penalty, steps=20))
    for k in range(0, len(states), 4):
        rest = list(REGRESSION(sine.load(), state=pickle.loads(pickle.dumps(states[k])), penalty=penalty, steps=20))
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :], strict=True))


@pytest.mark.parametrize("changes", [{"kernel": "linear"}, {"penalty": 0.0}, {"penalty": 3.0}, {"centred": False}])
def test_a_fork_begins_its_directions_anew_and_ends_where_a_fresh_run_does(changes):
    run = Timeline(REGRESSION, sine.with_(n=20), {"kernel": "polynomial"}).run()
    fork = run.fork(2, **changes).run()
    assert fork.failures == []
    begin = fork.at(2).state
    assert begin.residual == pytest.approx(system_of(fork.problem).residual(begin.alpha))
    assert same(begin.direction, begin.residual)
    fresh = Timeline(REGRESSION, sine.with_(n=20), {"kernel": "polynomial", **changes}).run()
    places = run.data.X
    mine, theirs = (f_of(r.problem, r.at(r.last).state)(places) for r in (fork, fresh))
    assert mine == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("edit", [Move(3, (0.2,)), Label(3, 2.0), Remove(3)])
def test_rows_keep_their_multipliers_when_others_are_edited(edit):
    run = Timeline(REGRESSION, sine.with_(n=20)).run()
    fork = run.fork(4, data=edited(run.data, [edit])).run()
    assert fork.failures == []
    assert fork.at(4).state.alpha[0] == run.at(4).state.alpha[0]
    assert fork.stopped.reason.startswith("‖b - Aα‖ is ")


def test_a_fork_with_another_tolerance_goes_on_as_it_was():
    run = Timeline(REGRESSION, sine.with_(n=20)).run()
    fork = run.fork(run.last, tolerance=1e-12).run()
    assert fork.last > run.last
    assert fork.failures == []


def test_a_fork_to_a_kernel_beside_which_the_old_multipliers_lose_b_begins_again_at_0():
    run = Timeline(REGRESSION, sine.with_(n=20), {"kernel": "polynomial", "gamma": 0.1, "penalty": 0.0}).run()
    fork = run.fork(3, gamma=5e5, constant=6e3, degree=7).run()
    assert fork.failures == []
    begin = fork.at(3).state
    assert not begin.alpha.any()
    assert begin.residual == pytest.approx(system_of(fork.problem).residual(np.zeros(20)))
    said = REGRESSION.explain(fork.problem, fork.at(3).before, begin)
    assert said.startswith("Beside the α that were kept, rounding would lose b: α begins again at 0")
    assert run.fork(3, gamma=5.0).at(3).state.alpha.any()


# Its theorems


@pytest.mark.parametrize("penalty", [0.0, 1e-3, 10.0])
@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf"])
def test_every_theorem_holds_at_every_step(kernel, penalty):
    for recipe in (sine, prostate.with_(scale=True, sample=40)):
        parameters = {"kernel": kernel, "penalty": penalty, "steps": 20}
        assert Timeline(REGRESSION, recipe, parameters).run().failures == []


def test_a_step_half_as_far_or_backwards_is_noticed():
    problem, states = run_of(sine.load())
    before, after = states[3], states[4]
    step = after.alpha - before.alpha
    for wrong in (0.5, -1.0, 1.01):
        planted = replace(after, alpha=before.alpha + wrong * step)
        assert verdict(ENERGY, problem, before, planted) == "fails"
        assert verdict(RESIDUAL, problem, before, planted) == "fails"


def test_a_direction_that_is_the_residual_alone_is_noticed():
    """That is steepest descent."""
    problem, states = run_of(sine.load())
    steepest = replace(states[4], direction=states[4].residual)
    assert verdict(CONJUGATE, problem, states[3], states[4]) == "holds"
    assert verdict(CONJUGATE, problem, states[3], steepest) == "fails"


def test_a_residual_of_another_step_is_noticed():
    problem, states = run_of(sine.load())
    planted = replace(states[4], residual=states[3].residual)
    assert verdict(ORTHOGONAL, problem, states[3], planted) == "fails"


def test_a_run_that_gets_nowhere_is_noticed():
    """α stays, and the bound on the energy, the count of steps and the solution are missed."""
    problem, states = run_of(sine.load(), kernel="polynomial")
    stuck = replace(states[-1], alpha=states[1].alpha, iteration=400, eaten=0.0)
    for theorem in (RATE, COUNT, DISTANCE, RIDGE):
        assert verdict(theorem, problem, None, states[-1]) == "holds"
        assert verdict(theorem, problem, None, stuck) == "fails"


def test_a_function_that_is_not_the_best_has_a_bump_that_helps():
    problem, states = run_of(sine.load())
    planted = replace(states[-1], alpha=1.1 * states[-1].alpha)
    assert verdict(REPRESENTER, problem, None, states[-1]) == "holds"
    assert verdict(REPRESENTER, problem, None, planted) == "fails"


@pytest.mark.parametrize("t", [2, 8])
def test_a_fork_to_a_penalty_that_makes_alpha_tiny_forgives_the_rounding_of_where_it_came_from(t):
    run = Timeline(REGRESSION, sine.with_(n=20)).run()
    for kernel in ("rbf", "polynomial"):
        assert run.fork(t, penalty=1e9, kernel=kernel).run().failures == []


def test_a_penalty_that_drowns_in_the_rounding_of_k_counts_no_eigenvalues():
    X = np.random.default_rng(0).normal(size=(24, 2)) + 1e8
    run = Timeline(REGRESSION, Dataset(X, X[:, 0] - X[:, 1], kind="number"), {"kernel": "polynomial"}).run()
    assert run.failures == []
    why = COUNT.verdict(run.problem, None, run.at(run.last).state).why
    assert why == "λ = 0.1 is less than what rounding makes of K's eigenvalues"


def test_what_rounding_decides_is_not_stated():
    problem, states = run_of(sine.load(), penalty=0.0)  # eigenvalues of an RBF matrix fall to 0 without a gap
    assert {v.status for v in verdicts(DISTANCE, problem, states)} == {"does not apply"}
    problem, states = run_of(sine.load())
    assert verdicts(COUNT, problem, states)[-1].why.startswith("rounding has eaten it: ")
    assert verdicts(RIDGE, problem, states)[-1].why == "no finite φ makes an RBF kernel"


# Words and limits


def test_it_explains_its_steps():
    run = Timeline(REGRESSION, line.with_(n=8)).run()
    say = [REGRESSION.explain(run.problem, run.at(t).before, run.at(t).state) for t in (0, 1)]
    assert say[0].startswith("α = 0: f is the mean, ")
    assert "along the 1st direction changes row" in say[1]


def test_equal_targets_need_no_step():
    flat = Dataset([[1.0], [2.0], [4.0]], [3.5, 3.5, 3.5], kind="number")
    run = Timeline(REGRESSION, flat).run()
    assert run.last == 0
    assert run.stopped.reason == "‖b - Aα‖ is 0 of ‖b‖, within the tolerance, 1e-08: A α = b is solved in 0 steps"


@pytest.mark.parametrize("size", [1e-160, 1e140])
@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf"])
def test_numbers_that_are_out_of_range_are_refused_in_words(size, kernel):
    far = Dataset(size * np.arange(1.0, 5.0)[:, None], [1.0, 2.0, 0.5, 3.0], kind="number")
    with pytest.raises(Refused, match="out of range"):
        REGRESSION(far, kernel=kernel)
    high = Dataset([[1.0], [2.0]], [size, 2 * size], kind="number")
    with pytest.raises(Refused, match="out of range"):
        REGRESSION(high, kernel=kernel)


@pytest.mark.parametrize("size", [1e-45, 1e-31, 1e31, 1e45])
def test_without_a_penalty_a_kernel_whose_square_is_out_of_range_is_refused_in_words(size):
    """The steps multiply K² with K y: of k(x, x) from 1e60 on, squares of that are no numbers."""
    X = size * np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 1.0], [2.0, 2.0]])
    far = Dataset(X, [1.0, 2.0, 0.5, 3.0], kind="number")
    with pytest.raises(Refused, match=r"at λ = 0 the largest k\(x, x\)² is .* out of range"):
        REGRESSION(far, kernel="linear", penalty=0.0)
    assert Timeline(REGRESSION, far, {"kernel": "linear"}).run().failures == []
    wide = Dataset(X / size * 1e25, 1e10 * far.y, kind="number")
    with pytest.raises(Refused, match=r"the largest k\(x, x\)³\|y\| is .* out of range"):
        REGRESSION(wide, kernel="linear", penalty=0.0)
    high = Dataset(X / size * 1e16, 1e55 * far.y, kind="number")
    with pytest.raises(Refused, match=r"the largest k\(x, x\)²\|y\| is .* out of range"):
        REGRESSION(high, kernel="linear", penalty=0.0)


def test_too_many_rows_are_refused_in_words():
    many = Dataset(np.arange(2000.0)[:, None], np.arange(2000.0) + 0.5, kind="number")
    with pytest.raises(Refused, match="take a sample of 1,500"):
        REGRESSION(many)


def test_what_the_chart_measures_is_named_where_it_stands():
    name = REGRESSION.curves[0].name
    assert (name, REGRESSION.curves[0].chart) == ("‖α - α*‖_A", "distance to α*")
    assert RATE.statement.startswith(f"{name} <= ")
    run = Timeline(REGRESSION, line.with_(n=8)).run()
    said = REGRESSION.explain(run.problem, run.at(1).before, run.at(1).state)
    assert said.point.startswith(f"1 step made {name} ")
