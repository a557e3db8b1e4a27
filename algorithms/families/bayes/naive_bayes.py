"""Naive Bayes: count how often each feature comes in each class, and take features for independent given the class.

    π_c = n_c / m,   p_cj = (ones of feature j in class c + s) / (n_c + 2s),   a row taken in adds to both
    log P(c, x) = ln π_c + Σ_j [ x_j ln p_cj + (1 - x_j) ln (1 - p_cj) ],   class of x: the greatest

Rows are 0 and 1, or each feature is asked whether it is above a threshold (Bernoulli). With s = 0 the p_cj make the
rows likeliest; with s = 1, Laplace's, the rows and one of ones and one of zeros added to each class. With s = 0 what
was never seen in a class has probability 0 there, and a row with something new to every class has it in all of them.

The decision is linear: ln P(1 | x) / P(0 | x) = w·x + b, w_j = ln p_1j (1 - p_0j) / (p_0j (1 - p_1j)) and
b = Σ_j ln (1 - p_1j)/(1 - p_0j) + ln π_1/π_0, the share of the classes once.
A model for numbers has a Gaussian for each feature, N(μ_cj, σ²_cj), from Σx and Σx²: linear too where classes share the
variances, w_j = (μ_1j - μ_0j)/σ_j²; with variances of their own it is quadratic. ε of a feature's variance is added.

References: Laplace (1774), Mémoire sur la probabilité des causes par les événements; Maron (1961), Automatic indexing:
an experimental inquiry, J. of the ACM 8; Minsky (1961), Steps toward artificial intelligence, Proc. IRE 49; Domingos
and Pazzani (1997), On the optimality of the simple Bayesian classifier, Machine Learning 29.
"""

from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

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
    once,
    theorem,
)
from algorithms.data import badges, digits, emails, penguins
from algorithms.families.bayes.shared.binary import Threshold, above, above_thresholds, are_binary, thresholds
from algorithms.families.bayes.shared.class_moments import class_sums, least_of, spread, sums_of_all
from algorithms.families.bayes.shared.generative import (
    Bernoulli,
    Gaussians,
    Linear,
    impossible,
    likeliest_of,
    names_of_classes,
    posterior,
)
from algorithms.families.bayes.shared.generative_pictures import (
    chances,
    evidence,
    in_words,
    posterior_stage,
    shares_of_features,
)
from algorithms.toolbox.ends import all_rows
from algorithms.toolbox.one_hot import one_hot, wrong_rows
from algorithms.toolbox.orders import batch_rows, epoch_order, used_in_epoch
from algorithms.toolbox.panels.confusion import confusion
from algorithms.toolbox.sizes import columns_out_of_range

_LARGEST = 1e60  # of a feature that has a variance
_MOST_CELLS = 12  # features of which every row that there can be is gone through

Model = Literal["bernoulli", "gaussian", "gaussian, shared variances"]
Order = Literal["cyclic", "shuffled"]


class NaiveBayesState(State, frozen=True, kw_only=True):
    counts: Array  # (K,) n_c, rows of each class that were counted
    sums: Array  # (K, d) Σ x over them: of 0 and 1 how many have a feature; of numbers about the mean of all rows
    squares: Array  # (K, d) Σ x²
    used: int = 0  # rows counted


def naive_bayes(
    data: Dataset,
    state: NaiveBayesState | None = None,
    *,
    model: Annotated[Model, Meta(description="features of 0 and 1, or numbers from a Gaussian each")] = "bernoulli",
    smoothing: Annotated[float, Meta(ge=0, le=1000, description="s, added to the ones and to the zeros")] = 1.0,
    threshold: Annotated[
        Threshold, Meta(description="a feature is 1 above the middle of its range, or mean")
    ] = "middle",
    floor: Annotated[float, Meta(ge=1e-12, le=1, description="ε, the share of its variance added to each")] = 1e-9,
    batch: Annotated[int, Meta(ge=1, le=1_000_000, description="rows counted a step")] = 1,
    order: Annotated[Order, Meta(description="rows in turn, or shuffled")] = "shuffled",
    seed: Annotated[Seed, Meta(description="of the shuffled order")] = 0,
) -> Run[NaiveBayesState]:
    (X, centre), y, K = features(data, model, threshold), np.asarray(data.y), len(data.classes)
    if state is None:
        state = NaiveBayesState(counts=np.zeros(K), sums=(none := np.zeros((K, data.d))), squares=none)
        yield state
    while state.used < data.n:
        used = min(state.used + batch, data.n)
        rows = batch_rows(data.n, order, seed, 1, state.used, used)
        whole = used - state.used == data.n and model != "bernoulli"  # the features' variances are of all rows too
        x, x2 = data.once(sums_of_all)[1:] if whole else class_sums(X[rows], y[rows], K, centre)
        counts = state.counts + np.bincount(y[rows], minlength=K)
        sums, squares = state.sums + x, state.squares + x2
        state = state.after("count", iteration=used, counts=counts, sums=sums, squares=squares, used=used)
        yield state
    return f"all {data.n:,} rows are counted"


