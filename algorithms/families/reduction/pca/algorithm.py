"""PCA by deflation: find the direction along which the rows vary most, take it out of the data, and again.

With the rows centred, x_i <- x_i - mean, and C = 1/n Σ x_i x_iᵀ, each component is found by power iteration

    w <- C w / ‖C w‖         from a random direction, until w turns by no more than tol

and then taken out of every row, x_i <- x_i - (x_i·w) w, so that C has no variance along it any more.

The Rayleigh quotient ρ = w·Cw is the variance of the rows along w. Power iteration never lowers it, because C is
positive semi-definite. At every step the eigenvalue λ of the symmetric C that is nearest to ρ lies within
r = ‖Cw - ρw‖ of it, and within r²/δ if the next one is δ away. For orthonormal w_1, ..., w_k Pythagoras gives, row by
row, ‖x‖² = Σ_j (x·w_j)² + ‖what is left of x‖², so captured and residual variance make the total; and no k directions
capture more than the k greatest eigenvalues of C (Fan).

Components come with the sign of their start: w_0·w >= 0, and C, being positive semi-definite, never turns w by more
than a right angle. Without centring C is the mean of x xᵀ about the origin, all of this holds for it, and the first
component is drawn to where the mean lies. To keep k components of n rows takes k (d + n) numbers in place of d n, and
d more for the mean.

References: Pearson (1901), On lines and planes of closest fit to systems of points in space, Phil. Magazine 2(11);
Hotelling (1933), Analysis of a complex of statistical variables, J. of Educational Psychology 24 (power iteration and
deflation); Krylov and Bogolyubov (1929) and Weinstein (1934), an eigenvalue within r; Kato (1949), On the upper and
lower bounds of eigenvalues, J. Physical Society of Japan 4 (r²/δ, after Temple); Fan (1949), On a theorem of Weyl
concerning eigenvalues, Proc. National Academy of Sciences 35; Parlett (1998), The Symmetric Eigenvalue Problem,
chapters 4 and 10.
"""

from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
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
    Words,
    kept,
    once,
    theorem,
)
from algorithms.data import cloud, digits, faithful, four_points, iris
from algorithms.families.reduction.pca.coordinates import coordinates, directions_table
from algorithms.families.reduction.pca.covariance import (
    deflated,
    exact_eigenvalues,
    left_along,
    origin,
    root,
    turned,
    variance,
)
from algorithms.families.reduction.shared import components_pictures as pictures
from algorithms.toolbox import eigenvectors
from algorithms.toolbox.power_iteration import across, angle, captured_by, first_direction, iterations, still_turning
from algorithms.toolbox.subscripts import subscript

NOTHING = 1e-20  # of the variance: less than this is what rounding leaves, and the rows lie in the space found
ENOUGH = 0.95  # of the variance, by the rule of thumb


class PCAState(State, frozen=True, kw_only=True):
    components: Array  # (c, d) those found, orthonormal rows
    w: Array  # (d,) the unit direction in hand
    turn: float = np.inf  # the angle by which the last iteration turned it, in radians
    turns: int = 0  # iterations on this component so far; `iteration` counts those on all


def pca(
    data: Dataset,
    state: PCAState | None = None,
    *,
    k: Annotated[int, Meta(ge=1, le=100, description="components to find, as many as there are features at most")] = 2,
    centre: Annotated[bool, Meta(description="take the mean off the rows first")] = True,
    tol: Annotated[float, Meta(ge=0, le=1, description="a turn this small, in radians, ends the iteration")] = 1e-6,
    turns: Annotated[int, Meta(ge=1, le=100_000, description="iterations for one component at most")] = 1000,
    seed: Annotated[Seed, Meta(description="of the directions to start from")] = 0,
) -> Run[PCAState]:
    Z = data.once(root, centre)  # C = ZᵀZ
    if state is None:
        nothing = np.empty((0, data.d))
        state = PCAState(components=nothing, w=first_direction(nothing, seed))
        yield state
    left = deflated(Z, state.components)
    while True:
        while state.phase != "found" and state.turn > tol and state.turns < turns:
            w = turned(left, state.w, state.components)
            iteration, turn = state.iteration + 1, angle(w, state.w)
            state = state.after("iterate", iteration=iteration, w=w, turn=turn, turns=state.turns + 1)
            yield state
        if state.phase != "found":
            state = state.after("found", components=np.vstack([state.components, state.w]))
            yield state
        number = len(state.components)
        if number >= min(k, data.d):
            return f"{number} components found" if number > 1 else "1 component found"
        left = deflated(Z, state.components)
        if variance(left) <= NOTHING * variance(Z):
            return f"nothing is left: the rows lie in a space of {number} dimension{'s' * (number > 1)}"
        w = first_direction(state.components, seed)
        state = state.after("deflate", w=w, turn=np.inf, turns=0)
        yield state


