"""The numbers of the statements about margins, their duals and kernels, each worked out from algorithm and data."""

from itertools import permutations

import numpy as np
import pytest

from algorithms import Dataset, Timeline, find
from algorithms.data import blobs, iris, moons, square
from algorithms.families.svm.pegasos.regularised_hinge import best_weights
from algorithms.families.svm.smo.algorithm import multipliers_of, solution_at
from algorithms.toolbox.panels.linear import foot_of

SMO, PERCEPTRON, HULLS = find("smo"), find("perceptron"), find("nearest_hulls")


LATE = iris.with_(classes=("versicolor", "virginica")).load()
PETALS = iris.with_(
    classes=("setosa", "versicolor"), positive="setosa", columns=("petal_length_cm", "petal_width_cm")
).load()


def linear(data, **parameters):
    """α, w, y f and b of a linear machine that is solved."""
    run = Timeline(SMO, data, {"kernel": "linear", "prune": False, "tol": 1e-9, **parameters}).run()
    state = run.at(run.last).state
    solution = solution_at(run.problem, state)
    return state.alpha, (state.alpha * data.signs) @ data.X, solution.margins, solution.bias


def width(data, **parameters):
    return 2 / np.linalg.norm(linear(data, **parameters)[1])


# Margins


def test_petals_and_their_hard_margin():
    alpha, w, margins, _ = linear(PETALS, margin="hard")
    assert alpha[alpha > 0] == pytest.approx([20 / 17, 20 / 17])
    assert w == pytest.approx([-22 / 17, -14 / 17])
    assert 2 / np.linalg.norm(w) == pytest.approx(np.sqrt(1.7))
    assert round(2 / np.linalg.norm(w), 3) == 1.304
    assert round(margins.min() / np.linalg.norm(w), 3) == 0.652
    assert width(PETALS, C=20 / 17) == pytest.approx(width(PETALS, margin="hard"))
    assert round(width(PETALS, C=1.165), 3) == 1.317


def test_the_foot_of_a_row():
    w, b, x = np.array([3.0, 4.0]), -5.0, np.array([3.0, 4.0])
    foot = foot_of(x, w, b)
    assert w @ foot + b == pytest.approx(0)
    assert np.linalg.norm(x - foot) == pytest.approx(4)
    assert abs(w @ x + b) / np.linalg.norm(w) == pytest.approx(4)


def test_mean_and_least_margin_of_petals():
    """Across the middle of the class means the least is .243; b may still move until both classes are as near."""
    run = Timeline(HULLS, PETALS, {"tolerance": 1e-8}).run()
    names = ("margin", "mean margin", "greatest margin")
    first, last = np.array([run.curve(name)[1][[0, -1]] for name in names]).T
    assert first.round(3).tolist() == [0.243, 1.5, 2.382]
    assert last.round(3).tolist() == [0.652, 1.470, 2.692]
    state = run.at(0).state
    heights = PETALS.X @ (state.p - state.q) / np.linalg.norm(state.p - state.q)
    of_setosa, of_versicolor = heights[PETALS.signs > 0], heights[PETALS.signs < 0]
    middle = (of_setosa.min() + of_versicolor.max()) / 2
    margins = PETALS.signs * (heights - middle)
    assert [round(v, 3) for v in (margins.min(), margins.mean(), margins.max())] == [0.639, 1.500, 2.778]


@pytest.mark.parametrize(("margin", "mistakes", "most"), [(1.0, 1, 39), (0.02, 10, 70_113)])
def test_mistakes_by_margin(margin, mistakes, most):
    run = Timeline(PERCEPTRON, blobs.with_(margin=margin, n=100), {"epochs": 10_000}).run()
    last = run.at(run.last)
    sides = PERCEPTRON.theorems[0].verdict(run.problem, last.before, last.state).sides
    assert [round(value) for value in sides.values] == [mistakes, most]


