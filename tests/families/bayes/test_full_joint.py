"""The joint table: the lecture's cells, what it knows of its rows and not of others, and its theorems."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from algorithms import Add, Label, Move, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import breast_cancer, davis, emails, joint
from algorithms.families.bayes.full_joint import algorithm as file
from algorithms.families.bayes.full_joint.joint_table import JointTable, bits_of, cells_of
from algorithms.families.bayes.shared.generative import posterior
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_counted_in_another_cell_or_class_is_noticed",
    "update": "test_a_row_that_counts_twice_or_half_is_noticed",
}

JOINT = find("full_joint")
FEWER, FEWEST, LIKELIER, MARGINALS, EMPTY, COUNTED = JOINT.theorems
MAILS = emails.with_(seed=7, hold_out=0.3)
SMALL = Dataset([[1, 0], [1, 1], [0, 0], [1, 0]], [1, 1, 0, 0], classes=("ham", "spam"))


def run_of(data, **parameters):
    problem = JOINT.problem(data, None, parameters)
    return problem, list(JOINT.start(problem))


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


def last_values(run):
    return dict(zip([curve.name for curve in JOINT.curves], run.values(run.at(run.last))))


# The algorithm


def test_four_rows_by_hand():
    """Cells 10, 11, 00, 10: in 10 one of each class, so the table errs once, on the row of the second class."""
    problem, states = run_of(SMALL, order="cyclic")
    assert states[1].counts.tolist() == [[0, 0, 0, 0], [0, 0, 1, 0]]
    last = states[-1]
    assert last.counts.tolist() == [[1, 0, 1, 0], [0, 0, 1, 1]]
    assert file.table(problem, last).chances().tolist() == [[0.25, 0, 0.25, 0], [0, 0, 0.25, 0.25]]
    assert file.table_wrong(problem, last).tolist() == [True, False, False, False]
    assert file.empty(problem, last) == 0.5


def test_cells_are_numbered_by_their_bits():
    assert cells_of(bits_of(3)).tolist() == list(range(8))
    assert bits_of(3)[5].tolist() == [1, 0, 1]


def test_the_lectures_tables():
    """Of the first each word's share is .84, .35, .64, and of 101 a half, where the product is .349; 15 numbers, 7."""
    data = joint.load()
    first, second = data.truth["tables"][1], data.truth["tables"][0]
    of = JointTable(np.stack([second, first]) * 100, 0.0)
    p = of.naive().p
    assert p[1] == pytest.approx([0.84, 0.35, 0.64])
    assert p[0] == pytest.approx([0.5, 0.5, 0.5])
    given = np.exp(of.naive().scores(bits_of(3))) / of.share[:, None]
    assert first[0b101] == 0.5
    assert given[1, 0b101] == pytest.approx(0.349, abs=5e-4)
    assert given[0] == pytest.approx(np.full(8, 1 / 8))
    run = Timeline(JOINT, joint).run()
    frame = run.at(run.last)
    rows = dict(JOINT.scene(run.problem, frame.before, frame.state).panels[1].marks[0].rows)
    assert (rows["numbers: the table"], rows["numbers: naive Bayes"]) == (15, 7)


@pytest.mark.parametrize("smoothing", [1e-6, 1.0])
@pytest.mark.parametrize("recipe", [MAILS, davis.with_(sample=80)], ids=lambda r: r.name)
def test_its_naive_bayes_is_that_of_scikit_learn(recipe, smoothing):
    problem, states = run_of(recipe.load(), smoothing=smoothing)
    X = file.rows_of(problem)
    theirs = BernoulliNB(alpha=smoothing, binarize=None).fit(X, problem.data.y)
    mine = posterior(file.naive(problem, states[-1]).scores(X))
    assert np.allclose(mine.T, theirs.predict_proba(X), rtol=1e-8, atol=1e-10)


def test_a_tree_grown_to_its_end_makes_as_many_errors():
    for recipe in (MAILS, breast_cancer.with_(sample=100)):
        problem, states = run_of(recipe.load(), features=6)
        X = file.rows_of(problem)
        tree = DecisionTreeClassifier(random_state=0).fit(X, problem.data.y)
        assert file.error(problem, states[-1]) == pytest.approx(1 - tree.score(X, problem.data.y))


# The lecture's point


def test_the_table_is_better_on_its_own_rows_and_worse_on_those_held_out():
    run = Timeline(JOINT, MAILS).run()
    values = last_values(run)
    assert values["training error"] < values["naive Bayes, training"]
    assert values["held-out error"] > 2 * values["naive Bayes, held out"]
    assert values["empty cells"] > 0.9
    assert values["off the truth"] > 2 * values["naive Bayes off it"]


def test_where_words_go_together_only_the_table_can_tell():
    values = last_values(Timeline(JOINT, joint.with_(n=400, hold_out=0.25)).run())
    assert values["held-out error"] < 0.05
    assert values["naive Bayes, held out"] > 0.2
    assert values["off the truth"] < 0.1
    assert values["naive Bayes off it"] > 0.4


