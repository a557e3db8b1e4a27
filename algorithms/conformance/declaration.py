"""The declaration says all that a person is shown, and every parameter's bounds hold what they promise."""

import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from algorithms import Algorithm, Dataset, Refused
from algorithms.conformance.runs import described, digest, ensure, ensure_fits, recorded, some, steps
from algorithms.conformance.theorems import hold_at
from algorithms.core import Curve, Parameter, Problem, State
from algorithms.core.catalogue import names as catalogued
from algorithms.playback.runs.request import requested

_TITLE = 60  # columns
_POINT = 90  # characters: two lines of the catalogue
_TRY = 36  # characters
_RULE = 60  # columns of a line of the update rule
_STATES = 120  # of a run at an edge
_FEW = 20  # of a run with a parameter that has no effect
_FIRST, _LAST = 24, 8  # of them, at which all theorems are held


def check_declaration(algorithm: Algorithm) -> None:
    """Words for all that is shown, names that are names of something."""
    ensure(0 < len(algorithm.title) <= _TITLE, f"the title {algorithm.title!r} is not 1 to {_TITLE} columns wide")
    ensure(_is_sentence(algorithm.summary), f"the summary is not a sentence: {algorithm.summary!r}")
    _check_point(algorithm)
    _check_tries(algorithm)
    for name in algorithm.after:
        ensure(name in catalogued(), f"there is no algorithm {name!r} to be met before it")
    lines = algorithm.rule.splitlines()
    ensure(1 <= len(lines) <= 5, f"the rule has {len(lines)} lines; 1 to 5 are shown")
    ensure_fits("a line of the rule", lines, _RULE)
    ensure(algorithm.references, "there are no references")
    ensure(len(algorithm.about.splitlines()) > 2, "its file has no docstring that says what it is")
    ensure(algorithm.datasets, "it starts with no data")
    ensure(algorithm.curves, "there is no curve")
    ensure(algorithm.theorems, "there is no theorem")
    for phase, words in algorithm.phases.items():
        ensure(words.strip(), f"what happens in the phase {phase!r} is not said")
    for name in algorithm.start_only:
        ensure(name in {p.name for p in algorithm.parameters}, f"{name!r} is fixed, and no parameter")
    for phase in algorithm.fork_after:
        ensure(phase in algorithm.phases, f"the entry {phase!r} is no phase")
    for event in algorithm.events:
        ensure(not event.phase or event.phase in algorithm.phases, f"the event {event.name!r} is no phase")
    for names in ([c.name for c in algorithm.curves], [t.statement for t in algorithm.theorems]):
        ensure(len(set(names)) == len(names), f"a name comes twice in {names}")
    for theorem in algorithm.theorems:
        ensure(re.search(r"\d{4}", theorem.source), f"{theorem.statement!r} has no year in its source")
        ensure("\n" not in theorem.statement, f"{theorem.statement!r} is more than a line")
    stated = [theorem.statement for theorem in algorithm.theorems]
    ensure(algorithm.in_hall in ("", *stated), f"what is in the hall, {algorithm.in_hall!r}, is no theorem")
    if algorithm.contrast is not None:
        known = {curve.name for curve in algorithm.curves}
        ensure({*algorithm.contrast.curves} <= known, "its contrast names what is no curve")
        ensure(
            len({*algorithm.contrast.curves}) == len({*algorithm.contrast.names}) == 2, "its contrast is of one thing"
        )
    for expected in algorithm.expectations:
        ensure(re.search(r"\d{4}", expected.source), f"{expected.statement!r} has no year in its source")
        ensure("\n" not in expected.statement, f"{expected.statement!r} is more than a line")
        ensure(expected.proof, f"{expected.statement!r} has no proof")
        known = {p.name for p in algorithm.parameters}
        ensure({*expected.fixed} <= known, f"{expected.statement!r} fixes what is no parameter")
        over = expected.over
        ensure(over in known or over.startswith("data."), f"{expected.statement!r} is over {over!r}, no parameter")


