"""Smallest tree: the lecture's question with its numbers, all trees tried one by one, and its theorems broken."""

import pickle
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Label, Refused, Timeline, edited, find
from algorithms.core import Problem, Theorem
from algorithms.core.scene import Table, Tree
from algorithms.core.state import same
from algorithms.data import badges, decoys, iris, penguins
from algorithms.families.trees.smallest_tree.subcubes import (
    cut,
    greedy_tree,
    least_leaves,
    leaves_in,
    subcubes,
    trees_over,
    written_tree,
    wrong_in,
)

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_question_that_takes_more_is_noticed",
    "update": "test_leaves_that_are_not_those_of_both_halves_are_noticed",
}

SMALLEST = find("smallest_tree")
GREEDY, BELOW, BOTH, WRITTEN, RIGHT, FOUND, BETWEEN, PART, WEIGHED, FEWER = SMALLEST.theorems
VOWELS = ("first_is_vowel", "second_is_vowel", "third_is_vowel", "fourth_is_vowel")
DATA = {"decoys": decoys, "iris": iris, "penguins": penguins, "badges": badges.with_(columns=VOWELS)}


@cache
def finished(name: str = "decoys", **parameters: Any) -> tuple[Problem, list[Any]]:
    problem = SMALLEST.problem(DATA[name].load(), None, parameters)
    return problem, list(SMALLEST.start(problem))


def broken(theorem: Theorem, problem: Problem, before: Any, after: Any, **changes: Any) -> None:
    """The theorem holds of a state, and fails where that is changed."""
    assert theorem.verdict(problem, before, after).status == "holds"
    assert theorem.verdict(problem, before, after.replaced(**changes)).status == "fails"


# The lecture's question


@pytest.mark.parametrize(("criterion", "leaves"), [("entropy", 10), ("gini", 10), ("error", 8)])
def test_of_eleven_rows_the_smallest_tree_has_four_leaves_and_greedy_has_more(criterion: Any, leaves: int) -> None:
    problem, states = finished(criterion=criterion)
    sets = subcubes(problem.data, 4)
    assert len(sets.bits) == 11
    assert states[-1].least[sets.whole] == 4
    assert leaves_in(greedy_tree(sets, sets.whole, criterion)) == leaves
    grown = Timeline(find("decision_tree"), decoys, {"criterion": criterion}).run()
    assert (grown.at(grown.last).state.left == -1).sum() == leaves


def test_trees_over_so_many_bits() -> None:
    assert [trees_over(d) for d in range(1, 5)] == [2, 9, 244, 238_145]
    assert trees_over(5) == pytest.approx(2.8e11, rel=0.02)


def test_two_bits_by_hand() -> None:
    """An exclusive or: each half has two leaves, and either bit asked first takes four."""
    data = Dataset([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0], classes=("same", "different"))
    *_, last = states = list(SMALLEST(data))
    sets = subcubes(data, 2)
    hand = [(sets.written(int(sets.turns[s.turn, 0])), int(sets.turns[s.turn, 1]), s.leaves) for s in states[1:]]
    assert hand == [("0 *", 1, 2), ("1 *", 1, 2), ("* 0", 0, 2), ("* 1", 0, 2), ("* *", 0, 4), ("* *", 1, 4)]
    assert [s.phase for s in states] == ["start", *["better"] * 5, "other"]
    assert last.trees == 9


# All trees


