"""Hard runs drawn by a seed: data of sizes from 1e-8 to 1e8, parameters, forks and edits.

The columns are copies, means of others and constants, the rows tie or come twice, there are fewer of them than columns,
or all are of one class. A seed and an algorithm's name give the same run again.
"""

import math
import zlib
from collections.abc import Iterator
from typing import Any, get_args

import numpy as np

from algorithms import Add, Algorithm, Dataset, Label, Move, Refused, Remove, Timeline, edited
from algorithms.core import Array, Edit, Parameter
from algorithms.playback.pictures.viewer import Viewer
from tests.numbers.cases import Rows, dataset
from tests.numbers.checks import check_picture, check_refusal, check_run, check_taken_up
from tests.numbers.drawn import bound_of

FORKS = 4  # of a run, some of them from forks
_MOST = 24  # of whole numbers: as many degrees, trees and parts as data of this size need
_SECONDS = 2.0  # of a run whose steps are dear


class Fault(AssertionError):
    """What a run did that it may not, with all that it takes to see it again."""


def check_seed(algorithm: Algorithm, seed: int, steps: int, seconds: float = _SECONDS) -> str:
    """Run what the seed gives, fork it, edit it, and look; returns how the first run went, as `check_hard` does.

    Raises:
        Fault: where it failed, a theorem did, or a picture could not be made.
    """
    rng = np.random.default_rng((zlib.crc32(algorithm.name.encode()), seed))
    try:
        run, given = _begun(rng, algorithm, dataset(hard_rows(rng, algorithm.needs.classes), algorithm.needs))
    except Refused as refusal:
        check_refusal(str(refusal))
        return "refused"
    where = f"seed {seed}, {given}"
    _check(run, steps, seconds, rng, where)
    runs = [run]
    for _ in range(FORKS):
        parent = runs[int(rng.integers(len(runs)))]
        fork, how = _forked(rng, parent)
        if fork is not None:
            _check(fork, steps // 2, seconds, rng, f"{where}; {how}")
            runs.append(fork)
    return "ended" if run.stopped else "went on"


def _begun(rng: np.random.Generator, algorithm: Algorithm, data: Dataset) -> tuple[Timeline, dict[str, Any]]:
    """A run with parameters that are taken, at last the defaults, and those parameters."""
    for share in (0.35, 0.35, 0.1):
        given = parameters(rng, algorithm, max(data.n, 2), share)
        try:
            return Timeline(algorithm, data, given), given
        except Refused as refusal:
            check_refusal(str(refusal))
    return Timeline(algorithm, data), {}


def _check(run: Timeline, steps: int, seconds: float, rng: np.random.Generator, where: str) -> None:
    run.advance(steps, seconds)
    t = int(rng.integers(run.begin, len(run)))
    try:
        check_run(run)
        check_taken_up(run, t)
        check_picture(Viewer(run).picture(run.at(t), 60, 30))
    except AssertionError as error:
        raise Fault(f"{error}; of {where}") from error


def _forked(rng: np.random.Generator, run: Timeline) -> tuple[Timeline | None, str]:
    """A fork with a parameter or two, rows or both changed, where it is taken, and how it was made."""
    t = run.nearest_entry(int(rng.integers(run.begin, len(run))))
    changes = parameters(rng, run.algorithm, max(run.data.n, 2), 0.15)
    changes = {p.name: changes[p.name] for p in run.algorithm.parameters if not p.start_only and p.name in changes}
    edits = list(drawn_edits(rng, run.data)) if run.data and (not changes or rng.random() < 0.5) else []
    how = f"forked at {t} with {changes} {edits}"
    try:
        return run.fork(t, data=edited(run.data, edits), **changes), how
    except Refused as refusal:
        if "`adapt`" in str(refusal):
            raise Fault(f"{refusal}; {how}") from refusal
        check_refusal(str(refusal))
        return None, how


def hard_rows(rng: np.random.Generator, classes: int | None = None) -> Rows:
    """Rows that rounding, ties or ranks make hard, with targets of both kinds, of so many classes or two to four."""
    n = int(rng.choice([3, 4, 5, 6, 8, 12, 20, 30]))
    d = int(rng.choice([1, 2, 2, 3, 4, 6, n + 2]))
    codes = _codes(rng, n, classes)
    X = _alike(rng, _cells(rng, n, d) + codes[:, None] * rng.choice([0.0, 1.0, 4.0]))
    numbers = _numbers(rng, X)
    X = X * _sizes(rng, d)
    if rng.random() < 0.15:
        X = X + rng.choice([10.0, 1e3, 1e6]) * np.abs(X).max(axis=0)
    held_out = int(rng.integers(1, n // 2)) if n > 5 and rng.random() < 0.15 else 0
    return Rows(X, codes, numbers, tuple("abcd"[: max(int(codes.max()) + 1, 2)]), held_out)


def _cells(rng: np.random.Generator, n: int, d: int) -> Array:
    """Numbers of all digits, of two, one or none, or only 0 and 1."""
    X = rng.standard_normal((n, d))
    digits = rng.choice(["all", "two", "one", "none", "bits"], p=[0.4, 0.2, 0.15, 0.15, 0.1])
    if digits == "bits":
        return np.where(X > 0, 1.0, 0.0)
    return X if digits == "all" else np.round(X, {"two": 2, "one": 1, "none": 0}[str(digits)])


def _alike(rng: np.random.Generator, X: Array) -> Array:
    """Some columns made of others, or constant; some rows that come twice."""
    n, d = X.shape
    X = X.copy()
    for j in range(1, d):
        a, b = rng.integers(0, j, 2)
        made = rng.choice(["own", "copy", "turned", "mean", "constant", "zero"], p=[0.6, 0.14, 0.06, 0.08, 0.07, 0.05])
        match str(made):
            case "copy":
                X[:, j] = X[:, a]
            case "turned":
                X[:, j] = -X[:, a]
            case "mean":
                X[:, j] = (X[:, a] + X[:, b]) / 2
            case "constant":
                X[:, j] = rng.choice([0.1, 1.0, 3.0])
            case "zero":
                X[:, j] = 0.0
    if rng.random() < 0.25:
        twice = rng.integers(0, n, (2, max(n // 4, 1)))
        X[twice[0]] = X[twice[1]]
    return X[:, rng.permutation(d)]


def _sizes(rng: np.random.Generator, d: int) -> Array:
    """The unit of each column: one for all in most cases, or 1 of them all."""
    match str(rng.choice(["usual", "one", "each", "issue"], p=[0.4, 0.3, 0.2, 0.1])):
        case "one":
            return np.full(d, 10.0 ** rng.uniform(-8, 8))
        case "each":
            return np.asarray(10.0 ** rng.uniform(-8, 8, d))
        case "issue":
            return np.resize([1e5, 1.0, 1e-4], d)
    return np.ones(d)


def _codes(rng: np.random.Generator, n: int, classes: int | None) -> Array:
    """Class codes 0 .. k - 1, mostly of two classes, each with a row; seldom of one alone."""
    if rng.random() < 0.05:
        return np.full(n, int(rng.integers(0, 2)))
    k = classes or (int(rng.choice([2, 2, 2, 3, 4])) if n > 4 else 2)
    codes = rng.integers(0, k, n) if rng.random() < 0.5 else np.arange(n) % k
    codes[rng.permutation(n)[:k]] = np.arange(k)
    return np.asarray(codes)


def _numbers(rng: np.random.Generator, X: Array) -> Array:
    """Targets that follow the columns, of any size, that tie, are constant, or know nothing of them."""
    n, d = X.shape
    y = X @ rng.standard_normal(d) + rng.choice([0.0, 1e-6, 0.1, 1.0]) * rng.standard_normal(n)
    match str(rng.choice(["follow", "noise", "tie", "constant"], p=[0.6, 0.15, 0.2, 0.05])):
        case "noise":
            y = rng.standard_normal(n)
        case "tie":
            y = np.round(y)
        case "constant":
            y = np.full(n, 0.3)
    if rng.random() < 0.2:
        y = y + rng.choice([10.0, 1000.0, 1e6])
    return np.asarray(y * (10.0 ** rng.uniform(-8, 8) if rng.random() < 0.3 else 1.0))


def parameters(rng: np.random.Generator, algorithm: Algorithm, n: int, share: float = 0.35) -> dict[str, Any]:
    """Some of the parameters, each with a value within its bounds."""
    return {p.name: _value(rng, p, n) for p in algorithm.parameters if rng.random() < share}


def _value(rng: np.random.Generator, p: Parameter, n: int) -> Any:
    if p.choices:
        return p.choices[rng.integers(len(p.choices))]
    if p.type is bool:
        return bool(rng.integers(2))
    if p.words and rng.random() < 0.4:
        return p.words[rng.integers(len(p.words))]
    if p.lengths is not None:
        whole = get_args(p.type)[0] is int
        each = int(rng.integers(p.lengths[0], min(p.lengths[1], p.lengths[0] + 2) + 1))
        return tuple(_whole(rng, p, n) if whole else _real(rng, p) for _ in range(each))
    return _whole(rng, p, n) if isinstance(p.default, int) else _real(rng, p)


def _whole(rng: np.random.Generator, p: Parameter, n: int) -> int:
    low = math.ceil(bound_of(p, False))
    high = max(min(int(bound_of(p, True)), _MOST), low)
    return int(min(max(rng.choice([low, low + 1, n - 1, n, rng.integers(low, high + 1)]), low), high))


def _real(rng: np.random.Generator, p: Parameter) -> float:
    """At a bound, evenly between them, or evenly between their logarithms."""
    low, high = bound_of(p, False), bound_of(p, True)
    how = rng.random()
    if how < 0.15:
        return float(rng.choice([low, high]))
    if how < 0.3 or high <= 0:
        return float(rng.uniform(low, high))
    size = math.exp(rng.uniform(math.log(max(low, high * 1e-12)), math.log(high)))
    return min(max(size, low), high)


def drawn_edits(rng: np.random.Generator, data: Dataset) -> Iterator[Edit]:
    """A few rows moved onto others, far away or a little, added, taken out or labelled anew."""
    n = data.n
    for _ in range(int(rng.integers(1, 4))):
        row, other = (int(i) for i in rng.integers(0, n, 2))
        inputs = data.inputs.X
        spread = inputs.std(axis=0) * rng.choice([0.0, 0.1, 3.0])
        at = tuple((inputs[other % len(inputs)] + spread * rng.standard_normal(inputs.shape[1])).tolist())
        y = None if data.y is None else data.y[other % data.n].item()
        match int(rng.integers(4)):
            case 0:
                yield Move(row, at)
            case 1:
                yield Add(at, y)
                n += 1
            case 2 if n > 2:
                yield Remove(row)
                n -= 1
            case 3 if y is not None:
                yield Label(row, y if data.kind == "class" else y * float(rng.choice([-1.0, 2.0])))