def check_objective(algorithm: Algorithm, data: Dataset) -> None:
    """An objective depends on what it is said to: the same state has another with another value of each parameter."""
    ensure(algorithm.objective is not None, "it does not say which curves measure its objective: {} for none")
    known = {curve.name for curve in algorithm.curves}
    known |= {name.removeprefix("training ").removeprefix("held-out ") for name in known}
    fixed = {*algorithm.start_only}  # they give the state its shape: there is no other for the same state
    run = recorded(algorithm, data)
    states = [run.states[i] for i in some(run.states)]
    others = [(name, other) for name, other in _others(algorithm, data, run.problem) if name not in fixed]
    for curves in algorithm.objective or {}:
        ensure({*curves} <= known, f"the objective of {curves}: one of them is no curve")
        measures = [c for c in algorithm.curves if c.name in curves or c.name.removeprefix("training ") in curves]
        if np.isnan([c.value(run.problem, state) for c in measures for state in states]).all():
            continue  # it is measured on other data
        setting = algorithm.objective_of(curves[0], run.problem)
        other_settings = [(name, p) for name, p in others if algorithm.objective_of(curves[0], p) != setting]
        moving = {
            name
            for name, other in other_settings
            if any(_differs(algorithm, c, run.problem, other, state) for c in measures for state in states)
        }
        still = sorted({name for name, _ in other_settings} - moving)
        ensure(not still, f"{curves} measure the same with another {', '.join(still)}: it is no part of the objective")


def _others(algorithm: Algorithm, data: Dataset, problem: Problem) -> Iterator[tuple[str, Problem]]:
    """The problem with another value of one parameter, for each and each of its other values."""
    for p in algorithm.parameters:
        now = getattr(problem.parameters, p.name)
        for value in [value for value in edges(p) if value != now]:
            with suppress(Refused):
                yield p.name, algorithm.problem(data, None, {p.name: value})


def _differs(algorithm: Algorithm, curve: Curve, problem: Problem, other: Problem, state: State) -> bool:
    """Whether a state, or what follows from it, is measured otherwise in another problem, or cannot be there."""
    now = curve.value(problem, state)
    rows = np.arange(problem.data.n if problem.data else 0)
    try:
        followed = state if algorithm.adapt is None else algorithm.adapt(problem, other, state, rows)
        then = [curve.value(other, each) for each in (state, followed) if isinstance(each, State)]
    except Exception:
        return True
    return not isinstance(followed, State) or any(value != now for value in then if value == value or now == now)


def _check_tries(algorithm: Algorithm) -> None:
    """What is to be tried at the end is a run of the same algorithm, and goes."""
    ensure(len(algorithm.tries) <= 2, f"{len(algorithm.tries)} things to try; there are two keys")
    for words, given in algorithm.tries:
        ensure(0 < len(words) <= _TRY, f"{words!r} has {len(words)} characters; {_TRY} fit")
        try:
            opened = requested([algorithm.name, *shlex.split(given)]).opened
        except Refused as refusal:
            raise AssertionError(f"{given!r} cannot be tried: {refusal}") from None
        assert opened is not None
        run = opened.timeline()
        run.advance(_FEW)
        ensure(run.stopped is None or not run.stopped.failed, f"{given!r} fails: {run.stopped}")


def _check_point(algorithm: Algorithm) -> None:
    """The point is read before anything is known: a short sentence without letters of the mathematics."""
    point = algorithm.point
    ensure(_is_sentence(point), f"the point is not a sentence: {point!r}")
    ensure(len(point) <= _POINT, f"the point has {len(point)} characters, more than {_POINT}")
    letters = {letter for symbols in algorithm.symbols for letter in symbols.split(", ")} - {"a", "A"}
    named = letters & {*re.findall(r"\w+", point)}
    ensure(not named, f"the point names {', '.join(sorted(named))}, which no one has met yet")


