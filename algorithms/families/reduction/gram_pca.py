"""PCA where there are more features than rows: power iteration on XXᵀ, n by n, in place of XᵀX, d by d (eigenfaces).

With the mean taken off the rows of X (n, d):

    K = XXᵀ
    iterate  u <- K u / ‖K u‖             from a random direction, until u turns by no more than tol
    found    w = Xᵀu / √(nλ)              λ = u·Ku/n
    deflate  K <- (I - uuᵀ) K (I - uuᵀ)

XXᵀu = nλu gives XᵀX(Xᵀu) = nλ(Xᵀu): both matrices have the same eigenvalues but for zeros, Xᵀu is an eigenvector of the
covariance C = XᵀX/n, and as ‖Xᵀu‖² = uᵀKu = nλ, w has length 1. So a component is a sum of rows, w = Σ α_i x_i with
α = u/√(nλ). A row is rebuilt from k of them as mean + Σ_j (x·w_j) w_j; what the variance captured lacks to the total is
the mean of the squared error.

To make XXᵀ takes n²d multiplications and XᵀX nd²; an iteration n² or d²; all eigenvectors some n³ or d³. So the n by n
matrix is the cheaper one where d > n: pictures have more pixels than there are pictures. A matrix of n centred rows has
n - 1 components at most.

References: Sirovich and Kirby (1987), Low-dimensional procedure for the characterization of human faces, J. of the
Optical Society of America A 4; Turk and Pentland (1991), Eigenfaces for recognition, J. of Cognitive Neuroscience 3;
Hotelling (1933), Analysis of a complex of statistical variables, J. of Educational Psychology 24; Weinstein (1934) and
Kato (1949), On the upper and lower bounds of eigenvalues, J. Physical Society of Japan 4; Fan (1949), On a theorem of
Weyl concerning eigenvalues, Proc. National Academy of Sciences 35; Parlett (1998), The Symmetric Eigenvalue Problem,
chapters 4 and 10.
"""

from typing import Annotated

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    FromStart,
    Matrix,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Words,
    columns,
    kept,
    once,
    theorem,
    through,
)
from algorithms.data import breast_cancer, cloud, digits
from algorithms.families.reduction.shared import components_pictures as pictures
from algorithms.families.reduction.shared.gram_states import (
    GRAM_PHASES,
    TURNING,
    GramState,
    moment,
    on_the_way,
    turning_of,
)
from algorithms.toolbox.eigenvectors import kth_eigenvalue, settles
from algorithms.toolbox.gram_iteration import (
    MOST_ROWS,
    OF_GRAM,
    GramIterate,
    Spectrum,
    Turning,
    all_found,
    gram_curves,
    gram_symbols,
    nothing_left,
    settled,
    settled_after,
    uncorrelated,
)
from algorithms.toolbox.power_iteration import aligned, angle, captured_by, deflated_matrix, first_direction
from algorithms.toolbox.subscripts import subscript

_SQUARE = 400  # features of which d x d numbers are worked out, to compare
_BESIDE = 5  # components beside each other
_ROW = 0  # the one that is rebuilt


class GramPCAState(GramState, frozen=True, kw_only=True):
    components: Annotated[Array, Along("", "d")]  # (c, d) w of each


def gram_pca(
    data: Dataset,
    state: GramPCAState | None = None,
    *,
    k: Annotated[int, Meta(ge=1, le=20, description="components to find, fewer than there are rows")] = 5,
    tol: Annotated[float, Meta(ge=0, le=1, description="a turn this small, in radians, ends the iteration")] = 1e-3,
    turns: Annotated[int, Meta(ge=1, le=100_000, description="iterations for one component at most")] = 1000,
    seed: Annotated[Seed, Meta(description="of the directions to start from")] = 0,
) -> Run[GramPCAState]:
    X, K = data.once(away), data.once(spectrum)  # X less the mean; K.A is K/n
    if state is None:
        none = np.empty((0, data.n))
        state = GramPCAState(eigenvectors=none, components=np.empty((0, data.d)), u=first_direction(none, seed))
        yield state
    left = deflated_matrix(K.A, state.eigenvectors)
    while True:
        while state.phase != "found" and state.turn > tol and state.turns < turns:
            u = aligned(left @ state.u, state.u, state.eigenvectors)
            iteration, turn = state.iteration + 1, angle(u, state.u)
            state = state.after("iterate", iteration=iteration, u=u, turn=turn, turns=state.turns + 1)
            yield state
        if state.phase != "found":
            found, w = np.vstack([state.eigenvectors, state.u]), component(X, K.A, state.u)
            state = state.after("found", eigenvectors=found, components=np.vstack([state.components, w]))
            yield state
        number = len(state.eigenvectors)
        if number >= min(k, data.n):
            return f"{number} components found" if number > 1 else "1 component found"
        left = deflated_matrix(K.A, state.eigenvectors)
        if K.exhausted(left):
            return f"nothing is left: the rows lie in a space of {number} dimension{'s' * (number > 1)}"
        u = first_direction(state.eigenvectors, seed)
        state = state.after("deflate", u=u, turn=np.inf, turns=0)
        yield state


