"""Gaussian discriminant analysis: a Gaussian a class, and Bayes' rule says which is likeliest.

    P(c, x) = π_c N(x; μ_c, Σ_c),   π_c = n_c/m,   μ_c = mean of class c,   S_c = Σ (x - μ_c)(x - μ_c)'
    shared     Σ = Σ_c S_c / m          one for all classes (linear discriminant analysis)
    own        Σ_c = S_c / n_c          one a class (quadratic)
    diagonal   the diagonal of that     features independent given the class (Gaussian naive Bayes)

Rows are taken in one at a time (Welford) or a class at a time. These are the likeliest values; those that divide by
n_c - 1, or where Σ is shared by m less one for each class met so far, are unbiased.

With one Σ the quadratic terms cancel, and ln P(1 | x)/P(0 | x) = w·x + b is linear,

    w = Σ⁻¹(μ_1 - μ_0),   b = ½(μ_0ᵀΣ⁻¹μ_0 - μ_1ᵀΣ⁻¹μ_1) + ln π_1/π_0,

the form of logistic regression, with other numbers. With a Σ a class it is quadratic, and the boundary a conic. No
class is masked: at its own mean its log odds are ½D² + ln π_c/π_k, D the distance of both means in units of Σ.

Where a covariance is narrower than `floor` of the features' variances in some direction, it is raised to that.

References: Fisher (1936), The use of multiple measurements in taxonomic problems, Annals of Eugenics 7; Welch (1939),
Note on discriminant functions, Biometrika 31; Smith (1947), Some examples of discrimination, Annals of Eugenics 13;
Welford (1962), Note on a method for calculating corrected sums of squares and products, Technometrics 4; Anderson
(1958), An Introduction to Multivariate Statistical Analysis; Hastie, Tibshirani and Friedman (2009), The Elements of
Statistical Learning, section 4.3.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

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
    Panel,
    Points,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Words,
    kept,
    numbers,
    theorem,
)
from algorithms.data import collinear, davis, iris, wine
from algorithms.families.bayes.shared.class_moments import Moments, least_covariance, moments_of, taken_in
from algorithms.families.bayes.shared.generative import Gaussians, likeliest_of, names_of_classes, posterior
from algorithms.families.bayes.shared.generative_pictures import chances, posterior_stage
from algorithms.toolbox.covariances import clipped
from algorithms.toolbox.ends import all_rows
from algorithms.toolbox.one_hot import wrong_rows
from algorithms.toolbox.orders import epoch_order, used_after
from algorithms.toolbox.panels.clusters import who
from algorithms.toolbox.panels.confusion import confusion
from algorithms.toolbox.panels.scores import along_main_direction
from algorithms.toolbox.sizes import columns_out_of_range

_LARGEST = 1e60  # of a feature that has a variance
_MOST_NUMBERS = 1 << 20  # of the scatter of all classes, in every state

Covariance = Literal["shared", "own", "diagonal"]
Every = Literal["row", "class"]
Order = Literal["cyclic", "shuffled"]


class DiscriminantState(State, frozen=True, kw_only=True):
    counts: Array  # (K,) n_c, rows of each class so far
    means: Array  # (K, d) μ
    scatter: Array  # (K, d, d) S
    used: int = 0  # rows taken in
    by_hand: bool = False  # whether a mean was dragged, and so is that of no rows

    @property
    def moments(self) -> Moments:
        return Moments(self.counts, self.means, self.scatter)


def gaussian_discriminant(
    data: Dataset,
    state: DiscriminantState | None = None,
    *,
    covariance: Annotated[Covariance, Meta(description="one Σ for all classes, one each, or each diagonal")] = "shared",
    divide: Annotated[Literal["n", "n - 1"], Meta(description="the likeliest Σ, or the unbiased one")] = "n",
    floor: Annotated[float, Meta(ge=1e-12, le=1, description="least variance, as a share of the feature's")] = 1e-6,
    every: Annotated[Every, Meta(description="a state a row, or a state a class")] = "row",
    order: Annotated[Order, Meta(description="rows in turn, or shuffled")] = "shuffled",
    seed: Annotated[Seed, Meta(description="of the shuffled order")] = 0,
) -> Run[DiscriminantState]:
    if state is None:
        none = Moments.of_none(len(data.classes), data.d)
        state = DiscriminantState(counts=none.counts, means=none.means, scatter=none.scatter)
        yield state
    while state.used < data.n:
        rows = next_rows(data, every, order, seed, state.used)
        now = taken_in(data, state.moments, rows)
        used = state.used + len(rows)
        moments = {"counts": now.counts, "means": now.means, "scatter": now.scatter}
        state = state.after("take in", iteration=used, used=used, **moments)
        yield state
    return f"all {data.n:,} rows are taken in"


def visited(data: Dataset, every: Every, order: Order, seed: int) -> Array:
    """(n,) the rows in the order they are taken in; of a state a class, class by class."""
    rows = epoch_order(data.n, order, seed, 1)
    classes = np.asarray(data.y)[rows].astype(np.min_scalar_type(len(data.classes)))  # few bytes: a radix sort
    return rows if every == "row" else rows[np.argsort(classes, kind="stable")]


def next_rows(data: Dataset, every: Every, order: Order, seed: int, used: int) -> Array:
    """The rows taken in next: one, or those left of the class in turn."""
    left = data.once(visited, every, order, seed)[used:]
    if every == "row":
        return left[:1]
    classes = np.asarray(data.y)[left]
    return left[: np.count_nonzero(classes == classes[0])]


def adapt(before: Problem, after: Problem, state: DiscriminantState, rows: Array) -> DiscriminantState:
    """The rows are taken in anew, as many as are still there of those that were."""
    if after.data is before.data:
        return state
    p, data = before.parameters, after.data
    used = used_after(rows, before.data.once(visited, p.every, p.order, p.seed), state.used)
    now, done = Moments.of_none(len(data.classes), data.d), 0
    while done < used:
        some = next_rows(data, p.every, p.order, p.seed, done)[: used - done]
        now, done = taken_in(data, now, some), done + len(some)
    return state.replaced(counts=now.counts, means=now.means, scatter=now.scatter, used=used, by_hand=False)


def taken(problem: Problem, state: DiscriminantState) -> Array:
    """(m,) the rows taken in so far."""
    p = problem.parameters
    return problem.data.once(visited, p.every, p.order, p.seed)[: state.used]


@kept
def estimates(problem: Problem, state: DiscriminantState) -> tuple[Gaussians, int]:
    """The Gaussians that a state has come to, and in how many directions one was raised to the floor."""
    p, of, less = problem.parameters, state.moments, problem.parameters.divide != "n"
    m, K, met = of.counts.sum(), len(of.counts), np.count_nonzero(of.counts)
    if p.covariance == "shared":  # a class without rows has no mean fitted to them: nothing is taken off for it
        covariances = np.repeat(of.scatter.sum(axis=0, keepdims=True) / max(m - met * less, 1), K, axis=0)
    else:
        covariances = of.scatter / np.maximum(of.counts - less, 1)[:, None, None]
    if p.covariance == "diagonal":
        covariances = np.diagonal(covariances, axis1=1, axis2=2)
    raised, narrow = clipped(covariances, problem.training.data.once(least_covariance, p.floor))
    return Gaussians(of.counts / max(m, 1), of.means, raised), int(narrow[of.counts > 0].sum())


def gaussians(problem: Problem, state: DiscriminantState) -> Gaussians:
    """The Gaussians that a state has come to."""
    return estimates(problem, state)[0]


@kept
def recounted(problem: Problem, state: DiscriminantState) -> Moments:
    """The moments of the rows taken in, by going through them again."""
    rows = taken(problem, state)
    return moments_of(problem.data.X[rows], np.asarray(problem.data.y)[rows], len(state.counts))


@kept
def refitted(problem: Problem, state: DiscriminantState) -> Gaussians:
    """The Gaussians of the rows taken in, by what each is off its class's mean."""
    p, rows, kind = problem.parameters, taken(problem, state), problem.parameters.covariance
    X, y = problem.data.X[rows], np.asarray(problem.data.y)[rows]
    of = Gaussians.of_rows(X, y, len(state.counts), kind == "shared", kind == "diagonal", int(p.divide != "n"))
    raised, _ = clipped(of.covariances, problem.training.data.once(least_covariance, p.floor))
    return Gaussians(of.share, of.means, raised)


