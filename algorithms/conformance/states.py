"""States: counted, repeatable, complete, unchanging."""

import pickle
import random

import numpy as np

from algorithms import Algorithm, Dataset
from algorithms.conformance.runs import described, digest, ensure, ensure_same, fail, parts, record, recorded, spread
from algorithms.core import State

_PLAIN = (int, float, str, bytes, bool, type(None), np.generic)


def check_counts(algorithm: Algorithm, data: Dataset) -> None:
    """t counts from 0, iterations never go back, phases are declared, and each has its own yield."""
    run = recorded(algorithm, data)
    states = run.states
    ensure(states, "it yields nothing")
    for i, state in enumerate(states):
        ensure(state.t == i, f"the state after {i} others has t = {state.t}; t counts the states before it")
        ensure(
            state.phase in algorithm.phases,
            f"{described(state)}: the declaration has no such phase; it has {', '.join(algorithm.phases)}",
        )
    for before, after in zip(states, states[1:]):
        ensure(
            before.iteration <= after.iteration,
            f"{described(after)}: iteration {after.iteration} comes after {before.iteration}",
        )
        ensure(
            type(before) is type(after),
            f"{described(after)} is a {type(after).__name__}, the one before a {type(before).__name__}",
        )
    lines: dict[int, str] = {}
    for line, state in zip(run.lines, states):
        phase = lines.setdefault(line, state.phase)
        ensure(
            phase == state.phase,
            f"line {line} yields both {phase!r} and {state.phase!r}; each phase has a yield of its own",
        )


def check_repeats(algorithm: Algorithm, data: Dataset) -> None:
    """Equal runs from equal arguments, whatever the global random numbers; which are left alone."""
    first = recorded(algorithm, data)
    kept = np.random.get_state(), random.getstate()
    try:
        np.random.seed(1234)
        random.seed(1234)
        seeded = np.random.get_state(), random.getstate()
        second = record(algorithm, algorithm.problem(data))
        now = np.random.get_state(), random.getstate()
    finally:
        np.random.set_state(kept[0])
        random.setstate(kept[1])
    for a, b in zip(first.states, second.states):
        ensure_same(a, b, "in a second run with the same arguments, ")
    ensure(len(first.states) == len(second.states), "a second run with the same arguments has another length")
    ensure(first.reason == second.reason, f"a second run ended with {second.reason!r} instead of {first.reason!r}")
    alike = all(np.array_equal(a, b) for a, b in zip(seeded[0], now[0])) and seeded[1] == now[1]
    ensure(alike, "it draws from the global random numbers; they are to come from default_rng((seed, place))")


def check_resumes(algorithm: Algorithm, data: Dataset) -> None:
    """Goes on bit for bit from pickled copies of its states, a few steps from many and to the end from some."""
    run = recorded(algorithm, data)
    n = len(run.states)
    far = set(spread(n, 4))
    for i in sorted(far | set(range(min(n, 12))) | set(spread(n, 30))):
        state = run.states[i]
        copy: State = pickle.loads(pickle.dumps(state))
        ensure_same(state, copy, "out of a pickle, ")
        most = n - i - 1 if i in far else min(n - i - 1, 6)
        ended = i + 1 + most == n and run.reason is not None
        again = record(algorithm, run.problem, copy, most + ended)
        where = f"resumed from a copy of {described(state)}"
        for expected, found in zip(run.states[i + 1 :], again.states):
            ensure_same(expected, found, f"{where}, ")
        ensure(
            len(again.states) == most,
            f"{where}, it yields {len(again.states)} states instead of {most}, and ends with {again.reason!r}",
        )
        if ended:
            ensure(again.reason == run.reason, f"{where}, it ended with {again.reason!r} instead of {run.reason!r}")


def check_arrays(algorithm: Algorithm, data: Dataset) -> None:
    """What a state holds cannot be changed, and is not; nor are the data."""
    X, y = data.X.tobytes(), None if data.y is None else data.y.tobytes()
    run = record(algorithm, algorithm.problem(data))
    for state, then in zip(run.states, run.digests):
        for path, value in parts(state):
            if isinstance(value, np.ndarray):
                ensure(not value.flags.writeable, f"{described(state)}: {path} can be written to")
                ensure(
                    value.base is None,
                    f"{described(state)}: {path} is a view of another array, which may change under it",
                )
            elif not isinstance(value, (tuple, *_PLAIN)):
                fail(f"{described(state)}: {path} is a {type(value).__name__}, which can change; hold a tuple or array")
        ensure(digest(state) == then, f"{described(state)} was changed after it was yielded")
    unchanged = data.X.tobytes() == X and (data.y is None or data.y.tobytes() == y)
    ensure(unchanged, "the run changed the data")
