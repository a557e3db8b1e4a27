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
from msgspec import Struct

from algorithms.core import Answer, Array, Curve, DoesNotApply, Problem, Sides, Undecided, theorem
from algorithms.core.ends import Ending
from algorithms.toolbox.eigenvectors import (
    NO_MORE,
    eigenvalue_near,
    kth_eigenvalue,
    left,
    most,
    near,
    no_more_than_greatest,
    numbered,
    pairs,
    rises,
    settled_apart,
    settled_on_kth,
    settles,
)
from algorithms.toolbox.lanczos import leading_eigenpairs
from algorithms.toolbox.power_iteration import deflated_matrix, iterations, still_turning
from algorithms.toolbox.subscripts import subscript

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

    @cached_property
    def row_sums(self) -> Array:
        """(n,) 0 but for rounding, where K is centred."""
        return np.asarray(self.A.sum(axis=1))

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

    @property
    def rounded(self) -> float:
        """The variance that rounding may leave where there is none."""
        return float(_NOTHING * (self.total + len(self.A) ** 0.5 * self.rounding))

    def exhausted(self, left: Array) -> bool:
        """Whether no more than rounding is left in a deflated K/n."""
        return bool(np.trace(left) <= self.rounded)


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
    def off(self) -> float:
        """‖KU/n - UΛ‖ of those before the last, by which what is left of K/n has other eigenvalues at most (Weyl)."""
        return float(np.linalg.norm(self.residuals[:-1]))

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

    @property
    def exact(self) -> float:
        """The eigenvalue that the last is to find; NaN where it is not worked out."""
        number = len(self.U)
        return float(self.of.values[number - 1]) if number <= len(self.of.values) else np.nan

    @property
    def captured(self) -> float:
        """The share of the variance that all of them capture."""
        return float(self.quotients.sum()) / self.of.total

    @property
    def share(self) -> float:
        """The share of the last alone."""
        return self.rho / self.of.total

    def apart(self) -> float:
        """The angle in degrees between the last and the exact eigenvector; NaN where that is not worked out."""
        k = len(self.U) - 1
        if k >= len(self.of.values):
            return np.nan
        exact = self.of.pairs[1][k]
        cosine = float(exact @ self.U[-1])
        sine = float(np.linalg.norm(self.U[-1] - cosine * exact))
        return float(np.degrees(np.arctan2(sine, abs(cosine))))


Of = Callable[[Problem, Any], GramIterate]


def gram_curves(of: Of) -> tuple[Curve, ...]:
    """What is measured of every step, for an algorithm of which `of` makes the moment of a state."""
    return (
        Curve(
            "ρ", lambda p, s: of(p, s).rho, "ρ = u·Ku/n, the variance along w", chart="Rayleigh quotient", tone="accent"
        ),
        Curve(
            "exact λ",
            lambda p, s: of(p, s).exact,
            "the eigenvalue to be found",
            chart="Rayleigh quotient",
            tone="muted",
        ),
        Curve("‖Ku/n - ρu‖", lambda p, s: of(p, s).r, "0 at an eigenvector", log=True),
        Curve("angle", lambda p, s: of(p, s).apart(), "between u and the exact one, in degrees", log=True),
        Curve("captured share", lambda p, s: of(p, s).captured, "Σρ / total, w included", tone="accent"),
    )


def gram_symbols(of: Of) -> dict[str, tuple[str, Callable[[Problem, Any], float | None] | None]]:
    """The letters that those curves and theorems share."""
    return {
        "u, U": ("the direction in hand, n numbers, of length 1; those found, as columns", None),
        "ρ": ("u·Ku/n, the variance along w", lambda p, s: of(p, s).rho),
        "λ": ("the eigenvalue of K/n that u is to find", lambda p, s: _finite(of(p, s).exact)),
        "r, e": ("‖Ku/n - ρu‖, and that difference", lambda p, s: of(p, s).r),
        "δ": ("distance from ρ to the next nearest eigenvalue", None),
        "turn": ("angle of the last iteration, in radians", lambda p, s: _finite(s.turn)),
    }


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def begun(now: GramIterate) -> str:
    """A sentence about a direction to start from."""
    which, rest = len(now.U), 1.0 - now.captured + now.share
    taken = f"u{subscript(which - 1)} is taken out of K; {rest:.1%} of the variance is left. " if which > 1 else ""
    return f"{taken}A random u to start from: its w has {now.share:.1%} of the variance along it."


