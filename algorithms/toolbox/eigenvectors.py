"""Statements about eigenvectors that are found one by one, with a step's numbers.

Args that they share:
    values: (m,) eigenvalues λ of the symmetric A, the greatest first.
    rho: w·Aw of a unit vector w, its Rayleigh quotient.
    r: ‖Aw - ρw‖.
    turn: the angle of w's last iteration, in radians.
    k: how many are found, the one that is spoken of included.

References: Weinstein (1934) and Krylov and Bogolyubov (1929), an eigenvalue within r; Kato (1949), On the upper and
lower bounds of eigenvalues, J. Physical Society of Japan 4 (r²/δ, after Temple); Fan (1949), On a theorem of Weyl
concerning eigenvalues, Proc. National Academy of Sciences 35; Parlett (1998), The Symmetric Eigenvalue Problem,
chapters 4 and 10.
"""

import numpy as np

from algorithms.core import Array, Sides
from algorithms.toolbox.subscripts import subscript

_SMALL = 0.1  # a last turn below it is one of a direction that settles
_APART = 1e-6  # of an eigenvalue: nearer ones are not told apart
_ACROSS = 1e-5  # a cosine that no direction has by chance: what turns so little away from λ_k is a fault

NO_MORE = "no k directions capture more than the k greatest λ"


# Proofs, for a unit vector that the algorithm calls w, or otherwise, and a matrix that it calls A


def basis(w: str, A: str) -> str:
    return f"for each unit eigenvector vⱼ of {A}, with its λⱼ, let cⱼ = vⱼ·{w}: {w} = Σ cⱼvⱼ, Σ cⱼ² = 1"


def rises(w: str, A: str) -> tuple[str, ...]:
    return basis(w, A), "ρ = Σ cⱼ²λⱼ, then ρ' = Σ cⱼ²λⱼ³ / Σ cⱼ²λⱼ²: a mean of λ with more weight on the greater"


def near(w: str, A: str, rho: str = "ρ") -> tuple[str, ...]:
    """Within r; and by the second two lines, where r < δ, within r²/δ."""
    return (
        basis(w, A),
        f"r² = Σ cⱼ²(λⱼ - {rho})² >= min (λⱼ - {rho})²",
        "let g = |λ - ρ| of the nearest, of weight c², the others δ away: c²g² + (1 - c²)δ² <= r²",
        "as Σ cⱼ²(λⱼ - ρ) = 0 too, c²g(g + δ) <= r²; with c² from the line before, gδ <= r²",
    )


def settles(w: str) -> tuple[str, ...]:
    return (
        f"let β be the angle of {w} from the eigenvector, then β': tan β' <= (λₖ₊₁/λₖ) tan β",
        "so turn >= β - β', and tan turn >= (1 - λₖ₊₁/λₖ) sin β cos β; below 45° cos β >= 1/√2",
        f"a share sin² β of ‖{w}‖² lies along other λ >= 0, so λₖ - ρ <= λₖ sin² β",
        "one that settled elsewhere, β near 90°, fails it",
    )


def left(image: str, W: str) -> str:
    return f"for Λ, the ρ of those before it, and ε = ‖{image} - {W}Λ‖: the other λ move by ε at most (Weyl)"


def spread(w: str, A: str, image: str) -> str:
    return f"for each unit eigenvector vᵢ of {A}, with λᵢ, let qᵢ = Σⱼ (vᵢ·{w}ⱼ)²: Σ {w}ⱼ·{image} = Σ λᵢqᵢ"


def most(w: str, A: str, image: str) -> tuple[str, ...]:
    return spread(
        w, A, image
    ), f"for k orthonormal {w}, 0 <= qᵢ <= 1 and Σ qᵢ = k: most with qᵢ = 1 at the k greatest λ"


def eigenvalue_near(values: Array, rho: float, r: float) -> Sides:
    """An eigenvalue is within r of ρ; with δ the distance to the next, r²/δ is closer as soon as r < δ."""
    apart = np.abs(values - rho)
    nearest = int(apart.argmin())
    gap = float(np.delete(apart, nearest).min(initial=np.inf))
    closer = (("r²/δ", r * (r / gap)),) if r < gap else ()
    return Sides((f"|ρ - λ{subscript(nearest + 1)}|", float(apart[nearest])), *closer, ("r", r), size=float(values[0]))


