"""Forks: from every place the declaration offers, under every parameter that may change."""

from typing import Any

from algorithms import Algorithm, Dataset, Refused, Timeline
from algorithms.conformance.runs import advanced, ensure, ensure_same, fail, without_measures
from algorithms.conformance.theorems import hold_at
from algorithms.core import Parameter
from algorithms.core.state import same

_ON = 12  # steps that a fork runs on
_CLOSELY = 2  # of them, from the first on, at which the words beside each theorem are looked at
_CHUNK = 20  # steps that a run is advanced at a time, until it differs from another


def check_forks(algorithm: Algorithm, data: Dataset) -> None:
    """A fork at every entry phase, with each parameter or nothing changed, runs on and its theorems hold."""
    run = advanced(algorithm, data)
    for t in entries(algorithm, run):
        where = f"forked at step {t} ({run.kind(t).phase})"
        _check_unchanged(run, t, where)
        ensure(run.nearest_entry(t) == t, f"{where}: the fork begins at {run.nearest_entry(t)} instead")
    for place, parameter in enumerate(p for p in algorithm.parameters if not p.start_only):
        forks = [_check_changed(run, t, parameter) for t in one_of_each_phase(algorithm, run, place)]
        _check_taken(run, parameter, [fork for fork in forks if fork])


def entries(algorithm: Algorithm, run: Timeline) -> list[int]:
    """An early and a later step of each phase after which a fork may begin."""
    return [t for places in by_phase(algorithm, run) for t in places]


def one_of_each_phase(algorithm: Algorithm, run: Timeline, place: int) -> list[int]:
    """Of each phase the early or the later one, in turn from change to change: `place` counts the changes."""
    return [places[(place + i) % len(places)] for i, places in enumerate(by_phase(algorithm, run))]


def by_phase(algorithm: Algorithm, run: Timeline) -> list[list[int]]:
    """The early and the later step of each phase after which a fork may begin, one where they are the same."""
    found: list[list[int]] = []
    for phase in algorithm.fork_after:
        ensure(phase in algorithm.phases, f"the entry {phase!r} is no phase")
        places = [t for t in range(len(run)) if run.kind(t).phase == phase]
        if places:
            found.append(sorted({places[0], places[len(places) // 2]}))
    return found


def _check_unchanged(run: Timeline, t: int, where: str) -> None:
    fork = run.fork(t)
    fork.advance(min(_ON, run.last - t))
    for i in range(t, len(fork)):
        ensure_same(run.at(i).state, fork.at(i).state, f"{where} with nothing changed, ")


def _check_changed(run: Timeline, t: int, parameter: Parameter) -> Timeline | None:
    """A fork with the mildest other value that is taken, None where none is."""
    where, refused = f"forked at step {t} ({run.kind(t).phase})", ""
    for value in others(parameter):
        try:
            fork = run.fork(t, **{parameter.name: value})
        except Refused as refusal:
            refused = str(refusal)
            continue
        check_runs_on(fork, f"{where} with {parameter.name} = {value!r}")
        return fork
    ensure(refused and refused[-1] == ".", f"{where}: no other value of {parameter.name} is taken, and why is not said")
    return None


def _check_taken(run: Timeline, parameter: Parameter, forks: list[Timeline]) -> None:
    """A parameter that changes a run from its start can change it in a fork too; else it is to be fixed.

    Mostly one of the forks that are there shows it.
    """
    if any(_has_parted(run, fork) for fork in forks):
        return
    bare = advanced(without_measures(run.algorithm), run.data)
    for value in others(parameter):
        changed = {parameter.name: value}
        try:
            from_start = Timeline(bare.algorithm, bare.data, changed)
            places = [(t, bare.fork(t, **changed)) for t in entries(bare.algorithm, bare)]
        except Refused:
            continue
        if _parts(bare, from_start, 0) and not any(_parts(bare, fork, t) for t, fork in places):
            fail(
                f"{parameter.name} = {value!r} makes another run from the start, but changes nothing in a fork: "
                "what matters at the start alone is to be named in `fixed`"
            )
        return


def _has_parted(run: Timeline, fork: Timeline) -> bool:
    """Whether the fork differs from the run as far as it has come."""
    both = range(fork.begin, min(len(run), len(fork)))
    return any(not same(run.at(t).state, fork.at(t).state) for t in both)


def _parts(run: Timeline, other: Timeline, begin: int) -> bool:
    """Whether the other run differs anywhere from `begin` on; it is advanced no further than to where it does."""
    t = begin
    while t <= run.last:
        if t >= len(other) and not other.advance(min(_CHUNK, len(run) - t)):
            return True
        if not same(run.at(t).state, other.at(t).state):
            return True
        t += 1
    return False


def check_runs_on(fork: Timeline, where: str, steps: int = _ON) -> None:
    """A fork goes on for so many steps without an error, and its theorems hold there."""
    fork.advance(steps)
    looked_at = {*range(fork.begin, fork.begin + _CLOSELY), fork.last}  # the timeline has measured the theorems of all
    ensure(not (fork.stopped and fork.stopped.failed), f"{where} it failed: {fork.stopped and fork.stopped.reason}")
    for t in range(fork.begin, len(fork)):
        frame = fork.at(t)
        ensure(frame.state.t == t, f"{where}, the state at {t} has t = {frame.state.t}")
        if t not in looked_at:
            continue
        try:
            hold_at(fork.algorithm, fork.problem, frame.before, frame.state, forked=True)
        except AssertionError as error:
            raise AssertionError(f"{where}, {error}") from None
    for failure in fork.failures:
        fail(f"{where}, step {failure.t}: {failure.verdict.theorem.statement!r} fails: {failure.verdict.sides}")
    frame = fork.at(fork.last)
    fork.algorithm.scene(fork.problem, None, fork.at(fork.begin).state)
    fork.algorithm.explain(fork.problem, None, fork.at(fork.begin).state)
    fork.algorithm.scene(fork.problem, frame.before, frame.state)
    ensure(not fork.troubles, f"{where} a hook raised: {[t.what + ': ' + t.error for t in fork.troubles]}")


def others(parameter: Parameter) -> list[Any]:
    """Other values that a parameter may be given, the mildest first."""
    default = parameter.default
    if parameter.choices:
        return [choice for choice in parameter.choices if choice != default]
    if parameter.type is bool:
        return [not default]
    if parameter.type in (int, float):
        usual = 1 if default in parameter.words else default
        wanted = [usual * 2, usual / 2, usual + 1, usual - 1, parameter.most, parameter.least]
        values = [parameter.type(v) for v in wanted if v is not None and within(parameter, parameter.type(v))]
        return [v for v in dict.fromkeys(values) if v != default]
    return []


def within(parameter: Parameter, value: float) -> bool:
    low, high = parameter.least, parameter.most
    above = low is None or value > low or (value == low and not parameter.open_least)
    below = high is None or value < high or (value == high and not parameter.open_most)
    return above and below
