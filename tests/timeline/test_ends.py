"""A run that stops early with the words of the true end is a run that failed, wherever it is looked at."""

import copy
import io
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from algorithms import Algorithm, Dataset, Timeline, datasets, find
from algorithms.cli.report import report
from algorithms.playback.pictures.viewer import Viewer, at_the_end
from algorithms.sweeping import sweep

BLOBS = datasets.load("blobs", margin=0.3)


def stopping(name: str, when: Callable[[Any], bool], reason: str) -> Algorithm:
    """The algorithm of that name, which stops after the first state of which `when` holds, and returns `reason`."""
    mutant = copy.copy(find(name))
    true = mutant.run

    def run(*arguments: Any, **parameters: Any) -> Any:
        for state in true(*arguments, **parameters):
            yield state
            if when(state):
                return reason
        raise AssertionError("it ended before")

    run.__name__ = name
    mutant.run = run
    return mutant


EARLY = {
    "perceptron": (BLOBS, lambda state: state.t == 30, "a whole pass without a mistake"),
    "kernel_logistic": (
        BLOBS,
        lambda state: state.t == 3,
        "‖∇ln P‖ = 1.78, no more than 2, with 9 of 200 rows wrong",
    ),
    "lloyd": (datasets.load("faithful"), lambda state: state.t == 4, "no row moved"),
    "gradient_descent": (Dataset.none, lambda state: state.t == 9, "the slope is 0 to nine digits at (0, 0)"),
}


@pytest.mark.parametrize("name", EARLY)
def test_a_run_that_stops_early_ends_untruly(name: str) -> None:
    data, when, reason = EARLY[name]
    run = Timeline(stopping(name, when, reason), data).run()
    assert run.stopped is not None
    assert run.stopped.reason == reason
    assert run.stopped.untrue
    assert run.stopped.wrong
    assert not run.stopped.failed, "no step raised"
    last = run.failures[-1]
    assert (last.t, last.verdict.theorem.statement, last.verdict.status) == (run.last, f"the end: {reason}", "fails")


@pytest.mark.parametrize("name", EARLY)
def test_the_true_run_ends_truly(name: str) -> None:
    run = Timeline(find(name), EARLY[name][0]).run()
    assert run.stopped is not None
    assert not run.stopped.wrong
    assert not run.failures


def test_what_is_said_of_it_is_that_it_is_not_so() -> None:
    run = Timeline(stopping(*("kernel_logistic",), *EARLY["kernel_logistic"][1:]), BLOBS).run()
    assert run.stopped is not None
    words = at_the_end(run.stopped, Viewer(run).picture(run.at(run.last), 80, 24).words)
    assert words.startswith(
        "The end: ‖∇ln P‖ = 1.78, no more than 2, with 9 of 200 rows wrong. That is not so: ‖∇ln P‖ "
    )
    console = Console(width=110, record=True, file=io.StringIO())
    report(run, console)
    assert "That is not so: ‖∇ln P‖ " in console.export_text()


def test_a_sweep_counts_it_among_what_failed() -> None:
    (one,) = sweep(stopping("perceptron", *EARLY["perceptron"][1:]), BLOBS, over={"eta": [1.0]}, jobs=1)
    assert not one.failed
    assert [(failure.statement, failure.times) for failure in one.failures] == [
        ("the end: a whole pass without a mistake", 1)
    ]


def test_a_test_that_raises_does_the_run_no_harm() -> None:
    def raises(problem: Any, state: Any) -> bool:
        raise ZeroDivisionError("by zero")

    mutant = copy.copy(find("perceptron"))
    mutant.ends = dict.fromkeys(mutant.ends, raises)
    run = Timeline(mutant, BLOBS).run()
    assert run.stopped is not None
    assert not run.stopped.wrong
    assert [trouble.error for trouble in run.troubles] == ["ZeroDivisionError: by zero"]


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("perceptron", "epochs"),
        ("pegasos", "epochs"),
        ("online_gradient_descent", "epochs"),
        ("multilayer_perceptron", "epochs"),
        ("dual_logistic_regression", "passes"),
        ("dual_coordinate_descent", "passes"),
        ("stochastic_gradient", "epochs"),
    ],
)
def test_a_fork_that_allows_fewer_passes_than_were_made_ends_truly(name: str, parameter: str) -> None:
    rows = datasets.load("sine" if name == "stochastic_gradient" else "moons", n=24)
    more = {"tolerance": 1e-12} if parameter == "passes" else {}
    run = Timeline(find(name), rows, {parameter: 5, **more})
    while run.advance(1) and run.at(run.last).state.iteration < 3:
        pass
    run.advance(3)
    fork = run.fork(run.last, **{parameter: 1})
    fork.advance()
    assert fork.stopped is not None
    assert not fork.stopped.wrong, fork.stopped
