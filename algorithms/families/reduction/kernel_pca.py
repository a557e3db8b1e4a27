"""Kernel PCA: PCA of features φ(x) that are never written down, by power iteration on the centred Gram matrix.

    K_ij = k(x_i, x_j),   K <- K - θ1' - 1θ' + ρ11'          θ_i the mean of row i of K, ρ of all
    iterate  u <- K u / ‖K u‖                                from a random direction, until u turns by no more than tol
    found    α = u/√(nλ),   z_i = w·φ(x_i) = Σ_j α_j K_ij    λ = u·Ku/n
    deflate  K <- (I - uuᵀ) K (I - uuᵀ)

K is now the Gram matrix of φ(x) less its mean: its rows and columns sum to 0, and it has no negative eigenvalue. Where
Ku = nλu, the component w = Σ α_i φ(x_i) has length 1 and variance λ along it, and it is an eigenvector of the
covariance C = 1/n Σ φ(x)φ(x)ᵀ with that λ. w itself cannot be written down, unless φ can; its coordinates z can, for
any place x. Where φ is known and has few coordinates, all is what PCA of φ(x) finds.

Power iteration needs only that K is symmetric and positive semi-definite, so that ρ = u·Ku/n never falls and an
eigenvalue of K/n is within r = ‖Ku/n - ρu‖ of it. A straight line through coordinates is a curve among the rows: rings
that no line parts are parted by one in the plane of the right components, if k is one for which they are.

References: Schölkopf, Smola and Müller (1998), Nonlinear component analysis as a kernel eigenvalue problem, Neural
Computation 10; Hotelling (1933), Analysis of a complex of statistical variables, J. of Educational Psychology 24 (power
iteration and deflation); Mercer (1909), Philosophical Transactions of the Royal Society A 209; Weinstein (1934) and
Kato (1949), On the upper and lower bounds of eigenvalues, J. Physical Society of Japan 4; Fan (1949), On a theorem of
Weyl concerning eigenvalues, Proc. National Academy of Sciences 35; Parlett (1998), The Symmetric Eigenvalue Problem,
chapters 4 and 10.
"""

from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Contours,
    Curve,
    Dataset,
    DoesNotApply,
    FromStart,
    Matrix,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    Words,
    kept,
    numbers,
    once,
    theorem,
    through,
)
from algorithms.data import iris, moons, rings, wine
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
from algorithms.toolbox.explicit_features import explicit_features, feature_count, unwritten
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
)
from algorithms.toolbox.kernels import (
    OF_KERNELS,
    Constant,
    Degree,
    Gamma,
    Kernel,
    KernelChoice,
    centred,
    centred_sums,
    kernel_in_use,
    kernel_of,
    kernel_setting,
    unusable,
)
from algorithms.toolbox.one_hot import one_hot
from algorithms.toolbox.panels.row_words import Says, said_of_coordinates
from algorithms.toolbox.power_iteration import aligned, angle, captured_by, deflated_matrix, first_direction
from algorithms.toolbox.subscripts import subscript

_MOST_SHOWN = 96  # rows of the matrix in the picture


class KernelPCAState(GramState, frozen=True, kw_only=True):
    """The directions among the rows: w itself cannot be written down."""


