"""Online gradient descent: by hand, against scikit-learn and the perceptron, and its theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, SGDClassifier

import algorithms.families.online.online_gradient_descent.algorithm as module
from algorithms import Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, DragHandles
from algorithms.core.state import same
from algorithms.data import blobs, iris, penguins
from algorithms.families.online.online_gradient_descent.algorithm import u_of
from algorithms.toolbox import hindsight
from algorithms.toolbox.hindsight import best_fixed, best_squared, into_ball, longest_slope
from algorithms.toolbox.margin_losses import margin_loss
from algorithms.toolbox.signed_rows import signed_rows

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_another_row_than_the_next_breaks_the_choice",
    "update": "test_a_step_up_or_half_as_far_or_by_another_row_breaks_the_update",
}
PLANTED = {
    "regret <= ‖u - w₁‖²/2η + ½Σ η‖g‖²": "test_costs_that_no_slope_accounts_for_break_the_bounds",
    "η = D/(G√t): regret <= D²/2η + ½Σ η‖g‖² <= 1.5 D G √T": ("test_costs_that_no_slope_accounts_for_break_the_bounds"),
    "f(w) - f(u) <= g·(w-u) <= (‖w-u‖² - ‖w'-u‖²)/2η + ½η‖g‖²": (
        "test_a_step_up_or_half_as_far_or_by_another_row_breaks_the_update"
    ),
}
SILENT = {  # in the run that opens, and why
    "η = D/(G√t): regret <= D²/2η + ½Σ η‖g‖² <= 1.5 D G √T": "η stays as it is",
    "it is the perceptron: + η y x where z <= 0 (hinge: z < 1)": "the loss is smooth: it has no kink",
}

ONLINE = find("online_gradient_descent")
REGRET, CHOICE, UPDATE, ACCOUNTS, LINK, HINDSIGHT, ANYTIME, PERCEPTRON = ONLINE.theorems
FREE = 1e4  # a ball that no run of these leaves
LOSSES = ("squared", "logistic", "hinge", "perceptron")
ORDERS = ("shuffled", "as it comes", "by class", "worst first")


def overlapping(n=60, d=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return Dataset(rng.normal(size=(n, d)) + 0.8 * y[:, None], y, classes=("a", "b"))


def run_of(data, **parameters):
    return list(ONLINE(data, **parameters))


def at_steps(data, **parameters):
    problem = ONLINE.problem(data, None, parameters)
    states = list(ONLINE.start(problem))
    return problem, list(zip([None, *states], states))


def curve(data, name, **parameters):
    problem = ONLINE.problem(data, None, parameters)
    (measured,) = (curve for curve in ONLINE.curves if curve.name == name)
    values = np.array([measured.value(problem, state) for state in ONLINE.start(problem)])
    return values[~np.isnan(values)]


# The algorithm


def test_two_rows_by_hand():
    """y x = 2, then -1: (1 - 0)² has the slope -4, so w = .4; then z = -.4 costs 1.96 and pulls w back by .28."""
    data = Dataset([[2.0], [1.0]], [1, 0], classes=("-", "+"))
    start, first, second = run_of(data, order="as it comes", eta=0.1, bias=False, epochs=1)
    assert (start.w.tolist(), first.phase, second.phase) == ([0.0], "step", "step")
    assert first.w == pytest.approx([0.4])
    assert (first.suffered, first.slopes) == pytest.approx((1.0, 0.1 * 16))
    assert second.w == pytest.approx([0.12])
    assert (second.suffered, second.slopes) == pytest.approx((1 + 1.96, 1.6 + 0.1 * 2.8**2))
    assert (second.mistakes, second.rounds, second.visits.tolist()) == (2, 2, [1.0, 1.0])
    u = 1 / 5  # (2 - 1) / (2² + 1²)
    problem = ONLINE.problem(data, None, {"bias": False})
    paid = (1 - 2 * u) ** 2 + (1 + u) ** 2
    assert REGRET.verdict(problem, first, second).sides.values[0] == pytest.approx(2.96 - paid)


def test_a_step_out_of_the_ball_is_drawn_back():
    data = Dataset([[2.0], [-1.0]], [1, 0], classes=("-", "+"))
    first = run_of(data, order="as it comes", eta=0.1, bias=False, radius=0.25)[1]
    assert (first.phase, first.w.tolist()) == ("drawn back", [0.25])


THEIRS = (
    ("squared", "squared_error", 0.5),
    ("logistic", "log_loss", 1),
    ("hinge", "hinge", 1),
    ("perceptron",) * 2 + (1,),
)


@pytest.mark.parametrize(("loss", "theirs", "eta"), THEIRS)
def test_scikit_learn_comes_to_the_same_weights(loss, theirs, eta):
    """Their squared loss is half of ours, so that half of η does the same."""
    for data in (overlapping(), penguins.with_(positive="Chinstrap", scale=True).load()):
        machine = SGDClassifier(
            loss=theirs, penalty=None, learning_rate="constant", eta0=0.02, shuffle=False, tol=None, max_iter=3
        )
        machine.fit(data.X, data.y)
        eta = 0.01 if loss == "squared" else 0.02
        last = run_of(data, loss=loss, eta=eta, order="as it comes", radius=FREE, epochs=3)[-1]
        assert last.w == pytest.approx(np.append(machine.coef_[0], machine.intercept_), rel=1e-8, abs=1e-10)


@pytest.mark.parametrize(("loss", "margin"), [("perceptron", 0.0), ("hinge", 1.0)])
@pytest.mark.parametrize("eta", [1.0, 0.3])
def test_it_is_the_perceptron_row_for_row(loss, margin, eta):
    for data in (overlapping(), iris.with_(positive="versicolor").load()):
        settings = {"eta": eta, "epochs": 3, "radius": FREE, "loss": loss}
        ours = run_of(data, order="as it comes", **settings)
        theirs = list(find("perceptron")(data, eta=eta, margin=margin, epochs=3))
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs):
            assert a.row == b.row
            assert a.w == pytest.approx(b.w, rel=1e-9, abs=1e-9)
            assert a.phase != "drawn back"


@pytest.mark.parametrize("order", ORDERS)
def test_each_row_comes_once_a_pass(order):
    data = overlapping()
    states = run_of(data, order=order, epochs=3)
    rows = [s.row for s in states[1:]]
    for first in (0, 60, 120):
        assert sorted(rows[first : first + 60]) == list(range(60))
    assert states[-1].visits.tolist() == [3.0] * 60
    if order == "by class":
        assert np.all(np.diff(data.y[rows[:60]]) >= 0)
    if order == "as it comes":
        assert rows[:60] == list(range(60))
    if order == "shuffled":
        assert rows[:60] != rows[60:120]


def test_the_worst_row_comes_first():
    data = overlapping()
    states = run_of(data, order="worst first", loss="logistic", eta=0.1, epochs=1)
    for before, after in zip(states, states[1:]):
        z = signed_rows(data, True) @ before.w
        assert z[after.row] == z[~before.seen].min()


def test_an_adversarys_order_costs_more_regret_than_a_kind_one():
    data = penguins.with_(positive="Chinstrap", scale=True).load()
    settings = {"loss": "perceptron", "eta": 1.0, "epochs": 1}
    kind, hard = (curve(data, "regret", order=order, **settings)[-1] for order in ("shuffled", "worst first"))
    assert 0 < 1.5 * kind < hard


def test_rows_that_come_sorted_can_be_paid_for_with_less_than_any_fixed_weights():
    data = iris.with_(positive="versicolor", scale=True).load()
    assert curve(data, "regret", order="by class", eta=0.02)[-1] < 0 < curve(data, "regret", eta=0.02)[-1]


def test_the_regret_a_row_goes_down():
    values = curve(overlapping(), "regret a row", steps="1/sqrt(t)", loss="hinge", epochs=15)
    assert values[-1] < 0.3 * values[20]


def test_it_goes_on_from_any_state_bit_for_bit():
    data = overlapping()
    for order in ORDERS:
        parameters = {"order": order, "loss": "hinge", "steps": "1/sqrt(t)", "radius": 0.3}
        states = run_of(data, **parameters)
        assert "drawn back" in {s.phase for s in states}
        for k in range(0, len(states), 31):
            rest = list(ONLINE(data, state=pickle.loads(pickle.dumps(states[k])), **parameters))
            assert len(rest) == len(states) - k - 1
            assert all(same(a, b) for a, b in zip(rest, states[k + 1 :]))


# In hindsight


def test_the_best_for_squares_is_that_of_least_squares_and_in_a_small_ball_its_multiplier_holds_it():
    data = overlapping()
    yx, counts = signed_rows(data, True), np.arange(60) % 3.0
    root = np.sqrt(counts)
    assert best_squared(yx, counts, FREE) == pytest.approx(np.linalg.lstsq(root[:, None] * yx, root)[0])
    u = best_squared(yx, counts, 0.1)
    assert np.linalg.norm(u) == pytest.approx(0.1)
    slope = (counts * (1 - yx @ u)) @ yx  # down, it points out of the ball along u
    assert slope == pytest.approx((slope @ u) / 0.01 * u, rel=1e-6)
    assert slope @ u > 0
    assert best_squared(yx, np.zeros(60), 1.0).tolist() == [0.0] * 4


def test_the_best_for_the_logistic_loss_is_that_of_logistic_regression():
    data = overlapping()
    yx, f = signed_rows(data, True), margin_loss("logistic")
    theirs = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(data.X, data.y)
    w = np.append(theirs.coef_[0], theirs.intercept_)
    u = best_fixed(yx, "logistic", FREE)
    assert f.of(yx @ u).sum() == pytest.approx(f.of(yx @ w).sum(), rel=1e-6)


def test_the_best_for_the_hinge_beats_all_that_is_tried():
    yx, f = signed_rows(overlapping(), True), margin_loss("hinge")
    u = best_fixed(yx, "hinge", 1.0)
    assert np.linalg.norm(u) <= 1 + 1e-12
    rng = np.random.default_rng(0)
    tried = [into_ball(u + 0.2 * rng.normal(size=4), 1.0) for _ in range(500)]
    assert f.of(yx @ u).sum() <= min(f.of(yx @ w).sum() for w in tried) + 0.1
    assert best_fixed(yx, "perceptron", 1.0).tolist() == [0.0] * 4


@pytest.mark.parametrize("loss", LOSSES)
def test_no_slope_in_the_ball_is_longer_than_G(loss):
    yx, f, rng = signed_rows(overlapping(), True), margin_loss(loss), np.random.default_rng(0)
    G = longest_slope(yx, f.slope, 2.0)
    for _ in range(200):
        w = into_ball(5 * rng.normal(size=4), 2.0)
        assert (np.abs(f.slope(yx @ w)) * np.linalg.norm(yx, axis=1)).max() <= G * (1 + 1e-12)


# Its theorems


@pytest.mark.parametrize("order", ["shuffled", "worst first"])
@pytest.mark.parametrize("steps", ["constant", "1/sqrt(t)"])
@pytest.mark.parametrize("loss", LOSSES)
def test_no_theorem_fails_at_any_step(loss, steps, order):
    for radius in (0.3, 10.0):
        problem, steps_made = at_steps(overlapping(12), loss=loss, steps=steps, order=order, eta=0.2, radius=radius)
        for theorem in ONLINE.theorems:
            found = {theorem.verdict(problem, before, after).status for before, after in steps_made}
            assert "fails" not in found, theorem.statement
        wanted = REGRET if steps == "constant" else ANYTIME
        assert {wanted.verdict(problem, *pair).status for pair in steps_made} == {"holds"}


@pytest.mark.parametrize("order", ORDERS)
def test_another_row_than_the_next_breaks_the_choice(order):
    problem, steps = at_steps(overlapping(), order=order)
    for before, after in steps[2:50]:  # at w = 0 all rows cost the same
        assert CHOICE.verdict(problem, before, after).status == "holds"
        others = [i for i in range(60) if i != after.row]
        assert {CHOICE.verdict(problem, before, after.replaced(row=i)).status for i in others} == {"fails"}


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_a_step_up_or_half_as_far_or_by_another_row_breaks_the_update(loss):
    problem, steps = at_steps(overlapping(), loss=loss, eta=0.1)
    for before, after in steps[1:40]:
        move = after.w - before.w
        assert UPDATE.verdict(problem, before, after).status == "holds"
        for times in (-1.0, 0.5, 2.0):
            assert UPDATE.verdict(problem, before, after.replaced(w=before.w + times * move)).status == "fails"
        assert UPDATE.verdict(problem, before, after.replaced(row=(after.row + 1) % 60)).status == "fails"
        assert LINK.verdict(problem, before, after).status == "holds"
    wrong = [LINK.verdict(problem, b, a.replaced(w=2 * b.w - a.w)).status for b, a in steps[1:40]]
    assert "fails" in wrong


def test_costs_that_no_slope_accounts_for_break_the_bounds():
    for theorem, kind in ((REGRET, "constant"), (ANYTIME, "1/sqrt(t)")):
        problem, steps = at_steps(overlapping(), steps=kind)
        _, last = steps[-1]
        over = theorem.verdict(problem, None, last).sides.values[-1]
        assert theorem.verdict(problem, None, last.replaced(suffered=last.suffered + over)).status == "fails"


def test_a_row_that_is_not_charged_breaks_the_accounts():
    problem, steps = at_steps(overlapping())
    before, after = steps[7]
    assert ACCOUNTS.verdict(problem, before, after).status == "holds"
    for field in ("suffered", "slopes", "visits", "rounds"):
        wrong = {field: getattr(before, field)}
        assert ACCOUNTS.verdict(problem, before, after.replaced(**wrong)).status == "fails"


def test_a_mistake_that_is_not_counted_breaks_the_accounts():
    problem, steps = at_steps(overlapping())
    before, after = next((b, a) for b, a in steps[1:] if a.mistakes > b.mistakes)
    assert ACCOUNTS.verdict(problem, before, after).status == "holds"
    assert ACCOUNTS.verdict(problem, before, after.replaced(mistakes=before.mistakes)).status == "fails"


@pytest.mark.parametrize("wrong", [lambda w, radius: w, lambda w, radius: w / 2])
def test_a_projection_that_does_nothing_or_too_much_breaks_the_update(monkeypatch, wrong):
    monkeypatch.setattr(module, "into_ball", wrong)
    problem, steps = at_steps(overlapping(), radius=0.2, eta=0.1)
    before, after = next((b, a) for b, a in steps[1:] if a.phase == "drawn back")
    assert UPDATE.verdict(problem, before, after).status == "fails"


def test_the_kindest_row_first_is_no_adversary(monkeypatch):
    real = module.turns
    monkeypatch.setattr(module, "turns", lambda *given: -real(*given))
    problem, steps = at_steps(overlapping(), order="worst first")
    assert {CHOICE.verdict(problem, *pair).status for pair in steps[2:50]} == {"fails"}


def test_a_step_that_shrinks_too_fast_breaks_the_update():
    problem, steps = at_steps(overlapping(), steps="1/sqrt(t)", radius=FREE)
    before, after = steps[9]
    assert UPDATE.verdict(problem, before, after).status == "holds"
    too_fast = before.w + (after.w - before.w) / np.sqrt(before.rounds + 1)
    assert UPDATE.verdict(problem, before, after.replaced(w=too_fast)).status == "fails"


@pytest.mark.parametrize("times", [0.0, 0.5, 1e4])
def test_weights_that_are_not_the_best_in_hindsight_are_noticed(monkeypatch, times):
    problem, steps = at_steps(overlapping())
    assert {HINDSIGHT.verdict(problem, *pair).status for pair in steps} == {"holds"}
    real = hindsight.best_squared
    monkeypatch.setattr(hindsight, "best_squared", lambda *given: times * real(*given))
    fresh = ONLINE.problem(problem.data, None, {})
    assert HINDSIGHT.verdict(fresh, *steps[-1]).status == "fails"


def test_a_row_that_is_right_and_added_is_not_the_perceptron():
    problem, steps = at_steps(overlapping(), loss="perceptron", eta=1.0, radius=FREE)
    before, after = next((b, a) for b, a in steps[5:] if a.phase == "no slope")
    wrong = after.replaced(w=before.w + signed_rows(problem.data, True)[after.row])
    assert PERCEPTRON.verdict(problem, before, after).status == "holds"
    assert PERCEPTRON.verdict(problem, before, wrong).status == "fails"


# Forks, edits and what is seen


def test_a_fork_with_another_step_begins_the_accounts_anew_and_the_bound_stays_true():
    run = Timeline(ONLINE, overlapping(), {"loss": "hinge", "eta": 0.1}).run()
    fork = run.fork(50, eta=0.4).run()
    first, last = fork.at(50).state, fork.at(fork.last)
    assert (first.rounds, first.suffered) == (0, 0.0)
    assert np.array_equal(first.first, run.at(50).state.w)
    assert last.state.rounds == fork.last - 50
    assert REGRET.verdict(fork.problem, last.before, last.state).status == "holds"
    assert np.isfinite(fork.curve("regret")[1][-1])


def test_a_fork_with_another_order_goes_on_with_the_rows_that_are_left():
    run = Timeline(ONLINE, overlapping(), {"epochs": 1}).run()
    fork = run.fork(20, order="worst first").run()
    assert fork.at(20).state.rounds == 20
    assert fork.at(fork.last).state.visits.tolist() == [1.0] * 60


def test_a_row_that_goes_or_moves_does_not_come_twice():
    run = Timeline(ONLINE, overlapping(), {"epochs": 1}).run()
    gone = run.at(10).state.row
    fork = run.fork(10, data=edited(run.data, [Remove(gone), Move(0, (9.0, 9.0, 9.0))]))
    assert fork.at(10).state.row == -1
    assert "Rows so far: 10, at a cost of" in ONLINE.explain(fork.problem, None, run.at(10).state)
    fork.run()
    assert fork.last == run.last
    assert fork.at(fork.last).state.rounds == 50
    assert not fork.failures


def test_the_arrow_can_be_dragged_and_stays_in_the_ball():
    run = Timeline(ONLINE, overlapping(d=2), {"radius": 0.5}).run()
    frame = run.at(30)
    marks = ONLINE.scene(run.problem, frame.before, frame.state).panels[0].marks
    grips = next(m for m in marks if isinstance(m, DragHandles))
    moved = grips.moved(frame.state, 0, grips.at[0] + 50.0)
    assert np.linalg.norm(moved.w) == pytest.approx(0.5)
    assert (moved.rounds, moved.row) == (0, frame.state.row)
    fork = run.fork(30, state=moved).run()
    assert not fork.failures


def test_it_explains_its_steps():
    data = Dataset([[2.0], [1.0]], [1, 0], classes=("-", "+"), features=("dose",))
    run = Timeline(ONLINE, data, {"order": "as it comes", "eta": 0.1, "bias": False, "epochs": 1}).run()
    said = [ONLINE.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(3)]
    assert said[0] == "No row has come; ‖w‖ = 0. The next is predicted with this w, and paid for."
    assert said[1].startswith(
        "Row 0 (dose 2) comes; it is +, so z = y w·x = 0 costs 1. w goes 0.4 down its slope, with η = 0.1. "
        "After 1 row the regret is 1 in all; by its bound it is "
    )
    assert "Row 1 (dose 1) comes; it is -, so z = y w·x = -0.4 costs 1.96." in said[2]


@pytest.mark.parametrize("size", [1e60, 1e-60])
def test_numbers_whose_squares_are_out_of_range_are_refused_in_words(size):
    with pytest.raises(Refused, match="scale it"):
        ONLINE(Dataset([[size], [-size]], [0, 1], classes=("a", "b")))


def test_no_bound_is_drawn_before_there_are_rows_to_tell_and_it_is_said_from_which_on():
    run = Timeline(ONLINE, blobs.with_(n=40).load()).run()
    t, bound = run.curve("bound")
    said = [ONLINE.explain(run.problem, run.at(t).before, run.at(t).state) for t in (6, 7)]
    assert said[0].endswith(" at most. The bound is drawn from row 7 on: so few rows u fits too well.")
    assert said[1].endswith(" at most.")
    assert t[0] == 7
    assert np.isfinite(bound).all()


def test_what_the_regret_is_held_against_lies_in_the_ball():
    """The proof rests on it: Π takes w no farther from a place of the ball."""
    run = Timeline(ONLINE, blobs.with_(n=40).load()).run()
    assert max(np.linalg.norm(u_of(run.problem, run.at(t).state)) for t in range(1, 40)) <= 2.0 + 1e-9
    assert "‖u‖ <= r" in ONLINE.symbols["u"][0]
    assert any("u is in the ball" in line for line in REGRET.proof)
