"""Kernel regression by conjugate gradients: f(x) = ȳ + Σ α_i k(x_i, x), the multipliers α found direction by direction.

    minimise  Σ (y_i - f(x_i))² + λ ‖f‖²:    A α = b,   A = K + λ I, b = y;   at λ = 0  A = K², b = K y

    step   η = r·r / d·Ad,   α' = α + η d,   r' = r - η A d,   d' = r' + (r'·r' / r·r) d;   α = 0, d = r = b at first

y is less its mean ȳ (a parameter says whether). K may be singular and y not in its range. Then K α = y has no solution,
and the same steps on it blow up; K² α = K y always has one, and from α = 0 they come to the shortest, α = K⁺ y.

In exact arithmetic, with e = α - α* and ‖e‖²_A = eᵀA e:

    ‖e'‖²_A + η² ‖d‖²_A = ‖e‖²_A;   all residuals are orthogonal, all directions conjugate;   so it ends after as many
    steps as A has different eigenvalues;   ‖e_t‖_A <= 2 ((√κ - 1)/(√κ + 1))^t ‖e_0‖_A, κ the condition of A.

Representer: a function with a part across the span of the k(x_i, ·) has the same values on the rows and is longer. So
the best of all functions is in the span, and where k = φ·φ it is ridge regression on φ(x), w = Σ α_i φ(x_i).

References: Hestenes and Stiefel (1952), Methods of conjugate gradients for solving linear systems, Journal of Research
of the National Bureau of Standards 49; Kimeldorf and Wahba (1971), Some results on Tchebycheffian spline functions,
Journal of Mathematical Analysis and Applications 33; Saunders, Gammerman and Vovk (1998), Ridge regression learning
algorithm in dual variables, ICML; Greenbaum (1989), Behavior of slightly perturbed Lanczos and conjugate-gradient
recurrences, Linear Algebra and its Applications 113; Saad (2003), Iterative Methods for Sparse Linear Systems,
section 6.11.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Ask,
    Curve,
    Dataset,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    Words,
    numbers,
    once,
)
from algorithms.core.algorithm import Symbol
from algorithms.core.ranges import targets_out_of_range
from algorithms.core.text import change, counted, ordinal
from algorithms.data import diabetes, line, prostate, sine
from algorithms.families.kernels.kernel_regression.conjugate_gradients import cosine, share_left
from algorithms.families.kernels.kernel_regression.measures import (
    KernelRegressionState,
    asked,
    distance,
    rate,
    residual_length,
    spectral_of,
    step_of,
    system_of,
)
from algorithms.families.kernels.kernel_regression.theorems import THEOREMS
from algorithms.families.kernels.shared import bumps_pictures as panels
from algorithms.families.kernels.shared.gram_systems import function_length, gram_system, spectral
from algorithms.families.kernels.shared.kernel_rows import unusable_rows
from algorithms.toolbox.ends import reached
from algorithms.toolbox.entries import of_rows
from algorithms.toolbox.explicit_features import feature_count
from algorithms.toolbox.kernels import (
    OF_KERNELS,
    Constant,
    Degree,
    Gamma,
    KernelChoice,
    kernel_in_use,
    kernel_of,
    kernel_setting,
)
from algorithms.toolbox.panels.functions import function_panel, predicted_panel
from algorithms.toolbox.truths import true_function

_LARGEST = 1e60  # of targets: squares of products with them are numbers still
_FARTHEST = 1e120  # of K² and K²y at λ = 0, as η² and d·K²d have to be numbers
_FARTHEST_IMAGE = 1e145  # of A b, with room for as many rows as there can be
_EPSILON = 2.0**-52


def kernel_regression(
    data: Dataset,
    state: KernelRegressionState | None = None,
    *,
    kernel: KernelChoice = "rbf",
    gamma: Gamma = "automatic",
    degree: Degree = 3,
    constant: Constant = 1.0,
    penalty: Annotated[float, Meta(ge=0, le=1e9, description="λ, on the squared length of f")] = 0.1,
    centred: Annotated[bool, Meta(description="measure f from the mean of the targets, not from 0")] = True,
    tolerance: Annotated[float, Meta(ge=1e-14, le=1, description="ends when ‖r‖ is this share of ‖b‖")] = 1e-8,
    steps: Annotated[int, Meta(ge=1, le=100_000, description="the most there can be")] = 1_000,
) -> Run[KernelRegressionState]:
    k = data.once(kernel_of, kernel, gamma, degree, constant)
    system = data.once(gram_system, k, penalty, centred)
    b = system.residual(np.zeros(data.n))
    if state is None:
        state = begun(np.zeros(data.n), b)
        yield state
    while np.linalg.norm(state.residual) > tolerance * np.linalg.norm(b):
        if state.iteration >= steps:
            return f"{counted(steps, 'step')}, and ‖r‖ is still {share_left(state.residual, b):.2g} of ‖b‖"
        r, d = state.residual, state.direction
        Ad = system.times(d)
        bend = float(d @ Ad)
        if not bend > 0:
            return "along the next direction nothing bends but by rounding"
        eta = float(r @ r) / bend
        r_next = r - eta * Ad
        d_next = r_next + (r_next @ r_next) / (r @ r) * d
        alpha, eaten = state.alpha + eta * d, max(state.eaten, cosine(r, state.first))
        made = {"alpha": alpha, "residual": r_next, "direction": d_next, "eaten": eaten}
        longest = max(state.longest, float(np.linalg.norm(alpha)))
        state = state.after("step", iteration=state.iteration + 1, longest=longest, **made)
        yield state
    solved_in = f"A α = b is solved in {counted(state.iteration, 'step')}"
    left = f"{share_left(state.residual, b):.2g}"
    return f"‖b - Aα‖ is {left} of ‖b‖, within the tolerance, {tolerance:g}: {solved_in}"


def begun(alpha: Array, residual: Array) -> KernelRegressionState:
    return KernelRegressionState(alpha=alpha, residual=residual, direction=residual, first=residual)


def adapt(before: Problem, after: Problem, state: KernelRegressionState, rows: Array) -> KernelRegressionState:
    """Rows keep their α, new ones have 0; r is worked out anew, and the directions begin again with it.

    To a kernel with far greater values the old α may be so long that rounding leaves nothing of b in r = b - Aα, or
    products of r are no numbers: no step would bring them back, so α begins again at 0.
    """
    if after.data is before.data and asked(after) == asked(before):
        return state
    system, alpha = system_of(after), of_rows(state.alpha, rows)
    b = system.residual(np.zeros(len(alpha)))
    with np.errstate(over="ignore", invalid="ignore"):
        residual = system.residual(alpha)
        lost = not _EPSILON * np.linalg.norm(residual) <= np.linalg.norm(b)
    if lost:
        alpha, residual = np.zeros(len(alpha)), b
    longest = float(np.linalg.norm(alpha))
    again = {"residual": residual, "direction": residual, "first": residual, "longest": longest, "eaten": 0.0}
    return state.replaced(alpha=alpha, **again)


def f_of(problem: Problem, state: KernelRegressionState) -> Callable[[Array], Array]:
    """f: (m, d) -> (m,), by the rows trained on."""
    training = problem.training
    k, rows, offset = kernel_in_use(training), training.data.X, system_of(training).offset
    return lambda places: offset + k(places, rows) @ state.alpha


def error(problem: Problem, state: KernelRegressionState) -> float:
    off = np.asarray(problem.data.y) - f_of(problem, state)(problem.data.X)
    return float(off @ off) / len(off)


def length(problem: Problem, state: KernelRegressionState) -> float:
    """‖f‖ = √(αᵀKα), of f without ȳ."""
    return function_length(state.alpha, system_of(problem).gram @ state.alpha)


def eaten(problem: Problem, state: KernelRegressionState) -> float:
    """What rounding has made of r·r_0 = 0."""
    return cosine(state.residual, state.first)


def solved(problem: Problem, state: KernelRegressionState) -> Sides:
    """What is left of b is as short as was asked."""
    b = system_of(problem).residual(np.zeros(problem.data.n))
    room = problem.parameters.tolerance * float(np.linalg.norm(b))
    return Sides(("‖r‖", residual_length(problem, state)), ("tolerance ‖b‖", room))


def straight(problem: Problem, state: KernelRegressionState) -> Sides:
    """d·Ad is not above 0, as it is for every A of a kernel."""
    return Sides(("d·Ad", float(state.direction @ system_of(problem).times(state.direction))), ("0", 0.0))


def validate(problem: Problem) -> str | None:
    data = problem.data
    refused = unusable_rows(kernel_in_use(problem), data) or targets_out_of_range(data, _LARGEST, 1 / _LARGEST)
    return refused or products_out_of_range(problem)


def products_out_of_range(problem: Problem) -> str | None:
    """Why no step can be worked out: A d is as large as A b, and its square has to be a number."""
    lam, y = problem.parameters.penalty, float(np.abs(system_of(problem).y).max())
    k = float(kernel_in_use(problem).squares(problem.data.X).max())
    if lam > 0:
        if (k + lam) * y < _FARTHEST_IMAGE:
            return None
        return (
            f"the largest (k(x, x) + λ)|y| is {(k + lam) * y:.3g}, which is out of range: scale the rows or the target."
        )
    for name, size, most in (
        ("k(x, x)²", k * k, _FARTHEST),
        ("k(x, x)²|y|", k * k * y, _FARTHEST),
        ("k(x, x)³|y|", k * k * k * y, _FARTHEST_IMAGE),
    ):
        if size and not 1 / most < size < most:
            return f"at λ = 0 the largest {name} is {size:.3g}, which is out of range: scale the rows, or take λ > 0."
    return None


def scene(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> Scene:
    data, alpha, of = problem.data, after.alpha, spectral_of(problem)
    at_first, off = of.parts(np.zeros(data.n)), of.system.y - of.system.gram @ alpha
    return Scene(
        (
            fit(problem, after, f_of(problem, after)),
            panels.multipliers_in_order(data, alpha),
            panels.left_along_eigenvectors(of.eigenvalues, at_first, of.parts(alpha)),
            panels.largest_multipliers(data, alpha, off),
            so_far(problem, after),
            panels.both_ways(problem.data.n, feature_count(kernel_in_use(problem), problem.data.d)),
        )
    )


def fit(problem: Problem, state: KernelRegressionState, f: Callable[[Array], Array]) -> Panel:
    """f over its one feature with the bumps that it is the sum of, or what it predicts against what is true."""
    data = problem.data
    if data.d > 1 or data.map is not None:
        return predicted_panel(data, f(data.X))
    made_of = panels.bumps(data, kernel_in_use(problem), state.alpha, system_of(problem).offset)
    return function_panel(data, f, truth=true_function(data), behind=made_of, names=("f", "", "truth"))


def so_far(problem: Problem, state: KernelRegressionState) -> Panel:
    of, n = spectral_of(problem), problem.data.n
    singular = "" if of.rank == n else ", singular"
    return numbers(
        {
            "λ": problem.parameters.penalty,
            "γ of the kernel": kernel_in_use(problem).gamma,
            "‖α - α*‖_A": distance(problem, state),
            "‖r‖/‖b‖": share_left(state.residual, of.system.residual(np.zeros(n))),
            "‖f‖ = √(αᵀKα)": length(problem, state),
            "‖α‖": float(np.linalg.norm(state.alpha)),
            "mean (y - f)²": error(problem, state),
            f"rank of K, of {n}{singular}": of.rank,
            "different eigenvalues of A": of.distinct,
            "κ, condition of A": of.condition,
            "‖y - KK⁺y‖, beyond K's range": beyond_range(problem),
        }
    )


@once
def beyond_range(problem: Problem) -> float:
    """The length of the part of y that no Kα is."""
    of = problem.data.once(spectral, kernel_in_use(problem), 0.0, problem.parameters.centred)
    return float(np.linalg.norm(of.system.y - of.vectors @ (of.system.y @ of.vectors)))


def explain_start(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> str:
    system = system_of(problem)
    if after.alpha.any():
        return f"The rows keep their α; the directions begin again with ‖r‖ = {residual_length(problem, after):.4g}."
    if after.iteration:
        return "Beside the α that were kept, rounding would lose b: α begins again at 0, and the directions with b."
    row = int(np.abs(after.direction).argmax())
    level = f"the mean, {system.offset:.4g}," if problem.parameters.centred else "0"
    most = f"{after.direction[row]:.4g} for row {row} ({problem.data.row(row)}), the most"
    return f"α = 0: f is {level} everywhere. The first direction is b, the targets less that: {most}."


def explain_step(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> str:
    if before is None:
        return explain_start(problem, before, after)
    was, now = distance(problem, before), distance(problem, after)
    eta = step_of(problem, before, after).eta
    row = int(np.abs(after.alpha - before.alpha).argmax())
    who, changes = problem.data.row(row), change(before.alpha.item(row), after.alpha.item(row))
    return Words.of(
        f"η = {eta:.3g} along the {ordinal(after.iteration)} direction changes row {row} ({who}) most: "
        f"α goes {changes}.",
        f"{counted(after.iteration, 'step')} made ‖α - α*‖_A {now:.3g}; it was {was:.3g} before this one.",
        f"On the rows, mean (y - f)² is now {error(problem, after):.4g}.",
    )


SYMBOLS: dict[str, Symbol] = {
    "α, α*": ("a multiplier a row; those that solve A α = b, at λ = 0 the shortest", None),
    "f": ("ȳ + Σ αᵢ k(xᵢ, ·); ‖f‖² = αᵀKα, without ȳ", None),
    "K, k": ("k of the rows with each other, the kernel", None),
    "A, b": ("K + λI and y, less its mean if that is taken off; at λ = 0 K² and K times that", None),
    "λ": ("the penalty on ‖f‖²", lambda problem, state: problem.parameters.penalty),
    "γ": ("of the kernel", lambda problem, state: kernel_in_use(problem).gamma),
    "r, r₀": ("b - Aα, and where the directions began; ‖r‖ here", residual_length),
    "d": ("the direction", None),
    "η": ("how far along it, r·r/d·Ad", None),
    "e": ("α - α*; ‖e‖² in the norm of A is e·Ae, ‖e‖_A its root, here", distance),
    "t": ("steps", lambda problem, state: state.iteration),
    "κ": ("the greatest eigenvalue of A over the least that is not 0", lambda p, s: spectral_of(p).condition),
    "μ": ("the least eigenvalue of A that is not 0", lambda p, s: spectral_of(p).least),
    "φ, w": ("features with k = φ·φ; the weights of ridge on them", None),
    "J, β": ("Σ(y - f)² + λ‖f‖²; how much of k(z, ·) is added to f", None),
    "x, y, z": ("a row, its target; any place", None),
}


def setting(problem: Problem) -> dict[str, object]:
    """What the objective depends on."""
    return kernel_setting(problem) | {"penalty": problem.parameters.penalty, "centred": problem.parameters.centred}


ALGORITHM = Algorithm(
    kernel_regression,
    title="Kernel regression",
    point="A bump on every row: a few steps make their sum a curve along the rows.",
    after=("ridge", "kernel_perceptron"),
    leaves_open="How wide the bumps are was given, not learned.",
    tries=(("narrower bumps", "-p gamma=50"), ("hardly any penalty", "-p penalty=0.0001")),
    asks=(
        Ask.way("α comes nearer to α*: what does the length of r do?", '"‖r‖"'),
        Ask.way("α comes nearer to α*: what does the training error do?", '"training error"'),
    ),
    summary="Fits a sum of bumps, one a row, by conjugate gradients: as many steps as K has different eigenvalues do.",
    rule="η = r·r / d·Ad,   A = K + λI  (K² at λ = 0)\nα <- α + η d,   r' = r - η Ad,   d <- r' + (r'·r'/r·r) d",
    needs=Needs(target="number"),
    phases={"start": "α = 0, r = b", "step": "along the next direction, conjugate to those before"},
    curves=(
        Curve("‖α - α*‖_A", lambda p, s: distance(p, s), "√((α - α*)ᵀA(α - α*))", chart="distance to α*", log=True),
        Curve("bound", lambda p, s: rate(p, s), "2((√κ-1)/(√κ+1))^t‖α*‖_A", "distance to α*", log=True, about="run"),
        Curve("error", error, "mean (y - f)²", held_out=True),
        Curve("‖r‖", lambda p, s: residual_length(p, s), "‖b - Aα‖", log=True),
        Curve("cosine of r and r₀", eaten, "|r·r₀|/‖r‖‖r₀‖, 0 but for rounding", log=True),
        Curve("‖f‖", length, "√(αᵀKα)"),
    ),
    objective={("‖α - α*‖_A", "bound", "‖r‖"): setting},
    theorems=THEOREMS,
    ends={
        "‖b - Aα‖ is … of ‖b‖, within the tolerance, …: A α = b is solved in …": solved,
        "… step…, and ‖r‖ is still … of ‖b‖": reached("steps"),
        "along the next direction nothing bends but by rounding": straight,
    },
    symbols=SYMBOLS,
    only_for=OF_KERNELS,
    scene=scene,
    explain={"start": explain_start, "step": explain_step},
    adapt=adapt,
    validate=validate,
    datasets=(
        sine.with_(n=30),
        prostate.with_(scale=True, hold_out=0.25),
        diabetes.with_(scale=True, sample=120),
        line.with_(n=12),
    ),
)