def adapt(before: Problem, after: Problem, state: GramPCAState, rows: Array) -> GramPCAState | FromStart:
    """Eigenvectors of K are none of another K."""
    return state if after.data is before.data else FromStart("these components are sums of the rows that there were")


def component(X: Array, A: Array, u: Array) -> Array:
    """(d,) w = Xᵀu/√(nλ), λ = u·Ku/n; 0 where nothing varies along it."""
    square = len(X) * float(u @ (A @ u))
    return np.asarray(X.T @ u / np.sqrt(square)) if square > 0 else np.zeros(X.shape[1])


def away(data: Dataset) -> Array:
    """(n, d) X, the rows less their mean."""
    return np.asarray(data.X - data.X.mean(axis=0))


def spectrum(data: Dataset) -> Spectrum:
    """XXᵀ/n and what is known of it."""
    X = data.once(away)
    # rows far from 0 are known, and so their mean is, to fewer digits than what is left when it is off
    size = float(np.vecdot(X, X).max()) + float(np.abs(X).max() * np.abs(data.X).max())
    return Spectrum(X @ X.T, size)


def spectrum_of(problem: Problem) -> Spectrum:
    return problem.data.once(spectrum)


@kept
def iterate(problem: Problem, state: GramPCAState) -> GramIterate:
    """The eigenvectors found, and the one in hand."""
    return moment(spectrum_of(problem), state)


def turning(problem: Problem, state: GramPCAState) -> Turning:
    return turning_of(iterate(problem, state), state)


@kept
def directions(problem: Problem, state: GramPCAState) -> Array:
    """(c, d) w of those found, and of the one in hand."""
    if state.phase == "found":
        return state.components
    return np.vstack([state.components, component(problem.data.once(away), spectrum_of(problem).A, state.u)])


@kept
def rebuilt(problem: Problem, state: GramPCAState) -> Array:
    """(n, d) Σ √(nρ) u wᵀ of the components, which is what X is taken for."""
    now = iterate(problem, state)
    sizes = np.where(np.isfinite(now.lengths), now.lengths, 0.0)
    return np.asarray((now.U.T * sizes) @ directions(problem, state))


def reconstruction_error(problem: Problem, state: GramPCAState) -> float:
    """The mean over the rows of ‖x - what is rebuilt of it‖²."""
    missed = problem.data.once(away) - rebuilt(problem, state)
    return float(np.vdot(missed, missed)) / problem.data.n


@once
def square_eigenvalues(problem: Problem) -> Array | None:
    """(d + n,) those of the d x d matrix XᵀX/n, the greatest first, then zeros; None where it is too large."""
    X, d = problem.data.once(away), problem.data.d
    if d > _SQUARE:
        return None
    return np.append(np.linalg.eigvalsh(X.T @ X)[::-1] / problem.data.n, np.zeros(problem.data.n))


def small_enough(problem: Problem, state: GramPCAState) -> bool | str:
    d = problem.data.d
    return d <= _SQUARE or f"XᵀX has {d:,} x {d:,} numbers, too many to compare with"


def stands_apart(problem: Problem, state: GramPCAState) -> bool | str:
    values = square_eigenvalues(problem)
    if values is None:
        return "XᵀX is too large"
    return settled_after(problem, state, values, iterate(problem, state))


def names_of(components: Array) -> list[str]:
    return [f"w{subscript(j)}" for j in range(1, len(components) + 1)]


def known(problem: Problem, state: GramPCAState) -> float:
    """λ₁ over the least λ found: by as much more than in K rounding tells in w = Xᵀu/√(nλ)."""
    now = iterate(problem, state)
    return 10 * now.of.size / max(float(now.quotients.min()), 1e-12 * now.of.size)


