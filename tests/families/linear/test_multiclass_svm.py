"""The multiclass SVM: by hand, against scikit-learn and the binary machine, and its theorems broken."""

import pickle
from itertools import islice

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.svm import LinearSVC

from algorithms import Move, Refused, Timeline, edited, find
from algorithms.core import Dataset, DragHandles, Problem
from algorithms.core.state import same
from algorithms.data import blobs, breast_cancer, iris, wine
from algorithms.families.linear.multiclass_svm import multiclass_hinge as hinge

WRONG = {
    "choice": "test_another_class_than_the_most_violating_as_the_rival_is_noticed",
    "update": "test_a_step_the_wrong_way_or_half_as_far_is_noticed",
}
PLANTED = {
    "L times the share of errors <= mean ξ": "test_a_loss_without_its_margin_is_noticed",
    "D <= f(W) for every W": "test_a_value_of_the_dual_above_the_least_f_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "two classes: w₁ - w₀ is the binary machine, λ/2": "there are three classes",
    "L asked of y too: no fₜ is below L": "L is asked of the other classes alone",
}

SVM = find("multiclass_svm")
ERRORS, RIVAL, STEP, LEADS, SOFT, ACCOUNTS, DUAL, SUM, REGRET, BINARY, EVERYWHERE = SVM.theorems
THREE = Dataset([[1.0], [-1.0], [2.0]], [0, 1, 2], classes=("a", "b", "c"))
BLOBS = blobs.with_(k=3, n=60)


def run_of(data, steps=150, **parameters):
    problem = SVM.problem(data, None, parameters)
    return problem, [state for state, _ in zip(SVM.start(problem), range(steps + 1))]


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, b, s) for b, s in zip([None, *states], states)]


def corrected(problem, states):
    """A step that corrected, not the first."""
    i = next(i for i, s in enumerate(states) if s.phase == "corrected" and i > 3)
    return states[i - 1], states[i]


# The algorithm


def test_three_rows_by_hand():
    """λ = 1, no bias: x = 1 of a pushes b (the first of those that tie); x = -1 of b is wrong by 2; then x = 2 of c."""
    _, states = run_of(THREE, 3, penalty=1.0, bias=False, order="cyclic")
    assert [s.phase for s in states] == ["start", "corrected", "correct", "corrected"]
    assert states[1].W.tolist() == [[1], [-1], [0]]
    assert states[1].loss == 1
    # at x = -1 of b the scores are -1, 1, 0: b leads by 1 = L, and W is halved
    assert states[2].W.tolist() == [[0.5], [-0.5], [0]]
    # at x = 2 of c they are 1, -1, 0: a is the rival with s = 2; W is taken 2/3 of, and 2/3 added and taken off
    assert states[3].loss == 2
    assert states[3].W[:, 0] == pytest.approx([1 / 3 - 2 / 3, -1 / 3, 2 / 3])
    assert states[3].pushed.tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    assert states[3].suffered == pytest.approx(1 + 1 + 0 + 0.25 + 2)


# of this machine scikit-learn counts no iterations: it compares what memory held with their limit
@pytest.mark.filterwarnings("ignore:Liblinear failed to converge")
@pytest.mark.parametrize("recipe", [BLOBS, wine.with_(scale=True)])
def test_the_reference_is_scikit_learns_machine(recipe):
    """With C = 1/(nλ) and the constant 1 among the features both minimise the same."""
    data, penalty = recipe.load(), 0.1
    X = np.column_stack([data.X, np.ones(data.n)])
    u, below = hinge.near_best(X, data.y, 3, penalty, 1.0, sweeps=300)
    model = LinearSVC(
        multi_class="crammer_singer",
        C=1 / (data.n * penalty),
        fit_intercept=False,
        tol=1e-6,
        max_iter=100_000,
        random_state=0,
    )
    theirs = model.fit(X, data.y).coef_

    def f(W):
        return penalty / 2 * (W * W).sum() + hinge.losses(hinge.violations_of_rows(X @ W.T, data.y, 1.0), 0.0).mean()

    assert f(u) == pytest.approx(f(theirs), rel=1e-3)
    assert below <= f(theirs) * (1 + 1e-9)
    assert u == pytest.approx(theirs, abs=0.02)


def test_the_run_comes_near_it():
    problem, states = run_of(BLOBS.load(), 1200)
    best = problem.data.once(hinge.reference, True, 0.1, 1.0, 0.0, False).below
    f = find("multiclass_svm").curves[0].measure
    assert best < f(problem, states[-1]) < 1.02 * best


