"""Central differences: the slope of the loss along a direction, from the loss alone, and how far it can be trusted.

    D(h) = (f(w + h u) - f(w - h u)) / 2h = u·∇f + h²/6 f''' + ...,

so D(2h) - D(h) is three times what D(h) is off by, the rest being far smaller: h is such that no sum in the
network changes by more than the third root of ε, where h² and ε/h are alike.
To that comes rounding: R of f on either side, so R/h; that of u·∇f, which counts where outputs are so sure that
a - y is lost in them; and that of w + h u itself. R follows the rounding of every sum up through the layers,
whose activations pass on no more than they are given (Higham 2002, section 3.3).
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, DoesNotApply, Sides
from algorithms.core.theorem import Answer
from algorithms.families.neural.multilayer_perceptron.network import Network

_EPSILON = float(np.finfo(float).eps)
_REACH = _EPSILON ** (1 / 3)
_WEIGHTS = 3  # that are drawn to be checked


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


class Surroundings(Struct, frozen=True):
    """The loss of a batch around some weights.

    Attributes:
        x, y: (d + 1, b) inputs and (k, b) targets.
        values: of the hidden layers, (m_l + 1, b) each.
        rounding: R.
        blur: (k, b) what rounding may add to ∂f/∂z_L, as it comes back to a weight.
    """

    network: Network
    weights: Array
    x: Array
    y: Array
    values: list[Array]
    rounding: float
    blur: Array

    def difference(self, name: str, direction: Array, gradient: Array) -> Difference:
        """Along a direction u, held against u·gradient."""
        rates, fastest = self.rates(direction)
        h = _REACH / max(1.0, fastest)
        losses, patterns = [], []
        for step in (h, -h, 2 * h, -2 * h):
            values, z = self.network.sums(self.weights + step * direction, self.x)
            losses.append(float(self.network.loss.of_rows(z, self.y).mean()))
            patterns.append([v > 0 for v in values])
        near, far = (losses[0] - losses[1]) / (2 * h), (losses[2] - losses[3]) / (4 * h)
        # w + h u is itself rounded, by ε|w| a weight.
        moved = _EPSILON * float(np.abs(self.weights * direction) @ np.abs(gradient)) / h
        slack = abs(far - near) + self.rounding / h + moved + float((self.blur * rates).sum())
        kink = not self.network.activation.smooth and any(
            not np.array_equal(one, other) for p in patterns[1:] for one, other in zip(patterns[0], p)
        )
        return Difference(name, near, float(gradient @ direction), slack, h, kink)

    def rates(self, direction: Array) -> tuple[Array, float]:
        """(k, b) at most how fast the outputs' sums change along a direction, and any sum in the network."""
        rates, fastest = np.zeros_like(self.x), 0.0
        matrices = zip(self.network.matrices(np.abs(self.weights)), self.network.matrices(np.abs(direction)))
        for (W, U), below in zip(matrices, (self.x, *self.values)):
            rates = _with_zeros(U @ np.abs(below) + W @ rates)
            fastest = max(fastest, float(rates.max()))
        return rates[:-1], fastest


def _with_zeros(rows: Array) -> Array:
    """Without any error or change in the constant 1."""
    return np.vstack([rows, np.zeros(rows.shape[1])])


def surroundings(network: Network, weights: Array, x: Array, y: Array) -> Surroundings:
    """The loss of a batch around `weights`, with h and R."""
    values, z = network.sums(weights, x)
    error, greatest = np.zeros_like(x), 0.0  # of the values below; then of the sums
    for W, below in zip(network.matrices(np.abs(weights)), (x, *values)):
        error = _with_zeros(W @ (error + (W.shape[1] + 4) * _EPSILON * np.abs(below)))
        greatest = max(greatest, float(error.max()))
    off = np.abs(network.loss.outputs(z) - y)  # the slope of a row's loss in its sums
    rounding = float((off * error[:-1]).sum(axis=0).mean() + 16 * _EPSILON * network.loss.of_rows(z, y).mean())
    steps = _EPSILON * (len(weights) + y.size)
    blur = (error[:-1] + 8 * _EPSILON + off * (network.depth * greatest + steps)) / y.shape[1]
    return Surroundings(network, weights, x, y, values, rounding, blur)


def some_weights(
    around: Surroundings, gradients: tuple[Array, ...], lowest: bool, place: tuple[int, int]
) -> tuple[Difference, ...]:
    """The gradients of a few weights, drawn from (seed, t), against central differences.

    `gradients` are ∂f/∂W_l of the last layers; of the lowest of them alone, or of all.
    """
    network = around.network
    sizes = [above * below for above, below in network.shapes]
    missing = network.depth - len(gradients)
    begin = sum(sizes[:missing])
    end = begin + sizes[missing] if lowest else network.size
    gradient = np.concatenate([np.zeros(begin), *(g.ravel() for g in gradients)])
    drawn = np.unique(np.random.default_rng(place).integers(begin, end, size=_WEIGHTS))
    return tuple(
        around.difference(network.weight_name(i), np.eye(1, network.size, i)[0], gradient) for i in drawn.tolist()
    )


def along_gradient(around: Surroundings, gradients: tuple[Array, ...]) -> tuple[Difference, ...]:
    """The slope of f along u = ∇f/‖∇f‖, which is ‖∇f‖; nothing unless all layers' gradients are there, or ∇f is 0."""
    gradient = np.concatenate(gradients, axis=None)
    length = float(np.linalg.norm(gradient))
    if len(gradients) < around.network.depth or length == 0:
        return ()
    return (around.difference("u = ∇f/‖∇f‖", gradient / length, gradient),)


def agreement(differences: tuple[Difference, ...], gradient: str, difference: str) -> Answer:
    """The slope that is furthest from its gradient for its slack, of those that no kink is in the way of."""
    sound = [d for d in differences if not d.kink]
    if not sound:
        return DoesNotApply(f"the sum of a unit crosses 0, its kink, within h = {differences[0].h:.1g}")
    worst = max(sound, key=lambda d: d.apart / d.slack if d.slack else d.apart)
    return Sides((gradient, worst.gradient), (difference, worst.slope), relation="==", slack=worst.slack)
