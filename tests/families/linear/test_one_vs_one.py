"""One against one: by hand, against scikit-learn, the votes counted one by one, and its theorems broken."""

from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import Perceptron
from sklearn.multiclass import OneVsOneClassifier

import algorithms.families.linear.one_vs_one.algorithm as module
from algorithms import Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, DragHandles, Hyperplane, Labels, Problem
from algorithms.core.state import same
from algorithms.data import blobs, digits, iris, wine
from algorithms.families.linear.one_vs_one import ballots
from algorithms.families.linear.shared.base_problems import of_pairs

WRONG = {
    "choice": "test_a_row_corrected_without_a_reason_and_a_mistake_passed_over_are_noticed",
    "update": "test_a_pass_that_steps_away_or_half_as_far_is_noticed",
}
PLANTED = {
    "rows labelled wrong <= errors of all problems": "test_the_class_with_fewest_votes_as_the_label_is_noticed",
    "circles of three = K(K - 1)(2K - 1)/12 - ½ Σ votes²": "test_votes_given_to_the_loser_of_a_pair_are_noticed",
}
SILENT = {  # in the run that opens, and why
    "solved: Σ(1 - y w·x) y x = 0": "the base is the perceptron, which solves nothing",
}

PAIRS = find("one_vs_one")
REDUCTION, CIRCLES, BOUND, LENGTH, CHOICE, UPDATE, DONE, SOLVED, OTHERS, TURN = PAIRS.theorems
PETALS = iris.with_(columns=("petal_length_cm", "petal_width_cm"))
# a beats b beats c beats a about the origin: three half-planes, each turned by a third
TURNED = np.array([[np.cos(t), np.sin(t), 1.0] for t in (0.0, -2 * np.pi / 3, 2 * np.pi / 3)])


def run_of(data, **parameters):
    problem = PAIRS.problem(data, None, parameters)
    return problem, list(PAIRS.start(problem))


def statuses(theorem, problem, states):
    return {theorem.verdict(problem, b, s).status for b, s in zip([None, *states], states)}


def circling():
    """A state whose pairs vote in a circle about the origin: f_ab, f_ac, f_bc."""
    data = blobs.with_(k=3, n=60).load()
    problem, states = run_of(data, epochs=1)
    ab, bc, ca = TURNED
    return problem, replace(states[-1], W=np.stack([ab, -ca, bc]))


# The algorithm


def test_a_pass_by_hand():
    """Rows -2, 0, 2 of a, b, c: a or b adds (-2, 1), then takes (0, 1) off; a or c adds (-2, 1) and is right at 2."""
    data = Dataset([[-2.0], [0.0], [2.0]], [0, 1, 2], classes=("a", "b", "c"))
    _, states = run_of(data, epochs=1)
    assert states[-1].W.tolist() == [[-2, 0], [-2, 1], [-2, 0]]
    assert states[-1].mistakes.tolist() == [2, 1, 2]