def features(data: Dataset, model: Model, threshold: Threshold) -> tuple[Array, Array | float]:
    """(n, d) the rows, and what is taken off as they are counted: 0 and 1 as they are, numbers about their mean."""
    return (data.once(above_thresholds, threshold), 0.0) if model == "bernoulli" else (data.X, data.once(spread)[0])


def adapt(before: Problem, after: Problem, state: NaiveBayesState, rows: Array) -> NaiveBayesState:
    """The rows are counted anew, as many as are still there of those that were."""
    used = used_in_epoch(before, 1, state.used, rows)
    again = {name: getattr(after.parameters, name) for name in ("model", "threshold", "order", "seed")}
    fresh = next(run := naive_bayes(after.data, batch=1, **again))
    while fresh.used < used:
        fresh = next(run)
    return state.replaced(counts=fresh.counts, sums=fresh.sums, squares=fresh.squares, used=used)


def taken(problem: Problem, state: NaiveBayesState) -> Array:
    """(m,) the rows counted so far."""
    p = problem.parameters
    return epoch_order(problem.data.n, p.order, p.seed, 1)[: state.used]


def at_places(problem: Problem, X: Array) -> Array:
    """(m, d) places -> what is counted of them: 0 and 1, or about the mean of the training rows."""
    data, p = problem.training.data, problem.parameters
    return above(X, data.once(thresholds, p.threshold)) if p.model == "bernoulli" else X - data.once(spread)[0]


@once
def rows_of(problem: Problem) -> Array:
    return at_places(problem, problem.data.X)


@once
def as_they_come(problem: Problem) -> bool:
    """Whether the rows are 0 and 1 as they are counted."""
    return problem.parameters.model == "bernoulli" and np.array_equal(rows_of(problem), problem.data.X)


def features_at(problem: Problem, of: Bernoulli | Gaussians) -> Callable[[Array], Array]:
    """What the model sees of places: between rows of 0 and 1 the same x ln p + (1 - x) ln(1 - p), which is linear."""
    if isinstance(of, Bernoulli) and as_they_come(problem) and bool(((of.p > 0) & (of.p < 1)).all()):
        return lambda at: at
    return lambda at: at_places(problem, at)


@kept
def estimates(problem: Problem, state: NaiveBayesState) -> Bernoulli | Gaussians:
    """The model that a state has come to."""
    p, held, share = problem.parameters, np.maximum(state.counts, 1)[:, None], state.counts / max(state.used, 1)
    if p.model == "bernoulli":
        size = state.counts[:, None] + 2 * p.smoothing
        return Bernoulli(share, np.where(size > 0, (state.sums + p.smoothing) / np.where(size > 0, size, 1), 0.5))
    means = state.sums / held
    variances = np.maximum(state.squares / held - means**2, 0)
    if p.model != "gaussian":
        variances = np.repeat((share @ variances)[None], len(share), axis=0)
    return Gaussians(share, means, variances + problem.training.data.once(least_of, p.floor))


@kept
def recounted(problem: Problem, state: NaiveBayesState) -> tuple[Array, Array, Array]:
    """(K,), (K, d), (K, d) counts, sums and squares of the rows counted, by going through them again."""
    rows = taken(problem, state)
    X, Y = rows_of(problem)[rows], problem.data.once(one_hot)[rows]
    return Y.sum(axis=0), Y.T @ X, Y.T @ X**2