def turned(now: GramIterate, turn: float) -> str:
    """A sentence about an iteration."""
    which = subscript(len(now.U))
    moved = f"K turns u{which} by {np.degrees(turn):.3g}°; " if np.isfinite(turn) else ""
    return f"{moved}the variance along w{which} is now {now.rho:.5g} ({now.share:.1%}), and ‖Ku/n - ρu‖ = {now.r:.2g}."


def settled(state: Any, tol: float) -> str:
    """After how many iterations a component is found: "after 12 iterations of its own, still turning by 3°"."""
    return f"after {iterations(state.turns, state.iteration)}{still_turning(state.turn, tol)}"


def ended_early(problem: Problem, state: Any) -> str:
    """Why the iteration of the component in hand ended before it settled, as asked; "" where it did not."""
    p = problem.parameters
    early = state.turns >= p.turns and state.turn > p.tol
    return f"the iteration was ended after {state.turns:,}, as asked" if early else ""


def settled_after(problem: Problem, state: Any, values: Array, now: GramIterate) -> bool | str:
    """Whether a component settled on λ_k, where that of some (m,) eigenvalues stands apart, after others that settled.

    Where it settled is told from K's own eigenvalues, as far as they are worked out: others may be those of a fault.
    """
    k, own = len(state.eigenvectors), now.of.values
    apart = ended_early(problem, state) or settled_apart(values, k, state.turn, now.off)
    if apart is not True or (k >= len(own) and not now.of.whole):
        return apart
    return settled_on_kth(own, now.quotients[:k], state.turn, now.off)


def all_found(problem: Problem, state: Any) -> bool | Sides:
    """As many components are found as were asked for, or as there are rows."""
    most = min(problem.parameters.k, problem.data.n)
    return state.phase == "found" and Sides(("asked for", most), ("found", len(state.eigenvectors)))


def nothing_left(of: Of) -> Ending:
    """Claim that what is found has all the variance but for rounding."""

    def claim(problem: Problem, state: Any) -> bool | Sides:
        now = of(problem, state)
        rest = now.of.total - float(now.quotients.sum())
        return state.phase == "found" and Sides(
            ("tr K/n - Σρ", rest), ("rounding", now.of.rounded), slack=now.of.rounded
        )

    return claim


class Turning(Struct, frozen=True, eq=False):
    """A moment of the iteration, with what is found and how far the one in hand has turned.

    Attributes:
        at: the moment.
        eigenvectors: (c, n) unit vectors found.
        u: (n,) the one in hand.
        turn: the angle by which it turned last, in radians.
        turns: how often it has turned.
        phase: what was done.
    """

    at: GramIterate
    eigenvectors: Array
    u: Array
    turn: float
    turns: int
    phase: str


def stands_apart(problem: Problem, now: Turning) -> bool | str | Undecided:
    of, k = now.at.of, len(now.eigenvectors)
    if k >= len(of.values) and not of.whole:
        return Undecided(f"of more than {_ALL} rows only {_LEADING} eigenvalues are worked out")
    return settled_after(problem, now, of.values, now.at)


@theorem(NO_MORE, source="Fan (1949)", proof=most("u", "K/n", "Kuⱼ/n"))
def no_more_captured(problem: Problem, before: Turning | None, now: Turning) -> Answer:
    of = now.at.of
    return no_more_than_greatest(of.values, now.at.quotients, of.total + of.rounding)


@theorem(
    "an iteration is u' = Ku/‖Ku‖",
    source="Hotelling (1933)",
    about="step",
    phases=("iterate",),
    proof=("that is the rule; Ku is worked out anew from the whole K, less what is along those found",),
)
def iterated(problem: Problem, before: Turning, now: Turning) -> Answer:
    was = before.at
    size = was.of.size / max(was.rho, 1e-12 * was.of.size)  # a short Ku is known to fewer digits
    image, taken = was.images[-1], before.eigenvectors
    across = image - (taken @ image) @ taken
    longest = float(np.linalg.norm(across))
    aim = across / longest if longest > 0 else before.u
    return Sides.each(("u'", now.u), ("Ku/‖Ku‖", aim), relation="==", size=10 * size, axes=("row",))


@theorem("ρ = u·Ku/n never falls", source="Parlett (1998)", about="step", proof=rises("u", "K/n"))
def never_falls(problem: Problem, before: Turning, now: Turning) -> Answer:
    if now.phase == "deflate":
        return DoesNotApply("another component begins")
    return Sides(("ρ before", before.at.rho), ("ρ", now.at.rho), size=now.at.of.size)


