"""AdaBoost with decision stumps: each round asks for the stump that does best on the rows the others got wrong.

    find      h <- the stump with the least weighted error   ε = Σ_i D_i [h(x_i) != y_i]
    weigh     z = Σ_i D_i y_i h(x_i) = 1 - 2 ε,   α <- ½ ln((1 + z) / (1 - z)),   f <- f + α h
    reweight  D_i <- D_i exp(-α y_i h(x_i)) / Z,   Z = √(1 - z²)

y is +1 or -1, D starts uniform, and the sign of f classifies: f(x) = 0, a tied vote, is an error whatever y is.
A stump is better than a coin toss by its edge γ = ½ - ε = z/2. Unravelled, D_i = exp(-y_i f(x_i)) / (n ΠZ), so

    training error  <=  (1/n) Σ_i exp(-y_i f(x_i))  =  Π_t Z_t  <=  exp(-2 Σ_t γ_t²),

and since one wrong row is an error of 1/n, none is left once 2 Σγ² >= ln(2n). Of the margins y f(x) / Σα, a share of
e^(θ Σα) ΠZ at most is θ or less. α is where Z is least, dZ/dα = -Σ D y h exp(-α y h) = 0: with the fresh weights the
stump is right on half the weight, a coin toss, so the next one has to be another.

Of equally good stumps (within 1e-12 of the weight) the first feature's is taken, and of those the lowest
threshold's; thresholds lie midway between neighbouring values. With `criterion="gini"` the stump is the
split with the purest sides, each saying what most of its weight is: a tree of depth one, and the
algorithm is scikit-learn's AdaBoostClassifier (its weights are 2α). A stump that is never wrong would weigh
infinitely much: it gets α = 1, and ends the run. So does a stump no better than a coin toss.

References: Freund and Schapire (1997), A decision-theoretic generalization of on-line learning and an application to
boosting, Journal of Computer and System Sciences 55(1); Schapire, Freund, Bartlett and Lee (1998), Boosting the
margin, Annals of Statistics 26(5); Schapire and Singer (1999), Improved boosting algorithms using confidence-rated
predictions, Machine Learning 37(3) (z and Z).
"""

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    Event,
    Expectation,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
    kept,
    once,
)
from algorithms.data import breast_cancer, iris, moons, penguins, rings, wine
from algorithms.families.boosting.adaboost import pictures
from algorithms.toolbox.panels.margins import margin_bars
from algorithms.toolbox.panels.stumps import in_words, stump_table
from algorithms.toolbox.stumps import TIE, Criterion, Stump, Votes, best_stump, cost, least_costs, sorted_features

CHANCE = 1e-12  # an edge that rounding can make of none
TIED = 1e-12  # of Σα: a vote that rounding can make of a tie
NEAR = 0.1  # the margin θ of the theorem about margins
COSTS = {"error": "ε", "gini": "Gini index"}  # what a stump is chosen by
_ROUNDS_SHOWN = 8  # by whose stumps the two features are chosen that the vote is seen on


class AdaBoostState(State, frozen=True, kw_only=True):
    weights: Annotated[Array, Along("n")]  # D, which sum to one
    votes: Annotated[Array, Along("n")]  # f(x_i)
    features: Array  # (t,) int64, of the stumps so far; the last is the current one
    thresholds: Array  # (t,)
    below: Array  # (t,) +1 or -1, what a stump says up to its threshold
    above: Array  # (t,) and beyond it
    errors: Array  # (t,) ε, each under the weights of its round; NaN where that was on other rows
    alphas: Array  # (t,) weights in the vote; one fewer while the current stump is not weighed


