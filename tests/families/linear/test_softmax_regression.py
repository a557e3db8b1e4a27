"""Softmax regression: by hand, against scikit-learn and the binary run, and its theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import LogisticRegression

from algorithms import Label, Refused, Timeline, edited, find
from algorithms.core import Dataset, DragHandles
from algorithms.core.state import same
from algorithms.data import blobs, digits, iris, moons, penguins, wine
from algorithms.families.linear.softmax_regression.algorithm import eta_of, f_of
from algorithms.families.linear.softmax_regression.softmax import SoftmaxLikelihood

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_gradient_of_every_second_row_is_noticed",
    "update": "test_a_step_down_or_half_as_far_is_noticed",
}
PLANTED = {
    "K - 1 vectors are enough: p of w - w_K is p of w": "test_a_sigmoid_for_each_class_by_itself_is_no_softmax",
    "all shifted alike: H(w_K, ..., w_K) = λw_K, flat without λ": (
        "test_a_sigmoid_for_each_class_by_itself_is_no_softmax"
    ),
}
SILENT = {  # in the run that opens, and why
    "Newton: H d = g": "the steps are up the gradient",
    "Newton: ln P + ¼ s g·d <= ln P', and not so with 2s": "the steps are up the gradient",
    "two classes: v' = v + 2η∇ln P(v), the binary run with λ/2": "there are 3 classes",
    "two classes from w = 0: w₁ = -w₂": "there are 3 classes",
}

SOFTMAX = find("softmax_regression")
RISES, SLOPE, SUM, STEPPED, EQUATIONS, HALVED, FEWER, FLAT, BINARY, OPPOSITE = SOFTMAX.theorems
THREE = Dataset([[1.0], [-1.0], [2.0]], [0, 1, 2], classes=("a", "b", "c"))
FLAT_RUN = {"method": "newton", "start": "drawn", "seed": 1, "penalty": 0.0, "bias": False}
LINE = blobs.with_(n=150, k=3, d=1, scale=True)


def run_of(data, **parameters):
    problem = SOFTMAX.problem(data, None, parameters)
    return problem, list(SOFTMAX.start(problem))


def statuses(theorem, problem, states):
    return {theorem.verdict(problem, before, after).status for before, after in zip([None, *states], states)}


def at(states, phase, nth=-1):
    i = [i for i, s in enumerate(states) if s.phase == phase][nth]
    return states[i - 1], states[i]


# The algorithm


def test_the_first_step_by_hand():
    """p = 1/3 for all: g_a = 1 - (1 - 1 + 2)/3 = 1/3, g_b = -1 - 2/3, g_c = 2 - 2/3; L = 6/2, so w = g/3."""
    problem, states = run_of(THREE, bias=False, penalty=0.0, steps=1)
    assert [s.phase for s in states] == ["start", "gradient", "step"]
    assert states[1].g[:, 0] == pytest.approx([1 / 3, -5 / 3, 4 / 3])
    assert eta_of(problem) == pytest.approx(1 / 3)
    assert states[2].w[:, 0] == pytest.approx([1 / 9, -5 / 9, 4 / 9])


@pytest.mark.parametrize("method", ["gradient", "newton"])
def test_scikit_learn_comes_to_the_same_weights(method):
    for recipe in (iris.with_(scale=True), penguins.with_(scale=True)):
        data = recipe.load()
        _, states = run_of(data, method=method, penalty=2.0, tolerance=1e-8, steps=20_000)
        theirs = LogisticRegression(C=0.5, tol=1e-12, max_iter=10_000).fit(data.X, data.y)
        assert states[-1].w[:, :-1] == pytest.approx(theirs.coef_, rel=1e-4, abs=1e-5)
        bias, other = states[-1].w[:, -1], theirs.intercept_
        assert bias - bias.mean() == pytest.approx(other - other.mean(), rel=1e-4, abs=1e-5)


def test_slope_and_curvature_are_those_of_the_likelihood():
    f = SOFTMAX.problem(wine.with_(scale=True).load()), None
    f = f_of(f[0])
    w, h = 0.3 * np.random.default_rng(1).normal(size=f.shape), 1e-5
    flat = np.eye(w.size)
    slope = [(f.value(w + h * e.reshape(w.shape)) - f.value(w - h * e.reshape(w.shape))) / (2 * h) for e in flat]
    bend = [(f.gradient(w + h * e.reshape(w.shape)) - f.gradient(w - h * e.reshape(w.shape))) / (2 * h) for e in flat]
    assert f.gradient(w).ravel() == pytest.approx(slope, rel=1e-5, abs=1e-5)
    assert -f.hessian(w) == pytest.approx(np.array([b.ravel() for b in bend]), rel=1e-4, abs=1e-4)


def test_with_two_classes_it_is_the_binary_run_with_twice_the_step_and_half_the_penalty():
    data = iris.with_(positive="versicolor", scale=True).load()
    _, ours = run_of(data, penalty=3.0, steps=50)
    binary = list(find("logistic_regression")(data, penalty=1.5, steps=50))  # ηL = 1 in both: η is twice as large
    assert len(ours) == len(binary)
    for a, b in zip(ours, binary):
        assert a.w[1] - a.w[0] == pytest.approx(b.w, rel=1e-9, abs=1e-12)
        assert a.w[1] == pytest.approx(-a.w[0], rel=1e-9, abs=1e-12)


def test_three_classes_on_a_line_are_not_masked():
    """One-hot least squares never takes a row for the middle class; softmax about as many as there are."""
    data = LINE.load()
    problem, states = run_of(data, method="newton")
    taken = np.bincount(f_of(problem).shares(states[-1].w).argmax(axis=0))
    assert taken.tolist() == [49, 50, 51]
    X, Y = np.column_stack([data.X, np.ones(data.n)]), np.eye(3)[data.y]
    masked = np.bincount((X @ np.linalg.lstsq(X, Y)[0]).argmax(axis=1), minlength=3)
    middle = int(np.argsort([data.X[data.y == k].mean() for k in range(3)])[1])
    assert masked[middle] == 0


def test_without_a_penalty_the_sum_of_drawn_weights_stays_and_with_one_it_shrinks():
    data = blobs.with_(n=60, k=3).load()
    problem, states = run_of(data, start="drawn", penalty=0.0, steps=30)
    assert states[-1].w.sum(axis=0) == pytest.approx(states[0].w.sum(axis=0), abs=1e-12)
    problem, states = run_of(data, start="drawn", penalty=5.0, steps=30)
    shrunk = (1 - eta_of(problem) * 5.0) ** 30
    assert states[-1].w.sum(axis=0)[:2] == pytest.approx(shrunk * states[0].w.sum(axis=0)[:2])


def test_a_long_step_of_newtons_is_cut_short():
    _, states = run_of(wine.with_(scale=True).load(), method="newton", start="drawn", seed=3, penalty=0.01)
    assert any(s.phase == "halve" for s in states)


def test_newton_for_many_weights_is_refused_in_words():
    with pytest.raises(Refused, match="for 650 weights at once, more than 200: use the gradient"):
        SOFTMAX(digits.load(), method="newton")


def test_numbers_too_large_are_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        SOFTMAX(Dataset([[1e60], [1.0], [2.0]], [1, 0, 2], classes=("a", "b", "c")))


def test_a_strong_penalty_with_long_steps_ends_in_words():
    run = Timeline(SOFTMAX, blobs.with_(k=3), {"penalty": 1e6, "eta_L": 3.0}).run()
    assert run.stopped.reason == "it diverges: η is too large"


# Its states


@pytest.mark.parametrize("parameters", [{}, {"method": "newton", "start": "drawn", "seed": 3}])
def test_it_goes_on_from_any_state_bit_for_bit(parameters):
    data = blobs.with_(n=40, k=3).load()
    states = list(SOFTMAX(data, steps=20, **parameters))
    for k in range(0, len(states), 4):
        rest = list(SOFTMAX(data, state=pickle.loads(pickle.dumps(states[k])), steps=20, **parameters))
        assert len(rest) == len(states) - k - 1
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :]))


def test_after_a_fork_w_stays_and_no_theorem_fails():
    run = Timeline(SOFTMAX, blobs.with_(n=60, k=3), {"steps": 30}).run()
    data = edited(run.data, [Label(3, (int(run.data.y[3]) + 1) % 3)])
    for fork in (run.fork(20, data=data), run.fork(20, method="newton"), run.fork(20, penalty=3.0)):
        fork.run()
        assert fork.failures == []
        assert np.array_equal(fork.at(20).state.w, run.at(20).state.w)


def test_each_arrow_can_be_dragged():
    problem, states = run_of(blobs.with_(n=60, k=3).load(), steps=5)
    marks = SOFTMAX.scene(problem, states[-2], states[-1]).panels[0].marks
    grips = next(m for m in marks if isinstance(m, DragHandles))
    for k in range(3):
        assert np.allclose(grips.moved(states[-1], k, grips.at[k]).w, states[-1].w)
    turned = grips.moved(states[-1], 1, grips.at[2]).w
    assert turned[1, :2] == pytest.approx(states[-1].w[2, :2])


# Its theorems


@pytest.mark.parametrize("parameters", [{}, {"method": "newton"}, {"start": "drawn"}, {"eta_L": 5.0, "penalty": 0.0}])
def test_they_hold_at_every_step(parameters):
    for recipe in (iris, wine.with_(scale=True), moons, LINE):
        problem, states = run_of(recipe.load(), steps=10, **parameters)
        for theorem in SOFTMAX.theorems:
            assert statuses(theorem, problem, states) <= {"holds", "does not apply"}, theorem.statement


def test_a_gradient_of_every_second_row_is_noticed():
    problem, states = run_of(blobs.with_(n=60, k=3).load(), steps=5)
    f, (_, state) = f_of(problem), at(states, "gradient")
    half = (f.Y - f.shares(state.w))[:, ::2] @ f.X[::2]
    assert SLOPE.verdict(problem, None, state).status == "holds"
    assert SLOPE.verdict(problem, None, replace(state, g=half)).status == "fails"
    right_class_alone = f.Y * (1 - f.shares(state.w)) @ f.X
    assert SUM.verdict(problem, None, replace(state, g=right_class_alone)).status == "fails"


def test_a_step_down_or_half_as_far_is_noticed():
    problem, states = run_of(blobs.with_(n=60, k=3).load(), steps=5)
    before, after = at(states, "step")
    assert [t.verdict(problem, before, after).status for t in (STEPPED, RISES)] == ["holds", "holds"]
    assert STEPPED.verdict(problem, before, replace(after, w=(before.w + after.w) / 2)).status == "fails"
    down = replace(after, w=2 * before.w - after.w)
    assert [t.verdict(problem, before, down).status for t in (STEPPED, RISES)] == ["fails", "fails"]


def test_the_gradient_in_place_of_newtons_direction_is_noticed():
    problem, states = run_of(blobs.with_(n=60, k=3).load(), method="newton", steps=5)
    before, after = at(states, "solve", 1)
    assert EQUATIONS.verdict(problem, before, after).status == "holds"
    assert EQUATIONS.verdict(problem, before, replace(after, d=after.g)).status == "fails"
    before, after = at(states, "step", 0)
    assert HALVED.verdict(problem, before, after).status == "holds"
    assert HALVED.verdict(problem, before, replace(after, w=before.w - before.d)).status == "fails"


@pytest.mark.parametrize(
    ("X", "penalty"), [((1e6, 1e-4), 0.1), ((1e40, 1.0), 1.0), ((1.0, 1.0), 1e6), ((300.0, 300.0), 0.0)]
)
@pytest.mark.parametrize("start", ["zero", "drawn"])
def test_newtons_direction_is_right_in_any_units(X, penalty, start):
    data = blobs.with_(n=60, k=3).load()
    data = Dataset(data.X * X, data.y, classes=data.classes)
    problem, states = run_of(data, method="newton", penalty=penalty, start=start, seed=6, steps=9)
    assert statuses(EQUATIONS, problem, states) <= {"holds", "undecided", "does not apply"}
    assert start == "drawn" or "holds" in statuses(EQUATIONS, problem, states)
    assert statuses(FEWER, problem, states) <= {"holds", "does not apply"}


def test_a_direction_in_which_all_is_flat_is_none():
    """All rows lie so far out that p (1 - p) is 0: Newton's method cannot tell where to go, and says so."""
    run = Timeline(SOFTMAX, Dataset([[1e6], [-2e6]], [0, 1], classes=("a", "b")), FLAT_RUN).run()
    assert run.stopped.reason == "no step raises ln P by what g·d promises: it is lost in rounding"
    assert run.failures == []