@theorem(
    "some λ of K/n is within ‖Ku/n - ρu‖ of ρ",
    source="Weinstein (1934); r²/δ: Kato (1949)",
    proof=near("u", "K/n"),
)
def near_an_eigenvalue(problem: Problem, before: Turning | None, now: Turning) -> Answer:
    if not now.at.of.whole:
        return Undecided(f"of more than {_ALL} rows only the greatest eigenvalues are worked out")
    return eigenvalue_near(now.at.of.values, now.at.rho, now.at.r)


@theorem(
    "u is found when it turns by no more than tol",
    source="Parlett (1998)",
    phases=("found",),
    proof=("that is the rule",),
)
def turns_no_more(problem: Problem, before: Turning | None, now: Turning) -> Answer:
    if early := ended_early(problem, now):
        return DoesNotApply(early)
    return Sides(("turn of u", now.turn), ("tol", problem.parameters.tol))


@theorem(
    "the k-th found has λₖ, to what its last turn leaves",
    source="Parlett (1998)",
    phases=("found",),
    hypotheses={"the last turn was small and λₖ stands apart": stands_apart},
    proof=(*settles("u"), left("KU/n", "U")),
)
def kth_found(problem: Problem, before: Turning | None, now: Turning) -> Answer:
    at, k = now.at, len(now.eigenvectors)
    return kth_eigenvalue(at.of.values, k, at.rho, now.turn, slack=1e-9 * at.of.size, off=at.off)


@theorem(
    "coordinates z = Kα are uncorrelated, to what is left of r",
    source="Schölkopf, Smola and Müller (1998)",
    proof=(
        "z = √(n/ρ) Ku/n, and Ku/n = ρu + e with ‖e‖ = r and e ⟂ u",
        "uᵢ ⟂ uⱼ, so (ρᵢuᵢ + eᵢ)·(ρⱼuⱼ + eⱼ) is at most ρᵢrⱼ + rᵢρⱼ + rᵢrⱼ in size",
    ),
)
def uncorrelated(problem: Problem, before: Turning | None, now: Turning) -> Answer:
    at = now.at
    if len(at.U) < 2:
        return DoesNotApply("there is one component so far")
    rho, r = at.quotients, at.residuals
    if not rho.min() > 0:
        return DoesNotApply("nothing varies along one of them")
    roots = np.sqrt(np.outer(rho, rho))
    bounds = (np.outer(rho, r) + np.outer(r, rho) + np.outer(r, r)) / roots
    products = np.abs(at.coordinates.T @ at.coordinates) / len(at.of.A)
    np.fill_diagonal(products, 0.0)
    size = at.of.size**2 / roots.min()
    sides = ("|zᵢ·zⱼ|/n", products), ("(ρᵢrⱼ + rᵢρⱼ + rᵢrⱼ)/√(ρᵢρⱼ)", bounds)
    return Sides.each(*sides, size=10 * size, entries=pairs("z", len(rho)))


@theorem(
    "u is at right angles to those found: u·uⱼ = 0",
    source="Hotelling (1933)",
    proof=("K less those found, (I - UUᵀ)K(I - UUᵀ), takes every u to what is at right angles to U",),
)
def orthogonal(problem: Problem, before: Turning | None, now: Turning) -> Answer:
    if not len(now.eigenvectors) or now.phase == "found":
        return DoesNotApply("no other is found yet, or none is in hand")
    along = np.abs(now.eigenvectors @ now.u)
    return Sides.each(("|u·uⱼ|", along), ("0", 0.0), size=1e2, entries=numbered("u", len(along)))


@theorem(
    "another u is looked for where variance is left: tr K/n > Σρ",
    source="Hotelling (1933)",
    phases=("deflate",),
    proof=("(I - UUᵀ)K(I - UUᵀ)/n has the trace tr K/n - Σρ; where that is 0, nothing varies",),
)
def something_left(problem: Problem, before: Turning | None, now: Turning) -> Answer:
    of = now.at.of
    rest, room = of.total - float(now.at.quotients[:-1].sum()), of.rounded
    return Sides(("rounding", room), ("tr K/n - Σρ", rest), relation="<", slack=room / 2)


OF_GRAM = (
    no_more_captured,
    iterated,
    never_falls,
    near_an_eigenvalue,
    turns_no_more,
    kth_found,
    uncorrelated,
    orthogonal,
    something_left,
)