@kept
def scores(problem: Problem, state: DiscriminantState) -> Array:
    """(K, n) ln P(c, x) of all rows."""
    return gaussians(problem, state).scores(problem.data.X)


@kept
def wrong(problem: Problem, state: DiscriminantState) -> Array:
    """(n,) bool: rows whose own class is not the one likeliest."""
    return wrong_rows(scores(problem, state).T, np.asarray(problem.data.y))


def error(problem: Problem, state: DiscriminantState) -> float:
    return float(wrong(problem, state).mean()) if state.used else np.nan


def log_loss(problem: Problem, state: DiscriminantState) -> float:
    """-ln P(y | x) of a row on average; NaN where that is infinite."""
    own = posterior(scores(problem, state))[problem.data.y, np.arange(problem.data.n)]
    return -float(np.log(own).mean()) + 0.0 if state.used and own.min() > 0 else np.nan


def one_for_all(problem: Problem, state: DiscriminantState) -> bool | str:
    return problem.parameters.covariance == "shared" or "classes have covariances of their own"


def of_its_own(problem: Problem, state: DiscriminantState) -> bool | str:
    return problem.parameters.covariance != "shared" or "the classes share one covariance: the log odds are linear"


def all_met(problem: Problem, state: DiscriminantState) -> bool | str:
    return bool(state.counts.all()) or "of some class there is no row yet"


