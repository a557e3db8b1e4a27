"""Dual coordinate descent: by hand, against scikit-learn with both losses, and its theorems broken on purpose."""

from collections import deque

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.svm import SVC, LinearSVC

from algorithms import Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.data import blobs
from algorithms.families.svm.dual_coordinate_descent.measures import a_row, at, price
from algorithms.toolbox.coordinate_ascent import LinearMachine
from tests.families import ends

WRONG = {
    "choice": "test_a_row_that_is_not_next_is_noticed",
    "update": "test_a_step_half_as_far_or_the_wrong_way_is_noticed",
}

PLANTED = {
    "½‖w‖² <= Cn: w goes to 0 with its price": "test_a_w_that_is_dearer_than_none_is_noticed",
    "α = C: C(z - 1) <= P - D, so z <= 1 at the end": "test_what_rows_owe_beyond_the_gap_is_noticed",
    "between C₁ and C₂ the front of (Σ loss, ½‖w‖²) falls by C₁ to C₂": "test_a_front_that_is_not_convex_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "squared hinge: (α - 2Cξ)² <= 4C(P - D), so α = 2Cξ at the end": "the loss is the hinge",
    "between C₁ and C₂ the front of (Σ loss, ½‖w‖²) falls by C₁ to C₂": "one C is solved, and a front needs two",
}

SVM = find("dual_coordinate_descent")
DUALITY, TOP, RISES, SUM, BOX, AT_0, BETWEEN, AT_C, SLACK, WIDEST, SHORT, FRONT = SVM.theorems
SIGNS = ("-", "+")
TWO = Dataset([[1.0], [2.0]], [1, 1], classes=SIGNS)
FOUR = Dataset([[1.0], [2.0], [-1.0], [0.5]], [1, 1, 0, 0], classes=SIGNS)
BLOBS = blobs.with_(n=30, spread=1.5).load()
FAR = Dataset(BLOBS.X + [3.0, 3.0], BLOBS.y, classes=SIGNS)
APART = blobs.with_(n=24, margin=0.5).load()


def run_of(data, steps=400, **parameters):
    problem = SVM.problem(data, None, parameters)
    return problem, [state for state, _ in zip(SVM.start(problem), range(steps + 1))]


def end_of(data, **parameters):
    """The problem, and the state in which its run ends."""
    problem = SVM.problem(data, None, {"tolerance": 1e-7, "passes": 2000} | parameters)
    (end,) = deque(SVM.start(problem), maxlen=1)
    assert end.phase == "solved"
    return problem, end


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, b, s) for b, s in zip([None, *states], states)]


def moved(states, phase="free"):
    """The last step of a phase, and the state before it."""
    i = max(i for i, s in enumerate(states) if s.phase == phase)
    return states[i - 1], states[i]


# The algorithm


def test_three_visits_by_hand():
    """C = 1: x = 1 of + goes to α = 1; x = 2 has y f = 2 and stays; x = -1 of - has 1 and stays; x = ½ of - has -½."""
    _, states = run_of(FOUR, 4, constant=0, order="cyclic")
    assert [s.phase for s in states] == ["start", "clipped", "stays", "stays", "clipped"]
    assert states[1].alpha.tolist() == [1, 0, 0, 0]
    assert states[1].w.tolist() == [1]
    assert states[4].alpha.tolist() == [1, 0, 0, 1]  # 1.5/.25 = 6 is beyond C
    assert states[4].w.tolist() == [0.5]


def test_the_squared_hinge_by_hand():
    """δ = ½: α = 1/(1 + ½) = 2/3, w = 2/3, so ξ = 1/3 = α/(2C)."""
    problem, states = run_of(FOUR, 1, constant=0, order="cyclic", loss="squared hinge")
    assert states[1].alpha[0] == pytest.approx(2 / 3)
    assert states[1].alpha[0] == pytest.approx(2 * (1 - at(problem, states[1]).z[0]))


def test_a_hard_margin_of_two_rows():
    """x = 1 and 2 of one class: α = (1, 0), D = P = ½, ‖w‖² = Σα = 1."""
    problem, states = run_of(TWO, constant=0, order="cyclic", loss="hard margin")
    end = at(problem, states[-1])
    assert states[-1].alpha.tolist() == [1, 0]
    assert end.dual == end.primal == 0.5
    assert end.norm**2 == end.alpha.sum() == 1


