"""What is said of a network's steps, in one or two sentences with this step's numbers."""

import numpy as np

from algorithms.core import Array, Dataset, Words
from algorithms.core.text import counted
from algorithms.toolbox.network import Network, Predictions


def rows_wrong(now: Predictions) -> str:
    """ "12 of 150 rows are wrong"; of numbers how far they are off."""
    if now.number:
        return f"the root of the mean squared residual is {now.error:.3g}"
    return f"{now.wrong.sum()} of {len(now.wrong)} rows are wrong"


def start(network: Network, data: Dataset, now: Predictions) -> str:
    """The network before it has learned anything, or where it was changed."""
    hidden = " and ".join(map(str, network.sizes[1:-1])) or "no"
    units = f"{hidden} hidden {network.activation.name} units"
    return (
        f"{counted(data.d, 'input')}, {units}, {counted(network.sizes[-1], 'output')}: {network.size:,} weights. "
        f"The loss is {now.loss:.3g}, and {rows_wrong(now)}."
    )


def forward(network: Network, data: Dataset, batch: Array, values: tuple[Array, ...], predictions: Predictions) -> str:
    """The values of a batch have come to layer len(values); `found` is what the network will say of it."""
    layer, row = len(values), int(batch[0])
    who = f"row {row}" if data.image else f"row {row} ({data.row(row)})"
    if layer < network.depth:
        own = values[-1][:-1, 0]
        most, go = int(np.abs(own).argmax()), "goes" if len(batch) == 1 else "go"
        return (
            f"{counted(len(batch), 'row')} {go} up to layer {layer}, each of whose {counted(len(own), 'unit')} takes "
            f"the {network.activation.name} of a weighted sum. For {who}, unit {most} says most: {own[most]:.3g}."
        )
    batchwide = f"The batch's mean loss is {predictions.loss:.4g}"
    if predictions.number:
        a, y, paid = float(predictions.outputs[0, 0]), float(np.asarray(data.y)[row]), predictions.losses[0]
        return f"For {who} the network says {a:.3g} where {data.target} is {y:.3g}: a loss of {paid:.3g}. {batchwide}."
    true, predicted = data.classes[int(np.asarray(data.y)[row])], data.classes[int(predictions.codes[0])]
    verdict = f"and the network says so: a loss of {predictions.losses[0]:.3g}"
    if predictions.wrong[0]:
        verdict = f"but the network says {predicted}: a loss of {predictions.losses[0]:.3g}"
    few = f"{predictions.wrong.sum()} of its {counted(len(batch), 'row')} wrong"
    return f"{who[0].upper()}{who[1:]} is {true}, {verdict}. {batchwide}, {few}."


def backward(network: Network, row: int, values: tuple[Array, ...], deltas: tuple[Array, ...], gradient: Array) -> str:
    """The errors of the batch whose first row is `row` have come back to the lowest of these layers."""
    layer, errors, b = network.depth + 1 - len(deltas), deltas[0][:, 0], deltas[0].shape[1]
    most = int(np.abs(errors).argmax())
    if layer == network.depth:
        a = float(values[-1][most, 0])
        off = f"({a:.3g} - {a - b * errors[most]:.3g})/{b}"
        made = f"The outputs' errors are δ = (a - y)/b: for row {row}, {off} = {errors[most]:.3g} at output {most}."
    else:
        made = (
            f"The errors come back through W{layer + 1}, times the slope of {network.activation.name}: "
            f"for row {row}, δ = {errors[most]:.3g} at unit {most} of layer {layer}."
        )
    size = float(np.linalg.norm(gradient))
    return f"{made} With the values below them they make the gradient of W{layer}, of length {size:.3g}."


def update(network: Network, moved: float, was: float, now: float, everywhere: Predictions) -> str:
    """The weights have moved by so much; the batch's loss before and after, and all rows."""
    few = "" if everywhere.number else f", {everywhere.wrong.sum()} wrong"
    said = (
        f"All {network.size:,} weights step against the gradient at once, by {moved:.3g}: the batch's loss goes from "
        f"{was:.4g} to {now:.4g}."
    )
    return Words.of(said, f"The loss of all rows is {everywhere.loss:.4g}{few}.")


def epoch(moved: float, was: Predictions, now: Predictions) -> str:
    """All that happened in an epoch; all rows before and after."""
    few = rows_wrong(now).replace(" rows", "")
    return (
        f"Every batch of the epoch had its step; together they move the weights by {moved:.3g}. The loss of all rows "
        f"goes from {was.loss:.4g} to {now.loss:.4g}, and {few}."
    )
