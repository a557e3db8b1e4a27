"""Why a run ended is declared, is so of its last state, and of none at which it went on."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from time import process_time
from typing import Any

from algorithms import Algorithm, Dataset
from algorithms.conformance.runs import described, ensure, some
from algorithms.conformance.samples import with_settings
from algorithms.conformance.whole import choices
from algorithms.core import Problem, State
from algorithms.core.ends import declared, ended

Rare = tuple[Dataset | None, Mapping[str, Any]]

_LONG = 2500  # states of a run that is followed to its end
_SECONDS = 1.0  # of the processor that it may take


def check_ends(
    algorithm: Algorithm, data: Sequence[Dataset], rare: Sequence[Rare] = (), unmet: Collection[str] = ()
) -> None:
    """Each reason is declared and so at the last state; a run that stops early with the same words is seen.

    On all its data, and as long as an end that is declared has not come, with each parameter at an edge on the first.

    Args:
        algorithm, data: what is checked.
        rare: rows and parameters that bring about an end that no usual run comes to.
        unmet: reasons that no run is known to end for.
    """
    ensure(algorithm.ends, "no end is declared: say in `ends` what the generator may return, with its test")
    missing = {*algorithm.ends} - {*unmet}
    opened = (each.problem(one) for each, one in with_settings(algorithm, data))
    brought = (algorithm.problem(rows or Dataset.none, None, given) for rows, given in rare)
    for problem in chain(opened, brought):
        missing.discard(checked(algorithm, problem))
    for problem in choices(algorithm, data[0]):
        if not missing:
            return
        missing.discard(checked(algorithm, problem))
    ensure(not missing, f"never ends so: {sorted(missing)}")


def checked(algorithm: Algorithm, problem: Problem) -> str:
    """Which declared reason a run ends for, once that is checked; "" where it goes on for too long."""
    states, reason = followed(algorithm, problem)
    if reason is None or not states:
        return ""
    check_end(algorithm, problem, states, reason)
    return str(declared(algorithm.ends, reason))


def check_end(algorithm: Algorithm, problem: Problem, states: Sequence[State], reason: str) -> None:
    """One reason is so of the last of these states, and of none before it."""
    ensure(declared(algorithm.ends, reason), f"it returns {reason!r}, which `ends` does not declare")
    verdict = ended(algorithm.ends, reason, problem, states[-1])
    assert verdict is not None
    where = f"{described(states[-1])} ({_words(problem)})"
    ensure(verdict.status != "fails", f"{where}: it ends with {reason!r}, which is not so: {verdict.against}")
    for i in {*some(states[:-1]), len(states) - 2} if len(states) > 1 else ():
        early = ended(algorithm.ends, reason, problem, states[i])
        assert early is not None
        ensure(
            early.status == "fails",
            f"{described(states[i])} ({_words(problem)}): stopped here, {reason!r} would not be noticed: {early.sides}",
        )


def followed(algorithm: Algorithm, problem: Problem) -> tuple[list[State], str | None]:
    """The states of a run and why it ended; None where it goes on for longer than is worth while."""
    run, states, began = algorithm.start(problem), list[State](), process_time()
    while len(states) < _LONG and process_time() - began < _SECONDS:
        try:
            states.append(next(run))
        except StopIteration as end:
            return states, end.value
    return states, None


def _words(problem: Problem) -> str:
    return f"{problem.data.name}, {problem.parameters}"