@kept
def refitted(problem: Problem, state: NaiveBayesState) -> Bernoulli | Gaussians:
    """The model of the rows counted, from the rows themselves, class by class."""
    p, rows, K = problem.parameters, taken(problem, state), len(state.counts)
    X, y = rows_of(problem)[rows], np.asarray(problem.data.y)[rows]
    if p.model == "bernoulli":
        return Bernoulli.of_rows(X, y, K, p.smoothing)
    of = Gaussians.of_rows(X, y, K, shared=p.model != "gaussian", diagonal=True)
    return replace(of, covariances=of.covariances + problem.training.data.once(least_of, p.floor))


@kept
def scores(problem: Problem, state: NaiveBayesState) -> Array:
    """(K, n) log P(c, x) of all rows."""
    return estimates(problem, state).scores(rows_of(problem))


@kept
def wrong(problem: Problem, state: NaiveBayesState) -> Array:
    """(n,) bool: rows whose own class is not the one likeliest."""
    return wrong_rows(scores(problem, state).T, np.asarray(problem.data.y))


def ruled_out(problem: Problem, state: NaiveBayesState) -> Array:
    """(n,) bool: rows to which every class gives probability 0."""
    return impossible(scores(problem, state))


def error(problem: Problem, state: NaiveBayesState) -> float:
    return float(wrong(problem, state).mean()) if state.used else np.nan


def ruled_out_rows(problem: Problem, state: NaiveBayesState) -> float:
    return float(ruled_out(problem, state).sum()) if state.used else np.nan


def log_loss(problem: Problem, state: NaiveBayesState) -> float:
    """-ln P(y | x), of a row on average; NaN where that is infinite."""
    own = posterior(scores(problem, state))[problem.data.y, np.arange(problem.data.n)]
    return -float(np.log(own).mean()) + 0.0 if state.used and own.min() > 0 else np.nan


def binary(problem: Problem, state: NaiveBayesState) -> bool | str:
    return problem.parameters.model == "bernoulli" or "the features are numbers with a density"


def linear(problem: Problem, state: NaiveBayesState) -> bool | str:
    """The hypotheses that log odds are linear, and numbers."""
    if problem.parameters.model == "gaussian":
        return "classes have variances of their own: the log odds are quadratic"
    of = estimates(problem, state)
    if isinstance(of, Bernoulli) and not np.all((of.p > 0) & (of.p < 1)):
        return "a chance is 0 or 1, and its logarithm no number"
    return bool(state.counts.all()) or "of some class no row is counted yet"


def added(of: Bernoulli | Gaussians, X: Array, squares: Array, m: int) -> float:
    """How large the numbers are that are summed on the way to the log odds, and what is lost of the variances."""
    if isinstance(of, Bernoulli):
        return float(np.abs(np.log(of.p)).sum() + np.abs(np.log1p(-of.p)).sum())
    variances = of.covariances[0]
    lost = 1 + float((squares.sum(axis=0) / m / variances).max())
    return lost * float((np.abs(X).max(axis=0) ** 2 + np.abs(of.means).max(axis=0) ** 2) @ (1 / variances) + 1)


def unsmoothed(problem: Problem, state: NaiveBayesState) -> bool | str:
    return not (s := problem.parameters.smoothing) or f"s = {s:g}, so that no chance is 0"


def few_features(problem: Problem, state: NaiveBayesState) -> bool | str:
    return problem.data.d <= _MOST_CELLS or f"2^{problem.data.d} rows are too many to go through"


def validate(problem: Problem) -> str | None:
    return None if problem.parameters.model == "bernoulli" else columns_out_of_range(problem.data, _LARGEST)


def row_in_hand(problem: Problem, state: NaiveBayesState) -> int:
    """The row counted last, -1 before the first."""
    return int(taken(problem, state)[-1]) if state.used else -1


def linear_of(problem: Problem, state: NaiveBayesState) -> Linear | None:
    """W, b of the log probabilities, None where they are not linear or no numbers."""
    return estimates(problem, state).linear() if linear(problem, state) is True else None


