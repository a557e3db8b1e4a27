"""State: everything the next iteration depends on, besides the data and the parameters."""

import re
from typing import Any, Self, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from algorithms.core.arrays import frozen

_holders: dict[type, tuple[str, ...]] = {}
_MAY_HOLD_ARRAYS = re.compile(r"\b(Array|NDArray|ndarray|tuple|Any|object)\b")

S = TypeVar("S", bound="State")


class State(Struct, frozen=True, kw_only=True, eq=False, gc=False):
    """One moment of a run. Subclasses add the algorithm's own fields.

    A state is complete: with the data and the parameters it determines all that follows. Arrays that
    come in are owned and read-only from then on, so states can be kept, shared and compared.

    Attributes:
        t: how many states came before this one.
        iteration: the algorithm's own outer loop (epoch, round, sweep, component).
        phase: what made this state; one of the declaration's phases.
    """

    t: int = 0
    iteration: int = 0
    phase: str = "start"

    def __post_init__(self) -> None:
        cls = type(self)
        names = _holders.get(cls)
        if names is None:
            names = _holders[cls] = fields_with_arrays(cls)
        for name in names:
            value = getattr(self, name)
            if type(value) is np.ndarray:
                owned: Any = frozen(value)
            elif type(value) is tuple:
                owned = _frozen_tuple(value)
            else:
                continue
            if owned is not value:
                force_setattr(self, name, owned)

    def after(self, phase: str, **changes: Any) -> Self:
        """The next state: one later, made by `phase`, with `changes`; what did not change is shared."""
        return replace(self, t=self.t + 1, phase=phase, **changes)


def _frozen_tuple(value: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tuple with its arrays frozen, also in tuples inside it; itself where there was nothing to do."""
    owned = tuple(frozen(v) if type(v) is np.ndarray else _frozen_tuple(v) if type(v) is tuple else v for v in value)
    return value if all(a is b for a, b in zip(owned, value, strict=True)) else owned


def fields_with_arrays(cls: type[State]) -> tuple[str, ...]:
    """The fields whose annotation allows an array, found once a class (a look at every field costs more)."""
    notes: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        notes.update(getattr(base, "__annotations__", {}))
    return tuple(name for name in cls.__struct_fields__ if _MAY_HOLD_ARRAYS.search(str(notes[name])))


def arrays_of(state: State) -> list[np.ndarray[Any, Any]]:
    """Every array the state holds, those in tuples included."""
    found: list[np.ndarray[Any, Any]] = []
    waiting: list[Any] = [getattr(state, name) for name in state.__struct_fields__]
    while waiting:
        value = waiting.pop()
        if isinstance(value, np.ndarray):
            found.append(value)
        elif isinstance(value, tuple):
            waiting.extend(value)
    return found


def same(a: Any, b: Any) -> bool:
    """Equal bit for bit: arrays by dtype, shape and bytes, tuples and states field by field."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, State):
        return all(same(getattr(a, n), getattr(b, n)) for n in a.__struct_fields__)
    if isinstance(a, float):
        return a == b or (a != a and b != b)
    return bool(a == b)
