"""One against the rest: by hand, against least squares in closed form and scikit-learn, and its theorems broken."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import Perceptron

import algorithms.families.linear.one_vs_rest as module
from algorithms import Move, Refused, Timeline, edited, find
from algorithms.core import Arrow, Dataset, DragHandles, Hyperplane, Problem
from algorithms.core.state import same
from algorithms.data import blobs, iris, wine
from algorithms.families.linear.one_vs_rest import scores
from algorithms.families.linear.shared.base_problems import against_rest, perceptron_pass
from algorithms.families.linear.shared.claims_pictures import claimed

WRONG = {
    "choice": "test_a_row_corrected_without_a_reason_and_a_mistake_passed_over_are_noticed",
    "update": "test_a_pass_that_steps_away_or_half_as_far_is_noticed",
}
PLANTED = {
    "rows labelled wrong <= errors of all K problems": "test_the_class_of_the_least_f_as_the_label_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "solved by least squares: Σ f = 2 - K everywhere": "the base is the perceptron, which solves nothing",
    "solved: Σ(1 - y w·x) y x = 0": "the base is the perceptron, which solves nothing",
}

REST = find("one_vs_rest")
REDUCTION, SUMS, BOUND, LENGTH, CHOICE, UPDATE, DONE, SOLVED, OTHERS, TURN = REST.theorems
PETALS = iris.with_(columns=("petal_length_cm", "petal_width_cm"))
THREE = Dataset([[-2.0], [0.0], [2.0]], [0, 1, 2], classes=("a", "b", "c"))


def run_of(data, **parameters):
    problem = REST.problem(data, None, parameters)
    return problem, list(REST.start(problem))


def statuses(theorem, problem, states):
    return {theorem.verdict(problem, b, s).status for b, s in zip([None, *states], states)}


# The algorithm


def test_a_pass_by_hand():
    """Class a of x = -2, 0, 2: w = 0 is a mistake at -2 (+), then (-2, 1) at 0 (-), and (-2, 0) is right at 2."""
    _, states = run_of(THREE, epochs=1)
    assert [s.phase for s in states] == ["start", "pass", "pass", "pass"]
    assert states[1].W.tolist() == [[-2, 0], [0, 0], [0, 0]]
    assert states[1].corrected.tolist() == [True, True, False]
    assert states[3].mistakes.tolist() == [2, 3, 1]
    assert states[1].bounds == pytest.approx([10, 0, 0])  # R² = 2² + 1 of each of two corrections


def test_it_is_k_problems_of_all_rows():
    problems = against_rest(iris.load(), True)
    assert [(len(p.rows), int((p.signs > 0).sum())) for p in problems] == [(150, 50)] * 3


def test_least_squares_on_petals_leaves_the_middle_class_with_few_claims():
    """The lecture's figure, in numbers: 33 rows with no claim, 12 with two; 12 of 50 of the middle class its own."""
    problem, states = run_of(PETALS.load(), base="least squares")
    f = module.scores(problem, states[-1])
    claims = (f > 0).sum(axis=1)
    assert (claims == 0).sum() == 33
    assert (claims == 2).sum() == 12
    assert [int((f[problem.data.y == k, k] > 0).sum()) for k in range(3)] == [50, 12, 46]
    assert [s.phase for s in states[1:]] == ["solve"] * 3


def test_least_squares_is_the_closed_form():
    data = wine.with_(scale=True).load()
    _, states = run_of(data, base="least squares")
    X = np.column_stack([data.X, np.ones(data.n)])
    for k, w in enumerate(states[-1].W):
        y = np.where(data.y == k, 1.0, -1.0)
        assert w == pytest.approx(np.linalg.solve(X.T @ X, X.T @ y), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("eta", [1.0, 0.3])
def test_scikit_learn_comes_to_the_same_weights(eta):
    data = wine.with_(scale=True).load()
    theirs = Perceptron(shuffle=False, tol=None, max_iter=4, eta0=eta).fit(data.X, data.y)
    _, states = run_of(data, eta=eta, epochs=4)
    ours = states[-1].W
    assert ours[:, :-1] == pytest.approx(theirs.coef_, rel=1e-9, abs=1e-9)
    assert ours[:, -1] == pytest.approx(theirs.intercept_, rel=1e-9, abs=1e-9)


def test_any_order_gives_the_same_classifiers_bit_for_bit():
    data = blobs.with_(k=4, n=80).load()
    ends = [run_of(data, turns=turns, epochs=7)[1][-1] for turns in ("in turn", "one after another")]
    assert same(ends[0].W, ends[1].W)
    assert same(ends[0].mistakes, ends[1].mistakes)


def test_it_ends_in_words():
    assert "2 of 3 problems had no clean pass among 50" in str(Timeline(REST, PETALS.load()).run().stopped)
    solved = Timeline(REST, PETALS.load(), {"base": "least squares"}).run()
    assert solved.stopped.reason == "every problem is solved"
    separable = Timeline(REST, wine.with_(scale=True).load()).run()
    assert separable.stopped.reason == "every problem has had a pass without a mistake"


# Its states


@pytest.mark.parametrize("turns", ["in turn", "one after another"])
def test_it_goes_on_from_any_state_bit_for_bit(turns):
    data, parameters = blobs.with_(k=3, n=50).load(), {"turns": turns, "epochs": 6}
    states = list(REST(data, **parameters))
    for k, state in enumerate(states):
        rest = list(REST(data, state=pickle.loads(pickle.dumps(state)), **parameters))
        assert len(rest) == len(states) - k - 1
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :]))


