"""The state of a power iteration on a Gram matrix, and what is made and said of it."""

from typing import Annotated

import numpy as np

from algorithms.core import Along, Array, State
from algorithms.toolbox.gram_iteration import GramIterate, Spectrum, Turning, begun, turned

GRAM_PHASES = {
    "start": "a random direction",
    "iterate": "power iteration: K turns u towards the direction of most variance",
    "found": "u turns by no more than tol, or its turns are used up: it is taken for a component",
    "deflate": "take the component out of K, and start from a direction across it",
}
TURNING = ("start", "iterate", "deflate")  # phases to fork after: a component that is found turns no more


class GramState(State, frozen=True, kw_only=True):
    eigenvectors: Annotated[Array, Along("", "n")]  # (c, n) those of K that are found, orthonormal rows
    u: Annotated[Array, Along("n")]  # (n,) the unit direction in hand
    turn: float = np.inf  # the angle by which the last iteration turned it, in radians
    turns: int = 0  # iterations on this component so far; `iteration` counts those on all


def moment(K: Spectrum, state: GramState) -> GramIterate:
    """The eigenvectors found, and the one in hand where it is not one of them."""
    found = state.eigenvectors
    return GramIterate(K, found if state.phase == "found" else np.vstack([found, state.u]))


def turning_of(at: GramIterate, state: GramState) -> Turning:
    return Turning(at, state.eigenvectors, state.u, state.turn, state.turns, state.phase)


def on_the_way(now: GramIterate, state: GramState) -> str:
    """What is said of a direction to start from, and of an iteration."""
    return turned(now, state.turn) if state.phase == "iterate" else begun(now)
