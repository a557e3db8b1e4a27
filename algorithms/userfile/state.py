"""What a plain generator yielded, as a state: copied, and by name."""

import math
from typing import Any

from algorithms.core.state import State

START, STEP = "start", "step"


class PlainState(State, frozen=True, kw_only=True):
    """One thing yielded, taken apart.

    Attributes:
        fields: (name, value) of each part: a number, a text, or an array that nobody else holds.
        frame: (name, short text) of the generator's local variables.
        remark: what is to be said of how it was yielded, "" if nothing.
        warned: the warning that was raised on the way to it, "" for none.
        happened: (which event, in words) of what happened in it.
    """

    fields: tuple[tuple[str, Any], ...] = ()
    frame: tuple[tuple[str, str], ...] = ()
    remark: str = ""
    warned: str = ""
    happened: tuple[tuple[str, str], ...] = ()

    def parts(self) -> dict[str, Any]:
        """Give what was yielded by name."""
        return dict(self.fields)

    def get(self, name: str) -> Any:
        """Get the part of that name, None where this state has none."""
        return next((value for known, value in self.fields if known == name), None)

    def is_nan(self, name: str) -> bool:
        """Tell whether the part of that name is a number and is nan."""
        value = self.get(name)
        return isinstance(value, float) and math.isnan(value)
