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

References: Freund and Schapire (1997), Journal of Computer and System Sciences 55(1); Schapire, Freund, Bartlett
and Lee (1998), Annals of Statistics 26(5) (margins); Schapire and Singer (1999), Machine Learning 37(3) (z and Z).
"""

from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    Event,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Region,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
)
from algorithms.core.theorem import Answer
from algorithms.data import breast_cancer, iris, moons, penguins, rings, wine
from algorithms.families.boosting.adaboost import pictures
from algorithms.families.boosting.adaboost.stumps import Criterion, Votes, best_stump, presorted

CHANCE = 1e-12  # an edge that rounding can make of none
TIED = 1e-12  # of Σα: a vote that rounding can make of a tie
NEAR = 0.1  # the margin θ of the theorem about margins


class AdaBoostState(State, frozen=True, kw_only=True):
    weights: Array  # (n,) D, which sum to one
    votes: Array  # (n,) f(x_i)
    features: Array  # (t,) int64, of the stumps found so far; the last is the one in hand
    thresholds: Array  # (t,)
    below: Array  # (t,) +1 or -1, what a stump says up to its threshold
    above: Array  # (t,) and beyond it
    errors: Array  # (t,) ε, each under the weights of its round
    alphas: Array  # (t,) weights in the vote; one fewer while the stump in hand is not weighed


def adaboost(
    data: Dataset,
    state: AdaBoostState | None = None,
    *,
    rounds: Annotated[int, Meta(ge=1, le=10_000, description="stumps in the vote, at most")] = 150,
    criterion: Annotated[
        Criterion, Meta(description="the best stump: least weighted error, or purest sides as in scikit-learn")
    ] = "error",
) -> Run[AdaBoostState]:
    X, y = data.X, data.signs
    if state is None:
        nothing = np.zeros(0)
        state = AdaBoostState(
            weights=np.full(data.n, 1.0 / data.n),
            votes=np.zeros(data.n),
            features=np.zeros(0, np.int64),
            thresholds=nothing,
            below=nothing,
            above=nothing,
            errors=nothing,
            alphas=nothing,
        )
        yield state
    while len(state.alphas) < rounds or state.phase == "weigh":
        if state.phase in ("start", "reweight"):
            stump = best_stump(data, state.weights, criterion)
            state = state.after(
                "find",
                iteration=state.iteration + 1,
                features=np.append(state.features, stump.feature),
                thresholds=np.append(state.thresholds, stump.threshold),
                below=np.append(state.below, stump.below),
                above=np.append(state.above, stump.above),
                errors=np.append(state.errors, weighted_error(state.weights, y, stump(X))),
            )
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
    return f"{rounds:,} rounds"


def stumps(state: AdaBoostState) -> Votes:
    """Those found so far, which vote once they are weighed; the last is the one in hand."""
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
    losses = -after.data.signs * votes
    weights = np.exp(losses - losses.max())
    return state.replaced(votes=votes, weights=weights / weights.sum())


def margins(problem: Problem, state: AdaBoostState) -> Array:
    """(n,) y f(x) / Σα in [-1, 1], 0 for a vote that is tied but for rounding."""
    if not len(state.alphas):
        return np.zeros(problem.data.n)
    return normalised(problem.data.signs * state.votes, state)


def normalised(votes: Array, state: AdaBoostState) -> Array:
    """Votes in units of Σα, with ties at 0."""
    shares = votes / state.alphas.sum()
    return np.where(np.abs(shares) <= TIED, 0.0, shares)


def training_error(problem: Problem, state: AdaBoostState) -> float:
    return float((problem.of(margins, state) <= 0).mean())


def held_out_error(problem: Problem, state: AdaBoostState) -> float:
    aside = problem.data.held_out
    if aside is None:
        return np.nan
    if not len(state.alphas):
        return 1.0
    return float((normalised(aside.signs * stumps(state)(aside.X), state) <= 0).mean())


def product_of_z(problem: Problem, state: AdaBoostState) -> float:
    """Π Z_t, Z = √(1 - z²) = 2 √(ε (1 - ε)), over the stumps that have been weighed."""
    errors = state.errors[: len(state.alphas)]
    if (errors == 0).any():
        return 0.0
    return float(np.exp(np.log(4.0 * errors * (1.0 - errors)).sum() / 2.0))


def twice_squared_edges(problem: Problem, state: AdaBoostState) -> float:
    """2 Σ γ²; no error can be left when it has come to ln(2n)."""
    return 2.0 * float(np.square(0.5 - state.errors[: len(state.alphas)]).sum())


def edge_bound(problem: Problem, state: AdaBoostState) -> float:
    return float(np.exp(-twice_squared_edges(problem, state)))


def enough_edges(problem: Problem, state: AdaBoostState) -> float:
    return float(np.log(2 * problem.data.n))


def weighted_error_of_last(problem: Problem, state: AdaBoostState) -> float:
    return float(state.errors[-1])


def error_falls(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Sides:
    return Sides(
        ("error", training_error(problem, after)),
        ("Π Z", product_of_z(problem, after)),
        ("exp(-2Σγ²)", edge_bound(problem, after)),
    )


def loss_is_product(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    if (after.errors[: len(after.alphas)] == 0).any():
        return DoesNotApply("α is infinite for a stump that is never wrong, and 1 was taken")
    loss = float(np.exp(-problem.data.signs * after.votes).mean())
    return Sides(("mean e^(-y f)", loss), ("Π Z", product_of_z(problem, after)), relation="==")


def no_error_left(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    edges, enough = twice_squared_edges(problem, after), enough_edges(problem, after)
    if edges < enough:
        return DoesNotApply(f"2Σγ² is {edges:.3g} of ln(2n) = {enough:.3g}")
    wrong = float((problem.of(margins, after) <= 0).sum())
    return Sides(("wrong rows", wrong), ("0", 0.0), relation="==")


def few_small_margins(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Sides:
    small = float((problem.of(margins, after) <= NEAR).mean())
    bound = float(np.exp(NEAR * after.alphas.sum())) * product_of_z(problem, after)
    return Sides(("share", small), (f"e^({NEAR:g} Σα) Π Z", bound))


def coin_toss(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Answer:
    if after.phase != "reweight":
        return None
    right = problem.data.signs * stumps(after).stump(-1)(problem.data.X)
    # A sum of n terms of either sign whose sizes sum to one: rounding is 1e-16 a term at most.
    return Sides(("Σ D y h", float(after.weights @ right)), ("0", 0.0), relation="==", slack=1e-12)


def weights_sum(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Sides:
    return Sides(("Σ D", float(after.weights.sum())), ("1", 1.0), relation="==")


def turned(before: AdaBoostState | None, after: AdaBoostState) -> Array:
    """(n,) bool: the rows that are now on the other side of the vote; the first vote turns none."""
    if before is None or after.phase != "weigh" or len(after.alphas) < 2:
        return np.zeros(len(after.votes), bool)
    return np.asarray(np.sign(before.votes) != np.sign(after.votes))


def a_vote_turned(before: AdaBoostState | None, after: AdaBoostState) -> bool:
    return bool(turned(before, after).any())


def validate(problem: Problem) -> str | None:
    if all(len(feature.cuts) == 0 for feature in presorted(problem.data)):
        return f"every feature of {problem.data.name} is constant, so no stump can tell the rows apart."
    return None


def scene(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Scene:
    return Scene(
        (
            stage(problem, before, after),
            pictures.margin_bars(problem.of(margins, after)),
            pictures.stump_table(problem.data, stumps(after), after.errors, after.phase in ("find", "weigh")),
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


def stage(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> Panel:
    data, voted = problem.data, len(after.alphas) > 0
    found = stumps(after)
    rows = Points(
        at=data.X,
        classes=data.y,
        # At the start a row has a quarter of the full size, so that it can grow; later the heaviest has all of it.
        weights=after.weights / max(float(after.weights.max()), 4.0 / data.n),
        ringed=ringed(problem, before, after),
        crossed=(problem.of(margins, after) <= 0) & voted,  # no vote has not said anything yet
    )
    total = float(after.alphas.sum())
    tint = (Region(score=lambda places: found(places) / total, check=data.X),) if voted else ()
    line = (pictures.line(data, found.stump(-1)),) if len(after.features) else ()
    return Panel(title="rows by weight, and the vote", space="data", marks=(*tint, *line, rows))


def explain(problem: Problem, before: AdaBoostState | None, after: AdaBoostState) -> str:
    data = problem.data
    if after.phase == "start":
        return f"Each of the {data.n} rows weighs 1/{data.n}. There is no vote yet, so none is right."
    found = stumps(after).stump(-1)
    error = float(after.errors[-1])
    wrong = int((found(data.X) != data.signs).sum())
    if after.phase == "find":
        best = "the least of all stumps" if problem.parameters.criterion == "error" else "and splits the weight best"
        said = f"Stump {after.iteration} says {pictures.in_words(data, found)}."
        rows = f"{wrong} row{'s' * (wrong != 1)}"
        return f"{said} It is wrong on {rows} with {error:.3g} of the weight, {best}."
    if after.phase == "weigh":
        left = int((problem.of(margins, after) <= 0).sum())
        so_far = f"The vote is wrong on {left} of {data.n} rows."
        if error == 0:
            return f"The stump is right on every row, so z = 1 and α would be infinite; it gets 1. {so_far}"
        z, alpha = 1.0 - 2.0 * error, float(after.alphas[-1])
        weighs = f"α = ½ ln({1 + z:.3g} / {1 - z:.3g}) = {alpha:.3g}, and Z = {np.sqrt(1 - z * z):.3g}"
        return f"z = 1 - 2 ε = {z:.3g}, so the stump's vote weighs {weighs}. {so_far}"
    heaviest = int(after.weights.argmax())
    times = float(after.weights[heaviest]) * data.n
    rows = f"{wrong} row{'s' * (wrong != 1)}"
    made = f"What the stump got wrong grows {0.5 / error:.3g}-fold and now holds half of the weight, in {rows}."
    if before is None:
        share = float(after.weights[found(data.X) != data.signs].sum())
        made = (
            f"Each row weighs as the vote does on it; what the last stump gets wrong, {rows}, holds {share:.3g} of it."
        )
    return f"{made} Row {heaviest} ({data.row(heaviest)}) is the heaviest, {times:.3g} times its share."


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
        Curve("training error", training_error, "share of rows with y f(x) <= 0", chart="error"),
        Curve("held-out error", held_out_error, "the same on rows held out", chart="error"),
        Curve("Π Z", product_of_z, "Π √(1 - z²)", chart="error"),
        Curve("exp(-2Σγ²)", edge_bound, "γ = ½ - ε", chart="error"),
        Curve("weighted error", weighted_error_of_last, "ε of the stump", phases=("find",)),
        Curve("2Σγ²", twice_squared_edges, "γ = ½ - ε", chart="until no error is left"),
        Curve("ln(2n)", enough_edges, "enough", chart="until no error is left"),
    ),
    theorems=(
        Theorem("training error <= Π Z <= exp(-2 Σγ²)", error_falls, source="Freund and Schapire (1997)", about="run"),
        Theorem("the mean of e^(-y f) is Π Z", loss_is_product, source="Schapire and Singer (1999)", about="run"),
        Theorem(
            "no error is left once 2 Σγ² >= ln(2n)", no_error_left, source="Freund and Schapire (1997)", about="run"
        ),
        Theorem(
            f"share of margins <= {NEAR:g} is at most e^({NEAR:g} Σα) Π Z",
            few_small_margins,
            source="Schapire et al. (1998)",
            about="run",
        ),
        Theorem(
            "the fresh weights make the stump a coin toss",
            coin_toss,
            source="Freund and Schapire (1997)",
            about="step",
        ),
        Theorem("the weights sum to one", weights_sum, source="Freund and Schapire (1997)"),
    ),
    scene=scene,
    explain=explain,
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
    references=(
        "Freund and Schapire (1997), A decision-theoretic generalization of on-line learning, JCSS 55(1)",
        "Schapire, Freund, Bartlett and Lee (1998), Boosting the margin, Annals of Statistics 26(5)",
        "Schapire and Singer (1999), Improved boosting algorithms, Machine Learning 37(3)",
    ),
)