# Its states


def test_rows_changed_half_way_are_counted_as_they_are():
    run = Timeline(JOINT, MAILS)
    run.advance(21)
    for edits in ([Move(3, (1.0,) * 8)], [Label(5, 1)], [Add((0.0,) * 8, 0)], [Remove(1), Remove(7)]):
        data = edited(run.data, edits)
        fork = run.fork(20, data=data)
        fork.advance(15)
        assert fork.failures == []
        end, _ = end_of(JOINT.start(fork.problem, fork.at(fork.last).state))
        assert end.counts.tolist() == run_of(data)[1][-1].counts.tolist()


def test_a_fork_with_another_threshold_or_order_is_as_if_it_had_always_been():
    run = Timeline(JOINT, davis.with_(sample=60)).run()
    for changed in ({"threshold": "middle"}, {"order": "cyclic"}, {"seed": 5}):
        fork = run.fork(30, **changed)
        assert same(fork.at(30).state.counts, run_of(run.data, **changed)[1][30].counts)


# Its theorems


@pytest.mark.parametrize("smoothing", [0.0, 1.0, 100.0])
@pytest.mark.parametrize("features", [1, 5, 10])
def test_they_hold_at_every_step(features, smoothing):
    problem, states = run_of(breast_cancer.with_(sample=40).load(), features=features, smoothing=smoothing)
    for theorem in JOINT.theorems:
        assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}
    why = FEWEST.verdict(problem, None, states[-1]).why
    assert why == ("" if not smoothing else f"s = {smoothing:g} is added to every cell")


def test_a_row_counted_in_another_cell_or_class_is_noticed():
    problem, states = run_of(MAILS.load())
    before, after = states[40:42]
    moved = after.counts - before.counts
    other_class, other_cell = before.counts + moved[::-1], before.counts + np.roll(moved, 1, axis=1)
    for counts in (other_class, other_cell):
        planted = replace(after, counts=counts)
        for theorem in (LIKELIER, MARGINALS, COUNTED):
            assert theorem.verdict(problem, before, planted).status == "fails"
    assert FEWEST.verdict(problem, before, replace(after, counts=after.counts[::-1])).status == "fails"
    assert FEWER.verdict(problem, before, replace(after, counts=np.roll(after.counts, 1, axis=1))).status == "holds"
    assert EMPTY.verdict(problem, before, replace(after, counts=after.counts + 1)).status == "fails"


def test_a_row_that_counts_twice_or_half_is_noticed():
    problem, states = run_of(MAILS.load())
    before, after = states[40:42]
    for share in (2.0, 0.5, 0.0):
        planted = replace(after, counts=before.counts + share * (after.counts - before.counts))
        for theorem in (LIKELIER, MARGINALS, COUNTED):
            assert theorem.verdict(problem, before, planted).status == "fails"


def test_a_table_that_says_the_rarer_class_errs_more_than_naive_bayes():
    problem, states = run_of(joint.load())
    turned = replace(states[-1], counts=states[-1].counts.copy())
    cell = int(turned.counts[0].argmax())
    counts = turned.counts.copy()
    counts[:, cell] = counts[::-1, cell]
    assert FEWEST.verdict(problem, None, replace(turned, counts=counts)).status == "fails"


# What a person reads


def test_words_name_the_cell_and_what_was_there():
    run = Timeline(JOINT, MAILS).run()
    assert "511 numbers, naive Bayes 17" in JOINT.explain(run.problem, None, run.at(0).state)
    words = [JOINT.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(1, 40)]
    assert any("where no row was: the table knew nothing of it, naive Bayes gave its class P = " in w for w in words)
    assert any("of its class and" in w for w in words)


def test_of_which_rows_errors_are_is_said():
    """The theorems count on the rows counted so far, on which the table may be better though it errs more on all."""
    problem, states = run_of(MAILS.load())
    sides = FEWER.verdict(problem, None, states[7]).sides
    values = {curve.name: curve.value(problem, states[7]) for curve in JOINT.curves}
    assert sides.values[0] <= sides.values[1]
    assert values["training error"] > values["naive Bayes, training"]
    assert sides.names == ("table, counted rows", "naive Bayes, same rows")
    assert FEWEST.verdict(problem, None, states[7]).sides.names[1] == "table, counted rows"
    last = JOINT.scene(problem, states[-2], states[-1]).panels[0]
    assert last.axes[1] == "rows, email below 0"


def test_it_says_that_neither_is_smoothed():
    """On these emails naive Bayes by itself, which smooths, errs less than it does beside the table."""
    run = Timeline(find("full_joint"), find("full_joint").datasets[0])
    run.advance(1)
    words = run.algorithm.explain(run.problem, None, run.at(0).state)
    assert "s = 0 adds nothing to the counts of either." in words
