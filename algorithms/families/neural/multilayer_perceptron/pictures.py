"""What is shown of a network: the classes it tells apart, its units and weights, and tables of its numbers."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset, Matrix, Panel, Points, Region, Segments, Units, columns
from algorithms.core.scene import Mark
from algorithms.toolbox.gradient_check import Difference
from algorithms.toolbox.network import Network, Predictions
from algorithms.toolbox.panels.functions import Function, function_panel, predicted_panel
from algorithms.toolbox.panels.linear import alike
from algorithms.toolbox.panels.row_words import says_scores
from algorithms.toolbox.truths import true_function

_MOST_UNITS = 10  # of a layer that are drawn
_MOST_JOINTS = 40  # between two layers, the strongest; more would be a thicket
_TOP = 1.2  # units reach to 1; above them the names of layers have a row of their own
_MOST_PICTURES = 16  # units whose weights are shown as pictures
_MOST_ROWS = 50  # of a table
_REST = 0.3  # the size of rows outside the batch: small glyphs
_LETTERS = 7  # of a name on a unit


class Signals(Struct, frozen=True, eq=False):
    """What runs through the network for one row, as far as it has come.

    Attributes:
        numbers: of inputs and each layer, (m,); None where there are none yet.
        shades: the same, in [-1, 1].
        joints: for each layer the (m_l, m_(l-1)) weights, or their gradients; None to show them faintly.
        marked: the layer in hand, 0 for the inputs, -1 for none.
        note: what it is.
    """

    numbers: tuple[Array | None, ...]
    shades: tuple[Array | None, ...]
    joints: tuple[Array | None, ...]
    marked: int
    note: str


def at_rest(network: Network, weights: Array) -> Signals:
    """Nothing runs: the weights alone."""
    nothing = (None,) * (network.depth + 1)
    return Signals(nothing, nothing, _joints(network, weights), -1, "the weights")


def going_up(
    network: Network, weights: Array, inputs: Array, greatest: Array, values: Sequence[Array], note: str
) -> Signals:
    """The values of one row: (d,) inputs, shaded as shares of the greatest there are, and (m_l,) of the layers that
    they have come to."""
    reached = len(values)
    missing = (None,) * (network.depth - reached)
    joints = (*_joints(network, weights)[:reached], *missing)
    shades = tuple(v / max(1.0, float(np.abs(v).max())) for v in values)
    shares = inputs / np.where(greatest > 0, greatest, 1.0)
    return Signals((inputs, *values, *missing), (shares, *shades, *missing), joints, reached, note)


def coming_back(up: Signals, deltas: Sequence[Array], gradients: Sequence[Array], note: str) -> Signals:
    """One row's errors (m_l,) of the last layers, in place of its values, and those layers' gradients."""
    layer = len(up.numbers) - len(deltas)
    joints = (*(None for _ in up.joints[: layer - 1]), *(g[:, :-1] for g in gradients))
    numbers = (*up.numbers[:layer], *deltas)
    return Signals(numbers, (*up.shades[:layer], *map(_to_one, deltas)), joints, layer, note)


def _joints(network: Network, weights: Array) -> tuple[Array, ...]:
    return tuple(W[:, :-1] for W in network.matrices(weights))


def outputs_panel(data: Dataset, network: Network, weights: Array, wrong: Array, batch: Array | None) -> Panel:
    """What the network says: of each place, or of a number over its one feature or against the true one."""
    if data.kind != "number":
        return decision_panel(data, network, weights, wrong, batch)
    here = None if batch is None or len(batch) >= data.n else np.isin(np.arange(data.n), batch)
    if data.d > 1:
        return predicted_panel(data, network.outputs(weights, data.X)[:, 0], here, kind="in the batch")

    def of(weights: Array) -> Function:
        return lambda at: network.outputs(weights, at)[:, 0]

    def among(past: Any, present: Any) -> bool:
        return past.phase in ("start", "update")

    return function_panel(
        data,
        of(weights),
        truth=true_function(data),
        haloed=here,
        kind="in the batch",
        earlier=lambda state: of(state.weights),
        among=among,
        names=("network", "earlier networks", "truth"),
    )


def decision_panel(data: Dataset, network: Network, weights: Array, wrong: Array, batch: Array | None) -> Panel:
    """What the network says of each place; the batch's rows larger, the first of them, which is followed, ringed."""

    def score(at: Array) -> Array:
        outputs = network.outputs(weights, at)
        return outputs[:, 0] - 0.5 if outputs.shape[1] == 1 else outputs

    def says(at: Array) -> Array:
        outputs = network.outputs(weights, at)
        return np.column_stack([1 - outputs, outputs]) if outputs.shape[1] == 1 else outputs

    every = np.arange(data.n)
    rows = Points(
        at=data.X,
        classes=data.y,
        crossed=wrong,
        weights=None if batch is None or len(batch) >= data.n else np.where(np.isin(every, batch), 1.0, _REST),
        sizes="large: in the batch",
        ringed=None if batch is None else every == batch[0],
        says=says_scores(data, says, "P"),
    )
    fullest = 0.5 if len(data.classes) == 2 else 0.9
    tint = Region(score=score, depth=fullest, check=data.X)
    note = "" if batch is None else f"lit: row {batch[0]}, the batch's first"
    return Panel(title="what the network says", space="data", marks=(tint, rows), equal=alike(data), note=note)