def test_the_nearest_point_below_a_limit():
    rng = np.random.default_rng(0)
    for _ in range(50):
        b, limit = rng.normal(size=4), hinge.one_hot(4, int(rng.integers(4)))
        a = hinge.nearest_below(b, np.zeros(4), limit)
        assert a.sum() == pytest.approx(0, abs=1e-12)
        assert (a <= limit + 1e-12).all()
        for other in rng.dirichlet(np.ones(4), 50):  # every feasible point is the limit less a share of it
            assert ((limit - other - b) ** 2).sum() >= ((a - b) ** 2).sum() - 1e-12


def test_two_classes_are_the_binary_machine_with_half_the_penalty():
    data = breast_cancer.with_(scale=True).load()
    _, states = run_of(data, 200, order="cyclic")
    X, signs = np.column_stack([data.X, np.ones(data.n)]), data.signs
    v, half = np.zeros(X.shape[1]), 0.05
    for t, state in enumerate(states[1:], 1):
        inside = signs[t - 1] * (v @ X[t - 1]) < 1
        v = (1 - 1 / t) * v + inside * signs[t - 1] * X[t - 1] / (half * t)
        assert state.W[1] - state.W[0] == pytest.approx(v, rel=1e-9, abs=1e-9)


def test_without_margin_and_with_softness_1_it_is_softmax_regression():
    problem, states = run_of(BLOBS.load(), 40, margin=0.0, softness=1.0)
    before, after = states[-2:]
    x, own = np.append(problem.data.X[after.row], 1.0), int(problem.data.y[after.row])
    p = np.exp(before.W @ x) / np.exp(before.W @ x).sum()
    assert after.loss == pytest.approx(-np.log(p[own]))
    push = np.outer(p - np.eye(3)[own], x)
    assert pytest.approx(before.W - (0.1 * before.W + push) / (0.1 * after.t)) == after.W


def test_with_the_margin_everywhere_nothing_is_learnt():
    """Every loss is at least L, W = 0 has just that, and weights that there are shrink to it."""
    problem, states = run_of(BLOBS.load(), 30, everywhere=True)
    assert {s.phase for s in states[1:]} == {"correct"}
    assert not states[-1].W.any()
    assert {v.status for v in verdicts(EVERYWHERE, problem, states[1:])} == {"holds"}
    run = Timeline(SVM, BLOBS.load(), {"epochs": 20})
    run.advance(101)
    fork = run.fork(100, everywhere=True)
    (later,) = islice(SVM.start(fork.problem, fork.at(100).state), 899, 900)
    assert np.linalg.norm(later.W) < 0.4 * np.linalg.norm(run.at(100).state.W)


def test_with_the_margin_everywhere_and_softness_it_is_softmax_regression():
    """L is added to every ξ and pushes nobody: W goes as without a margin, and W = 0 does not reach L."""
    problem, states = run_of(BLOBS.load(), 150, everywhere=True, softness=1.0)
    _, softmax = run_of(BLOBS.load(), 150, margin=0.0, softness=1.0)
    assert pytest.approx(softmax[-1].W) == states[-1].W
    assert states[1].loss == pytest.approx(1 + np.log(3))
    assert not {v.status for v in verdicts(EVERYWHERE, problem, states[1:])} - {"holds"}
    (described,) = (p.help for p in SVM.parameters if p.name == "everywhere")
    assert described == "L is asked of y too: at ε = 0 nothing is learnt"
    assert "at ε = 0 W = 0 reaches L" in EVERYWHERE.proof[0]
    assert "W = 0 reaches if ε = 0, so nothing is learnt" in " ".join(SVM.about.split())


def test_with_softness_all_other_classes_are_pushed_and_none_is_called_a_rival_of_itself():
    problem, states = run_of(BLOBS.load(), 150, softness=1.0, penalty=0.01)
    y = problem.data.y
    t = next(t for t, s in enumerate(states) if s.phase == "corrected" and s.rival == y[s.row])
    assert "all classes push by their share, its own by q = " in SVM.explain(problem, states[t - 1], states[t])
    assert "or with ε > 0 all others, pushed away" in SVM.phases["corrected"]


# Its states


@pytest.mark.parametrize("parameters", [{}, {"softness": 0.5}, {"order": "cyclic"}])
def test_it_goes_on_from_any_state_bit_for_bit(parameters):
    data = BLOBS.load()
    _, states = run_of(data, 150, **parameters)
    for k in range(0, 150, 37):
        again = SVM(data, state=pickle.loads(pickle.dumps(states[k])), **parameters)
        assert all(same(a, b) for a, b in zip(states[k + 1 :], again))


