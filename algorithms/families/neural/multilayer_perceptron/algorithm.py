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

if f is smooth within h: not where the sum of a ReLU unit crosses 0. Multiplying what goes into a ReLU unit by
c > 0 and dividing what goes out of it by c changes no output, so w_in·∂f/∂w_in = w_out·∂f/∂w_out for each.

References: Rumelhart, Hinton and Williams (1986), Nature 323; LeCun, Bottou, Orr and Müller (1998), Efficient
BackProp; Glorot and Bengio (2010), AISTATS; Du, Hu and Lee (2018), NeurIPS (what ReLU units keep in balance).
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
)
from algorithms.core.theorem import Answer
from algorithms.data import breast_cancer, digits, iris, moons, rings
from algorithms.families.neural.multilayer_perceptron import pictures as picture, words
from algorithms.families.neural.multilayer_perceptron.differences import (
    Difference,
    Surroundings,
    agreement,
    along_gradient,
    some_weights,
    surroundings,
)
from algorithms.families.neural.multilayer_perceptron.network import (
    Answers,
    Network,
    answers,
    hidden_values,
    inputs_and_targets,
    network_for,
)
from algorithms.toolbox.activations import ActivationName
from algorithms.toolbox.losses import LossName
from algorithms.toolbox.orders import Order, batch_rows, epoch_order, used_after
from algorithms.toolbox.sizes import out_of_range

_DIVERGED = 1e6  # norm of all weights from which on products of several layers could overflow
_LARGEST = 1e12  # of the data, for the same reason
_GONE = "a state an epoch: the weights before its last batch are gone"


class MultilayerPerceptronState(State, frozen=True, kw_only=True):
    weights: Array  # (p,) W_1, ..., W_L row by row; W_l is (m_l, m_(l-1) + 1), the biases its last column
    first: int = 0  # places in the epoch's order: the batch in hand begins here,
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
    eta: Annotated[float, Meta(ge=1e-6, le=100, description="step size η")] = 0.5,
    batch: Annotated[int, Meta(ge=1, le=1_000_000, description="rows a step; from n on, all of them")] = 20,
    order: Annotated[Order, Meta(description="rows in turn, shuffled each epoch, or drawn anew each")] = "shuffled",
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes: an epoch uses as many rows as there are")] = 200,
    every: Annotated[
        Literal["phase", "update", "epoch"],
        Meta(description="a state a layer each way and update, or a state an update, or an epoch"),
    ] = "phase",
    spread: Annotated[float, Meta(ge=0, le=10, description="of the weights at the start; 1 is the usual")] = 1.0,
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1, description="of the weights at the start and of the orders")] = 0,
) -> Run[MultilayerPerceptronState]:
    network = network_for(data, hidden, activation, loss)
    inputs, targets = inputs_and_targets(data)
    n, L = data.n, network.depth
    if state is None:
        state = MultilayerPerceptronState(weights=network.starting_weights(spread, seed))
        yield state
    weights, epoch, first, used = state.weights, state.iteration, state.first, state.used
    a, deltas, gradients = state.activations, state.deltas, state.gradients
    while True:
        if not a:  # the next batch
            epoch, first = (epoch, used) if 0 < used < n else (epoch + 1, 0)
            if epoch > epochs:
                return f"{epochs:,} passes over the rows"
            used, deltas, gradients = min(first + batch, n), (), ()
        place = {"iteration": epoch, "first": first, "used": used}
        rows = batch_rows(n, order, seed, epoch, first, used)
        x, y, W = inputs[rows].T, targets[:, rows], network.matrices(weights)
        while len(a) < L:
            below = a[-1] if a else x
            a = (*a, layer_values(network, W[len(a)], below, top=len(a) == L - 1))
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
    p, n = before.parameters, before.data.n
    if state.used == 0 or after.data is before.data:
        return state
    used = max(used_after(rows, epoch_order(n, p.order, p.seed, state.iteration), state.used), 1)
    return state.replaced(first=min(state.first, used - 1), used=used)


def layer_values(network: Network, W: Array, below: Array, top: bool) -> Array:
    """a_l = σ(W_l a_(l-1)) with the constant 1 appended, or the outputs a_L."""
    return network.loss.outputs(np.dot(W, below)) if top else hidden_values(network.activation, W, below)


def returned(network: Network, above: Array, delta_above: Array, values: Array) -> Array:
    """δ_l = W_(l+1)' δ_(l+1) ∘ σ'(z_l), without the constant, into which no error goes."""
    delta: Array = np.dot(above[:, :-1].T, delta_above)
    delta *= network.activation.slope(values[:-1])
    return delta


def learner(problem: Problem) -> Network:
    p = problem.parameters
    return network_for(problem.data, p.hidden, p.activation, p.loss)


