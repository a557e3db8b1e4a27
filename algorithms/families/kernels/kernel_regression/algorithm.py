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
from typing import Annotated, Any

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.core.algorithm import Symbol
from algorithms.core.theorem import Hypothesis
from algorithms.data import diabetes, line, prostate, sine
from algorithms.data.text import change, counted, ordinal
from algorithms.families.kernels.kernel_regression import conjugate_gradients as conjugate
from algorithms.families.kernels.kernel_regression.conjugate_gradients import DirectionStep, Iterate, cosine, share_left
from algorithms.families.kernels.shared import bumps_pictures as panels
from algorithms.families.kernels.shared.gram_systems import GramSystem, Spectral, gram_system, ridge_values, spectral
from algorithms.families.kernels.shared.kernel_rows import between_rows, rows_before_places, unusable_rows
from algorithms.toolbox.ends import reached
from algorithms.toolbox.explicit_features import explicit_features, feature_count, unwritten
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
from algorithms.toolbox.sizes import targets_out_of_range
from algorithms.toolbox.truths import true_function

_LARGEST = 1e60  # of targets: squares of products with them are numbers still
_FLAT = 1e7  # of κ: beyond it products that should be 0 are not, at a size that the last step does not show
_LOST = 1e-3  # and where it is greater, r has nothing to do with the directions any more
_ORTHOGONAL = 1e-8  # a greater cosine with the first residual is rounding's work


class KernelRegressionState(State, frozen=True, kw_only=True):
    alpha: Annotated[Array, Along("n")]  # (n,) the multipliers α
    residual: Annotated[Array, Along("n")]  # (n,) r = b - Aα, kept step by step
    direction: Annotated[Array, Along("n")]  # (n,) d, along which the next step goes
    first: Annotated[Array, Along("n")]  # (n,) the residual where the directions began, r_0
    longest: float = 0.0  # the greatest ‖α‖ since then: r has the rounding of its products
    eaten: float = 0.0  # the greatest |cos(r, r_0)| of the residuals stepped from: 0 but for rounding


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
    return f"‖r‖ is {share_left(state.residual, b):.2g} of ‖b‖, within the tolerance"


def begun(alpha: Array, residual: Array) -> KernelRegressionState:
    return KernelRegressionState(alpha=alpha, residual=residual, direction=residual, first=residual)


def adapt(before: Problem, after: Problem, state: KernelRegressionState, rows: Array) -> KernelRegressionState:
    """Rows keep their α, new ones have 0; r is worked out anew, and the directions begin again with it."""
    if after.data is before.data and asked(after) == asked(before):
        return state
    alpha = np.where(rows >= 0, state.alpha[rows], 0.0)
    residual = system_of(after).residual(alpha)
    longest = float(np.linalg.norm(alpha))
    again = {"residual": residual, "direction": residual, "first": residual, "longest": longest, "eaten": 0.0}
    return state.replaced(alpha=alpha, **again)


def asked(problem: Problem) -> tuple[Any, float, bool]:
    """Kernel, λ and whether f is measured from the mean: what the system hangs on besides the rows."""
    return kernel_in_use(problem), problem.parameters.penalty, problem.parameters.centred


def system_of(problem: Problem) -> GramSystem:
    return problem.data.once(gram_system, *asked(problem))


def spectral_of(problem: Problem) -> Spectral:
    """A along its eigenvectors, with α*."""
    return problem.data.once(spectral, *asked(problem))


def f_of(problem: Problem, state: KernelRegressionState) -> Callable[[Array], Array]:
    """f: (m, d) -> (m,), by the rows trained on."""
    training = problem.training
    k, rows, offset = kernel_in_use(training), training.data.X, system_of(training).offset
    return lambda places: offset + k(places, rows) @ state.alpha


def error(problem: Problem, state: KernelRegressionState) -> float:
    off = np.asarray(problem.data.y) - f_of(problem, state)(problem.data.X)
    return float(off @ off) / len(off)


@kept
def distance(problem: Problem, state: KernelRegressionState) -> float:
    """‖e‖_A."""
    return float(np.sqrt(spectral_of(problem).parts(state.alpha).sum()))


def rate(problem: Problem, state: KernelRegressionState) -> float:
    return conjugate.chebyshev(spectral_of(problem), state.iteration)


