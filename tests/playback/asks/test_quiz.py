"""Questions about the next steps: nothing after the step in hand is known, and the same can be asked on other data."""

import pytest

from algorithms import Recipe, find
from algorithms.core import Refused
from algorithms.playback.asks.quiz import Quiz, other_data
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession
from tests.tiny import TINY, Rows


def session(name: str, t: int = 0) -> RunSession:
    """A run that has ended, or gone on for long, at a step of it."""
    made = RunSession(LoadedRun.usual(find(name)))
    made.player.timeline.advance(200)
    made.player.seek(t)
    made.player.work(5)
    return made


def test_nothing_after_the_step_in_hand_is_known_before_the_answer() -> None:
    of = session("lloyd", 3)
    quiz = Quiz(of)
    assert (quiz.t, quiz.run.last, quiz.run.stopped) == (3, 3, None)
    assert of.player.timeline.stopped is not None
    steps, _ = quiz.run.curve("objective")
    assert steps.max() == 3
    quiz.answer(50)
    assert (quiz.t, quiz.run.last) == (4, 4)


def test_what_is_asked_is_the_run_itself() -> None:
    of = session("gaussian_mixture", 6)
    quiz = Quiz(of)
    for _ in range(8):
        quiz.answer(0)
        assert (quiz.run.at(quiz.t).state.means == of.player.timeline.at(quiz.t).state.means).all()
        quiz.next()


def test_another_question_each_time_as_far_as_they_fit() -> None:
    quiz = Quiz(session("lloyd", 2))
    asked = [quiz.ask.question]
    for _ in range(2):
        quiz.next()
        asked.append(quiz.ask.question)
    assert asked == ["Which row leaves its cluster?", "What will J be?", "Which row leaves its cluster?"]


def test_it_goes_on_to_a_step_at_which_something_can_be_asked() -> None:
    quiz = Quiz(session("logistic_newton", 0))
    assert (quiz.t, quiz.run.last, quiz.ask.at) == (2, 2, "solve")


def test_right_wrong_and_told() -> None:
    quiz = Quiz(session("perceptron", 0))
    assert quiz.ask.question == "Is the next row a mistake?"
    told = quiz.answer(0)
    assert (told.given, told.right, told.correct) == ("yes", "yes", True)
    quiz = Quiz(session("perceptron", 0))
    told = quiz.answer(1)
    assert (told.given, told.right, told.correct) == ("no", "yes", False)
    quiz = Quiz(session("perceptron", 0))
    told = quiz.answer()
    assert (told.given, told.correct) == ("", False)


def test_the_same_on_other_data_at_the_same_step() -> None:
    of = session("perceptron", 5)
    quiz = Quiz(of)
    question = quiz.ask.question
    quiz.answer(1)
    quiz.again()
    assert (quiz.ask.question, quiz.told, quiz.t, quiz.own) == (question, None, 5, False)
    recipe = quiz.session.loaded.recipe
    assert isinstance(recipe, Recipe)
    assert dict(recipe.made)["seed"] == 1
    quiz.answer(1)
    quiz.again()
    recipe = quiz.session.loaded.recipe
    assert isinstance(recipe, Recipe)
    assert dict(recipe.made)["seed"] == 2


def test_of_real_data_other_rows_and_without_data_another_seed() -> None:
    faithful = other_data(LoadedRun.usual(find("lloyd")))
    assert faithful.data.n == round(0.8 * 272)
    again = other_data(faithful)
    assert (again.data.n, again.recipe.sample_seed) == (faithful.data.n, 2)  # type: ignore[attr-defined]
    assert other_data(LoadedRun.usual(find("majority_vote"))).parameters["seed"] == 1
    with pytest.raises(Refused, match="nothing in this run is drawn"):
        other_data(LoadedRun.usual(find("gradient_descent")))


def test_of_an_end_nothing_can_be_asked() -> None:
    of = session("lloyd")
    of.player.seek(of.player.timeline.last)
    of.player.work(5)
    with pytest.raises(Refused, match="the run ends here"):
        Quiz(of)


def test_one_that_declares_no_question_says_so() -> None:
    with pytest.raises(Refused, match="declares none"):
        Quiz(RunSession(LoadedRun.checked(TINY, Rows(), {})))


def test_where_one_looks_back_meanwhile_makes_no_difference() -> None:
    quiz = Quiz(session("lloyd", 3))
    quiz.session.player.seek(1)
    quiz.session.player.work(5)
    told = quiz.answer(58.14)
    assert (quiz.t, told.correct) == (4, True)
    quiz.session.player.seek(1)
    quiz.session.player.work(5)
    quiz.next()
    assert (quiz.t, quiz.at, quiz.run.last) == (1, 1, 1)  # steps 2 to 4 are to come again
