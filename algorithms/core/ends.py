"""Ends: why a run is over, a claim about its last state that is tested there as a hypothesis is."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

from algorithms.core.problem import Problem
from algorithms.core.theorems import DoesNotApply, Sides, Theorem, Undecided, Verdict

Ending: TypeAlias = Callable[[Problem, Any], bool | Sides | DoesNotApply | Undecided]
Ends: TypeAlias = Mapping[str, Ending]

_GAP = "…"  # stands for any text in a declared reason: the numbers of this run


def declared(ends: Ends, reason: str) -> str | None:
    """Find the declared reason that a generator's own words are a case of; None where there is none."""
    return next((words for words in ends if _pattern(words).fullmatch(reason)), None)


def ended(ends: Ends, reason: str, problem: Problem, last: Any) -> Verdict | None:
    """Test on the last state what the generator returned; None where its reason is not declared."""
    words = declared(ends, reason)
    if words is None:
        return None
    claim = Theorem(f"the end: {reason}", lambda problem, before, after: None, source="")
    answer = ends[words](problem, last)
    if isinstance(answer, Sides):
        return Verdict(claim, "holds" if answer.hold else "fails", sides=answer)
    if isinstance(answer, Undecided | DoesNotApply):
        return Verdict(claim, "undecided", why=answer.why)
    return Verdict(claim, "holds") if answer else Verdict(claim, "fails", why=f"it is not so at step {last.t:,}")


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, words.split(_GAP))), re.DOTALL)