def test_the_dual_of_moons_grows_for_ever():
    run = Timeline(SMO, moons, {"kernel": "linear", "margin": "hard"}).run()
    assert "cannot be separated" in run.stopped.reason
    assert round(run.curve("dual")[1][-1]) == 10_094
    assert round(run.curve("widest possible")[1][-1], 5) == 0.00019


def test_the_corners_of_a_square_have_many_multipliers_and_one_w():
    """Whatever the order of the rows w is (1, 0); of α there is more than one."""
    data, seen = square.load(), set()
    for order in permutations(range(4)):
        alpha, w, margins, _ = linear(Dataset(data.X[list(order)], data.y[list(order)], classes=data.classes))
        assert w == pytest.approx([1, 0])
        assert margins == pytest.approx(1)
        seen.add(tuple(alpha[np.argsort(order)].round(6)))
    assert {(0.5, 0, 0.5, 0), (0, 0.5, 0, 0.5)} <= seen
    for alpha in (*seen, (0.25, 0.25, 0.25, 0.25)):
        w = (alpha * data.signs) @ data.X
        assert w == pytest.approx([1, 0])
        assert sum(alpha) - w @ w / 2 == pytest.approx(0.5)
    run = Timeline(SMO, data, {"kernel": "linear", "margin": "hard"}).run()
    (panel,) = (p for p in SMO.scene(run.problem, None, run.at(2).state).panels if p.title == "so far")
    assert dict(panel.marks[0].rows)["rows with y f = 1 and α = 0"] == 2


def test_the_perceptron_stops_short_of_the_widest_margin():
    data = blobs.with_(n=40, margin=0.5).load()
    run = Timeline(PERCEPTRON, data).run()
    w = run.at(run.last).state.w
    mapped = np.column_stack([data.X, np.ones(data.n)])
    widest = linear(Dataset(mapped, data.y, classes=data.classes), margin="hard")
    assert (data.signs * (mapped @ w)).min() / np.linalg.norm(w) < 0.9 / np.linalg.norm(widest[1])


def test_one_outlier_and_the_widths_it_leaves():
    data = Dataset(np.vstack([PETALS.X, [2.6, 0.8]]), np.append(PETALS.y, 1), classes=PETALS.classes)
    assert round(width(PETALS, margin="hard"), 3) == 1.304
    assert round(width(data, margin="hard"), 3) == 0.500
    assert round(width(data, C=1.0), 3) == 1.517
    assert linear(data, C=1.0)[2][-1] < 0
    bent = Timeline(SMO, data, {"kernel": "rbf", "gamma": 20, "C": 1e6, "prune": False}).run()
    f = multipliers_of(bent.problem, bent.at(bent.last).state).f
    along = f(np.linspace(PETALS.X[PETALS.y == 1].mean(axis=0), [2.6, 0.8], 50)) > 0
    assert along[0]
    assert along[-1]
    assert not along.all()  # between them it is versicolor: an island


def test_rigid_and_flexible_on_moons():
    data = moons.with_(n=300, noise=0.3, hold_out=0.33)
    errors = []
    for gamma, C in ((30.0, 1000.0), (1.0, 1.0)):
        run = Timeline(SMO, data, {"gamma": gamma, "C": C, "prune": False}).run()
        errors += [round(100 * run.curve(name)[1][-1], 1) for name in ("training error", "held-out error")]
    assert errors == [0, 16.2, 8.0, 4.0]


# What C trades