def length(problem: Problem, state: KernelRegressionState) -> float:
    """‖f‖ = √(αᵀKα), of f without ȳ."""
    return float(np.sqrt(max(float(state.alpha @ system_of(problem).gram @ state.alpha), 0.0)))


def residual_length(problem: Problem, state: KernelRegressionState) -> float:
    return float(np.linalg.norm(state.residual))


def eaten(problem: Problem, state: KernelRegressionState) -> float:
    """What rounding has made of r·r_0 = 0."""
    return cosine(state.residual, state.first)


def iterate(state: KernelRegressionState) -> Iterate:
    began, longest = float(np.linalg.norm(state.first)), max(state.longest, float(np.linalg.norm(state.alpha)))
    return Iterate(state.alpha, state.residual, state.direction, began, longest)


def step_of(problem: Problem, before: KernelRegressionState, after: KernelRegressionState) -> DirectionStep:
    return DirectionStep(spectral_of(problem), iterate(before), iterate(after))


@once
def values_by_ridge(problem: Problem) -> Array:
    """(n,) φ(x)·w of the rows, where φ is written down."""
    phi = problem.data.once(explicit_features, kernel_in_use(problem))
    assert phi is not None
    return ridge_values(system_of(problem), phi)


def between(problem: Problem) -> Array:
    """(m, n) k of the rows with places between them."""
    return problem.data.once(between_rows, kernel_in_use(problem), False)[0]


def places(problem: Problem) -> list[str]:
    """Say where those places are."""
    return [f"between rows {row} and {row + 1}" for row in rows_before_places(problem.data.n).tolist()]


def from_zero(problem: Problem, state: KernelRegressionState) -> bool | str:
    return problem.parameters.penalty > 0 or not problem.forked or "λ = 0, and α did not come from 0"


def certain(problem: Problem, state: KernelRegressionState) -> bool | DoesNotApply | str:
    of = spectral_of(problem)
    if not len(of.k):
        return "K = 0"
    return problem.parameters.penalty > 0 or of.gap or "K's eigenvalues fall to 0 without a gap: rounding decides on K⁺"


def well_conditioned(problem: Problem, state: KernelRegressionState) -> bool | str:
    if spectral_of(problem).drowned:
        return drowned(problem)
    kappa = spectral_of(problem).condition
    return kappa <= _FLAT or f"κ = {kappa:.2g}: what rounding left of earlier steps decides"


def drowned(problem: Problem) -> str:
    return f"λ = {problem.parameters.penalty:g} is less than what rounding makes of K's eigenvalues"


def intact(problem: Problem, state: KernelRegressionState) -> bool | str:
    if spectral_of(problem).drowned:
        return drowned(problem)
    lost = f"rounding has eaten it: r came to cos(r, r₀) = {state.eaten:.2g}"
    return state.eaten <= _ORTHOGONAL or lost


def still_turns(problem: Problem, state: KernelRegressionState) -> bool | str:
    lost = f"rounding is all that is left of r: it came to cos(r, r₀) = {state.eaten:.2g}"
    return state.eaten <= _LOST or lost


def without_features(problem: Problem) -> str | None:
    return unwritten(kernel_in_use(problem), problem.data.n, problem.data.d)


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
    return unusable_rows(kernel_in_use(problem), data) or targets_out_of_range(data, _LARGEST, 1 / _LARGEST)


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
            "‖e‖_A": distance(problem, state),
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
    row = int(np.abs(after.direction).argmax())
    level = f"the mean, {system.offset:.4g}," if problem.parameters.centred else "0"
    most = f"{after.direction[row]:.4g} for row {row} ({problem.data.row(row)}), the most"
    return f"α = 0: f is {level} everywhere. The first direction is b itself: {most}."