def batch_of(problem: Problem, state: MultilayerPerceptronState) -> Array:
    """The numbers of the rows of the batch in hand."""
    p, n = problem.parameters, problem.data.n
    return np.arange(n)[batch_rows(n, p.order, p.seed, state.iteration, state.first, state.used)]


def on_training(problem: Problem, state: MultilayerPerceptronState) -> Answers:
    return answers(problem.once(learner), state.weights, problem.data)


def on_batch(problem: Problem, state: MultilayerPerceptronState) -> Answers:
    return answers(problem.once(learner), state.weights, problem.data, batch_of(problem, state))


def on_held_out(problem: Problem, state: MultilayerPerceptronState) -> Answers | None:
    aside = problem.data.held_out
    return None if aside is None else answers(problem.once(learner), state.weights, aside)


def loss_all(problem: Problem, state: MultilayerPerceptronState) -> float:
    return problem.of(on_training, state).loss


def loss_held_out(problem: Problem, state: MultilayerPerceptronState) -> float:
    found = problem.of(on_held_out, state)
    return found.loss if found else np.nan


def error_training(problem: Problem, state: MultilayerPerceptronState) -> float:
    return problem.of(on_training, state).error


def error_held_out(problem: Problem, state: MultilayerPerceptronState) -> float:
    found = problem.of(on_held_out, state)
    return found.error if found else np.nan


def gradient_first(problem: Problem, state: MultilayerPerceptronState) -> float:
    return float(np.linalg.norm(state.gradients[0]))


def gradient_last(problem: Problem, state: MultilayerPerceptronState) -> float:
    return float(np.linalg.norm(state.gradients[-1]))


