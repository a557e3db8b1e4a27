"""Answers: what a run says is right, by the language of conditions."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core import Ask, Curve, Refused
from algorithms.timeline import Timeline, conditions
from algorithms.timeline.conditions.moment import moment_at
from algorithms.timeline.conditions.values import number_of

_CHANGES = " changes"
_MOST_NAMED = 4  # rows of an answer in words


class Right(Struct, frozen=True):
    """What is right.

    Attributes:
        choice: which of the answers, from 0; None where it is another kind.
        number: the number itself.
        rows: the rows that are, () where there is none.
    """

    choice: int | None = None
    number: float | None = None
    rows: tuple[int, ...] | None = None


def can_be_asked(ask: Ask, run: Timeline, t: int) -> bool:
    """Tell whether a question is one about the step after t, as far as the run up to t tells: what it speaks of was
    measured before, as errors on rows held out are not where there are none.

    Raises:
        Unanswerable: when what it asks for raises.
    """
    if ask.at and not conditions.parse(ask.at, run).holds(run, t):
        return False
    return all(_measured_by(run, curve.name, t) for curve in curves_of(ask, run))


def curves_of(ask: Ask, run: Timeline) -> list[Curve]:
    """List the curves that a question speaks of."""
    if ask.kind == "choice":
        return [curve for _, text in ask.offered for curve in conditions.parse(text, run).predicate.curves]
    return list(conditions.parsed_value(ask.what.removesuffix(_CHANGES), run).curves)


def _measured_by(run: Timeline, curve: str, t: int) -> bool:
    steps, _ = run.curve(curve)
    return bool(len(steps) and steps[0] <= t)


def right_at(ask: Ask, run: Timeline, t: int) -> Right:
    """Ask a run what the answer was, once it has come to the step t that the question was about.

    Raises:
        Refused: when it has none, or more than one.
        Unanswerable: when what it asks for raises.
    """
    if ask.kind == "choice":
        holding = holding_at([condition for _, condition in ask.offered], run, t)
        if len(holding) != 1:
            which = " and ".join(repr(ask.offered[i][0]) for i in holding) or "none"
            raise Refused(f"one answer is to be right, but at step {t:,} it is {which}: {ask.question}")
        return Right(choice=holding[0])
    if ask.kind == "row":
        return Right(rows=_rows_at(ask, run, t))
    number = number_at(run, ask.what, t, fields=True)
    if number is None or math.isnan(number):
        raise Refused(f"{ask.what} has no value at step {t:,}: {ask.question}")
    return Right(number=number)


def holding_at(texts: Sequence[str], run: Timeline, t: int) -> list[int]:
    """List which of some conditions hold at a step."""
    return [i for i, text in enumerate(texts) if conditions.parse(text, run).holds(run, t)]


def number_at(run: Timeline, text: str, t: int, *, fields: bool = False) -> float | None:
    """Evaluate an expression at a step; None where it has no value."""
    moment = moment_at(run, t)
    return None if moment is None else number_of(conditions.parsed_value(text, run, fields=fields).of(moment))


def is_right(ask: Ask, right: Right, given: float) -> bool:
    """Tell whether an answer is right: the place of a choice, a number, or a row, below 0 for none."""
    if right.choice is not None:
        return given == right.choice
    if right.rows is not None:
        return given in right.rows if right.rows else given < 0
    assert right.number is not None
    return abs(given - right.number) <= ask.within * abs(right.number) + 1e-12 * abs(right.number)


def answer_in_words(ask: Ask, given: float) -> str:
    """Say an answer that was given, as `is_right` takes it."""
    if ask.kind == "choice":
        return ask.offered[int(given)][0]
    if ask.kind == "row":
        return f"row {given:.0f}" if given >= 0 else "none"
    return f"{given:.6g}"


def right_in_words(ask: Ask, right: Right) -> str:
    """Say what is right."""
    if right.choice is not None:
        return ask.offered[right.choice][0]
    if right.number is not None:
        return f"{right.number:.6g}"
    rows = right.rows or ()
    if not rows:
        return "none"
    more = f" and {len(rows) - _MOST_NAMED} more" if len(rows) > _MOST_NAMED else ""
    return f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows[:_MOST_NAMED]))}{more}"


def _rows_at(ask: Ask, run: Timeline, t: int) -> tuple[int, ...]:
    changes = ask.what.endswith(_CHANGES)
    value = _value_at(run, ask.what.removesuffix(_CHANGES), t)
    n = run.problem_at(t).data.n
    if changes:
        earlier = _value_at(run, ask.what.removesuffix(_CHANGES), t - 1)
        if np.shape(value) != np.shape(earlier) or np.shape(value)[:1] != (n,):
            raise Refused(f"{ask.what} names no rows at step {t:,}: {ask.question}")
        differ = np.asarray(value) != np.asarray(earlier)
        return _places(differ.reshape(n, -1).any(axis=1))
    numbers = np.asarray(value)
    if numbers.dtype.kind not in "biuf":
        raise Refused(f"{ask.what} has no value at step {t:,}: {ask.question}")
    if numbers.shape == (n,):
        return _places(numbers if numbers.dtype.kind == "b" else numbers == numbers.max())
    named = np.unique(numbers.astype(int))
    return tuple(named[named >= 0].tolist())


def _value_at(run: Timeline, text: str, t: int) -> Any:
    moment = moment_at(run, t)
    return None if moment is None else conditions.parsed_value(text, run).of(moment)


def _places(marked: Any) -> tuple[int, ...]:
    return tuple(np.flatnonzero(marked).tolist())