def varies(problem: Problem, state: GramPCAState) -> bool | str:
    return bool((iterate(problem, state).quotients > 0).all()) or "nothing varies along one of them: its w is 0"


def turned_by_hand(problem: Problem, state: GramPCAState, to: Array) -> GramPCAState:
    """The u whose w is nearest to (d,) `to`, across what is found; as it is where that is nothing."""
    image = problem.data.once(away) @ to
    across = image - state.eigenvectors.T @ (state.eigenvectors @ image)
    length = float(np.linalg.norm(across))
    return state.replaced(u=across / length, turn=np.inf) if length > 0 else state


def validate(problem: Problem) -> str | None:
    data = problem.data
    if not np.ptp(data.X, axis=0).any():
        return f"the rows of {data.name} are all equal: there is no direction to find."
    return None


def scene(problem: Problem, before: GramPCAState | None, after: GramPCAState) -> Scene:
    data, K, now, W = problem.data, spectrum_of(problem), iterate(problem, after), directions(problem, after)
    values, middle = np.maximum(K.values, 0.0), data.X.mean(axis=0)
    deviations = np.sqrt(np.maximum(now.quotients, 0.0))

    def way(earlier: State) -> Array:
        assert isinstance(earlier, GramPCAState)
        then = directions(problem, earlier)
        if len(then) != len(W):
            return np.empty((0, data.d))
        return pictures.head(middle, then[-1], max(iterate(problem, earlier).rho, 0.0) ** 0.5)

    def drag(earlier: GramPCAState, _: int, to: Array) -> GramPCAState:
        return turned_by_hand(problem, earlier, to - middle)

    return Scene(
        (
            *sheet(problem, after, W),
            pictures.stage(data, middle, W[:-1], W[-1], deviations, way, drag),
            pictures.spectrum(now.quotients / K.total, values / K.total, K.needed),
            costs(data),
            pictures.table(now.quotients, K.total, values, after.phase != "found"),
        )
    )


def sheet(problem: Problem, state: GramPCAState, W: Array) -> tuple[Panel, ...]:
    """Where rows are pictures: the mean and the components above, below a row and what is rebuilt of it from each k."""
    data, now = problem.data, iterate(problem, state)
    if data.image is None:
        return ()
    (height, width), across = data.image, 1 + min(max(problem.parameters.k, len(W)), _BESIDE)
    values = np.zeros((2 * height + 1, across * (width + 1) - 1))
    middle, first = data.X.mean(axis=0), max(len(W) - _BESIDE, 0)
    low, reach = float(data.X.min()), float(np.ptp(data.X)) or 1.0
    steps = middle + np.cumsum(now.coordinates[_ROW, :, None] * W, axis=0)
    above = [(middle - low) / reach, *(0.5 + w / (2 * np.abs(w).max() or 1.0) for w in W[first:])]
    below = [(image - low) / reach for image in (data.X[_ROW], *steps[first:])]
    for j, (upper, lower) in enumerate(zip(above, below)):
        left = slice(j * (width + 1), j * (width + 1) + width)
        values[:height, left], values[height + 1 :, left] = upper.reshape(data.image), lower.reshape(data.image)
    shown = f"w{subscript(first + 1)} to w{subscript(len(W))}" if len(W) > first + 1 else f"w{subscript(first + 1)}"
    title = f"mean, {shown}; below: row {_ROW}, rebuilt"
    missed = float(np.linalg.norm(data.X[_ROW] - steps[-1]))
    note = f"row {_ROW}: off by {missed:.3g} of {np.linalg.norm(data.X[_ROW] - middle):.3g}"
    image = Matrix(
        values=np.clip(values, 0.0, 1.0), scale=(0.0, 1.0), ends=("least; in w below 0", "most; in w above 0")
    )
    return (Panel(title=title, marks=(image,), note=note),)


def costs(data: Dataset) -> Panel:
    """What both ways to the same components take."""
    n, d = data.n, data.d
    return columns(
        "multiplications of both ways",
        {
            "": ("to make it", "an iteration", "all eigenvectors", "w of each u", "numbers kept"),
            "XXᵀ, n x n": (n * n * d, n * n, n**3, n * d, n * n),
            "XᵀX, d x d": (n * d * d, d * d, d**3, 0, d * d),
        },
        note=f"n = {n:,}, d = {d:,}",
    )