def adaboost(
    data: Dataset,
    state: AdaBoostState | None = None,
    *,
    rounds: Annotated[int, Meta(ge=1, le=10_000, description="stumps in the vote, at most")] = 150,
    criterion: Annotated[
        Criterion, Meta(description="the best stump: least weighted error, or purest sides as in scikit-learn")
    ] = "error",
) -> Run[AdaBoostState]:
    X, y, features = data.X, data.signs, data.once(sorted_features)
    if state is None:
        state = uniform(data.n)
        yield state
    while len(state.alphas) < rounds or state.phase == "weigh":
        if state.phase in ("start", "reweight"):
            stump = best_stump(X, features, y, state.weights, criterion)
            error = weighted_error(state.weights, y, stump(X))
            state = state.after("find", iteration=state.iteration + 1, **with_stump(state, stump, error))
            yield state
        says, error = stumps(state).stump(-1)(X), float(state.errors[-1])
        if state.phase == "find":
            if error >= 0.5 - CHANCE:
                return "no stump is better than a coin toss: z = 0, and its vote would weigh nothing"
            alpha = vote_weight(error)
            state = state.after("weigh", alphas=np.append(state.alphas, alpha), votes=state.votes + alpha * says)
            yield state
        if error == 0:
            return "a stump is right on every row: z = 1, and no row is left to learn from"
        state = state.after("reweight", weights=reweighted(state.weights, y * says, float(state.alphas[-1])))
        yield state
    return f"{rounds:,} round{'s' * (rounds > 1)}"


def uniform(n: int) -> AdaBoostState:
    """Rows that weigh alike, and no stump yet."""
    nothing = np.zeros(0)
    return AdaBoostState(
        weights=np.full(n, 1.0 / n),
        votes=np.zeros(n),
        features=np.zeros(0, np.int64),
        thresholds=nothing,
        below=nothing,
        above=nothing,
        errors=nothing,
        alphas=nothing,
    )


def with_stump(state: AdaBoostState, stump: Stump, error: float) -> dict[str, Array]:
    """The stumps so far and another one."""
    return {
        "features": np.append(state.features, stump.feature),
        "thresholds": np.append(state.thresholds, stump.threshold),
        "below": np.append(state.below, stump.below),
        "above": np.append(state.above, stump.above),
        "errors": np.append(state.errors, error),
    }


def stumps(state: AdaBoostState) -> Votes:
    """The stumps so far, which vote once they are weighed; the last is the current one."""
    return Votes(state.features, state.thresholds, state.below, state.above, state.alphas)


def weighted_error(weights: Array, y: Array, says: Array) -> float:
    """ε, the weight of the rows that the stump gets wrong."""
    return float(weights[says != y].sum())


def vote_weight(error: float) -> float:
    """α = ½ ln((1 + z) / (1 - z)) with z = 1 - 2 ε; 1 for a stump without error."""
    return 0.5 * float(np.log((1.0 - error) / error)) if error > 0 else 1.0


def reweighted(weights: Array, right: Array, alpha: float) -> Array:
    """D exp(-α y h), normalised; `right` is y h: +1 on the rows that the stump gets right, -1 on the others."""
    fresh = weights * np.exp(-alpha * right)
    return np.asarray(fresh / fresh.sum())


def adapt(before: Problem, after: Problem, state: AdaBoostState, rows: Array) -> AdaBoostState:
    """The stumps vote on the rows there are now, and these weigh e^(-y f), normalised, as if they always had."""
    if after.data is before.data:
        return state
    votes = stumps(state)(after.data.X)
    elsewhere = np.full(len(state.errors), np.nan)
    return state.replaced(votes=votes, weights=exponential(after.data.signs * votes), errors=elsewhere)


def exponential(margins: Array) -> Array:
    """(n,) e^(-y f), normalised, of y f."""
    losses = np.exp(margins.min() - margins)
    return np.asarray(losses / losses.sum())


@kept
def voted(problem: Problem, state: AdaBoostState) -> Array:
    """(n,) f(x) = Σ α h(x), from the stumps."""
    return stumps(state)(problem.data.X)


@kept
def margins(problem: Problem, state: AdaBoostState) -> Array:
    """(n,) y f(x) / Σα in [-1, 1], 0 for a vote that is tied but for rounding."""
    return normalised(problem.data.signs * state.votes, state)