def scene(problem: Problem, before: NaiveBayesState | None, after: NaiveBayesState) -> Scene:
    data, of, row = problem.data, estimates(problem, after), row_in_hand(problem, after)
    sizes, in_hand = np.where(np.isin(np.arange(data.n), taken(problem, after)), 0.6, 0.1), np.arange(data.n) == row
    crossed = wrong(problem, after) & (after.used > 0)
    rows = Points(at=data.X, classes=data.y, weights=sizes, ringed=in_hand, crossed=crossed)
    stage = posterior_stage(data, rows, of, features_at(problem, of), after.used > 0)
    own = int(np.asarray(data.y)[row])
    said = evidence(data, rows_of(problem)[row], own, of) if row >= 0 else ()
    predicted = scores(problem, after).argmax(axis=0)
    table = chances(data, of, linear_of(problem, after), data.X.mean(axis=0), own)
    counted = shares_of_features(data, of, problem.parameters.smoothing)
    return Scene((*counted, stage, *table, *said, so_far(problem, after), confusion(data, predicted)))


def so_far(problem: Problem, state: NaiveBayesState) -> Panel:
    data, K, aside = problem.data, len(state.counts), problem.held_out
    a_class = 1 if problem.parameters.model == "bernoulli" else 2
    facts: dict[str, float | None] = {"rows counted": state.used, "numbers estimated": K - 1 + a_class * K * data.d}
    facts |= {"wrong rows": round(error(problem, state) * data.n) if state.used else None}
    facts |= {"rows with P = 0": ruled_out_rows(problem, state)}
    if aside is not None:
        facts |= {"of those held out": ruled_out_rows(aside, state)}
    shares = zip(data.classes[:3], state.counts / max(state.used, 1))
    return numbers(facts | {f"share of {name}": share for name, share in shares})


def explain(problem: Problem, before: NaiveBayesState | None, after: NaiveBayesState) -> str:
    data, row, p = problem.data, row_in_hand(problem, after), problem.parameters
    if row < 0:
        what = "0 and 1 as they come" if data.once(are_binary) else f"1 above the {p.threshold} of each"
        kind = what if p.model == "bernoulli" else "numbers from a Gaussian each"
        return f"Nothing is counted yet. Features are {kind}; {data.n} rows are to be counted."
    own = int(np.asarray(data.y)[row])
    counted = f"Counted: {after.used}, {after.counts[own]:.0f} of them {data.classes[own]}."
    if before is None or after.used != before.used + 1:
        return f"{counted} Wrong rows: {int(wrong(problem, after).sum())} of {data.n}."
    row_is = f"Row {row} ({in_words(data, row)}) is {data.classes[own]}"
    said = f"{row_is}; {judged(problem, before, row, own)} {counted} {most_moved(problem, before, after, own)}"
    return Words.of(said, came_out(problem, after)) if after.used == data.n else said


def came_out(problem: Problem, state: NaiveBayesState) -> str:
    """What the counts of all rows say of them, and of rows that were not counted."""
    aside, n = problem.held_out, problem.data.n
    seen = f"With all rows counted {int(wrong(problem, state).sum())} of {n} are wrong"
    if aside is None:
        return f"{seen}."
    return f"{seen}, and {int(wrong(aside, state).sum())} of {aside.data.n} held out."


def judged(problem: Problem, before: NaiveBayesState, row: int, own: int) -> str:
    """What the counts before it said of a row."""
    if not before.used:
        return "it is the first."
    if ruled_out(problem, before)[row]:
        return "by the counts before it, every class gave it probability 0."
    chance = posterior(scores(problem, before)[:, [row]])[own, 0]
    tie = chance == 1 / len(problem.data.classes)
    judgement = "a tie" if tie else "wrong" if wrong(problem, before)[row] else "right"
    return f"by the counts before it, {problem.data.classes[own]} had P = {chance:.3g}, {judgement}."


def most_moved(problem: Problem, before: NaiveBayesState, after: NaiveBayesState, own: int) -> str:
    """The estimate that a row moved most."""
    was, now = estimates(problem, before), estimates(problem, after)
    name, value = problem.data.classes[own], "" if problem.data.once(are_binary) else " = 1"
    if isinstance(was, Bernoulli) and isinstance(now, Bernoulli):
        j = int(np.abs(now.p[own] - was.p[own]).argmax())
        return f"P({problem.data.features[j]}{value} | {name}) goes from {was.p[own, j]:.3g} to {now.p[own, j]:.3g}."
    assert isinstance(was, Gaussians)
    assert isinstance(now, Gaussians)
    means = problem.data.original(np.stack([was.means[own], now.means[own]]) + problem.data.X.mean(axis=0))[:, 0]
    return f"The mean of {problem.data.features[0]} in {name} goes from {means[0]:.4g} to {means[1]:.4g}."


