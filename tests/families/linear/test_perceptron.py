"""The perceptron: worked by hand, against scikit-learn, and its theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.linear_model import Perceptron

from algorithms import Add, Refused, Remove, Timeline, edited, find
from algorithms.core import Arrow, Dataset, DragHandles, GhostTrail
from algorithms.core.state import same
from algorithms.data import blobs, breast_cancer, digits, iris
from algorithms.families.linear.perceptron.algorithm import separation
from algorithms.families.linear.perceptron.row_visits import rows_before_mistake
from algorithms.toolbox.signed_rows import signed_rows
from tests.examples import examples
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_that_was_right_and_is_corrected_breaks_the_choice_and_so_does_a_mistake_passed_over",
    "update": "test_a_correction_in_the_wrong_direction_breaks_the_proof_and_its_own_theorem",
}
PLANTED = {
    "at the end: γ margin/(ηR² + 2 margin) <= min y w·x/‖w‖": "test_a_w_that_hardly_separates_the_rows_is_noticed",
}

PERCEPTRON = find("perceptron")
BOUND, PROOF, LENGTH, CHOICE, CORRECTION, MARGIN, GROWN = PERCEPTRON.theorems
LECTURE = Dataset([[0.0, 1.0], [0.0, -1.0], [-1.0, 0.5]], [1, 1, 0], classes=("-", "+"))
LECTURE_AS_BOXED = Dataset([[0.0, 1.0], [0.0, -1.0], [-1.0, -1.0]], [1, 1, 0], classes=("-", "+"))


def overlapping(n=300, d=4, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return Dataset(rng.normal(size=(n, d)) + 0.8 * y[:, None], y, classes=("a", "b"))


def separable(n=120, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    along = X @ np.ones(d) / np.sqrt(d)
    X += np.outer(0.1 * np.sign(along), np.ones(d) / np.sqrt(d))
    return Dataset(X, (along > 0).astype(int), classes=("a", "b"))


def run_of(data, **parameters):
    return list(PERCEPTRON(data, **parameters))


def reason(data, **parameters):
    return Timeline(PERCEPTRON, data, parameters).run().stopped.reason


# The algorithm


def test_the_lecture_by_hand():
    """Row 0 is a mistake from w = 0, row 1 from (0, 1), row 2 from 0 again; then it repeats."""
    states = run_of(LECTURE, bias=False, epochs=2)
    assert [s.phase for s in states] == ["start", "mistake", "mistake", "mistake", "mistake", "mistake", "correct"]
    assert [s.w.tolist() for s in states[:6]] == [[0, 0], [0, 1], [0, 0], [1, -0.5], [1, 0.5], [1, -0.5]]


def test_points_that_are_only_weakly_separable_cycle_for_ever():
    states = run_of(LECTURE, bias=False, epochs=100)
    assert {tuple(s.w.tolist()) for s in states[3:]} == {(1.0, -0.5), (1.0, 0.5)}
    assert reason(LECTURE, bias=False) == "no clean pass among 100"


def test_with_the_boxed_point_it_cycles_too_since_zero_is_a_mistake():
    """(0, 1) and (0, -1) are both +; the lecture's run ends at (1, 0), where it calls w·x = 0 positive."""
    assert (1.0, 0.0) in {tuple(s.w.tolist()) for s in run_of(LECTURE_AS_BOXED, bias=False)}
    assert reason(LECTURE_AS_BOXED, bias=False) == "no clean pass among 100"


@pytest.mark.parametrize("data", [LECTURE, LECTURE_AS_BOXED])
def test_with_a_bias_it_converges(data):
    last = run_of(data)[-1]
    assert (np.vecdot(signed_rows(data, True), last.w) > 0).all()
    assert reason(data) == "a whole pass without a mistake"
    assert reason(data, every="mistake") == "a whole pass without another mistake"  # its last state is one


def test_the_margin_and_the_step_by_hand():
    """One row x = 2: eta steps of 0.5 add 1 to w until 2 w > 5."""
    data = Dataset([[2.0], [-2.0]], [1, 0], classes=("-", "+"))
    mistakes = [s.w[0] for s in run_of(data, bias=False, eta=0.5, margin=5.0) if s.phase == "mistake"]
    assert mistakes == [1.0, 2.0, 3.0]