def settled_apart(values: Array, k: int, turn: float, off: float = 0.0) -> bool | str:
    """Whether the last turn was small and λ_k stands apart from the next, also by what those found before it are off.

    Args:
        off: ‖AU - UΛ‖ of the orthonormal U found before, by which what they leave moves eigenvalues at most (Weyl).
    """
    values = np.append(values, 0.0)
    if not turn < _SMALL:
        return "the last turn was large: the iteration was ended early, or w was changed since"
    if values[k - 1] <= 0 or values[k] / values[k - 1] > 1 - _APART:
        return f"λ{subscript(k)} does not stand apart from the next: any direction between theirs is as good"
    if 2 * off >= values[k - 1] - values[k]:
        return f"components before it were ended early: a part of λ{subscript(k)}'s direction went with them"
    return True


def settled_on_kth(values: Array, quotients: Array, turn: float, off: float) -> bool | str:
    """Whether, as in `settled_apart`, w settled within 45° of the direction of the greatest eigenvalue that is left.

    Beyond 45° a small turn may be that of a w nearly across it, which has hardly begun to go there. Only where no start
    by chance is as near to across is it taken for a fault, which `kth_eigenvalue` then shows.

    Args:
        quotients: (k,) of those found, that of w the last.
        off: as for `settled_apart`.
    """
    k = len(quotients)
    apart = settled_apart(values, k, turn, off)
    if apart is not True:
        return apart
    highest, following = float(values[k - 1]), float(np.append(values, 0.0)[k]) + off
    # WᵀAW of those before has no eigenvalue below the least quotient by more than `off`: so they are the first k - 1
    if k > 1 and quotients[:-1].min() - off <= (highest - off + following) / 2:
        nearer = f"nearer to λ{subscript(k + 1)} than to λ{subscript(k)}"
        return f"a component before it was ended early: its variance is {nearer}"
    if quotients[-1] >= (highest + off + following) / 2:  # beyond 45° it would be less
        return True
    across = 2**0.5 * np.tan(turn) / (1 - following / (highest - off))  # the greatest cosine, if beyond 45°
    return (
        bool(across <= _ACROSS) or f"so small a turn may be that of a w nearly across the direction of λ{subscript(k)}"
    )


def kth_eigenvalue(
    values: Array, k: int, rho: float, turn: float, slack: float, name: str = "", off: float = 0.0
) -> Sides:
    """ρ is λ_k, to what the last turn leaves; where `settled_apart`.

    Args:
        slack: what the components before it, which are right to their own turns only, may take from it.
        name: of what the eigenvalues are, where that is to be said.
        off: as for `settled_apart`; what it adds to the bound is forgiven.
    """
    values = np.append(values, 0.0)
    ratio = values[k] / values[k - 1]
    bound = 2 * values[k - 1] * (np.tan(turn) / (1 - ratio)) ** 2
    if off > 0:
        highest, lowest, following = values[k - 1] + off, values[k - 1] - off, values[k] + off
        slack += 2 * highest * (np.tan(turn) / (1 - following / lowest)) ** 2 - bound
    return Sides(
        (f"λ{subscript(k)}{name} - ρ", values[k - 1] - rho),
        (f"2 λ{subscript(k)} (tan turn/(1 - λ{subscript(k + 1)}/λ{subscript(k)}))²", bound),
        slack=slack,
    )


def no_more_than_greatest(values: Array, quotients: Array, size: float) -> Sides:
    """Orthonormal directions with these (c,) quotients capture no more than as many of the greatest eigenvalues."""
    k, most = len(quotients), float(values[: len(quotients)].sum())
    return Sides((f"Σρ of {k}", float(quotients.sum())), ("Σ of the greatest λ", most), size=size)


def numbered(letter: str, k: int) -> list[str]:
    """Name the first k components: "w₁", "w₂"."""
    return [f"{letter}{subscript(j + 1)}" for j in range(k)]


def pairs(letter: str, k: int) -> list[str]:
    """Name the pairs of the first k components, row after row of a (k, k) matrix: "w₁, w₂"."""
    names = numbered(letter, k)
    return [f"{one}, {other}" for one in names for other in names]


def orthonormal(W: Array) -> Sides:
    """The rows of (c, m) W are."""
    return Sides.each(("WWᵀ", W @ W.T), ("I", np.eye(len(W))), relation="==", size=1.0, entries=pairs("w", len(W)))
