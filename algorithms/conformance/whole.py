"""What an algorithm keeps to over all its data sets together, and over runs longer than a screenful."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from time import process_time

from algorithms import Algorithm, Dataset, Refused, Timeline
from algorithms.conformance.declaration import edges
from algorithms.conformance.runs import ensure, ensure_same, fail, record, recorded, steps
from algorithms.conformance.samples import with_settings
from algorithms.conformance.theorems import hold_at, measured_at
from algorithms.core import Problem

_LONG = 4000  # states of a long run, as many as are measured one by one
_SECONDS = 2.0  # of the processor that it may take
_PART = 50  # states between two looks at the clock
_OFFERED = 3  # data sets on which other choices are tried: some are for classes and some for numbers


def check_long_run(algorithm: Algorithm, data: Dataset) -> None:
    """A few thousand states on, or at its end: no theorem failed, no hook raised, and it still resumes."""
    run = Timeline(algorithm, data)
    began = process_time()
    while run.last < _LONG and process_time() - began < _SECONDS and run.advance(_PART):
        pass
    ensure(not (run.stopped and run.stopped.failed), f"the run failed: {run.stopped and run.stopped.details}")
    for failure in run.failures:
        fail(f"step {failure.t}: {failure.verdict.theorem.statement!r} fails: {failure.verdict.sides}")
    ensure(not run.troubles, f"a hook raised: {[t.what + ': ' + t.error for t in run.troubles]}")
    for t in {run.last * 2 // 3, max(run.last - 3, 0)}:
        for i, state in enumerate(record(algorithm, run.problem, run.at(t).state, min(run.last - t, 40)).states, t + 1):
            ensure_same(run.at(i).state, state, f"resumed at {t}, ")
    for t in {run.last // 2, run.last}:
        frame = run.at(t)
        algorithm.scene(run.problem, frame.before, frame.state)
        algorithm.explain(run.problem, frame.before, frame.state)


def check_theorems_apply(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    """Each theorem applies at some step on some of the data, or with another choice of one parameter."""
    missing = {theorem.statement for theorem in algorithm.theorems}
    for each, one in with_settings(algorithm, data):
        if not missing:
            return
        run = recorded(each, one)
        among = frozenset(missing)  # on these data they hold at every step: those with rows held out, say, are new here
        for before, after in zip((None, *run.states), run.states):
            missing -= hold_at(each, run.problem, before, after, among=among)
    for problem in chain.from_iterable(choices(algorithm, one) for one in data[:_OFFERED]):
        if not missing:
            return
        for before, after in steps(algorithm, problem):
            missing -= hold_at(algorithm, problem, before, after, among=missing)
            if not missing:
                return
    ensure(not missing, f"never applies: {sorted(missing)}")


def check_curves_defined(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    """Each curve is a number at some step on some of the data."""
    missing = {curve.name for curve in algorithm.curves}
    for each, one in with_settings(algorithm, data):
        if not missing:
            return
        run = recorded(each, one)
        curves = [curve for curve in each.curves if curve.name in missing]
        for curve, state in product(curves, run.states):
            if (not curve.phases or state.phase in curve.phases) and measured_at(curve, run.problem, state):
                missing.discard(curve.name)
    ensure(not missing, f"never a number: {sorted(missing)}")


def check_phases_come(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    """Each phase and each event comes on some of the data, or with another choice of one or two parameters."""
    missing = {*algorithm.phases, *(event.name for event in algorithm.events)}
    runs = (recorded(each, one).states for each, one in with_settings(algorithm, data))
    known = (zip([None, *states], states) for states in runs)
    problems = chain(choices(algorithm, data[0]), choices(algorithm, data[0], 2))
    for before, after in chain.from_iterable(chain(known, (steps(algorithm, problem) for problem in problems))):
        missing.discard(after.phase)
        missing -= {event.name for event in algorithm.events if event.name in missing and event.happened(before, after)}
        if not missing:
            return
    fail(f"never comes: {sorted(missing)}")


def choices(algorithm: Algorithm, data: Dataset, together: int = 1) -> Iterator[Problem]:
    """Problems with so many parameters at an edge or at another of their choices."""
    for parameters in combinations(algorithm.parameters, together):
        for values in product(*map(edges, parameters)):
            changed = {parameter.name: value for parameter, value in zip(parameters, values)}
            try:
                yield algorithm.problem(data, None, changed)
            except Refused:
                continue