def kernel_pca(
    data: Dataset,
    state: KernelPCAState | None = None,
    *,
    kernel: KernelChoice = "polynomial",
    gamma: Gamma = "automatic",
    degree: Degree = 2,
    constant: Constant = 0.0,
    k: Annotated[int, Meta(ge=1, le=20, description="components to find, as many as there are rows at most")] = 3,
    tol: Annotated[float, Meta(ge=0, le=1, description="a turn this small, in radians, ends the iteration")] = 1e-5,
    turns: Annotated[int, Meta(ge=1, le=100_000, description="iterations for one component at most")] = 1000,
    seed: Annotated[Seed, Meta(description="of the directions to start from")] = 0,
) -> Run[KernelPCAState]:
    K = data.once(spectrum, data.once(kernel_of, kernel, gamma, degree, constant))  # K.A is K/n, centred
    if state is None:
        none = np.empty((0, data.n))
        state = KernelPCAState(eigenvectors=none, u=first_direction(none, seed))
        yield state
    left = deflated_matrix(K.A, state.eigenvectors)
    while True:
        while state.phase != "found" and state.turn > tol and state.turns < turns:
            u = aligned(left @ state.u, state.u, state.eigenvectors)
            iteration, turn = state.iteration + 1, angle(u, state.u)
            state = state.after("iterate", iteration=iteration, u=u, turn=turn, turns=state.turns + 1)
            yield state
        if state.phase != "found":
            state = state.after("found", eigenvectors=np.vstack([state.eigenvectors, state.u]))
            yield state
        number = len(state.eigenvectors)
        if number >= min(k, data.n):
            return f"{number} components found" if number > 1 else "1 component found"
        left = deflated_matrix(K.A, state.eigenvectors)
        if K.exhausted(left):
            return f"nothing is left: φ of the rows lies in a space of {number} dimension{'s' * (number > 1)}"
        u = first_direction(state.eigenvectors, seed)
        state = state.after("deflate", u=u, turn=np.inf, turns=0)
        yield state


def adapt(before: Problem, after: Problem, state: KernelPCAState, rows: Array) -> KernelPCAState | FromStart:
    """Eigenvectors of K are none of another K."""
    if after.data is not before.data:
        return FromStart("these components are sums over the rows that there were")
    if kernel_in_use(after) != kernel_in_use(before):
        return FromStart("these components are those of another kernel")
    return state


def gram(data: Dataset, kernel: Kernel) -> Array:
    """(n, n) K, not centred."""
    return kernel(data.X, data.X)


def spectrum(data: Dataset, kernel: Kernel) -> Spectrum:
    """K/n, centred, and what is known of it."""
    return Spectrum(centred(data.once(gram, kernel)), kernel.size(data.X))


def spectrum_of(problem: Problem) -> Spectrum:
    return problem.data.once(spectrum, kernel_in_use(problem))


@kept
def iterate(problem: Problem, state: KernelPCAState) -> GramIterate:
    """The components found, and the one in hand."""
    return moment(spectrum_of(problem), state)


def turning(problem: Problem, state: KernelPCAState) -> Turning:
    return turning_of(iterate(problem, state), state)


def coordinates(problem: Problem, state: KernelPCAState, at: Array) -> Array:
    """(m, d) places -> (m, c) Σ α k, centred, of each component: w·φ without φ."""
    K, kernel = problem.data.once(gram, kernel_in_use(problem)), kernel_in_use(problem)
    return centred_sums(kernel(at, problem.data.X), K, iterate(problem, state).alpha)


@once
def explicit_eigenvalues(problem: Problem) -> Array | None:
    """(m,) of PCA on φ(x), by the singular values of φ(x) less its mean; None where φ is not written down."""
    features = problem.data.once(explicit_features, kernel_in_use(problem))
    if features is None:
        return None
    values = np.zeros(max(features.shape) + 1)
    singular = np.linalg.svd(features - features.mean(axis=0), compute_uv=False)
    values[: len(singular)] = singular**2 / problem.data.n
    return values


@kept
def line(problem: Problem, state: KernelPCAState) -> Array:
    """(c + 1, K) least squares from the coordinates, and a constant, onto the classes."""
    data, z = problem.data, iterate(problem, state).coordinates
    scale = float(np.abs(z).max()) or 1.0
    fitted = np.linalg.lstsq(np.column_stack([z / scale, np.ones(data.n)]), data.once(one_hot), rcond=None)[0]
    fitted[:-1] /= scale
    return np.asarray(fitted)


