"""Runs on hard data with forks and edits, drawn by seeds: a run is right, undecided with its reason, or refused."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from algorithms import Dataset, find
from tests.chosen import chosen
from tests.numbers import __main__ as command
from tests.numbers.seeded import Fault, check_seed

_SEEDS = 1  # of an algorithm; in the soak 60, and `python -m tests.numbers` draws for as long as it is told
_STEPS = 20
_SECONDS = 0.4  # of a run whose steps are dear


@pytest.mark.parametrize("seed", range(_SEEDS))
@pytest.mark.parametrize("name", chosen())
def test_a_drawn_run_with_its_forks_is_right_or_refused(name: str, seed: int) -> None:
    check_seed(find(name), seed, _STEPS, _SECONDS)


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("dual_coordinate_descent", 40218),
        ("kernel_k_means", 200021),
        ("kernel_logistic", 1000011),
        ("kernel_perceptron", 3035),
        ("bias_variance", 600154),
        ("kernel_matrix", 600107),
        ("kernel_regression", 140011),
        ("kernel_regression", 500072),
        ("kernel_regression", 5000005),
        ("kernel_regression", 600004),
        ("lasso_coordinate_descent", 5044),
        ("gaussian_mixture", 70136),
        ("gradient_boosting", 70262),
        ("lasso_coordinate_descent", 40091),
        ("lasso_coordinate_descent", 300041),
        ("leave_one_out", 1027),
        ("leave_one_out", 110012),
        ("leave_one_out", 110034),
        ("logistic_newton", 1013),
        ("logistic_newton", 40036),
        ("logistic_newton", 400018),
        ("multilayer_perceptron", 40005),
        ("perceptron", 200020),
        ("perceptron", 400262),
        ("random_forest", 40004),
        ("ridge", 3092),
        ("smo", 140077),
        ("spectral_clustering", 3038),
    ],
)
def test_a_drawn_run_that_was_false_is_right(name: str, seed: int) -> None:
    if name in chosen():
        check_seed(find(name), seed, command.STEPS)


@pytest.mark.soak
@pytest.mark.parametrize("name", chosen())
def test_many_drawn_runs_with_their_forks_are_right_or_refused(name: str) -> None:
    for seed in range(100, 160):
        check_seed(find(name), seed, command.STEPS)


def check_seeds(name: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        check_seed(find(name), seed, _STEPS)


def test_the_command_counts_the_runs_of_each_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--runs", "2", "--steps", "5", "newton"]) == 0
    said = capsys.readouterr().out
    assert "2 runs" in said
    assert "0 false verdicts and exceptions" in said


def test_the_command_prints_each_fault_with_its_seed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(algorithm: object, seed: int, steps: int) -> str:
        raise Fault(f"1 = 2 fails; of seed {seed}")

    monkeypatch.setattr(command, "check_seed", fails)
    assert command.main(["--runs", "1", "--seed", "7", "newton"]) == 1
    said = capsys.readouterr().out
    assert "newton: Fault: 1 = 2 fails; of seed 7" in said
    assert "1 false verdicts and exceptions" in said


def test_an_end_that_is_not_so_is_a_fault_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    newton = find("newton")
    monkeypatch.setattr(newton, "ends", {words: lambda problem, state: False for words in newton.ends})
    with pytest.raises(Fault, match="'the end: .* fails: it is not so at step"):
        check_seeds("newton", range(10))


def test_a_theorem_that_fails_in_a_fork_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict that was false: a tree grown on other rows, held against those of a fork."""
    theorem = find("bagging").theorems[-1]
    assert theorem.about == "step"
    monkeypatch.setattr(find("bagging"), "theorems", (replace(theorem, about="state"),))
    with pytest.raises(Fault, match="forked at"):
        check_seeds("bagging", range(40))


def test_a_step_that_differs_when_it_is_made_again_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """With parameters that are not the defaults; conformance takes those up."""
    lloyd = find("lloyd")
    run = lloyd.run

    def skips_a_state(data: Dataset, state: Any = None, **given: Any) -> Iterator[Any]:
        yield from islice(run(data, state, **given), int(state is not None and given["k"] > 3), None)

    monkeypatch.setattr(lloyd, "run", skips_a_state)
    with pytest.raises(Fault, match="taken up at"):
        check_seeds("lloyd", range(40))
