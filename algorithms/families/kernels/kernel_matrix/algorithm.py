"""Is this function a kernel? Rows enter one by one, and the least eigenvalue of their Gram matrix says no, or nothing.

    k is a kernel, k(x, z) = φ(x)·φ(z) for some φ, if and only if for every finite set of rows and every v

        vᵀK v = Σ v_i v_j k(x_i, x_j) = ‖Σ v_i φ(x_i)‖² >= 0,    K_ij = k(x_i, x_j)

    enter   K gains the next row and its column;   λ_1 <= ... <= λ_m its eigenvalues, v with ‖v‖ = 1, vᵀK v = λ_1

A single set of rows with λ_1 < 0 refutes k, and v is the witness. No set of rows proves it: the next row may refute it.
A proof is another matter: features φ, or rules that make kernels of kernels.

    Cauchy     λ'_1 <= λ_1 <= λ'_2 <= ... <= λ_m <= λ'_{m+1} when a row enters: λ_1 never rises; refuted once, for ever
    Weyl       λ_1(K + L) >= λ_1(K) + λ_1(L)
    Schur      λ_1(K∘L) >= λ_1(K)            for L with no negative eigenvalue and L_ii = 1, K∘L entry by entry
    exp        λ_1(exp∘K) >= λ_1(K)          where K has no negative eigenvalue: exp u - u - 1 = u²/2 + u³/6 + ...
    f k f      λ_1(D K D) >= 0               where K has none, D diagonal: the cosine, f = 1/√k(x, x); c k, f = √c

References: Mercer (1909), Philosophical Transactions of the Royal Society A 209; Schur (1911), Bemerkungen zur Theorie
der beschränkten Bilinearformen, Journal für die reine und angewandte Mathematik 140; Cauchy (1829), Sur l'équation à
l'aide de laquelle on détermine les inégalités séculaires, Exercices de mathématiques 4; Weyl (1912), Das asymptotische
Verteilungsgesetz der Eigenwerte, Mathematische Annalen 71; Aronszajn (1950), Theory of reproducing kernels,
Transactions of the American Mathematical Society 68; Schölkopf and Smola (2002), Learning with Kernels, section 2.2.
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
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    kept,
    once,
    theorem,
)
from algorithms.core.text import counted
from algorithms.data import iris, line, prostate, rings
from algorithms.families.kernels.kernel_matrix import pictures as panels
from algorithms.families.kernels.kernel_matrix.kernel_candidates import (
    MOST_ROWS,
    Candidate,
    CandidateName,
    candidate_gram,
    candidate_of,
    eigenvalue_lost,
)
from algorithms.toolbox.explicit_features import explicit_features, feature_count
from algorithms.toolbox.kernels import Constant, Gamma, Kernel

_LARGEST = 1e40  # of features and of values of k: their products are numbers still


class KernelMatrixState(State, frozen=True, kw_only=True):
    spectrum: Array  # (m,) eigenvalues of K of the m rows there are, rising
    witness: Array  # (m,) v of length 1 with vᵀKv = λ_1, on the same rows
    refuted: int = 0  # with how many rows λ_1 came below 0; 0 while it did not


def kernel_matrix(
    data: Dataset,
    state: KernelMatrixState | None = None,
    *,
    function: Annotated[CandidateName, Meta(description="k(x, z); some are kernels, some are not")] = "power",
    gamma: Gamma = "automatic",
    degree: Annotated[int, Meta(ge=1, le=10, description="p of the polynomial")] = 2,
    constant: Constant = 1.0,
    rows: Annotated[int, Meta(ge=1, le=MOST_ROWS, description="how many rows enter at most, from the first on")] = 40,
) -> Run[KernelMatrixState]:
    k = data.once(candidate_of, function, gamma, degree, constant)
    K = data.once(candidate_gram, k, rows)
    if state is None:
        spectrum, v = eigen(K[:1, :1])
        state = KernelMatrixState(spectrum=spectrum, witness=v, refuted=int(negative(data, k, spectrum)), iteration=1)
        yield state
    while len(state.spectrum) < len(K):
        m = len(state.spectrum) + 1
        spectrum, v = eigen(K[:m, :m])
        if negative(data, k, spectrum) and not state.refuted:
            state = state.after("refute", iteration=m, spectrum=spectrum, witness=v, refuted=m)
            yield state
        else:
            state = state.after("enter", iteration=m, spectrum=spectrum, witness=v)
            yield state
    if state.refuted:
        values = ", ".join(f"{letter} = {value:.3g}" for letter, value in k.parameters.items())
        return f"{counted(state.refuted, 'row')} refuted it: {k.formula} is no kernel{values and f' with {values}'}"
    return f"{counted(len(K), 'row')} did not refute it, which proves nothing"


def eigen(K: Array) -> tuple[Array, Array]:
    """(m,) eigenvalues, rising, and the (m,) eigenvector of the least."""
    spectrum, vectors = np.linalg.eigh(K)
    return spectrum, vectors[:, 0]


def negative(data: Dataset, k: Candidate, spectrum: Array) -> bool:
    """Whether the least eigenvalue is below 0, and not by rounding."""
    return bool(spectrum[0] < -lost(data, k, len(spectrum)))


def lost(data: Dataset, k: Candidate, m: int) -> float:
    """What rounding may make of an eigenvalue of the first m rows."""
    return eigenvalue_lost(data.once(largest, k), m, data.d)


def largest(data: Dataset, k: Candidate) -> float:
    """The largest number on the way to a k(x, z)."""
    return k.size(data.X)


def adapt(before: Problem, after: Problem, state: KernelMatrixState, rows: Array) -> KernelMatrixState:
    """As many rows as there were, of those there are now, under the function that there is now."""
    data, k, K = after.data, candidate_in_use(after), gram_of(after)
    spectra = [eigen(K[:m, :m]) for m in range(1, min(len(state.spectrum), len(K)) + 1)]
    refuting = (len(spectrum) for spectrum, _ in spectra if negative(data, k, spectrum))
    spectrum, witness = spectra[-1]
    return state.replaced(spectrum=spectrum, witness=witness, refuted=next(refuting, 0))


def candidate_in_use(problem: Problem) -> Candidate:
    p = problem.parameters
    return problem.data.once(candidate_of, p.function, p.gamma, p.degree, p.constant)


def gram_of(problem: Problem) -> Array:
    """K of all rows that are to enter."""
    return problem.data.once(candidate_gram, candidate_in_use(problem), problem.parameters.rows)


def gram_now(problem: Problem, state: KernelMatrixState) -> Array:
    m = len(state.spectrum)
    return gram_of(problem)[:m, :m]


@once
def beside(problem: Problem) -> Array:
    """L, the Gram matrix of an RBF kernel on the same rows: one that is known to be a kernel, with L_ii = 1."""
    k = candidate_in_use(problem)
    return candidate_gram(problem.data, Candidate("rbf", k.gamma, 1, 0.0), problem.parameters.rows)


def lost_now(problem: Problem, state: KernelMatrixState) -> float:
    return lost(problem.data, candidate_in_use(problem), len(state.spectrum))


def least(problem: Problem, state: KernelMatrixState) -> float:
    return float(state.spectrum[0])


def rank(problem: Problem, state: KernelMatrixState) -> float:
    """How many eigenvalues are not 0 but for rounding."""
    return float((np.abs(state.spectrum) > lost_now(problem, state)).sum())


@kept
def least_of(problem: Problem, state: KernelMatrixState) -> dict[str, float]:
    """λ_1 of what the rules make of K: K + L, K∘L, exp∘K and DKD, the last two of K over its greatest entry."""
    K, m = gram_now(problem, state), len(state.spectrum)
    L, scaled = beside(problem)[:m, :m], K / (float(np.abs(K).max()) or 1.0)
    f = 1 / np.sqrt(np.maximum(np.diagonal(scaled), 1e-30))
    made = {"L": L, "sum": K + L, "product": K * L, "exp": np.exp(scaled), "cosine": f[:, None] * scaled * f}
    return {name: float(np.linalg.eigvalsh(matrix)[0]) for name, matrix in made.items()}


def not_refuted(problem: Problem, state: KernelMatrixState) -> bool | str:
    return not state.refuted or f"it is refuted, by {counted(state.refuted, 'row')}"


def known(problem: Problem, state: KernelMatrixState) -> bool | str:
    k = candidate_in_use(problem)
    return k.proof(problem.data.X[: problem.parameters.rows]) is not None or f"nothing proves {k.formula} to be one"


def explicit_kernel(problem: Problem) -> Kernel | None:
    """The same as a kernel whose φ can be written down."""
    k = candidate_in_use(problem)
    if k.name not in ("linear", "polynomial"):
        return None
    return Kernel("linear" if k.name == "linear" else "polynomial", k.gamma, k.degree, k.constant)


@once
def features(problem: Problem) -> Array | None:
    """(n, D) φ of the rows; None where it is not written down."""
    kernel = explicit_kernel(problem)
    return None if kernel is None else problem.data.once(explicit_features, kernel)


def written(problem: Problem, state: KernelMatrixState) -> bool | str:
    return features(problem) is not None or "its φ is not written down"


def refuted(problem: Problem, state: KernelMatrixState) -> bool | Sides:
    """All rows are in, and vᵀKv < 0 for the witness v, beyond rounding."""
    K, v = gram_of(problem), state.witness
    if len(v) < len(K):
        return False
    return Sides(("vᵀKv", float(v @ K @ v)), ("lost to rounding", -lost_now(problem, state) / 2), relation="<")


def not_yet(problem: Problem, state: KernelMatrixState) -> bool | Sides:
    """All rows are in, and no eigenvalue of K is below 0 beyond rounding."""
    K = gram_of(problem)
    if len(state.spectrum) < len(K):
        return False
    return Sides(("0", 0.0), ("λ_1", float(np.linalg.eigvalsh(K)[0])), slack=2 * lost_now(problem, state))


def validate(problem: Problem) -> str | None:
    data, k = problem.data, candidate_in_use(problem)
    if k.name == "cosine" and not data.X.any(axis=1).all():
        return f"row {int(data.X.any(axis=1).argmin())} of {data.name} is 0, and has no cosine with any other."
    with np.errstate(over="ignore"):
        top = k.size(data.X)
    if not top < _LARGEST:
        return f"k of {data.name} is as large as {top:.3g}, which is out of range: scale the features, or lower gamma."
    return None


def scene(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Scene:
    data, k, K = problem.data, candidate_in_use(problem), gram_of(problem)
    kernel = explicit_kernel(problem)
    return Scene(
        (
            panels.growing(K, len(after.spectrum), k.formula),
            panels.eigenvalues(after.spectrum, len(K), float(np.abs(K).sum(axis=1).max()), lost_now(problem, after)),
            panels.witness_on_rows(data, after.witness, bool(after.refuted)),
            panels.witness_table(data, after.witness, K),
            panels.facts(k, after.spectrum, after.refuted, rank(problem, after)),
            panels.cost(data.d, None if kernel is None else feature_count(kernel, data.d)),
        )
    )


def explain(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> str:
    data, k, m = problem.data, candidate_in_use(problem), len(after.spectrum)
    K, now = gram_now(problem, after), least(problem, after)
    if m == 1:
        sign = "below 0, and no ‖φ(x)‖² is" if after.refuted else "the square of a length, if k is a kernel"
        return f"Row 0 ({data.row(0)}) alone: K is one number, k(x, x) = {now:.4g} of k(x, z) = {k.formula}: {sign}."
    row = m - 1
    nearest = int(np.abs(K[row, :row]).argmax())
    values = f"k(x, x) = {K[row, row]:.3g}, and {K[row, nearest]:.3g} with row {nearest}"
    enters = f"{data.who(row)} enters: {values}."
    moves = f"stays at {now:.3g}"
    if before is None or len(before.spectrum) >= m:
        moves = f"goes to {now:.3g}"
    elif (was := f"{least(problem, before):.3g}") != f"{now:.3g}":
        moves = f"goes from {was} to {now:.3g}"
    if after.refuted == m:
        return f"{enters} λ₁ {moves} < 0: refuted, and for ever; v is the witness, vᵀKv = {now:.3g}."
    if after.refuted:
        return f"{enters} λ₁ {moves}. It never rises: refuted with {counted(after.refuted, 'row')}."
    proved = k.proof(data.X[: problem.parameters.rows])
    why = f"it is a kernel, but by proof: {proved}" if proved else "the next row may refute it"
    return f"{enters} λ₁ {moves}, not below 0 but for rounding. That proves nothing; {why}."


SYMBOLS = {
    "k, K": ("the function, and its values for the rows that entered", None),
    "λ, λ₁": ("eigenvalues of K, and the least of them", least),
    "λ'": ("those after another row", None),
    "v": ("the eigenvector of λ₁, of length 1: the witness where λ₁ < 0", None),
    "m": ("rows that entered", lambda problem, state: len(state.spectrum)),
    "γ, c, p": (
        "numbers in the formula: a factor, a constant, a power; γ here",
        lambda problem, state: candidate_in_use(problem).gamma,
    ),
    "φ, D": ("features with k = φ·φ, and how many", None),
    "L": ("an RBF kernel of the same rows, Lᵢᵢ = 1; K∘L is the product entry by entry", None),
    "x, z": ("two rows", None),
    "f": ("any function of a row, as in f(x) k(x, z) f(z)", None),
}


@theorem(
    "refuted once, refuted for ever",
    source="Cauchy (1829)",
    hypotheses={"it is refuted": lambda p, s: bool(s.refuted) or "it is not refuted so far"},
    proof=("with zeros for the rows that enter later v keeps its vᵀKv < 0, and λ₁ is not above that",),
)
def stays_refuted(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    r = after.refuted
    then = float(np.linalg.eigvalsh(gram_of(problem)[:r, :r])[0])
    slack = lost_now(problem, after)
    return Sides(("λ₁", least(problem, after)), (f"λ₁ of {counted(r, 'row')}", then), ("0", 0.0), slack=slack)


@theorem(
    "a row that enters puts λ between λ': λ'ᵢ <= λᵢ <= λ'ᵢ₊₁",
    source="Cauchy (1829)",
    about="step",
    phases=("enter", "refute"),
    proof=(
        "λᵢ is the least, over i-dimensional spaces, of the greatest vᵀKv: more rows, more spaces",
        "and λᵢ <= λ'ᵢ₊₁ in the same way, of -K",
    ),
)
def interlaced(problem: Problem, before: KernelMatrixState, after: KernelMatrixState) -> Answer:
    was, now = before.spectrum, after.spectrum
    if len(now) != len(was) + 1:
        return None
    slack = lost_now(problem, after)  # of a whole matrix
    which = [f"i = {i + 1}" for i in range(len(was))]  # the least is λ₁
    return Sides.each(("λ'ᵢ", now[:-1]), ("λᵢ", was), ("λ'ᵢ₊₁", now[1:]), slack=slack, entries=which)


@theorem(
    "Σ λ = Σ k(x, x)",
    source="Schölkopf and Smola (2002)",
    proof=("the trace of K is the sum of its eigenvalues",),
)
def traced(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    trace = float(np.trace(gram_now(problem, after)))
    slack = lost_now(problem, after) * len(after.spectrum)
    return Sides(("Σ λ", float(after.spectrum.sum())), ("Σ k(x, x)", trace), relation="==", slack=slack)


@theorem(
    "v shows it: vᵀKv = λ₁",
    source="Mercer (1909)",
    proof=("Kv = λ₁ v and v·v = 1",),
)
def witnessed(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    v = after.witness
    value = float(v @ gram_now(problem, after) @ v) / float(v @ v)
    slack = lost_now(problem, after)
    return Sides(("vᵀKv", value), ("λ₁", least(problem, after)), relation="==", slack=slack)


@theorem(
    "what is a kernel by proof has no λ₁ < 0",
    source="Mercer (1909)",
    hypotheses={"k is known to be a kernel": known},
    proof=("vᵀKv = Σ vᵢ vⱼ φ(xᵢ)·φ(xⱼ) = ‖Σ vᵢ φ(xᵢ)‖² >= 0",),
)
def not_negative(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    return Sides(("0", 0.0), ("λ₁", least(problem, after)), slack=lost_now(problem, after))


@theorem(
    "k = φ·φ for the row that entered",
    source="Schölkopf and Smola (2002), proposition 2.1",
    hypotheses={"φ is written down": written},
    proof=(
        "(x·z)^p multiplied out, where √c is one more feature, has all products of p factors;",
        "let a₀, a₁, ... say how often each feature is in one: it comes p!/(a₀! a₁! ...) times",
    ),
)
def products_of_features(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    phi, m = features(problem), len(after.spectrum)
    assert phi is not None
    size, new = problem.data.once(largest, candidate_in_use(problem)), gram_of(problem)[m - 1, :m]
    sides = ("k(x, xᵢ)", new), ("φ(x)·φ(xᵢ)", phi[:m] @ phi[m - 1])
    return Sides.each(*sides, relation="==", size=size, axes=("row",))


@theorem(
    "rank of K <= D, the number of features",
    source="Schölkopf and Smola (2002)",
    hypotheses={"φ is written down": written},
    proof=(
        "let Φ have the rows φ(x), of D columns: K = ΦΦᵀ",
        "of m different rows an RBF kernel has rank m: it has no finite φ",
    ),
)
def rank_bound(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    phi = features(problem)
    assert phi is not None
    return Sides(("rank of K", rank(problem, after)), ("features D", phi.shape[1]))


@theorem(
    "sums: λ₁(K + L) >= λ₁(K) + λ₁(L)",
    source="Weyl (1912)",
    proof=("vᵀ(K + L)v = vᵀKv + vᵀLv >= λ₁(K) + λ₁(L) for each v of length 1",),
)
def by_sum(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    values = least_of(problem, after)
    slack = lost_now(problem, after) + eigenvalue_lost(1.0, len(after.spectrum), problem.data.d)
    return Sides(("λ₁(K) + λ₁(L)", least(problem, after) + values["L"]), ("λ₁(K + L)", values["sum"]), slack=slack)


@theorem(
    "products: λ₁(K∘L) >= λ₁(K), as Lᵢᵢ = 1",
    source="Schur (1911)",
    proof=(
        "let I be the identity; let μ and q be eigenvalues and eigenvectors of K - λ₁ I: μ >= 0",
        "(K - λ₁ I)∘L = Σ μ diag(q) L diag(q) has none below 0; it is K∘L - λ₁ I, as Lᵢᵢ = 1",
    ),
)
def by_product(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    slack = 2 * lost_now(problem, after)  # of K and of K∘L
    return Sides(("λ₁(K)", least(problem, after)), ("λ₁(K∘L)", least_of(problem, after)["product"]), slack=slack)


@theorem(
    "exp of a kernel: λ₁(exp∘K) >= λ₁(K), K over its greatest entry",
    source="Aronszajn (1950)",
    hypotheses={"K has no negative eigenvalue": not_refuted},
    proof=("for any t, exp t = 1 + t + t²/2 + ...: products and sums of kernels; all but t only add",),
)
def by_exp(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    top = float(np.abs(gram_now(problem, after)).max()) or 1.0
    slack = 4 * lost_now(problem, after) / top + eigenvalue_lost(4.0, len(after.spectrum), 1)  # of K and of exp∘K
    left, right = least(problem, after) / top, least_of(problem, after)["exp"]
    return Sides(("λ₁(K)/max K", left), ("λ₁(exp∘(K/max K))", right), slack=slack)


@theorem(
    "f k f: cosines have λ₁ >= λ₁(K)/max k(x, x) where K has none below 0",
    source="Aronszajn (1950)",
    hypotheses={"K has no negative eigenvalue": not_refuted},
    proof=("vᵀDKDv >= λ₁(K)‖Dv‖² and Dᵢᵢ = 1/√k(xᵢ, xᵢ)", "with f = √c the same is c k, for c > 0"),
)
def by_scaling(problem: Problem, before: KernelMatrixState | None, after: KernelMatrixState) -> Answer:
    K = gram_now(problem, after)
    shortest = float(np.diagonal(K).min())
    if shortest <= 1e-9 * float(np.abs(K).max()):
        return None  # of a row that is next to 0 no cosine is known
    slack = lost_now(problem, after) / shortest
    bound = max(least(problem, after), 0.0) / float(np.diagonal(K).max())
    return Sides(("λ₁(K)/max k(x, x)", bound), ("λ₁ of cosines", least_of(problem, after)["cosine"]), slack=slack)


THEOREMS = (
    stays_refuted,
    interlaced,
    traced,
    witnessed,
    not_negative,
    products_of_features,
    rank_bound,
    by_sum,
    by_product,
    by_exp,
    by_scaling,
)

ALGORITHM = Algorithm(
    kernel_matrix,
    title="Kernel or not",
    point="Rows enter one by one; a negative eigenvalue shows that a function is no kernel.",
    after=("kernel_perceptron",),
    also=("gram matrix",),
    leaves_open="Rows can refute a kernel; only a proof can show one.",
    tries=(("the RBF", "-p function=rbf"), ("minus the distance", "-p function=distance")),
    asks=(
        Ask("Is the next row the one that refutes it?", "refute", "refuted == 0"),
        Ask.number("What will the least eigenvalue be?", '"least eigenvalue"', 0.1),
    ),
    summary="Lets rows enter a Gram matrix one by one: a negative eigenvalue refutes that a function is a kernel.",
    rule="K gains a row and column;   vᵀKv = λ₁, least eigenvalue\nλ₁ < 0: no kernel;   λ₁ >= 0: nothing is proved",
    needs=Needs(target="none", rows=1, within=(1 / _LARGEST, _LARGEST)),
    phases={
        "start": "the first row alone",
        "enter": "another row",
        "refute": "another row, and λ₁ < 0 for the first time: no kernel",
    },
    events=("refute",),
    fork_after=("start", "enter"),  # under another function the same row need not refute
    curves=(
        Curve("least eigenvalue", least, "λ₁"),
        Curve("λ₁ above 0", lambda p, s: max(least(p, s), 0.0), "λ₁", chart="size of λ₁", log=True, tone=1),
        Curve("λ₁ below 0", lambda p, s: max(-least(p, s), 0.0), "-λ₁", chart="size of λ₁", log=True, tone=0),
        Curve("rank", rank, "λ that are not 0"),
        Curve("greatest eigenvalue", lambda problem, state: float(state.spectrum[-1]), "λₘ"),
    ),
    objective={},
    theorems=THEOREMS,
    ends={
        "… refuted it: …": refuted,
        "… did not refute it, which proves nothing": not_yet,
    },
    symbols=SYMBOLS,
    measured=("spectrum", "refuted"),
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        rings.with_(n=30),
        prostate.with_(scale=True, sample=30),
        iris.with_(sample=24),
        line.with_(n=12),
    ),
)