def error(problem: Problem, state: KernelPCAState) -> float:
    """The share of rows that a straight line through their coordinates puts into a wrong class."""
    data, training = problem.data, problem.training
    if data.kind != "class" or data.y is None:
        return np.nan
    z = iterate(problem, state).coordinates if training is problem else coordinates(training, state, data.X)
    chosen = (np.column_stack([z, np.ones(data.n)]) @ line(training, state)).argmax(axis=1)
    return float((chosen != data.y).mean())


@once
def names_of_sums(problem: Problem) -> tuple[str, ...]:
    """Rows of K, and the eigenvector in hand."""
    return *(f"row {i}" for i in range(problem.data.n)), "u"


def written_down(problem: Problem, state: KernelPCAState) -> bool | str:
    return unwritten(kernel_in_use(problem), problem.data.n, problem.data.d) or True


def stands_apart(problem: Problem, state: KernelPCAState) -> bool | str:
    values = explicit_eigenvalues(problem)
    if values is None:
        return "φ is not written down"
    return settled_after(problem, state, values, iterate(problem, state))


def validate(problem: Problem) -> str | None:
    return unusable(kernel_in_use(problem), problem.data)


def scene(problem: Problem, before: KernelPCAState | None, after: KernelPCAState) -> Scene:
    K, now = spectrum_of(problem), iterate(problem, after)
    values, total = np.maximum(K.values, 0.0), K.total
    return Scene(
        (
            plane(problem, after, now),
            scores(problem, now),
            pictures.spectrum(now.quotients / total, values / total, K.needed),
            pictures.table(now.quotients, total, values, after.phase != "found"),
            matrix(problem.data, K),
            numbers(so_far(problem, after)),
        )
    )


def plane(problem: Problem, state: KernelPCAState, now: GramIterate) -> Panel:
    """The rows, and the lines along which the component in hand has one value."""
    data, number = problem.data, len(now.U)

    def height(at: Array) -> Array:
        return np.asarray(coordinates(problem, state, at)[:, -1])

    return Panel(
        title=f"rows, and lines of equal z{subscript(number)}",
        space="data",
        marks=(
            Contours(height=height, name=f"equal z{subscript(number)}"),
            Contours(height=height, levels=(0.0,), tone="accent", name=f"z{subscript(number)} = 0"),
            Points(at=data.X, classes=data.y if data.kind == "class" else None, says=says(now)),
        ),
        note=f"z{subscript(number)}: coordinate along w{subscript(number)}",
    )


def says(now: GramIterate) -> Says:
    """What is said of a row: its coordinates."""
    return lambda row: said_of_coordinates(now.coordinates[row])


def scores(problem: Problem, now: GramIterate) -> Panel:
    """The rows where their coordinates put them: across the one in hand, upwards the first, or else the class."""
    data, z, number = problem.data, now.coordinates, len(now.U)
    values, vectors = now.of.pairs
    reach = 1.1 * float(np.sqrt(max(values[0], 0.0) * data.n) * np.abs(vectors[0]).max()) or 1.0
    codes = data.y if data.kind == "class" else None
    upwards = z[:, 0] if number > 1 else np.zeros(data.n) if codes is None else codes
    last = max(len(data.classes) - 1, 0) if codes is not None else 0
    return Panel(
        title=f"coordinates: z{subscript(number)}, and z₁" if number > 1 else "coordinates: z₁",
        marks=(Points(at=np.column_stack([z[:, -1], upwards]), classes=codes, says=says(now)),),
        axes=(f"z{subscript(number)}", "z₁" if number > 1 else "class"),
        limits=((-reach, reach), (-reach, reach) if number > 1 else (-0.5, last + 0.5)),
    )