def normalised(votes: Array, state: AdaBoostState) -> Array:
    """Votes in units of Σα, with ties at 0."""
    if not len(state.alphas):
        return np.zeros(len(votes))
    shares = votes / state.alphas.sum()
    return np.where(np.abs(shares) <= TIED, 0.0, shares)


def error(problem: Problem, state: AdaBoostState) -> float:
    return float((normalised(problem.data.signs * voted(problem, state), state) <= 0).mean())


def errors_of_voters(state: AdaBoostState) -> Array:
    """ε of the stumps that have been weighed."""
    return state.errors[: len(state.alphas)]


def log_product(state: AdaBoostState) -> float:
    """ln Π Z_t, Z = √(1 - z²) = 2 √(ε (1 - ε)); minus infinity after a stump that is never wrong."""
    errors = errors_of_voters(state)
    if (errors == 0).any():
        return -np.inf
    return float(np.log(4.0 * errors * (1.0 - errors)).sum() / 2.0)


def product_of_z(problem: Problem, state: AdaBoostState) -> float:
    return float(np.exp(log_product(state)))


def twice_squared_edges(problem: Problem, state: AdaBoostState) -> float:
    """2 Σ γ²; no error can be left when it has come to ln(2n)."""
    return 2.0 * float(np.square(0.5 - errors_of_voters(state)).sum())


def edge_bound(problem: Problem, state: AdaBoostState) -> float:
    return float(np.exp(-twice_squared_edges(problem, state)))


def enough_edges(problem: Problem, state: AdaBoostState) -> float:
    return float(np.log(2 * problem.data.n))


def finite(problem: Problem, state: AdaBoostState) -> bool | DoesNotApply:
    errors = errors_of_voters(state)
    return not (errors == 0).any() or DoesNotApply("α is infinite for a stump that is never wrong, and 1 was taken")


def finite_or_alone(problem: Problem, state: AdaBoostState) -> bool | DoesNotApply:
    return len(state.alphas) == 1 or finite(problem, state)


def enough(problem: Problem, state: AdaBoostState) -> bool | str:
    edges, needed = twice_squared_edges(problem, state), enough_edges(problem, state)
    return edges >= needed or f"2Σγ² is {edges:.3g} of ln(2n) = {needed:.3g}"


