"""Neural network: layers of units, whose weights follow the gradient that backpropagation finds.

Forward, with a_0 = x and the constant 1 appended to every a_l for the biases:

    z_l = W_l a_(l-1),   a_l = σ(z_l) for l < L,   a_L = softmax(z_L) for cross-entropy, z_L for squared loss;

backward, for the mean loss f of a batch of b rows, by the chain rule:

    δ_L = (a_L - y) / b,   δ_l = W_(l+1)' δ_(l+1) ∘ σ'(z_l),   ∂f/∂W_l = δ_l a_(l-1)';

update:   W_l <- W_l - η ∂f/∂W_l,   all at once.

δ_l is ∂f/∂z_l, a column a row of the batch. y is 1 in the output of the row's class, else 0; two classes have
one output, with the sigmoid for the softmax. A whole gradient costs about three forward passes, however many
weights there are; central differences need two for each weight.

The gradient is right if it agrees with central differences, which know nothing of the chain rule:

    ∂f/∂w = (f(w + h) - f(w - h)) / 2h + O(h²),   and along u = ∇f/‖∇f‖ the slope of f is ‖∇f‖,

if f is smooth within h: not where the sum of a ReLU unit crosses 0. So the batch's loss, which a step of η takes
from f(w) to f(w'), is by Taylor's theorem, with κ the curvature of f along ∇f somewhere on the way,

    f(w') = f(w) - η‖∇f‖² + ½ η² κ ‖∇f‖².

Multiplying what goes into a ReLU unit by c > 0 and dividing what goes out of it by c changes no output, so
w_in·∂f/∂w_in = w_out·∂f/∂w_out for each.

References: Rumelhart, Hinton and Williams (1986), Learning representations by back-propagating errors, Nature 323;
Bridle (1990), Probabilistic interpretation of feedforward classification network outputs; LeCun, Bottou, Orr and Müller
(1998), Efficient BackProp; Glorot and Bengio (2010), Understanding the difficulty of training deep feedforward neural
networks, AISTATS; Du, Hu and Lee (2018), Algorithmic regularization in learning deep homogeneous models, NeurIPS (what
ReLU units keep in balance).
"""

from typing import Annotated, Any, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Theorem,
    kept,
    once,
)
from algorithms.data import breast_cancer, digits, iris, moons, rings
from algorithms.families.neural.multilayer_perceptron import words
from algorithms.toolbox.activations import ActivationName
from algorithms.toolbox.gradient_check import Checks, Difference, Surroundings, agreement, slopes, surroundings
from algorithms.toolbox.losses import LossName
from algorithms.toolbox.network import Network, Predictions, inputs_and_targets, network_for, predictions
from algorithms.toolbox.orders import Order, batch_rows, epoch_order, used_after
from algorithms.toolbox.panels import network as picture
from algorithms.toolbox.sizes import out_of_range

_DIVERGED = 1e6  # norm of all weights from which on products of several layers could overflow
_LARGEST = 1e12  # of the data, for the same reason


class MultilayerPerceptronState(State, frozen=True, kw_only=True):
    weights: Array  # (p,) W_1, ..., W_L row by row; W_l is (m_l, m_(l-1) + 1), the biases its last column
    first: int = 0  # places in the epoch's order: the current batch begins here,
    used: int = 0  # and ends before this one
    activations: tuple[Array, ...] = ()  # a_1, a_2, ... as far as the batch has come: (m_l + 1, b), and (k, b)
    deltas: tuple[Array, ...] = ()  # ..., δ_(L-1), δ_L as far as its errors have come back: (m_l, b)
    gradients: tuple[Array, ...] = ()  # ∂f/∂W_l that go with them, kept after the update: (m_l, m_(l-1) + 1)


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
        LossName, Meta(description="cross-entropy of probabilities, or squared error of the sums themselves")
    ] = "cross-entropy",
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


def next_batch(epoch: int, used: int, n: int, batch: int) -> tuple[int, int, int]:
    """Of the batch that follows when `used` rows of an epoch are used: its epoch, where it begins, where it ends."""
    epoch, first = (epoch, used) if 0 < used < n else (epoch + 1, 0)
    return epoch, first, min(first + batch, n)