BERNOULLI = {"features are 0 and 1": binary}


@theorem(
    "p = (ones + s)/(n_c + 2s): the likeliest for s = 0, else the MAP",
    source="Maron (1961); with s = 1 Laplace (1774)",
    hypotheses=BERNOULLI,
    proof=(
        "Σ (ones + s) ln p + (zeros + s) ln(1 - p) is ln L and ln of a Beta(s + 1, s + 1) prior",
        "it is concave in every p",
        "its slope (ones + s)/p - (zeros + s)/(1 - p) is 0 at p = (ones + s)/(n_c + 2s)",
        "beside it stands the same sum with every p moved a tenth of the way to ½",
    ),
)
def likeliest(problem: Problem, before: NaiveBayesState | None, after: NaiveBayesState) -> Answer:
    if not after.used:
        return None
    counts, sums, _ = recounted(problem, after)
    s, p, best = problem.parameters.smoothing, estimates(problem, after), refitted(problem, after)
    assert isinstance(p, Bernoulli)
    assert isinstance(best, Bernoulli)
    ones, zeros = sums + s, counts[:, None] - sums + s
    nearer = Bernoulli(best.share, 0.9 * best.p + 0.05)
    moved, mine, now = (each.log_likelihood(ones, zeros) for each in (nearer, best, p))
    of = "ln L" if not s else "ln L + ln prior"
    return likeliest_of((of, now), mine, ("the same, p 10% nearer ½", moved), float((ones + zeros).sum()))


@theorem(
    "log odds = w·x + b: the decision is linear",
    source="Minsky (1961)",
    phases=("count",),
    hypotheses={"log odds are linear, and numbers": linear},
    proof=(
        "P(x) cancels: ln P(c|x)/P(0|x) = ln P(c, x)/P(0, x), a sum over the features",
        "x ln p + (1 - x) ln(1 - p) = x ln p/(1 - p) + ln(1 - p): linear in x, the rest goes to b",
        "with densities of one variance x² cancels: ((x - μ_0)² - (x - μ_c)²)/2σ² is linear in x",
        "ln π_c/π_0 comes once; w and b are worked out of the rows counted, gone through again",
    ),
)
def log_odds(problem: Problem, before: NaiveBayesState | None, after: NaiveBayesState) -> Answer:
    again = refitted(problem, after)
    (W, b), X, of = again.linear(), rows_of(problem), scores(problem, after)
    formula = X @ (W[1:] - W[0]).T + (b[1:] - b[0])
    size = added(again, X, recounted(problem, after)[2], after.used)
    sides = ("ln P(c|x)/P(0|x)", (of[1:] - of[0]).T), ("w·x + b", formula)
    return Sides.each(*sides, relation="==", size=size, axes=("row", names_of_classes(problem)[1:]))


@theorem(
    "s = 0: P(x) = 0 where x is new to every class",
    source="Laplace (1774), whose rule mends it",
    hypotheses=BERNOULLI | {"nothing is added to the counts": unsmoothed},
    proof=(
        "P(x | c) is a product, and 0 where one factor is: where no row of c has the value x_j",
        "of features of 0 and 1 with s > 0 each factor is s/(n_c + 2s) at least",
    ),
)
def never_seen(problem: Problem, before: NaiveBayesState | None, after: NaiveBayesState) -> Answer:
    if not after.used:
        return None
    aside = problem.held_out
    every = [problem] if aside is None else [problem, aside]
    counts, sums, _ = recounted(problem, after)
    X = np.concatenate([rows_of(one) for one in every])
    new = (sums == 0) @ X.T + (sums == counts[:, None]) @ (1 - X).T
    zero = sum(int(ruled_out(one, after).sum()) for one in every)
    new_to_all = (new > 0).all(axis=0).sum()
    return Sides(("rows with P = 0", zero), ("rows with something new to all", new_to_all), relation="==")


@theorem(
    "P(c, x) sums to one over all rows there can be",
    source="Maron (1961)",
    hypotheses=BERNOULLI | {"there are few enough": few_features},
    proof=("Σ_x Π_j P(x_j | c) = Π_j (p_cj + 1 - p_cj) = 1 for each class, and Σ_c π_c = 1",),
)
def sums_to_one(problem: Problem, before: NaiveBayesState | None, after: NaiveBayesState) -> Answer:
    if not after.used:
        return None
    every = np.arange(2**problem.data.d)[:, None] >> np.arange(problem.data.d) & 1
    total = float(np.exp(estimates(problem, after).scores(every.astype(float))).sum())
    return Sides(("Σ P(c, x) over all x and c", total), ("1", 1.0), relation="==")