def matrix(data: Dataset, K: Spectrum) -> Panel:
    """K as an image, one class after the other; of many rows some."""
    order = np.argsort(data.y, kind="stable") if data.kind == "class" and data.y is not None else np.arange(data.n)
    m = min(data.n, _MOST_SHOWN)
    shown = order[np.arange(m) * data.n // m]
    values = K.A[np.ix_(shown, shown)] * data.n
    return Panel(
        title="K, centred" + ", class by class" * (data.kind == "class"),
        marks=(Matrix(values=values, signed=True),),
        note=f"{m} of {data.n} rows" if m < data.n else "",
    )


def so_far(problem: Problem, state: KernelPCAState) -> dict[str, float | str | None]:
    kernel, now = kernel_in_use(problem), iterate(problem, state)
    wrong, count = error(problem, state), feature_count(kernel, problem.data.d)
    return {
        "coordinates of φ": "∞" if count is None else count,
        "γ": kernel.gamma if kernel.name != "linear" else None,
        "numbers in K: n²": problem.data.n**2,
        "ρ": now.rho,
        "r": now.r,
        "turns": state.turns,
        "captured": f"{now.captured:.1%}",
        "wrong by a straight line": None if wrong != wrong else round(wrong * problem.data.n),
    }


def explain(problem: Problem, before: KernelPCAState | None, after: KernelPCAState) -> str:
    now = iterate(problem, after)
    if after.phase != "found":
        return on_the_way(now, after)
    return Words.of(
        f"w{subscript(len(now.U))} is found {settled(after, problem.parameters.tol)}: {now.rho:.5g} of variance "
        f"({now.share:.1%}), exactly {now.exact:.5g}.",
        " ".join(filter(None, (captured_by(len(now.U), now.captured), parted(problem, after)))),
    )


def parted(problem: Problem, state: KernelPCAState) -> str:
    """What a straight line through the coordinates found makes of the classes."""
    share, number = error(problem, state), len(state.eigenvectors)
    if share != share:
        return ""
    wrong, n = round(share * problem.data.n), problem.data.n
    which = "z₁" if number == 1 else f"z₁ to z{subscript(number)}"
    return f"Least squares on the coordinates {which} puts {wrong} of {n} rows into a wrong class."


SYMBOLS = {
    **gram_symbols(iterate),
    "K": ("the Gram matrix: the kernel of each two rows, centred; λ and ρ are those of K/n", None),
    "θ": ("the mean of a row of K before it is centred; ρ there is the mean of all", None),
    "n": ("how many rows there are", lambda problem, state: problem.data.n),
    "w": ("the component: a direction among the features that the kernel stands for", None),
    "φ": ("the features that the kernel stands for, φ(x)·φ(x') of two rows; less their mean", None),
    "α": ("u/√(nλ), what each row adds to w = Σ αᵢ φ(xᵢ)", None),
    "z": ("Kα, the rows' coordinates along w", None),
    "I": ("the identity matrix", None),
    "k": ("how many components; as an index, which one", None),
    "x": ("a row", None),
}


@theorem(
    "captured variance + reconstruction error is the total",
    source="Schölkopf, Smola and Müller (1998)",
    proof=(
        "for orthonormal u, (I - Σuuᵀ) K (I - Σuuᵀ) has the trace of K less Σ u·Ku",
        "and its trace over n is the mean of ‖φ(x) - Σ (w·φ(x)) w‖², where each u is an eigenvector",
    ),
)
def all_there(problem: Problem, before: KernelPCAState | None, after: KernelPCAState) -> Answer:
    now = iterate(problem, after)
    parts, total = float(now.quotients.sum()) + now.left, now.of.total
    sides = ("captured + reconstruction error", parts), ("total", total)
    return Sides(*sides, relation="==", size=10 * (total + now.of.rounding))


@theorem(
    "rows and columns of K sum to 0, and so does u",
    source="Schölkopf, Smola and Müller (1998)",
    phases=("start", "iterate", "found"),
    proof=(
        "Kᵢⱼ = (φ(xᵢ) - φ̄)·(φ(xⱼ) - φ̄) with φ̄ the mean, and Σⱼ φ(xⱼ) - φ̄ = 0",
        "u' = Ku/‖Ku‖ is a sum of columns of K; so the coordinates have mean 0",
    ),
)
def sums_to_zero(problem: Problem, before: KernelPCAState | None, after: KernelPCAState) -> Answer:
    """Rows of K; and u in hand, which is a sum of them after an iteration."""
    K = spectrum_of(problem)
    sums = np.append(K.row_sums, K.size * after.u.sum() if after.phase != "start" else 0.0)
    # what rounding left of 1 in Ku weighs the more, the less K says of u
    size = len(K.A) * K.size * max(1.0, K.size / max(iterate(problem, after).rho, 1e-12 * K.size))
    return Sides.each(("sum", sums), ("0", 0.0), relation="==", size=10 * size, entries=names_of_sums(problem))


@theorem(
    "K has no negative eigenvalue",
    source="Mercer (1909)",
    proof=("for every c, cᵀKc = ‖Σ cᵢ (φ(xᵢ) - φ̄)‖² >= 0, with φ̄ the mean of φ",),
)
def never_negative(problem: Problem, before: KernelPCAState | None, after: KernelPCAState) -> Answer:
    K = spectrum_of(problem)
    if not K.whole:
        return DoesNotApply("of so many rows only the greatest eigenvalues are worked out")
    return Sides(("0", 0.0), ("least λ", float(K.values[-1])), ("ρ", iterate(problem, after).rho), size=10 * K.size)


@theorem(
    "PCA on φ(x) has the same eigenvalues",
    source="Schölkopf, Smola and Müller (1998)",
    phases=("found",),
    hypotheses={"φ can be written down": written_down, "the last turn was small and λₖ stands apart": stands_apart},
    proof=(
        "for Φ, of the centred φ(xᵢ), and C = ΦᵀΦ/n: K = ΦΦᵀ, so Ku = nλu gives C(Φᵀu) = λ(Φᵀu)",
        "and back by Φ, as Φᵀu = 0 only where λ = 0; here C's come from Φ's singular values, not K",
        *settles("u"),
    ),
)
def same_as_pca(problem: Problem, before: KernelPCAState | None, after: KernelPCAState) -> Answer:
    values, now = explicit_eigenvalues(problem), iterate(problem, after)
    if values is None:
        return None
    slack, found = 1e-9 * now.of.size, len(now.U)
    return kth_eigenvalue(values, found, now.rho, after.turn, slack=slack, name=" of φ(x)", off=now.off)


THEOREMS = (
    *through(turning, *OF_GRAM),
    all_there,
    sums_to_zero,
    never_negative,
    same_as_pca,
)

ALGORITHM = Algorithm(
    kernel_pca,
    title="Kernel PCA",
    point="Straight directions among unseen features show as bent level lines among the rows.",
    after=("kernel_perceptron", "pca"),
    leaves_open="The kernel was given: another shows other directions.",
    tries=(("straight directions", "-p kernel=linear"), ("bumps: the RBF", "-p kernel=rbf")),
    asks=(
        Ask("Does the direction turn so little that it is found?", "found", "iterate"),
        Ask.number("What variance will there be along the direction?", "ρ", 0.02),
    ),
    summary="Finds the directions of most variance among features that are never written down, from the kernel alone.",
    rule="K <- K - θ1' - 1θ' + ρ11'\niterate  u <- K u / ‖K u‖\nfound    α = u/√(nλ),  z = Kα\n"
    "deflate  K <- (I - uuᵀ) K (I - uuᵀ)",
    needs=Needs(most_rows=MOST_ROWS),
    phases=GRAM_PHASES,
    events=("found",),
    fork_after=TURNING,
    curves=(*gram_curves(iterate), Curve("error", error, "rows wrong by least squares on z", held_out=True)),
    objective={("ρ", "exact λ", "captured share"): kernel_setting},
    theorems=THEOREMS,
    ends={
        "… component… found": all_found,
        "nothing is left: φ of the rows lies in a space of …": nothing_left(iterate),
    },
    symbols=SYMBOLS,
    only_for=OF_KERNELS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    measured=("eigenvectors", "u"),
    validate=validate,
    datasets=(
        rings.with_(n=120),
        iris,
        wine.with_(scale=True),
        moons.with_(n=120),
    ),
)
