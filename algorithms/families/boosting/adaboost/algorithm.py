"""AdaBoost with decision stumps: each round asks for the stump that does best on the rows the others got wrong.

    find      h <- the stump with the least weighted error   ε = Σ_i D_i [h(x_i) != y_i]
    weigh     z = Σ_i D_i y_i h(x_i) = 1 - 2 ε,   α <- ½ ln((1 + z) / (1 - z)),   f <- f + α h
    reweight  D_i <- D_i exp(-α y_i h(x_i)) / Z,   Z = √(1 - z²)

y is +1 or -1, D starts uniform, and the sign of f classifies: f(x) = 0, a tied vote, is an error whatever y is.
A stump is better than a coin toss by its edge γ = ½ - ε = z/2. Unravelled, D_i = exp(-y_i f(x_i)) / (n ΠZ), so

    training error  <=  (1/n) Σ_i exp(-y_i f(x_i))  =  Π_t Z_t  <=  exp(-2 Σ_t γ_t²),

and since one wrong row is an error of 1/n, none is left once 2 Σγ² >= ln(2n). Of the margins y f(x) / Σ|α|, a share
of e^(θ Σ|α|) ΠZ at most is θ or less. α is where Z is least, dZ/dα = -Σ D y h exp(-α y h) = 0: with the fresh weights
the stump is right on half the weight, a coin toss, so the next one has to be another.

Of equally good stumps (z within 1e-12; of Gini's index the root of its fall, which goes as z) the first feature's is
taken, and of those the lowest threshold's; thresholds lie midway between neighbouring values. With `criterion="gini"`
the stump is the split with the purest sides, each saying what most of its weight is: a tree of depth one, and the
algorithm is scikit-learn's AdaBoostClassifier (its weights are 2α). A stump that is never wrong would weigh
infinitely much: it gets α = 1, and ends the run. So does a best stump no better than a coin toss; with Gini's index
another may still be better, where a side of the purest one weighs next to nothing.

With `learner="random"` a stump is drawn each round. Its edge may be negative: then so is α, and the vote counts its
opposite; only γ² is in the bounds, so they fall all the same, slowly.

References: Freund and Schapire (1997), A decision-theoretic generalization of on-line learning and an application to
boosting, Journal of Computer and System Sciences 55(1); Schapire, Freund, Bartlett and Lee (1998), Boosting the
margin, Annals of Statistics 26(5); Schapire and Singer (1999), Improved boosting algorithms using confidence-rated
predictions, Machine Learning 37(3) (z and Z).
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    Expectation,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    kept,
    once,
    through,
)
from algorithms.data import breast_cancer, iris, moons, penguins, rings, wine
from algorithms.families.boosting.adaboost import pictures, words
from algorithms.families.boosting.adaboost.rounds import Rounds, drawn_stump, exponential
from algorithms.families.boosting.adaboost.theorems import NEAR, THEOREMS
from algorithms.families.boosting.shared.flipped import weight_on_flipped
from algorithms.families.boosting.shared.stumps import (
    Criterion,
    Stump,
    Votes,
    best_stump,
    cost,
    least_costs,
    sorted_features,
)

CHANCE = 1e-12  # an edge that rounding can make of none
_ALMOST = float(np.nextafter(1.0, 0.0))  # which an ε is at most while some row is right, however little it weighs
_ROUNDS_SHOWN = 8  # by whose stumps the two features are chosen that the vote is seen on

Learner = Literal["best", "random"]


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
    learner: Annotated[Learner, Meta(description="the best stump, or one drawn at random, which may have z < 0")] = (
        "best"
    ),
    seed: Annotated[Seed, Meta(description="of the stumps that are drawn")] = 0,
) -> Run[AdaBoostState]:
    X, y, features = data.X, data.signs, data.once(sorted_features)
    if state is None:
        state = uniform(data.n)
        yield state
    while len(state.alphas) < rounds or state.phase == "weigh":
        if state.phase in ("start", "reweight"):
            if learner == "best":
                stump = best_stump(X, features, y, state.weights, criterion)
            else:
                stump = drawn_stump(X, features, seed, state.iteration + 1)
            error = weighted_error(state.weights, y, stump(X))
            state = state.after("find", iteration=state.iteration + 1, **with_stump(state, stump, error))
            yield state
        says, error = stumps(state).stump(-1)(X), float(state.errors[-1])
        if state.phase == "find":
            if learner == "best" and error >= 0.5 - CHANCE:
                which = "no stump is better" if criterion == "error" else "the purest stump is no better"
                return f"{which} than a coin toss: z = 0, and its vote would weigh nothing"
            alpha = signed_weight(state.weights, y, says, error)
            state = state.after("weigh", alphas=np.append(state.alphas, alpha), votes=state.votes + alpha * says)
            yield state
        if error in (0, 1):
            which = "wrong" if error else "right"
            return f"a stump is {which} on every row: z = {1 - 2 * error:g}, and no row is left to learn from"
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
    """ε, the weight of the rows that the stump gets wrong; 1 if these are all rows."""
    wrong = says != y
    return 1.0 if wrong.all() else min(float(weights[wrong].sum()), _ALMOST)  # weights sum to 1 but for rounding


def vote_weight(error: float) -> float:
    """α = ½ ln((1 + z) / (1 - z)) with z = 1 - 2 ε; 1 for a stump without error."""
    return 0.5 * float(np.log((1.0 - error) / error)) if error > 0 else 1.0


def signed_weight(weights: Array, y: Array, says: Array, error: float) -> float:
    """α of either sign: a stump that is worse than a coin toss counts as its opposite."""
    return vote_weight(error) if error <= 0.5 else -vote_weight(weighted_error(weights, y, -says))


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


@kept
def rounds_of(problem: Problem, state: AdaBoostState) -> Rounds:
    """The rounds so far on the rows learnt from, or on those held out."""
    f = state.votes if problem.training is problem else None
    best = problem.parameters.learner == "best"
    return Rounds(problem.data, stumps(state), state.errors, f, state.weights, best)


def measured(what: Callable[[Rounds], float]) -> Callable[[Problem, AdaBoostState], float]:
    """A number of the rounds so far."""
    return lambda problem, state: what(rounds_of(problem, state))


def error(problem: Problem, state: AdaBoostState) -> float:
    """The share of rows that the vote of the stumps gets wrong, ties with them."""
    rounds = rounds_of(problem, state)
    return float((rounds.normalised(problem.data.signs * rounds.summed) <= 0).mean())


def on_flipped(problem: Problem, state: AdaBoostState) -> float:
    """The weight of the rows whose label was turned on purpose."""
    return weight_on_flipped(problem.data, state.weights)


def turned(before: AdaBoostState | None, after: AdaBoostState) -> Array:
    """(n,) bool: the rows that are now on the other side of the vote; the first vote turns none."""
    if before is None or after.phase != "weigh" or len(after.alphas) < 2:
        return np.zeros(len(after.votes), bool)
    return np.asarray(np.sign(before.votes) != np.sign(after.votes))


def a_vote_turned(before: AdaBoostState | None, after: AdaBoostState) -> bool:
    return bool(turned(before, after).any())


def rounds_made(problem: Problem, state: AdaBoostState) -> bool | Sides:
    """As many stumps are weighed as may vote, and the rows are weighed anew."""
    return state.phase == "reweight" and Sides(("rounds", problem.parameters.rounds), ("stumps", len(state.alphas)))


def errs_alike(problem: Problem, state: AdaBoostState) -> bool:
    """The stump that was just weighed is right on every row, or on none."""
    says = stumps(state).stump(-1)(problem.data.X) if state.phase == "weigh" else None
    return says is not None and abs(int((problem.data.signs * says).sum())) == problem.data.n


def no_better(problem: Problem, state: AdaBoostState) -> bool | Sides:
    """Every stump errs as often as a coin, or with Gini's index that which was found, under the weights of then."""
    if state.phase != "find":
        return False
    data, D = problem.data, state.weights
    if problem.parameters.criterion == "error":
        least = float(least_costs(data.once(sorted_features), data.signs, D, "error").min())
    else:
        least = cost(stumps(state).stump(-1), data.X, data.signs, D, "error")
    return Sides(("½ but for rounding", 0.5 - CHANCE), ("least ε", least), size=0.5)


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
    now = rounds_of(problem, after)
    return Scene(pictures.panels(now, after.phase, ringed(problem, before, after), telling_features(problem)))


