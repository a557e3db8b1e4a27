"""Lasso by subgradient descent: by hand, against scikit-learn, and its theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import Lasso as Theirs

from algorithms import Label, Refused, Timeline, edited, find
from algorithms.core import Dataset, DragHandles
from algorithms.core.state import same
from algorithms.data import diabetes, line, prostate
from algorithms.families.regression import lasso_subgradient as file
from algorithms.families.regression.lasso_subgradient import best, excess, f_of, in_use, slope, step_size
from algorithms.families.regression.shared.kinks_pictures import kinked_path, pair_of, supporting_line

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_slope_beyond_minus_1_to_1_at_a_kink_is_noticed",
    "update": "test_a_step_half_as_far_or_backwards_is_noticed",
}

SUBGRADIENT = find("lasso_subgradient")
CLOSING, STEPPED, SUPPORTS, NEARER, NO_REST, KEPT = SUBGRADIENT.theorems
PROSTATE = prostate.with_(scale=True)
# Without means x is (1, -1), (-1, 1), y is 2, -2: Xᵀy = (4, -4), XᵀX = 2 [1, -1; -1, 1], λmax = L = 4.
TWO = Dataset([[2.0, 1.0], [0.0, 3.0]], [5.0, 1.0], kind="number")


def run_of(data, **parameters):
    problem = SUBGRADIENT.problem(data, None, parameters)
    return problem, list(SUBGRADIENT.start(problem))


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


# The algorithm


@pytest.mark.parametrize(("at_zero", "w"), [(0.0, [1.0, -1.0]), (1.0, [0.75, -1.25]), (-1.0, [1.25, -0.75])])
def test_the_first_step_by_hand(at_zero, w):
    """g = (-4, 4) + λ s with λ = 1 and what is taken of [-1, 1] for s; η = 1/L."""
    problem, states = run_of(TWO, ratio=0.25, eta=1.0, steps=1, at_zero=at_zero)
    assert f_of(problem).lam == pytest.approx(1.0)
    assert pytest.approx(4.0) == f_of(problem).of.L
    assert states[1].w == pytest.approx(w)
    assert states[1].length == pytest.approx(0.25)
    assert states[1].squares == pytest.approx(float(np.square(w).sum()))
    assert states[0].lowest == pytest.approx(4.0)


def test_the_second_step_by_hand():
    """w = (1, -1) has r = 0, so g = λ (1, -1): with λ = 1 and η = ¼ it goes to (¾, -¾), where F = ½·½ + 1.5."""
    _, states = run_of(TWO, ratio=0.25, eta=1.0, steps=2)
    assert states[2].w == pytest.approx([0.75, -0.75])
    assert states[2].lowest == pytest.approx(1.75)


def test_steps_shrink_as_their_names_say():
    f = f_of(SUBGRADIENT.problem(TWO))
    assert [4 * step_size(f, 2.0, "constant", t) for t in (1, 4)] == pytest.approx([2.0, 2.0])
    assert [4 * step_size(f, 2.0, "1/sqrt(t)", t) for t in (1, 4)] == pytest.approx([2.0, 1.0])
    assert [4 * step_size(f, 2.0, "1/t", t) for t in (1, 4)] == pytest.approx([2.0, 0.5])


@pytest.mark.parametrize("recipe", [PROSTATE, diabetes.with_(scale=True)], ids=["prostate", "diabetes"])
def test_w_star_is_that_of_scikit_learn(recipe):
    data = recipe.load()
    problem = SUBGRADIENT.problem(data)
    theirs = Theirs(alpha=f_of(problem).lam / data.n, tol=1e-12, max_iter=100_000).fit(data.X, data.y)
    assert best(problem).w == pytest.approx(theirs.coef_, abs=1e-8 * np.abs(theirs.coef_).max())


def test_with_shrinking_steps_it_comes_near_and_with_a_constant_one_it_hovers():
    data = PROSTATE.load()
    problem, shrinking = run_of(data, schedule="1/sqrt(t)", steps=3000)
    _, constant = run_of(data, steps=3000)
    late = {"shrinking": shrinking[-200:], "constant": constant[-200:]}
    away = {name: max(excess(problem, s) for s in states) for name, states in late.items()}
    assert away["shrinking"] < 0.02
    assert away["constant"] > 0.1


@pytest.mark.parametrize("schedule", ["constant", "1/sqrt(t)"])
def test_no_coefficient_that_has_moved_is_0_where_w_star_has_zeros(schedule):
    problem, states = run_of(PROSTATE.load(), schedule=schedule, steps=500)
    assert np.count_nonzero(best(problem).w == 0) >= 3
    assert {in_use(problem, s) for s in states[1:]} == {8.0}


def test_it_ends_where_0_is_a_subgradient():
    reason = Timeline(SUBGRADIENT, line).run().stopped.reason
    assert reason == "the subgradient is 0: F is least here"
    flat = Dataset([[1.0], [1.0], [1.0]], [1.0, 2.0, 3.0], kind="number")
    assert Timeline(SUBGRADIENT, flat).run().stopped.reason == reason


def test_from_lambda_max_on_0_is_best_but_a_slope_of_0_leads_away():
    problem, states = run_of(PROSTATE.load(), ratio=1.0, steps=1)
    assert not best(problem).w.any()
    assert states[1].w.any()


def test_a_step_size_that_diverges_ends_in_words():
    run = Timeline(SUBGRADIENT, PROSTATE, {"eta": 50.0}).run()
    assert run.stopped.reason.startswith("it diverges: the next step would have F = ")
    assert np.isfinite(run.at(run.last).state.w).all()
    assert run.failures == []


# Its states


def test_a_fork_with_another_lambda_begins_its_sums_anew_and_one_with_other_steps_keeps_them():
    run = Timeline(SUBGRADIENT, PROSTATE, {"steps": 80}).run()
    penalised = run.fork(40, ratio=0.5).run()
    shrinking = run.fork(40, schedule="1/sqrt(t)").run()
    labelled = run.fork(40, data=edited(run.data, [Label(0, 7.0)])).run()
    for fork in (penalised, labelled):
        begin = fork.at(40).state
        assert same(begin.origin, begin.w)
        assert begin.length == 0
        assert begin.lowest == pytest.approx(f_of(fork.problem).value(begin.w))
    assert shrinking.at(40).state.length == run.at(40).state.length
    for fork in (penalised, labelled, shrinking):
        assert fork.failures == []
        (last,) = [v.status for v in fork.verdicts(fork.at(fork.last)) if v.theorem is CLOSING]
        assert last == "holds"


def test_a_drag_moves_two_coefficients_and_begins_the_sums_anew():
    run = Timeline(SUBGRADIENT, PROSTATE, {"steps": 80}).run()
    frame = run.at(40)
    panel = SUBGRADIENT.scene(run.problem, frame.before, frame.state).panels[0]
    grip = next(mark for mark in panel.marks if isinstance(mark, DragHandles))
    to = np.array([0.3, 0.05])
    fork = run.fork(40, state=grip.moved(frame.state, 0, to)).run()
    state, pair = fork.at(40).state, pair_of(best(run.problem), deepest=True)
    assert state.w[pair] == pytest.approx(to)
    assert np.count_nonzero(state.w != frame.state.w) == 2
    assert same(state.origin, state.w)
    assert fork.failures == []


# Its theorems


@pytest.mark.parametrize("schedule", ["constant", "1/sqrt(t)", "1/t"])
@pytest.mark.parametrize(("ratio", "eta"), [(0.0, 0.5), (0.05, 1.9), (0.5, 0.01), (1.5, 1.0)])
def test_they_hold_at_every_step(schedule, ratio, eta):
    for data in (PROSTATE.load(), TWO):
        problem, states = run_of(data, ratio=ratio, eta=eta, schedule=schedule, at_zero=0.7, steps=25)
        for theorem in SUBGRADIENT.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def test_a_step_half_as_far_or_backwards_is_noticed():
    problem, states = run_of(PROSTATE.load(), steps=9)
    before, after = states[8:10]
    for theorem in SUBGRADIENT.theorems:
        assert theorem.verdict(problem, before, after).status == "holds"
    for share in (0.5, -1.0, 1.01):
        wrong = replace(after, w=before.w + share * (after.w - before.w))
        assert STEPPED.verdict(problem, before, wrong).status == "fails"
    half, back = (replace(after, w=before.w + share * (after.w - before.w)) for share in (0.5, -1.0))
    assert NO_REST.verdict(problem, before, half).status == "fails"
    assert NEARER.verdict(problem, before, back).status == "fails"


def test_a_least_value_that_is_a_step_behind_and_sums_that_miss_one_are_noticed():
    problem, states = run_of(PROSTATE.load(), steps=3)
    before, after = states[1:3]
    assert after.lowest < before.lowest
    assert KEPT.verdict(problem, before, after).status == "holds"
    for missed in ("lowest", "length", "squares"):
        wrong = replace(after, **{missed: getattr(before, missed)})
        assert KEPT.verdict(problem, before, wrong).status == "fails"


def test_steps_that_shrink_in_another_way_are_noticed(monkeypatch):
    monkeypatch.setattr(file, "step_size", lambda f, eta, schedule, t: eta / f.of.L / t)
    run = Timeline(SUBGRADIENT, PROSTATE, {"schedule": "1/sqrt(t)", "steps": 9}).run()
    assert STEPPED.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_a_slope_beyond_minus_1_to_1_at_a_kink_is_noticed():
    """At w = 0 with 2 for the slope of |w| the line is above F somewhere."""
    problem, states = run_of(PROSTATE.load(), steps=1)
    f, start = f_of(problem), states[0]
    step = states[1].length
    for at_zero, status in ((1.0, "holds"), (-1.0, "holds"), (2.0, "fails")):
        g = f.lam * at_zero - f.correlations(start.w)
        made = replace(states[1], w=start.w - step * g)
        assert SUPPORTS.verdict(problem, start, made).status == status


def test_a_run_that_climbs_breaks_the_bound():
    problem, (start, _) = run_of(PROSTATE.load(), steps=1)
    f, state, step = f_of(problem), start, 0.05 / f_of(problem).of.L
    for _ in range(2000):
        g = slope(problem, state)
        state = replace(state, w=state.w + 1e-3 * step * g, length=state.length + step)
        state = replace(state, lowest=f.value(state.w), squares=state.squares + 1e-6 * step**2 * float(g @ g))
    assert CLOSING.verdict(problem, None, state).status == "fails"


# What a person sees and reads


def test_the_supporting_line_lies_under_f_and_touches_it():
    problem, states = run_of(PROSTATE.load(), steps=30)
    f, aim = f_of(problem), best(problem)
    pair, names = pair_of(aim, deepest=True), problem.data.features
    for state, lines in ((states[0], 2), (states[20], 1)):
        curve, *rest = [m.at for m in supporting_line(f, aim, pair, names, state.w).marks[: 1 + lines]]
        others = np.tile(state.w, (len(curve), 1))
        others[:, pair[1]] = curve[:, 0]
        assert curve[:, 1] == pytest.approx([f.value(w) - f.value(state.w) for w in others], abs=1e-9)
        for drawn in rest:
            ends = drawn[drawn[:, 0].argsort()]
            at = np.interp(curve[:, 0], ends[:, 0], ends[:, 1], left=-np.inf, right=-np.inf)
            assert (at <= curve[:, 1] + 1e-9).all()
            assert np.interp(state.w[pair[1]], ends[:, 0], ends[:, 1]) == pytest.approx(0.0, abs=1e-9)


def test_the_level_lines_are_those_of_f_with_the_others_as_in_w_star():
    problem = SUBGRADIENT.problem(PROSTATE.load())
    f, aim = f_of(problem), best(problem)
    pair = pair_of(aim, deepest=True)
    panel = kinked_path(f, aim, pair, problem.data.features, aim.w, moved=lambda state, to: state)
    places = np.random.default_rng(0).normal(size=(5, 2))
    whole = np.tile(aim.w, (5, 1))
    whole[:, pair] = places
    assert panel.marks[0].height(places) == pytest.approx([f.value(w) for w in whole])


def test_it_says_what_crosses_0_and_why():
    problem, states = run_of(PROSTATE.load(), steps=120)
    said = [SUBGRADIENT.explain(problem, before, after) for before, after in zip([None, *states], states)]
    assert said[0].startswith("w = 0: F = ")
    assert "At 0 |w| has every slope of [-1, 1]: 0 is taken." in said[0]
    L = f_of(problem).of.L
    assert all(each.endswith(f"eta = 0.5, and L = {L:.4g} is XᵀX's greatest eigenvalue.") for each in said[:2])
    eta = step_size(f_of(problem), problem.parameters.eta, "constant", 1)
    before, after = (float(np.linalg.norm(slope(problem, state))) for state in states[:2])
    assert f"w moves by η = eta/L = {eta:.3g} times a subgradient {before:.4g} long: F " in said[1]
    table = {row[0]: row[1] for row in SUBGRADIENT.scene(problem, states[0], states[1]).panels[-1].marks[0].rows}
    assert (table["‖g‖ of the step"], table["‖g‖ here, of the next"]) == (before, after)
    crossing = [s for s in said if "past 0 the slope of λ|w| flips from" in s]
    assert len(crossing) > 20
    assert any("and sends it back." in s for s in crossing)


@pytest.mark.parametrize("size", [1e140, 1e-140])
def test_numbers_whose_squares_are_out_of_range_are_refused_in_words(size):
    with pytest.raises(Refused, match="scale it"):
        SUBGRADIENT(Dataset([[size], [-size]], [0.0, 1.5], kind="number"))
    with pytest.raises(Refused, match="scale it"):
        SUBGRADIENT(Dataset([[1.0], [-1.0]], [0.0, size], kind="number"))


def test_the_axis_of_the_bars_reaches_to_w_star_from_the_start():
    """Fitted to w = 0 it would be as high as there are coefficients, and all would look alike."""
    problem, states = run_of(PROSTATE.load(), steps=1)
    panel = next(p for p in SUBGRADIENT.scene(problem, None, states[0]).panels if p.title == "coefficients")
    _, (bottom, top) = panel.limits
    largest = float(np.abs(best(problem).w).max())
    assert -3 * largest < bottom < -largest < largest < top < 3 * largest