def not_by_hand(problem: Problem, state: DiscriminantState) -> bool | str:
    return not state.by_hand or "a mean was moved by hand"


def wide(problem: Problem, state: DiscriminantState) -> bool | str:
    narrow = estimates(problem, state)[1]
    return not narrow or f"rows are too few or too alike: Σ was raised to the floor in directions, {narrow} in all"


def likeliest_divisor(problem: Problem, state: DiscriminantState) -> bool | str:
    return problem.parameters.divide == "n" or "it is divided by n - 1: unbiased, not likeliest"


class Held(Sequence[str]):
    """What the numbers are called that are held of a class: n, μ and S, too many to be written down for each state."""

    def __init__(self, features: tuple[str, ...]):
        self._features = features

    def __len__(self) -> int:
        d = len(self._features)
        return 1 + d + d * d

    def __getitem__(self, place: Any) -> Any:
        d = len(self._features)
        if place == 0:
            return "n"
        if place <= d:
            return f"μ of {self._features[place - 1]}"
        one, other = divmod(place - 1 - d, d)
        return f"S of {self._features[one]} and {self._features[other]}"


def validate(problem: Problem) -> str | None:
    data = problem.data
    if (numbers_held := len(data.classes) * data.d**2) > _MOST_NUMBERS:
        return f"the covariances of {data.name} would have {numbers_held:,} numbers, too many: choose some columns."
    return columns_out_of_range(data, _LARGEST)


def scene(problem: Problem, before: DiscriminantState | None, after: DiscriminantState) -> Scene:
    data, of = problem.data, gaussians(problem, after)
    last = next_rows_of(problem, before) if before is not None else taken(problem, after)[-1:]
    rows = Points(
        at=data.X,
        classes=data.y,
        weights=np.where(np.isin(np.arange(data.n), taken(problem, after)), 0.6, 0.1),
        ringed=np.isin(np.arange(data.n), last) & (len(last) == 1),
        crossed=wrong(problem, after) & (after.used > 0),
    )
    stage = posterior_stage(data, rows, of, lambda at: at, after.used > 0, moved_mean)
    along = along_main_direction(data, lambda at: of.scores(at).T, lambda at: posterior(of.scores(at)).T)
    straight = of.linear() if problem.parameters.covariance == "shared" and after.counts.all() else None
    table = chances(data, of, straight, np.zeros(data.d), int(np.asarray(data.y)[last[-1]]) if len(last) else 0)
    predicted = scores(problem, after).argmax(axis=0)
    pictures = along if bool(after.counts.all()) else ()
    return Scene((stage, *pictures[:1], *table, so_far(problem, after), confusion(data, predicted)))


def next_rows_of(problem: Problem, before: DiscriminantState) -> Array:
    """The rows that the step after `before` took in."""
    p = problem.parameters
    return next_rows(problem.data, p.every, p.order, p.seed, before.used)


