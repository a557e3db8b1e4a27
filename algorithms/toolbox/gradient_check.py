"""Gradient checks: the slope of a network's loss along a direction, from the loss alone, and how far to trust it.

    D(h) = (f(w + h u) - f(w - h u)) / 2h = u·∇f + h²/6 f''' + ...,

so D(2h) - D(h) is three times what D(h) is off by, the rest being far smaller: h is such that no sum in the
network changes by more than the third root of ε, where h² and ε/h are alike.
To that comes rounding: R of f on either side, so R/h; that of u·∇f, which counts where outputs are so sure that
a - y is lost in them; and that of w + h u itself. R follows the rounding of every sum up through the layers,
whose activations pass on no more than they are given (Higham 2002, section 3.3).
"""

from typing import NamedTuple

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, DoesNotApply, Sides
from algorithms.toolbox.network import Network

_EPSILON = float(np.finfo(float).eps)
_REACH = _EPSILON ** (1 / 3)
_STEPS = np.array([1.0, -1.0, 2.0, -2.0])
_CHECKED = 3  # weights a step
_GOLDEN = (5**0.5 - 1) / 2
_AT_ONCE = 1 << 20  # numbers of a layer that are worked out together


class Difference(Struct, frozen=True):
    """A slope of the loss by central differences.

    Attributes:
        name: of which weight, or which direction.
        slope: D(h).
        gradient: what backpropagation says it is.
        slack: what the two may differ by.
        h: how far the weights were moved.
        kink: whether the sum of a unit without a slope at 0 crosses 0 on the way; then this says nothing.
    """

    name: str
    slope: float
    gradient: float
    slack: float
    h: float
    kink: bool = False

    @property
    def apart(self) -> float:
        return abs(self.slope - self.gradient)