def _is_sentence(text: str) -> bool:
    return bool(text) and not text[0].islower() and text.endswith(".") and "\n" not in text


def check_parameters(algorithm: Algorithm) -> None:
    """Every number has both bounds, every parameter a description."""
    for p in algorithm.parameters:
        ensure(p.help.strip(), f"{p.name} has no description")
        if p.type in (int, float):
            ensure(p.least is not None and p.most is not None, f"{p.name} lacks a bound: {p.bounds}")
        else:
            known = p.choices or p.type is bool or p.type is str or getattr(p.type, "__origin__", None) is tuple
            ensure(known, f"{p.name} is a {p.type}, which no form can ask for")


def check_edges(algorithm: Algorithm, data: Dataset) -> None:
    """Every bound's edge and every choice runs, its theorems holding, or is refused in a sentence."""
    for p in algorithm.parameters:
        for value in edges(p):
            where = f"{p.name} = {value!r}"
            try:
                problem = algorithm.problem(data, None, {p.name: value})
            except Refused as refusal:
                said = str(refusal)
                ensure(len(said) > 10 and said.endswith("."), f"{where} is refused with {said!r}, which is no sentence")
                continue
            try:
                _check_edge(algorithm, problem)
            except Exception as error:
                raise AssertionError(f"{where}: {type(error).__name__}: {error}") from error


def _check_edge(algorithm: Algorithm, problem: Any) -> None:
    states = [state for _, state in steps(algorithm, problem, _STATES)]
    ensure(states, "it yields nothing")
    looked_at = {*range(min(len(states), _FIRST)), *range(max(len(states) - _LAST, 0), len(states))}
    for i in sorted(looked_at):
        hold_at(algorithm, problem, states[i - 1] if i else None, states[i])
    for i in some(states):
        before, after = (states[i - 1] if i else None), states[i]
        for curve in algorithm.curves:
            if not curve.phases or after.phase in curve.phases:
                float(curve.measure(problem, after))
        algorithm.scene(problem, before, after)
        ensure(algorithm.explain(problem, before, after), f"nothing explains {described(after)}")


def check_only_for(algorithm: Algorithm, data: Dataset) -> None:
    """A parameter that is said to have an effect for some values of another has none on the run for the others."""
    by_name = {p.name: p for p in algorithm.parameters}
    for name, (other, *values) in algorithm.only_for.items():
        ensure({name, other} <= {*by_name}, f"`only_for` names {name!r} and {other!r}; both must be parameters")
        unknown = set(values) - {*by_name[other].choices}
        ensure(not unknown, f"`only_for` has {other} = {unknown} for {name}, which are none of its choices")
        for value in set(by_name[other].choices) - {*values}:
            runs = [_run(algorithm, data, {other: value, name: edge}) for edge in edges(by_name[name])]
            ensure(
                len({*filter(None, runs)}) <= 1, f"{name} changes the run with {other} = {value}, `only_for` says not"
            )


def _run(algorithm: Algorithm, data: Dataset, parameters: dict[str, Any]) -> tuple[int, ...] | None:
    """Digests of the first states, or None where the parameters are refused."""
    try:
        problem = algorithm.problem(data, None, parameters)
    except Refused:
        return None
    return tuple(digest(state) for _, state in zip(range(_FEW), algorithm.start(problem)))


def edges(p: Parameter) -> list[Any]:
    """The bounds of a parameter (next to them where they are excluded), or all its choices."""
    if p.choices:
        return list(p.choices)
    if p.type is bool:
        return [False, True]
    found: list[Any] = []
    if p.type in (int, float):
        for bound, excluded, inwards in ((p.least, p.open_least, np.inf), (p.most, p.open_most, -np.inf)):
            if bound is not None:
                found.append(_beside(p.type, bound, inwards) if excluded else p.type(bound))
    return found


def _beside(kind: type, bound: float, inwards: float) -> Any:
    return int(bound + np.sign(inwards)) if kind is int else float(np.nextafter(bound, inwards))