def test_what_C_trades_on_versicolor_and_virginica():
    ends = {C: linear(LATE, C=C) for C in (2.0**e for e in (-8, -6, -4, -2, 0, 2, 4))}
    assert [int((margins <= 0).sum()) for _, _, margins, _ in ends.values()] == [12, 8, 6, 1, 1, 3, 3]
    half = np.array([w @ w / 2 for _, w, _, _ in ends.values()])
    slack = np.array([np.maximum(0, 1 - margins).sum() for _, _, margins, _ in ends.values()])
    assert (np.diff(half) > 0).all()
    assert (np.diff(slack) < 0).all()
    assert half[3:6].round(3).tolist() == [2.557, 4.731, 9.792]
    assert slack[3:6].round(3).tolist() == [15.547, 11.029, 8.537]
    slopes = -np.diff(half) / np.diff(slack)
    assert round(slopes[3], 3) == 0.481
    assert round(slopes[4], 2) == 2.03
    prices = list(ends)
    assert all(low <= slope <= high for low, slope, high in zip(prices, slopes, prices[1:]))


def test_w_goes_to_nothing_with_its_price():
    lengths = [np.linalg.norm(linear(PETALS, C=C)[1]) for C in (0.01, 0.0001, 0.000001)]
    assert [f"{length:.3g}" for length in lengths] == ["0.645", "0.015", "0.00015"]
    assert round(lengths[1], 4) == 0.0150
    assert all(length <= np.sqrt(2 * PETALS.n * C) for length, C in zip(lengths, (0.01, 0.0001, 0.000001)))
    assert round(np.linalg.norm(linear(blobs.with_(n=60, margin=0.5).load(), C=0.000001)[1]), 5) == 0.00014


def test_the_constant_that_is_appended_makes_the_bias_cost():
    """Against the solution with a free b, whose ‖w‖ is 3.0759."""
    lengths = [np.linalg.norm(best_weights(LATE, c, 1 / LATE.n, "hinge").u[:-1]) for c in (1, 3, 10, 100)]
    assert [round(length, 3) for length in lengths[:3]] == [3.424, 3.143, 3.065]
    assert round(lengths[3], 4) == 3.0756
    assert round(np.linalg.norm(linear(LATE, C=1.0)[1]), 4) == 3.0759


def test_a_row_dragged_ever_farther_keeps_its_price():
    base = blobs.with_(n=60, margin=0.5).load()
    normal = linear(base, margin="hard")[1]
    for far in (-0.4, -4.0, -40.0):
        X = base.X.copy()
        X[3] += (far - base.signs[3] * (X[3] @ normal) / np.linalg.norm(normal)) * base.signs[3] * normal
        assert linear(Dataset(X, base.y, classes=base.classes), C=0.1)[0][3] == 0.1


# Duality


def test_the_multiplier_of_a_line():
    run = Timeline(find("dual_ascent"), Dataset.none, {"problem": "line", "eta": 0.1}).run()
    state = run.at(run.last).state
    assert round(float(state.alpha[0]), 3) == -0.4
    assert state.x == pytest.approx([0.4, 0.8], abs=1e-5)


# Kernels


@pytest.mark.parametrize(
    ("function", "values", "least"),
    [("max", (1, 2), -0.562), ("sigmoid", (0.5, 1, 2), -0.958), ("distance", (0, 1, 3), -4.11)],
)
def test_functions_that_are_no_kernels(function, values, least):
    rows = Dataset(np.array(values, float)[:, None])
    *_, end = find("kernel_matrix")(rows, function=function, gamma=1.0, constant=1.0)
    assert round(float(end.spectrum[0]), 3 if least > -1 else 2) == least


# Descent


def test_a_step_of_the_lectures_sgd_is_that_of_pegasos():
    """At λ = 1 and with η = 1/t: (1 - η)w + η C' y x with C' = nC = 1."""
    data = blobs.with_(n=20, spread=1.5).load()
    states = list(zip(find("pegasos")(data, lam=1.0, bias=0.0, project=False), range(30)))
    for (before, t), (after, _) in zip(states, states[1:]):
        eta, yx = 1 / (t + 1), data.signs[after.row] * data.X[after.row]
        pull = yx if yx @ before.w < 1 else 0 * yx
        assert after.w == pytest.approx((1 - eta) * before.w + eta * pull)
