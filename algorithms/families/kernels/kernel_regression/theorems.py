"""What holds of kernel regression: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, once, theorem
from algorithms.core.theorems import Hypothesis
from algorithms.families.kernels.kernel_regression.measures import (
    KernelRegressionState,
    distance,
    iterate,
    rate,
    spectral_of,
    step_of,
    system_of,
)
from algorithms.families.kernels.shared.gram_systems import ridge_values
from algorithms.families.kernels.shared.kernel_rows import between_rows, rows_before_places
from algorithms.toolbox.explicit_features import explicit_features, unwritten
from algorithms.toolbox.kernels import kernel_in_use

_FLAT = 1e7  # of κ: beyond it products that should be 0 are not, at a size that the last step does not show
_LOST = 1e-3  # and where it is greater, r has nothing to do with the directions any more
_ORTHOGONAL = 1e-8  # a greater cosine with the first residual is rounding's work
_TINY = 1e-300
_OF_PRODUCTS = 1e-2  # of the slack for the largest number added: what n products of it are rounded by is less
ENERGY = "e·Ad = -r·d = -r·r, r being orthogonal to the last d: ‖e'‖² = ‖e‖² - (r·r)²/d·Ad"


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


def penalised(problem: Problem, state: KernelRegressionState) -> bool | str:
    return problem.parameters.penalty > 0 or "λ = 0: many functions are best"


def without_features(problem: Problem) -> str | None:
    return unwritten(kernel_in_use(problem), problem.data.n, problem.data.d)


def written_down(problem: Problem, state: KernelRegressionState) -> bool | str:
    return without_features(problem) or True


TURNS: dict[str, Hypothesis] = {
    "A is well-conditioned": well_conditioned,
    "r is more than rounding": still_turns,
}


@theorem(
    "the error falls by the step: ‖e'‖² + η²‖d‖² = ‖e‖² in the norm of A",
    source="Hestenes and Stiefel (1952)",
    about="step",
    phases=("step",),
    hypotheses={"A is well-conditioned": well_conditioned},
    proof=("e' = e + ηd, η = r·r/d·Ad", ENERGY),
)
def error_falls(problem: Problem, before: KernelRegressionState, after: KernelRegressionState) -> Answer:
    step = step_of(problem, before, after)
    of, eta, d = step.of, step.eta, before.direction
    gone = eta**2 * float(d @ step.image)
    was, now = float(of.parts(before.alpha).sum()), float(of.parts(after.alpha).sum())
    size = of.energy_size(before.alpha) + of.energy_size(after.alpha) + gone
    size += eta * float(np.linalg.norm(d)) * (of.residual_size(before.alpha) + step.before.size(of))
    # of d·Ad, which may be far shorter than the products that it is added up from
    size += _OF_PRODUCTS * eta**2 * of.greatest * float(d @ d)
    return Sides(("‖e'‖² + η²‖d‖²", now + gone), ("‖e‖²", was), relation="==", size=size)


@theorem(
    "r = b - Aα",
    source="Hestenes and Stiefel (1952)",
    proof=("r' = r - ηAd = b - A(α + ηd)",),
)
def residual_kept(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> Answer:
    """r as it was kept step by step is that of α."""
    of, now = spectral_of(problem), iterate(after)
    fresh = of.system.residual(now.alpha)
    size = of.residual_size(now.alpha) + now.size(of)
    return Sides.each(("r", now.residual), ("b - Aα", fresh), relation="==", size=size, axes=("row",))


@theorem(
    "each residual is orthogonal to the last: r'·r = 0",
    source="Hestenes and Stiefel (1952)",
    about="step",
    phases=("step",),
    hypotheses=TURNS,
    proof=("r'·r = r·r - η r·Ad, and r·Ad = d·Ad, as d is r and a part that is conjugate to d",),
)
def orthogonal_residuals(problem: Problem, before: KernelRegressionState, after: KernelRegressionState) -> Answer:
    product = float(after.residual @ before.residual)
    return Sides(("r'·r", product), ("0", 0.0), relation="==", size=step_of(problem, before, after).product_size)


@theorem(
    "each direction is conjugate to the last: d'·Ad = 0",
    source="Hestenes and Stiefel (1952)",
    about="step",
    phases=("step",),
    hypotheses=TURNS,
    proof=("ηAd = r - r', so η r'·Ad = -r'·r'", "d'·Ad = r'·Ad + (r'·r'/r·r) d·Ad = -r'·r'/η + r'·r'/η = 0"),
)
def conjugate_directions(problem: Problem, before: KernelRegressionState, after: KernelRegressionState) -> Answer:
    """d'·Ad = 0: as far as r' = r - ηAd has its digits, and r'·r is 0."""
    step = step_of(problem, before, after)
    image = step.image
    lengths = float(np.linalg.norm(after.direction) + np.linalg.norm(before.residual))
    size = lengths * float(np.linalg.norm(image)) + step.product_size / step.eta
    return Sides(("d'·Ad", float(after.direction @ image)), ("0", 0.0), relation="==", size=size)