class Surroundings(Struct, frozen=True, eq=False):
    """The loss f of a batch around some weights.

    Attributes:
        weights: (p,).
        x, y: (d + 1, b) inputs and (k, b) targets.
        values: of the hidden layers, (m_l + 1, b) each.
        outputs: (k, b).
        loss: f(w).
        rounding: R.
        blur: (k, b) what rounding may add to ∂f/∂z_L, as it comes back to a weight.
    """

    network: Network
    weights: Array
    x: Array
    y: Array
    values: list[Array]
    outputs: Array
    loss: float
    rounding: float
    blur: Array

    def differences(self, names: list[str], directions: Array, gradient: Array) -> list[Difference]:
        """Along each of the (m, p) directions u, held against u·gradient."""
        together = max(1, _AT_ONCE // (4 * max(self.network.sizes) * self.x.shape[1]))
        blocks = [slice(i, i + together) for i in range(0, len(names), together)]
        return [d for block in blocks for d in self._together(names[block], directions[block], gradient)]

    def _together(self, names: list[str], directions: Array, gradient: Array) -> list[Difference]:
        rates, fastest = self.rates(directions)
        h = _REACH / np.maximum(1.0, fastest)
        moved = self.weights + (h[:, None] * _STEPS)[..., None] * directions[:, None, :]
        values, z = self.network.sums(moved, self.x)
        losses = self.network.loss.of_rows(z, self.y).mean(axis=-1)
        near, far = (losses[:, 0] - losses[:, 1]) / (2 * h), (losses[:, 2] - losses[:, 3]) / (4 * h)
        # w + h u is itself rounded, by ε|w| a weight.
        rounded = _EPSILON * (np.abs(self.weights * directions) @ np.abs(gradient)) / h
        slack = np.abs(far - near) + self.rounding / h + rounded + (self.blur * rates).sum(axis=(-2, -1))
        kinks = crossed(values) if values and not self.network.activation.smooth else np.zeros(len(names), bool)
        columns = (near, directions @ gradient, slack, h, kinks)
        return [Difference(name, *numbers) for name, *numbers in zip(names, *(c.tolist() for c in columns))]

    def rates(self, directions: Array) -> tuple[Array, Array]:
        """(m, k, b) at most how fast the outputs' sums change along each direction, and (m,) any sum in the network."""
        rates, fastest = np.zeros_like(self.x), np.zeros(len(directions))
        matrices = zip(self.network.matrices(np.abs(self.weights)), self.network.matrices(np.abs(directions)))
        for (W, U), below in zip(matrices, (self.x, *self.values)):
            rates = U @ np.abs(below) + W[:, : rates.shape[-2]] @ rates
            fastest = np.maximum(fastest, rates.max(axis=(-2, -1)))
        return rates, fastest

    def loss_at(self, weights: Array) -> float:
        """The loss of the same batch at other weights."""
        return float(self.network.loss.of_rows(self.network.sums(weights, self.x)[1], self.y).mean())


def crossed(values: list[Array]) -> Array:
    """(m,) whether a unit is on at one of the four places and off at another; of (m, 4, units, b) values."""
    patterns = [v > 0 for v in values]
    return np.asarray(np.any([(p != p[:, :1]).any(axis=(1, 2, 3)) for p in patterns], axis=0))


def surroundings(network: Network, weights: Array, x: Array, y: Array) -> Surroundings:
    """The loss of a batch around `weights`, with what rounding does to it."""
    values, z = network.sums(weights, x)
    error, greatest = np.zeros_like(x), 0.0  # of the values below, the constant 1 left out; then of the sums
    for W, below in zip(network.matrices(np.abs(weights)), (x, *values)):
        added = (W.shape[1] + 4) * _EPSILON * (W @ np.abs(below))
        error = added + W[:, : len(error)] @ error
        greatest = max(greatest, float(error.max()))
    outputs, losses = network.loss.outputs(z), network.loss.of_rows(z, y)
    off = np.abs(outputs - y)  # the slope of a row's loss in its sums
    loss = float(losses.mean())
    rounding = float((off * error).sum(axis=0).mean() + 16 * _EPSILON * loss)
    steps = _EPSILON * (len(weights) + y.size)
    blur = (error + 8 * _EPSILON + off * (network.depth * greatest + steps)) / y.shape[1]
    return Surroundings(network, weights, x, y, values, outputs, loss, rounding, blur)


class Checks(NamedTuple):
    """Slopes of a batch's loss at the weights of a gradient, by differences; nothing along a direction of length 0."""

    weights: list[Difference]  # along some single weights
    whole: list[Difference]  # along u = ∇f/‖∇f‖, once all layers have their gradients
    step: list[Difference]  # along the step that was made


def slopes(around: Surroundings, gradient: Array, step: Array, current: int | None, t: int) -> Checks:
    """Hold a gradient against the loss, along a few weights, itself and a step, all worked out together.

    Args:
        gradient: of the last layers' weights, as far as the errors have come back.
        step: (p,) what is added to the weights.
        current: so many of its first are checked; None for all.
        t: the step of the run, which other weights are checked at.
    """
    network = around.network
    begin = network.size - len(gradient)
    g = np.concatenate([np.zeros(begin), gradient])
    places = np.unique(begin + spread_evenly(t, _CHECKED, current or len(gradient)))
    single = {network.weight_name(place): np.eye(1, network.size, place)[0] for place in places.tolist()}
    others = {"u = ∇f/‖∇f‖": np.zeros_like(g) if begin else g, "the step": step}
    lengths = {name: float(np.linalg.norm(along)) for name, along in others.items()}  # 0 where its squares vanish
    directions = single | {name: along / lengths[name] for name, along in others.items() if lengths[name]}
    differences = around.differences([*directions], np.array([*directions.values()]), g)
    by_name = {d.name: [d] for d in differences}
    return Checks(differences[: len(single)], *(by_name.get(name, []) for name in others))


def spread_evenly(t: int, many: int, n: int) -> Array:
    """(many,) of the places 0..n - 1, others at each step t and all as often: multiples of the golden ratio."""
    return np.asarray(((many * t + np.arange(many)) * _GOLDEN % 1.0 * n).astype(int))


def agreement(differences: list[Difference], gradient: str, difference: str, named: bool = False) -> Answer:
    """The slope that is furthest from its gradient for its slack, of those that no kink is in the way of.

    Args:
        named: whether it says that it is one of several, another one at each step.
    """
    sound = [d for d in differences if not d.kink]
    if not sound:
        return DoesNotApply(f"the sum of a unit crosses 0, its kink, within h = {differences[0].h:.1g}")
    worst = max(sound, key=lambda d: d.apart / d.slack if d.slack else d.apart)
    name = f"{gradient} nearest to failing" if named else gradient
    sides = (name, worst.gradient), (difference, worst.slope)
    return Sides(*sides, relation="==", slack=worst.slack)