def network_panel(data: Dataset, network: Network, signals: Signals) -> Panel:
    """Columns of units, joined by what is shown of their weights; each layer shaded to its own greatest."""
    shown = [_drawn(m) for m in network.sizes]
    places = [_column(layer, len(units)) for layer, units in enumerate(shown)]
    marks: list[Mark] = []
    for layer, joints in enumerate(signals.joints):
        below, above = shown[layer], shown[layer + 1]
        strengths = (np.zeros((len(above), len(below))) if joints is None else joints[np.ix_(above, below)]).ravel()
        drawn = np.argsort(-np.abs(strengths), kind="stable")[: None if joints is None else _MOST_JOINTS]
        start = np.tile(places[layer], (len(above), 1))[drawn]
        end = np.repeat(places[layer + 1], len(below), axis=0)[drawn]
        marks.append(Segments(start=start, end=end, values=_to_one(strengths)[drawn], name="weights"))
    for layer, (units, at) in enumerate(zip(shown, places)):
        texts = _names(data, network, layer, units)
        numbers, shades = signals.numbers[layer], signals.shades[layer]
        if numbers is not None:
            texts = [f"{name} {_short(number)}".strip() for name, number in zip(texts, numbers[units].tolist())]
        here = np.full(len(units), layer == signals.marked)
        values = np.zeros(len(units)) if shades is None else shades[units]
        marks.append(Units(at=at, values=values, texts=tuple(text or " " for text in texts), marked=here))
    heads = tuple(_head(network, layer, len(units)) for layer, units in enumerate(shown))
    at = np.column_stack([np.arange(len(heads)), np.full(len(heads), _TOP - 0.1)])
    marks.append(Units(at=at, values=np.zeros(len(heads)), texts=heads))
    joined = max(len(below) * len(above) for below, above in pairwise(shown))
    note = signals.note if joined <= _MOST_JOINTS else f"{signals.note}, {_MOST_JOINTS} strongest joints"
    limits = ((-0.5, network.depth + 0.5), (0.0, _TOP))
    return Panel(title="the network", marks=tuple(marks), limits=limits, note=note)


def _drawn(units: int) -> Array:
    """The units of a layer that are drawn: all of them, or some at even distances, always the same."""
    return np.unique(np.linspace(0, units - 1, min(units, _MOST_UNITS)).round().astype(int))


def _column(layer: int, units: int) -> Array:
    """(units, 2) places, the first on top."""
    return np.column_stack([np.full(units, float(layer)), 1 - (np.arange(units) + 0.5) / units])


def _to_one(values: Array) -> Array:
    """Values over the greatest of them."""
    greatest = float(np.abs(values).max(initial=0.0))
    return values / greatest if greatest > 0 else np.zeros_like(values)


def _names(data: Dataset, network: Network, layer: int, units: Array) -> list[str]:
    """Inputs by feature, outputs by class or by the number, hidden units by nothing."""
    if layer == 0:
        names: Sequence[str] = data.features
    elif layer == network.depth:
        names = (data.target,) if data.kind == "number" else data.classes[-network.sizes[-1] :]
    else:
        return [""] * len(units)
    return [names[i] if len(names[i]) <= _LETTERS else names[i][: _LETTERS - 1] + "…" for i in units.tolist()]


def _short(number: float) -> str:
    if abs(number) >= 100:
        return f"{number:.0f}"
    return f"{number:.2f}" if abs(number) >= 0.005 or number == 0 else f"{number:.0e}".replace("e-0", "e-")