def adapt(before: Problem, after: Problem, state: MultilayerPerceptronState, rows: Array) -> MultilayerPerceptronState:
    """The weights stay; of the epoch, what was used of the rows that are still there, its last batch at least a row."""
    p, n = before.parameters, before.data.n
    if state.used == 0 or after.data is before.data:
        return state
    used = max(used_after(rows, epoch_order(n, p.order, p.seed, state.iteration), state.used), 1)
    return state.replaced(first=min(state.first, used - 1), used=used)


def layer_values(network: Network, W: Array, below: Array, top: bool) -> Array:
    """a_l = σ(W_l a_(l-1)) with the constant 1 appended, or the outputs a_L."""
    return network.loss.outputs(np.dot(W, below)) if top else network.values(W, below)


def returned(network: Network, above: Array, delta_above: Array, values: Array) -> Array:
    """δ_l = W_(l+1)' δ_(l+1) ∘ σ'(z_l), without the constant, into which no error goes."""
    delta: Array = np.dot(above[:, :-1].T, delta_above)
    delta *= network.activation.slope(values[:-1])
    return delta


@once
def learner(problem: Problem) -> Network:
    p = problem.parameters
    return network_for(problem.data, p.hidden, p.activation, p.loss)


def rows_at(problem: Problem, epoch: int, first: int, used: int) -> Array:
    """The numbers of the rows at these places of an epoch's order."""
    p, n = problem.parameters, problem.data.n
    return np.arange(n)[batch_rows(n, p.order, p.seed, epoch, first, used)]


def batch_of(problem: Problem, state: MultilayerPerceptronState) -> Array:
    """The numbers of the rows of the current batch."""
    return rows_at(problem, state.iteration, state.first, state.used)


@kept
def on_all(problem: Problem, state: MultilayerPerceptronState) -> Predictions:
    return predictions(learner(problem), state.weights, problem.data)


@kept
def on_batch(problem: Problem, state: MultilayerPerceptronState) -> Predictions:
    return predictions(learner(problem), state.weights, problem.data, batch_of(problem, state))


@kept
def around(problem: Problem, before: MultilayerPerceptronState) -> Surroundings:
    """The loss around the weights of a state, of the batch that it is in, or of the next."""
    place = (before.iteration, before.first, before.used)
    if not before.activations:
        place = next_batch(before.iteration, before.used, problem.data.n, problem.parameters.batch)
    rows = rows_at(problem, *place)
    inputs, targets = problem.data.once(inputs_and_targets)
    return surroundings(learner(problem), before.weights, inputs[rows].T, targets[:, rows])


def gone(problem: Problem, state: MultilayerPerceptronState) -> bool:
    """Whether the state before is not that at whose weights the last batch's gradient was taken."""
    return problem.parameters.every == "epoch" and state.first > 0


def one_batch(problem: Problem, state: MultilayerPerceptronState) -> bool | DoesNotApply:
    return not gone(problem, state) or DoesNotApply("a state an epoch: the weights before its last batch are gone")


def with_relu(problem: Problem, state: MultilayerPerceptronState) -> bool | DoesNotApply:
    name = problem.parameters.activation
    return name == "relu" or DoesNotApply(f"{name} units do not scale as ReLU units do")


def length(values: Array) -> float:
    return float(np.linalg.norm(values))


def gradient(state: MultilayerPerceptronState) -> Array:
    """(p,) ∇f once all layers have theirs, else that of the last layers."""
    return np.concatenate(state.gradients, axis=None)


@kept
def latest(problem: Problem, before: MultilayerPerceptronState) -> list[Any]:
    """Room for the state after, and its checks."""
    return []


