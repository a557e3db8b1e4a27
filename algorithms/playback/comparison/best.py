"""Which of several values of a number is the best, where its name tells whether it is to be small or large."""

import math
import re
from collections.abc import Sequence

_SMALL = frozenset(
    (
        *("error", "errors", "loss", "losses", "objective", "cost", "risk", "energy", "deviance", "j", "rss", "mse"),
        *("aic", "bic", "excess", "mistakes", "gap", "regret", "impurity", "primal", "violation", "cut", "wrong"),
    )
)
_LARGE = frozenset(("likelihood", "log-likelihood", "evidence", "accuracy", "dual", "captured"))
_LARGE_WHOLE = frozenset(("log l", "margin", "mean margin", "margin of w"))  # names of which no word tells it


def best(name: str, values: Sequence[float | None]) -> float | None:
    """Find the best of the values of a number; None where its name does not tell which that is."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    if not known:
        return None
    words = set(re.findall(r"[\w-]+", name.lower()))
    small = bool(words & _SMALL)
    large = bool(words & _LARGE) or name.lower() in _LARGE_WHOLE
    if small == large:
        return None
    return min(known) if small else max(known)
