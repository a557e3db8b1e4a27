"""Surrogate losses: by hand, against scikit-learn and the perceptron, and their theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import LogisticRegression

from algorithms import Label, Refused, Timeline, edited, find
from algorithms.core import Dataset, DragHandles, Segments
from algorithms.core.state import same
from algorithms.data import blobs, breast_cancer, iris, leverage, moons, tilt
from algorithms.families.linear.surrogate_losses.algorithm import begun_at, comparator, error, fewest, objective
from algorithms.toolbox import margin_losses
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_slope_of_the_wrong_rows_is_noticed",
    "update": "test_a_step_half_as_far_or_backwards_is_noticed",
}
PLANTED = {
    "share of errors <= mean loss(z)/loss(0)": "test_a_loss_that_does_not_bound_the_errors_is_noticed",
    "max(0, L - z) <= generalised <= max(0, L - z) + ε ln 2": "test_a_generalised_loss_that_is_too_round_is_noticed",
    "F is convex: F(½w + ½w') <= ½F(w) + ½F(w')": "test_a_loss_that_is_not_convex_is_noticed",
    "F has one valley: F(½w + ½u) <= ½F(w) + ½F(u)": "test_a_loss_that_bends_down_all_the_way_is_noticed",
    "hinge, rows that nothing separates: 1/max s <= Σξ": "test_slacks_that_are_too_small_are_noticed",
}
SILENT = {  # in the run that opens, and why
    "max(0, L - z) <= generalised <= max(0, L - z) + ε ln 2": "the loss is the hinge one",
}

LOSSES = find("surrogate_losses")
ERRORS, STEPPED, NEARER, REGRET, SUMMED, CONVEX, VALLEY, BETWEEN, FEASIBLE = LOSSES.theorems
NAMES = ("hinge", "squared hinge", "logistic", "exponential", "squared", "perceptron", "generalised")
SMALL = moons.with_(n=60, noise=0.25)
TWO = Dataset([[2.0], [-1.0]], [1, 0], classes=("-", "+"))


def run_of(data, **parameters):
    problem = LOSSES.problem(data, None, parameters)
    return problem, list(LOSSES.start(problem))


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


# The algorithm


@pytest.mark.parametrize(
    ("loss", "w"),
    [  # both rows have z = 0 and y x = 2, 1: the mean is 1.5
        ("hinge", 1.5),
        ("squared hinge", 3.0),
        ("squared", 3.0),
        ("logistic", 0.75),
        ("exponential", 1.5),
        ("perceptron", 1.5),
    ],
)
def test_the_first_step_by_hand(loss, w):
    _, states = run_of(TWO, loss=loss, bias=False, eta=1.0, steps=1)
    assert states[1].w == pytest.approx([w])


def test_a_proximal_step_by_hand():
    """From 0 with η = 1: 1.5 - λ, and 0 where λ is larger."""
    for strength, w in ((0.5, 1.0), (2.0, 0.0)):
        states = run_of(TWO, bias=False, eta=1.0, steps=1, penalty="L1, proximal", strength=strength)[1]
        assert states[-1].w == pytest.approx([w])


def test_it_comes_to_scikit_learns_logistic_regression():
    data, strength = iris.with_(positive="versicolor", scale=True).load(), 0.1
    last = run_of(data, loss="logistic", penalty="L2", strength=strength, eta=1.0, steps=3000)[1][-1]
    theirs = LogisticRegression(C=1 / (strength * data.n), tol=1e-12, max_iter=1000).fit(data.X, data.y)
    assert last.w == pytest.approx(np.append(theirs.coef_[0], theirs.intercept_), abs=1e-5)


def test_it_comes_to_the_least_squares_classifier():
    data = moons.load()
    last = run_of(data, loss="squared", eta=0.3, steps=4000)[1][-1]
    fit = list(find("least_squares_classifier")(data, delta=1e-6))[-1].w
    assert last.w == pytest.approx(fit, abs=1e-5)


def test_proximal_steps_leave_weights_at_0_and_subgradient_steps_do_not():
    data = breast_cancer.with_(scale=True).load()
    used = {}
    for penalty in ("none", "L2", "L1", "L1, proximal"):
        last = run_of(data, penalty=penalty, strength=0.05, eta=0.1, steps=200)[1][-1]
        used[penalty] = int(np.count_nonzero(last.w[:-1]))
    assert 0 < used["L1, proximal"] < 20
    assert used["none"] == used["L2"] == used["L1"] == 30


def test_the_hinge_without_a_penalty_comes_to_0_where_rows_can_be_separated():
    problem, states = run_of(tilt.load())
    assert objective(problem).value(states[-1].w) == 0
    assert {v.status for v in verdicts(FEASIBLE, problem, states)} == {"does not apply"}
    reason = Timeline(LOSSES, tilt).run().stopped.reason
    assert reason == "the subgradient is 0: F is as low as it can be"


def test_a_step_size_that_diverges_ends_in_words():
    run = Timeline(LOSSES, tilt.load(), {"loss": "exponential", "eta": 50.0}).run()
    assert run.stopped.reason.startswith("it diverges: the next step would have F = ")


# Its states


@pytest.mark.parametrize("schedule", ["constant", "1/sqrt(t)"])
def test_it_goes_on_from_any_state_bit_for_bit(schedule):
    parameters = {"schedule": schedule, "steps": 60, "penalty": "L1, proximal"}
    states = list(LOSSES(SMALL.load(), **parameters))
    for k in range(0, len(states), 13):
        rest = list(LOSSES(SMALL.load(), state=pickle.loads(pickle.dumps(states[k])), **parameters))
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :], strict=True))


@pytest.mark.parametrize("loss", NAMES[1:])
def test_a_fork_with_another_loss_begins_at_the_same_w_and_its_regret_anew(loss):
    run = Timeline(LOSSES, SMALL, {"steps": 60})
    run.advance(41)
    fork = run.fork(40, loss=loss, eta=0.05).run()
    assert same(fork.at(40).state.w, run.at(40).state.w)
    assert fork.at(40).state.charged == 0
    assert fork.failures == []
    assert "holds" in {v.status for v in fork.verdicts(fork.at(fork.last)) if v.theorem is REGRET}


def test_a_label_changed_and_an_arrow_dragged_begin_the_regret_anew():
    run = Timeline(LOSSES, SMALL, {"steps": 80}).run()
    frame = run.at(40)
    panel = LOSSES.scene(run.problem, frame.before, frame.state).panels[0]
    grips = next(mark for mark in panel.marks if isinstance(mark, DragHandles))
    dragged = run.fork(40, state=grips.moved(frame.state, 0, grips.at[0] + 1.0)).run()
    labelled = run.fork(40, data=edited(run.data, [Label(0, 1 - int(run.data.y[0]))])).run()
    for fork in (dragged, labelled):
        assert same(fork.at(40).state.origin, fork.at(40).state.w)
        assert fork.failures == []


# Its theorems


@pytest.mark.parametrize("loss", NAMES)
@pytest.mark.parametrize("penalty", ["none", "L2", "L1", "L1, proximal"])
def test_they_hold_at_every_step(loss, penalty):
    for recipe in (SMALL, iris.with_(positive="versicolor", scale=True), blobs.with_(n=40, margin=0.5)):
        problem, states = run_of(recipe.load(), loss=loss, penalty=penalty, steps=12, schedule="1/sqrt(t)")
        for theorem in LOSSES.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


@pytest.mark.parametrize("penalty", ["L2", "L1, proximal"])
def test_a_step_half_as_far_or_backwards_is_noticed(penalty):
    problem, states = run_of(SMALL.load(), loss="logistic", penalty=penalty, steps=5)
    before, after = states[2:4]
    for share in (0.5, -1.0, 1.01):
        wrong = replace(after, w=before.w + share * (after.w - before.w))
        assert STEPPED.verdict(problem, before, wrong).status == "fails"
    assert NEARER.verdict(problem, before, after).status == "holds"
    assert NEARER.verdict(problem, before, replace(after, w=2 * before.w - after.w)).status == "fails"


def test_a_slope_of_the_wrong_rows_is_noticed():
    """Rows on the right side pull, and those short of the margin do not."""
    problem, states = run_of(SMALL.load(), steps=9)
    before, after = states[8], states[9]
    f, z = objective(problem), objective(problem).margins(before.w)
    w = before.w + 0.2 * (z >= 1) @ f.rows / len(z)
    assert STEPPED.verdict(problem, before, after).status == "holds"
    assert STEPPED.verdict(problem, before, replace(after, w=w)).status == "fails"


def test_a_run_that_climbs_breaks_the_bound_on_its_regret():
    problem, states = run_of(SMALL.load(), loss="logistic", steps=1)
    f, state = objective(problem), states[0]
    for _ in range(200):
        g = f.subgradient(state.w)
        sums = {"charged": state.charged + 0.2 * f.value(state.w), "length": state.length + 0.2}
        squares = state.squares + 0.04 * float(g @ g)
        state = state.after("step", w=state.w + 0.2 * g, squares=squares, **sums)
    assert REGRET.verdict(problem, None, state).status == "fails"


@pytest.mark.parametrize("field", ["charged", "length", "squares"])
@pytest.mark.parametrize("penalty", ["L2", "L1, proximal"])
def test_a_sum_of_the_regret_that_grows_by_another_step_is_noticed(field, penalty):
    problem, states = run_of(SMALL.load(), loss="logistic", penalty=penalty, steps=9)
    before, after = states[-2:]
    assert SUMMED.verdict(problem, before, after).status == "holds"
    for share in (0.0, 0.5, 2.0):
        wrong = getattr(before, field) + share * (getattr(after, field) - getattr(before, field))
        assert SUMMED.verdict(problem, before, replace(after, **{field: wrong})).status == "fails"


def fresh():
    """The rows as an object of which nothing has been worked out yet."""
    return Dataset(SMALL.load().X, SMALL.load().y, classes=("-", "+"))


def planted(monkeypatch, of):
    loss = margin_losses.margin_loss("hinge")
    monkeypatch.setitem(margin_losses._NAMED, "hinge", replace(loss, of=of))


def test_a_loss_that_does_not_bound_the_errors_is_noticed(monkeypatch):
    planted(monkeypatch, lambda z: np.where(z < -0.2, 0.4, np.maximum(0, 1 - z)))
    problem, states = run_of(fresh(), steps=20)
    turned = replace(states[-1], w=-states[-1].w)  # most rows are wrong, and pay 0.4
    assert ERRORS.verdict(problem, None, turned).status == "fails"


def test_a_loss_that_is_not_convex_is_noticed(monkeypatch):
    planted(monkeypatch, lambda z: np.sqrt(np.maximum(0.0, 1 - z)))
    problem, states = run_of(fresh(), steps=20)
    assert "fails" in {v.status for v in verdicts(CONVEX, problem, states)}


def test_a_loss_that_bends_down_all_the_way_is_noticed(monkeypatch):
    planted(monkeypatch, lambda z: np.sqrt(np.maximum(0.0, 9 - z)))
    problem, states = run_of(fresh(), steps=20)
    assert "fails" in {v.status for v in verdicts(VALLEY, problem, states)}


def test_from_any_start_it_comes_to_the_same_objective():
    """There is no local minimum but the global one."""
    run = Timeline(LOSSES, SMALL, {"loss": "logistic", "penalty": "L2", "eta": 0.5, "steps": 600})
    run.advance(2)
    ends = []
    for seed in range(3):
        w = 3 * np.random.default_rng(seed).normal(size=3)
        fork = run.fork(1, state=begun_at(run.at(1).state, w))
        end, _ = end_of(LOSSES.start(fork.problem, fork.at(1).state))
        ends.append(objective(fork.problem).value(end.w))
    assert ends == pytest.approx([ends[0]] * 3, abs=1e-6)


def test_by_leverage_every_convex_loss_gets_eighteen_rows_wrong_where_two_would_do():
    """One row of each class far out on the wrong side: each loss turns to it, and errs on all nine others."""
    for loss in ("logistic", "hinge", "exponential", "squared"):
        problem, states = run_of(leverage.with_(scale=True).load(), loss=loss, steps=100)
        assert error(problem, states[-1]) * 20 == 18
        assert fewest(problem) == 2


def test_a_generalised_loss_that_is_too_round_is_noticed(monkeypatch):
    problem, states = run_of(SMALL.load(), loss="generalised", epsilon=0.5, steps=9)
    assert BETWEEN.verdict(problem, None, states[-1]).status == "holds"
    rounder = margin_losses.margin_loss("generalised", 2.0, 1.0)
    monkeypatch.setattr("algorithms.families.linear.surrogate_losses.surrogates.margin_loss", lambda *asked: rounder)
    problem, states = run_of(fresh(), loss="generalised", epsilon=0.5, steps=9)
    assert BETWEEN.verdict(problem, None, states[-1]).status == "fails"


def test_slacks_that_are_too_small_are_noticed(monkeypatch):
    problem, states = run_of(SMALL.load(), steps=9)
    assert FEASIBLE.verdict(problem, None, states[-1]).status == "holds"
    monkeypatch.setattr("algorithms.families.linear.surrogate_losses.algorithm.short", lambda z: np.maximum(0, -1 - z))
    assert FEASIBLE.verdict(problem, None, states[-1]).status == "fails"


def test_of_the_perceptron_loss_nothing_is_claimed_about_errors():
    problem, states = run_of(SMALL.load(), loss="perceptron", steps=9)
    assert {v.why for v in verdicts(ERRORS, problem, states)} == {
        "loss(0) = 0: a row on the boundary is wrong, and costs nothing"
    }


# What a person reads


def test_rows_that_are_wrong_half_way_and_at_one_end_only_are_counted():
    """Of z = 2 to -1 nothing is wrong half-way; of -1 to 2 neither; of 1 to -3 it is."""
    assert margin_losses.not_convex(np.array([2.0, -1.0, 1.0]), np.array([-1.0, 2.0, -3.0])) == 1


def test_the_w_that_is_compared_with_is_good():
    for loss in NAMES:
        problem = LOSSES.problem(SMALL.load(), None, {"loss": loss, "eta": 0.1, "steps": 300})
        f = objective(problem)
        assert comparator(problem).value <= f.value(list(LOSSES.start(problem))[-1].w) + 0.02
        assert comparator(problem).value == f.value(comparator(problem).w)


def test_slacks_are_drawn_of_the_hinge_and_no_other():
    for loss, drawn in (("hinge", True), ("logistic", False)):
        run = Timeline(LOSSES, SMALL, {"loss": loss, "steps": 30}).run()
        frame = run.at(30)
        panel = LOSSES.scene(run.problem, frame.before, frame.state).panels[0]
        lines = [mark for mark in panel.marks if isinstance(mark, Segments)]
        assert bool(lines) == drawn
        if drawn:
            ends = np.column_stack([lines[0].end, np.ones(len(lines[0].end))]) @ frame.state.w
            assert np.abs(ends) == pytest.approx(np.ones(len(ends)))


def test_slacks_are_not_drawn_where_a_plane_would_show_their_shadows():
    run = Timeline(LOSSES, iris.with_(positive="versicolor", scale=True), {"steps": 5}).run()
    panel = LOSSES.scene(run.problem, run.at(4).state, run.at(5).state).panels[0]
    assert panel.title == "the boundary w·x = 0"
    assert not [mark for mark in panel.marks if isinstance(mark, Segments)]


def test_it_explains_its_steps():
    problem, states = run_of(TWO, bias=False, eta=0.2, steps=3)
    words = [LOSSES.explain(problem, b, s) for b, s in zip([None, *states], states)]
    assert words[1] == (
        "Rows that pull or push at w: 2 of 2. Row 0 (x1 2) pays most: z = 0 costs 1. w moves by 0.3, and F falls by "
        "0.45 to 0.55. Wrong rows: 0 of 2, and no more than 1.1 by the mean loss."
    )
    still = replace(states[-1], w=states[-2].w)
    assert "and F stays 0.2." in LOSSES.explain(problem, states[-2], still)
    assert LOSSES.explain(problem, None, states[1]) == "F = 0.55 here. Wrong rows: 0 of 2."


@pytest.mark.parametrize("size", [1e140, 1e-140])
def test_numbers_whose_squares_are_out_of_range_are_refused_in_words(size):
    with pytest.raises(Refused, match="scale it"):
        LOSSES(Dataset([[size], [-size]], [0, 1], classes=("a", "b")))