def adapt(before: Problem, after: Problem, state: PCAState, rows: Array) -> PCAState:
    """The directions stay, and the one in hand has to settle anew where C is another."""
    same = after.data is before.data and after.parameters.centre == before.parameters.centre
    return state if same else state.replaced(turn=np.inf)


def turned_by_hand(state: PCAState, to: Array) -> PCAState:
    """w along `to`, (d,) from where directions start, across the components found; as it is where nothing is left."""
    rest = across(to, state.components)
    length = float(np.linalg.norm(rest))
    return state.replaced(w=rest / length, turn=np.inf) if length > 0 else state


@once
def middle(problem: Problem) -> Array:
    """(d,) where directions start from."""
    return origin(problem.data, problem.parameters.centre)


def problem_root(problem: Problem) -> Array:
    return problem.data.once(root, problem.parameters.centre)


def directions(state: PCAState) -> Array:
    """The components found, and the current direction where it is not one of them: (c, d) or (c + 1, d)."""
    return state.components if state.phase == "found" else np.vstack([state.components, state.w])


@kept
def rayleigh(problem: Problem, state: PCAState) -> float:
    """ρ = w·Cw; w is orthogonal to the components, so it is the same whether or not they have been taken out."""
    along = problem_root(problem) @ state.w
    return float(along @ along)


@kept
def residuals(problem: Problem, state: PCAState) -> Array:
    """(c,) ‖Cw_j - ρ_j w_j‖ of each direction."""
    Z, W = problem_root(problem), directions(state)
    along = Z @ W.T
    return np.asarray(np.linalg.norm(Z.T @ along - W.T * np.einsum("ij,ij->j", along, along), axis=0))


def residual(problem: Problem, state: PCAState) -> float:
    """r = ‖Cw - ρw‖."""
    return float(residuals(problem, state)[-1])


@kept
def captured(problem: Problem, state: PCAState) -> Array:
    """(c,) the variance along each direction, the current one included: w_j·C w_j."""
    along = problem_root(problem) @ directions(state).T
    return np.asarray(np.einsum("ij,ij->j", along, along))


@kept
def left_over(problem: Problem, state: PCAState) -> float:
    """The reconstruction error: the mean of ‖x - Σ_j (x·w_j) w_j‖² over the rows."""
    return variance(deflated(problem_root(problem), directions(state)))


@once
def eigenvalues(problem: Problem) -> Array:
    """(d,) those of C by `eigh`, the greatest first."""
    return exact_eigenvalues(problem.data, middle(problem))


@once
def total(problem: Problem) -> float:
    """The mean of ‖x‖² over the rows, centred if so asked: the variance there is to capture."""
    X = problem.data.X
    return float((X.var(axis=0) if problem.parameters.centre else np.mean(X**2, axis=0)).sum())


@once
def needed(problem: Problem) -> int:
    """How many components it takes to capture 95% of the variance."""
    shares = eigenvalues(problem).cumsum() / eigenvalues(problem).sum()
    return int(np.searchsorted(shares, ENOUGH * (1 - 1e-12)) + 1)


def share_captured(problem: Problem, state: PCAState) -> float:
    return float(captured(problem, state).sum()) / total(problem)


def exact(problem: Problem, state: PCAState) -> float:
    """The eigenvalue that the current direction is to find."""
    return float(eigenvalues(problem)[len(directions(state)) - 1])


def greatest(problem: Problem) -> float:
    """λ1, of whose size all numbers are that are added on the way to a variance."""
    return float(eigenvalues(problem)[0])


def before_it(problem: Problem, state: PCAState) -> float:
    """‖CW - WΛ‖ of the components before the last."""
    return float(np.linalg.norm(residuals(problem, state)[:-1]))


def shrinks(problem: Problem, state: PCAState) -> bool | str:
    quotients, off = captured(problem, state), before_it(problem, state)
    return eigenvectors.settled_on_kth(eigenvalues(problem), quotients, state.turn, off)


