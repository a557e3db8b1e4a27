"""What a theorem asks at a step is worked out within a budget, however large the parameters are."""

from collections.abc import Iterator
from itertools import chain, product
from time import process_time

from algorithms import Algorithm, Dataset, Refused
from algorithms.conformance.declaration import edges
from algorithms.conformance.runs import described, ensure
from algorithms.conformance.samples import thinned
from algorithms.core import Problem, State

BUDGET = 1.0  # seconds of the processor for what one theorem asks at one step, with all that it keeps
_ROWS = 12
_TRIES = 3  # of which the shortest counts: others may be at work on the machine
_STATES, _SECONDS = 12, 0.1  # of a run, before its theorems are asked


def check_budget(algorithm: Algorithm) -> None:
    """No theorem takes longer than its budget with a number at its greatest, under any choice of another parameter.

    One that would is to be undecided and say so, told by the size of what it asks: `Undecided("... rows at most")`.
    """
    data = thinned(algorithm.datasets[0].load(), _ROWS) if algorithm.needs.data else Dataset.none
    for given in greatest(algorithm):
        try:
            problem = algorithm.problem(data, None, given)
        except Refused:
            continue
        _check(algorithm, data, given, begun(algorithm, problem))


def greatest(algorithm: Algorithm) -> Iterator[dict[str, object]]:
    """Parameters with one number at its greatest and one choice as it may be, or as it is by itself."""
    numbers = [{p.name: edges(p)[-1]} for p in algorithm.parameters if p.type in (int, float) and edges(p)]
    chosen = ({p.name: value} for p in algorithm.parameters if p.choices for value in p.choices)
    for number, choice in product(numbers, chain([{}], chosen)):
        yield {**choice, **number}


def begun(algorithm: Algorithm, problem: Problem) -> list[State]:
    """The first states of a run, the last two of which are asked about."""
    states, began = list[State](), process_time()
    for state in algorithm.start(problem):
        states.append(state)
        if len(states) == _STATES or process_time() - began > _SECONDS:
            break
    return states


def _check(algorithm: Algorithm, data: Dataset, given: dict[str, object], states: list[State]) -> None:
    before, after = (states[-2] if len(states) > 1 else None), states[-1]
    for theorem in algorithm.theorems:
        took = float("inf")
        for _ in range(_TRIES):
            problem = algorithm.problem(data, None, given)  # one that has kept nothing yet
            began = process_time()
            theorem.verdict(problem, before, after)
            took = min(took, process_time() - began)
            if took <= BUDGET:
                break
        where = f"{described(after)} ({given}), {theorem.statement!r}"
        ensure(took <= BUDGET, f"{where} takes {took:.1f} s of {BUDGET:g}: let it be undecided where it is so large")
