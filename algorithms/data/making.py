"""What generators of made data share: the kinds of their arguments, and shapes that several make."""

from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.data.columns import Rows

N = Annotated[int, Meta(ge=2, le=100_000, description="rows")]
D = Annotated[int, Meta(ge=1, le=100, description="features")]
K = Annotated[int, Meta(ge=2, le=20, description="classes")]
Noise = Annotated[float, Meta(ge=0, le=100, description="standard deviation of the noise")]
Seed = Annotated[int, Meta(ge=0, le=2**32 - 1, description="seed of the random numbers")]

_APART = 4.0  # between neighbouring means, in standard deviations: a row in fifty is on the wrong side


def with_classes(
    X: Array,
    y: Array,
    k: int,
    truth: dict[str, Any],
    names: tuple[str, ...] = (),
    target: str = "class",
) -> Rows:
    """Make rows with classes, called a, b, c, ... where they have no names."""
    letters = names or tuple(chr(ord("a") + j) for j in range(k))
    return Rows(X, numbered(X.shape[1]), y.astype(np.int64), "class", letters, target, truth)


def check_enough(n: int, k: int) -> None:
    """Refuse fewer rows than classes."""
    if n < k:
        raise Refused(f"{k} classes need {k} rows or more; n is {n}.")


def numbered(d: int) -> tuple[str, ...]:
    """Name d features: x1, x2, ..."""
    return tuple(f"x{j + 1}" for j in range(d))


def shuffled(y: Array, rng: "np.random.Generator") -> Array:
    """Put codes in a random order."""
    return np.asarray(y[rng.random(len(y)).argsort()])


def unit(v: Array) -> Array:
    """Scale a vector to length 1."""
    return np.asarray(v / np.linalg.norm(v))


def frame(d: int, m: int, rng: "np.random.Generator") -> Array:
    """Draw (d, m) orthonormal columns in a random position."""
    return np.asarray(np.linalg.qr(rng.standard_normal((d, m)))[0])


def ring(k: int, d: int, spread: float, rng: "np.random.Generator") -> Array:
    """Place (k, d) means, neighbours four deviations apart: on a circle about the origin, or on a line."""
    if d == 1:
        return _APART * spread * (np.arange(k) - (k - 1) / 2)[:, None]
    radius = _APART * spread / (2.0 * np.sin(np.pi / k))
    angle = rng.uniform(0.0, 2.0 * np.pi) + 2.0 * np.pi * np.arange(k) / k
    circle = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return np.asarray(circle @ frame(d, 2, rng).T)