@pytest.mark.parametrize(("loss", "name"), [("hinge", "hinge"), ("squared hinge", "squared_hinge")])
@pytest.mark.parametrize("constant", [0.0, 1.0, 3.0])
def test_it_ends_where_scikit_learn_ends(loss, name, constant):
    problem, end = end_of(BLOBS, loss=loss, constant=constant, C=0.03)
    theirs = LinearSVC(
        loss=name, C=0.03, fit_intercept=constant > 0, intercept_scaling=constant or 1, tol=1e-9, max_iter=1_000_000
    ).fit(BLOBS.X, BLOBS.y)
    assert end.w[:2] == pytest.approx(theirs.coef_[0], abs=1e-6)
    if constant:
        assert constant * end.w[2] == pytest.approx(theirs.intercept_[0], abs=1e-6)
    assert at(problem, end).gap <= 1e-7


def test_without_a_bias_the_multipliers_are_those_of_the_kernel_machine():
    """SVC has a free b; rows that are mirrored at the origin with the other label need none."""
    X = np.vstack([BLOBS.X, -BLOBS.X])
    y = np.concatenate([BLOBS.y, 1 - BLOBS.y])
    _, end = end_of(Dataset(X, y, classes=SIGNS), constant=0, C=0.5)
    theirs = SVC(kernel="linear", C=0.5, tol=1e-10).fit(X, y)
    assert theirs.intercept_[0] == pytest.approx(0, abs=1e-6)
    assert end.w == pytest.approx(theirs.coef_[0], abs=1e-6)


def test_a_hard_margin_is_that_of_a_very_dear_soft_one():
    _, hard = end_of(APART, loss="hard margin")
    _, soft = end_of(APART, C=1e6)
    assert hard.w == pytest.approx(soft.w, rel=1e-6)


def test_the_larger_the_constant_the_less_is_paid_for_the_bias():
    """‖w‖ of the features comes nearer to that of a free b."""
    free = np.linalg.norm(SVC(kernel="linear", C=0.05, tol=1e-9).fit(FAR.X, FAR.y).coef_)
    off = [abs(np.linalg.norm(end_of(FAR, C=0.05, constant=c)[1].w[:2]) - free) for c in (0.3, 1.0, 3.0)]
    assert (np.diff(off) < 0).all()
    assert off[-1] < 0.3 * free


def test_along_the_path_each_price_is_solved_from_the_last():
    """‖w‖ never falls as C grows, and Σξ never rises; the prices are those asked for."""
    problem, end = end_of(BLOBS, path=5, C=0.5, tolerance=1e-4)
    C, half, loss, gap = end.solved.T
    assert C.tolist() == [0.5 / 4**k for k in (4, 3, 2, 1, 0)] == [price(0.5, 5, k) for k in range(5)]
    assert (np.diff(half) > 0).all()
    assert (np.diff(loss) < 0).all()
    _, alone = end_of(BLOBS, C=0.5, tolerance=1e-4)
    assert end.w == pytest.approx(alone.w, abs=1e-3)
    assert {v.status for v in verdicts(FRONT, problem, [end])} == {"holds"}


def test_rows_that_cannot_be_separated_hard_say_how_wide_a_margin_could_be():
    run = Timeline(SVM, FOUR, {"constant": 0, "loss": "hard margin", "passes": 50}).run()
    assert "no margin is wider than ‖w‖/Σα" in run.stopped.reason
    assert run.at(run.last).state.alpha.max() > 10
    assert not run.failures


# Its states


@pytest.mark.parametrize("change", [{"C": 0.05}, {"loss": "squared hinge"}, {"loss": "hard margin"}, {"seed": 3}])
def test_a_fork_half_way_goes_on_to_the_solution_of_its_own(change):
    if change.get("loss") == "hard margin":
        change["passes"] = 10  # these rows cannot be separated
    run = Timeline(SVM, BLOBS)
    run.advance(100)
    fork = run.fork(70, **change)
    fork.advance(150)
    assert fork.failures == []
    if "passes" not in change:
        _, fresh = end_of(BLOBS, **change, tolerance=1e-4)
        (*_, end) = SVM.start(fork.problem, fork.at(fork.last).state)
        assert end.w == pytest.approx(fresh.w, abs=0.02)


def test_a_fork_that_allows_fewer_passes_ends_within_one_that_is_about_to_settle():
    run = Timeline(SVM, blobs.with_(n=20, margin=0.3)).run()
    states = [run.at(t).state for t in range(len(run))]
    t = next(s.t for s in states if s.settled >= run.data.n and s.place + 1 < run.data.n)
    fork = run.fork(t, passes=2).run()
    assert fork.stopped.reason.startswith("pass 2 was the last")
    assert fork.failures == []


