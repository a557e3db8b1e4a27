"""The algorithms that conformance and hard numbers run over: all there are, or the one that is being checked."""

import os

from algorithms import names

VARIABLE = "ITERSCOPE_ALGORITHM"


def chosen() -> tuple[str, ...]:
    """Every name, or the one in the environment: exactly that one, and no other is imported."""
    wanted = os.environ.get(VARIABLE)
    return tuple(name for name in names() if wanted in (None, "", name))
