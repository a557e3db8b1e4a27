"""Power iteration on a Gram matrix K of n rows: what a moment of it has found, and what is true of it.

    K u = nλ u,  ‖u‖ = 1      gives the component  w = Σ αᵢ φ(xᵢ),  α = u/√(nλ),  of length 1, with variance λ along it
    w·φ(xᵢ) = (Kα)ᵢ           are the rows' coordinates

K is that of rows less their mean, so ρ = u·Ku/n is the variance along w. Nothing of n x n is kept but K/n.

References: Schölkopf, Smola and Müller (1998), Nonlinear component analysis as a kernel eigenvalue problem, Neural
Computation 10; Turk and Pentland (1991), Eigenfaces for recognition, J. of Cognitive Neuroscience 3.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, Theorem, Undecided
from algorithms.toolbox.eigenvectors import (
    MOST,
    NEAR,
    RISES,
    SETTLES,
    eigenvalue_near,
    kth_eigenvalue,
    no_more_than_eigh,
    settled_apart,
)
from algorithms.toolbox.lanczos import leading_eigenpairs
from algorithms.toolbox.power_iteration import aligned, deflated_matrix

MOST_ROWS = 3_000  # of which n x n numbers are kept
_ALL = 500  # rows of which all eigenvalues are worked out; of more the greatest only
_LEADING = 24
_NOTHING = 1e-12  # of the variance: less than this is what rounding leaves


class Spectrum:
    """K/n and its eigenvalues, worked out when they are asked for.

    Attributes:
        A: (n, n) K/n, symmetric to the last bit.
        rounding: the largest number that was added on the way to an entry of K.
        total: the variance there is, the trace of A.
    """

    def __init__(self, K: Array, rounding: float):
        self.A = K + K.T  # which is symmetric but for rounding
        self.A /= 2 * len(K)
        self.rounding, self.total = rounding, float(np.trace(self.A))

    @property
    def whole(self) -> bool:
        """Whether all eigenvalues are worked out."""
        return len(self.A) <= _ALL

    @cached_property
    def pairs(self) -> tuple[Array, Array]:
        """(m,) eigenvalues, the greatest first, and (m, n) unit eigenvectors."""
        if not self.whole:
            return leading_eigenpairs(self.A, _LEADING)
        values, vectors = np.linalg.eigh(self.A)
        return values[::-1], vectors.T[::-1]

    @property
    def values(self) -> Array:
        """(m,) eigenvalues, the greatest first."""
        return self.pairs[0]

    @property
    def size(self) -> float:
        """The largest number that is added on the way to a ρ."""
        return float(self.values[0]) + self.rounding

    @property
    def needed(self) -> int | None:
        """How many components it takes to capture 95% of the variance; None where more than are worked out."""
        reached = np.maximum(self.values, 0.0).cumsum() >= 0.95 * (1 - 1e-12) * self.total
        return int(reached.argmax()) + 1 if reached.any() else None

    def exhausted(self, left: Array) -> bool:
        """Whether no more than rounding is left in a deflated K/n."""
        return bool(np.trace(left) <= _NOTHING * (self.total + len(left) ** 0.5 * self.rounding))


class GramIterate:
    """A moment of the iteration.

    Attributes:
        of: K/n.
        U: (c, n) unit vectors: those found, and the one in hand, the last, where it is not one of them.
        images: (c, n) Ku/n of each.
        quotients: (c,) ρ of each, the variance along its w.
        residuals: (c,) ‖Ku/n - ρu‖.
    """

    def __init__(self, of: Spectrum, U: Array):
        self.of, self.U, self.images = of, U, U @ of.A
        self.quotients = np.vecdot(U, self.images)
        self.residuals = np.linalg.norm(self.images - self.quotients[:, None] * U, axis=1)

    @property
    def rho(self) -> float:
        return float(self.quotients[-1])

    @property
    def r(self) -> float:
        return float(self.residuals[-1])

    @property
    def lengths(self) -> Array:
        """(c,) √(nρ) of each, ‖Σ uᵢ φ(xᵢ)‖; infinite where nothing varies along it, so that its α is 0."""
        squares = len(self.of.A) * self.quotients
        return np.where(squares > 0, np.sqrt(np.maximum(squares, 0.0)), np.inf)

    @property
    def alpha(self) -> Array:
        """(c, n) coefficients of each w, u/√(nρ)."""
        return self.U / self.lengths[:, None]

    @cached_property
    def coordinates(self) -> Array:
        """(n, c) Kα of each."""
        return np.asarray((len(self.of.A) * self.images / self.lengths[:, None]).T)

    @cached_property
    def left(self) -> float:
        """The variance that none of them captures: the trace of what is left of K/n."""
        return float(np.trace(deflated_matrix(self.of.A, self.U)))

    def apart(self) -> float:
        """The angle in degrees between the last and the exact eigenvector; NaN where it is 0 or not worked out."""
        k = len(self.U) - 1
        if k >= len(self.of.values):
            return np.nan
        exact = self.of.pairs[1][k]
        cosine = float(exact @ self.U[-1])
        sine = float(np.linalg.norm(self.U[-1] - cosine * exact))
        return float(np.degrees(np.arctan2(sine, abs(cosine)))) or np.nan


Of = Callable[[Problem, Any], GramIterate]


def gram_theorems(of: Of, source: str) -> tuple[Theorem, ...]:
    """What is true of every step, for an algorithm whose states have `eigenvectors`, `u`, `turn` and `turns`.

    Args:
        of: (problem, state) -> the moment.
        source: of the algorithm itself.
    """

    def iteration(problem: Problem, before: Any, after: Any) -> Answer:
        was = of(problem, before)
        size = was.of.size / max(was.rho, 1e-12 * was.of.size)  # a short Ku is known to fewer digits
        turned = aligned(was.images[-1], before.u, before.eigenvectors)
        return Sides.each(("u'", after.u), ("Ku/‖Ku‖", turned), relation="==", size=10 * size)

    def never_falls(problem: Problem, before: Any, after: Any) -> Answer:
        if after.phase == "deflate":
            return DoesNotApply("another component begins")
        was, now = of(problem, before), of(problem, after)
        return Sides(("ρ before", was.rho), ("ρ", now.rho), size=now.of.size)

    def near(problem: Problem, before: Any, after: Any) -> Answer:
        now = of(problem, after)
        if not now.of.whole:
            return Undecided(f"of more than {_ALL} rows only the greatest eigenvalues are worked out")
        return eigenvalue_near(now.of.values, now.rho, now.r)

    def settled(problem: Problem, before: Any, after: Any) -> Answer:
        if after.turns >= problem.parameters.turns and after.turn > problem.parameters.tol:
            return DoesNotApply(f"the iteration was ended after {after.turns:,}, as asked")
        return Sides(("turn of u", after.turn), ("tol", problem.parameters.tol))

    def apart(problem: Problem, state: Any) -> bool | str | Undecided:
        values, k = of(problem, state).of.values, len(state.eigenvectors)
        if k >= len(values) and not of(problem, state).of.whole:
            return Undecided(f"of more than {_ALL} rows only {_LEADING} eigenvalues are worked out")
        return settled_apart(values, k, state.turn)

    def right(problem: Problem, before: Any, after: Any) -> Answer:
        now, k = of(problem, after), len(after.eigenvectors)
        return kth_eigenvalue(now.of.values, k, now.rho, after.turn, slack=1e-9 * now.of.size)

    def most(problem: Problem, before: Any, after: Any) -> Answer:
        now = of(problem, after)
        return no_more_than_eigh(now.of.values, now.quotients, now.of.total + now.of.rounding)

    def uncorrelated(problem: Problem, before: Any, after: Any) -> Answer:
        now = of(problem, after)
        if len(now.U) < 2:
            return DoesNotApply("there is one component so far")
        rho, r = now.quotients, now.residuals
        if not rho.min() > 0:
            return DoesNotApply("nothing varies along one of them")
        roots = np.sqrt(np.outer(rho, rho))
        bounds = (np.outer(rho, r) + np.outer(r, rho) + np.outer(r, r)) / roots
        products = np.abs(now.coordinates.T @ now.coordinates) / len(now.of.A)
        np.fill_diagonal(products, 0.0)
        size = now.of.size**2 / roots.min()
        return Sides.each(("|zᵢ·zⱼ|/n", products), ("(ρᵢrⱼ + rᵢρⱼ + rᵢrⱼ)/√(ρᵢρⱼ)", bounds), size=10 * size)

    return (
        Theorem(
            "an iteration is u' = Ku/‖Ku‖",
            iteration,
            source="Hotelling (1933)",
            about="step",
            phases=("iterate",),
            proof=("that is the rule; Ku is worked out anew, from a K of which nothing was taken out",),
        ),
        Theorem("ρ = u·Ku/n never falls", never_falls, source="Parlett (1998)", about="step", proof=RISES),
        Theorem(
            "some λ of K/n is within ‖Ku/n - ρu‖ of ρ",
            near,
            source="Weinstein (1934); r²/δ: Kato (1949)",
            proof=NEAR,
        ),
        Theorem(
            "u is found when it turns by no more than tol",
            settled,
            source="Parlett (1998)",
            phases=("found",),
            proof=("that is the rule",),
        ),
        Theorem(
            "the k-th found has λₖ, to what its last turn leaves",
            right,
            source="Parlett (1998)",
            phases=("found",),
            hypotheses={"the last turn was small and λₖ stands apart": apart},
            proof=SETTLES,
        ),
        Theorem("no directions capture more than eigh's", most, source="Fan (1949)", proof=MOST),
        Theorem(
            "coordinates z = Kα are uncorrelated, to what is left of r",
            uncorrelated,
            source=source,
            proof=(
                "z = √(n/ρ) Ku/n, and Ku/n = ρu + e with ‖e‖ = r and e ⟂ u",
                "uᵢ ⟂ uⱼ, so (ρᵢuᵢ + eᵢ)·(ρⱼuⱼ + eⱼ) is at most ρᵢrⱼ + rᵢρⱼ + rᵢrⱼ in size",
            ),
        ),
    )