def test_a_step_cut_in_half_without_need_is_noticed():
    problem, states = run_of(blobs.with_(n=60, k=3).load(), method="newton", steps=5)
    before, after = at(states, "step", 0)
    half = replace(after, s=0.5, w=(before.w + after.w) / 2)
    assert HALVED.verdict(problem, before, half).status == "fails"
    wine_problem, states = run_of(wine.with_(scale=True).load(), method="newton", start="drawn", seed=3, penalty=0.01)
    assert any(s.s < 1 for s in states)
    assert statuses(HALVED, wine_problem, states) == {"holds", "does not apply"}


def test_a_sigmoid_for_each_class_by_itself_is_no_softmax(monkeypatch):
    problem, states = run_of(blobs.with_(n=60, k=3).load(), steps=5)
    for theorem in (FEWER, FLAT):
        assert theorem.verdict(problem, None, states[-1]).status == "holds"
    monkeypatch.setattr(SoftmaxLikelihood, "shares", lambda f, w: 1 / (1 + np.exp(-w @ f.X.T)))
    fresh = SOFTMAX.problem(problem.data, None, {})
    for theorem in (FEWER, FLAT):
        assert theorem.verdict(fresh, None, states[-1]).status == "fails"


def test_without_a_penalty_the_hessian_has_an_eigenvalue_0_for_each_weight_of_a_class():
    data = wine.with_(scale=True).load()
    for penalty, flat in ((0.0, 14), (1.0, 1)):  # the bias is never penalised
        f = f_of(SOFTMAX.problem(data, None, {"penalty": penalty}))
        w, u = np.random.default_rng(0).normal(size=(2, *f.shape))
        H = f.hessian(w)
        assert f.bend(w, u).ravel() == pytest.approx(H @ u.ravel())
        values = np.linalg.eigvalsh(H)
        assert np.count_nonzero(values < 1e-10 * values[-1]) == flat