def test_where_a_fork_begins_nothing_is_said_to_be_solved_that_was_so_on_other_terms():
    run = Timeline(SVM, blobs.with_(n=30, spread=1.5)).run()
    said = SVM.explain(run.problem, run.at(run.last).before, run.at(run.last).state)
    assert said.startswith("This is the solution at C = 1: P - D = ")
    w = run.at(run.last).state.w
    assert said.endswith(f"½‖w‖² = {w @ w / 2:.3g}, of which the bias b = {w[-1]:.3g} is {w[-1] ** 2 / 2:.2g}.")
    for fork in (run.fork(run.last, C=10.0), run.fork(run.last, data=edited(run.data, [Remove(0)]))):
        assert SVM.explain(fork.problem, None, fork.at(fork.begin).state).startswith("The run goes on from here: ")


def test_a_run_that_is_over_goes_on_with_a_finer_tolerance():
    run = Timeline(SVM, BLOBS, {"C": 0.03}).run()
    assert run.at(run.last).state.phase == "solved"
    fork = run.fork(run.last, tolerance=1e-4)
    end, reason = ends.end_of(SVM.start(fork.problem, fork.at(fork.begin).state))
    assert end.t > run.last
    assert "above 0.0001; w = Σ α y x of " in reason


def test_rows_that_go_or_change_sides_take_their_part_of_w_along():
    run = Timeline(SVM, BLOBS, {"path": 2, "C": 0.03, "tolerance": 0.1}).run()
    for edit in (Remove(0), Label(0, int(1 - BLOBS.y[0])), Move(3, (5.0, -5.0))):
        fork = run.fork(run.last - 40, data=edited(BLOBS, [edit]))
        first = fork.at(run.last - 40).state
        assert len(first.solved) == 0
        fork.advance(100)
        assert not fork.failures


# Its theorems


@pytest.mark.parametrize(
    "parameters",
    [{}, {"loss": "squared hinge", "path": 3}, {"loss": "hard margin"}, {"C": 1e-4}, {"C": 1e5}, {"constant": 300}],
)
def test_they_hold_at_every_step(parameters):
    for data in (BLOBS, APART):
        problem, states = run_of(data, 150, **parameters)
        for theorem in SVM.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def test_a_row_that_is_not_next_is_noticed():
    problem, states = run_of(BLOBS, 60)
    before, after = moved(states)
    assert TOP.verdict(problem, before, after).status == "holds"
    assert TOP.verdict(problem, before, replace(after, row=(after.row + 1) % 30)).status == "fails"


@pytest.mark.parametrize("share", [0.5, -1.0, 1.5])
def test_a_step_half_as_far_or_the_wrong_way_is_noticed(share):
    problem, states = run_of(BLOBS, 60)
    before, after = moved(states)
    wrong = replace(
        after,
        alpha=before.alpha + share * (after.alpha - before.alpha),
        w=before.w + share * (after.w - before.w),
    )
    assert TOP.verdict(problem, before, wrong).status == "fails"
    if share < 0:
        assert RISES.verdict(problem, before, wrong).status == "fails"


def test_what_generator_and_theorems_might_share_is_worked_out_by_the_theorems_themselves(monkeypatch):
    top = LinearMachine.top
    with monkeypatch.context() as patch:
        patch.setattr(LinearMachine, "top", lambda m, alpha, z, square: (alpha + top(m, alpha, z, square)) / 2)
        run = Timeline(SVM, blobs.with_(n=12))
        run.advance(60)
        assert run.failures
    with monkeypatch.context() as patch:
        patch.setattr(LinearMachine, "violation", lambda machine, alpha, z: 0.0)
        assert Timeline(SVM, blobs.with_(n=13)).run().failures


def test_a_w_that_does_not_follow_is_noticed():
    problem, states = run_of(BLOBS, 60)
    before, after = moved(states)
    assert SUM.verdict(problem, before, after).status == "holds"
    assert SUM.verdict(problem, before, replace(after, w=before.w)).status == "fails"


def test_a_multiplier_out_of_the_box_is_noticed():
    problem, states = run_of(BLOBS, 60)
    for wrong in (-0.01, 1.01):
        alpha = states[-1].alpha.copy()
        alpha[0] = wrong
        assert BOX.verdict(problem, None, replace(states[-1], alpha=alpha)).status == "fails"


def test_multipliers_below_zero_break_the_bound():
    """x = 1 and 2, both +: D(3, -1) = 1.5 and D(11, -5) = 5.5 are above P = ½."""
    problem, states = run_of(TWO, constant=0, order="cyclic", loss="hard margin")
    assert DUALITY.verdict(problem, None, states[-1]).status == "holds"
    for alpha, value in (((3.0, -1.0), 1.5), ((11.0, -5.0), 5.5)):
        wrong = replace(states[-1], alpha=np.array(alpha))
        assert at(problem, wrong).dual == value
        assert DUALITY.verdict(problem, None, wrong).status == "fails"