def names_of(components: Array) -> list[str]:
    return [f"w{subscript(j)}" for j in range(1, len(components) + 1)]


def all_found(problem: Problem, state: PCAState) -> bool | Sides:
    """As many components are found as were asked for, or as there are features."""
    most = min(problem.parameters.k, problem.data.d)
    return state.phase == "found" and Sides(("asked for", most), ("found", len(state.components)))


def nothing_left(problem: Problem, state: PCAState) -> bool | Sides:
    """What was found has all the variance but for rounding."""
    room = NOTHING * variance(problem_root(problem))
    return state.phase == "found" and Sides(("left", left_over(problem, state)), ("rounding", room))


def validate(problem: Problem) -> str | None:
    data, centre = problem.data, problem.parameters.centre
    if not (np.ptp(data.X, axis=0).any() if centre else data.X.any()):
        return f"the rows of {data.name} are all {'equal' if centre else 'zero'}: there is no direction to find."
    return None


def scene(problem: Problem, before: PCAState | None, after: PCAState) -> Scene:
    data, start, variances, values = problem.data, middle(problem), captured(problem, after), eigenvalues(problem)

    def way(earlier: State) -> Array:
        assert isinstance(earlier, PCAState)
        if len(directions(earlier)) != len(variances):
            return np.empty((0, data.d))
        return pictures.head(start, earlier.w, rayleigh(problem, earlier) ** 0.5)

    def drag(earlier: PCAState, _: int, to: Array) -> PCAState:
        return turned_by_hand(earlier, to - start)

    return Scene(
        (
            pictures.stage(data, start, directions(after)[:-1], after.w, np.sqrt(variances), way, drag),
            *pictures.picture(data, after.w, len(variances)),
            pictures.spectrum(variances / total(problem), values / total(problem), needed(problem)),
            pictures.table(variances, total(problem), values, after.phase != "found"),
            *directions_table(data, directions(after)),
            coordinates(data, start, directions(after)),
            pictures.storage(data.n, data.d, len(variances), problem.parameters.centre, needed(problem)),
        )
    )


def explain(problem: Problem, before: PCAState | None, after: PCAState) -> str:
    which, quotient = len(directions(after)), rayleigh(problem, after)
    share, w = quotient / total(problem), f"w{subscript(which)}"
    if after.phase in ("start", "deflate"):
        left = 1.0 - share_captured(problem, after) + share
        gone = f"w{subscript(which - 1)} is taken out of every row"
        taken = f"{gone}; {left:.1%} of the variance is left. " if which > 1 else ""
        drawn = np.array_equal(after.w, first_direction(after.components, problem.parameters.seed))
        return f"{taken}A {'random ' * drawn}direction to start from: it has {share:.1%} of the variance along it."
    if after.phase == "iterate" and not np.isfinite(after.turn):
        return f"With this change {w} has to settle anew: the variance along it is {quotient:.5g} ({share:.1%})."
    if after.phase == "iterate":
        now, r = f"the variance along it is now {quotient:.5g} ({share:.1%})", residual(problem, after)
        return f"C turns {w} by {np.degrees(after.turn):.3g}°; {now}, and ‖Cw - ρw‖ = {r:.2g}."
    so_far, eigenvalue = share_captured(problem, after), exact(problem, after)
    turning = still_turning(after.turn, problem.parameters.tol)
    return Words.of(
        f"{w} is found after {iterations(after.turns, after.iteration)}{turning}: {quotient:.5g} of variance "
        f"({share:.1%}), exactly {eigenvalue:.5g}.",
        captured_by(which, so_far),
        drawn_to_mean(problem, after),
    )


def drawn_to_mean(problem: Problem, state: PCAState) -> str:
    """Without centring, how far the first component is from where the mean lies."""
    mean = problem.data.X.mean(axis=0)
    length = float(np.linalg.norm(mean))
    if problem.parameters.centre or len(state.components) > 1 or length == 0:
        return ""
    apart = round(np.degrees(angle(np.sign(mean @ state.w) * mean / length, state.w)), 6)
    return f"Without centring it points to the mean, {apart:.2g}° off."


