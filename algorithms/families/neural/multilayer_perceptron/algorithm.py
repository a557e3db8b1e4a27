"""Neural network: layers of units, whose weights follow the gradient that backpropagation finds.

Forward, with a_0 = x and the constant 1 appended to every a_l for the biases:

    z_l = W_l a_(l-1),   a_l = σ(z_l) for l < L,   a_L = softmax(z_L) for cross-entropy, z_L for squared loss;

backward, for the mean loss f of a batch of b rows, by the chain rule:

    δ_L = (a_L - y) / b,   δ_l = W_(l+1)ᵀ δ_(l+1) ∘ σ'(z_l),   ∂f/∂W_l = δ_l a_(l-1)ᵀ;

update:   W_l <- W_l - η ∂f/∂W_l,   all at once.

δ_l is ∂f/∂z_l, a column a row of the batch. y is 1 in the output of the row's class, else 0; two classes have
one output, with the sigmoid for the softmax. A target that is a number is y itself, with one output and the squared
loss ½ (a - y)²: without a hidden layer that is least squares, and a step is Widrow's and Hoff's. A whole gradient
costs about three forward passes, however many weights there are; central differences need two for each weight.

The gradient is right if it agrees with central differences, which know nothing of the chain rule:

    ∂f/∂w = (f(w + h) - f(w - h)) / 2h + O(h²),   and along u = ∇f/‖∇f‖ the slope of f is ‖∇f‖,

if f is smooth within h: not where the sum of a ReLU unit crosses 0. So the batch's loss, which a step of η takes
from f(w) to f(w'), is by Taylor's theorem, with κ the curvature of f along ∇f somewhere on the way,

    f(w') = f(w) - η‖∇f‖² + ½ η² κ ‖∇f‖².

Multiplying what goes into a ReLU unit by c > 0 and dividing what goes out of it by c changes no output, so
w_in·∂f/∂w_in = w_out·∂f/∂w_out for each.

References: Widrow and Hoff (1960), Adaptive switching circuits, IRE WESCON Convention Record 4; Rumelhart, Hinton and
Williams (1986), Learning representations by back-propagating errors, Nature 323; Bridle (1990), Probabilistic
interpretation of feedforward classification network outputs; LeCun, Bottou, Orr and Müller (1998), Efficient BackProp;
Glorot and Bengio (2010), Understanding the difficulty of training deep feedforward neural networks, AISTATS; Du, Hu
and Lee (2018), Algorithmic regularization in learning deep homogeneous models, NeurIPS (what ReLU units keep in
balance).
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Ask,
    Contrast,
    Curve,
    Dataset,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
)
from algorithms.core.ranges import out_of_range, targets_out_of_range
from algorithms.data import breast_cancer, digits, iris, moons, rings, sine
from algorithms.families.neural.multilayer_perceptron import pictures as picture, words
from algorithms.families.neural.multilayer_perceptron.measures import (
    MultilayerPerceptronState,
    around,
    batch_of,
    by_a_line,
    checks,
    gone,
    learner,
    length,
    next_batch,
    on_all,
    on_batch,
)
from algorithms.families.neural.multilayer_perceptron.theorems import THEOREMS
from algorithms.toolbox.activations import ActivationName
from algorithms.toolbox.gradient_check import Difference
from algorithms.toolbox.network import LossChoice, Network, inputs_and_targets, network_for
from algorithms.toolbox.orders import Order, batch_rows, used_in_epoch
from algorithms.toolbox.sizes import largest_features

_DIVERGED = 1e6  # norm of all weights from which on products of several layers could overflow
_LARGEST = 1e12  # of the data, for the same reason
_LARGEST_TARGET = 1e5  # which the weights have to come to


def multilayer_perceptron(
    data: Dataset,
    state: MultilayerPerceptronState | None = None,
    *,
    hidden: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=100)], ...],
        Meta(max_length=5, description="units of each hidden layer: 8 or 16,8; nothing for none"),
    ] = (8,),
    activation: Annotated[ActivationName, Meta(description="σ of the hidden units")] = "tanh",
    loss: Annotated[
        LossChoice,
        Meta(
            description="cross-entropy of probabilities, squared error of the sums, or of classes and of numbers each"
        ),
    ] = "by target",
    eta: Annotated[float, Meta(ge=1e-6, le=100, description="step size η")] = 1.0,
    batch: Annotated[int, Meta(ge=1, le=1_000_000, description="rows a step; from n on, all of them")] = 20,
    order: Annotated[Order, Meta(description="rows in turn, shuffled each epoch, or drawn anew each")] = "shuffled",
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes: an epoch uses as many rows as there are")] = 200,
    every: Annotated[
        Literal["update", "phase", "epoch"],
        Meta(description="a state an update, or a state a layer each way and update, or a state an epoch"),
    ] = "update",
    spread: Annotated[float, Meta(ge=0, le=10, description="of the weights at the start; 1 is the usual")] = 1.0,
    seed: Annotated[Seed, Meta(description="of the weights at the start and of the orders")] = 0,
) -> Run[MultilayerPerceptronState]:
    network = data.once(network_for, hidden, activation, loss)
    inputs, targets = data.once(inputs_and_targets)
    n, L = data.n, network.depth
    if state is None:
        state = MultilayerPerceptronState(weights=network.starting_weights(spread, seed))
        yield state
    weights, epoch, first, used = state.weights, state.iteration, state.first, state.used
    a, deltas, gradients = state.activations, state.deltas, state.gradients
    while True:
        if not a:  # the next batch
            epoch, first, used = next_batch(epoch, used, n, batch)
            deltas, gradients = (), ()
        if epoch > epochs:
            return f"{epochs:,} {'pass' if epochs == 1 else 'passes'} over the rows"
        place = {"iteration": epoch, "first": first, "used": used}
        rows = batch_rows(n, order, seed, epoch, first, used)
        x, y, W = inputs[rows].T, targets[:, rows], network.matrices(weights)
        while len(a) < L:
            a = (*a, layer_values(network, W[len(a)], a[-1] if a else x, top=len(a) == L - 1))
            if every == "phase":
                state = state.after("forward", **place, activations=a, gradients=())
                yield state
        values = (x, *a)  # values[l] is a_l; but W[l] is W_(l+1)
        while len(deltas) < L:
            layer = L - len(deltas)
            delta = (a[-1] - y) / y.shape[1] if layer == L else returned(network, W[layer], deltas[0], values[layer])
            deltas, gradients = (delta, *deltas), (np.dot(delta, values[layer - 1].T), *gradients)
            if every == "phase":
                state = state.after("backward", deltas=deltas, gradients=gradients)
                yield state
        weights = weights - eta * np.concatenate(gradients, axis=None)
        if not weights.dot(weights) < _DIVERGED**2:
            return f"it diverges: this step would bring the weights to a norm above {_DIVERGED:g}; eta is too large"
        if every != "epoch" or used == n:
            state = state.after("update", **place, weights=weights, activations=(), deltas=(), gradients=gradients)
            yield state
        a = ()


def adapt(before: Problem, after: Problem, state: MultilayerPerceptronState, rows: Array) -> MultilayerPerceptronState:
    """The weights stay; of the epoch, what was used of the rows that are still there, its last batch at least a row."""
    if state.used == 0 or after.data is before.data:
        return state
    used = max(used_in_epoch(before, state.iteration, state.used, rows), 1)
    return state.replaced(first=min(state.first, used - 1), used=used)


def layer_values(network: Network, W: Array, below: Array, top: bool) -> Array:
    """a_l = σ(W_l a_(l-1)) with the constant 1 appended, or the outputs a_L."""
    return network.loss.outputs(np.dot(W, below)) if top else network.values(W, below)


def returned(network: Network, above: Array, delta_above: Array, values: Array) -> Array:
    """δ_l = W_(l+1)ᵀ δ_(l+1) ∘ σ'(z_l), without the constant, into which no error goes."""
    delta: Array = np.dot(above[:, :-1].T, delta_above)
    delta *= network.activation.slope(values[:-1])
    return delta


