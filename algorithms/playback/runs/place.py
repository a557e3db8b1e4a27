"""A place of a run in words: a step, its end, so many steps on, or where something first holds."""

import re

from algorithms.core import Refused
from algorithms.timeline import Timeline, conditions

_FIRST = re.compile(r"first\s+")


def place(run: Timeline, text: str, here: int = 0) -> int:
    """Find the step that a text means; the run is advanced as far as that takes.

    Args:
        text: "17", "end", "+2" from here, or a condition, with or without "first" before it: the first step of this
            run, or of this fork, at which it holds.

    Raises:
        Refused: when the run does not come to it, or it is no condition.
    """
    text = text.strip()
    if text == "end":
        return run.run().last
    if re.fullmatch(r"[+-]?\d+", text):
        t = int(text) + (here if text[0] in "+-" else 0)
        run.advance(t + 1 - len(run))
        if not 0 <= t <= run.last:
            raise Refused(f"there is no step {t:,}: the run ends at step {run.last:,}.")
        return t
    condition = conditions.parse(_FIRST.sub("", text, count=1), run)
    search = conditions.Search(run, condition, run.begin - 1)
    found = search.work()
    if found is None:
        raise Refused(search.trouble or f"it never comes to {condition.text!r}: the run ends at step {run.last:,}.")
    return found