def explain_step(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> str:
    if before is None:
        return explain_start(problem, before, after)
    was, now = distance(problem, before), distance(problem, after)
    eta = step_of(problem, before, after).eta
    row = int(np.abs(after.alpha - before.alpha).argmax())
    who, changes = problem.data.row(row), change(before.alpha.item(row), after.alpha.item(row))
    return (
        f"η = {eta:.3g} along the {ordinal(after.iteration)} direction changes row {row} ({who}) most: "
        f"α goes {changes}. ‖α - α*‖_A falls from {was:.3g} to {now:.3g}, mean (y - f)² is now "
        f"{error(problem, after):.4g}."
    )


ENERGY = "e·Ad = -r·d = -r·r, r being orthogonal to the last d: ‖e'‖² = ‖e‖² - (r·r)²/d·Ad"
SYMBOLS: dict[str, Symbol] = {
    "α, α*": ("a multiplier a row; those that solve A α = b, at λ = 0 the shortest", None),
    "f": ("ȳ + Σ αᵢ k(xᵢ, ·); ‖f‖² = αᵀKα, without ȳ", None),
    "K, k": ("k of the rows with each other, the kernel", None),
    "A, b": ("K + λI and y; at λ = 0 K² and Ky", None),
    "λ": ("the penalty on ‖f‖²", lambda problem, state: problem.parameters.penalty),
    "γ": ("of the kernel", lambda problem, state: kernel_in_use(problem).gamma),
    "r, r₀": ("b - Aα, and where the directions began; ‖r‖ here", residual_length),
    "d": ("the direction", None),
    "η": ("how far along it, r·r/d·Ad", None),
    "e": ("α - α*; ‖e‖_A here", distance),
    "t": ("steps", lambda problem, state: state.iteration),
    "κ": ("the greatest eigenvalue of A over the least that is not 0", lambda p, s: spectral_of(p).condition),
    "μ": ("the least eigenvalue of A that is not 0", lambda p, s: spectral_of(p).least),
    "φ, w": ("features with k = φ·φ; the weights of ridge on them", None),
    "J, β": ("Σ(y - f)² + λ‖f‖²; how much of k(z, ·) is added to f", None),
    "x, z": ("a row; any place", None),
}
TURNS: dict[str, Hypothesis] = {
    "A is well-conditioned": well_conditioned,
    "r is more than rounding": still_turns,
}


@theorem(
    "‖e‖_A <= 2((√κ - 1)/(√κ + 1))^t ‖e₀‖_A",
    source="Saad (2003), section 6.11; with rounding Greenbaum (1989)",
    about="run",
    hypotheses={"K⁺ is certain": certain},
    proof=(
        "α is the best of 0 and Ab, A²b, ...: e = p(A)e₀ with the best polynomial p, p(0) = 1",
        "Chebyshev's, on the eigenvalues from μ to κμ, is no larger than that anywhere",
    ),
)
def within_rate(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> Answer:
    of = spectral_of(problem)
    size = of.left_size(after.alpha) / (np.sqrt(of.least) if of.system.lam else 1.0)
    name = "2((√κ - 1)/(√κ + 1))^t ‖e₀‖_A"
    return Sides(("‖e‖_A", distance(problem, after)), (name, rate(problem, after)), size=size)


@theorem(
    "it ends within as many steps as A has different eigenvalues",
    source="Hestenes and Stiefel (1952)",
    about="run",
    hypotheses={"the residuals are still orthogonal to the first": intact},
    proof=(
        "a polynomial that is 0 at all m eigenvalues along which b has a part has degree m",
        "e = p(A)e₀ with the best p: after m steps e = 0",
    ),
)
def within_count(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> Answer:
    return Sides(("t", after.iteration), ("different eigenvalues of A", spectral_of(problem).distinct))


THEOREMS = (
    within_rate,
    Theorem(
        "the error falls by the step: ‖e'‖² + η²‖d‖² = ‖e‖² in the norm of A",
        lambda p, before, after: conjugate.error_falls(step_of(p, before, after)),
        source="Hestenes and Stiefel (1952)",
        about="step",
        phases=("step",),
        hypotheses={"A is well-conditioned": well_conditioned},
        proof=("e' = e + ηd, η = r·r/d·Ad", ENERGY),
    ),
    Theorem(
        "r = b - Aα",
        lambda p, before, after: conjugate.residual_kept(spectral_of(p), iterate(after)),
        source="Hestenes and Stiefel (1952)",
        proof=("r' = r - ηAd = b - A(α + ηd)",),
    ),
    Theorem(
        "each residual is orthogonal to the last: r'·r = 0",
        lambda p, before, after: conjugate.orthogonal_residuals(step_of(p, before, after)),
        source="Hestenes and Stiefel (1952)",
        about="step",
        phases=("step",),
        hypotheses=TURNS,
        proof=("r'·r = r·r - η r·Ad, and r·Ad = d·Ad, as d is r and a part that is conjugate to d",),
    ),
    Theorem(
        "each direction is conjugate to the last: d'·Ad = 0",
        lambda p, before, after: conjugate.conjugate_directions(step_of(p, before, after)),
        source="Hestenes and Stiefel (1952)",
        about="step",
        phases=("step",),
        hypotheses=TURNS,
        proof=("ηAd = r - r', so η r'·Ad = -r'·r'", "d'·Ad = r'·Ad + (r'·r'/r·r) d·Ad = -r'·r'/η + r'·r'/η = 0"),
    ),
    within_count,
    Theorem(
        "‖α - α*‖ <= ‖r‖/μ",
        lambda p, before, after: conjugate.near_solution(spectral_of(p), iterate(after)),
        source="Saad (2003), section 1.13",
        hypotheses={"K⁺ is certain": certain, "α lies in K's range, as it does from α = 0": from_zero},
        proof=("r = A(α* - α), and A makes nothing in its range shorter than μ times its length",),
    ),
    Theorem(
        "f is ridge on φ(x): ‖f - φ·w‖ <= ‖r‖ on the rows",
        lambda p, before, after: conjugate.near_ridge(spectral_of(p), iterate(after), values_by_ridge(p)),
        source="Saunders, Gammerman and Vovk (1998)",
        hypotheses={"φ is written down": lambda p, s: without_features(p) or True, "K⁺ is certain": certain},
        proof=(
            "w = Φᵀ(ΦΦᵀ + λI)⁻¹y = (ΦᵀΦ + λI)⁻¹Φᵀy, and K = ΦΦᵀ",
            "so φ·w = Kα*, and K(α - α*) = -KA⁻¹r is no longer than r; at λ = 0 than ‖r‖/√μ",
        ),
    ),
    Theorem(
        "no bump elsewhere helps: ½|∂J/∂β| <= ‖k_z‖‖r‖ of f + βk(z, ·), z between rows",
        lambda p, before, after: conjugate.no_other_bump(spectral_of(p), iterate(after), between(p), places(p)),
        source="Kimeldorf and Wahba (1971)",
        hypotheses={"λ > 0": lambda p, s: p.parameters.penalty > 0 or "λ = 0: many functions are best"},
        proof=("½∂J/∂β = λf(z) - Σ(y - f)k(xᵢ, z) = -k_z·r: at r = 0 the best of all f is in the span",),
    ),
)


def setting(problem: Problem) -> dict[str, object]:
    """What the objective depends on."""
    return kernel_setting(problem) | {"penalty": problem.parameters.penalty, "centred": problem.parameters.centred}


ALGORITHM = Algorithm(
    kernel_regression,
    title="Kernel regression",
    summary="Fits a sum of bumps, one a row, by conjugate gradients: as many steps as K has different eigenvalues do.",
    rule="η = r·r / d·Ad,   A = K + λI  (K² at λ = 0)\nα <- α + η d,   r' = r - η Ad,   d <- r' + (r'·r'/r·r) d",
    needs=Needs(target="number"),
    phases={"start": "α = 0, r = b", "step": "along the next direction, conjugate to those before"},
    curves=(
        Curve("‖e‖_A", lambda p, s: distance(p, s), "√((α - α*)ᵀA(α - α*))", chart="distance", log=True),
        Curve("bound", lambda p, s: rate(p, s), "2((√κ-1)/(√κ+1))^t‖e₀‖", "distance", log=True, about="run"),
        Curve("error", error, "mean (y - f)²", held_out=True),
        Curve("‖r‖", lambda p, s: residual_length(p, s), "‖b - Aα‖", log=True),
        Curve("cosine of r and r₀", eaten, "|r·r₀|/‖r‖‖r₀‖, 0 but for rounding", log=True),
        Curve("‖f‖", length, "√(αᵀKα)"),
    ),
    objective={("‖e‖_A", "bound", "‖r‖"): setting},
    theorems=THEOREMS,
    ends={
        "‖r‖ is … of ‖b‖, within the tolerance": solved,
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