def test_another_step_than_the_binary_run_is_noticed():
    problem, states = run_of(iris.with_(positive="versicolor", scale=True).load(), steps=5)
    before, after = at(states, "step")
    assert [t.verdict(problem, before, after).status for t in (BINARY, OPPOSITE)] == ["holds", "holds"]
    lone = after.w.copy()
    lone[0] = before.w[0]
    assert [t.verdict(problem, before, replace(after, w=lone)).status for t in (BINARY, OPPOSITE)] == ["fails", "fails"]
    drawn, states = run_of(problem.data, start="drawn", steps=5)
    before, after = at(states, "step")
    assert BINARY.verdict(drawn, before, after).status == "holds"
    assert OPPOSITE.verdict(drawn, before, after).why == "w began elsewhere"


# What a person reads


def test_it_explains_its_steps():
    problem, states = run_of(THREE, bias=False, penalty=0.0, steps=1)
    words = [SOFTMAX.explain(problem, b, s) for b, s in zip([None, *states], states)]
    assert words[0].startswith("w = 0 gives each of the 3 rows trained on the chance 1/3 of its class: ")
    assert words[0].endswith(" ln P = -3 ln 3 = -3.296.")
    assert words[1] == ("Row 2 (x1 2) pulls most: it is c with p = 0.333, and a has 0.333. g is 2.16 long.")
    assert words[2].startswith("The step moves w by 0.72, and ln P rises by ")
    assert words[2].endswith("Wrong rows: 1 of 3.")