def _head(network: Network, layer: int, shown: int) -> str:
    units = network.sizes[layer]
    name = "inputs" if layer == 0 else "outputs" if layer == network.depth else f"layer {layer}"
    return name if shown == units else f"{name} {shown}/{units}"


def pictures_panel(data: Dataset, network: Network, weights: Array) -> Panel | None:
    """The weights of the first layer's units as pictures side by side, each to its own greatest."""
    if data.image is None:
        return None
    height, width = data.image
    tiles = network.matrices(weights)[0][:_MOST_PICTURES, :-1]
    across = int(np.ceil(np.sqrt(2 * len(tiles))))
    down = -(-len(tiles) // across)
    picture = np.zeros((down * (height + 1) - 1, across * (width + 1) - 1))
    for i, tile in enumerate(tiles):
        top, left = i // across * (height + 1), i % across * (width + 1)
        picture[top : top + height, left : left + width] = _to_one(tile).reshape(height, width)
    note = "" if len(tiles) == network.sizes[1] else f"{len(tiles)} of {network.sizes[1]} units"
    return Panel(title="weights of layer 1's units", marks=(Matrix(values=picture, signed=True),), note=note)


def layers_table(network: Network, weights: Array, gradients: tuple[Array, ...], eta: float) -> Panel:
    """A line a layer; gradients as far as there are any, the last layers first."""
    matrices = network.matrices(weights)
    lengths = np.array([np.linalg.norm(W) for W in matrices])
    slopes = np.full(network.depth, np.nan)
    slopes[network.depth - len(gradients) :] = [np.linalg.norm(g) for g in gradients]
    shares = np.divide(eta * slopes, lengths, out=np.full(network.depth, np.nan), where=lengths > 0)
    facts = {
        "layer": range(1, network.depth + 1),
        "units": network.sizes[1:],
        "weights": [W.size for W in matrices],
        "‖W‖": lengths,
        "‖∂f/∂W‖": slopes,
        "η‖∂f/∂W‖/‖W‖": shares,
    }
    return columns("layers", facts)


def batch_table(data: Dataset, batch: Array | None, predicted: Predictions | None) -> Panel:
    """The rows of the batch, and how far the outputs are on their side, or off the number."""
    if data.kind == "number":
        return _numbers_of_batch(data, batch, predicted)
    rows = np.zeros(0, int) if batch is None or predicted is None else batch[:_MOST_ROWS]
    own, losses = np.zeros(0), np.zeros(0)
    names: list[str] = []
    codes = np.asarray(data.y)[rows]
    if predicted is not None:
        outputs = predicted.outputs[: len(rows)]
        first = np.where(codes == 1, outputs[:, 0], 1 - outputs[:, 0])  # of two classes
        own = first if outputs.shape[1] == 1 else outputs[np.arange(len(rows)), codes]
        losses, names = predicted.losses[: len(rows)], [data.classes[code] for code in predicted.codes[: len(rows)]]
    facts = {
        "row": rows,
        data.target: [data.classes[code] for code in codes],
        "says": names,
        "own output": own,
        "loss": losses,
    }
    note = f"{len(rows)} of {len(batch)} rows" if batch is not None and len(batch) > len(rows) else ""
    marked = (0,) if len(rows) else ()
    return columns("the batch", facts, note, tones=tuple(codes.tolist()), marked=marked)


def _numbers_of_batch(data: Dataset, batch: Array | None, predicted: Predictions | None) -> Panel:
    rows = np.zeros(0, int) if batch is None else batch[:_MOST_ROWS]
    y = np.asarray(data.y, float)[rows]
    says, losses = (
        (np.zeros(0), np.zeros(0))
        if predicted is None
        else (predicted.outputs[: len(rows), 0], predicted.losses[: len(rows)])
    )
    facts = {"row": rows, data.target: y, "says": says, "says - y": says - y, "loss": losses}
    note = f"{len(rows)} of {len(batch)} rows" if batch is not None and len(batch) > len(rows) else ""
    return columns("the batch", facts, note, marked=(0,) if len(rows) else ())


def differences_table(differences: Sequence[Difference]) -> Panel:
    """Gradients against central differences."""
    facts = {
        "f along": [d.name for d in differences],
        "gradient": [d.gradient for d in differences],
        "difference": [d.slope for d in differences],
        "apart": [d.apart for d in differences],
        "allowed": [d.slack for d in differences],
        "": ["a kink" if d.kink else None for d in differences],
    }
    return columns("gradient check", facts)
