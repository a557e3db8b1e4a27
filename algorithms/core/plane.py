"""Plane: the two-dimensional slice of R^d on which the app shows the data."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset
from algorithms.core.errors import Refused


class Axis(Struct, frozen=True, eq=False):
    """One direction of a plane.

    Attributes:
        name: a feature's, or "component 1 (72%)" with its share of the variance.
        offset, unit: a coordinate c on this axis is offset + unit * c in the units the data came in.
    """

    name: str
    offset: float = 0.0
    unit: float = 1.0


class Plane(Struct, frozen=True, eq=False):
    """origin + span of two orthonormal directions; with one feature, the second coordinate is always 0.

    Attributes:
        title: how it is chosen: "waiting against eruptions".
        origin: (d,).
        basis: (2, d) orthonormal rows; the second is zero when there is one feature.
        across, up: the axes.
        mapped: of data with a feature map, the data: the plane lies among the features that were mapped, (d,), and
            places of the algorithm's space are (D,).
    """

    title: str
    origin: Array
    basis: Array
    across: Axis
    up: Axis
    mapped: Dataset | None = None

    @property
    def whole(self) -> bool:
        """Tell whether the plane holds the whole space, so that nothing is hidden by the slice."""
        return bool(self.basis.shape[1] <= 2)

    def on(self, data: Dataset) -> "Plane":
        """Carry the plane over to the rows and the map of other data with these features."""
        mapped = data if data.map is not None else None
        return self if mapped is self.mapped else replace(self, mapped=mapped)

    def project(self, at: Array) -> Array:
        """Project (m, D) places of the algorithm's space -> (m, 2); NaN for one that a map makes of no row."""
        inputs = at if self.mapped is None else self.mapped.preimages(at)
        return np.asarray((inputs - self.origin) @ self.basis.T)

    def lift(self, at: Array) -> Array:
        """Lift (m, 2) -> (m, D): the place on the plane, mapped."""
        inputs = self.inputs(at)
        return inputs if self.mapped is None or self.mapped.map is None else self.mapped.map(inputs)

    def inputs(self, at: Array) -> Array:
        """Lift (m, 2) -> (m, d), on the plane, before any map."""
        return np.asarray(self.origin + at @ self.basis)

    def carried(self, at: Array, to: Array) -> Array:
        """Move a point (d,) to where it is seen at (2,) `to`; its part outside the plane stays as it is."""
        return np.asarray(at + (to - self.project(at)) @ self.basis)

    def turn(self, directions: Array) -> Array:
        """Project (m, d) directions -> (m, 2)."""
        return np.asarray(directions @ self.basis.T)


def features_plane(data: Dataset, across: int = 0, up: int = 1) -> Plane:
    """Span the plane of two features, before any map; the others are held at their mean."""
    inputs = data.inputs
    d = inputs.d
    origin = inputs.X.mean(axis=0)
    basis = np.zeros((2, d))
    basis[0, across] = 1.0
    origin[across] = 0.0
    if d == 1:
        return Plane(inputs.features[0], origin, basis, _feature_axis(inputs, across), Axis("")).on(data)
    if across == up:
        raise Refused("a plane needs two different features.")
    basis[1, up] = 1.0
    origin[up] = 0.0
    title = f"{inputs.features[up]} against {inputs.features[across]}"
    return Plane(title, origin, basis, _feature_axis(inputs, across), _feature_axis(inputs, up)).on(data)


def principal_plane(data: Dataset) -> Plane:
    """Span the plane of the first two principal components, before any map; the largest weight is positive."""
    X = data.inputs.X
    origin = X.mean(axis=0)
    centred = X - origin
    centred /= np.exp2(np.frexp(np.abs(centred).max())[1])  # so that no square overflows or vanishes
    n, d = X.shape
    if d > n >= 2:  # the components lie in the span of the rows: a smaller problem has them
        values, weights = np.linalg.eigh(centred @ centred.T)
        basis = np.linalg.qr(centred.T @ weights[:, ::-1][:, :2])[0].T.copy()
    else:
        values, vectors = np.linalg.eigh(centred.T @ centred)
        basis = vectors[:, ::-1][:, :2].T.copy()
    basis *= np.sign(basis[np.arange(2), np.abs(basis).argmax(axis=1)])[:, None]
    share = values[::-1][:2] / max(float(values.sum()), np.finfo(float).tiny)
    names = [f"component {i} ({s:.0%})" for i, s in enumerate(share, start=1)]
    return Plane("principal components 1 and 2", origin, basis, Axis(names[0]), Axis(names[1])).on(data)


def planes(data: Dataset, most: int = 12) -> Sequence[Plane]:
    """Offer the planes worth it: the plane itself with two features, else principal ones and pairs of features."""
    if not data:
        return (Plane("", np.zeros(0), np.zeros((2, 0)), Axis("x"), Axis("y")),)
    inputs = data.inputs
    if inputs.d <= 2:
        return (features_plane(data),)
    spread = np.argsort(-inputs.X.std(axis=0), kind="stable") if not inputs.scaled else np.arange(inputs.d)
    first = [int(j) for j in spread[:4]]
    pairs = [(a, b) for i, a in enumerate(first) for b in first[i + 1 :]]
    return (principal_plane(data), *(features_plane(data, a, b) for a, b in pairs[: most - 1]))


def _feature_axis(data: Dataset, j: int) -> Axis:
    return Axis(data.features[j], float(data.centre[j]), float(data.spread[j]))