def moved_mean(state: DiscriminantState, c: int, to: Array) -> DiscriminantState:
    """The state with the mean of one class somewhere else."""
    means = state.means.copy()
    means[c] = to
    return state.replaced(means=means, by_hand=True)


def so_far(problem: Problem, state: DiscriminantState) -> Panel:
    data, K, d = problem.data, len(state.counts), problem.data.d
    a_covariance = d if problem.parameters.covariance == "diagonal" else d * (d + 1) // 2
    covariances = 1 if problem.parameters.covariance == "shared" else K
    facts: dict[str, float | None] = {"rows taken in": state.used}
    facts |= {"numbers estimated": K - 1 + K * d + covariances * a_covariance}
    facts |= {"wrong rows": int(wrong(problem, state).sum()) if state.used else None}
    facts |= {"directions raised to the floor": estimates(problem, state)[1]}
    return numbers(
        facts | {f"share of {name}": n / max(state.used, 1) for name, n in zip(data.classes[:4], state.counts)}
    )


def explain(problem: Problem, before: DiscriminantState | None, after: DiscriminantState) -> str:
    data, kind = problem.data, problem.parameters.covariance
    if not after.used:
        each = {"shared": "one covariance for all", "own": "a covariance each", "diagonal": "variances each"}[kind]
        return f"Nothing is known yet of the {len(data.classes)} classes, which are to have a mean each and {each}."
    judged = f"Wrong rows: {int(wrong(problem, after).sum())} of {data.n}."
    if before is None:
        return f"Rows taken in: {after.used}.{' A mean was moved by hand.' if after.by_hand else ''} {judged}"
    c = int(np.asarray(data.y)[(last := next_rows_of(problem, before))[0]])
    name, n = data.classes[c], after.counts[c]
    if len(last) > 1:
        return f"All {len(last)} rows of {name} are taken in: mean {in_units(data, after.means[c])}. {judged}"
    row_is = f"Row {last[0]} ({who(data, int(last[0]))}) is {name}"
    if not before.counts[c]:
        return f"{row_is}, the first: it is the mean, and says nothing yet of how wide the class is. {judged}"
    chance = posterior(gaussians(problem, before).scores(data.X[last]))[c, 0]
    was = f"by the rows before it, that had P = {chance:.3g}, {'wrong' if wrong(problem, before)[last[0]] else 'right'}"
    moves = f"The mean moves by 1/{n:.0f} of the way to it: {in_units(data, after.means[c])}."
    if after.used < data.n:
        return f"{row_is}; {was}. {moves} {judged}"
    bound = {"shared": "one covariance for all: flat boundaries", "own": "a covariance each: curved boundaries"}
    shape = bound.get(kind, "variances each: curved boundaries")
    return Words.of(f"{row_is}; {was}. {moves}", f"{judged[:-1]}, with {shape}.")


def in_units(data: Dataset, at: Array) -> str:
    """A place in the units the data came in: its first two features."""
    values = data.original(at)[:2]
    return ", ".join(f"{name} {value:.4g}" for name, value in zip(data.features, values))


SHARED = {"all classes share one covariance": one_for_all}
MET = {"every class has rows": all_met, "no mean was moved by hand": not_by_hand}


@theorem(
    "π, μ and Σ are the likeliest",
    source="Anderson (1958)",
    phases=("take in",),
    hypotheses={
        "a row is taken in": lambda problem, state: state.used > 0,
        "Σ is divided by n": likeliest_divisor,
        "no mean was moved by hand": not_by_hand,
        "no variance of Σ was raised to the floor": wide,
    },
    proof=(
        "ln L = Σ n_c [ln π_c - ½ ln |Σ_c| - ½ tr Σ_c⁻¹(S_c/n_c + δδᵀ)] + ..., δ = mean of c - μ_c",
        "δ = 0 is best, and π_c = n_c/m by Gibbs' inequality",
        "for T = S_c/n_c and the eigenvalues v of Σ⁻¹T: ln |Σ| + tr Σ⁻¹T = ln |T| + Σ(v - ln v),",
        "least where all v are 1, Σ = T; for one Σ, T is the mean of these, Σ S_c/m",
    ),
)
def likeliest(problem: Problem, before: DiscriminantState | None, after: DiscriminantState) -> Answer:
    again, rows = refitted(problem, after), taken(problem, after)
    wider = Gaussians(again.share, again.means, 1.1 * again.covariances)
    X, y = problem.data.X[rows], np.asarray(problem.data.y)[rows]
    moved, mine, now = (of.log_likelihood(X, y) for of in (wider, again, gaussians(problem, after)))
    size = len(y) * problem.data.d + abs(now) + again.largest(X)
    return likeliest_of(("ln L", now), mine, ("ln L with 1.1 Σ for Σ", moved), size)