SYMBOLS = {
    "C": ("mean of x xᵀ over the rows", None),
    "C'": ("the same of the residues x - Σ (x·wⱼ) wⱼ", None),
    "x": ("a row, centred", None),
    "w, W": ("the current direction; all of them, one a row", None),
    "ρ": ("w·Cw, the variance along w", rayleigh),
    "λ": ("the eigenvalue of C that w is to find", exact),
    "r": ("‖Cw - ρw‖", residual),
    "δ": ("distance from ρ to the next nearest eigenvalue", None),
    "turn": ("angle of the last iteration, in radians", lambda p, s: s.turn if np.isfinite(s.turn) else None),
    "n": ("rows", lambda problem, state: problem.data.n),
    "k": ("how many components; as an index, which one", None),
}


@theorem(eigenvectors.NO_MORE, source="Fan (1949)", proof=eigenvectors.most("w", "C", "Cwⱼ"))
def no_more_than_greatest(problem: Problem, before: PCAState | None, after: PCAState) -> Answer:
    return eigenvectors.no_more_than_greatest(eigenvalues(problem), captured(problem, after), total(problem))


@theorem(
    "an iteration is w' = Cw/‖Cw‖",
    source="Hotelling (1933)",
    about="step",
    phases=("iterate",),
    proof=("that is the rule; Cw is worked out anew from the rows, without what was found",),
)
def power_iteration(problem: Problem, before: PCAState, after: PCAState) -> Answer:
    """w' against C w, made anew from all of the rows; away from the components, which rounding leaves traces of."""
    C_w = turned(deflated(problem_root(problem), before.components), before.w, before.components)
    # where C w is short beside C's greatest eigenvalue, its direction is known to fewer digits
    size = greatest(problem) / max(rayleigh(problem, before), 1e-12 * greatest(problem))
    sides = ("w'", after.w), ("Cw/‖Cw‖", C_w)
    return Sides.each(*sides, relation="==", size=10 * size, entries=problem.data.features)


@theorem(
    "the Rayleigh quotient ρ = w·Cw never falls",
    source="Parlett (1998)",
    about="step",
    proof=eigenvectors.rises("w", "C"),
)
def quotient_never_falls(problem: Problem, before: PCAState, after: PCAState) -> Answer:
    if after.phase == "deflate":
        return DoesNotApply("another component begins")
    return Sides(("ρ before", rayleigh(problem, before)), ("ρ", rayleigh(problem, after)), size=greatest(problem))


@theorem(
    "an eigenvalue is within r = ‖Cw - ρw‖ of ρ",
    source="Weinstein (1934); r²/δ: Kato (1949)",
    proof=eigenvectors.near("w", "C"),
)
def eigenvalue_near(problem: Problem, before: PCAState | None, after: PCAState) -> Answer:
    return eigenvectors.eigenvalue_near(eigenvalues(problem), rayleigh(problem, after), residual(problem, after))


@theorem(
    "w is a component when it turns by no more than tol",
    source="Parlett (1998)",
    phases=("found",),
    proof=("that is the rule",),
)
def settled(problem: Problem, before: PCAState | None, after: PCAState) -> Answer:
    if after.turns >= problem.parameters.turns and after.turn > problem.parameters.tol:
        return DoesNotApply(f"the iteration was ended after {after.turns:,}, as asked")
    return Sides(("turn of w", after.turn), ("tol", problem.parameters.tol))


@theorem(
    "the k-th found has λₖ, to what its last turn leaves",
    source="Parlett (1998)",
    phases=("found",),
    hypotheses={"the last turn was small and λₖ stands apart": shrinks},
    proof=(*eigenvectors.settles("w"), eigenvectors.left("CWᵀ", "Wᵀ")),
)
def the_right_one(problem: Problem, before: PCAState | None, after: PCAState) -> Answer:
    values, k, off = eigenvalues(problem), len(after.components), before_it(problem, after)
    return eigenvectors.kth_eigenvalue(values, k, rayleigh(problem, after), after.turn, 1e-9 * values[0], off=off)


@theorem(
    "captured variance + reconstruction error is the total",
    source="Pearson (1901)",
    proof=("‖x‖² = Σ (x·wⱼ)² + ‖x - Σ (x·wⱼ) wⱼ‖² for orthonormal w (Pythagoras), row by row",),
)
def captured_and_left(problem: Problem, before: PCAState | None, after: PCAState) -> Answer:
    parts = float(captured(problem, after).sum()) + left_over(problem, after)
    return Sides(("captured + reconstruction error", parts), ("total", total(problem)), relation="==")