def test_forks_half_way_go_on_and_what_speaks_of_the_run_falls_silent():
    run = Timeline(SVM, BLOBS.load())
    run.advance(120)
    moved = edited(run.data, [Move(0, (9.0, 9.0))])
    for change in ({"penalty": 1.0}, {"margin": 2.0}, {"softness": 1.0}, {"order": "cyclic"}, {"data": moved}):
        fork = run.fork(60, **change)
        fork.advance(41)
        assert fork.failures == []
        frame = fork.at(100)
        assert REGRET.verdict(fork.problem, frame.before, frame.state, forked=True).status == "does not apply"
        numbers = SVM.scene(fork.problem, None, frame.state).panels[2].marks[0]
        assert dict(numbers.rows)["f(u), near the least"] is None


def test_an_arrow_that_is_dragged_changes_the_weights_of_one_class():
    problem, states = run_of(BLOBS.load(), 20)
    marks = SVM.scene(problem, states[-2], states[-1]).panels[0].marks
    grips = next(mark for mark in marks if isinstance(mark, DragHandles))
    moved = grips.moved(states[-1], 1, grips.at[1] + 0.5)
    assert same(moved.W[[0, 2]], states[-1].W[[0, 2]])
    assert not np.array_equal(moved.W[1], states[-1].W[1])


# Its theorems


@pytest.mark.parametrize(
    "parameters",
    [{}, {"softness": 0.1}, {"margin": 0.0, "softness": 1.0}, {"penalty": 1e-4}, {"bias": False}, {"everywhere": True}],
)
def test_they_hold_at_every_step(parameters):
    for recipe in (BLOBS, iris.with_(sample=45), breast_cancer.with_(scale=True, sample=60)):
        problem, states = run_of(recipe.load(), 40, **parameters)
        for theorem in SVM.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def test_another_class_than_the_most_violating_as_the_rival_is_noticed():
    problem, states = run_of(BLOBS.load())
    before, after = corrected(problem, states)
    assert RIVAL.verdict(problem, before, after).status == "holds"
    third = 3 - after.rival - int(problem.data.y[after.row])
    assert RIVAL.verdict(problem, before, replace(after, rival=third)).status == "fails"


def test_a_step_the_wrong_way_or_half_as_far_is_noticed():
    problem, states = run_of(BLOBS.load())
    before, after = corrected(problem, states)
    shrunk = (1 - 1 / after.t) * before.W
    assert STEP.verdict(problem, before, after).status == "holds"
    assert LEADS.verdict(problem, before, after).status == "holds"
    for W in (2 * shrunk - after.W, (shrunk + after.W) / 2, after.W + before.W / after.t):
        wrong = replace(after, W=W)
        assert STEP.verdict(problem, before, wrong).status == "fails"
        assert LEADS.verdict(problem, before, wrong).status == "fails"


def test_a_pull_without_its_push_is_noticed():
    problem, states = run_of(BLOBS.load())
    before, after = corrected(problem, states)
    W = after.W.copy()
    W[after.rival] = (1 - 1 / after.t) * before.W[after.rival]
    assert SUM.verdict(problem, before, after).status == "holds"
    assert SUM.verdict(problem, before, replace(after, W=W)).status == "fails"


def test_a_softened_loss_out_of_its_bounds_is_noticed():
    problem, states = run_of(BLOBS.load(), softness=0.5)
    before, after = states[-2:]
    assert SOFT.verdict(problem, before, after).status == "holds"
    for off in (-0.6, 0.6):
        assert SOFT.verdict(problem, before, replace(after, loss=after.loss + off)).status == "fails"


def test_regret_above_its_bound_is_noticed():
    problem, states = run_of(BLOBS.load())
    assert {v.status for v in verdicts(REGRET, problem, states)} == {"holds"}
    last = states[-1]
    assert REGRET.verdict(problem, None, replace(last, suffered=last.suffered + last.squares + 50)).status == "fails"


def test_two_classes_that_are_no_binary_machine_are_noticed():
    problem, states = run_of(breast_cancer.with_(scale=True).load(), 30)
    before, after = corrected(problem, states)
    assert BINARY.verdict(problem, before, after).status == "holds"
    assert BINARY.verdict(problem, before, replace(after, W=1.01 * after.W)).status == "fails"
    assert BINARY.verdict(problem, before, replace(after, phase="correct")).status == "fails"


def test_a_sum_of_losses_below_the_margin_everywhere_is_noticed():
    problem, states = run_of(BLOBS.load(), 20, everywhere=True)
    assert EVERYWHERE.verdict(problem, None, replace(states[-1], suffered=10.0)).status == "fails"


def test_a_loss_without_its_margin_is_noticed(monkeypatch):
    problem, states = run_of(BLOBS.load(), 20)
    assert ERRORS.verdict(problem, None, states[0]).status == "holds"

    def without(scores, y, margin, everywhere=False):
        return real(scores, y, 0.0, everywhere)

    real = hinge.violations_of_rows
    monkeypatch.setattr(hinge, "violations_of_rows", without)
    assert ERRORS.verdict(Problem(problem.data, problem.parameters), None, states[0]).status == "fails"