def around(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Surroundings:
    """The loss of the batch in hand around the weights at which its gradients were taken."""
    inputs, targets = inputs_and_targets(problem.data)
    rows = batch_of(problem, after)
    return surroundings(problem.once(learner), before.weights, inputs[rows].T, targets[:, rows])


def gone(problem: Problem, after: MultilayerPerceptronState) -> bool:
    """Whether the state before is not that at whose weights the last batch's gradient was taken."""
    return problem.parameters.every == "epoch" and after.first > 0


def checked_weights(
    problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState
) -> tuple[Difference, ...]:
    """A few weights' gradients against central differences: on the way back of the layer in hand, else of any."""
    place = (problem.parameters.seed, after.t)
    return some_weights(around(problem, before, after), after.gradients, after.phase == "backward", place)


def weights_agree(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    if not after.gradients or gone(problem, after):
        return DoesNotApply(_GONE) if gone(problem, after) else None
    return agreement(checked_weights(problem, before, after), "∂f/∂w", "(f(w+h) - f(w-h))/2h")


def slope_agrees(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    if len(after.gradients) < problem.once(learner).depth or gone(problem, after):
        return DoesNotApply(_GONE) if gone(problem, after) else None
    found = along_gradient(around(problem, before, after), after.gradients)
    return agreement(found, "‖∇f‖", "(f(w+hu) - f(w-hu))/2h") if found else DoesNotApply("∇f is 0")


def sum_to_one(problem: Problem, before: MultilayerPerceptronState | None, after: MultilayerPerceptronState) -> Answer:
    network = problem.once(learner)
    if not network.probable:
        return DoesNotApply("with squared loss the outputs are no probabilities")
    if network.sizes[-1] == 1:
        return DoesNotApply("two classes have one output")
    if len(after.activations) < network.depth:
        return None
    sums = after.activations[-1].sum(axis=0)
    return Sides(("least Σ a", float(sums.min())), ("1", 1.0), ("greatest Σ a", float(sums.max())), relation="==")


def in_balance(problem: Problem, before: MultilayerPerceptronState | None, after: MultilayerPerceptronState) -> Answer:
    network = problem.once(learner)
    if network.activation.name != "relu":
        return DoesNotApply(f"{network.activation.name} units do not scale as ReLU units do")
    if after.phase != "backward" or len(after.gradients) == 1:
        return None
    layer = network.depth - len(after.gradients)  # counted from 0: its units feed W[layer + 1]
    W = network.matrices(after.weights)
    into = (W[layer] * after.gradients[0]).sum(axis=1)
    out = (W[layer + 1] * after.gradients[1]).sum(axis=0)[:-1]
    unit = int(np.abs(into - out).argmax())
    # Both are Σ δ z over the batch, and what its terms lose stays when they cancel.
    inputs = inputs_and_targets(problem.data)[0]
    below = after.activations[layer - 1] if layer else inputs[batch_of(problem, after)].T
    terms = np.abs(W[layer][unit]) @ np.abs(below) @ np.abs(after.deltas[0][unit])
    terms += np.abs(W[layer + 1][:, unit]) @ np.abs(after.deltas[1]) @ after.activations[layer][unit]
    return Sides(
        ("w_in·∂f/∂w_in", float(into[unit])),
        ("w_out·∂f/∂w_out", float(out[unit])),
        relation="==",
        slack=1e-13 * float(terms),
    )


def validate(problem: Problem) -> str | None:
    return out_of_range(problem.data, _LARGEST, least=0.0)


def scene(problem: Problem, before: MultilayerPerceptronState | None, after: MultilayerPerceptronState) -> Scene:
    data, network, p = problem.data, problem.once(learner), problem.parameters
    batch = None if before is None else batch_of(problem, after)
    now = problem.of(on_training, after)
    gradients = () if before is None else after.gradients
    checked: tuple[Difference, ...] = ()
    if before is not None and after.gradients and not gone(problem, after):
        whole = along_gradient(around(problem, before, after), after.gradients)
        checked = checked_weights(problem, before, after) + whole
    panels = (
        picture.decision_panel(data, network, after.weights, now.wrong, batch),
        picture.network_panel(data, network, signals(problem, before, after)),
        picture.pictures_panel(data, network, after.weights),
        picture.layers_table(network, after.weights, gradients, p.eta),
        picture.batch_table(data, batch, None if batch is None else problem.of(on_batch, after)),
        picture.differences_table(checked),
    )
    return Scene(tuple(panel for panel in panels if panel))


def signals(
    problem: Problem, before: MultilayerPerceptronState | None, after: MultilayerPerceptronState
) -> picture.Signals:
    """The batch's first row on its way up; its errors on the way back; and how it fares after the update."""
    network = problem.once(learner)
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
    b = after.deltas[-1].shape[1]
    return picture.coming_back(up, [d[:, 0] * b for d in after.deltas], after.gradients, f"errors δ of row {row}")


def explain(problem: Problem, before: MultilayerPerceptronState | None, after: MultilayerPerceptronState) -> str:
    data, network = problem.data, problem.once(learner)
    now = problem.of(on_training, after)
    if before is None:
        return words.start(network, data, now)
    batch = batch_of(problem, after)
    if after.phase == "forward":
        return words.forward(network, data, batch, after.activations, problem.of(on_batch, after))
    if after.phase == "backward":
        return words.backward(network, int(batch[0]), after.deltas, after.gradients)
    moved = float(np.linalg.norm(after.weights - before.weights))
    if gone(problem, after):
        return words.epoch(moved, problem.of(on_training, before), now)
    was = answers(network, before.weights, data, batch)
    return words.update(network, moved, was, problem.of(on_batch, after), now)


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
    fork_after=("start", "update"),  # elsewhere a batch is half-way
    start_only=("hidden", "spread"),
    curves=(
        Curve("loss, all rows", loss_all, "f(W), the mean loss", chart="loss", phases=("start", "update")),
        Curve("loss, batch", lambda p, s: p.of(on_batch, s).loss, "of the rows in hand", "loss", phases=("update",)),
        Curve("loss, held out", loss_held_out, "of rows held out", chart="loss", phases=("start", "update")),
        Curve("training error", error_training, "share of wrong rows", chart="error", phases=("start", "update")),
        Curve("held-out error", error_held_out, "of rows held out", chart="error", phases=("start", "update")),
        Curve("first layer", gradient_first, "‖∂f/∂W₁‖", chart="gradient", phases=("update",), log=True),
        Curve("last layer", gradient_last, "‖∂f/∂W_L‖", chart="gradient", phases=("update",), log=True),
    ),
    theorems=(
        Theorem("backpropagation = central differences", weights_agree, source="Rumelhart et al. (1986)", about="step"),
        Theorem("along ∇f the slope is ‖∇f‖", slope_agrees, source="Cauchy (1847)", about="step"),
        Theorem("softmax outputs sum to one", sum_to_one, source="Bridle (1990)"),
        Theorem("a ReLU unit's w·∂f/∂w: in = out", in_balance, source="Du, Hu and Lee (2018)"),
    ),
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        moons,
        rings,
        iris.with_(scale=True),
        breast_cancer.with_(scale=True, hold_out=0.25),
        digits.with_(scale=True, hold_out=0.25),
    ),
    references=(
        "Rumelhart, Hinton and Williams (1986), Learning representations by back-propagating errors, Nature 323",
        "LeCun, Bottou, Orr and Müller (1998), Efficient BackProp",
        "Glorot and Bengio (2010), Understanding the difficulty of training deep feedforward neural networks, AISTATS",
        "Du, Hu and Lee (2018), Algorithmic regularization in learning deep homogeneous models, NeurIPS",
    ),
)
