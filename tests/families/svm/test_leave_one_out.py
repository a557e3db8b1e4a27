"""One row left out: by hand, against scikit-learn solved again for each row, and its theorems broken on purpose."""

import numpy as np
import pytest
from sklearn.svm import SVC, LinearSVC

from algorithms import Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Points
from algorithms.data import blobs, iris, moons
from algorithms.families.svm.leave_one_out.pictures import says_left_out
from algorithms.toolbox.margin_fits import by_pairs, dual, fits, out_of_its_case, primal
from tests.families.ends import end_of

LEAVE = find("leave_one_out")
FEW, SAME, BEST, OPTIMAL, NO_LESS, BY_MARGIN, ORDER, AS_FITTED = LEAVE.theorems

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_another_row_than_the_next_is_seen",
    "update": "test_a_problem_that_was_not_solved_to_its_end_is_seen",
}
SILENT = {  # in the run that opens, and why
    "no bias, C = ∞: wrong <= Σ α‖x‖² of these <= R²/γ²": "rows may fall short at price C",
}
SIGNS = ("-", "+")
BLOBS = blobs.with_(n=60, seed=7).load()
PETALS = iris.with_(positive="setosa", columns=("petal_length_cm", "petal_width_cm")).load()
TWO = Dataset(
    iris.with_(positive="virginica").load().X[50:],
    iris.with_(positive="virginica").load().y[50:],
    classes=("versicolor", "virginica"),
)
HARD = {"margin": "hard"}


def run_of(data, **parameters):
    return Timeline(LEAVE, data, parameters).run()


def steps_of(data, **parameters):
    problem = LEAVE.problem(data, None, parameters)
    states = list(LEAVE.start(problem))
    return problem, list(zip([None, *states], states))


def first(steps, phase):
    return next((before, after) for before, after in steps if after.phase == phase)