@theorem(
    "‖α - α*‖_A <= 2((√κ - 1)/(√κ + 1))^t ‖α*‖_A",
    source="Saad (2003), section 6.11; with rounding Greenbaum (1989)",
    about="run",
    hypotheses={"the rank of K is certain, in spite of rounding": certain},
    proof=(
        "from α = 0: over polynomials p of degree t with p(0) = 1, ‖e‖_A is the least ‖p(A)α*‖_A",
        "Chebyshev's is 2((√κ - 1)/(√κ + 1))^t at most on the eigenvalues, from μ to κμ",
    ),
)
def within_rate(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> Answer:
    of = spectral_of(problem)
    size = of.left_size(after.alpha) / (np.sqrt(of.least) if of.system.lam else 1.0)
    name = "2((√κ - 1)/(√κ + 1))^t ‖α*‖_A"
    return Sides(("‖α - α*‖_A", distance(problem, after)), (name, rate(problem, after)), size=size)


@theorem(
    "it ends within as many steps as A has different eigenvalues",
    source="Hestenes and Stiefel (1952)",
    about="run",
    hypotheses={"the residuals are still orthogonal to the first": intact},
    proof=(
        "for any m eigenvalues some polynomial p of degree m with p(0) = 1 is 0 at all of them",
        "e = -p(A)α* with the best p of degree t: after m steps e = 0",
    ),
)
def within_count(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> Answer:
    return Sides(("t", after.iteration), ("different eigenvalues of A", spectral_of(problem).distinct))


@theorem(
    "‖α - α*‖ <= ‖r‖/μ",
    source="Saad (2003), section 1.13",
    hypotheses={
        "the rank of K is certain, in spite of rounding": certain,
        "α lies in K's range, as it does from α = 0": from_zero,
    },
    proof=("r = A(α* - α), and A makes nothing in its range shorter than μ times its length",),
)
def near_solution(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> Answer:
    of, now = spectral_of(problem), iterate(after)
    away = float(np.linalg.norm(now.alpha - of.solution))
    bound = float(np.linalg.norm(now.residual)) / of.least
    size = (of.residual_size(now.alpha) + now.size(of)) / of.least
    return Sides(("‖α - α*‖", away), ("‖r‖/μ", bound), size=size)


@theorem(
    "f is ridge on φ(x): ‖f - φ·w‖ <= ‖r‖ on the rows",
    source="Saunders, Gammerman and Vovk (1998)",
    hypotheses={"φ is written down": written_down, "the rank of K is certain, in spite of rounding": certain},
    proof=(
        "let Φ have the rows φ(x): w = Φᵀ(ΦΦᵀ + λI)⁻¹y = (ΦᵀΦ + λI)⁻¹Φᵀy, and K = ΦΦᵀ",
        "so φ·w = Kα*, and K(α - α*) = -KA⁻¹r is no longer than r; at λ = 0 than ‖r‖/√μ",
    ),
)
def near_ridge(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> Answer:
    """‖Kα - φ·w‖ <= ‖r‖ with (n,) φ·w of ridge regression on φ; at λ = 0 ‖r‖/√μ."""
    of, now = spectral_of(problem), iterate(after)
    away = float(np.linalg.norm(of.system.gram @ now.alpha - values_by_ridge(problem)))
    name, most = ("‖r‖", 1.0) if of.system.lam else ("‖r‖/√μ", 1 / np.sqrt(of.least))
    # least squares on φ are exact to the condition of φ, which is the root of that of A
    size = of.left_size(now.alpha) * np.sqrt(of.condition) + most * now.size(of)
    return Sides(("‖f - φ·w‖", away), (name, most * float(np.linalg.norm(now.residual))), size=float(size))


@theorem(
    "no bump elsewhere helps: ½|∂J/∂β| <= ‖k_z‖‖r‖ of f + βk(z, ·), z between rows",
    source="Kimeldorf and Wahba (1971)",
    hypotheses={"λ > 0": penalised},
    proof=("½∂J/∂β = λf(z) - Σ(y - f)k(xᵢ, z) = -k_z·r: at r = 0 the best of all f is in the span",),
)
def no_other_bump(problem: Problem, before: KernelRegressionState | None, after: KernelRegressionState) -> Answer:
    """½|∂J/∂β| <= ‖k_z‖‖r‖ of f + β k(z, ·), at named places z with (m, n) values k_z of the rows."""
    of, now = spectral_of(problem), iterate(after)
    system, values = of.system, between(problem)
    off = system.y - system.gram @ now.alpha
    slopes = np.abs(values @ off - system.lam * (values @ now.alpha))
    longest = np.maximum(np.abs(values).max(axis=1), _TINY)  # squares of small values would vanish
    lengths = longest * np.linalg.norm(values / longest[:, None], axis=1)
    added = of.left_size(now.alpha) + system.lam * float(np.linalg.norm(now.alpha))
    size = lengths * (added + now.size(of))
    bound = lengths * float(np.linalg.norm(now.residual))
    return Sides.each(("½|∂J/∂β|", slopes), ("‖k_z‖‖r‖", bound), size=size, entries=places(problem))


THEOREMS = (
    within_rate,
    error_falls,
    residual_kept,
    orthogonal_residuals,
    conjugate_directions,
    within_count,
    near_solution,
    near_ridge,
    no_other_bump,
)