@theorem(
    "the components are orthonormal",
    source="Hotelling (1933)",
    proof=("what was taken out of every row has nothing along it: C w ⟂ w₁, w₂, ...",),
)
def orthonormal(problem: Problem, before: PCAState | None, after: PCAState) -> Answer:
    return eigenvectors.orthonormal(directions(after))


@theorem(
    "C'wⱼ = 0, C' of the residues: the next is across by itself",
    source="Hotelling (1933)",
    phases=("found", "deflate"),
    proof=(
        "r = x - (x·w) w has r·w = x·w - (x·w)(w·w) = 0, so C'w = mean of (r·w) r = 0",
        "taking out the next, which is across, takes out nothing along w",
        "so w has the eigenvalue 0, and those with another, as the next component, are across",
    ),
)
def nothing_along(problem: Problem, before: PCAState | None, after: PCAState) -> Answer:
    lengths = left_along(problem_root(problem), after.components)
    names = names_of(after.components)
    return Sides.each(("‖C'wⱼ‖", lengths), ("0", 0.0), relation="==", size=greatest(problem), entries=names)


@theorem(
    "wᵢ·Cwⱼ = 0, to what the iteration left",
    source="Hotelling (1933)",
    phases=("found",),
    proof=("Cwⱼ = ρⱼwⱼ + a rest of length rⱼ, and wᵢ ⟂ wⱼ: so |wᵢ·Cwⱼ| <= rⱼ",),
)
def uncorrelated(problem: Problem, before: PCAState | None, after: PCAState) -> Answer:
    if len(after.components) < 2:
        return DoesNotApply("there is one component so far")
    along = problem_root(problem) @ after.components.T
    products = np.abs(along.T @ along)
    np.fill_diagonal(products, 0.0)
    r = residuals(problem, after)[: len(products)]
    sides, names = (("|wᵢ·Cwⱼ|", products), ("rⱼ", np.broadcast_to(r, products.shape))), names_of(after.components)
    return Sides.each(*sides, size=greatest(problem), axes=(names, names))


THEOREMS = (
    no_more_than_greatest,
    power_iteration,
    quotient_never_falls,
    eigenvalue_near,
    settled,
    the_right_one,
    captured_and_left,
    orthonormal,
    nothing_along,
    uncorrelated,
)

ALGORITHM = Algorithm(
    pca,
    title="PCA by deflation",
    point="A direction turns until the rows vary most along it; then the next, across the first.",
    leaves_open="Rows may differ in what matters along a direction in which they hardly vary.",
    tries=(("rows that are not centred", "-p centre=false"), ("the rows of iris", "--data iris")),
    also=("principal component analysis",),
    asks=(
        Ask("Does the direction turn so little that it is found?", "found", "iterate"),
        Ask.number("What variance will there be along the direction?", "ρ", 0.02),
    ),
    summary="Finds the direction along which the rows vary most by power iteration, takes it out of them, and repeats.",
    rule="x <- x - mean,  C = 1/n Σ x xᵀ\niterate  w <- C w / ‖C w‖\ndeflate  x <- x - (x·w) w",
    needs=Needs(within=(1e-70, 1e70)),  # beyond, squares of products overflow or vanish
    phases={
        "start": "a random direction",
        "iterate": "power iteration: C turns w towards the direction of most variance",
        "found": "w turns by no more than tol, or its turns are used up: it is taken for a component",
        "deflate": "take the component out of every row, and start from a direction across it",
    },
    events=("found",),
    fork_after=("start", "iterate", "deflate"),  # a component that is found turns no more
    curves=(
        Curve("ρ", rayleigh, "ρ = w·Cw, the variance along w", chart="Rayleigh quotient", tone="accent"),
        Curve("exact λ", exact, "the eigenvalue to be found", chart="Rayleigh quotient", tone="muted"),
        Curve("‖Cw - ρw‖", lambda p, s: residual(p, s) or np.nan, "0 at an eigenvector", log=True),
        Curve("reconstruction error", left_over, "mean of ‖x - Σ (x·w) w‖²"),
        Curve("captured share", share_captured, "Σρ / total, w included", tone="accent"),
    ),
    objective={("ρ", "exact λ", "reconstruction error", "captured share"): ("centre",)},
    theorems=THEOREMS,
    ends={
        "… component… found": all_found,
        "nothing is left: the rows lie in a space of …": nothing_left,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(cloud, iris, digits, faithful.with_(scale=True), faithful, four_points),
)