def test_a_row_out_of_turn_is_noticed():
    problem, states = run_of(BLOBS.load(), 30)
    before, after = states[-2:]
    other = replace(after, row=(after.row + 1) % problem.data.n)
    assert RIVAL.verdict(problem, before, after).status == "holds"
    assert RIVAL.verdict(problem, before, other).status == "fails"


@pytest.mark.parametrize("softness", [0.0, 0.5])
def test_a_row_that_is_not_charged_is_noticed(softness):
    problem, states = run_of(BLOBS.load(), 30, softness=softness)
    before, after = corrected(problem, states)
    assert ACCOUNTS.verdict(problem, before, after).status == "holds"
    for field in ("suffered", "squares", "pushed"):
        assert ACCOUNTS.verdict(problem, before, replace(after, **{field: getattr(before, field)})).status == "fails"


def test_shares_of_another_softness_are_noticed(monkeypatch):
    problem, _ = run_of(BLOBS.load(), 1, softness=0.5)
    real = hinge.pushes
    monkeypatch.setattr(hinge, "pushes", lambda s, y, softness: real(s, y, 2 * softness))
    states = [state for state, _ in zip(SVM.start(problem), range(20))]
    assert "fails" in {v.status for v in verdicts(STEP, problem, states)}


def test_a_value_of_the_dual_above_the_least_f_is_noticed(monkeypatch):
    problem, states = run_of(BLOBS.load(), 60)
    assert {v.status for v in verdicts(DUAL, problem, states)} == {"holds"}
    best = hinge.reference(problem.data, True, 0.1, 1.0, 0.0, False)
    too_high = replace(best, below=1.01 * best.value)
    monkeypatch.setattr(hinge, "reference", lambda *given: too_high)
    fresh = SVM.problem(BLOBS.load(), None, {})
    at_best = replace(states[-1], W=best.W)
    assert DUAL.verdict(fresh, None, at_best).status == "fails"


def test_what_a_row_cost_is_not_said_of_it_where_it_has_moved():
    run = Timeline(SVM, BLOBS.load())
    run.advance(21)
    row = run.at(20).state.row
    moved = run.fork(20, data=edited(run.data, [Move(row, (9.0, 9.0))]))
    words = SVM.explain(moved.problem, None, moved.at(20).state)
    assert "and was visited last." in words
    assert "ξ" not in words


def test_weights_that_are_dragged_are_not_said_to_sum_to_0():
    run = Timeline(SVM, BLOBS.load())
    run.advance(21)
    frame = run.at(20)
    stage = SVM.scene(run.problem, frame.before, frame.state).panels[0]
    grips = next(mark for mark in stage.marks if isinstance(mark, DragHandles))
    dragged = run.fork(20, state=grips.moved(frame.state, 0, grips.at[0] + 1.0))
    assert SVM.scene(run.problem, None, frame.state).panels[-1].note == "they sum to 0"
    assert SVM.scene(dragged.problem, None, dragged.at(20).state).panels[-1].note == ""


def test_one_class_is_refused_in_words():
    with pytest.raises(Refused, match="data has one \\(a\\). Name another target"):
        SVM(Dataset([[1.0], [2.0]], [0, 0], classes=("a",)))


# What a person reads


def test_it_explains_its_steps():
    problem, states = run_of(THREE, 3, penalty=1.0, bias=False, order="cyclic")
    words = [SVM.explain(problem, b, s) for b, s in zip([None, *states], states)]
    assert words == [
        "All w = 0, so every class scores 0 everywhere, and no row's class leads.",
        "Row 0 (x1 1) is a, and leads its rival b by 0, not by L = 1: ξ = 1. "
        "a is pulled towards it, b pushed away; now it leads by 2.",
        "Row 1 (x1 -1) is b, and leads by 1, at least L = 1. Nothing pushes, and all w shrink by 1/2.",
        "Row 2 (x1 2) is c, and leads its rival a by -1, not by L = 1: ξ = 2. "
        "c is pulled towards it, a pushed away; now it leads by 2.",
    ]


def test_who_pushes_whom_is_a_table_of_few_classes_and_an_image_of_many():
    problem, states = run_of(BLOBS.load(), 30)
    table = SVM.scene(problem, states[-2], states[-1]).panels[1].marks[0]
    pushed = [[value or 0.0 for value in row[1:]] for row in table.rows]
    assert np.sum(pushed) == sum(s.phase == "corrected" for s in states)
    assert all(row[1 + k] is None for k, row in enumerate(table.rows))


def test_what_does_not_go_together_is_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        SVM(Dataset([[1e60], [1.0]], [1, 0], classes=("a", "b")))
    with pytest.raises(Refused, match="softness is 0, for the hinge itself, or at least 1e-06"):
        SVM(THREE, softness=1e-9)
