"""What a fork may begin with: a state that was changed, or that follows into other data or parameters."""

from typing import Any

import numpy as np

from algorithms.core.algorithm import Algorithm, FromStart, S
from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.problem import Problem
from algorithms.core.state import State


def check_state(state: State, own: State, at: int) -> None:
    """Refuse a state that is not `own`, the sound one nearest to `at`, with fields replaced by others like them."""
    if own.t != at:
        raise Refused(f"the state of step {at} cannot be changed: the nearest sound place is step {own.t}.")
    if type(state) is not type(own) or _moment(state) != _moment(own):
        raise Refused(f"another state for step {at} is that step's own with fields replaced.")
    for name in own.__struct_fields__:
        value, held = getattr(state, name), getattr(own, name)
        if not isinstance(held, np.ndarray):
            if held is not None and not isinstance(value, type(held)):
                raise Refused(f"{name} of step {at} is {type(held).__name__}; {type(value).__name__} will not do.")
            continue
        if not isinstance(value, np.ndarray) or value.shape != held.shape:
            raise Refused(f"{name} of step {at} has shape {held.shape}; another one cannot have {np.shape(value)}.")
        if not np.isfinite(value[np.isfinite(held)]).all():
            raise Refused(f"{name} of step {at} can only be replaced by finite numbers.")


def adapted(algorithm: Algorithm[S], before: Problem, after: Problem, state: S, rows: Array) -> S | FromStart:
    """Adapt a state to another problem as the algorithm does; without `adapt` it stays as it is.

    Raises:
        Refused: when `adapt`, which may be a reader's own, raises or gives something else.
    """
    if algorithm.adapt is None:
        return state
    cannot = f"{algorithm.title} cannot be forked at step {state.t}: its `adapt`"
    try:
        follows: Any = algorithm.adapt(before, after, state, rows)
    except Exception as error:
        raise Refused(f"{cannot} raises {type(error).__name__}: {str(error).rstrip('.')}.") from error
    if isinstance(follows, FromStart):
        return follows
    if type(follows) is not type(state) or _moment(follows) != _moment(state):
        raise Refused(f"{cannot} gives a state of another moment.")
    return follows


def _moment(state: State) -> tuple[int, int, str]:
    return state.t, state.iteration, state.phase