def test_a_fork_to_least_squares_half_way_solves_every_problem():
    run = Timeline(REST, PETALS.load()).run()
    fork = run.fork(30, base="least squares").run()
    assert fork.failures == []
    fresh = list(REST(PETALS.load(), base="least squares"))[-1]
    assert pytest.approx(fresh.W, rel=1e-12) == fork.at(fork.last).state.W
    back = fork.fork(fork.last, base="perceptron").run()
    assert back.last > fork.last
    assert back.failures == []


def test_a_fork_with_a_row_moved_works_on_all_problems_again():
    run = Timeline(REST, wine.with_(scale=True).load()).run()
    far = edited(run.data, [Move(0, tuple(run.data.X[0] + 20.0))])
    fork = run.fork(run.last, data=far).run()
    assert fork.last > run.last
    assert fork.failures == []
    last = fork.at(fork.last).state
    assert BOUND.verdict(fork.problem, None, last, forked=True).status == "does not apply"
    table = REST.scene(fork.problem, None, last).panels[1].marks[0]
    assert {row[table.columns.index("R²/γ²")] for row in table.rows} == {None}


def test_an_arrow_that_is_dragged_changes_one_classifier():
    problem, states = run_of(PETALS.with_(scale=True).load(), epochs=3)
    stage = REST.scene(problem, states[3], states[4]).panels[0]
    grips = next(mark for mark in stage.marks if isinstance(mark, DragHandles))
    moved = grips.moved(states[4], 0, grips.at[0] + 0.5)
    others = np.arange(3) != states[4].worked
    assert same(moved.W[others], states[4].W[others])
    assert not moved.settled[states[4].worked]
    assert LENGTH.verdict(problem, states[3], moved).status == "holds"


# Its theorems


@pytest.mark.parametrize("parameters", [{}, {"base": "least squares"}, {"eta": 0.01}, {"bias": False}])
def test_they_hold_at_every_step(parameters):
    for recipe in (PETALS, blobs.with_(k=4, n=60), wine):
        problem, states = run_of(recipe.load(), **{"epochs": 3, **parameters})
        for theorem in REST.theorems:
            assert statuses(theorem, problem, states) <= {"holds", "does not apply", "undecided"}


def last_pass(data=None):
    """A step whose pass corrected rows and left rows alone."""
    problem, states = run_of(PETALS.load() if data is None else data, epochs=5)
    i = max(i for i, s in enumerate(states) if s.phase == "pass")
    return problem, states[i - 1], states[i]


def test_a_row_corrected_without_a_reason_and_a_mistake_passed_over_are_noticed():
    problem, before, after = last_pass()
    of, eta = against_rest(problem.data, True)[after.worked], 1.0
    assert CHOICE.verdict(problem, before, after).status == "holds"
    for row in (int(np.flatnonzero(after.corrected)[0]), int(np.flatnonzero(~after.corrected)[-1])):
        corrected = after.corrected.copy()
        corrected[row] = not corrected[row]
        w = before.W[after.worked] + eta * corrected @ of.z
        W = after.W.copy()
        W[after.worked] = w
        mistakes = after.mistakes + (1 if corrected[row] else -1)
        planted = replace(after, W=W, corrected=corrected, mistakes=mistakes)
        assert UPDATE.verdict(problem, before, planted).status == "holds"
        assert CHOICE.verdict(problem, before, planted).status == "fails"


def test_a_pass_that_steps_away_or_half_as_far_is_noticed():
    problem, before, after = last_pass()
    assert UPDATE.verdict(problem, before, after).status == "holds"
    for W in (2 * before.W - after.W, (before.W + after.W) / 2):
        assert UPDATE.verdict(problem, before, replace(after, W=W)).status == "fails"


