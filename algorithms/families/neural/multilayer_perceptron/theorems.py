"""What holds of a network at each step: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, DoesNotApply, Problem, Sides, theorem
from algorithms.families.neural.multilayer_perceptron.measures import (
    MultilayerPerceptronState,
    around,
    checks,
    gone,
    gradient,
    learner,
    length,
)
from algorithms.toolbox.gradient_check import agreement


def one_batch(problem: Problem, state: MultilayerPerceptronState) -> bool | DoesNotApply:
    return not gone(problem, state) or DoesNotApply("a state an epoch: the weights before its last batch are gone")


def with_relu(problem: Problem, state: MultilayerPerceptronState) -> bool | DoesNotApply:
    name = problem.parameters.activation
    return name == "relu" or DoesNotApply(f"{name} units do not scale as ReLU units do")


def with_squared_loss(problem: Problem, state: MultilayerPerceptronState) -> bool | str:
    return learner(problem).loss.name == "squared" or "the loss is the cross-entropy"


ONE_BATCH = {"the state before holds the weights of the gradient": one_batch}
CHAIN = "δ_l is ∂f/∂z_l by the chain rule, and z_l = W_l a_(l-1)"


@theorem(
    "backpropagation = central differences",
    source="Rumelhart et al. (1986)",
    about="step",
    phases=("backward", "update"),
    hypotheses=ONE_BATCH,
    proof=(
        CHAIN,
        "so ∂f/∂W_l = δ_l a_(l-1)ᵀ",
        "for any small h, (f(w+h) - f(w-h))/2h = ∂f/∂w + h²/6 f''' at a place between (Taylor)",
    ),
)
def weights_agree(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    return agreement(checks(problem, before, after).weights, "∂f/∂w", "(f(w+h) - f(w-h))/2h", named=True)


@theorem(
    "along ∇f the slope is ‖∇f‖",
    source="Cauchy (1847)",
    about="step",
    phases=("backward", "update"),
    hypotheses=ONE_BATCH,
    proof=(
        "for any unit vector u the slope along it is u·∇f",
        "u = ∇f/‖∇f‖ gives ‖∇f‖, the most there is (Cauchy, Schwarz)",
    ),
)
def slope_agrees(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    if len(after.gradients) < learner(problem).depth:
        return None
    slopes = checks(problem, before, after).whole
    return agreement(slopes, "‖∇f‖", "(f(w+hu) - f(w-hu))/2h") if slopes else DoesNotApply("∇f is 0")


@theorem(
    "w' = w - η∂f/∂w",
    source="Rumelhart et al. (1986)",
    about="step",
    phases=("update",),
    hypotheses=ONE_BATCH,
    proof=("that is the rule; the theorems above hold ∂f/∂w against differences",),
)
def down_the_gradient(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    move = problem.parameters.eta * gradient(after)
    size = np.abs(before.weights) + np.abs(move)
    sides = ("w'", after.weights), ("w - η∂f/∂w", before.weights - move)
    return Sides.each(*sides, relation="==", size=size, axes=("weight",))


@theorem(
    "f(w') = f(w) - η‖∇f‖² + ½η²κ‖∇f‖²",
    source="Cauchy (1847)",
    about="step",
    phases=("update",),
    hypotheses=ONE_BATCH,
    proof=(
        "with H = ∇∇f somewhere on the way, f(w - η∇f) = f(w) - η∇f·∇f + ½η² ∇f·H∇f (Taylor)",
        "κ = ∇f·H∇f/‖∇f‖², here from f(w'), f(w) and the slope along the step by differences",
    ),
)
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


@theorem(
    "each batch begins where the last one ended",
    source="LeCun et al. (1998)",
    about="step",
    phases=("forward", "update"),
    hypotheses=ONE_BATCH,
    proof=("that is the rule: b rows, or those that are left of the epoch",),
)
def rows_in_turn(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    n, so_far = problem.data.n, max(before.iteration - 1, 0) * problem.data.n
    begin, end = so_far + before.first, so_far + before.used
    if not before.activations:  # it is not the batch of the state before
        begin, end = end, min(end + problem.parameters.batch, (end // n + 1) * n)
    visits = (after.iteration - 1) * n + np.array([after.first, after.used])
    sides = ("place", visits), ("in turn", np.array([begin, end]))
    return Sides.each(*sides, relation="==", entries=("where it begins", "where it ends"))


@theorem(
    "an output's bias: ∂f/∂w = mean a - mean y",
    source="Bridle (1990)",
    about="step",
    phases=("backward", "update"),
    hypotheses=ONE_BATCH,
    proof=("∂f/∂W_L = δ_L a_(L-1)', and the bias is multiplied by 1", "δ_L = (a - y)/b, summed over the b rows"),
)
def biases_calibrate(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    here = around(problem, before)
    outputs = after.activations[-1] if len(after.activations) == learner(problem).depth else here.outputs
    return Sides.each(
        ("∂f/∂w", after.gradients[-1][:, -1]),
        ("mean a - mean y", outputs.mean(axis=1) - here.y.mean(axis=1)),
        relation="==",
        size=np.abs(outputs).max(axis=1) + np.maximum(np.abs(here.y).max(axis=1), 1.0),
        axes=("output",),
    )


@theorem(
    "a ReLU unit's w·∂f/∂w: in = out",
    source="Du, Hu and Lee (2018)",
    about="step",
    phases=("backward", "update"),
    hypotheses={"the units are ReLU": with_relu, **ONE_BATCH},
    proof=(
        "for any c > 0, σ(c z) = c σ(z): c w_in and w_out/c give the same outputs, so the same f",
        "its derivative in c, at c = 1, is w_in·∂f/∂w_in - w_out·∂f/∂w_out = 0",
    ),
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
    sides = ("w_in·∂f/∂w_in", into), ("w_out·∂f/∂w_out", out)
    return Sides.each(*sides, relation="==", size=size, axes=("unit",))


@theorem(
    "squared loss: the last layer takes a step of least squares",
    source="Widrow and Hoff (1960)",
    about="step",
    phases=("update",),
    hypotheses={"the loss is squared": with_squared_loss, **ONE_BATCH},
    proof=(
        "f = ½ mean (W_L a - y)²: in W_L the loss of least squares over the values a below it",
        "its gradient is mean (W_L a - y) a'; without a hidden layer a is x, and that is all",
    ),
)
def as_least_squares(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Answer:
    """From the values below the last layer, which are the rows themselves where there is no hidden one."""
    here, eta = around(problem, before), problem.parameters.eta
    W, below, b = here.network.matrices(before.weights)[-1], (here.x, *here.values)[-1], here.y.shape[1]
    step = eta * (W @ below - here.y) @ below.T / b
    size = np.abs(W) + eta * (np.abs(W) @ np.abs(below) + np.abs(here.y)) @ np.abs(below).T / b
    now = here.network.matrices(after.weights)[-1]
    units = problem.data.features if here.network.depth == 1 else [f"unit {j}" for j in range(W.shape[1] - 1)]
    sides = ("W'", now), ("W - η mean (W a - y) a'", W - step)
    return Sides.each(*sides, relation="==", size=size, axes=("output", (*units, "bias")))


THEOREMS = (
    weights_agree,
    slope_agrees,
    down_the_gradient,
    loss_falls,
    rows_in_turn,
    biases_calibrate,
    in_balance,
    as_least_squares,
)