def explain(problem: Problem, before: GramPCAState | None, after: GramPCAState) -> str:
    now = iterate(problem, after)
    if after.phase == "start":
        return f"{on_the_way(now, after)} An iteration: {problem.data.n:,}² products, not {problem.data.d:,}²."
    if after.phase != "found":
        return on_the_way(now, after)
    which, weights = subscript(len(now.U)), np.abs(now.alpha[-1])
    return Words.of(
        f"u{which} is found {settled(after, problem.parameters.tol)}. w{which} = Xᵀu/√(nλ) has {now.rho:.5g} of "
        f"variance ({now.share:.1%}); row {weights.argmax()} weighs most in it.",
        " ".join(filter(None, (captured_by(len(now.U), now.captured), row_rebuilt(problem, after)))),
    )


def row_rebuilt(problem: Problem, state: GramPCAState) -> str:
    """Say what the pictures of a row are made of, and what is off in the last; "" where rows are no pictures."""
    data, count = problem.data, len(state.components)
    if data.image is None:
        return ""
    x = problem.data.once(away)[_ROW]
    off = float(np.linalg.norm(x - rebuilt(problem, state)[_ROW]))
    off_by = f"{'it' if count == 1 else 'the last'} is off by {off:.3g} of {np.linalg.norm(x):.3g}"
    return f"Below each w is row {_ROW} as w₁ up to that w rebuild it; {off_by}."


SYMBOLS = {
    **gram_symbols(iterate),
    "X": ("the rows, less their mean, n x d", None),
    "K": ("XXᵀ, n x n: the products of all pairs of rows", None),
    "C": ("XᵀX/n, d x d: the covariance, which is not needed", None),
    "n, d": ("how many rows, and features", None),
    "w": ("Xᵀu/√(nλ), the component, d numbers", None),
    "z, α": ("rows' coordinates x·w = Kα; α = u/√(nλ), what each row adds to w", None),
    "I": ("the identity matrix", None),
    "k": ("how many components; as an index, which one", None),
}
SOURCE = "Turk and Pentland (1991)"


@theorem(
    "XᵀX/n has the same eigenvalues",
    source="Sirovich and Kirby (1987)",
    phases=("found",),
    hypotheses={"XᵀX is small enough to compare": small_enough, "turn is small and λₖ apart": stands_apart},
    proof=("XXᵀu = nλu gives XᵀX(Xᵀu) = nλ(Xᵀu), and Xᵀu = 0 only where λ = 0; so back by X", *settles("u")),
)
def same_eigenvalues(problem: Problem, before: GramPCAState | None, after: GramPCAState) -> Answer:
    values, now = square_eigenvalues(problem), iterate(problem, after)
    if values is None:
        return None
    slack, found = 1e-9 * now.of.size, len(now.U)
    return kth_eigenvalue(values, found, now.rho, after.turn, slack=slack, name=" of XᵀX/n", off=now.off)


@theorem(
    "w = Xᵀu/√(nλ) has length 1",
    source=SOURCE,
    phases=("found",),
    hypotheses={"λ > 0": varies},
    proof=("‖Xᵀu‖² = uᵀXXᵀu = uᵀKu = nλ",),
)
def of_length_one(problem: Problem, before: GramPCAState | None, after: GramPCAState) -> Answer:
    sides, names = (("‖w‖", np.linalg.norm(after.components, axis=1)), ("1", 1.0)), names_of(after.components)
    return Sides.each(*sides, relation="==", size=known(problem, after), entries=names)


@theorem(
    "each w is an eigenvector of C: ‖Cw - λw‖ <= √(λ₁/λ) r",
    source=SOURCE,
    phases=("found",),
    hypotheses={"λ > 0": varies},
    proof=(
        "Cw - ρw = Xᵀ(Ku/n - ρu)/√(nρ), for CXᵀ = XᵀK/n",
        "‖Xᵀe‖² = eᵀKe <= nλ₁‖e‖², and ‖e‖ = r",
    ),
)
def eigenvectors_of_covariance(problem: Problem, before: GramPCAState | None, after: GramPCAState) -> Answer:
    X, now, W = problem.data.once(away), iterate(problem, after), after.components
    off = np.linalg.norm((X @ W.T).T @ X / problem.data.n - now.quotients[:, None] * W, axis=1)
    bound = np.sqrt(now.of.size / np.maximum(now.quotients, 1e-300)) * now.residuals
    sides, size = (("‖Cw - λw‖", off), ("√(λ₁/λ) r", bound)), now.of.size * known(problem, after)
    return Sides.each(*sides, size=size, entries=names_of(W))


