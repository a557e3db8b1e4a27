"""Logistic regression by gradient ascent: by hand, against scikit-learn, and its theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import LogisticRegression

from algorithms import Label, Move, Refused, Timeline, edited, find
from algorithms.core import Dataset, DragHandles
from algorithms.data import blobs, breast_cancer, iris, wine
from algorithms.families.linear.logistic_regression import best, bound_of, eta_of, f_of, gamma, widest
from algorithms.toolbox.separation import separate

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_gradient_of_every_second_row_is_noticed",
    "update": "test_a_step_down_or_half_as_far_is_noticed",
}
PLANTED = {
    "λ > 0, η <= 2/L: ½λ‖w‖² <= n ln 2": "test_a_w_that_no_prior_allows_is_noticed",
    "with a bias: (Σp - Σy)² <= ‖g‖² <= 2L(ln P* - ln P)": "test_the_gradient_is_bounded_by_what_is_left_to_gain",
}
SILENT = {  # in the run that opens, and why
    "η > 2/L: ln P' >= ln P - η(½ηL - 1)‖g‖²": "η <= 2/L",
    "λ = 0, separable: u·w + ηγ Σ|y - p| <= u·w' <= ‖w'‖": "nothing separates the rows strictly",
    "λ > 0, η <= 2/L: ½λ‖w‖² <= n ln 2": "there is no prior",
}

LOGISTIC = find("logistic_regression")
RATE, RISES, SLOPE, STEPPED, FALLS, CALIBRATED, GROWS, PRIOR = LOGISTIC.theorems
TWO = Dataset([[1.0], [-1.0], [0.5]], [1, 0, 0], classes=("-", "+"))
APART = blobs.with_(n=60, margin=0.3)
SETOSA = iris.with_(positive="setosa", columns=("sepal_length_cm", "sepal_width_cm"), scale=True)


def run_of(data, **parameters):
    problem = LOGISTIC.problem(data, None, parameters)
    return problem, list(LOGISTIC.start(problem))


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


def statuses(theorem, problem, states):
    return {v.status for v in verdicts(theorem, problem, states)}


# The algorithm


def test_the_first_step_by_hand():
    """From w = 0 without a bias or penalty: g = ½(1 + 1 - ½) = ¾, L = (1 + 1 + ¼)/4 = 9/16, so η = 16/9, w = 4/3."""
    problem, states = run_of(TWO, bias=False, penalty=0.0, steps=1)
    assert [s.phase for s in states] == ["start", "gradient", "step"]
    assert states[1].g == pytest.approx([0.75])
    assert bound_of(problem) == pytest.approx(9 / 16)
    assert states[2].w == pytest.approx([4 / 3])


@pytest.mark.parametrize("penalty", [0.5, 20.0])
def test_scikit_learn_comes_to_the_same_weights(penalty):
    data = iris.with_(positive="versicolor", scale=True).load()
    last = run_of(data, penalty=penalty, tolerance=1e-9, steps=20_000)[1][-1]
    theirs = LogisticRegression(C=1 / penalty, tol=1e-12, max_iter=10_000).fit(data.X, data.y)
    assert last.w == pytest.approx(np.append(theirs.coef_[0], theirs.intercept_), rel=1e-5, abs=1e-6)


def test_it_ends_where_newton_does():
    data = wine.with_(positive="cultivar_2", scale=True).load()
    newton = list(find("logistic_newton")(data, penalty=2.0))[-1]
    assert run_of(data, penalty=2.0, tolerance=1e-9, steps=20_000)[1][-1].w == pytest.approx(newton.w, rel=1e-5)


def test_with_a_free_bias_the_mean_chance_at_the_end_is_the_share_of_the_class():
    problem, states = run_of(
        iris.with_(positive="versicolor", scale=True).load(), penalty=0.5, tolerance=1e-9, steps=9000
    )
    p = f_of(problem).chances(states[-1].w)
    assert p.mean() == pytest.approx(1 / 3, abs=1e-9)


def test_past_two_the_likelihood_falls_and_the_words_say_why():
    problem, states = run_of(iris.with_(positive="versicolor").load(), eta_L=8.0, steps=60)
    steps = [(b, s) for b, s in zip(states, states[1:]) if s.phase == "step"]
    fallen = [(b, s) for b, s in steps if f_of(problem).value(s.w) < f_of(problem).value(b.w)]
    assert fallen
    words = LOGISTIC.explain(problem, *fallen[0])
    assert words.startswith("Too far: ln P falls by ")
    assert f"bends along g by more than 2/η = {2 / eta_of(problem):.3g}." in words
    assert statuses(FALLS, problem, states) == {"holds", "does not apply"}
    assert RISES.verdict(problem, *fallen[0]).why == "ηL = 8 is above 2"


def test_a_strong_penalty_with_long_steps_ends_in_words():
    run = Timeline(LOGISTIC, blobs, {"penalty": 1e6, "eta_L": 3.0}).run()
    assert run.stopped.reason == "it diverges: η is too large"


def test_rows_that_can_be_separated_have_no_maximum():
    """‖w‖ grows for ever, ln P goes to 0, and w turns to the widest margin."""
    data = SETOSA.load()
    problem, states = run_of(data, penalty=0.0, steps=3000)
    steps = [s for s in states if s.phase == "step"]
    lengths = np.array([np.linalg.norm(s.w) for s in steps])
    assert (np.diff(lengths) > 0).all()
    T = np.array([10, 100, 1000]) - 1
    assert (lengths[T] > [3.7, 7.3, 13.7]).all()
    u = separate(data.signs[:, None] * np.column_stack([data.X, np.ones(data.n)])).direction
    cosines = [float(u @ steps[t].w) / lengths[t] for t in T]
    assert cosines == sorted(cosines)
    assert cosines == pytest.approx([0.9674, 0.9876, 0.9957], abs=1e-4)
    assert not best(problem).exists
    assert -f_of(problem).value(steps[-1].w) < 0.6
    assert statuses(GROWS, problem, states) == {"holds", "does not apply"}
    assert "w still moves" in Timeline(LOGISTIC, data, {"penalty": 0.0, "steps": 50}).run().stopped.reason


def test_with_a_prior_the_same_rows_have_one():
    problem, states = run_of(APART.load(), penalty=0.5, tolerance=1e-9, steps=9000)
    assert best(problem).exists
    assert states[-1].w == pytest.approx(best(problem).w, rel=1e-3)
    assert gamma(problem) is None
    assert GROWS.verdict(problem, *states[1:3]).why == "λ = 0.5, so there is a maximum"


# Its states


def test_after_a_fork_w_stays_and_what_speaks_of_the_whole_run_is_silent():
    run = Timeline(LOGISTIC, blobs.with_(n=60), {"steps": 40}).run()
    data = edited(run.data, [Label(3, 1 - int(run.data.y[3])), Move(5, (0.5, 0.5))])
    for fork in (run.fork(20, data=data), run.fork(20, eta_L=1.9), run.fork(20, penalty=3.0)):
        fork.run()
        assert fork.failures == []
        assert np.array_equal(fork.at(20).state.w, run.at(20).state.w)
        frame = fork.at(fork.last)
        silent = {v.theorem.statement for v in fork.verdicts(frame) if "changed half-way" in v.why}
        assert {RATE.statement, PRIOR.statement} <= silent
        assert np.isnan(dict(zip((c.name for c in LOGISTIC.curves), fork.values(frame)))["bound on it"])


@pytest.mark.parametrize("bias", [True, False])
def test_the_arrow_can_be_dragged(bias):
    problem, states = run_of(blobs.with_(n=40).load(), steps=5, bias=bias)
    marks = LOGISTIC.scene(problem, states[-2], states[-1]).panels[0].marks
    grips = next(m for m in marks if isinstance(m, DragHandles))
    assert np.allclose(grips.moved(states[-1], 0, grips.at[0]).w, states[-1].w)


# Its theorems


@pytest.mark.parametrize("penalty", [0.0, 0.1, 100.0])
@pytest.mark.parametrize("eta_L", [0.5, 2.0, 7.0])
def test_they_hold_at_every_step(penalty, eta_L):
    for recipe in (iris.with_(positive="versicolor"), breast_cancer.with_(scale=True), APART):
        problem, states = run_of(recipe.load(), penalty=penalty, eta_L=eta_L, steps=15)
        for theorem in LOGISTIC.theorems:
            assert statuses(theorem, problem, states) <= {"holds", "does not apply"}, theorem.statement


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_the_slope_is_told_from_a_wrong_one_on_any_scale(size):
    data = Dataset(size * breast_cancer.load().X[:60, :5], breast_cancer.load().y[:60], classes=("a", "b"))
    problem, states = run_of(data, steps=30)
    for state in [s for s in states if s.phase == "gradient"][::7]:
        assert SLOPE.verdict(problem, None, state).status == "holds"
        assert SLOPE.verdict(problem, None, replace(state, g=1.001 * state.g)).status == "fails"


def test_a_gradient_of_every_second_row_is_noticed():
    problem, states = run_of(blobs.with_(n=40).load(), steps=5, penalty=2.0)
    f, state = f_of(problem), next(s for s in states if s.phase == "gradient" and s.iteration == 3)
    half = (f.y - f.chances(state.w))[::2] @ f.X[::2] - f.penalties * state.w
    assert SLOPE.verdict(problem, None, replace(state, g=half)).status == "fails"
    without_prior = state.g + f.penalties * state.w
    assert SLOPE.verdict(problem, None, replace(state, g=without_prior)).status == "fails"


def test_a_step_down_or_half_as_far_is_noticed():
    problem, states = run_of(blobs.with_(n=40).load(), steps=5)
    before, after = states[-2:]
    assert [t.verdict(problem, before, after).status for t in (STEPPED, RISES)] == ["holds", "holds"]
    assert STEPPED.verdict(problem, before, replace(after, w=(before.w + after.w) / 2)).status == "fails"
    down = replace(after, w=2 * before.w - after.w)
    assert [t.verdict(problem, before, down).status for t in (STEPPED, RISES)] == ["fails", "fails"]


def test_a_step_that_goes_too_far_even_for_a_long_one_is_noticed():
    problem, states = run_of(blobs.with_(n=40).load(), eta_L=3.0, steps=5)
    before, after = states[-2:]
    assert FALLS.verdict(problem, before, after).status == "holds"
    assert FALLS.verdict(problem, before, replace(after, w=-50 * after.w)).status == "fails"


def test_a_run_that_stands_still_breaks_the_rate():
    problem, states = run_of(blobs.with_(n=120, spread=2.0).load(), steps=400)
    last = states[-1]
    assert RATE.verdict(problem, states[-2], last).status == "holds"
    assert RATE.verdict(problem, states[-2], replace(last, w=np.zeros(3))).status == "fails"


def test_the_gradient_is_bounded_by_what_is_left_to_gain(monkeypatch):
    """With the bound of half the curvature there is, the middle of the chain breaks."""
    problem, states = run_of(iris.with_(positive="versicolor").load(), steps=3)
    assert CALIBRATED.verdict(problem, None, states[-1]).status == "holds"
    import algorithms.families.linear.logistic_regression as module

    monkeypatch.setattr(module, "bound_of", lambda problem: 1e-3)
    assert CALIBRATED.verdict(problem, None, states[-1]).status == "fails"


def test_on_separable_rows_a_w_that_stays_is_noticed():
    problem, states = run_of(APART.load(), penalty=0.0, steps=5)
    before, after = states[-2:]
    assert widest(problem) is not None
    assert GROWS.verdict(problem, before, after).status == "holds"
    assert GROWS.verdict(problem, before, replace(after, w=before.w)).status == "fails"


def test_a_w_that_no_prior_allows_is_noticed():
    problem, states = run_of(APART.load(), penalty=5.0, steps=5)
    assert PRIOR.verdict(problem, None, states[-1]).status == "holds"
    assert PRIOR.verdict(problem, None, replace(states[-1], w=30 * states[-1].w)).status == "fails"


# What a person reads


def test_it_explains_its_steps():
    problem, states = run_of(TWO, bias=False, penalty=0.0, steps=1)
    words = [LOGISTIC.explain(problem, b, s) for b, s in zip([None, *states], states)]
    assert words[0].startswith("w = 0 gives each of the 3 rows trained on the chance ½: the log-likelihood ")
    assert words[0].endswith(" ln P = -3 ln 2 = -2.079.")
    assert words[1] == (
        "Row 0 (x1 1) pulls most: it is + (y = 1), and p = 0.5. All pulls (y - p) x add up to g, 0.75 long."
    )
    assert words[2].startswith("η = 1.78 times g moves w by 1.33: ln P rises by ")
    assert words[2].endswith("Wrong rows: 1 of 3.")


def test_what_rounding_takes_at_the_end_is_not_called_too_far():
    problem, states = run_of(blobs.with_(n=40).load(), penalty=5.0, steps=5)
    top = replace(states[-1], w=best(problem).w, phase="gradient")
    lower = replace(top, w=top.w + 1e-7, phase="step")
    assert f_of(problem).value(lower.w) < f_of(problem).value(top.w)
    assert "ln P rises by 0 to " in LOGISTIC.explain(problem, top, lower)


def test_the_table_has_the_prior_and_the_margin():
    problem, states = run_of(APART.load(), penalty=0.0, steps=3)
    (table,) = [p.marks[0] for p in LOGISTIC.scene(problem, None, states[-1]).panels if p.title == "so far"]
    facts = dict(table.rows)
    assert facts["σ of the prior, 1/√λ"] is None
    assert facts["γ, the widest margin"] == pytest.approx(gamma(problem))
    problem, states = run_of(APART.load(), penalty=4.0, steps=3)
    (table,) = [p.marks[0] for p in LOGISTIC.scene(problem, None, states[-1]).panels if p.title == "so far"]
    assert dict(table.rows)["σ of the prior, 1/√λ"] == pytest.approx(0.5)
    assert dict(table.rows)["η"] == pytest.approx(eta_of(problem))


def test_rows_that_no_line_separates_have_no_direction_of_the_widest_margin():
    for data, there in ((APART.load(), True), (LOGISTIC.datasets[0].load(), False)):
        problem, states = run_of(data, penalty=0.0, steps=3)
        (table,) = [p.marks[0] for p in LOGISTIC.scene(problem, None, states[-1]).panels if p.title == "so far"]
        assert ({"cosine of w and u", "γ, the widest margin"} <= dict(table.rows).keys()) == there


def test_numbers_too_large_are_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        LOGISTIC(Dataset([[1e60], [1.0]], [1, 0], classes=("a", "b")))
