"""What is said of a network's steps, in one or two sentences with this step's numbers."""

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.families.neural.multilayer_perceptron.network import Answers, Network


def start(network: Network, data: Dataset, now: Answers) -> str:
    """The network before it has learned anything, or where it was changed."""
    hidden = " and ".join(map(str, network.sizes[1:-1])) or "no"
    units = f"{hidden} hidden {network.activation.name} units"
    return (
        f"{_counted(data.d, 'input')}, {units}, {_counted(network.sizes[-1], 'output')}: {network.size:,} weights. "
        f"The loss is {now.loss:.3g}, and {now.wrong.sum()} of {data.n} rows are wrong."
    )


def forward(network: Network, data: Dataset, batch: Array, values: tuple[Array, ...], found: Answers) -> str:
    """The values of a batch have come to layer len(values); `found` is what the network will say of it."""
    layer, row = len(values), int(batch[0])
    who = f"row {row}" if data.image else f"row {row} ({data.row(row)})"
    if layer < network.depth:
        own = values[-1][:-1, 0]
        most = int(np.abs(own).argmax())
        return (
            f"{_counted(len(batch), 'row')} go up to layer {layer}, each of whose {_counted(len(own), 'unit')} takes "
            f"the {network.activation.name} of a weighted sum. For {who}, unit {most} says most: {own[most]:.3g}."
        )
    true, said = data.classes[int(np.asarray(data.y)[row])], data.classes[int(found.said[0])]
    verdict = f"and the network says so: a loss of {found.losses[0]:.3g}"
    if found.wrong[0]:
        verdict = f"but the network says {said}: a loss of {found.losses[0]:.3g}"
    few = f"{found.wrong.sum()} of its {_counted(len(batch), 'row')} wrong"
    return f"{who[0].upper()}{who[1:]} is {true}, {verdict}. The batch's mean loss is {found.loss:.4g}, {few}."


def backward(network: Network, row: int, deltas: tuple[Array, ...], gradients: tuple[Array, ...]) -> str:
    """The errors of the batch whose first row is `row` have come back to the lowest of these layers."""
    layer = network.depth + 1 - len(gradients)
    errors = deltas[0][:, 0] * deltas[0].shape[1]
    most = int(np.abs(errors).argmax())
    if layer == network.depth:
        made = f"The outputs' errors are δ = a - y: for row {row}, {errors[most]:.3g} at output {most}."
    else:
        made = (
            f"The errors come back through W{layer + 1}, times the slope of {network.activation.name}: "
            f"for row {row}, {errors[most]:.3g} at unit {most} of layer {layer}."
        )
    length = float(np.linalg.norm(gradients[0]))
    return f"{made} With the values below them they make the gradient of W{layer}, of length {length:.3g}."


def update(network: Network, moved: float, was: Answers, now: Answers, everywhere: Answers) -> str:
    """The weights have moved by so much; the batch before and after, and all rows."""
    return (
        f"All {network.size:,} weights step against the gradient at once, by {moved:.3g}: the batch's loss goes from "
        f"{was.loss:.4g} to {now.loss:.4g}. Of all rows it is {everywhere.loss:.4g}, {everywhere.wrong.sum()} wrong."
    )


def epoch(moved: float, was: Answers, now: Answers) -> str:
    """All that happened in an epoch; all rows before and after."""
    return (
        f"Every batch of the epoch had its step; together they move the weights by {moved:.3g}. The loss of all rows "
        f"goes from {was.loss:.4g} to {now.loss:.4g}, and {now.wrong.sum()} of {len(now.wrong)} are wrong."
    )


def _counted(many: int, what: str) -> str:
    return f"{many} {what}" if many == 1 else f"{many} {what}s"
