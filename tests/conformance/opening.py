"""The run that an algorithm opens with: a theorem of the lecture comes first, and each speaks or says why not."""

import re
from collections.abc import Sequence

from algorithms import Algorithm, Dataset
from algorithms.core import State
from tests.conformance.contract import own_test
from tests.conformance.runs import ensure, recorded, steps
from tests.conformance.samples import with_settings

_MOST = 500  # states of the opening run that are asked
_RULE = re.compile(r"that is (the|what) (rule|order|protocol|is meant)")  # a proof that says so proves nothing


def check_first_theorem(algorithm: Algorithm) -> None:
    """The first theorem is one of the lecture, not the rule itself: it is the one on the first screen."""
    for theorem in algorithm.theorems[:1]:
        ensure(
            not any(_RULE.search(line) for line in theorem.proof),
            f"{theorem.statement!r} comes first, and is the rule: let a theorem of the lecture be the first",
        )


def check_theorems_speak(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    """Each theorem speaks in the run that opens, or its test names it in SILENT = {statement: why}; the first does."""
    silent: dict[str, str] = getattr(own_test(algorithm), "SILENT", {})
    stated = [theorem.statement for theorem in algorithm.theorems]
    for statement, why in silent.items():
        ensure(statement in stated, f"SILENT names {statement!r}; there is none")
        ensure(why.strip(), f"SILENT says not why {statement!r} is silent")
    missing = _silent(*with_settings(algorithm, data[:1])[0])
    unsaid = [statement for statement in missing if statement not in silent]
    ensure(
        not unsaid,
        f"silent in the run that opens: {unsaid}; open with what they speak of, or say why in SILENT of its test",
    )
    spoken = [statement for statement in silent if statement not in missing]
    ensure(not spoken, f"SILENT names {spoken}, which speak in the run that opens")
    ensure(stated[:1] != missing[:1] or not stated, f"{stated[:1]} comes first, and is silent in the run that opens")


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