def passes_made(problem: Problem, state: MultilayerPerceptronState) -> bool | Sides:
    """As many passes are made as were asked for, and the weights have followed the last batch."""
    most = problem.parameters.epochs  # a fork that allows fewer may be beyond it
    if state.phase not in ("start", "update") or (state.iteration <= most and state.used < problem.data.n):
        return False
    return Sides(("epochs", most), ("passes", state.iteration))


def too_long(problem: Problem, state: MultilayerPerceptronState) -> Sides | bool:
    """The next step, or one before the next state, would make the weights that long, by its own layers' gradient."""
    p = problem.parameters
    asked = {name: getattr(p, name) for name in p.__struct_fields__} | {"every": "phase"}
    if p.every == "phase" and state.phase != "backward":
        return False
    last = state
    for last in multilayer_perceptron(problem.data, state, **asked):
        if last.phase == "update" and (p.every != "epoch" or last.used == problem.data.n):
            return False  # it is there; of the updates within an epoch any may be the one
    if len(last.gradients) < learner(problem).depth:
        return False
    aim = length(last.weights - p.eta * np.concatenate(last.gradients, axis=None))
    return Sides(("far", _DIVERGED), ("‖w - η∇f‖", aim))


def validate(problem: Problem) -> str | None:
    data, loss = problem.data, problem.parameters.loss
    if data.kind == "number" and loss == "cross-entropy":
        return f"{data.target} of {data.name} is a number, and cross-entropy is of classes: take the squared loss."
    wrong = out_of_range(data, _LARGEST, least=0.0)
    return wrong or (targets_out_of_range(data, _LARGEST_TARGET, 1e-100) if data.kind == "number" else None)