@pytest.mark.parametrize(("recipe", "problems"), [(iris, 3), (digits, 45)])
def test_it_is_a_problem_a_pair_of_the_rows_of_two_classes(recipe, problems):
    data = recipe.load()
    made = of_pairs(data, True)
    k = len(data.classes)
    assert len(made) == problems == k * (k - 1) // 2
    assert {len(p.rows) for p in made} == {2 * data.n // k}
    assert sum(len(p.rows) for p in made) == data.n * (k - 1)


def test_the_perceptron_on_petals_goes_in_a_circle_on_about_3_percent_of_the_plane():
    problem, states = run_of(PETALS.load())
    assert module.circle_of_plane(problem, states[-1]) == pytest.approx(0.032, abs=0.004)
    words = PAIRS.explain(problem, states[-2], states[-1])
    assert words.endswith("setosa beats virginica, which beats versicolor, which beats setosa.")


def test_least_squares_of_a_pair_is_the_closed_form():
    data = wine.with_(scale=True).load()
    _, states = run_of(data, base="least squares")
    for of, w in zip(of_pairs(data, True), states[-1].W):
        X = np.column_stack([data.X[of.rows], np.ones(len(of.rows))])
        assert w == pytest.approx(np.linalg.solve(X.T @ X, X.T @ of.signs), rel=1e-8, abs=1e-9)


def test_scikit_learn_comes_to_the_same_weights_and_labels():
    data = wine.with_(scale=True).load()
    base = Perceptron(shuffle=False, tol=None, max_iter=4)
    theirs = OneVsOneClassifier(base).fit(data.X, data.y)
    problem, states = run_of(data, epochs=4)
    for w, model in zip(states[-1].W, theirs.estimators_):  # its positive class is the second of a pair
        assert -w == pytest.approx(np.append(model.coef_[0], model.intercept_), rel=1e-9, abs=1e-9)
    alone = ~module.tied(module.votes(problem, states[-1]))
    assert (module.predicted(module.votes(problem, states[-1]))[alone] == theirs.predict(data.X)[alone]).all()


def test_any_order_gives_the_same_classifiers_bit_for_bit():
    data = blobs.with_(k=5, n=80).load()
    ends = [run_of(data, turns=turns, epochs=7)[1][-1] for turns in ("in turn", "one after another")]
    assert same(ends[0].W, ends[1].W)


# Its states


def test_a_fork_with_a_class_of_one_row_goes_on():
    run = Timeline(PAIRS, PETALS.load())
    run.advance(20)
    fork = run.fork(19, data=edited(run.data, [Remove(0)] * 49)).run()
    assert fork.data.n == 101
    assert fork.failures == []
    assert fork.troubles == ()


def test_a_fork_to_least_squares_half_way_solves_every_pair():
    run = Timeline(PAIRS, PETALS.load()).run()
    fork = run.fork(20, base="least squares").run()
    assert fork.failures == []
    assert pytest.approx(list(PAIRS(PETALS.load(), base="least squares"))[-1].W) == fork.at(fork.last).state.W


# The votes


def test_votes_and_circles_are_those_counted_one_by_one():
    rng = np.random.default_rng(0)
    for k in (2, 3, 4, 6):
        scores = rng.normal(size=(50, k * (k - 1) // 2))
        beaten, votes = ballots.wins(scores, k), ballots.votes_of(scores, k)
        for i in range(50):
            ahead = {(a, b) if s > 0 else (b, a) for (a, b), s in zip(combinations(range(k), 2), scores[i])}
            assert {(a, b) for a in range(k) for b in range(k) if beaten[i, a, b]} == ahead
            assert votes[i].tolist() == [sum(w == a for w, _ in ahead) for a in range(k)]
            by_hand = sum(
                {(a, b), (b, c), (c, a)} <= ahead or {(b, a), (c, b), (a, c)} <= ahead
                for a, b, c in combinations(range(k), 3)
            )
            assert ballots.circles_by_votes(votes)[i] == by_hand
            assert ballots.circles_counted(beaten)[i] == pytest.approx(by_hand)
            assert (ballots.a_circle(beaten[i]) is not None) == (by_hand > 0)
            assert ballots.in_circle(votes, np.ones(50, bool))[i] == (by_hand > 0)


def test_a_pair_that_says_nothing_gives_no_vote():
    assert ballots.votes_of(np.zeros((1, 3)), 3).tolist() == [[0, 0, 0]]
    assert not module.most_voted(np.zeros((1, 3), int)).any()
    assert not ballots.in_circle(np.zeros((1, 3), int), np.array([False])).any()


def test_a_circle_is_marked_on_the_stage_and_its_votes_are_listed():
    problem, state = circling()
    panels = PAIRS.scene(problem, None, state).panels
    mark = next(mark for mark in panels[0].marks if isinstance(mark, Labels))
    f = module.fitted(problem, mark.at, state.W)
    assert ballots.a_circle(ballots.wins(f, 3)[0]) == (0, 1, 2)
    ballot = next(panel for panel in panels if panel.title == "votes at the circle").marks[0]
    assert {(row[0], row[1]) for row in ballot.rows} == {("a", "b"), ("b", "c"), ("c", "a")}
    assert "a beats b, which beats c, which beats a." in PAIRS.explain(problem, None, state)


def test_a_tie_is_striped():
    problem, state = circling()
    region = PAIRS.scene(problem, None, state).panels[0].marks[0]
    middle = np.column_stack([np.linspace(-0.5, 0.5, 300)] * 2)
    assert len(set(region.score(middle).argmax(axis=1))) > 1


# Its theorems


@pytest.mark.parametrize("parameters", [{}, {"base": "least squares"}, {"eta": 0.01}, {"bias": False}])
def test_they_hold_at_every_step(parameters):
    for recipe in (PETALS, blobs.with_(k=5, n=80), wine):
        problem, states = run_of(recipe.load(), **{"epochs": 3, **parameters})
        for theorem in PAIRS.theorems:
            assert statuses(theorem, problem, states) <= {"holds", "does not apply", "undecided"}


def last_pass():
    problem, states = run_of(PETALS.load(), epochs=5)
    i = max(i for i, s in enumerate(states) if s.phase == "pass")
    return problem, states[i - 1], states[i]


def test_a_row_corrected_without_a_reason_and_a_mistake_passed_over_are_noticed():
    problem, before, after = last_pass()
    of = of_pairs(problem.data, True)[after.worked]
    assert CHOICE.verdict(problem, before, after).status == "holds"
    mine = after.corrected[of.rows]
    for i in (int(np.flatnonzero(mine)[0]), int(np.flatnonzero(~mine)[-1])):
        corrected, W = after.corrected.copy(), after.W.copy()
        corrected[of.rows[i]] = not corrected[of.rows[i]]
        W[after.worked] = before.W[after.worked] + corrected[of.rows] @ of.z
        mistakes = after.mistakes + (1 if corrected[of.rows[i]] else -1)
        planted = replace(after, W=W, corrected=corrected, mistakes=mistakes)
        assert UPDATE.verdict(problem, before, planted).status == "holds"
        assert CHOICE.verdict(problem, before, planted).status == "fails"


def test_a_pass_that_steps_away_or_half_as_far_is_noticed():
    problem, before, after = last_pass()
    for W in (2 * before.W - after.W, (before.W + after.W) / 2):
        assert UPDATE.verdict(problem, before, replace(after, W=W)).status == "fails"


@pytest.mark.parametrize(("turns", "other"), [("in turn", "one after another"), ("one after another", "in turn")])
def test_a_problem_out_of_its_turn_is_noticed(turns, other):
    problem, states = run_of(PETALS.load(), turns=turns)
    assert set(statuses(TURN, problem, states)) == {"does not apply", "holds"}
    problem = PAIRS.problem(PETALS.load(), None, {"turns": other})
    assert "fails" in statuses(TURN, problem, states)


def test_weights_that_are_not_the_solution_or_of_another_pair_are_noticed():
    problem, states = run_of(PETALS.load(), base="least squares")
    for before, after in zip(states, states[1:]):
        assert SOLVED.verdict(problem, before, after).status == "holds"
        assert SOLVED.verdict(problem, before, replace(after, W=1.000001 * after.W)).status == "fails"
        other = after.W.copy()
        other[after.worked - 1] += 1e-9
        assert OTHERS.verdict(problem, before, replace(after, W=other)).status == "fails"


def test_more_corrections_than_there_can_be_are_noticed():
    problem, states = run_of(wine.with_(scale=True).load())
    assert "holds" in statuses(BOUND, problem, states)
    far = replace(states[-1], mistakes=states[-1].mistakes + 10_000)
    assert BOUND.verdict(problem, states[-2], far).status == "fails"
    assert LENGTH.verdict(problem, None, replace(states[-1], W=100 * states[-1].W)).status == "fails"


def test_the_class_with_fewest_votes_as_the_label_is_noticed(monkeypatch):
    problem, states = run_of(wine.with_(scale=True).load())
    assert REDUCTION.verdict(problem, None, states[-1]).status == "holds"
    monkeypatch.setattr(module, "predicted", lambda votes: votes.argmin(axis=1))
    assert REDUCTION.verdict(Problem(problem.data, problem.parameters), None, states[-1]).status == "fails"


def test_votes_given_to_the_loser_of_a_pair_are_noticed(monkeypatch):
    problem, state = circling()
    assert CIRCLES.verdict(problem, None, state).status == "holds"

    def loser_of_the_first(scores, k):
        return real(np.column_stack([-scores[:, :1], scores[:, 1:]]), k)

    real = ballots.votes_of
    monkeypatch.setattr(ballots, "votes_of", loser_of_the_first)
    assert CIRCLES.verdict(Problem(problem.data, problem.parameters), None, state).status == "fails"


def test_before_every_pair_votes_no_circle_is_claimed():
    problem, states = run_of(PETALS.load())
    assert CIRCLES.verdict(problem, None, states[1]).why == "2 pairs with w = 0 have no winner anywhere"
    assert CIRCLES.verdict(problem, None, states[3]).status == "holds"


def test_a_problem_that_is_called_done_too_soon_is_noticed():
    problem, before, after = last_pass()
    worked = np.arange(len(after.settled)) == after.worked
    assert DONE.verdict(problem, before, after).status == "does not apply"
    assert DONE.verdict(problem, before, replace(after, settled=after.settled | worked)).status == "fails"


def test_mistakes_that_are_not_counted_are_noticed():
    problem, before, after = last_pass()
    for mistakes in (before.mistakes, 2 * after.mistakes - before.mistakes):
        assert UPDATE.verdict(problem, before, replace(after, mistakes=mistakes)).status == "fails"


def test_solved_weights_are_not_called_solved_for_other_rows_or_once_they_are_dragged():
    run = Timeline(PAIRS, PETALS.load(), {"base": "least squares"}).run()
    for t in range(1, run.last + 1):
        frame = run.at(t)
        moved = run.fork(t, data=edited(run.data, [Move(0, (7.0, 0.2))])).run()
        stage = PAIRS.scene(run.problem, frame.before, frame.state).panels[0]
        grips = next(mark for mark in stage.marks if isinstance(mark, DragHandles))
        dragged = run.fork(t, state=grips.moved(frame.state, 0, grips.at[0] + 0.5)).run()
        for fork in (moved, dragged):
            assert fork.failures == []
            words = PAIRS.explain(fork.problem, None, fork.at(t).state)
            assert "last to be worked on" in words
            assert "solved by" not in words


def test_one_class_is_refused_in_words():
    with pytest.raises(Refused, match="data has one \\(a\\). Name another target"):
        PAIRS(Dataset([[1.0], [2.0]], [0, 0], classes=("a",)))


def test_a_pair_of_classes_without_rows_is_done_at_once():
    """Classes may all be held out: of five classes two have a row."""
    problem, states = run_of(Dataset([[0.0, 1.0], [1.0, 0.0]], [0, 1], classes=tuple("abcde")))
    for theorem in PAIRS.theorems:
        assert statuses(theorem, problem, states) <= {"holds", "does not apply"}
    assert PAIRS.scene(problem, states[-2], states[-1]).panels
    assert states[-1].settled.all()


def test_the_longest_row_is_that_of_the_pair_in_hand():
    problem, states = run_of(PETALS.load(), epochs=1)
    assert len({PAIRS.symbols["R"][1](problem, state) for state in states[1:]}) == 2


def test_numbers_too_large_are_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        PAIRS(Dataset([[1e60], [1.0]], [1, 0], classes=("a", "b")))


def test_the_border_of_the_pair_in_hand_is_named_and_no_other():
    problem, states = run_of(PETALS.with_(scale=True).load())
    marks = PAIRS.scene(problem, states[4], states[5]).panels[0].marks
    named = {(m.name, m.tone) for m in marks if isinstance(m, Hyperplane)}
    assert named == {("this pair's border", "accent"), ("", "muted")}
