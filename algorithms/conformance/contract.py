"""What every algorithm file says and keeps: its symbols and proofs, theorems that can fail, data that it lets go of."""

import gc
import re
import unicodedata
import weakref
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms import Algorithm, Dataset, Label, Move, Timeline, edited
from algorithms.conformance.forks import entries
from algorithms.conformance.runs import STATES, advanced, described, ensure, ensure_fits, fail, recorded, some, steps
from algorithms.conformance.samples import with_settings
from algorithms.conformance.whole import choices
from algorithms.core import Edit, Problem, State, Theorem
from algorithms.core.state import axes_of, fields_of_rows, same

_PROOF = 90  # columns of a line of a proof
_IN_FEW_FONTS = re.compile("[\u2100-\u214f\U0001d400-\U0001d7ff]")  # letterlike symbols, mathematical alphabets
_BY_PLACE = re.compile(r"theorem (?:before|above|below)|(?:next|previous|last|first) theorem")  # places change
_DISTURBED = 120  # states of a run that may be disturbed
_OPERATORS = "ΣΠΔ"  # of sums, products and differences: they stand for no number
_LETTER = re.compile(r"(?<![A-Za-zα-ωΑ-Ω_'])([A-Za-zα-ωΑ-Ω])(?![A-Za-zα-ωΑ-Ω])(\()?")  # with what it is a function of
_ARTICLE = re.compile(r"[aA] [A-Za-zα-ω][a-z]+")


# Symbols and proofs


def check_page(algorithm: Algorithm) -> None:
    """Every theorem has a proof, every letter of what is stated a meaning, and one alone."""
    ensure(algorithm.symbols, "no symbol is explained: say in `symbols` what the letters mean")
    for letter, (meaning, _) in algorithm.symbols.items():
        ensure(letter.strip() and meaning.strip(), f"the symbol {letter!r} is not explained")
    for theorem in algorithm.theorems:
        ensure(theorem.proof, f"{theorem.statement!r} has no proof")
        for line in theorem.proof:
            by_place = f"{theorem.statement!r} names another by its place; let it say which: {line!r}"
            ensure(not _BY_PLACE.search(line), by_place)
            ensure(line, f"a line of the proof of {theorem.statement!r} is empty")
        for phase in theorem.phases:
            ensure(phase in algorithm.phases, f"{theorem.statement!r} names the phase {phase!r}; there is none")
    ensure_fits("a line of a proof", (line for theorem in algorithm.theorems for line in theorem.proof), _PROOF)
    stated = " ".join([algorithm.rule, *(theorem.statement for theorem in algorithm.theorems)])
    explained = ", ".join(algorithm.symbols)
    marks = [letter for letter in stated + explained if unicodedata.combining(letter)]
    ensure(
        not marks, f"a letter with a combining mark ({', '.join(map(unicodedata.name, marks))}) has no cell of its own"
    )
    said = "".join((stated, explained, *(line for theorem in algorithm.theorems for line in theorem.proof)))
    if drawn := _IN_FEW_FONTS.search(said):
        fail(f"{drawn[0]} ({unicodedata.name(drawn[0])}) is in few terminal fonts: take a plain or a Greek letter")
    known = {letter for letter, _ in letters(explained)} | set(re.findall("[α-ωΑ-Ω]", explained))
    used = {letter for letter, _ in letters(stated)} | set(re.findall("[α-ωΑ-Ω]", stated))
    unknown = sorted(used - known - {*_OPERATORS})
    ensure(not unknown, f"{', '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} not explained in `symbols`")
    lines = [letters(re.sub(r"\([^()]*\)", "()", line)) for line in algorithm.symbols]
    both = {a for one in lines for a, of in one if of and any({(a, False)} <= other for other in lines if other != one)}
    ensure(not both, f"{sorted(both)} is a function in one line of `symbols` and a number in another")


def letters(text: str) -> set[tuple[str, bool]]:
    """The letters that stand alone, each with whether it is a function; e of e^x and the article a are none."""
    found = set()
    for match in _LETTER.finditer(text):
        letter, after = match[1], text[match.end(1) :]
        if not (letter == "e" and after.startswith("^")) and not _ARTICLE.match(text[match.start() :]):
            found.add((letter, match[2] is not None))
    return found


def check_symbols(algorithm: Algorithm, data: Dataset) -> None:
    """The value of a symbol is a finite number, or None."""
    run = recorded(algorithm, data)
    for i in some(run.states):
        for letter, (_, value) in algorithm.symbols.items():
            now = None if value is None else value(run.problem, run.states[i])
            where = f"{described(run.states[i])}: {letter} is {now!r}"
            ensure(now is None or np.ndim(now) == 0 and np.isfinite(float(now)), f"{where}; it must be finite or None")


# Theorems that can fail


def check_can_fail(algorithm: Algorithm, data: Sequence[Dataset], planted: Collection[str] = ()) -> None:
    """Each theorem fails for some small change of a state.

    Args:
        algorithm, data: what is checked.
        planted: the statements of those that a planted fault breaks, as a test shows: these are not disturbed.
    """
    deaf = {theorem.statement: theorem for theorem in algorithm.theorems if theorem.statement not in planted}
    runs = (recorded(each, one) for each, one in with_settings(algorithm, data))
    known = ((run.problem, run.states[:_DISTURBED]) for run in runs)
    others = (
        (problem, [state for _, state in steps(algorithm, problem, _DISTURBED)])
        for problem in choices(algorithm, data[0])
    )
    for problem, states in chain(known, others):
        if not deaf:
            return
        for statement in [s for s, theorem in deaf.items() if _can_fail(theorem, problem, states)]:
            del deaf[statement]
    ensure(
        not deaf,
        f"nothing breaks {list(deaf)}: a theorem that cannot fail shows nothing; sharpen it, or name in PLANTED of its "
        "test the fault that does",
    )