@theorem(
    "captured variance + reconstruction error is the total",
    source="Sirovich and Kirby (1987)",
    hypotheses={"λ > 0": varies},
    proof=(
        "a row is rebuilt as Σ √(nλ) uᵢ w, and √(nλ) u wᵀ = uuᵀX; what is left of X is (I - Σuuᵀ)X",
        "for orthonormal u: ‖X‖² = Σ‖uᵀX‖² + ‖(I - Σuuᵀ)X‖², and ‖uᵀX‖² = nλ (Pythagoras)",
    ),
)
def all_there(problem: Problem, before: GramPCAState | None, after: GramPCAState) -> Answer:
    X, now = problem.data.once(away), iterate(problem, after)
    parts = float(now.quotients.sum()) + reconstruction_error(problem, after)
    total = float(np.vdot(X, X)) / problem.data.n
    sides = ("captured + reconstruction error", parts), ("mean of ‖x‖²", total)
    return Sides(*sides, relation="==", size=10 * (total + now.of.rounding))


STATED = tuple(replace(each, source=SOURCE) if each is uncorrelated else each for each in OF_GRAM)


@theorem(
    "the columns of X sum to 0, and so does u",
    source="Turk and Pentland (1991)",
    phases=("start", "iterate", "found"),
    proof=("the sum of the rows, less n times their mean, is 0: 1ᵀX = 0", "u' = Ku/‖Ku‖ = X(Xᵀu)/‖Ku‖, and 1ᵀX = 0"),
)
def sums_to_zero(problem: Problem, before: GramPCAState | None, after: GramPCAState) -> Answer:
    """The columns; and u in hand, which after an iteration is made of them."""
    data, K, n = problem.data, spectrum_of(problem), problem.data.n
    sums = np.append(data.once(away).sum(axis=0), K.size * after.u.sum() if after.phase != "start" else 0.0)
    # what rounding left of 1 in Ku weighs the more, the less K says of u
    of_u = 10 * n * K.size * max(1.0, K.size / max(iterate(problem, after).rho, 1e-12 * K.size))
    sizes, names = np.append(n * np.abs(data.X).max(axis=0), of_u), (*data.features, "u")
    return Sides.each(("sum", sums), ("0", 0.0), relation="==", size=sizes, entries=names)


THEOREMS = (
    *through(turning, *STATED),
    same_eigenvalues,
    of_length_one,
    eigenvectors_of_covariance,
    all_there,
    sums_to_zero,
)

ALGORITHM = Algorithm(
    gram_pca,
    title="PCA of few rows",
    point="Pictures are taken apart into a few ghostly ones, and put together from them again.",
    after=("pca",),
    leaves_open="What varies most need not be what tells the rows apart.",
    tries=(("twenty directions", "-p k=20"), ("rows of rank four", "--data cloud:n=12,d=40,rank=4")),
    asks=(
        Ask("Does the direction turn so little that it is found?", "found", "iterate"),
        Ask.number("What variance will there be along the direction?", "ρ", 0.02),
    ),
    summary="Finds components of rows with many features (eigenfaces) from the products of the rows with each other.",
    rule="K = XXᵀ\niterate  u <- K u / ‖K u‖\nfound    w = Xᵀu / √(nλ)\ndeflate  K <- (I - uuᵀ) K (I - uuᵀ)",
    needs=Needs(most_rows=MOST_ROWS, within=(1e-70, 1e70)),  # beyond, squares of products overflow or vanish
    phases=GRAM_PHASES
    | {"found": "u turns by no more than tol, or its turns are used up: the rows, summed with its entries, make w"},
    events=("found",),
    fork_after=TURNING,
    curves=(
        *gram_curves(iterate),
        Curve("reconstruction error", reconstruction_error, "mean of ‖x - what is rebuilt‖²"),
    ),
    objective={("reconstruction error", "captured share"): ()},
    theorems=THEOREMS,
    ends={
        "… component… found": all_found,
        "nothing is left: the rows lie in a space of …": nothing_left(iterate),
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    measured=("eigenvectors", "u"),
    validate=validate,
    datasets=(
        digits.with_(sample=30, sample_seed=1),
        breast_cancer.with_(sample=24, scale=True),
        cloud.with_(n=12, d=40, rank=4),
    ),
)
