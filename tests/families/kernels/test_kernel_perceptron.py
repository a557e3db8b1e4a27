"""The kernel perceptron: by hand, against the perceptron on mapped data, and its theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import blobs, circle, iris, rings, wine, xor
from algorithms.families.kernels.kernel_perceptron.algorithm import (
    beside,
    f_of,
    fresh_scores,
    gram_of,
    most_mistakes,
    norm,
    separation,
)
from algorithms.toolbox.explicit_features import monomials
from algorithms.toolbox.kernels import kernel_in_use

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_that_was_right_and_is_counted_is_noticed_and_so_is_a_mistake_passed_over",
    "update": "test_a_count_that_f_does_not_follow_is_noticed",
}
PLANTED = {  # what no small change of a state breaks, and the fault that does
    "mistakes m <= R²/γ² in the space of the kernel": "test_more_mistakes_than_there_can_be_are_noticed",
}

PERCEPTRON = find("kernel_perceptron")
PLAIN = find("perceptron")
BOUND, PROOF, SAME, REPRESENTER, KEPT, CHOICE, RAISED = PERCEPTRON.theorems
LECTURE = Dataset([[0.0, 1.0], [0.0, -1.0], [-1.0, 0.5]], [1, 1, 0], classes=("-", "+"))
RINGS = rings.with_(n=50)


def run_of(data, **parameters):
    problem = PERCEPTRON.problem(data, None, parameters)
    return problem, list(PERCEPTRON.start(problem))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


# The algorithm


def test_the_lecture_by_hand():
    """x·z of the three points: row 0 is a mistake from f = 0, row 1 then (f = -1), row 2 from 0 again."""
    _, states = run_of(LECTURE, kernel="linear", epochs=2)
    assert [s.phase for s in states] == ["start", "mistake", "mistake", "mistake", "mistake", "mistake", "correct"]
    assert [s.counts.tolist() for s in states[:6]] == [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 1],
        [2, 1, 1],
        [2, 2, 1],
    ]
    assert states[3].scores.tolist() == [-0.5, 0.5, -1.25]  # w = (1, -½)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("recipe", [blobs.with_(n=40), iris.with_(positive="setosa")], ids=["blobs", "iris"])
def test_with_the_linear_kernel_it_is_the_perceptron(recipe, bias):
    data = recipe.load()
    _, states = run_of(data, kernel="linear", bias=bias, epochs=5)
    plain = list(PLAIN(data, bias=bias, epochs=5))
    assert [(s.phase, s.row, s.clean) for s in states] == [(s.phase, s.row, s.clean) for s in plain]
    X = np.column_stack([data.X, np.ones(data.n)]) if bias else data.X
    w = (states[-1].counts * data.signs) @ X
    assert w == pytest.approx(plain[-1].w, abs=1e-9)


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_with_a_polynomial_kernel_it_is_the_perceptron_on_the_mapped_rows(order):
    data = RINGS.load()
    problem, states = run_of(data, kernel="polynomial", degree=3, order=order, seed=3)
    mapped = Dataset(monomials(kernel_in_use(problem), data.X), data.y, classes=data.classes)
    plain = list(PLAIN(mapped, bias=False, order=order, seed=3))
    assert [(s.phase, s.row) for s in states] == [(s.phase, s.row) for s in plain]
    assert beside(problem).rows.tolist() == [s.row for s in plain if s.phase == "mistake"]


def test_rings_and_xor_are_solved_where_no_line_can():
    for data in (RINGS.load(), xor.load(), circle.load()):
        problem, states = run_of(data)
        assert states[-1].clean == data.n
        assert (data.signs * f_of(problem, states[-1])(data.X) > 0).all()
        assert not np.isfinite(most_mistakes(PERCEPTRON.problem(data, None, {"kernel": "linear"})))


def test_an_rbf_kernel_separates_any_different_rows():
    problem, states = run_of(iris.with_(positive="versicolor", sample=60).load(), kernel="rbf", order="shuffled")
    assert separation(problem).direction is not None
    assert states[-1].clean == 60
    assert states[-1].counts.sum() <= most_mistakes(problem)


# Its states


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_it_goes_on_from_any_state_bit_for_bit(order):
    states = list(PERCEPTRON(RINGS.load(), order=order))
    for k in range(0, len(states), 17):
        rest = list(PERCEPTRON(RINGS.load(), state=pickle.loads(pickle.dumps(states[k])), order=order))
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :], strict=True))


@pytest.mark.parametrize(
    "changes", [{"kernel": "rbf"}, {"degree": 4}, {"bias": True}, {"order": "shuffled"}, {"constant": 0.5}]
)
def test_a_fork_keeps_the_counts_and_ends_with_a_clean_pass(changes):
    run = Timeline(PERCEPTRON, RINGS)
    run.advance(31)
    fork = run.fork(30, **changes).run()
    assert fork.failures == []
    begin = fork.at(30).state
    assert same(begin.counts, run.at(30).state.counts)
    assert begin.scores == pytest.approx(fresh_scores(fork.problem, begin.counts))
    assert fork.at(fork.last).state.clean == 50
    problem, last = fork.problem, fork.at(fork.last)
    assert "most there can be" not in {
        row[0] for row in PERCEPTRON.scene(problem, last.before, last.state).panels[3].marks[0].rows if row[1]
    }


@pytest.mark.parametrize("edit", [Move(3, (0.2, 0.1)), Label(3, 0), Remove(3), Add((0.1, 0.1), 1)])
def test_rows_keep_their_counts_when_others_are_edited(edit):
    run = Timeline(PERCEPTRON, RINGS, {"epochs": 5})
    run.advance(41)
    fork = run.fork(40, data=edited(run.data, [edit]))
    fork.advance(60)
    assert fork.failures == []
    begin = fork.at(40).state
    assert begin.counts[0] == run.at(40).state.counts[0]
    assert begin.scores == pytest.approx(fresh_scores(fork.problem, begin.counts))


# Its theorems


@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf"])
def test_every_theorem_holds_at_every_step(kernel):
    for recipe in (RINGS, wine.with_(positive="cultivar_2", scale=True, sample=40)):
        assert Timeline(PERCEPTRON, recipe, {"kernel": kernel, "epochs": 2}).run().failures == []


def test_a_row_that_was_right_and_is_counted_is_noticed_and_so_is_a_mistake_passed_over():
    problem, states = run_of(RINGS.load())
    pairs = list(zip(states, states[1:]))
    before, after = next(pair for pair in pairs if pair[1].phase == "correct")
    i = after.row
    counts = before.counts.copy()
    counts[i] += 1
    scores = before.scores + problem.data.signs[i] * gram_of(problem)[i]
    assert status(CHOICE, problem, before, replace(after, phase="mistake", counts=counts, scores=scores)) == "fails"
    assert status(SAME, problem, before, replace(after, phase="mistake", counts=counts, scores=scores)) == "fails"
    before, after = next(pair for pair in pairs[1:] if pair[1].phase == "mistake")
    passed_over = replace(after, phase="correct", counts=before.counts, scores=before.scores)
    assert status(CHOICE, problem, before, passed_over) == "fails"


def test_a_count_that_f_does_not_follow_is_noticed():
    problem, states = run_of(RINGS.load())
    before, after = next(pair for pair in list(zip(states, states[1:]))[1:] if pair[1].phase == "mistake")
    away = replace(after, scores=2 * before.scores - after.scores)  # away from the row
    for theorem in (KEPT, REPRESENTER, RAISED):
        assert status(theorem, problem, before, after) == "holds"
        assert status(theorem, problem, before, away) == "fails"


def test_more_mistakes_than_there_can_be_are_noticed():
    problem, states = run_of(RINGS.load())
    often = replace(states[-1], counts=states[-1].counts + most_mistakes(problem))
    assert status(BOUND, problem, None, often) == "fails"
    longer = replace(states[-1], scores=100 * states[-1].scores)
    assert norm(problem, longer) == pytest.approx(10 * norm(problem, states[-1]))
    assert status(PROOF, problem, None, longer) == "fails"


def test_a_margin_that_rounding_hides_is_undecided_and_not_denied():
    """The Gram matrix of an RBF kernel as wide as this is all ones but for rounding; its rows are all different."""
    problem, states = run_of(RINGS.load(), kernel="rbf", gamma=1e-7, epochs=1)
    assert status(BOUND, problem, None, states[-1]) == "undecided"
    problem, states = run_of(RINGS.load(), kernel="linear", epochs=1)
    assert status(BOUND, problem, None, states[-1]) == "does not apply"


def test_what_hangs_on_rounding_is_undecided():
    """The three points without a bias: after two mistakes w = 0 again, so f = 0 for every row."""
    problem, states = run_of(LECTURE, kernel="linear", epochs=2)
    assert status(SAME, problem, None, states[2]) == "holds"
    assert status(SAME, problem, None, states[3]) == "undecided"


def test_where_a_fork_begins_no_row_is_said_to_be_right_that_was_so_on_other_terms():
    run = Timeline(PERCEPTRON, rings.with_(n=50)).run()
    t = next(t for t in range(5, run.last) if run.kind(t).phase == "correct")
    row = run.at(t).state.row
    fork = run.fork(t, data=edited(run.data, [Label(row, 1 - int(run.data.y[row]))]))
    words = PERCEPTRON.explain(fork.problem, None, fork.at(t).state)
    assert "right" not in words
    assert "The rows keep their counts: with these f = " in words


# Words and limits


def test_it_explains_its_steps():
    run = Timeline(PERCEPTRON, RINGS).run()
    frames = [run.at(t) for t in range(12)]
    say = [PERCEPTRON.explain(run.problem, frame.before, frame.state) for frame in frames]
    assert say[0].startswith("c = 0 makes f = 0")
    assert "its mistake number 1" in say[1]
    assert any("rows right in turn" in text for text in say)


@pytest.mark.parametrize("size", [1e-160, 1e140])
@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf"])
def test_numbers_that_are_out_of_range_are_refused_in_words(size, kernel):
    with pytest.raises(Refused, match="out of range"):
        PERCEPTRON(Dataset([[size], [2 * size]], [0, 1], classes=("a", "b")), kernel=kernel)


def test_too_many_rows_are_refused_in_words():
    many = Dataset(np.arange(2000.0)[:, None], np.arange(2000) % 2, classes=("a", "b"))
    with pytest.raises(Refused, match="take a sample of 1,500"):
        PERCEPTRON(many)