def error_falls(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    return Sides(
        ("error", float((margins(problem, after) <= 0).mean())),
        ("Π Z", product_of_z(problem, after)),
        ("exp(-2Σγ²)", edge_bound(problem, after)),
    )


def loss_is_product(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    loss = float(np.exp(-problem.data.signs * after.votes).mean())
    return Sides(("mean e^(-y f)", loss), ("Π Z", product_of_z(problem, after)), relation="==")


def no_error_left(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    return Sides(("wrong rows", float((margins(problem, after) <= 0).sum())), ("0", 0.0), relation="==")


def few_small_margins(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    small = float((margins(problem, after) <= NEAR).mean())
    # in one exponent: e^(θ Σα) alone overflows after some thousand rounds, while ΠZ vanishes
    bound = float(np.exp(NEAR * after.alphas.sum() + log_product(after)))
    return Sides(("share", small), (f"e^({NEAR:g} Σα) Π Z", bound))


def best_of_every_feature(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    data, criterion, stump = problem.data, problem.parameters.criterion, stumps(after).stump(-1)
    least = least_costs(data.once(sorted_features), data.signs, after.weights, criterion)
    name, mine = COSTS[criterion], cost(stump, data.X, data.signs, after.weights, criterion)
    # stumps that differ by less are taken for equally good
    return Sides.each((f"{name} of the stump", mine), ("the best of feature", least), size=1.0, slack=TIE)


def vote_of_stumps(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    size = float(after.alphas.sum())
    return Sides.each(("f", after.votes), ("Σ α h", voted(problem, after)), relation="==", size=size)


def weights_of_votes(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    margins = problem.data.signs * after.votes
    sides = [("D", after.weights), ("e^(-y f)/Σ e^(-y f)", exponential(margins))]
    if not problem.forked:
        from_z = np.exp(-margins - log_product(after)) / problem.data.n
        sides.append(("e^(-y f)/(n ΠZ)", from_z))
    return Sides.each(*sides, relation="==")


def coin_toss(problem: Problem, before: AdaBoostState, after: AdaBoostState) -> Answer:
    right = problem.data.signs * stumps(after).stump(-1)(problem.data.X)
    return Sides(("Σ D y h", float(after.weights @ right)), ("0", 0.0), relation="==", size=1.0)  # Σ D


def turned(before: AdaBoostState | None, after: AdaBoostState) -> Array:
    """(n,) bool: the rows that are now on the other side of the vote; the first vote turns none."""
    if before is None or after.phase != "weigh" or len(after.alphas) < 2:
        return np.zeros(len(after.votes), bool)
    return np.asarray(np.sign(before.votes) != np.sign(after.votes))


def a_vote_turned(before: AdaBoostState | None, after: AdaBoostState) -> bool:
    return bool(turned(before, after).any())


def validate(problem: Problem) -> str | None:
    if all(len(feature.cuts) == 0 for feature in problem.data.once(sorted_features)):
        return f"every feature of {problem.data.name} is constant, so no stump can tell the rows apart."
    return None


@once
def telling_features(problem: Problem) -> tuple[int, int] | None:
    """The two features whose stumps weigh most in a short vote: on them it is seen best."""
    data = problem.data
    if data.d < 2:
        return None
    *_, last = adaboost(data, rounds=_ROUNDS_SHOWN, criterion=problem.parameters.criterion)
    heard = np.bincount(last.features[: len(last.alphas)], last.alphas, data.d)
    first, second = np.argsort(-heard, kind="stable")[:2].tolist()
    return first, second


def scene(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Scene:
    data, votes, right = problem.data, stumps(after), margins(problem, after)
    return Scene(
        (
            pictures.stage(
                data,
                votes,
                after.weights,
                ringed=ringed(problem, before, after),
                crossed=(right <= 0) & (len(after.alphas) > 0),  # no vote has not said anything yet
                features=telling_features(problem),
            ),
            margin_bars(right),
            stump_table(data, votes, after.errors, after.phase in ("find", "weigh")),
        )
    )


def ringed(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Array:
    """(n,) bool: what the stump is wrong about, the rows whose vote turned, or the heaviest, by the phase."""
    match after.phase:
        case "find":
            return np.asarray(stumps(after).stump(-1)(problem.data.X) != problem.data.signs)
        case "weigh":
            return turned(before, after)
        case "reweight":
            return np.asarray(after.weights == after.weights.max())
    return np.zeros(problem.data.n, bool)


def wrong_rows(problem: Problem, state: AdaBoostState) -> str:
    """How many rows the current stump gets wrong: "1 row"."""
    wrong = int((stumps(state).stump(-1)(problem.data.X) != problem.data.signs).sum())
    return f"{wrong} row{'s' * (wrong != 1)}"


def explain_start(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> str:
    return f"Each of the {problem.data.n} rows weighs 1/{problem.data.n}. There is no vote yet, so none is right."


def explain_find(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> str:
    best = "the least of all stumps" if problem.parameters.criterion == "error" else "and splits the weight best"
    stump = f"Stump {after.iteration} says {in_words(problem.data, stumps(after).stump(-1))}."
    return f"{stump} It is wrong on {wrong_rows(problem, after)} with {after.errors[-1]:.3g} of the weight, {best}."


def explain_weigh(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> str:
    error, alpha = float(after.errors[-1]), float(after.alphas[-1])
    left = int((margins(problem, after) <= 0).sum())
    so_far = f"The vote is wrong on {left} of {problem.data.n} rows."
    if error == 0:
        return f"The stump is right on every row, so z = 1 and α would be infinite; it gets 1. {so_far}"
    z = 1.0 - 2.0 * error
    weighs = f"α = {pictures.half_log(error, alpha)}, and Z = {np.sqrt(1 - z * z):.3g}"
    return f"z = 1 - 2 ε = {z:.3g}, so the stump's vote weighs {weighs}. {so_far}"


def explain_reweight(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> str:
    data, heaviest, rows = problem.data, int(after.weights.argmax()), wrong_rows(problem, after)
    if before is not None:
        grows = 0.5 / float(after.errors[-1])
        made = f"What the stump got wrong grows {grows:.3g}-fold and now holds half of the weight, in {rows}."
    else:
        share = weighted_error(after.weights, data.signs, stumps(after).stump(-1)(data.X))
        made = (
            f"Each row weighs as the vote does on it; what the last stump gets wrong, {rows}, holds {share:.3g} of it."
        )
    times = float(after.weights[heaviest]) * data.n
    return f"{made} Row {heaviest} ({data.row(heaviest)}) is the heaviest, {times:.3g} times its share."


def last_of(values: Array) -> float | None:
    return float(values[-1]) if len(values) and np.isfinite(values[-1]) else None


def held_out_error(problem: Problem, state: AdaBoostState) -> float:
    """The share of rows held out that the vote gets wrong."""
    return np.nan if problem.held_out is None else error(problem.held_out, state)


def mean_training_error(problem: Problem, values: Mapping[str, Array]) -> float:
    """The mean over the splits of the error on the rows learnt from."""
    return float(values["training error"].mean())


SYMBOLS = {
    "x, y": ("a row, and its class as +1 or -1", None),
    "n": ("rows", lambda problem, state: problem.data.n),
    "D": ("weights of the rows, which sum to one", None),
    "h": ("a stump: +1 or -1 by one feature and a threshold", None),
    "ε": ("weight of the rows that the last stump gets wrong", lambda problem, state: last_of(state.errors)),
    "z": ("Σ D y h = 1 - 2 ε", lambda problem, state: last_of(1 - 2 * state.errors)),
    "γ": ("edge over a coin toss, ½ - ε", lambda problem, state: last_of(0.5 - state.errors)),
    "α": ("weight of the last stump in the vote", lambda problem, state: last_of(state.alphas)),
    "f": ("the vote, Σ α h", None),
    "Z": ("√(1 - z²), which the mean of e^(-y f) is multiplied by", None),
    "θ": ("a margin y f/Σα", lambda problem, state: NEAR),
}
UNRAVELLED = "D = e^(-y f)/(n ΠZ), and D sums to one: the mean of e^(-y f) is ΠZ"
WEIGHED = {"a stump that is never wrong stands alone": finite_or_alone}
THEOREMS = (
    Theorem(
        "training error <= Π Z <= exp(-2 Σγ²)",
        error_falls,
        source="Freund and Schapire (1997)",
        about="run",
        hypotheses=WEIGHED,
        proof=(
            "a wrong row has y f <= 0, so e^(-y f) >= 1: the error is at most the mean of e^(-y f)",
            UNRAVELLED,
            "Z = √(1 - 4γ²) <= e^(-2γ²), as 1 - u <= e^(-u)",
        ),
    ),
    Theorem(
        "the mean of e^(-y f) is Π Z",
        loss_is_product,
        source="Schapire and Singer (1999)",
        about="run",
        hypotheses={"every stump is wrong somewhere": finite},
        proof=(
            "f grows by α h, so e^(-y f) is multiplied by e^(-α y h), whose mean under D is",
            "(1 - ε) e^(-α) + ε e^α = 2 √(ε (1 - ε)) = √(1 - z²) = Z at this α",
            "D is e^(-y f), normalised: so the mean of e^(-y f) is multiplied by Z",
        ),
    ),
    Theorem(
        "no error is left once 2 Σγ² >= ln(2n)",
        no_error_left,
        source="Freund and Schapire (1997)",
        about="run",
        hypotheses={**WEIGHED, "2 Σγ² >= ln(2n)": enough},
        proof=("error <= exp(-2 Σγ²) <= 1/(2n)", "one wrong row would be an error of 1/n"),
    ),
    Theorem(
        f"share of margins <= {NEAR:g} is at most e^({NEAR:g} Σα) Π Z",
        few_small_margins,
        source="Schapire et al. (1998)",
        about="run",
        hypotheses=WEIGHED,
        proof=("y f <= θ Σα makes e^(θ Σα - y f) >= 1: the share is at most the mean of that", UNRAVELLED),
    ),
    Theorem(
        "no feature has a better stump",
        best_of_every_feature,
        source="Freund and Schapire (1997), the weak learner's task",
        phases=("find",),
        proof=("every feature, and every place between two neighbouring values of it, was tried",),
    ),
    Theorem(
        "f is Σ α h over the stumps",
        vote_of_stumps,
        source="Freund and Schapire (1997)",
        proof=("f starts at 0, and each round adds α h",),
    ),
    Theorem(
        "D is e^(-y f), normalised; from the start e^(-y f)/(n ΠZ)",
        weights_of_votes,
        source="Schapire and Singer (1999)",
        phases=("start", "find", "reweight"),
        proof=(
            "D starts as 1/n, where f = 0",
            "f grows by α h, and D is multiplied by e^(-α y h)/Z: both sides by the same",
        ),
    ),
    Theorem(
        "the fresh weights make the stump a coin toss",
        coin_toss,
        source="Freund and Schapire (1997)",
        about="step",
        phases=("reweight",),
        proof=(
            "the right rows weigh (1 - ε) e^(-α)/Z, the wrong ones ε e^α/Z",
            "e^α = √((1 - ε)/ε), so both are √(ε (1 - ε))/Z = ½",
        ),
    ),
)

EXPECTATIONS = (
    Expectation(
        "E[error on rows held out] over splits, beside E[training error]",
        held_out_error,
        mean_training_error,
        names=("mean held-out error", "mean training error"),
        source="Schapire et al. (1998), section 1",
        over="data.hold_out_seed",
        data={"hold_out": 0.25},
        runs=200,
        proof=("no theorem bounds the gap without the number of rows and of thresholds: it is measured",),
    ),
)

ALGORITHM = Algorithm(
    adaboost,
    title="AdaBoost with decision stumps",
    summary="Lets simple rules vote, each found on rows that weigh the more the worse the vote before did on them.",
    rule="ε = Σ D_i [h(x_i) != y_i],   z = 1 - 2 ε\n"
    "α = ½ ln((1 + z) / (1 - z)),   f <- f + α h\n"
    "D_i <- D_i exp(-α y_i h(x_i)) / √(1 - z²)",
    needs=Needs(target="class", classes=2),
    phases={
        "start": "equal weights, no vote",
        "find": "the best stump for these weights",
        "weigh": "its weight α in the vote",
        "reweight": "more weight to what it got wrong",
    },
    events=(Event("a row's vote turned", a_vote_turned),),
    fork_after=("start", "reweight"),
    curves=(
        Curve("error", error, "share of rows with y f(x) <= 0", held_out=True),
        Curve("Π Z", product_of_z, "Π √(1 - z²)", chart="error", about="run"),
        Curve("exp(-2Σγ²)", edge_bound, "γ = ½ - ε", chart="error", about="run"),
        Curve("weighted error", lambda problem, state: float(state.errors[-1]), "ε of the stump", phases=("find",)),
        Curve("2Σγ²", twice_squared_edges, "γ = ½ - ε", chart="until no error is left", about="run"),
        Curve("ln(2n)", enough_edges, "enough", chart="until no error is left", about="run"),
    ),
    theorems=THEOREMS,
    expectations=EXPECTATIONS,
    symbols=SYMBOLS,
    scene=scene,
    explain={
        "start": explain_start,
        "find": explain_find,
        "weigh": explain_weigh,
        "reweight": explain_reweight,
    },
    adapt=adapt,
    validate=validate,
    datasets=(
        moons.with_(n=300, noise=0.2, hold_out=0.33),
        breast_cancer.with_(scale=True, hold_out=0.25),
        wine.with_(positive="cultivar_2", scale=True),
        iris.with_(positive="versicolor"),
        penguins.with_(positive="Chinstrap", scale=True),
        rings,
    ),
)
