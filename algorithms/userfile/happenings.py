"""What happens in a plain generator's run that a person wants to be led to: a nan, an explosion, a loss that rises.

A loss that is drawn from batches rises all the time. So a rise counts where the loss has fallen more often since the
last one than it has risen in all, and three times at least: of a descent that is to fall at every step each, of a
noisy one hardly any.
"""

import math
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core.curves import Event
from algorithms.userfile.meaning import to_fall
from algorithms.userfile.state import PlainState

NAN, EXPLOSION, WARNING, RISE, YIELDED = "a new nan", "an explosion", "a warning", "a rising loss", "a yielded event"
RESTART = "a restart"  # of a recording: no run that goes on in one process has it
_ORDERS = 1e10  # times its first size: an explosion
_SMALL = 1e-6  # sizes below this one begin here: what grows from rounding errors has not exploded
_FALLS = 3  # before a rise
_CERTAIN = 1e-9  # of the value: what is less is rounding


def _of(kind: str) -> Event:
    def happened(before: PlainState | None, after: PlainState) -> bool:
        return any(what == kind for what, _ in after.happened)

    return Event(kind, happened, wrong=kind not in (YIELDED, RESTART))


EVENTS = tuple(map(_of, (NAN, EXPLOSION, WARNING, RISE, YIELDED)))
EVENTS_RECORDED = (*EVENTS, _of(RESTART))


class Happenings:
    """Looks at the states of one run, in order, for what happens in them.

    Attributes:
        notices: what is to be told: the first of each kind in each field.
    """

    def __init__(self) -> None:
        self.notices: list[str] = []
        self._nan: set[str] = set()  # the fields that hold one
        self._first: dict[str, float] = {}  # the first size of each field that is not 0
        self._exploded: set[str] = set()
        self._losses: dict[str, _Loss] = {}

    def seen(self, state: PlainState) -> PlainState:
        """Give the state with what happened in it."""
        happened: list[tuple[str, str]] = []
        if state.warned:
            happened.append((WARNING, state.warned))
            self._tell(f"a warning at step {state.t:,}: {state.warned}")
        for name, value in state.fields:
            happened += self._in_field(state.t, name, value)
        event = state.get("event")
        if event:
            happened.append((YIELDED, str(event)))
        return replace(state, happened=tuple(happened)) if happened else state

    def _in_field(self, t: int, name: str, value: Any) -> list[tuple[str, str]]:
        size = _size(value)
        if size is None:
            return []
        if math.isnan(size):
            new = name not in self._nan
            self._nan.add(name)
            return [(NAN, f"{name} becomes nan")] if new else []
        self._nan.discard(name)
        if size and name not in self._first:
            self._first[name] = max(size, _SMALL)
        elif name in self._first and name not in self._exploded and size > _ORDERS * self._first[name]:
            self._exploded.add(name)
            words = f"{name} has grown from {self._first[name]:.2g} to {size:.2g}"
            self._tell(f"an explosion at step {t:,}: {words}")
            return [(EXPLOSION, words)]
        sign = to_fall(name) if isinstance(value, float) else 0
        if sign:
            loss = self._losses.setdefault(name, _Loss())
            was = loss.last
            if loss.rises(sign * float(value)):
                words = f"{name} {'rises' if sign > 0 else 'falls'} from {abs(was):.6g} to {abs(value):.6g}"
                if loss.told == 1:
                    self._tell(f"{name} {'rises' if sign > 0 else 'falls'} first at step {t:,}")
                return [(RISE, words)]
        return []

    def _tell(self, notice: str) -> None:
        self.notices.append(notice)


class _Loss:
    """What is to fall.

    Attributes:
        last: the value before.
        told: how many rises counted.
    """

    def __init__(self) -> None:
        self.last = math.nan
        self.told = 0
        self._rises, self._falls = 0, _FALLS  # at the very first step a rise counts

    def rises(self, value: float) -> bool:
        """Take the next value; whether it is a rise that counts."""
        last, self.last = self.last, value
        if not value > last + _CERTAIN * max(abs(last), abs(value)):
            self._falls += value < last
            return False
        counts = self._falls >= max(_FALLS, self._rises)
        self._rises, self._falls = self._rises + 1, 0
        self.told += counts
        return counts


def _size(value: Any) -> float | None:
    """Measure the largest absolute value, nan where there is one; None of what is no floating-point number."""
    if isinstance(value, float):
        return abs(value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size:
        return float(max(value.max(), -value.min()))  # without a copy of it
    return None
