"""The lasso by proximal gradient: by hand, against scikit-learn, and its theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import Lasso

from algorithms import Refused, Timeline, find
from algorithms.core import Dataset, DragHandles
from algorithms.data import diabetes, line, prostate, sparse
from algorithms.families.regression.lasso_ista import excess, rate, unsettled
from algorithms.families.regression.shared.lasso import lasso, soft, solution
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_zeros_that_are_chosen_by_another_threshold_or_by_rank_are_noticed",
    "update": "test_a_step_up_the_gradient_or_half_as_far_is_noticed",
}
PLANTED = {
    "XᵀX = L I: w' = S(ŵ, λ/L) = w*, in one step 1/L": "test_one_threshold_that_is_missing_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "XᵀX = L I: w' = S(ŵ, λ/L) = w*, in one step 1/L": "the columns are not orthogonal and of one length",
    "accelerated: k'² - k' = k²": "the steps are not accelerated",
    "accelerated: z' = w' + (k - 1)/k' (w' - w)": "the steps are not accelerated",
}

ISTA = find("lasso_ista")
RATE, GRADIENT, SHRUNK, NEVER_RISES, NEARER, ORTHOGONAL, OF_K, HEADS_ON = ISTA.theorems
REAL = [prostate.with_(scale=True).load(), diabetes.with_(scale=True).load()]


def run_of(data, **parameters):
    problem = ISTA.problem(data, None, parameters)
    return problem, list(ISTA.start(problem))


def verdicts(theorem, data, **parameters):
    problem, states = run_of(data, **parameters)
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


def orthogonal(n=20, d=4, length=3.0):
    rng = np.random.default_rng(0)
    X = length * np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, d))]))[0][:, 1:]
    return Dataset(X, X @ [3.0, -1.0, 0.1, 0.0] + 0.1 * rng.normal(size=n), kind="number")


# The algorithm


def test_two_steps_by_hand():
    """One column (-1, 0, 1), y = (-3, 0, 3): Xᵀy = 6, L = 2, λ = 3; a half step of 1/L is η = 1/4."""
    data = Dataset([[-1.0], [0.0], [1.0]], [-2.5, 0.5, 3.5], kind="number")
    _, states = run_of(data, ratio=0.5, eta=0.5, steps=2)
    assert [s.phase for s in states] == ["start", "gradient", "shrink", "gradient", "shrink"]
    assert states[1].u == pytest.approx([6 / 4])
    assert states[2].w == pytest.approx([6 / 4 - 3 / 4])
    assert states[3].u == pytest.approx([0.75 + (6 - 1.5) / 4])
    assert states[4].w == pytest.approx([0.75 + 4.5 / 4 - 0.75])


def test_acceleration_by_hand():
    data = REAL[0]
    _, states = run_of(data, accelerated=True, steps=3)
    f = lasso(data, 0.2)
    w = z = np.zeros(f.d)
    k = 1.0
    for i in range(3):
        new = soft(z + (f.of.X.T @ (f.of.y - f.of.X @ z)) / f.of.L, f.lam / f.of.L)
        k, was = (1 + np.sqrt(1 + 4 * k * k)) / 2, k
        z, w = new + (was - 1) / k * (new - w), new
        assert states[2 * i + 2].w == pytest.approx(w, rel=1e-12)
        assert states[2 * i + 2].z == pytest.approx(z, rel=1e-12)


@pytest.mark.parametrize("accelerated", [False, True])
@pytest.mark.parametrize("data", REAL, ids=lambda data: data.name)
def test_scikit_learn_comes_to_the_same_coefficients(data, accelerated):
    for ratio in (0.5, 0.1):
        _, states = run_of(data, ratio=ratio, accelerated=accelerated, tolerance=1e-12)
        theirs = Lasso(alpha=lasso(data, ratio).lam / data.n, tol=1e-14, max_iter=100_000).fit(data.X, data.y).coef_
        assert np.abs(solution(data, ratio).w - theirs).max() <= 1e-8 * np.abs(theirs).max()
        assert np.abs(states[-1].w - theirs).max() <= 1e-5 * np.abs(theirs).max()  # the gap allows that much
        assert ((states[-1].w == 0) == (theirs == 0)).all()


def test_acceleration_is_faster_where_features_are_alike():
    data = sparse.with_(correlation=0.9).load()
    plain, fast = (run_of(data, accelerated=a, steps=25, tolerance=1e-12) for a in (False, True))
    assert excess(fast[0], fast[1][-1]) < 0.01 * excess(plain[0], plain[1][-1])


def test_on_orthogonal_columns_one_step_is_enough_and_it_is_the_soft_threshold_of_least_squares():
    data = orthogonal()
    _, states = run_of(data, ratio=0.1)
    assert len(states) == 3
    least_squares = np.linalg.lstsq(data.X - data.X.mean(axis=0), data.y - data.y.mean())[0]
    assert states[-1].w == pytest.approx(soft(least_squares, lasso(data, 0.1).lam / 9.0), abs=1e-12)
    assert {v.status for v in verdicts(ORTHOGONAL, data, ratio=0.1)[2:]} == {"holds"}
    assert verdicts(ORTHOGONAL, data, ratio=0.1, eta=0.5)[2].why == "η is 0.5 times 1/L"
    assert "not orthogonal" in verdicts(ORTHOGONAL, REAL[0])[2].why


def test_the_zeros_settle_and_stay():
    problem, states = run_of(sparse.load())
    wrong = [unsettled(problem, s) for s in states]
    last = max(i for i, count in enumerate(wrong) if count)
    assert last < 240
    assert (states[-1].w == 0).sum() == 5


def test_a_step_far_too_long_ends_in_words_with_finite_numbers():
    run = Timeline(ISTA, REAL[1], {"eta": 10.0}).run()
    assert run.stopped.reason.startswith("it diverges: F = ")
    assert np.isfinite(run.at(run.last).state.w).all()
    assert run.failures == []


def test_the_number_of_steps_ends_it_in_words():
    run = Timeline(ISTA, REAL[0], {"steps": 2}).run()
    assert run.stopped.reason.startswith("iteration 2 was the last: F = ")
    assert run.last == 4


# Forks


@pytest.mark.parametrize("start", [{}, {"accelerated": True}])
@pytest.mark.parametrize("change", [{"ratio": 0.02}, {"eta": 0.5}, {"accelerated": True}, {"accelerated": False}])
def test_a_fork_half_way_comes_to_its_own_solution_and_its_theorems_hold(start, change):
    run = Timeline(ISTA, REAL[0], start)
    run.advance(12)
    fork = run.fork(10, **change)
    fork.advance(30)
    assert fork.failures == []
    end, _ = end_of(ISTA.start(fork.problem, fork.at(10).state))
    aim = solution(REAL[0], change.get("ratio", 0.2)).w
    assert end.w == pytest.approx(aim, abs=1e-3)


def test_coefficients_are_dragged():
    run = Timeline(ISTA, sparse.with_(d=2, relevant=1), {"accelerated": True})
    run.advance(9)
    frame = run.at(8)
    panel = ISTA.scene(run.problem, frame.before, frame.state).panels[2]
    handle = next(m for m in panel.marks if isinstance(m, DragHandles))
    moved = handle.moved(frame.state, 0, np.array([-1.0, 3.0]))
    assert moved.w.tolist() == moved.z.tolist() == [-1.0, 3.0]
    fork = run.fork(8, state=moved).run()
    assert fork.failures == []
    assert fork.at(fork.last).state.w == pytest.approx(solution(fork.problem.data, 0.2).w, abs=1e-3)


# Its theorems


@pytest.mark.parametrize("parameters", [{}, {"accelerated": True}, {"eta": 2.0}, {"eta": 0.3}], ids=str)
@pytest.mark.parametrize("ratio", [0.7, 0.1, 1e-3])
@pytest.mark.parametrize("data", [REAL[0], sparse.load(), line.load(), orthogonal()], ids=lambda data: f"{data.n}")
def test_all_hold_at_every_step(data, ratio, parameters):
    run = Timeline(ISTA, data, {"ratio": ratio, "steps": 25, **parameters}).run()
    assert run.failures == []


def test_what_needs_short_steps_or_no_acceleration_says_so():
    assert "it is accelerated" in verdicts(NEVER_RISES, REAL[0], accelerated=True, steps=3)[2].why
    assert "it is accelerated" in verdicts(NEARER, REAL[0], accelerated=True, steps=3)[2].why
    assert "above 2/L" in verdicts(NEVER_RISES, REAL[0], eta=2.5, steps=3)[2].why
    assert "η is 1.5 times 1/L" in verdicts(RATE, REAL[0], eta=1.5, steps=3)[2].why
    problem, states = run_of(REAL[0], eta=1.5, steps=3)
    assert np.isnan(rate(problem, states[-1]))


def test_past_two_over_l_and_accelerated_f_does_rise():
    """So the hypotheses are needed."""
    for parameters in ({"eta": 2.5}, {"accelerated": True}):
        problem, states = run_of(diabetes.with_(scale=True).load(), **parameters, ratio=0.01, steps=60)
        values = [lasso(problem.data, 0.01).value(s.w) for s in states]
        assert max(np.diff(values)) > 1e-6 * values[0]


def wrong(theorem, problem, before, after, **fields):
    assert theorem.verdict(problem, before, after).status == "holds"
    return theorem.verdict(problem, before, replace(after, **fields)).status


def test_a_step_up_the_gradient_or_half_as_far_is_noticed():
    problem, (start, gradient, shrink, *_) = run_of(REAL[0])
    for u in (-gradient.u, gradient.u / 2):
        assert wrong(GRADIENT, problem, start, gradient, u=u) == "fails"
    for theorem in (NEVER_RISES, NEARER):
        assert wrong(theorem, problem, gradient, shrink, w=-shrink.w) == "fails"


def test_zeros_that_are_chosen_by_another_threshold_or_by_rank_are_noticed():
    problem, (_, gradient, shrink, *_) = run_of(REAL[0])
    three = np.where(np.abs(gradient.u) >= np.sort(np.abs(gradient.u))[-3], gradient.u, 0.0)
    for w in (three, gradient.u, soft(gradient.u, 0.5 * np.abs(gradient.u - shrink.w).max())):
        assert wrong(SHRUNK, problem, gradient, shrink, w=w) == "fails"


def test_standing_still_breaks_the_rate_and_going_away_the_distance():
    problem, states = run_of(REAL[0])
    late, later = states[-2:]
    assert wrong(RATE, problem, late, later, w=0 * later.w) == "fails"
    assert wrong(NEARER, problem, late, later, w=1.01 * later.w) == "fails"


def test_one_threshold_that_is_missing_is_noticed():
    problem, (_, gradient, shrink) = run_of(orthogonal(), ratio=0.1)
    assert wrong(ORTHOGONAL, problem, gradient, shrink, w=gradient.u) == "fails"


def test_the_rate_is_silent_after_a_fork():
    problem, states = run_of(REAL[0], steps=5)
    assert RATE.verdict(problem, states[-2], states[-1], forked=True).status == "does not apply"


# What a person sees and reads


def test_it_explains_its_phases():
    problem, states = run_of(sparse.load())
    words = [ISTA.explain(problem, b, s) for b, s in zip([None, *states], states)]
    assert words[0].startswith("F = ")
    assert words[1].startswith("At w, the gradient is steepest for ")
    assert words[1].endswith("8 of 8 coefficients are 0."), "u has none, but w is counted"
    eta = 1 / problem.data.once(lasso, 0.2).of.L
    assert f" times η = eta/L = {eta:.3g} takes it from 0 to " in words[1]
    L = problem.data.once(lasso, 0.2).of.L
    assert words[0].endswith(f" η = eta/L = {eta:.3g}; L = {L:.4g} is the greatest eigenvalue of XᵀX.")
    assert "become 0:" in words[2]
    assert words[-1].endswith("All signs and zeros are those of w*.")
    problem, states = run_of(sparse.load(), accelerated=True, steps=4)
    assert ISTA.explain(problem, states[4], states[5]).startswith("Beyond w, where it was heading, ")


def test_an_entry_is_called_by_its_feature():
    problem, states = run_of(sparse.load())
    sides = GRADIENT.verdict(problem, states[0], states[1]).sides
    assert {name.rpartition("(")[2].rstrip(")") for name in sides.names} <= set(problem.data.features)


def test_before_and_after_are_side_by_side():
    problem, states = run_of(sparse.load(), steps=5)
    f = lasso(problem.data, 0.2)
    panel = ISTA.scene(problem, states[3], states[4]).panels[0]
    were, there = [m for m in panel.marks if type(m).__name__ == "Points"]
    assert were.at[:, 1] == pytest.approx(states[4].u)
    assert there.at[:, 1] == pytest.approx(states[4].w)
    assert (there.classes == 0).tolist() == (states[4].w == 0).tolist()  # the tone that 0 has in every panel
    assert there.names == ("after: 0", "not 0 (even if near)"), "in the row of 0 some are that are not 0"
    band = next(m for m in panel.marks if type(m).__name__ == "Band")
    assert band.upper[0] == pytest.approx(f.lam / f.of.L)
    bare = ISTA.scene(problem, states[2], states[3]).panels[0]
    assert len(next(m for m in bare.marks if type(m).__name__ == "Points").at) == f.d


def test_numbers_too_large_are_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        ISTA(Dataset([[1e60], [1.0]], [1.5, 2.0], kind="number"))


def test_another_k_and_a_place_beyond_by_another_share_are_noticed(monkeypatch):
    problem, states = run_of(REAL[0], accelerated=True, steps=6)
    for before, after in zip(states[5:], states[6:]):
        if after.phase == "shrink":
            assert {theorem.verdict(problem, before, after).status for theorem in (OF_K, HEADS_ON)} == {"holds"}
            for k in (before.k, before.k + 1, (1 + before.k) / 2):
                assert wrong(OF_K, problem, before, after, k=k) == "fails"
            for z in (after.w, after.w + before.k / after.k * (after.w - before.w)):
                assert wrong(HEADS_ON, problem, before, after, z=z) == "fails"


def test_it_says_how_many_signs_still_differ():
    run = Timeline(ISTA, prostate.with_(scale=True)).run()
    said = [ISTA.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(len(run))]
    assert any(words.endswith("1 sign or zero still differs from w*'s.") for words in said)
    assert any(words.endswith(" signs or zeros still differ from w*'s.") for words in said)
