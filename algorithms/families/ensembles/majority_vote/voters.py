"""Voters that err at random: in which rounds each is wrong, alone or as a copy of the first, by seed and number."""

import numpy as np

from algorithms.core import Array


def answers(voter: int, p: float, rho: float, rounds: int, seed: int) -> Array:
    """(rounds,) bool: where a voter is wrong, the first being 1; in the rounds in which all copy, where the first is.

    Args:
        p: chance that it is where it errs alone.
        rho: chance of a round in which all copy.
    """
    alone = drawn(seed, voter, rounds) < p
    if not rho:
        return alone
    return np.where(drawn(seed, 0, rounds) < rho, drawn(seed, 1, rounds) < p, alone)


def drawn(seed: int, voter: int, rounds: int) -> Array:
    """(rounds,) uniform numbers of a voter's own; those of 0 say in which rounds all copy."""
    return np.asarray(np.random.default_rng((seed, voter)).random(rounds))
