"""Made data by name: every generator, with the bounds, help and defaults of its arguments."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from algorithms.core.parameters import Parameter, Parameters
from algorithms.data import drawn, worked
from algorithms.data.columns import Rows

_ALL: tuple[Callable[..., Rows], ...] = (
    drawn.blobs,
    drawn.rings,
    drawn.moons,
    drawn.line,
    drawn.sine,
    drawn.sparse,
    drawn.mixture,
    drawn.cloud,
    drawn.coin,
    drawn.gaussian,
    worked.four_points,
    worked.square,
    worked.leverage,
    worked.decoys,
    worked.three_points,
    worked.xor,
    drawn.circle,
    worked.conjunction,
    worked.tilt,
    drawn.collinear,
    worked.three_rows,
    worked.rectangle,
    worked.dependent,
    drawn.correlated,
    worked.emails,
    worked.joint,
)
GENERATORS: dict[str, Callable[..., Rows]] = {f.__name__: f for f in _ALL}
_PARAMETERS = {name: Parameters(f) for name, f in GENERATORS.items()}


def arguments(name: str) -> tuple[Parameter, ...]:
    """List a generator's arguments, with bounds, help and defaults."""
    return _PARAMETERS[name].all


def checked(name: str, given: dict[str, Any]) -> tuple[tuple[str, int | float | str], ...]:
    """Check a generator's arguments, and keep those that are not its defaults; `Refused` says what will not do."""
    values: Struct = _PARAMETERS[name].convert(given)
    return tuple((p.name, getattr(values, p.name)) for p in arguments(name) if getattr(values, p.name) != p.default)
