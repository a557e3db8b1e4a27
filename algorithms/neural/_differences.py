"""Central differences: the slope of the loss along a direction, from the loss alone, and how far it can be trusted.

    D(h) = (f(w + h u) - f(w - h u)) / 2h = u·∇f + h²/6 f''' + ...,

so D(2h) - D(h) is three times what D(h) is off by, as long as h is small enough for the rest not to count.
To that comes the rounding of f, at most R on either side: R/h. R follows the rounding of every sum up through
the layers, whose activations pass on no more than they are given (Higham 2002, section 3.3).
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.neural._network import Network

_EPSILON = float(np.finfo(float).eps)
_REACH = _EPSILON ** (1 / 3)  # where h² and ε/h are alike
_WEIGHTS = 3  # that are drawn to be checked
_SETTLED = 0.1  # D(2h) - D(h) beyond this share of the slope: h is too long for this f


ALONG = "u = ∇f/‖∇f‖"  # the name of the gradient's own direction


class Difference(Struct, frozen=True):
    """A slope of the loss by central differences.

    Attributes:
        name: of which weight, or which direction.
        slope: D(h).
        gradient: what backpropagation says it is.
        slack: what the two may differ by.
        h: how far the weights were moved.
        trouble: why the slope says nothing, "" if it does.
        kink: whether the trouble is a kink, where f has no slope.
    """

    name: str
    slope: float
    gradient: float
    slack: float
    h: float
    trouble: str = ""
    kink: bool = False

    @property
    def apart(self) -> float:
        return abs(self.slope - self.gradient)


class Surroundings(Struct, frozen=True):
    """The loss of a batch around some weights.

    Attributes:
        x, y: (d + 1, b) inputs and (k, b) targets.
        h: how far to move: such that no sum changes by much more than the third root of ε.
        rounding: R.
    """

    network: Network
    weights: Array
    x: Array
    y: Array
    h: float
    rounding: float

    def difference(self, name: str, direction: Array, gradient: Array) -> Difference:
        """Along a direction u, held against u·gradient."""
        h, losses, patterns = self.h, [], []
        for step in (h, -h, 2 * h, -2 * h):
            values, z = self.network.sums(self.weights + step * direction, self.x)
            losses.append(float(self.network.loss.of_rows(z, self.y).mean()))
            patterns.append([v > 0 for v in values])
        near, far = (losses[0] - losses[1]) / (2 * h), (losses[2] - losses[3]) / (4 * h)
        # w + h u is itself rounded, by ε|w| a weight.
        moved = _EPSILON * float(np.abs(self.weights * direction) @ np.abs(gradient)) / h
        slack = abs(far - near) + self.rounding / h + moved
        kink = not self.network.activation.smooth and any(
            not np.array_equal(one, other) for p in patterns[1:] for one, other in zip(patterns[0], p)
        )
        unsettled = abs(far - near) > _SETTLED * max(abs(near), abs(far)) + self.rounding / h
        trouble = "a unit's sum crosses 0, the kink" if kink else "the loss bends too sharply" if unsettled else ""
        return Difference(name, near, float(gradient @ direction), slack, h, trouble, kink)


def surroundings(network: Network, weights: Array, x: Array, y: Array) -> Surroundings:
    """The loss of a batch around `weights`, with h and R."""
    values, z = network.sums(weights, x)
    matrices = network.matrices(weights)
    largest = max(1.0, float(np.abs(weights).max()), *(float(np.abs(a).max()) for a in (x, *values)))
    error = np.zeros_like(x)  # of the values below, then of the sums
    for W, below in zip(matrices, (x, *values)):
        sums = np.abs(W) @ (error + (W.shape[1] + 4) * _EPSILON * np.abs(below))
        error = np.vstack([sums, np.zeros(sums.shape[1])])
    off = np.abs(network.loss.outputs(z) - y)  # the slope of a row's loss in its sums
    losses = network.loss.of_rows(z, y)
    rounding = float((off * error[:-1]).sum(axis=0).mean() + 16 * _EPSILON * losses.mean())
    return Surroundings(network, weights, x, y, _REACH / largest, rounding)


def check_gradients(
    network: Network, weights: Array, x: Array, y: Array, gradients: tuple[Array, ...], place: tuple[int, int]
) -> tuple[Difference, ...]:
    """A few weights' gradients against central differences, and along the gradient the slope of f.

    Args:
        gradients: ∂f/∂W_l of the last layers. Of all, any weight may be drawn and ∇f has its turn; else it
            is weights of the lowest of these layers.
        place: (seed, t), from which the weights are drawn.
    """
    missing = network.depth - len(gradients)
    sizes = [above * below for above, below in network.shapes]
    begin = sum(sizes[:missing])
    gradient = np.concatenate([np.zeros(begin), *(g.ravel() for g in gradients)])
    end = begin + sizes[missing] if missing else len(gradient)
    drawn = np.unique(np.random.default_rng(place).integers(begin, end, size=_WEIGHTS))
    around = surroundings(network, weights, x, y)
    found = [
        around.difference(network.weight_name(w), np.eye(1, len(gradient), w)[0], gradient) for w in drawn.tolist()
    ]
    length = float(np.linalg.norm(gradient))
    if missing == 0 and length > 0:
        found.append(around.difference(ALONG, gradient / length, gradient))
    return tuple(found)