def test_what_rows_owe_beyond_the_gap_is_noticed():
    """With a multiplier counted that w knows nothing of, D is above P, and no row may owe anything."""
    problem, states = run_of(BLOBS, 100, C=0.1)
    state = next(s for s in states if all(case.any() for case in at(problem, s).cases()))
    wrong = state.alpha.copy()
    wrong[0] += at(problem, state).gap + 1
    for theorem in (AT_0, BETWEEN, AT_C):
        assert theorem.verdict(problem, None, state).status == "holds"
        assert theorem.verdict(problem, None, replace(state, alpha=wrong)).status == "fails"


def test_an_alpha_that_is_not_twice_c_xi_is_noticed():
    problem, end = end_of(BLOBS, tolerance=1e-6, loss="squared hinge")
    assert SLACK.verdict(problem, None, end).status == "holds"
    assert SLACK.verdict(problem, None, replace(end, alpha=1.1 * end.alpha)).status == "fails"


def test_a_margin_wider_than_any_is_noticed():
    problem, end = end_of(APART, loss="hard margin")
    assert WIDEST.verdict(problem, None, end).status == "holds"
    assert WIDEST.verdict(problem, None, replace(end, alpha=1.1 * end.alpha)).status == "fails"


@pytest.mark.parametrize("loss", ["hinge", "squared hinge"])
def test_a_w_that_is_dearer_than_none_is_noticed(loss):
    """½‖w‖² <= Cn, which is P at w = 0, along the whole path; it goes to nothing with C."""
    problem, states = run_of(BLOBS, 4000, loss=loss, path=4, C=0.01)
    assert {v.status for v in verdicts(SHORT, problem, states)} == {"holds"}
    w = np.sqrt(2.001 * price(0.01, 4, 0) * BLOBS.n) * np.array([1.0, 0.0, 0.0])
    assert SHORT.verdict(problem, None, replace(states[5], w=w)).status == "fails"


def test_of_a_hard_margin_there_is_no_price_to_speak_of():
    problem, states = run_of(APART, 50, loss="hard margin")
    assert {v.why for v in verdicts(SHORT, problem, states)} == {"a hard margin has no price"}
    assert np.isnan(a_row(problem, states[-1]))


@pytest.mark.parametrize("loss", ["hinge", "squared hinge"])
def test_its_objective_is_that_of_pegasos(loss):
    """With λ = 1/(nC) the same number at the same w."""
    problem, end = end_of(BLOBS, loss=loss, C=0.03)
    primal_descent = find("pegasos")
    there = primal_descent.problem(BLOBS, None, {"loss": loss, "lam": 1 / (0.03 * BLOBS.n), "project": False})
    start = next(primal_descent.start(there))
    theirs = next(c for c in primal_descent.curves if c.name == "objective")
    ours = next(c for c in SVM.curves if c.name == "objective")
    assert ours.value(problem, end) == pytest.approx(theirs.value(there, replace(start, w=end.w)))


def test_a_front_that_is_not_convex_is_noticed():
    problem, end = end_of(BLOBS, path=2, tolerance=1e-6)
    wrong = end.solved.copy()
    wrong[1, 1] *= 3
    assert FRONT.verdict(problem, None, replace(end, solved=wrong)).status == "fails"


# Hard data, and words


def test_what_it_cannot_do_is_refused_in_words():
    zero = Dataset([[0.0], [1.0]], [0, 1], classes=SIGNS)
    with pytest.raises(Refused, match="row 0 is 0, or next to it, so that no w gives it y f >= 1"):
        SVM(zero, loss="hard margin", constant=0)
    with pytest.raises(Refused, match="a hard margin has no price C to follow"):
        SVM(BLOBS, loss="hard margin", path=2)
    for size in (1e-160, 1e140):
        with pytest.raises(Refused, match="scale it"):
            SVM(Dataset(BLOBS.X * size, BLOBS.y, classes=SIGNS))


def test_a_row_of_zeros_goes_to_the_end_of_its_box():
    _, states = run_of(Dataset([[0.0], [1.0]], [0, 1], classes=SIGNS), 5, constant=0, order="cyclic")
    assert states[1].alpha.tolist() == [1, 0]
    assert states[1].w.tolist() == [0]


def test_it_explains_its_steps():
    problem, states = run_of(FOUR, 4, constant=0, order="cyclic")
    words = [SVM.explain(problem, b, s) for b, s in zip([None, *states], states)]
    assert words[0].startswith("All 4 multipliers are 0 and so is w")
    assert words[1] == (
        "Row 0 (x1 1) has y f = 0 and α = 0: D rises with α. α goes to 1 and stops there, at an end of its box; "
        "y f = 1 now. D rises by 0.5."
    )
    assert words[2] == (
        "Row 1 (x1 2) has y f = 2 and α = 0. D would rise only below α = 0, where no multiplier may go: it stays, "
        "and has no part in w."
    )