@theorem(
    "counts and sums are those of the rows counted, and so are μ, σ²",
    source="Maron (1961)",
    proof=("each row is counted once, in its own class", "σ² + μ² = Σx²/n_c, x about the mean of all; ε is added"),
)
def of_the_rows(problem: Problem, before: NaiveBayesState | None, after: NaiveBayesState) -> Answer:
    X, of, again = np.abs(rows_of(problem)[taken(problem, after)]), estimates(problem, after), refitted(problem, after)
    size = np.concatenate([[len(X)], X.sum(axis=0), (X**2).sum(axis=0)])
    mine, theirs = [after.counts, after.sums, after.squares], [*recounted(problem, after)]
    measured = ["Σx", "Σx²"]
    if isinstance(of, Gaussians) and isinstance(again, Gaussians):
        measured += ["mean", "variance"]
        mine, theirs = [*mine, of.means, of.covariances], [*theirs, again.means, again.covariances]
        size = np.concatenate([size, X.max(axis=0, initial=0.0), of.covariances.max(axis=0) + (X**2).sum(axis=0)])
    sides = ("kept so far", np.column_stack(mine)), ("of the rows counted", np.column_stack(theirs))
    numbers_held = ["n_c", *(f"{what} of {feature}" for what in measured for feature in problem.data.features)]
    return Sides.each(*sides, relation="==", size=size, axes=(names_of_classes(problem), numbers_held))


THEOREMS = (likeliest, log_odds, never_seen, sums_to_one, of_the_rows)

ALGORITHM = Algorithm(
    naive_bayes,
    title="Naive Bayes",
    point="Counting is all the learning: a few chances a class, multiplied as if independent.",
    leaves_open="Features that go together are counted as if each were news.",
    tries=(("no count lent", "-p smoothing=0"), ("bells for penguins", "--data penguins -p model=gaussian")),
    asks=(
        Ask.way("A row more is counted: what does the training error do?", '"training error"'),
        Ask.way("A row more is counted: what does the log loss on rows held out do?", '"held-out log loss"'),
    ),
    summary="Counts how often each feature comes in each class, and multiplies the chances as if independent.",
    rule="π_c = n_c/m,   p_cj = (ones + s)/(n_c + 2s)\nP(c, x) = π_c Π_j p_cj^x_j (1 - p_cj)^(1 - x_j)",
    needs=Needs(target="class"),
    phases={"start": "nothing is counted", "count": "rows are counted, each in its class"},
    curves=(
        Curve("error", error, "share wrong or tied", held_out=True),
        Curve("rows with P = 0", ruled_out_rows, "no class could have made them", held_out=True),
        Curve("log loss", log_loss, "mean of -ln P(y | x)", held_out=True),
    ),
    objective={},
    theorems=THEOREMS,
    ends={"all … rows are counted": all_rows(lambda state: state.counts.sum())},
    symbols={
        "x, y, c": ("a row, its class, and any class", None),
        "K, d, m": ("classes; features; rows counted", lambda problem, state: state.used),
        "n_c, π": ("rows of a class; their share of those counted", None),
        "p": ("the chance of a 1, by class and feature", None),
        "s": ("what is added to ones and to zeros", lambda problem, state: problem.parameters.smoothing),
        "μ, σ²": ("of numbers: means and variances by class", None),
        "ε": ("the share of a feature's variance that is added to σ²", lambda problem, state: problem.parameters.floor),
        "w, b": ("(d,) and a number: log odds of class c against class 0 are w·x + b", None),
        "L": ("how likely the features of the rows counted are, given their classes", None),
        "prior": ("Beta(s + 1, s + 1) for every p, up to its constant", None),
        "P": ("the chance of what is in the brackets", None),
    },
    measured=("counts", "sums", "squares"),
    only_for={"smoothing": ("model", "bernoulli"), "threshold": ("model", "bernoulli")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        emails.with_(seed=7, hold_out=0.3),
        badges.with_(map="letters:2"),
        digits.with_(sample=150),
        penguins.with_(scale=True, sample=120, hold_out=0.25),
    ),
)