def ringed(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Array:
    """(n,) bool: what the stump is wrong about, the rows whose vote turned, or the heaviest, by the phase."""
    match after.phase:
        case "find":
            return rounds_of(problem, after).right < 0
        case "weigh":
            return turned(before, after)
        case "reweight":
            return np.asarray(after.weights == after.weights.max())
    return np.zeros(problem.data.n, bool)


def explain(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> str:
    now = rounds_of(problem, after)
    match after.phase:
        case "find":
            return words.find(now, problem.parameters.criterion)
        case "weigh":
            return words.weigh(now, wrong_held_out(problem, after))
        case "reweight":
            was = None if before is None else rounds_of(problem, before)
            return words.reweight(was, now, wrong_held_out(problem, after))
    return words.start(now)


def wrong_held_out(problem: Problem, state: AdaBoostState) -> tuple[int, int] | None:
    """On how many rows held out the vote is wrong, and how many there are."""
    aside = problem.held_out
    return None if aside is None else (round(error(aside, state) * aside.data.n), aside.data.n)


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
    "z": (
        "2γ = 1 - 2ε: weight of what it gets right, less wrong",
        lambda problem, state: last_of(1 - 2 * state.errors),
    ),
    "γ": ("edge of a stump over a coin toss: ½ - ε", lambda problem, state: last_of(0.5 - state.errors)),
    "α": ("weight of the last stump in the vote", lambda problem, state: last_of(state.alphas)),
    "f": ("the vote: Σ of the stumps' answers ±1, each times its weight", None),
    "Z": ("√(1 - 4γ²) of a round, by which the mean of e^(-y f) shrinks", None),
    "θ": ("a margin y f/Σ|α|", lambda problem, state: NEAR),
}
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

UNTIL = "until no error is left"

ALGORITHM = Algorithm(
    adaboost,
    title="AdaBoost with decision stumps",
    point="Rows that a rule got wrong grow heavy; the next simple rule is chosen for them.",
    after=("decision_tree",),
    leaves_open="Few errors on these rows are not yet few on others: see those held out.",
    tries=(
        ("some labels flipped", "--data moons:n=60,noise=0.2 --hold-out 0.25 --flip 0.1"),
        ("stumps drawn at random", "-p learner=random"),
    ),
    asks=(
        Ask.way("One stump more votes: what does the training error do?", '"training error"', "find"),
        Ask("Does the next stump get less weight wrong than the last one?", '"weighted error" falls', "reweight"),
        Ask.row("Which row is the heaviest after reweighting?", "weights", "weigh"),
    ),
    summary="Lets simple rules vote, each found on rows that weigh the more the worse the vote before did on them.",
    rule="ε = Σ D_i [h(x_i) != y_i],   z = 1 - 2 ε\n"
    "α = ½ ln((1 + z) / (1 - z)),   f <- f + α h\n"
    "D_i <- D_i exp(-α y_i h(x_i)) / √(1 - z²)",
    needs=Needs(target="class", classes=2),
    phases={
        "start": "equal weights, no vote",
        "find": "a stump for these weights",
        "weigh": "its weight α in the vote",
        "reweight": "more weight to what it got wrong",
    },
    events=(Event("a row's vote turned", a_vote_turned),),
    fork_after=("start", "reweight"),
    curves=(
        Curve("error", error, "share of rows with y f(x) <= 0", held_out=True),
        Curve("Π Z", measured(lambda now: now.product), "Π √(1 - z²)", chart="error", about="run"),
        Curve("exp(-2Σγ²)", measured(lambda now: now.edge_bound), "γ = ½ - ε", chart="error", about="run"),
        Curve("weighted error", lambda problem, state: float(state.errors[-1]), "ε of the stump", phases=("find",)),
        Curve("2Σγ²", measured(lambda now: now.twice_squared_edges), "γ = ½ - ε", chart=UNTIL, about="run"),
        Curve("ln(2n)", measured(lambda now: now.enough_edges), "enough", chart=UNTIL, about="run"),
        Curve("heaviest row", lambda problem, state: float(state.weights.max()), "greatest D", chart="weight"),
        Curve("weight on flipped rows", on_flipped, "Σ D of those turned on purpose", chart="weight"),
    ),
    objective={("Π Z",): ()},
    theorems=through(rounds_of, *THEOREMS),
    expectations=EXPECTATIONS,
    ends={
        "… round…": rounds_made,
        "a stump is … on every row: …": errs_alike,
        "… better than a coin toss: …": no_better,
    },
    symbols=SYMBOLS,
    only_for={"seed": ("learner", "random")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        moons.with_(n=300, noise=0.2, hold_out=0.33),
        moons.with_(n=60, noise=0.2, flip=0.1, hold_out=0.25),
        breast_cancer.with_(scale=True, hold_out=0.25),
        wine.with_(positive="cultivar_2", scale=True),
        iris.with_(positive="versicolor"),
        penguins.with_(positive="Chinstrap", scale=True),
        rings,
    ),
)
