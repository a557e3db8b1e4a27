"""The decision tree: worked by hand, its ends, forks, theorems broken on purpose, and what is shown."""

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms import Add, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import badges, iris, iris_ratios, moons
from algorithms.families.trees.decision_tree import algorithm as module, theorems as statements
from algorithms.families.trees.decision_tree.algorithm import CLOSED, NOTHING, UNSEEN, total_of, tree_of
from algorithms.toolbox import trees
from algorithms.toolbox.questions import survey
from algorithms.toolbox.trees import (
    LEAF,
    counts_at_nodes,
    falls_at_nodes,
    sums_by_splits,
)
from tests.families.trees.grown import TREE, gains_one_by_one, leaf_of, made, splits_of, states_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_tree_that_asks_the_last_question_is_noticed",
    "update": "test_a_tree_that_sends_the_rows_to_the_other_child_is_noticed",
}

NEVER_RISES, NO_NEGATIVE_GAIN, GAINS_MOST, BEST_LEAF, FALLS_BY_GAIN, PARTITION, BETWEEN, *OF_PRUNING = TREE.theorems
OF_GROWING = {theorem.statement for theorem in TREE.theorems} - {theorem.statement for theorem in OF_PRUNING}
PLANTED = {  # true of any counts
    BETWEEN.statement: "test_an_error_that_is_no_majoritys_breaks_its_bounds",
}
SILENT = {  # in the run that opens, and why
    "pruning: the error on the pruning rows never rises": "this tree is not pruned",
    "pruning: no better pruned tree is lost": "this tree is not pruned",
    "pruning: the subtrees are nested": "this tree is not pruned",
    "pruning: the weakest link α never falls": "this tree is not pruned",
    "pruning: impurity + α leaves is the least of all pruned trees": "this tree is not pruned",
}
XOR = Dataset([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0], classes=("same", "different"))


def reason(data, **parameters):
    return Timeline(TREE, data, parameters).run().stopped.reason


# By hand