def test_it_ends_after_one_clean_pass_counted_from_the_last_mistake():
    states = run_of(separable(), epochs=1000)
    last_mistake = max(s.t for s in states if s.phase == "mistake")
    assert states[-1].t == last_mistake + 120
    assert states[-1].clean == 120


def test_a_shuffled_run_ends_at_the_end_of_an_epoch_without_a_mistake():
    states = run_of(separable(), order="shuffled", epochs=1000)
    final = [s for s in states if s.iteration == states[-1].iteration]
    assert [s.phase for s in final] == ["correct"] * 120
    assert sorted(s.row for s in final) == list(range(120))
    assert any(s.phase == "mistake" for s in states if s.iteration == states[-1].iteration - 1)


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@pytest.mark.parametrize("data", [overlapping(), separable()])
def test_a_state_a_mistake_is_a_state_a_row_without_the_right_ones(data, order):
    by_row = [s for s in run_of(data, order=order, epochs=7) if s.phase != "correct"]
    by_mistake = run_of(data, order=order, epochs=7, every="mistake")
    assert len(by_row) == len(by_mistake)
    for t, (a, b) in enumerate(zip(by_row, by_mistake)):
        assert b.t == t
        assert same((a.w, a.row, a.place, a.mistakes, a.iteration), (b.w, b.row, b.place, b.mistakes, b.iteration))


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(1, 200), st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_margins_of_a_block_are_those_of_its_rows_bit_for_bit(n, p, seed):
    rng = np.random.default_rng(seed)
    z, w = rng.normal(size=(n, p)), rng.normal(size=p)
    together = np.vecdot(z, w)
    assert together.tobytes() == np.array([np.vecdot(row, w) for row in z]).tobytes()
    assert together.tobytes() == np.array([row @ w for row in z]).tobytes()
    wrong = [i for i in range(n) if z[i] @ w <= 0.1]
    assert rows_before_mistake(together, 0.1) == (wrong[0] if wrong else n)


@pytest.mark.parametrize(
    "data",
    [
        overlapping(),
        overlapping(n=1000, d=20, seed=3),
        iris.with_(positive="setosa").load(),
        breast_cancer.with_(scale=True).load(),
    ],
    ids=["overlapping", "wide", "iris", "breast cancer"],
)
@pytest.mark.parametrize("eta", [1.0, 0.3])
def test_scikit_learn_comes_to_the_same_weights(data, eta):
    epochs = 6
    theirs = Perceptron(shuffle=False, tol=None, max_iter=epochs, eta0=eta).fit(data.X, data.y)
    ours = run_of(data, eta=eta, epochs=epochs, every="mistake")[-1]
    assert ours.w == pytest.approx(np.append(theirs.coef_[0], theirs.intercept_), rel=1e-8, abs=1e-8)


# Its states


@pytest.mark.parametrize("every", ["row", "mistake"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_it_goes_on_from_any_state_bit_for_bit(order, every):
    parameters = {"order": order, "every": every, "epochs": 5, "eta": 0.3, "margin": 0.2}
    data = overlapping(n=60)
    states = run_of(data, **parameters)
    for k in range(0, len(states), 7):
        copy = pickle.loads(pickle.dumps(states[k]))
        rest = list(PERCEPTRON(data, state=copy, **parameters))
        assert len(rest) == len(states) - k - 1
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :]))


def test_a_run_that_has_converged_goes_on_with_a_wider_margin():
    run = Timeline(PERCEPTRON, separable(), {"epochs": 1000}).run()
    fork = run.fork(run.last, margin=3.0, epochs=100_000)
    assert fork.begin == run.last
    assert fork.at(fork.begin).state.clean == 0
    end, _ = end_of(PERCEPTRON.start(fork.problem, fork.at(fork.begin).state))
    assert np.vecdot(signed_rows(separable(), True), end.w).min() > 3.0


