"""What a run says is right: one of several answers, a number within reach, rows by what they are named by."""

import pytest

from algorithms import Timeline, find
from algorithms.core import Ask, Refused
from algorithms.playback.asks.answers import Right, can_be_asked, is_right, right_at, right_in_words


@pytest.fixture(scope="module")
def run() -> Timeline:
    return Timeline("lloyd").run()


def test_the_answer_is_that_of_the_step_after(run: Timeline) -> None:
    asked = Ask("Is the next step an update?", "update")
    assert [right_at(asked, run, t).choice for t in (1, 2, 3)] == [1, 0, 1]


def test_a_way_is_against_where_a_curve_was_last_measured(run: Timeline) -> None:
    moved = Ask.way("How many rows move?", '"rows moved"')
    counts = [run.at(t).state.moved for t in (1, 3, 5)]
    assert counts[0] > counts[1]
    assert [right_at(moved, run, t).choice for t in (2, 3)] == [1, 0]  # it stays in an update, and falls after it


def test_the_rows_that_change_are_those_whose_labels_do(run: Timeline) -> None:
    asked = Ask.row("Which row leaves?", "labels changes")
    before, after = run.at(2).state.labels, run.at(3).state.labels
    assert right_at(asked, run, 3).rows == tuple((before != after).nonzero()[0].tolist())
    assert right_at(asked, run, 2).rows == ()


def test_rows_are_named_by_a_number_by_marks_or_by_what_is_greatest() -> None:
    run = Timeline("perceptron")
    run.advance(3)
    assert right_at(Ask.row("Which?", "row"), run, 2).rows == (1,)
    assert right_at(Ask.row("Which?", "row"), run, 0).rows == ()  # -1 before the first
    weighed = Timeline("adaboost")
    weighed.advance(4)
    weights = weighed.at(3).state.weights
    assert right_at(Ask.row("Which?", "weights"), weighed, 3).rows == tuple((weights == weights.max()).nonzero()[0])


def test_a_curve_that_was_not_measured_is_not_asked_about(run: Timeline) -> None:
    assert not can_be_asked(Ask.way("?", '"rows moved"'), run, 0)
    assert can_be_asked(Ask.way("?", '"rows moved"'), run, 1)
    no_rows_held_out = Timeline("surrogate_losses")
    no_rows_held_out.advance(5)
    assert not can_be_asked(Ask.way("?", '"held-out error"'), no_rows_held_out, 3)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (Ask.number("What is it?", "moved * nan"), "has no value"),
        (Ask.number("What is it?", "means[7,0]"), "has no value"),
        (Ask.row("Which?", "sums changes"), "names no rows"),
        (Ask("Is it?", "", choices=(("a", "t > 0"), ("b", "t > 1"))), "'a' and 'b'"),
    ],
)
def test_what_has_no_answer_is_refused(run: Timeline, ask: Ask, words: str) -> None:
    with pytest.raises(Refused, match=words):
        right_at(ask, run, 3)


def test_a_number_is_right_within_a_share_of_it() -> None:
    ask = Ask.number("What is it?", "x", within=0.05)
    assert is_right(ask, Right(number=-100.0), -104.9)
    assert not is_right(ask, Right(number=-100.0), -105.1)
    assert not is_right(ask, Right(number=0.0), 0.01)


def test_any_of_several_rows_is_right_and_none_where_there_is_none() -> None:
    ask = Ask.row("Which?", "row")
    assert is_right(ask, Right(rows=(3, 5)), 5)
    assert not is_right(ask, Right(rows=(3, 5)), -1)
    assert is_right(ask, Right(rows=()), -1)
    assert right_in_words(ask, Right(rows=())) == "none"
    assert right_in_words(ask, Right(rows=(1, 2, 3, 4, 5, 6))) == "rows 1, 2, 3, 4 and 2 more"


def test_yes_and_no_are_offered_of_a_condition() -> None:
    assert find("perceptron").asks[0].offered == (("yes", "mistake"), ("no", "not (mistake)"))