def test_what_rounding_takes_at_the_end_is_not_called_too_far():
    problem, states = run_of(blobs.with_(n=60, k=3).load(), method="newton", penalty=5.0, tolerance=1e-12)
    top = states[-1]
    lower = replace(top, w=top.w + 1e-7, phase="step")
    problem = SOFTMAX.problem(problem.data, None, {"penalty": 5.0})
    assert f_of(problem).value(lower.w) < f_of(problem).value(top.w)
    assert "ln P rises by 0 to " in SOFTMAX.explain(problem, top, lower)


def test_the_shares_along_the_line_sum_to_one():
    problem, states = run_of(LINE.load(), steps=20)
    panel = next(p for p in SOFTMAX.scene(problem, None, states[-1]).panels if p.title.startswith("p of each class"))
    curves = [m.at for m in panel.marks if type(m).__name__ == "Path"]
    assert len(curves) == 3
    assert sum(c[:, 1] for c in curves) == pytest.approx(np.ones(len(curves[0])))


def test_digits_have_their_weights_as_images():
    problem, states = run_of(digits.load(), steps=2)
    panels = {p.title: p for p in SOFTMAX.scene(problem, None, states[-1]).panels}
    assert panels["w as images"].marks[0].values.shape == (17, 44)
    assert panels["w as images"].marks[0].values[9:, 9:17] == pytest.approx(states[-1].w[6, :64].reshape(8, 8))


def test_the_sides_of_a_small_rise_are_told_apart_by_four_digits():
    """At the end of a run ln P and ln P' are -18.99 both: what rises is held against what it rises by at least."""
    problem = SOFTMAX.problem(SOFTMAX.datasets[0].load())
    *_, before, end = SOFTMAX.start(problem)
    sides = SOFTMAX.theorems[0].verdict(problem, before, end).sides
    assert list(sides.names) == ["0", "η(1 - ½ηL)‖g‖²", "ln P' - ln P"]
    assert len({f"{float(value):.4g}" for value in sides.values}) == 3