def test_a_pass_that_also_moves_another_problem_is_noticed():
    problem, before, after = last_pass()
    W = after.W.copy()
    W[(after.worked + 1) % 3] += 1e-9
    assert OTHERS.verdict(problem, before, after).status == "holds"
    assert OTHERS.verdict(problem, before, replace(after, W=W)).status == "fails"


@pytest.mark.parametrize(("turns", "other"), [("in turn", "one after another"), ("one after another", "in turn")])
def test_a_problem_out_of_its_turn_is_noticed(turns, other):
    problem, states = run_of(PETALS.load(), turns=turns)
    assert set(statuses(TURN, problem, states)) == {"does not apply", "holds"}
    problem = REST.problem(PETALS.load(), None, {"turns": other})
    assert "fails" in statuses(TURN, problem, states)


def test_weights_that_are_not_the_solution_are_noticed():
    problem, states = run_of(PETALS.load(), base="least squares")
    for k, state in enumerate(states[1:]):
        assert SOLVED.verdict(problem, None, state).status == "holds"
        W = state.W.copy()
        W[k] *= 1 + 1e-6
        assert SOLVED.verdict(problem, None, replace(state, W=W)).status == "fails"
    assert SUMS.verdict(problem, None, states[2]).status == "does not apply"
    assert SUMS.verdict(problem, None, states[3]).status == "holds"
    assert SUMS.verdict(problem, None, replace(states[3], W=1.001 * states[3].W)).status == "fails"


def test_more_corrections_than_there_can_be_are_noticed():
    problem, states = run_of(wine.with_(scale=True).load())
    assert "holds" in statuses(BOUND, problem, states)
    far = replace(states[-1], mistakes=states[-1].mistakes + 10_000)
    assert BOUND.verdict(problem, states[-2], far).status == "fails"


def test_weights_longer_than_corrections_make_them_are_noticed():
    problem, before, after = last_pass()
    assert LENGTH.verdict(problem, before, replace(after, W=100 * after.W)).status == "fails"


def test_the_class_of_the_least_f_as_the_label_is_noticed(monkeypatch):
    problem, states = run_of(wine.with_(scale=True).load())
    assert REDUCTION.verdict(problem, None, states[-1]).status == "holds"
    monkeypatch.setattr(module, "predicted", lambda f: f.argmin(axis=1))
    fresh = Problem(problem.data, problem.parameters)
    assert REDUCTION.verdict(fresh, None, states[-1]).status == "fails"


# What is seen


def test_a_place_of_several_claims_is_striped_in_their_tones_and_one_of_none_is_not_tinted():
    data = PETALS.load()
    at = np.column_stack([np.linspace(1, 7, 400), np.full(400, 1.0)])
    both = claimed(data, lambda at: np.tile([True, False, True], (len(at), 1)))
    assert set(both.score(at).argmax(axis=1)) == {0, 2}
    one = claimed(data, lambda at: np.tile([False, True, False], (len(at), 1)))
    assert set(one.score(at).argmax(axis=1)) == {1}
    none = claimed(data, lambda at: np.zeros((len(at), 3), bool))
    assert {none.tones[k] for k in none.score(at).argmax(axis=1)} == {-1}


def test_a_slice_of_more_features_mixes_the_tones_and_is_held_against_the_rows():
    data = wine.load()
    region = claimed(data, lambda at: np.tile([True, True, False], (len(at), 1)))
    assert region.mixed
    assert region.check is data.X
    assert region.score(data.X[:2]).tolist() == [[0.5, 0.5, 0, 0]] * 2


@pytest.mark.parametrize(
    ("recipe", "title"),
    [(PETALS, "claims; striped: several; untinted: none"), (wine, "claims; mixed: several; grey: none")],
)
def test_the_title_says_how_claims_are_told_apart(recipe, title):
    problem, states = run_of(recipe.load(), epochs=1)
    assert REST.scene(problem, None, states[-1]).panels[0].title == title


def test_the_stage_shows_every_boundary_and_the_arrow_in_hand():
    problem, states = run_of(PETALS.load(), epochs=3)
    marks = REST.scene(problem, states[4], states[5]).panels[0].marks
    assert [mark.tone for mark in marks if isinstance(mark, Hyperplane)] == [0, 1, 2]
    assert any(isinstance(mark, Arrow) for mark in marks)


def test_a_clean_pass_draws_one_arrow_not_two_in_one_place():
    problem, states = run_of(PETALS.with_(scale=True).load())
    i = next(i for i, state in enumerate(states) if state.phase == "clean")
    arrows = [m.name for m in REST.scene(problem, states[i - 1], states[i]).panels[0].marks if isinstance(m, Arrow)]
    assert arrows == ["w"]