def test_a_fork_from_shuffled_to_cyclic_still_sees_every_row():
    run = Timeline(PERCEPTRON, separable(), {"order": "shuffled", "epochs": 1000}).run()
    fork = run.fork(run.last, order="cyclic").run()
    assert (np.vecdot(signed_rows(separable(), True), fork.at(fork.last).state.w) > 0).all()


def test_a_fork_with_another_shuffle_still_sees_every_row():
    run = Timeline(PERCEPTRON, separable(), {"order": "shuffled", "epochs": 1000}).run()
    t = next(t for t in range(run.last) if run.at(t).state.clean > 5)
    assert run.fork(t, seed=7).at(t).state.clean == 0, "the rows that are still to come in this epoch may be others"
    assert run.fork(t, eta=0.5).at(t).state.clean == run.at(t).state.clean


# Its theorems


def verdicts(theorem, data, **parameters):
    problem = PERCEPTRON.problem(data, None, parameters)
    states = list(PERCEPTRON.start(problem))
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"eta": 0.1},
        {"margin": 2.0, "eta": 5.0, "epochs": 5000},
        {"order": "shuffled", "margin": 0.3},
        {"bias": False, "every": "mistake"},
    ],
)
@pytest.mark.parametrize("data", [separable(), iris.with_(positive="setosa").load()], ids=["made", "iris"])
def test_bound_and_proof_hold_at_every_step(data, parameters):
    for theorem in (BOUND, PROOF):
        assert {v.status for v in verdicts(theorem, data, **parameters)} == {"holds"}
    assert {v.status for v in verdicts(CORRECTION, data, **parameters)} <= {"holds", "does not apply"}


def test_the_margin_of_made_blobs_is_found():
    data = blobs.with_(n=80, margin=0.3).load()
    problem = PERCEPTRON.problem(data, None, {"bias": False})
    assert separation(problem).margin == pytest.approx(0.3, rel=1e-9)


def test_rows_that_cannot_be_separated_are_said_to_be_so():
    for theorem in (BOUND, PROOF):
        (why,) = {v.why for v in verdicts(theorem, LECTURE, bias=False, epochs=2)}
        assert why == "the rows cannot be separated strictly: a weighted mean of 2 of the y x is 0"
    assert {v.status for v in verdicts(CORRECTION, LECTURE, bias=False, epochs=2)} == {"holds", "does not apply"}


def test_what_was_not_found_out_in_time_is_said_to_be_undecided(monkeypatch):
    monkeypatch.setattr("algorithms.toolbox.separation._PRODUCTS", 1)
    verdict = verdicts(BOUND, overlapping(), epochs=1)[-1]
    assert verdict.status == "undecided"
    assert "in time" in verdict.why


def test_a_mistake_that_did_not_happen_breaks_the_bound():
    problem = PERCEPTRON.problem(separable(), None, {})
    state = list(PERCEPTRON.start(problem))[-1]
    bound = BOUND.verdict(problem, None, state).sides.values[1]
    assert BOUND.verdict(problem, None, state.after("mistake", mistakes=int(bound) + 1)).status == "fails"


def test_a_correction_in_the_wrong_direction_breaks_the_proof_and_its_own_theorem():
    data = separable()
    problem = PERCEPTRON.problem(data, None, {})
    start, first = list(PERCEPTRON.start(problem))[:2]
    wrong_way = start.after("mistake", w=-first.w, row=first.row, mistakes=1)
    assert PROOF.verdict(problem, start, first).status == "holds"
    assert PROOF.verdict(problem, start, wrong_way).status == "fails"
    assert CORRECTION.verdict(problem, start, first).status == "holds"
    assert CORRECTION.verdict(problem, start, wrong_way).status == "fails"


def test_a_row_that_was_right_and_is_corrected_breaks_the_choice_and_so_does_a_mistake_passed_over():
    problem = PERCEPTRON.problem(separable(), None, {})
    states = list(PERCEPTRON.start(problem))
    right = next(i for i, s in enumerate(states) if s.phase == "correct")
    wrong = next(i for i, s in enumerate(states) if s.phase == "mistake" and s.t)
    for i, phase in ((right, "mistake"), (wrong, "correct")):
        before, after = states[i - 1], states[i]
        assert CHOICE.verdict(problem, before, after).status == "holds"
        assert CHOICE.verdict(problem, before, before.after(phase, row=after.row)).status == "fails"