def test_two_classes_on_a_line_by_hand():
    """Five rows a a b a b. Between 1 and 2: 2 pure rows, and b a b with entropy 0.918 to the right."""
    data = Dataset([[0.0], [1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 0, 1], classes=("a", "b"))
    states = states_of(data)
    assert [s.phase for s in states] == ["start", "look", "split", "look", "split", "look", "split"]
    assert [s.iteration for s in states] == [0, 1, 1, 2, 2, 3, 3]
    start, look, split, *_ = states
    assert start.counts.tolist() == [[3, 2]]
    assert (start.feature[0], look.feature[0], look.threshold[0]) == (UNSEEN, 0, 1.5)
    right = -(2 / 3) * np.log2(2 / 3) - (1 / 3) * np.log2(1 / 3)
    root = -0.6 * np.log2(0.6) - 0.4 * np.log2(0.4)
    assert look.gain[0] == pytest.approx(root - 0.6 * right)
    assert split.left.tolist() == [1, LEAF, LEAF]
    assert split.counts.tolist() == [[3, 2], [2, 0], [1, 2]]
    assert split.feature.tolist() == [0, CLOSED, UNSEEN]
    last = states[-1]
    assert last.threshold[last.left != LEAF].tolist() == [1.5, 2.5, 3.5]  # 2.5 and 3.5 gain the same
    assert reason(data) == "every leaf is pure"


def test_an_exclusive_or_gains_nothing_at_first_and_is_solved():
    first, *_, last = splits_of(states_of(XOR))
    assert first.gain[0] == 0
    assert last.counts[last.left == LEAF].max(axis=1).tolist() == [1, 1, 1, 1]
    assert reason(XOR) == "every leaf is pure"
    assert reason(XOR, min_gain=1e-6) == "no split gains 1e-06; the best gains 0"


def test_the_badges_game_is_one_question():
    """What decides the sign is the second letter of the name."""
    data = badges.load()
    states = states_of(data)
    assert [s.phase for s in states] == ["start", "look", "split"]
    assert data.features[states[-1].feature[0]] == "second_is_vowel"
    assert states[-1].counts[1:].tolist() == [[14, 0], [0, 22]]


# Where it stops


def test_it_stops_at_each_of_its_limits():
    data = made(n=300)
    assert reason(data, max_leaves=5) == "5 leaves"
    assert len(states_of(data, max_leaves=5)[-1].left) == 9
    deep = states_of(data, max_depth=2, max_leaves=100)[-1]
    assert len(deep.left) == 7
    assert "of 4 leaves are mixed, and cannot be split" in reason(data, max_depth=2, max_leaves=100)
    small = states_of(data, min_leaf=30, max_leaves=100)[-1]
    assert small.counts[small.left == LEAF].sum(axis=1).min() >= 30
    gainful = states_of(data, min_gain=0.02, max_leaves=100)
    assert min(s.gain[s.node] for s in splits_of(gainful)) >= 0.02
    assert reason(data, min_gain=0.02, max_leaves=100).startswith("no split gains 0.02; the best gains 0.01")


def test_rows_that_are_alike_cannot_be_parted():
    data = Dataset(np.ones((6, 2)), [0, 1, 0, 1, 0, 1], classes=("a", "b"))
    states = states_of(data)
    assert [s.phase for s in states] == ["start", "look"]
    assert states[-1].feature.tolist() == [NOTHING]
    assert reason(data) == "the one leaf is mixed, and cannot be split: too deep, too small, or of rows alike"
    said = TREE.explain(TREE.problem(data), states[0], states[1])
    assert said == "Leaf 0 holds 6 rows, 3 a, 3 b: no question parts them as it should, so it stays a leaf."


def test_too_few_rows_for_the_leaf_size_stay_in_one_leaf():
    assert [s.phase for s in states_of(XOR, min_leaf=3)] == ["start"]


def test_a_smaller_tree_is_the_beginning_of_a_larger_one():
    data = made(n=300)
    small, large = states_of(data, max_leaves=5), states_of(data, max_leaves=30)
    assert all(same(a, b) for a, b in zip(small, large))


def test_errors_of_every_size_come_from_the_last_tree():
    data = made(n=300)
    problem, states = TREE.problem(data), states_of(data)
    training = next(curve.measure for curve in TREE.curves if curve.name == "training error")
    last = states[-1]
    wrong = sums_by_splits(last.left, last.counts.sum(axis=1) - last.counts.max(axis=1)) / data.n
    assert wrong == pytest.approx([training(problem, s) for s in [states[0], *splits_of(states)]], abs=1e-12)


# Its states


def test_a_tree_that_has_ended_goes_on_when_it_may_be_deeper():
    run = Timeline(TREE, made(n=300), {"max_depth": 2}).run()
    fork = run.fork(run.last, max_depth=10).run()
    first = fork.at(fork.begin + 1).state
    assert first.phase == "look"
    deeper, shallow = fork.at(fork.last).state, run.at(run.last).state
    assert len(deeper.left) == 39
    assert deeper.feature[:3].tolist() == shallow.feature[:3].tolist()


def test_another_criterion_halfway_asks_its_own_questions_from_there():
    data = made(n=300)
    run = Timeline(TREE, data, {"criterion": "gini"}).run()
    at = run.nearest_entry(run.last // 2)
    fork = run.fork(at, criterion="entropy").run()
    for t in range(fork.begin + 1, len(fork)):
        state = fork.at(t).state
        if state.phase == "look":
            rows = np.flatnonzero(leaf_of(state, data.X) == state.node)
            best = max(gains_one_by_one(data, rows, "entropy", 1).values())
            assert state.gain[state.node] * data.n / len(rows) == pytest.approx(best, abs=1e-9)
    fresh = replace(fork.at(fork.begin).state)
    first_split = next(s for s in TREE(data, state=fresh, criterion="entropy") if s.phase == "split")
    leaves = np.flatnonzero(fresh.left == LEAF)
    best = max(
        max(gains_one_by_one(data, np.flatnonzero(leaf_of(fresh, data.X) == node), "entropy", 1).values(), default=0)
        * (leaf_of(fresh, data.X) == node).mean()
        for node in leaves.tolist()
    )
    assert first_split.gain[first_split.node] == pytest.approx(best, abs=1e-9)


def test_a_fork_with_other_rows_counts_them_anew():
    data = made(n=300)
    run = Timeline(TREE, data).run()
    X = np.array(data.X)
    X[:50] = X[:50, ::-1]
    moved = Dataset(X, data.y, classes=data.classes, features=data.features)
    fork = run.fork(run.nearest_entry(run.last // 2), data=moved).run()
    last = fork.at(fork.last).state
    assert last.counts.tolist() == counts_at_nodes(tree_of(last), moved.X, moved.y).tolist()


# Its theorems


def at_a_split(data=None, **parameters):
    problem = TREE.problem(data or made(), None, parameters)
    states = list(TREE.start(problem))
    after = splits_of(states)[3]
    return problem, states[after.t - 1], after


@pytest.mark.parametrize("criterion", ["entropy", "gini", "error"])
def test_they_hold_at_every_step(criterion):
    problem = TREE.problem(made(), None, {"criterion": criterion, "min_leaf": 3})
    states = list(TREE.start(problem))
    seen = set()
    for before, after in zip([None, *states], states):
        for theorem in TREE.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status in ("holds", "does not apply"), verdict.sides
            seen.add((theorem.statement, verdict.status))
    assert {statement for statement, status in seen if status == "holds"} == OF_GROWING


def test_a_gain_with_the_wrong_sign_breaks_that_gains_are_not_negative():
    problem = TREE.problem(made())
    start, look = list(TREE.start(problem))[:2]
    assert NO_NEGATIVE_GAIN.verdict(problem, start, look).status == "holds"
    assert NO_NEGATIVE_GAIN.verdict(problem, start, replace(look, gain=-look.gain)).status == "fails"


def test_an_impurity_that_is_not_concave_breaks_it_too(monkeypatch):
    """How many rows are of the majority grows when rows are parted."""
    start, look = list(TREE.start(TREE.problem(made())))[:2]

    def worse(criterion, most):
        return lambda counts, rows: np.asarray(counts.max(axis=0), float)

    monkeypatch.setattr(module, "total_impurity", worse)
    problem = TREE.problem(made())
    assert NO_NEGATIVE_GAIN.verdict(problem, start, look).status == "fails"


def test_children_with_more_mixed_rows_than_their_parent_break_that_impurity_never_rises():
    problem, before, after = at_a_split()
    assert NEVER_RISES.verdict(problem, before, after).status == "holds"
    counts = after.counts.copy()
    counts[-2:] = counts[after.node].sum()
    assert NEVER_RISES.verdict(problem, before, replace(after, counts=counts)).status == "fails"


def test_another_threshold_than_the_one_looked_for_breaks_that_it_falls_by_the_gain():
    problem, before, after = at_a_split()
    assert FALLS_BY_GAIN.verdict(problem, before, after).status == "holds"
    threshold = after.threshold.copy()
    threshold[after.node] += 0.3
    assert FALLS_BY_GAIN.verdict(problem, before, replace(after, threshold=threshold)).status == "fails"
    assert FALLS_BY_GAIN.verdict(problem, before, replace(after, gain=after.gain * 1.01)).status == "fails"


def test_rows_counted_twice_or_sent_to_two_leaves_break_the_partition():
    problem, before, after = at_a_split()
    assert PARTITION.verdict(problem, before, after).status == "holds"
    twice = after.counts.copy()
    twice[-1, 0] += 1
    assert PARTITION.verdict(problem, before, replace(after, counts=twice)).status == "fails"
    crossed = after.left.copy()
    crossed[after.left == len(after.left) - 2] = len(after.left) - 3  # one child that another node has too
    assert PARTITION.verdict(problem, before, replace(after, left=crossed)).status == "fails"


def test_an_error_that_is_no_majoritys_breaks_its_bounds(monkeypatch):
    """Twice the error is more than half the entropy."""
    problem, before, after = at_a_split()
    assert BETWEEN.verdict(problem, before, after).status == "holds"
    true = statements.total_impurity

    def doubled(criterion, most):
        total = true(criterion, most)
        return (lambda counts, rows: 2 * total(counts, rows)) if criterion == "error" else total

    monkeypatch.setattr(statements, "total_impurity", doubled)
    assert BETWEEN.verdict(problem, before, after).status == "fails"


# What a person sees


def test_it_explains_its_steps_in_the_units_of_the_data():
    data = iris.with_(scale=True, hold_out=0.3).load()
    run = Timeline(TREE, data).run()
    said = [TREE.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(5)]
    assert said[0].startswith("All 105 rows trained on are in one leaf: ")
    assert "petal_length_cm <= 2.45 gains most" in said[1]
    assert said[2].startswith("Leaf 0 gains most: petal_length_cm <= 2.45 parts its 105 rows into 35 setosa and 70 (")
    assert "held out" in said[2]


def test_a_tree_is_sent_its_rows_once_for_curves_and_pictures(monkeypatch):
    leaf, sent = trees.leaf_of, []

    def counted(tree, X):
        sent.append(len(tree.left))
        return leaf(tree, X)

    monkeypatch.setattr(module, "leaf_of", counted)
    run = Timeline(TREE, moons.with_(n=61).load(), {"max_leaves": 4}).run()
    frames = [run.at(t) for t in range(run.last + 1)]
    assert sent == [1, 3, 5, 7]  # nodes: of each tree, however many of its leaves are looked at
    monkeypatch.setattr(trees, "leaf_of", counted)
    for frame in frames:
        TREE.scene(run.problem, frame.before, frame.state)
    assert len(sent) == 4
    moved = frames[-1].state.threshold.copy()
    moved[0] += 1.0
    state = replace(frames[-1].state, threshold=moved)  # the same nodes, and another question at the root
    assert module.leaf_of_rows(run.problem, state).tolist() == leaf(tree_of(state), run.data.X).tolist()


@pytest.mark.parametrize("criterion", ["entropy", "gini", "error"])
@pytest.mark.parametrize("data", [moons, iris], ids=["two classes", "three"])
def test_the_gap_between_the_impurity_and_its_chord_is_the_gain(data, criterion):
    run = Timeline(TREE, data, {"criterion": criterion}).run()
    for t in (1, 2, 4):
        state = run.at(t).state
        panels = {panel.title: panel for panel in TREE.scene(run.problem, run.at(t).before, state).panels}
        curve, chord, gap, parts, leaf = panels["impurity over its chord"].marks
        rows = state.counts[state.node].sum()
        low, high = gap.at[:, 1]
        assert high - low == pytest.approx(state.gain[state.node] * run.data.n / rows)
        assert gap.at[1] == pytest.approx(leaf.at[0])
        ends = chord.at[np.argsort(chord.at[:, 0])].T
        assert np.interp(gap.at[0, 0], *ends) == pytest.approx(low)
        between = (curve.at[:, 0] >= ends[0, 0]) & (curve.at[:, 0] <= ends[0, 1])
        assert (curve.at[between, 1] >= np.interp(curve.at[between, 0], *ends) - 1e-12).all()
        assert len(parts.at) == 2


def test_a_row_goes_down_by_its_answers_to_a_leaf():
    run = Timeline(TREE, iris, {"row": 100}).run()
    state = run.at(4).state
    panels = {panel.title: panel for panel in TREE.scene(run.problem, None, state).panels}
    (way,) = panels["row 100's way"].marks
    assert way.rows == (
        (0, "petal_length_cm <= 2.45", "no", "50/50/50"),
        (2, "petal_width_cm <= 1.75", "no", "0/50/50"),
        (4, "a leaf: virginica", "", "0/1/45"),
    )
    (outline,) = panels["the tree"].marks
    assert [i for i, text in enumerate(outline.texts) if "row 100" in text] == [2, 4]
    assert outline.texts[0] == "petal_length_cm <= 2.45  50/50/50 (setosa/versicolor/virginica)"
    assert outline.texts[2] == "petal_width_cm <= 1.75  0/50/50  · row 100 goes on"
    assert outline.texts[4] == "virginica  0/1/45  · row 100 ends here"
    assert not any("(" in text for text in outline.texts[1:])  # whose counts they are is said once
    with pytest.raises(Refused, match="there is no row 150: iris has 150, from row 0 on"):
        TREE.problem(iris.load(), None, {"row": 150})


@pytest.mark.parametrize(("criterion", "leaves"), [("entropy", 3), ("gini", 3)])
def test_of_the_ratios_of_irises_the_three_leaves_of_the_lecture(criterion, leaves):
    states = states_of(iris_ratios.load(), criterion=criterion, max_leaves=leaves)
    last = states[-1]
    asked = last.threshold[last.left != LEAF]
    assert asked == pytest.approx([1.716, 2.725], abs=5e-4)
    assert (last.counts[last.left == LEAF].sum(axis=1) - last.counts[last.left == LEAF].max(axis=1)).sum() == 21


def test_questions_stay_when_rows_come_and_go_and_an_empty_leaf_does_no_harm():
    run = Timeline(find("decision_tree"), moons).run()
    t = run.nearest_entry(run.last)
    was = run.at(t).state
    where = leaf_of(was, run.data.X)
    gone = np.flatnonzero(where == where[0])[::-1].tolist()
    fork = run.fork(t, data=edited(run.data, [*(Remove(row) for row in gone), Add((0.0, 0.0), 1)]))
    first = fork.at(t).state
    assert np.array_equal(first.left, was.left)
    assert first.counts[0].sum() == fork.data.n
    assert first.counts[where[0]].sum() <= 1
    fork.run()
    assert fork.stopped is not None
    assert not fork.stopped.failed
    assert not fork.troubles


# Wrong choices and wrong updates


def failures_of(data=None, **parameters):
    """The statements that fail somewhere in a run."""
    problem = TREE.problem(data or made(n=120), None, parameters)
    states = list(TREE.start(problem))
    verdicts = [t.verdict(problem, b, a) for b, a in zip([None, *states], states) for t in TREE.theorems]
    return {v.theorem.statement for v in verdicts if v.status == "fails"}


def test_a_tree_that_asks_the_last_question_is_noticed(monkeypatch):
    def last(columns, rows, counts, total, least):
        (*_, question) = (q for q in survey(columns, rows, counts, total, least).best if q.feature >= 0)
        return question

    monkeypatch.setattr(module, "best_question", last)
    assert failures_of() == {GAINS_MOST.statement}


def test_a_tree_that_takes_the_fall_of_one_question_for_anothers_is_noticed(monkeypatch):
    def mixed_up(columns, rows, counts, total, least):
        asked = survey(columns, rows, counts, total, least)
        worst = min((q for q in asked.best if q.feature >= 0), key=lambda q: q.fall)
        return replace(worst, fall=asked.greatest)

    monkeypatch.setattr(module, "best_question", mixed_up)
    assert GAINS_MOST.statement in failures_of()


def test_a_tree_that_splits_the_first_leaf_is_noticed(monkeypatch):
    def first(state):
        able = np.flatnonzero((state.left == LEAF) & (state.feature >= 0))
        return int(able[0]) if len(able) else NOTHING

    monkeypatch.setattr(module, "most_gainful", first)
    assert failures_of() == {BEST_LEAF.statement}


def test_a_tree_that_sends_the_rows_to_the_other_child_is_noticed(monkeypatch):
    true = module.parted
    monkeypatch.setattr(module, "parted", lambda *arguments: true(*arguments)[::-1])
    assert PARTITION.statement in failures_of(max_leaves=2)


def test_a_parent_without_impurity_breaks_that_it_never_rises_at_a_fork_too():
    problem, _, after = at_a_split()
    counts = after.counts.copy()
    counts[after.node] = [counts[after.node].sum(), 0, 0]
    assert NEVER_RISES.verdict(problem, None, replace(after, counts=counts)).status == "fails"


def test_after_a_fork_with_other_rows_the_gain_of_the_split_is_that_of_these_rows():
    data = made(n=300)
    run = Timeline(TREE, data).run()
    t = next(t for t in range(20, len(run)) if run.at(t).state.phase == "split")
    X = np.array(data.X)
    X[:80] = X[:80, ::-1]
    fork = run.fork(t, data=Dataset(X, data.y, classes=data.classes, features=data.features))
    first = fork.at(t).state
    assert first.gain[first.node] != run.at(t).state.gain[first.node]
    assert FALLS_BY_GAIN.verdict(fork.problem, None, first).status == "holds"
    assert {v.status for v in fork.verdicts(fork.at(t))} == {"holds", "does not apply"}
    inner = first.left != LEAF
    falls = falls_at_nodes(first.left, first.counts, total_of(fork.problem))
    assert first.gain[inner] == pytest.approx(falls[inner] / data.n)


# The first minute


def test_it_opens_where_a_tree_can_be_seen_to_learn_its_rows_by_heart():
    run = Timeline(TREE, TREE.datasets[0]).run()
    assert len(run) <= 240
    held_out, training = (np.asarray(run.curve(f"{rows} error")[1]) for rows in ("held-out", "training"))
    held_out, training = held_out[np.isfinite(held_out)], training[np.isfinite(training)]
    least = int(held_out.argmin())
    assert 3 < least < len(held_out) - 5
    assert held_out[-1] > 2 * held_out[least]
    assert training[-1] < training[least]
    frame = run.at(run.last)
    panel = next(p for p in TREE.scene(run.problem, None, frame.state).panels if p.title == "error by leaves")
    assert panel.note == f"held out least at {least + 1} leaves"


def test_one_bit_is_said_as_such():
    data = Dataset([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], classes=("a", "b"))
    run = Timeline(TREE, data, {"criterion": "entropy"}).run()
    assert TREE.explain(run.problem, None, run.at(0).state).endswith("2 a, 2 b, entropy 1 bit.")
    uneven = Dataset([[0.0], [1.0], [2.0]], [0, 1, 1], classes=("a", "b"))
    run = Timeline(TREE, uneven, {"criterion": "entropy"}).run()
    assert TREE.explain(run.problem, None, run.at(0).state).endswith("2 b, 1 a, entropy 0.918 bits.")


def test_a_gain_that_is_no_number_is_not_passed_over():
    problem, before, after = at_a_split()
    gain = after.gain.copy()
    gain[after.node] = np.nan
    wrong = replace(after, gain=gain)
    failed = {t.statement for t in TREE.theorems if t.verdict(problem, before, wrong).status == "fails"}
    assert failed == {BEST_LEAF.statement, FALLS_BY_GAIN.statement}
    assert TREE.scene(problem, before, wrong).panels
    assert "Leaf" in TREE.explain(problem, before, wrong)