def fails(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status == "fails"


# The algorithm


def test_two_rows_of_a_class_by_hand():
    """No bias, C = ∞, rows 1, 2 | -1: w = 1, carried by 1 and -1; without either the other alone carries the same."""
    data = Dataset([[1.0], [2.0], [-1.0]], [1, 1, 0], classes=SIGNS)
    _, steps = steps_of(data, **HARD, order="in turn")
    assert [after.phase for _, after in steps][2] == "no support vector"
    assert [float(after.left_w[0]) for _, after in steps] == pytest.approx([1, 1, 1, 1])
    assert steps[-1][1].value == pytest.approx([1, 2, 1])


def test_a_row_that_was_alone_with_its_class_is_wrong_when_it_goes():
    data = Dataset([[1.0], [2.0], [-1.0]], [1, 1, 0], classes=SIGNS)
    run = run_of(data, bias=True)
    assert run.at(run.last).state.value[2] <= 0
    assert not run.failures


@pytest.mark.parametrize("C", [0.1, 1.0])
def test_the_solutions_are_those_of_scikit_learn_without_each_row(C):
    state = list(LEAVE(BLOBS, C=C, bias=True))[BLOBS.n]
    for row in range(0, BLOBS.n, 7):
        rest = np.arange(BLOBS.n) != row
        theirs = SVC(C=C, kernel="linear", tol=1e-8).fit(BLOBS.X[rest], BLOBS.y[rest])
        assert state.value[row] == pytest.approx(
            float(BLOBS.signs[row] * theirs.decision_function(BLOBS.X[[row]])[0]), abs=1e-4
        )


def test_without_a_bias_they_are_those_of_liblinear():
    state = list(LEAVE(BLOBS))[BLOBS.n]
    for row in range(0, BLOBS.n, 7):
        rest = np.arange(BLOBS.n) != row
        theirs = LinearSVC(C=1.0, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=1_000_000)
        value = theirs.fit(BLOBS.X[rest], BLOBS.y[rest]).decision_function(BLOBS.X[[row]])[0]
        assert state.value[row] == pytest.approx(float(BLOBS.signs[row] * value), abs=1e-4)


def test_the_lectures_numbers():
    """Petals: 0 <= 2; versicolor against virginica at C = 1: 3 <= 23."""
    for data, parameters, wanted in ((PETALS, HARD, (0, 2)), (TWO, {"C": 1.0}, (3, 23))):
        problem, steps = steps_of(data, bias=True, **parameters)
        state = steps[-1][1]
        assert (int((state.value <= 0).sum()), int((state.alpha > 0).sum())) == wanted
        assert not any(fails(theorem, problem, *step) for step in steps[-5:] for theorem in LEAVE.theorems)


@pytest.mark.parametrize(("margin", "most"), [(0.5, 107), (1.0, 32), (2.0, 11)])
def test_a_wider_margin_lets_fewer_be_wrong(margin, most):
    problem = LEAVE.problem(blobs.with_(n=60, margin=margin).load(), None, HARD)
    verdict = BY_MARGIN.verdict(problem, None, end_of(LEAVE.start(problem))[0])
    assert verdict.status == "holds"
    assert verdict.sides.values[-1] == pytest.approx(most, rel=0.05)


def test_after_the_support_vectors_nothing_changes():
    _, steps = steps_of(BLOBS)
    phases = [after.phase for _, after in steps]
    supports = int((steps[0][1].alpha > 0).sum())
    assert phases[1 : supports + 1].count("no support vector") == 0
    assert set(phases[supports + 1 :]) == {"no support vector"}


def test_what_cannot_be_solved_is_refused():
    for bias in (True, False):
        with pytest.raises(Refused, match="are not separated: take a soft margin"):
            LEAVE.problem(moons.with_(n=100).load(), None, {**HARD, "bias": bias})
    with pytest.raises(Refused, match="for 1,000 rows at most"):
        LEAVE.problem(blobs.with_(n=1001).load())
    with pytest.raises(Refused, match="no row of data is -"):
        LEAVE.problem(Dataset([[1.0], [2.0], [3.0]], [1, 1, 1], classes=SIGNS))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_the_size_of_numbers_does_not_matter_for_a_hard_margin(scale, bias):
    data = Dataset(scale * BLOBS.X, BLOBS.y, classes=SIGNS)
    run, (plain, _) = run_of(data, **HARD, bias=bias), end_of(LEAVE(BLOBS, **HARD, bias=bias))
    assert run.at(run.last).state.value == pytest.approx(plain.value, abs=1e-4)
    assert not run.failures


def unscaled(seed, n, d):
    """Rows of two classes that overlap, far from 0, whose features are of very different sizes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, d)) + 0.7 * (2 * y - 1)[:, None]
    return Dataset((X + 3) * 10 ** rng.uniform(-3, 3, size=d), y, classes=SIGNS)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("shape", [(0, 22, 2), (1, 44, 2), (2, 54, 10)])
def test_features_that_were_not_scaled_are_solved_to_the_end_too(shape, C, bias):
    data = unscaled(*shape)
    fit = fits(data, C, bias).of_all()
    P, W = primal(data.X, data.signs, fit.w, C), dual(data.X, data.signs, fit.alpha)
    assert fit.reached
    assert abs(P - W) <= 1e-4 * P


def test_what_is_not_solved_to_its_end_is_refused_or_said(monkeypatch):
    run = run_of(BLOBS)
    before, after = run.at(2).state, run.at(3).state
    assert "this is a guess" in LEAVE.explain(run.problem, before, after.replaced(unsure=before.unsure + 1))
    with pytest.raises(StopIteration, match="2 problems could not be solved to the end"):
        next(LEAVE(BLOBS, state=run.at(run.last).state.replaced(unsure=2)))
    monkeypatch.setattr("algorithms.toolbox.margin_fits.SLACKNESS", -1.0)
    with pytest.raises(Refused, match="could not be solved to its end: scale the features"):
        LEAVE.problem(Dataset(BLOBS.X, BLOBS.y, classes=SIGNS))


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, np.inf])
def test_solutions_come_with_both_problems_at_the_same_height(C):
    data = BLOBS if np.isfinite(C) else blobs.with_(n=60, margin=0.3, d=5).load()
    for bias in (True, False):
        fit = fits(data, C, bias).of_all()
        P, W = primal(data.X, data.signs, fit.w, C), dual(data.X, data.signs, fit.alpha)
        assert 0 <= P - W + 1e-9 * P <= 1e-4 * P
        z = data.signs * (data.X @ fit.w[:-1] + fit.w[-1])
        assert out_of_its_case(z, fit.alpha, C).max() < 1e-5
        if bias:
            assert fit.alpha @ data.signs == pytest.approx(0, abs=1e-9 * fit.alpha.sum())


def test_rows_of_one_class_have_any_bias_on_their_side():
    alpha, low, high = by_pairs(np.array([[1.0], [2.0]]), np.array([1.0, 1.0]), 1.0)
    assert (alpha.tolist(), low, high) == ([0, 0], 1.0, np.inf)


# Its theorems


@pytest.mark.parametrize("parameters", [{}, {"bias": True}, {"C": 100.0}, HARD, {**HARD, "bias": True}], ids=str)
def test_no_theorem_fails_at_any_step(parameters):
    problem, steps = steps_of(BLOBS, **parameters)
    for theorem in LEAVE.theorems:
        assert not any(fails(theorem, problem, before, after) for before, after in steps), theorem.statement


def test_another_row_than_the_next_is_seen():
    for order in ("in turn", "largest α first"):
        problem, steps = steps_of(BLOBS, order=order)
        for before, after in steps[1:5]:
            assert not fails(ORDER, problem, before, after)
            assert fails(ORDER, problem, before, after.replaced(row=(after.row + 3) % BLOBS.n))


def test_the_next_row_is_worked_out_by_the_theorem_itself(monkeypatch):
    monkeypatch.setattr(
        "algorithms.families.svm.leave_one_out.algorithm.next_row",
        lambda state, order: int(np.where(np.isnan(state.value), state.alpha, np.inf).argmin()),
    )
    assert {f.verdict.theorem.statement for f in run_of(BLOBS).failures} == {ORDER.statement}


@pytest.mark.parametrize("bias", [True, False])
def test_a_problem_that_was_not_solved_to_its_end_is_seen(bias):
    problem, steps = steps_of(BLOBS, bias=bias)
    for before, after in steps[1:4]:
        half = {"left_alpha": after.left_alpha / 2, "left_w": after.left_w / 2}
        assert not fails(OPTIMAL, problem, before, after)
        assert fails(OPTIMAL, problem, before, after.replaced(**half))
        assert fails(OPTIMAL, problem, before, after.replaced(left_w=after.left_w * 0.99))


def test_a_row_that_stays_in_the_problem_is_seen():
    problem, steps = steps_of(BLOBS)
    before, after = first(steps, "wrong")
    assert fails(OPTIMAL, problem, before, after.replaced(left_alpha=after.alpha, left_w=after.w))


def test_a_w_that_moves_without_a_support_vector_is_seen():
    problem, steps = steps_of(BLOBS)
    before, after = first(steps, "no support vector")
    for theorem in (SAME, BEST):
        assert not fails(theorem, problem, before, after)
        for other in (after.left_w * 1.01, after.left_w + [0.1, -0.1, 0.0]):
            assert fails(theorem, problem, before, after.replaced(left_w=other))
    early = after.replaced(left_alpha=after.left_alpha / 2)
    assert SAME.verdict(problem, before, early).status == "undecided"


def test_a_row_that_is_wrong_without_having_carried_is_seen():
    problem, steps = steps_of(BLOBS)
    last = steps[-1][1]
    value = np.where(last.alpha == 0, -1.0, last.value)
    assert not fails(FEW, problem, None, last)
    assert fails(FEW, problem, None, last.replaced(value=value))


def test_a_row_that_falls_further_than_its_pull_is_seen():
    problem, steps = steps_of(BLOBS)
    before, after = first(steps, "wrong")
    lower = np.where(np.arange(BLOBS.n) == after.row, after.value - 50.0, after.value)
    assert not fails(NO_LESS, problem, before, after)
    assert fails(NO_LESS, problem, before, after.replaced(value=lower))


def test_rows_that_are_wrong_without_a_pull_break_the_bound_by_the_margin():
    problem, steps = steps_of(BLOBS, **HARD)
    last = steps[-1][1]
    assert not fails(BY_MARGIN, problem, None, last)
    assert fails(BY_MARGIN, problem, None, last.replaced(value=-np.abs(last.value)))


def test_what_speaks_of_a_problem_without_a_bias_says_so():
    problem, steps = steps_of(BLOBS, bias=True)
    assert NO_LESS.verdict(problem, *steps[1]).why == "there is a bias, which moves too"
    problem, steps = steps_of(BLOBS)
    assert BY_MARGIN.verdict(problem, *steps[1]).why == "rows may fall short at price C"


# Forks and what is seen


@pytest.mark.parametrize("edit", [Remove(3), Move(3, (0.5, 0.5)), Label(3, 1 - int(BLOBS.y[3]))])
def test_after_an_edit_it_begins_anew(edit):
    run = Timeline(LEAVE, BLOBS)
    run.advance(21)
    fork = run.fork(20, data=edited(BLOBS, [edit]))
    assert fork.from_start
    fork.run()
    assert not fork.failures


def test_the_order_may_change_half_way():
    run = run_of(BLOBS)
    fork = run.fork(20, order="in turn").run()
    assert not fork.failures
    assert fork.at(fork.last).state.value == pytest.approx(run.at(run.last).state.value)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_the_panels_show_the_rows_that_were_left_out(d):
    run = run_of(blobs.with_(n=20, d=d).load(), bias=d == 2)
    for t in (0, 3, 20):
        frame = run.at(t)
        panels = LEAVE.scene(run.problem, frame.before, frame.state).panels
        assert [p.title for p in panels[1:]] == ["left out against all rows", "support vectors", "weights", "so far"]
        assert len(panels[1].marks[-1].at) == t


def test_it_explains_its_steps():
    run = run_of(BLOBS)
    said = {
        run.kind(t).phase: LEAVE.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(run.last + 1)
    }
    assert said["start"].startswith("With all 60 rows w = Σ α y x has 5 support vectors,")
    assert "Without it w moves by" in said["right"]
    assert ": still right. So far" in said["right"]
    assert ": wrong. So far" in said["wrong"]
    assert "without it w and b stay" in said["no support vector"]


def test_of_a_row_it_is_said_what_it_is_with_and_without_itself():
    z, value = np.array([1.5, 1.0, 0.5]), np.array([1.5, -0.25, np.nan])
    says = says_left_out(z, value)
    assert says(0) == "y f 1.5: right; without it 1.5: right"
    assert says(1) == "y f 1: right; without it -0.25: wrong"
    assert says(2) == "y f 0.5: right"


def test_the_value_of_the_fit_on_all_rows_is_seen():
    problem, steps = steps_of(BLOBS)
    seen = 0
    for before, after in steps[1:]:
        full = after.value.copy()
        full[after.row] = BLOBS.signs[after.row] * (BLOBS.X[after.row] @ after.w[:-1] + after.w[-1])
        assert not fails(AS_FITTED, problem, before, after)
        if abs(full - after.value)[after.row] > 1e-6:
            assert fails(AS_FITTED, problem, before, after.replaced(value=full))
            seen += 1
    assert seen >= 3, "where w moves"


def test_the_legend_says_that_hollow_rows_are_wrong_when_left_out():
    run = Timeline(LEAVE, BLOBS).run()
    marks = LEAVE.scene(run.problem, None, run.at(run.last).state).panels[0].marks
    assert [m.cross for m in marks if isinstance(m, Points)] == ["wrong left out"]
