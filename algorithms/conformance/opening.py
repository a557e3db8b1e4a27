"""The run that an algorithm opens with: a theorem of the lecture comes first, and each speaks or says why not."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from algorithms import Algorithm, Dataset, Timeline
from algorithms.conformance.runs import ensure, recorded, steps
from algorithms.conformance.samples import with_settings
from algorithms.core import Ask, State
from algorithms.playback.asks.answers import can_be_asked, is_right, right_at, right_in_words

_MOST = 500  # states of the opening run that are asked
_QUESTION = 78  # columns: one line of the narrowest screen
_AT_ONCE = 25  # states of it, between two looks at whether all questions had different answers
_RULE = re.compile(r"that is (the|what) (rule|order|protocol|is meant)")  # a proof that says so proves nothing


def check_first_theorem(algorithm: Algorithm) -> None:
    """The first theorem is one of the lecture, not the rule itself: it is the one on the first screen."""
    for theorem in algorithm.theorems[:1]:
        ensure(
            not any(_RULE.search(line) for line in theorem.proof),
            f"{theorem.statement!r} comes first, and is the rule: let a theorem of the lecture be the first",
        )


def check_theorems_speak(
    algorithm: Algorithm, data: Sequence[Dataset], silent: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Each theorem speaks in the run that opens, or SILENT = {statement: why} says why not; the first does."""
    stated = [theorem.statement for theorem in algorithm.theorems]
    for statement, why in silent.items():
        ensure(statement in stated, f"SILENT names {statement!r}; there is none")
        ensure(why.strip(), f"SILENT says not why {statement!r} is silent")
    missing = _silent(*with_settings(algorithm, data[:1])[0])
    unsaid = [statement for statement in missing if statement not in silent]
    ensure(
        not unsaid,
        f"silent in the run that opens: {unsaid}; open with what they speak of, or say why in SILENT",
    )
    spoken = [statement for statement in silent if statement not in missing]
    ensure(not spoken, f"SILENT names {spoken}, which speak in the run that opens")
    ensure(stated[:1] != missing[:1] or not stated, f"{stated[:1]} comes first, and is silent in the run that opens")


def check_asks(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    """In the run that opens each question can be asked, has an answer wherever it is, and not always the same one."""
    ensure(len(algorithm.asks) != 1, "there is one question; a second is asked where that one is not")
    for ask in algorithm.asks:
        ensure(ask.question.endswith("?"), f"{ask.question!r} is no question")
        ensure(len(ask.question) <= _QUESTION, f"{ask.question!r} has {len(ask.question)} columns; {_QUESTION} fit")
    each, one = with_settings(algorithm, data[:1])[0]
    run = Timeline(each, one)
    answers: dict[Ask, list[float]] = {ask: [] for ask in algorithm.asks}
    while any(len(found) < 2 for found in answers.values()) and run.stopped is None and len(run) < _MOST:
        first = max(run.last, 0)
        run.advance(_AT_ONCE)
        for ask, found in answers.items():
            for t in range(first, run.last):
                if can_be_asked(ask, run, t):
                    _note_answer(ask, run, t, found)
    for ask, found in answers.items():
        ensure(found, f"{ask.question!r} cannot be asked in the run that opens")
        ensure(len(found) > 1, f"{ask.question!r} has one answer in all of the run that opens")


def _note_answer(ask: Ask, run: Timeline, t: int, found: list[float]) -> None:
    """Keep an answer to a question about the step after t, by which those before are wrong."""
    right = right_at(ask, run, t + 1)
    given = right.choice if right.choice is not None else right.number
    if right.rows is not None:
        given = right.rows[0] if right.rows else -1
    assert given is not None
    ensure(is_right(ask, right, given), f"{ask.question!r}: {right_in_words(ask, right)} is not right")
    if not any(is_right(ask, right, one) for one in found):
        found.append(given)


def _silent(algorithm: Algorithm, data: Dataset) -> list[str]:
    """The statements without numbers all along the run."""
    missing = {theorem.statement: theorem for theorem in algorithm.theorems}
    run, before = recorded(algorithm, data), None
    states: list[State] = run.states
    pairs = zip([None, *states], states)
    if run.reason is None:
        pairs = steps(algorithm, run.problem, _MOST)  # type: ignore[assignment]
    for before, after in pairs:
        for statement, theorem in list(missing.items()):
            if theorem.verdict(run.problem, before, after).sides is not None:
                del missing[statement]
        if not missing:
            break
    return list(missing)