def scene(problem: Problem, before: MultilayerPerceptronState | None, after: MultilayerPerceptronState) -> Scene:
    data, network = problem.data, learner(problem)
    batch = None if before is None else batch_of(problem, after)
    gradients = () if before is None else after.gradients
    checked: list[Difference] = []
    if before is not None and after.gradients and not gone(problem, after):
        slopes = checks(problem, before, after)
        checked = slopes.weights + slopes.whole
    panels = (
        picture.outputs_panel(data, network, after.weights, on_all(problem, after).wrong, batch),
        picture.network_panel(data, network, signals(problem, before, after)),
        picture.pictures_panel(data, network, after.weights),
        picture.layers_table(network, after.weights, gradients, problem.parameters.eta),
        picture.batch_table(data, batch, None if batch is None else on_batch(problem, after)),
        picture.differences_table(checked),
    )
    return Scene(tuple(panel for panel in panels if panel))


def signals(
    problem: Problem, before: MultilayerPerceptronState | None, after: MultilayerPerceptronState
) -> picture.Signals:
    """The batch's first row on its way up; its errors on the way back; and how it fares after the update."""
    network = learner(problem)
    if before is None:
        return picture.at_rest(network, after.weights)
    row = int(batch_of(problem, after)[0])
    x, a = problem.data.X[row], after.activations
    if after.phase == "update":
        values, z = network.sums(after.weights, np.append(x, 1.0)[:, None])
        a = (*values, network.loss.outputs(z))
    own = [v[:m, 0] for v, m in zip(a, network.sizes[1:])]
    greatest = problem.data.once(largest_features)
    up = picture.going_up(network, after.weights, x, greatest, own, f"values of row {row}")
    if after.phase != "backward":
        return up
    return picture.coming_back(up, [d[:, 0] for d in after.deltas], after.gradients, f"errors δ of row {row}")


def explain(problem: Problem, before: MultilayerPerceptronState | None, after: MultilayerPerceptronState) -> str:
    data, network, now = problem.data, learner(problem), on_all(problem, after)
    if before is None:
        return words.start(network, data, now)
    batch = batch_of(problem, after)
    if after.phase == "forward":
        return words.forward(network, data, batch, after.activations, on_batch(problem, after))
    if after.phase == "backward":
        return words.backward(network, int(batch[0]), after.activations, after.deltas, after.gradients[0])
    moved = length(after.weights - before.weights)
    if gone(problem, after):
        return words.epoch(moved, on_all(problem, before), now)
    return words.update(network, moved, around(problem, before).loss, on_batch(problem, after).loss, now)


def of_classes(problem: Problem, state: MultilayerPerceptronState) -> float:
    """The share of wrong rows; NaN of numbers."""
    return on_all(problem, state).error if problem.data.kind == "class" else np.nan


def of_a_line(problem: Problem, state: MultilayerPerceptronState) -> float:
    """The share of wrong rows of least squares on the rows, without a hidden layer; NaN of numbers."""
    return by_a_line(problem) if problem.data.kind == "class" else np.nan