def test_it_explains_its_steps():
    problem, states = run_of(PETALS.with_(scale=True).load())
    words = [REST.explain(problem, b, s) for b, s in zip([None, *states], states)]
    assert (
        words[0] == "3 problems of 150 rows each: every class against the rest. All w = 0, and nobody claims anything."
    )
    assert words[1] == (
        "setosa (50 rows) against the rest (100): pass 1 corrects 3 mistakes, 3 so far. "
        "50 of 150 rows are labelled wrong by the greatest w·x: 50 of virginica as versicolor. "
        "setosa claims 50 of its 50; 100 rows without a claim, 0 with several."
    )


def test_a_class_claims_so_many_of_its_own_rows():
    problem, states = run_of(PETALS.with_(scale=True).load())
    panels = REST.scene(problem, states[0], states[1]).panels
    table = next(panel for panel in panels if panel.title == "problems").marks[0]
    column = table.columns.index("claimed")
    assert [row[column] for row in table.rows] == ["50 of 50", "0 of 50", "0 of 50"]


def test_a_problem_that_is_called_done_too_soon_is_noticed():
    problem, before, after = last_pass()
    worked = np.arange(len(after.settled)) == after.worked
    assert DONE.verdict(problem, before, after).status == "does not apply"
    assert DONE.verdict(problem, before, after).why == "the problem in hand is not done yet"
    assert DONE.verdict(problem, before, replace(after, settled=after.settled | worked)).status == "fails"


def test_mistakes_that_are_not_counted_are_noticed():
    problem, before, after = last_pass()
    for mistakes in (before.mistakes, 2 * after.mistakes - before.mistakes):
        assert UPDATE.verdict(problem, before, replace(after, mistakes=mistakes)).status == "fails"


def test_solved_weights_are_not_called_solved_for_other_rows_or_once_they_are_dragged():
    run = Timeline(REST, PETALS.load(), {"base": "least squares"}).run()
    for t in range(1, run.last + 1):
        frame = run.at(t)
        moved = run.fork(t, data=edited(run.data, [Move(0, (7.0, 0.2))])).run()
        stage = REST.scene(run.problem, frame.before, frame.state).panels[0]
        grips = next(mark for mark in stage.marks if isinstance(mark, DragHandles))
        dragged = run.fork(t, state=grips.moved(frame.state, 0, grips.at[0] + 0.5)).run()
        for fork in (moved, dragged):
            assert fork.failures == []
            words = REST.explain(fork.problem, None, fork.at(t).state)
            assert "last to be worked on" in words
            assert "solved by" not in words


def test_one_class_is_refused_in_words():
    with pytest.raises(Refused, match="data has one \\(a\\). Name another target"):
        REST(Dataset([[1.0], [2.0]], [0, 0], classes=("a",)))


def test_beside_features_that_drown_it_no_constant_is_fitted():
    data = blobs.with_(k=3, n=24).load()
    for size in (1.0, 1e6, 1e11):
        problem, states = run_of(Dataset(size * data.X, data.y, classes=data.classes), base="least squares")
        assert SUMS.verdict(problem, None, states[-1]).status == "holds"
    problem, states = run_of(Dataset(1e40 * data.X, data.y, classes=data.classes), base="least squares")
    assert SUMS.verdict(problem, None, states[-1]).why.startswith("the constant 1 is lost beside features of")


def test_numbers_too_large_are_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        REST(Dataset([[1e60], [1.0]], [1, 0], classes=("a", "b")))


def test_a_pass_over_no_rows_is_clean():
    made = perceptron_pass(np.zeros((0, 3)), np.ones(3), 1.0)
    assert made.w.tolist() == [1, 1, 1]
    assert not made.corrected.any()


def test_it_says_by_what_a_row_with_two_claims_is_labelled_and_as_what():
    run = Timeline(REST, PETALS.with_(scale=True)).run()
    end = run.at(run.last)
    f, y = scores(run.problem, end.state), np.asarray(run.data.y)
    assert (f[y == 0, 0] > 0).all()  # setosa is claimed by its own class, and by another whose w·x is greater
    said = REST.explain(run.problem, end.before, end.state)
    assert said.point.endswith(" of 150 rows are labelled wrong by the greatest w·x: 50 of setosa as versicolor.")


def test_the_arrow_has_the_tone_of_the_class_whose_w_it_is():
    problem, states = run_of(PETALS.with_(scale=True).load())
    for before, after in zip(states[:6], states[1:7]):
        marks = REST.scene(problem, before, after).panels[0].marks
        (arrow,) = [m for m in marks if isinstance(m, Arrow) and m.name == "w"]
        assert arrow.tone == after.worked