def checks(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Checks:
    """The slopes that theorems and the scene ask for, worked out together once a step."""
    held = latest(problem, before)
    if not held or held[0] is not after:
        current = after.gradients[0].size if after.phase == "backward" else None
        step = after.weights - before.weights
        held[:] = after, slopes(around(problem, before), gradient(after), step, current, after.t)
    checks: Checks = held[1]
    return checks


def weights_agree(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    return agreement(checks(problem, before, after).weights, "∂f/∂w", "(f(w+h) - f(w-h))/2h")


def slope_agrees(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    if len(after.gradients) < learner(problem).depth:
        return None
    slopes = checks(problem, before, after).whole
    return agreement(slopes, "‖∇f‖", "(f(w+hu) - f(w-hu))/2h") if slopes else DoesNotApply("∇f is 0")


def down_the_gradient(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    move = problem.parameters.eta * gradient(after)
    size = np.abs(before.weights) + np.abs(move)
    return Sides.each(("w'", after.weights), ("w - η∂f/∂w", before.weights - move), relation="==", size=size)


def loss_falls(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    here, g, far = around(problem, before), gradient(after), length(after.weights - before.weights)
    if not checks(problem, before, after).step:
        return DoesNotApply("the weights stay")
    (along,) = checks(problem, before, after).step
    if along.kink:
        return DoesNotApply(f"the sum of a unit crosses 0, its kink, within h = {along.h:.1g}")
    was, now, falls = here.loss, here.loss_at(after.weights), problem.parameters.eta * float(g @ g)
    bend = now - was - far * along.slope  # ½η²κ‖∇f‖², all of it from the loss alone
    # the slope is off by what its difference is, and w' - w by the rounding of w'
    slack = far * along.slack + 4e-16 * float(np.abs(before.weights) @ np.abs(g))
    return Sides(
        ("f(w')", now),
        ("f(w) - η‖∇f‖² + ½η²κ‖∇f‖²", was - falls + bend),
        relation="==",
        size=max(was, now, falls, abs(bend)),
        slack=slack,
    )


def rows_in_turn(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    n, so_far = problem.data.n, max(before.iteration - 1, 0) * problem.data.n
    begin, end = so_far + before.first, so_far + before.used
    if not before.activations:  # it is not the batch of the state before
        begin, end = end, min(end + problem.parameters.batch, (end // n + 1) * n)
    visits = (after.iteration - 1) * n + np.array([after.first, after.used])
    return Sides.each(("place", visits), ("in turn", np.array([begin, end])), relation="==")


def biases_calibrate(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    here = around(problem, before)
    outputs = after.activations[-1] if len(after.activations) == learner(problem).depth else here.outputs
    return Sides.each(
        ("∂f/∂b", after.gradients[-1][:, -1]),
        ("mean a - mean y", outputs.mean(axis=1) - here.y.mean(axis=1)),
        relation="==",
        size=np.abs(outputs).max(axis=1) + 1.0,
    )


def in_balance(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    if len(after.gradients) == 1:
        return None
    network, here = learner(problem), around(problem, before)
    layer, W = network.depth - len(after.gradients), network.matrices(before.weights)  # W[layer + 1] is above its units
    into = (W[layer] * after.gradients[0]).sum(axis=1)
    out = (W[layer + 1] * after.gradients[1]).sum(axis=0)[:-1]
    # Both are Σ δ z over the batch, and what its terms lose stays when they cancel: at most |δ_L| comes back.
    most = np.abs(here.outputs - here.y) / here.y.shape[1]
    for above in reversed(W[layer + 1 :]):
        most = np.abs(above[:, :-1]).T @ most
    below = (here.x, *here.values)[layer]
    size = ((np.abs(W[layer]) @ np.abs(below)) * most).sum(axis=1)
    return Sides.each(("w_in·∂f/∂w_in", into), ("w_out·∂f/∂w_out", out), relation="==", size=size)


def validate(problem: Problem) -> str | None:
    return out_of_range(problem.data, _LARGEST, least=0.0)


def scene(problem: Problem, before: MultilayerPerceptronState | None, after: MultilayerPerceptronState) -> Scene:
    data, network = problem.data, learner(problem)
    batch = None if before is None else batch_of(problem, after)
    gradients = () if before is None else after.gradients
    checked: list[Difference] = []
    if before is not None and after.gradients and not gone(problem, after):
        slopes = checks(problem, before, after)
        checked = slopes.weights + slopes.whole
    panels = (
        picture.decision_panel(data, network, after.weights, on_all(problem, after).wrong, batch),
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
    greatest = np.abs(problem.data.X).max(axis=0)
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


SYMBOLS = {
    "x, y": ("a row with 1 appended, and 1 in the output of its class, 0 in the others", None),
    "W_l, w": ("weights of layer l, the biases last; all weights", None),
    "a_l, z_l": ("values of layer l, and the sums that they are made of", None),
    "σ, σ'": ("the activation of the hidden units, and its slope", None),
    "δ_l": ("∂f/∂z_l, the errors of layer l", None),
    "f": ("mean loss of the batch", lambda problem, state: on_batch(problem, state).loss if state.used else None),
    "b": ("rows of the batch", lambda problem, state: state.used - state.first if state.used else None),
    "L": ("layers with weights", lambda problem, state: learner(problem).depth),
    "η": ("step size", lambda problem, state: problem.parameters.eta),
    "κ": ("curvature of f along ∇f, somewhere between w and w'", None),
}
ONE_BATCH = {"the state before holds the weights of the gradient": one_batch}
CHAIN = "δ_l is ∂f/∂z_l by the chain rule, and z_l = W_l a_(l-1)"
THEOREMS = (
    Theorem(
        "backpropagation = central differences",
        weights_agree,
        source="Rumelhart et al. (1986)",
        about="step",
        phases=("backward", "update"),
        hypotheses=ONE_BATCH,
        proof=(CHAIN, "so ∂f/∂W_l = δ_l a_(l-1)'", "(f(w+h) - f(w-h))/2h = ∂f/∂w + h²/6 f'''(ξ) (Taylor)"),
    ),
    Theorem(
        "along ∇f the slope is ‖∇f‖",
        slope_agrees,
        source="Cauchy (1847)",
        about="step",
        phases=("backward", "update"),
        hypotheses=ONE_BATCH,
        proof=(
            "the slope along a unit vector u is u·∇f",
            "u = ∇f/‖∇f‖ gives ‖∇f‖, the most there is (Cauchy, Schwarz)",
        ),
    ),
    Theorem(
        "w' = w - η∂f/∂w",
        down_the_gradient,
        source="Rumelhart et al. (1986)",
        about="step",
        phases=("update",),
        hypotheses=ONE_BATCH,
        proof=("that is the rule; the theorems above hold ∂f/∂w against differences",),
    ),
    Theorem(
        "f(w') = f(w) - η‖∇f‖² + ½η²κ‖∇f‖²",
        loss_falls,
        source="Cauchy (1847)",
        about="step",
        phases=("update",),
        hypotheses=ONE_BATCH,
        proof=(
            "f(w - η∇f) = f(w) - η∇f·∇f + ½η² ∇f·H∇f, H the Hessian somewhere on the way (Taylor)",
            "κ = ∇f·H∇f/‖∇f‖², here from f(w'), f(w) and the slope along the step by differences",
        ),
    ),
    Theorem(
        "each batch begins where the last one ended",
        rows_in_turn,
        source="LeCun et al. (1998)",
        about="step",
        phases=("forward", "update"),
        hypotheses=ONE_BATCH,
        proof=("that is the rule: b rows, or those that are left of the epoch",),
    ),
    Theorem(
        "an output's bias: ∂f/∂b = mean a - mean y",
        biases_calibrate,
        source="Bridle (1990)",
        about="step",
        phases=("backward", "update"),
        hypotheses=ONE_BATCH,
        proof=("∂f/∂W_L = δ_L a_(L-1)', and the bias is multiplied by 1", "δ_L = (a - y)/b, summed over the b rows"),
    ),
    Theorem(
        "a ReLU unit's w·∂f/∂w: in = out",
        in_balance,
        source="Du, Hu and Lee (2018)",
        about="step",
        phases=("backward", "update"),
        hypotheses={"the units are ReLU": with_relu, **ONE_BATCH},
        proof=(
            "σ(c z) = c σ(z) for c > 0: c w_in and w_out/c give the same outputs, so the same f",
            "its derivative in c, at c = 1, is w_in·∂f/∂w_in - w_out·∂f/∂w_out = 0",
        ),
    ),
)
AT_REST = ("start", "update")

ALGORITHM = Algorithm(
    multilayer_perceptron,
    title="Neural network, backpropagation",
    summary="Passes rows up through layers of units and their errors back down, and steps against the gradient.",
    rule=(
        "a_l = σ(W_l a_(l-1)),  a_0 = x\n"
        "δ_L = (a_L - y)/b,  δ_l = W_(l+1)' δ_(l+1) ∘ σ'(z_l)\n"
        "W_l <- W_l - η δ_l a_(l-1)'"
    ),
    needs=Needs(target="class"),
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
        Curve("error", lambda p, s: on_all(p, s).error, "share of wrong rows", phases=AT_REST, held_out=True),
        Curve("first layer", lambda p, s: length(s.gradients[0]), "‖∂f/∂W₁‖", "gradient", ("update",), log=True),
        Curve("last layer", lambda p, s: length(s.gradients[-1]), "‖∂f/∂W_L‖", "gradient", ("update",), log=True),
    ),
    theorems=THEOREMS,
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        rings,
        moons,
        iris.with_(scale=True),
        breast_cancer.with_(scale=True, hold_out=0.25),
        digits.with_(scale=True, hold_out=0.25),
    ),
)