def every_tree(bits: np.ndarray, classes: np.ndarray, free: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Leaves and wrong combinations of each tree over the free bits, one by one."""
    yield 1, len(classes) - int(np.bincount(classes, minlength=2).max())
    for j in free:
        others, one = tuple(i for i in free if i != j), bits[:, j] == 1
        rights = list(every_tree(bits[one], classes[one], others))
        for leaves, wrong in every_tree(bits[~one], classes[~one], others):
            yield from ((leaves + more, wrong + off) for more, off in rights)


@pytest.mark.parametrize("seed", range(6))
def test_of_all_trees_over_three_bits_none_that_is_right_has_fewer_leaves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (7, 3)).astype(float)
    data = Dataset(X, rng.integers(0, 2, 7), classes=("a", "b"))
    sets = subcubes(data, 3)
    trees = list(every_tree(sets.bits, sets.classes, (0, 1, 2)))
    *_, last = SMALLEST(data)
    assert len(trees) == 244
    assert last.least[sets.whole] == min(leaves for leaves, wrong in trees if not wrong)
    assert least_leaves(sets.bits, sets.classes) == last.least[sets.whole]


@pytest.mark.parametrize("name", DATA)
def test_the_tree_that_is_written_is_right_and_no_larger_than_greed(name: str) -> None:
    problem, states = finished(name)
    sets = subcubes(problem.data, 4)
    tree, other = written_tree(sets, states[-1].question, sets.whole), greedy_tree(sets, sets.whole, "gini")
    assert (wrong_in(tree), wrong_in(other)) == (0, 0)
    assert leaves_in(tree) == states[-1].least[sets.whole] <= leaves_in(other)
    assert len(states) <= 240


def test_features_are_cut_beside_their_medians_and_rows_alike_say_what_most_of_them_are() -> None:
    assert [cut(np.array(values)) for values in ([0.0, 1.0], [1.0, 1.0, 0.0], [3.0, 3.0], [1.0, 2.0, 4.0])] == [
        0.5,
        0.5,
        3.0,
        3.0,
    ]
    data = Dataset([[0.0], [0.0], [0.0], [9.0], [9.0]], [0, 1, 1, 0, 1], classes=("a", "b"))
    sets = subcubes(data, 4)
    assert sets.classes.tolist() == [1, 0]
    assert sets.rows.tolist() == [0, 0, 0, 1, 1]


# Its states


def test_it_goes_on_from_any_state_bit_for_bit() -> None:
    problem, states = finished()
    for i, state in enumerate(states[::7]):
        rest = list(SMALLEST.start(problem, pickle.loads(pickle.dumps(state))))
        assert len(rest) == len(states) - 7 * i - 1
        assert all(same(a, b) for a, b in zip(rest, states[7 * i + 1 :]))


def test_other_rows_begin_it_anew_and_another_greed_does_not() -> None:
    run = Timeline(SMALLEST, decoys).run()
    fork = run.fork(30, data=edited(run.data, [Label(0, 1)])).run()
    assert fork.from_start == "Smallest tree starts afresh: these sets were of other rows."
    assert fork.failures == []
    greed = run.fork(30, criterion="error").run()
    assert greed.failures == []
    assert greed.curve("greedy")[1][-1] == 8
    with pytest.raises(Refused, match="bits cannot be changed half-way"):
        run.fork(30, bits=3)


# Its theorems


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("bits", [1, 3, 4])
def test_they_hold(name: str, bits: int) -> None:
    problem, states = finished(name, bits=bits)
    for theorem in SMALLEST.theorems:
        answers = {theorem.verdict(problem, b, a).status for b, a in zip([None, *states], states)}
        assert answers <= {"holds", "does not apply"}, theorem.statement


def test_until_all_are_asked_nothing_is_said_of_the_least() -> None:
    problem, states = finished()
    assert FOUND.verdict(problem, states[-2], states[-2]).why == "1 question of this set still to be asked"


def test_a_question_that_takes_more_is_noticed() -> None:
    """The second best is kept: what is said to be least is not, and is more than the question in hand."""
    problem, states = finished()
    sets, last = subcubes(problem.data, 4), states[-1]
    for changed in (5, 3):
        least = np.where(np.arange(81) == sets.whole, changed, last.least)
        broken(FOUND, problem, states[-2], last, least=least)
    first = next(s for s in states[1:] if s.turn == 65)
    least = np.where(np.arange(81) == sets.whole, first.leaves + 1, first.least)
    broken(BELOW, problem, states[first.t - 1], first, least=least)


def test_a_question_as_good_that_takes_anothers_place_and_a_better_one_that_does_not_are_noticed() -> None:
    problem, states = finished()
    taken, other = (
        next(i for i, s in enumerate(states) if s.phase == phase and FEWER.verdict(problem, states[i - 1], s).sides)
        for phase in ("better", "other")
    )
    for i, phase in ((taken, "other"), (other, "better")):
        before, after = states[i - 1 : i + 1]
        assert FEWER.verdict(problem, before, after).status == "holds"
        other_way = before.after(phase, turn=after.turn, leaves=after.leaves)
        assert FEWER.verdict(problem, before, other_way).status == "fails"


def test_leaves_that_are_not_those_of_both_halves_are_noticed() -> None:
    problem, states = finished()
    for state in states[5::9]:
        for wrong in (state.leaves - 1, state.leaves + 1, 2 * state.leaves):
            broken(BOTH, problem, states[state.t - 1], state, leaves=wrong)


def test_a_tree_that_is_wrong_or_larger_than_said_is_noticed() -> None:
    problem, states = finished()
    sets, last = subcubes(problem.data, 4), states[-1]
    broken(WRITTEN, problem, states[-2], last, question=np.where(np.arange(81) == sets.whole, 3, last.question))
    broken(RIGHT, problem, states[-2], last, question=np.full(81, -1))


def test_fewer_leaves_than_classes_or_than_a_half_or_more_than_greed_are_noticed() -> None:
    problem, states = finished()
    sets, last = subcubes(problem.data, 4), states[-1]
    whole = np.arange(81) == sets.whole
    broken(BETWEEN, problem, states[-2], last, least=np.where(whole, 1, last.least))
    broken(BETWEEN, problem, states[-2], last, least=np.where(whole, 12, last.least))
    broken(PART, problem, states[-2], last, least=np.where(whole, 2, last.least))
    broken(GREEDY, problem, states[-2], last, least=np.where(whole, 11, last.least))
    broken(WEIGHED, problem, states[-2], last, trees=last.trees - 1)


# What a person sees


def test_two_trees_stand_side_by_side() -> None:
    problem, states = finished()
    small, greedy, asked, counts, rows = SMALLEST.scene(problem, states[-2], states[-1]).panels
    assert (small.note, greedy.note) == ("of * * * *: 4 leaves", "of * * * *: 10 leaves")
    assert [len(panel.marks[0].texts) for panel in (small, greedy) if isinstance(panel.marks[0], Tree)] == [7, 19]
    assert isinstance(asked.marks[0], Table)
    assert [row[3] for row in asked.marks[0].rows] == [4, 4, 6, 8]
    assert isinstance(counts.marks[0], Table)
    facts = {row[0]: row[1] for row in counts.marks[0].rows}
    assert (facts["trees over 4 bits"], facts["at 10⁶ a second"]) == ("238,145", "3.28 days")
    assert isinstance(rows.marks[0], Table)
    assert len(rows.marks[0].marked) == 11


def test_it_says_what_it_does() -> None:
    problem, states = finished()
    texts = [SMALLEST.explain(problem, b, a) for b, a in zip([None, *states], states)]
    assert texts[0] == (
        "11 rows have 11 combinations of 4 bits. There are 238,145 trees over 4 bits, but only 3^4 = 81 sets with some "
        "bits told, written as 0 * 0 0: a * is either."
    )
    assert texts[-1] == (
        "Set * * * * (* is either), 11 combinations: 6 different, 5 same. x4 <= 0.5 first takes 4 + 4 = 8 leaves, not "
        "fewer than 4. All are asked: 4 is the least, greedy takes 10."
    )
    irises = finished("iris")
    assert "of another class than most with the same bits" in SMALLEST.explain(irises[0], None, irises[1][0])


def test_rows_of_one_class_or_alike_need_one_leaf() -> None:
    for X, y in (([[1.0], [1.0]], [0, 1]), ([[0.0], [1.0]], [1, 1])):
        run = Timeline(SMALLEST, Dataset(X, y, classes=("a", "b"))).run()
        assert run.last == 0
        assert run.failures == []
        assert "One leaf is right on all." in SMALLEST.explain(run.problem, None, run.at(0).state)