@pytest.mark.parametrize("every", ["row", "mistake"])
@pytest.mark.parametrize("bias", [True, False])
def test_a_bound_that_grows_by_less_than_a_correction_may_add_is_noticed(bias, every):
    problem = PERCEPTRON.problem(separable(), None, {"eta": 0.5, "margin": 0.2, "bias": bias, "every": every})
    states = list(PERCEPTRON.start(problem))
    i = next(i for i, s in enumerate(states) if s.phase == "mistake" and s.mistakes > 1)
    before, after = states[i - 1], states[i]
    assert GROWN.verdict(problem, before, after).status == "holds"
    for less in (after.bound - 0.1, before.bound, after.mistakes * 1.0):  # half the margin, none at all, R taken for 1
        assert GROWN.verdict(problem, before, after.replaced(bound=less)).status == "fails"


def test_the_bound_on_the_length_stays_true_across_a_fork_with_another_step_size():
    run = Timeline(PERCEPTRON, separable(), {}).run()
    fork = run.fork(run.last // 2, eta=0.1).run()
    upper = dict(zip((c.name for c in PERCEPTRON.curves), fork.values(fork.at(fork.last))))
    assert upper["‖w‖"] <= upper["upper bound"]
    assert np.isnan(upper["lower bound"])
    assert [v.status for v in fork.verdicts(fork.at(fork.last))][:3] == ["does not apply", "does not apply", "holds"]


def test_a_fork_with_another_step_size_keeps_the_rows_that_were_right_in_turn_and_one_with_a_margin_does_not():
    run = Timeline(PERCEPTRON, separable(), {}).run()
    t = next(t for t in range(20, run.last) if run.at(t).state.clean > 5)
    assert run.fork(t, eta=0.1).at(t).state.clean == run.at(t).state.clean
    assert run.fork(t, margin=0.5).at(t).state.clean == 0


def test_after_a_fork_the_table_does_not_say_how_many_mistakes_there_can_be():
    run = Timeline(PERCEPTRON, separable(), {}).run()
    fork = run.fork(run.last // 2, eta=0.1).run()
    for timeline, silent in ((run, False), (fork, True)):
        frame = timeline.at(timeline.last)
        table = PERCEPTRON.scene(timeline.problem, frame.before, frame.state).panels[-1].marks[0]
        assert (dict(table.rows)["most there can be"] is None) == silent


def test_from_nothing_the_step_size_scales_w_and_changes_no_mistake():
    one, other = (run_of(separable(), eta=eta) for eta in (1.0, 0.25))
    assert [s.row for s in one if s.phase == "mistake"] == [s.row for s in other if s.phase == "mistake"]
    assert np.allclose(one[-1].w / 1.0, other[-1].w / 0.25, rtol=1e-12)


def test_corrections_of_rows_that_were_right_break_the_upper_bound():
    """Adding every row, right or wrong, makes w grow faster than √m."""
    data = separable()
    problem = PERCEPTRON.problem(data, None, {})
    state = next(PERCEPTRON.start(problem))
    for row in range(data.n):
        w = state.w + signed_rows(data, True)[row]
        bound = state.bound + separation(problem).longest ** 2
        state = state.after("mistake", w=w, row=row, mistakes=state.mistakes + 1, bound=bound)
    assert LENGTH.verdict(problem, None, state).status == "fails"
    assert PROOF.verdict(problem, None, state).status == "fails"


def test_a_step_twice_too_long_breaks_the_correction():
    problem = PERCEPTRON.problem(separable(), None, {"eta": 0.5})
    start, first = list(PERCEPTRON.start(problem))[:2]
    assert CORRECTION.verdict(problem, start, start.after("mistake", w=2 * first.w, row=0)).status == "fails"


@pytest.mark.parametrize(("margin", "reached"), [(0, 0.011), (1, 0.048), (10, 0.0998)])
@pytest.mark.parametrize("every", ["row", "mistake"])
def test_with_a_larger_margin_it_ends_with_a_wider_one_of_its_own(margin, reached, every):
    """Of γ = 0.1: the motive of the margin perceptron. Before the end a row is not right, and nothing is said."""
    parameters = {"bias": False, "margin": margin, "epochs": 1000, "every": every}
    problem = PERCEPTRON.problem(blobs.with_(n=60, margin=0.1).load(), None, parameters)
    _, first, *_, last = PERCEPTRON.start(problem)
    measured = {curve.name: curve.measure(problem, last) for curve in PERCEPTRON.curves}
    assert measured["margin of w"] == pytest.approx(reached, abs=5e-4)
    assert measured["γ"] == pytest.approx(0.1)
    early, end = (MARGIN.verdict(problem, None, state) for state in (first, last))
    assert early.why.startswith("there are rows with y w·x <= margin, ")
    assert end.status == "holds"
    assert end.sides.values[0] == pytest.approx(0.1 * margin / (separation(problem).longest ** 2 + 2 * margin))


def test_a_w_that_hardly_separates_the_rows_is_noticed():
    """Far longer than corrections make it, every row is beyond the margin, and yet w's own margin is next to none."""
    data = Dataset([[1.0, 0.0], [-1.0, 0.0]], [1, 0], classes=("-", "+"))
    problem = PERCEPTRON.problem(data, None, {"bias": False, "margin": 1.0})
    state = list(PERCEPTRON.start(problem))[-1]
    assert MARGIN.verdict(problem, None, state).status == "holds"
    assert MARGIN.verdict(problem, None, state.replaced(w=np.array([2.0, 40.0]))).status == "fails"


# What a person reads


def test_it_explains_its_steps_in_the_units_of_the_data():
    data = Dataset([[1.0, 2.0], [2.0, -1.0]], [0, 1], classes=("low", "high"), features=("age", "dose"))
    run = Timeline(PERCEPTRON, data, {"bias": False}).run()
    said = [PERCEPTRON.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(3)]
    assert said[0] == "w = 0 puts no row on either side, so the first row that is visited is a mistake."
    assert said[1] == (
        "Row 0 (age 1, dose 2) is low (-), but w·x = 0: a mistake. w turns away from it, and now w·x = -5."
    )
    assert said[2] == "Row 1 (age 2, dose -1) is high (+), but w·x = 0: a mistake. w turns towards it, and now w·x = 5."


def test_it_explains_a_right_row_and_one_within_the_margin():
    data = Dataset([[1.0], [-1.0]], [1, 0], classes=("-", "+"))
    run = Timeline(PERCEPTRON, data, {"bias": False, "margin": 1.5}).run()
    assert "w·x = -1, within the margin of 1.5: a mistake." in PERCEPTRON.explain(
        run.problem, run.at(1).state, run.at(2).state
    )
    assert "right, and w stays. That makes 1 of 2 rows" in PERCEPTRON.explain(
        run.problem, run.at(2).state, run.at(3).state
    )


def test_a_state_a_mistake_says_how_many_rows_were_right_before_it():
    data = overlapping(n=50)
    by_row = run_of(data, epochs=3)
    run = Timeline(PERCEPTRON, data, {"epochs": 3, "every": "mistake"}).run()
    places = [s.t for s in by_row if s.phase == "mistake"]
    for i in (1, 5, len(places) - 1):
        frame = run.at(i + 1)
        said = PERCEPTRON.explain(run.problem, frame.before, frame.state)
        assert said.startswith(f"{places[i] - places[i - 1] - 1} rows were right. Row {by_row[places[i]].row} ")


@pytest.mark.parametrize("size", [1e140, 1e-140])
def test_numbers_whose_squares_are_out_of_range_are_refused_in_words(size):
    with pytest.raises(Refused, match="scale it"):
        PERCEPTRON(Dataset([[size], [-size]], [0, 1], classes=("a", "b")))


def test_the_scene_has_the_rows_the_weights_and_the_picture():
    data = digits.with_(positive="3").load()
    run = Timeline(PERCEPTRON, data, {"epochs": 1, "every": "mistake"})
    run.advance(20)
    frame = run.at(10)
    scene = PERCEPTRON.scene(run.problem, frame.before, frame.state)
    assert [panel.title for panel in scene.panels] == ["the boundary w·x = 0", "w as an image", "weights", "so far"]
    (past,) = [mark for mark in scene.panels[0].marks if isinstance(mark, GhostTrail)]
    assert past.name == "earlier boundaries"
    rows = next(mark for mark in scene.panels[0].marks if type(mark).__name__ == "Points")
    assert np.flatnonzero(rows.ringed).tolist() == [frame.state.row]
    assert rows.crossed.mean() == PERCEPTRON.curves[1].measure(run.problem, frame.state)


def test_held_out_rows_are_measured_where_there_are_any():
    data = iris.with_(positive="setosa", hold_out=0.3).load()
    run = Timeline(PERCEPTRON, data).run()
    _, error = run.curve("held-out error")
    assert error[0] == 1.0
    assert error[-1] == 0.0


# Edits


def test_the_row_in_hand_and_the_place_follow_when_rows_go():
    run = Timeline(PERCEPTRON, separable()).run()
    t = 17
    state = run.at(t).state
    assert state.row == 17 - 1
    gone = run.fork(t, data=edited(run.data, [Remove(state.row), Remove(0)]))
    first = gone.at(t).state
    assert (first.row, first.place, first.clean) == (-1, state.place - 2, 0)
    assert "is gone" in gone.algorithm.explain(gone.problem, None, first)
    gone.advance()
    assert gone.at(t + 1).state.row == 17 - 2  # the next of those that are left
    kept = run.fork(t, data=edited(run.data, [Remove(3), Remove(run.data.n - 2)])).at(t).state
    assert (kept.row, kept.place) == (state.row - 1, state.place - 1)


def test_a_wrong_row_added_to_a_converged_run_is_corrected():
    run = Timeline(PERCEPTRON, separable()).run()
    data, w = run.data, run.at(run.last).state.w
    positive = data.X[int(np.argmax(data.X @ w[:-1]))]
    fork = run.fork(run.last, data=edited(data, [Add(tuple(positive), 0)]))
    fork.advance(data.n + 1)
    assert any(fork.kind(t).phase == "mistake" for t in range(fork.begin + 1, len(fork)))


@pytest.mark.parametrize("bias", [True, False])
def test_the_arrow_can_be_dragged_and_turns_the_boundary(bias):
    run = Timeline(PERCEPTRON, separable(), {"bias": bias}).run()
    frame = run.at(run.last)
    marks = run.algorithm.scene(run.problem, frame.before, frame.state).panels[0].marks
    grips = next(m for m in marks if isinstance(m, DragHandles))
    arrow = [m for m in marks if isinstance(m, Arrow) and m.name == "w"][-1]
    assert np.allclose(grips.at[0], arrow.end)
    same_place = grips.moved(frame.state, 0, grips.at[0]).w
    assert np.allclose(same_place, frame.state.w)
    d = run.data.d
    turned = grips.moved(frame.state, 0, arrow.start + np.eye(d)[0]).w
    assert np.allclose(turned[1:d], 0.0, atol=1e-12)
    assert turned[0] > 0
    if bias:
        to = np.linspace(-0.2, 0.3, d)
        shifted = grips.moved(frame.state, 1, to).w
        assert np.array_equal(shifted[:d], frame.state.w[:d])
        assert shifted @ np.append(to, 1.0) == pytest.approx(0.0, abs=1e-12)


def test_the_margin_of_the_bound_is_a_letter_as_the_datas_is_another():
    _, value = PERCEPTRON.symbols["margin"]
    problem = PERCEPTRON.problem(blobs.with_(n=20, margin=0.3).load(), None, {"margin": 2.0})
    assert value(problem, next(PERCEPTRON.start(problem))) == 2.0
