"""A network of layers: what is fixed while it learns, and what it says of rows under given weights.

Rows of data are the columns here, as in W a. A layer's values have the constant 1 below them, by which the next layer's
biases, the last column of its W, are multiplied. Weights may be stacked, (..., p): all that is worked out of them then
has the same axes in front.
"""

from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.activations import ACTIVATIONS, Activation, ActivationName
from algorithms.toolbox.losses import LOSSES, Loss, LossName
from algorithms.toolbox.orders import Rows

ALL = slice(None)  # all rows
LossChoice = Literal["by target", "cross-entropy", "squared"]  # the first: that of classes, or of numbers


class Network(Struct, frozen=True):
    """Layers of units, each joined to all of the layer below and to a bias.

    Attributes:
        sizes: units of each layer: inputs, hidden ones, outputs.
        activation: of the hidden units.
        loss: what is minimised, and the outputs that go with it.
    """

    sizes: tuple[int, ...]
    activation: Activation
    loss: Loss

    @property
    def depth(self) -> int:
        """How many layers have weights: L."""
        return len(self.sizes) - 1

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """(m_l, m_(l-1) + 1) of each layer's matrix, the first above the inputs first."""
        return [(above, below + 1) for below, above in pairwise(self.sizes)]

    @property
    def size(self) -> int:
        """How many weights there are: p."""
        return sum(above * below for above, below in self.shapes)

    def matrices(self, weights: Array) -> list[Array]:
        """The one vector of all weights seen as W_1, ..., W_L."""
        stacked = weights.shape[:-1]
        return [weights[..., begin:end].reshape(*stacked, *shape) for begin, end, shape in layout(self.sizes)]

    def values(self, W: Array, below: Array) -> Array:
        """(m + 1, b) values σ(W below) of a hidden layer, the constant 1 last."""
        values = np.empty((*W.shape[:-2], W.shape[-2] + 1, below.shape[-1]))
        z = values[..., :-1, :]
        np.matmul(W, below, out=z)
        self.activation.value(z, z)
        values[..., -1, :] = 1.0
        return values

    def sums(self, weights: Array, x: Array) -> tuple[list[Array], Array]:
        """All hidden layers' values, each (m + 1, b), and the (k, b) sums of the outputs, for inputs (d + 1, b)."""
        *hidden, last = self.matrices(weights)
        values: list[Array] = []
        for W in hidden:
            x = self.values(W, x)
            values.append(x)
        return values, np.matmul(last, x)

    def outputs(self, weights: Array, rows: Array) -> Array:
        """(m, d) rows -> (m, k) outputs."""
        return self.loss.outputs(self.sums(weights, with_ones(rows).T)[1]).T

    def weight_name(self, place: int) -> str:
        """Where a weight stands: "W2[0, 3]" joins unit 3 of layer 1 to unit 0 of layer 2; "b2[0]" is a bias."""
        for layer, (above, below) in enumerate(self.shapes, start=1):
            if place < above * below:
                unit, source = divmod(place, below)
                return f"b{layer}[{unit}]" if source == below - 1 else f"W{layer}[{unit}, {source}]"
            place -= above * below
        raise IndexError(place)

    def starting_weights(self, spread: float, seed: int) -> Array:
        """Uniform in ± spread √(6/(m_(l-1) + m_l)), or ± spread √(6/m_(l-1)) below ReLU units; biases 0.

        With spread 1 neither values nor errors grow or shrink much from layer to layer: Glorot and Bengio
        (2010); He, Zhang, Ren and Sun (2015) for ReLU, which silences half of its units.
        """
        rng = np.random.default_rng((seed, 0))
        weights = rng.uniform(-spread, spread, self.size)
        for layer, W in enumerate(self.matrices(weights), start=1):
            above, below = W.shape[0], W.shape[1] - 1
            rectified = self.activation.name == "relu" and layer < self.depth
            W *= np.sqrt(6 / (below if rectified else below + above))
            W[:, -1] = 0.0
        return weights


@lru_cache(maxsize=16)
def layout(sizes: tuple[int, ...]) -> tuple[tuple[int, int, tuple[int, int]], ...]:
    """Where the weights of each layer begin and end among all, and the shape of their matrix."""
    shapes = [(above, below + 1) for below, above in pairwise(sizes)]
    ends = np.cumsum([above * below for above, below in shapes]).tolist()
    return tuple(zip((0, *ends), ends, shapes))


class Predictions(Struct, frozen=True, eq=False):
    """What a network says of some rows.

    Attributes:
        outputs: (m, k).
        codes: (m,) class codes; 0 of numbers.
        wrong: (m,) bool: rows of another class; no number is wrong.
        losses: (m,).
        number: whether numbers are predicted.
    """

    outputs: Array
    codes: Array
    wrong: Array
    losses: Array
    number: bool = False

    @property
    def loss(self) -> float:
        return float(self.losses.mean())

    @property
    def error(self) -> float:
        """The share of wrong rows; of numbers √mean (a - y)²."""
        return float(np.sqrt(2 * self.loss)) if self.number else float(self.wrong.mean())


def predictions(network: Network, weights: Array, data: Dataset, rows: Rows = ALL) -> Predictions:
    """What a network says of rows of the data, and how wrong it is."""
    inputs, targets = data.once(inputs_and_targets)
    z = network.sums(weights, inputs[rows].T)[1]
    outputs, losses = network.loss.outputs(z).T, network.loss.of_rows(z, targets[:, rows])
    if data.kind == "number":
        none = np.zeros(len(outputs), int)
        return Predictions(outputs, none, none > 0, losses, number=True)
    codes = (outputs[:, 0] > 0.5).astype(int) if outputs.shape[1] == 1 else outputs.argmax(axis=1)
    return Predictions(outputs, codes, codes != np.asarray(data.y)[rows], losses)


def network_for(data: Dataset, hidden: tuple[int, ...], activation: ActivationName, loss: LossChoice) -> Network:
    """The network that learns the classes of the data, or the number."""
    number = data.kind == "number"
    outputs = 1 if number or len(data.classes) == 2 else len(data.classes)
    usual: LossName = "squared" if number else "cross-entropy"
    return Network((data.d, *hidden, outputs), ACTIVATIONS[activation], LOSSES[usual if loss == "by target" else loss])


def with_ones(rows: Array) -> Array:
    """(m, d + 1): the constant 1 appended to each row."""
    return np.column_stack([rows, np.ones(len(rows))])


def inputs_and_targets(data: Dataset) -> tuple[Array, Array]:
    """(n, d + 1) rows with the constant 1, and (k, n) targets: 1 in the output of the class; of two, the code.

    A target that is a number is taken as it is.
    """
    inputs, y = with_ones(data.X), np.asarray(data.y)
    classes = len(data.classes)
    targets = y[None].astype(float) if data.kind == "number" or classes == 2 else np.eye(classes)[:, y]
    inputs.setflags(write=False)
    targets.setflags(write=False)
    return inputs, targets