@theorem(
    "log odds = w·x + b: the decision is linear",
    source="Fisher (1936); Welch (1939)",
    phases=("take in",),
    hypotheses=SHARED | MET,
    proof=(
        "P(x), |Σ| and (2π)^d cancel; left is half the difference of the squares (x-μ)ᵀΣ⁻¹(x-μ)",
        "xᵀΣ⁻¹x is in both: w = Σ⁻¹(μ_c - μ_0), b = ½(μ_0ᵀΣ⁻¹μ_0 - μ_cᵀΣ⁻¹μ_c) + ln π_c/π_0",
        "μ, Σ and π of w and b are those of the rows taken in, gone through again",
    ),
)
def log_odds(problem: Problem, before: DiscriminantState | None, after: DiscriminantState) -> Answer:
    X, again, of = problem.data.X, refitted(problem, after), scores(problem, after)
    W, b = again.linear()
    formula, odds = X @ (W[1:] - W[0]).T + (b[1:] - b[0]), (of[1:] - of[0]).T
    axes = "row", names_of_classes(problem)[1:]
    return Sides.each(("ln P(c|x)/P(0|x)", odds), ("w·x + b", formula), relation="==", size=again.largest(X), axes=axes)


@theorem(
    "Σ of its own: log odds = xᵀAx + w·x + b",
    source="Smith (1947)",
    phases=("take in",),
    hypotheses={"classes have covariances of their own": of_its_own} | MET,
    proof=(
        "as with one Σ, but xᵀΣ⁻¹x no longer cancels: A = ½(Σ_0⁻¹ - Σ_c⁻¹)",
        "w = Σ_c⁻¹μ_c - Σ_0⁻¹μ_0, and b has ½ ln |Σ_0|/|Σ_c| too; where it is 0 is a conic",
    ),
)
def quadratic(problem: Problem, before: DiscriminantState | None, after: DiscriminantState) -> Answer:
    X, again, of = problem.data.X, refitted(problem, after), scores(problem, after)
    A, W, b = again.quadratic()
    forms = np.einsum("ij,kjl,il->ik", X, A, X) + X @ W.T + b
    formula, odds = forms[:, 1:] - forms[:, :1], (of[1:] - of[0]).T
    axes = "row", names_of_classes(problem)[1:]
    return Sides.each(
        ("ln P(c|x)/P(0|x)", odds), ("xᵀAx + w·x + b", formula), relation="==", size=again.largest(X), axes=axes
    )


@theorem(
    "no masking: at μ_c, ln P(c)/P(k) = ½D² + ln π_c/π_k",
    source="Hastie, Tibshirani and Friedman (2009), section 4.3",
    phases=("take in",),
    hypotheses=SHARED | MET,
    proof=(
        "at x = μ_c the first square is 0 and the second D² = (μ_c - μ_k)ᵀΣ⁻¹(μ_c - μ_k)",
        "so classes with as many rows, no mean in common, each win at their own: none is masked",
    ),
)
def at_its_mean(problem: Problem, before: DiscriminantState | None, after: DiscriminantState) -> Answer:
    of, again = gaussians(problem, after), refitted(problem, after)
    at_means, pairs = of.scores(again.means), ~np.eye(len(after.counts), dtype=bool)
    (W, _), away = again.linear(), again.means[:, None] - again.means[None]
    odds, share = at_means.diagonal()[:, None] - at_means.T, np.log(again.share)
    formula = np.vecdot(away, W[:, None] - W[None]) / 2 + share[:, None] - share
    names = ("ln P(c)/P(k) at μ_c", odds[pairs]), ("½D² + ln π_c/π_k", formula[pairs])
    classes = problem.data.classes
    of_pairs = [f"c {classes[c]}, k {classes[k]}" for c, k in np.argwhere(pairs).tolist()]
    return Sides.each(*names, relation="==", size=again.largest(problem.data.X), entries=of_pairs)