def _can_fail(theorem: Theorem, problem: Problem, states: list[State]) -> bool:
    for i in some(states):
        before = states[i - 1] if i else None
        for disturbed in _disturbed(states[i]):
            try:
                if theorem.verdict(problem, before, disturbed).status == "fails":
                    return True
            except Exception:  # a state that cannot be says nothing of the theorem
                continue
    return False


def _disturbed(state: State) -> Iterator[State]:
    """The state with one of its fields changed by a little, in several ways."""
    rng = np.random.default_rng(0)
    for name, value in state.parts().items():
        for changed in _changes(value, rng):
            yield replace(state, **{name: changed})


def _changes(value: Any, rng: np.random.Generator) -> Iterator[Any]:
    if isinstance(value, np.ndarray) and value.size and value.dtype.kind == "f":
        yield value * (1 + 0.05 * rng.standard_normal(value.shape)) + 1e-3 * rng.standard_normal(value.shape)
        yield value * 1.2
        yield -value
    elif isinstance(value, np.ndarray) and value.size and value.dtype.kind in "iub":
        yield rng.permutation(value.ravel()).reshape(value.shape)
        yield np.roll(value, 1)
        yield np.zeros_like(value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, float):
        yield value * 1.05 + 1e-3
        yield -value - 1.0
    elif isinstance(value, int):
        yield value + 1
        yield 1_000 + 10 * value
    elif isinstance(value, tuple) and value:
        yield value[:-1]
        for changed in _changes(value[-1], rng):
            yield (*value[:-1], changed)


# What was measured on rows


def check_measured(algorithm: Algorithm, data: Dataset) -> None:
    """After a fork with a row moved or labelled anew, what was measured on the rows is what a fresh run measures."""
    for name in algorithm.measured:
        ensure(name in {*recorded(algorithm, data).states[0].parts()}, f"`measured` names {name!r}; there is no field")
    if not algorithm.measured:
        return
    run = advanced(algorithm, data)
    for edit in _edits(data):
        changed = edited(data, [edit])
        fresh = Timeline(algorithm, changed)
        fresh.advance(STATES)
        for t in entries(algorithm, run):
            _check_measured(run.fork(t, data=changed), fresh, f"forked at step {t} with {type(edit).__name__}")


def _edits(data: Dataset) -> list[Edit]:
    edits: list[Edit] = [Move(0, tuple(data.X[0] + 2.0 * data.X.std(axis=0)))]
    if data.kind == "number" and data.y is not None:
        edits.append(Label(0, 10 * float(np.abs(data.y).max()) + 1))
    if data.kind == "class" and data.y is not None:
        edits.append(Label(0, (int(data.y[0]) + 1) % len(data.classes)))
    return edits


def _check_measured(fork: Timeline, fresh: Timeline, where: str) -> None:
    if fork.from_start or fork.begin > fresh.last:
        return
    mine, theirs = fork.at(fork.begin).state, fresh.at(fork.begin).state
    for name in fork.algorithm.measured:
        ensure(
            same(getattr(mine, name), getattr(theirs, name)),
            f"{where}: {name} was measured on rows that have changed since, and is kept; answer FromStart in `adapt`",
        )


# What fields run along


def check_rows_named(state: State, n: int, where: str) -> None:
    for name in fields_of_rows(type(state)):
        named = np.asarray(getattr(state, name))
        ensure(bool(((named >= -1) & (named < n)).all()), f"{where}: {name} is {named}, and there are {n} rows")


def check_lengths(algorithm: Algorithm, data: Dataset) -> None:
    """A field that says that it runs along the rows is as long as there are rows; one that names a row names one."""
    run = recorded(algorithm, data)
    axes = axes_of(type(run.states[0]))
    for state in (run.states[i] for i in some(run.states)):
        check_rows_named(state, data.n, described(state))
        for name, along in axes.items():
            value = getattr(state, name)
            if not isinstance(value, np.ndarray):
                continue
            ensure(value.ndim == len(along), f"{described(state)}: {name} is {value.shape} and runs along {along}")
            for length, axis in zip(value.shape, along):
                wanted = {"n": data.n, "d": data.d}.get(axis, length)
                ensure(
                    length == wanted,
                    f"{described(state)}: {name} is {value.shape} for {data.n} rows, {data.d} features",
                )


# Data that are let go of


def check_lets_go(algorithm: Algorithm, data: Dataset) -> None:
    """Nothing keeps the data when the run, its hooks' values and its scenes are gone."""
    if not data:
        return
    rows = Dataset(
        data.X.copy(),
        None if data.y is None else data.y.copy(),
        name=data.name,
        kind=data.kind,
        features=data.features,
        classes=data.classes,
        image=data.image,
        truth=data.truth,
    )
    gone = weakref.ref(rows)
    _looked_at(algorithm, rows)
    del rows
    if gone() is not None:  # by a circle of references, or by somebody
        gc.collect()
    ensure(gone() is None, "the data are kept when the run is gone: share by `data.once`, keep by `@once` and `@kept`")


def _looked_at(algorithm: Algorithm, data: Dataset) -> None:
    problem = algorithm.problem(data)
    before: State | None = None
    for state, _ in zip(algorithm.start(problem), range(12)):
        for curve in algorithm.curves:
            curve.value(problem, state)
        for theorem in algorithm.theorems:
            theorem.verdict(problem, before, state)
        algorithm.scene(problem, before, state)
        algorithm.explain(problem, before, state)
        before = state