def of_numbers(problem: Problem, state: MultilayerPerceptronState) -> float:
    """The root mean square of what is off; NaN of classes."""
    return on_all(problem, state).error if problem.data.kind == "number" else np.nan


SYMBOLS = {
    "x, y": ("a row with 1 appended; 1 in the output of its class, 0 in the others, or the number", None),
    "W_l, w": ("weights of layer l, the biases last; all weights", None),
    "a_l, z_l": ("values of layer l, and the sums that they are made of", None),
    "σ, σ'": ("the activation of the hidden units, and its slope", None),
    "δ_l": ("∂f/∂z_l, the errors of layer l", None),
    "f": ("mean loss of the batch of the step, another at each step", None),  # no number: before it was another batch's
    "b": ("rows of the batch", lambda problem, state: state.used - state.first if state.used else None),
    "L": ("layers with weights", lambda problem, state: learner(problem).depth),
    "η": ("step size", lambda problem, state: problem.parameters.eta),
    "κ": ("curvature of f along ∇f, somewhere between w and w'", None),
    "l": ("a layer, 0 for the rows", None),
}
AT_REST = ("start", "update")

ALGORITHM = Algorithm(
    multilayer_perceptron,
    title="Neural network, backpropagation",
    point="Errors flow back through the layers, and a straight border learns to bend.",
    after=("logistic_regression", "gradient_descent"),
    also=("mlp", "neural network", "backpropagation"),
    leaves_open="No theorem says that other weights would not do better.",
    tries=(("two hidden units", "-p hidden=2"), ("all weights begin at 0", "-p spread=0")),
    asks=(
        Ask.way("The batch's loss falls: what does the loss of all rows do?", '"training loss"'),
        Ask.way("The batch's loss falls: what does the training error do?", '"training error"'),
    ),
    summary="Passes rows up through layers of units and their errors back down, and steps against the gradient.",
    rule=(
        "a_l = σ(W_l a_(l-1)),  a_0 = x\n"
        "δ_L = (a_L - y)/b,  δ_l = W_(l+1)ᵀ δ_(l+1) ∘ σ'(z_l)\n"
        "W_l <- W_l - η δ_l a_(l-1)ᵀ"
    ),
    needs=Needs(target="either"),
    phases={
        "start": "small random weights, biases 0",
        "forward": "a layer's values for the rows of the batch",
        "backward": "a layer's errors δ, and the gradient of its weights",
        "update": "all weights a step against the gradient",
    },
    events=("update",),
    fork_after=AT_REST,  # elsewhere a batch is half-way
    start_only=("hidden", "spread"),
    curves=(
        Curve("loss", lambda p, s: on_all(p, s).loss, "f(W), the mean loss", phases=AT_REST, held_out=True),
        Curve("batch loss", lambda p, s: on_batch(p, s).loss, "of the current batch", "loss", phases=("update",)),
        Curve("error", of_classes, "share of wrong rows", phases=AT_REST, held_out=True),
        Curve("a line's error", of_a_line, "of classes, by least squares", "error", AT_REST, tone="ink"),
        Curve("RMS error", of_numbers, "√ mean (y - f)²", "error", AT_REST, held_out=True),
        Curve("first layer", lambda p, s: length(s.gradients[0]), "‖∂f/∂W₁‖", "gradient", ("update",), log=True),
        Curve("last layer", lambda p, s: length(s.gradients[-1]), "‖∂f/∂W_L‖", "gradient", ("update",), log=True),
    ),
    objective={("loss", "batch loss"): lambda problem: {"loss": learner(problem).loss.name}},
    theorems=THEOREMS,
    ends={
        "… pass… over the rows": passes_made,
        "it diverges: this step would bring the weights to a norm above …": too_long,
    },
    contrast=Contrast(
        "share of rows wrong: of the network, of a line by least squares",
        curves=("training error", "a line's error"),
        names=("the network", "a line"),
    ),
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        rings,
        moons,
        sine.with_(n=120, noise=0.2),
        iris.with_(scale=True),
        breast_cancer.with_(scale=True, hold_out=0.25),
        digits.with_(scale=True, hold_out=0.25),
    ),
)