@theorem(
    "n, μ and S are those of the rows taken in",
    source="Welford (1962); many rows at once: Chan, Golub and LeVeque (1983)",
    hypotheses={"no mean was moved by hand": not_by_hand},
    proof=(
        "n'μ' = nμ + x, so μ' = μ + (x - μ)/n'",
        "Σ(x - μ')(x - μ')ᵀ = S + n(μ - μ')(μ - μ')ᵀ + (x - μ')(x - μ')ᵀ = S + (x - μ)(x - μ')ᵀ",
    ),
)
def of_the_rows(problem: Problem, before: DiscriminantState | None, after: DiscriminantState) -> Answer:
    again, X = recounted(problem, after), problem.data.X
    K, far = len(after.counts), np.abs(X).max(axis=0)
    mine = np.column_stack([after.counts, after.means, after.scatter.reshape(K, -1)])
    theirs = np.column_stack([again.counts, again.means, again.scatter.reshape(K, -1)])
    size = np.concatenate([[after.used], far * after.used, np.outer(far, far).ravel() * after.used])
    sides, axes = (
        (("kept so far", mine), ("of the rows", theirs)),
        (names_of_classes(problem), Held(problem.data.features)),
    )
    return Sides.each(*sides, relation="==", size=size, axes=axes)


THEOREMS = (likeliest, log_odds, quadratic, at_its_mean, of_the_rows)

PETALS = ("petal_length_cm", "petal_width_cm")

ALGORITHM = Algorithm(
    gaussian_discriminant,
    title="Gaussian discriminant analysis",
    point="Each class gets its bell; the border runs where two of them are equally likely.",
    also=("lda", "qda", "gda"),
    leaves_open="The borders are the best if each class is a bell, and else not.",
    tries=(("a shape for each class", "-p covariance=own"), ("no correlations", "-p covariance=diagonal")),
    asks=(
        Ask.way("A row more is taken in: what does the training error do?", '"training error"'),
        Ask.way("A row more is taken in: what does the training log loss do?", '"training log loss"'),
    ),
    summary="Fits a Gaussian to each class, and takes the class whose share and density make a row likeliest.",
    rule="π_c = n_c/m,   μ_c = mean,   Σ = Σ_c S_c/m or Σ_c = S_c/n_c\nclass of x: the greatest π_c N(x; μ_c, Σ_c)",
    needs=Needs(target="class"),
    phases={"start": "no row is taken in", "take in": "means and scatter with rows more"},
    start_only=("every", "order", "seed"),
    curves=(
        Curve("error", error, "share wrong or tied", held_out=True),
        Curve("log loss", log_loss, "mean of -ln P(y | x)", held_out=True),
    ),
    objective={},
    theorems=THEOREMS,
    ends={
        "all … rows are taken in": all_rows(lambda state: state.counts.sum()),
    },
    symbols={
        "x, c, k": ("a row; classes", None),
        "π, μ, Σ": ("of the classes: shares of the rows taken in, means and covariances", None),
        "S, n": ("scatter Σ(x - μ)(x - μ)ᵀ of a class, and its rows", None),
        "m, d, K": ("rows taken in; features; classes", lambda problem, state: state.used),
        "w, b": ("log odds of class c against class 0 are w·x + b", None),
        "A": ("½(Σ_0⁻¹ - Σ_c⁻¹)", None),
        "D": ("distance of two means in units of Σ", None),
        "L": ("how likely the rows taken in are, with their classes", None),
        "N(x; μ, Σ)": ("the normal density of mean μ and covariance Σ at x", None),
        "P": ("the chance of a class at x", None),
    },
    measured=("counts", "means", "scatter"),
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        iris.with_(columns=PETALS),
        davis.with_(sample=100, hold_out=0.25),
        collinear.with_(n=60),
        wine.with_(scale=True, sample=90, hold_out=0.25),
    ),
)
