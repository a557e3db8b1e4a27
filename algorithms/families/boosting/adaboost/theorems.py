"""What holds of AdaBoost at each step: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, DoesNotApply, Problem, Sides, theorem
from algorithms.families.boosting.adaboost.rounds import Rounds, exponential
from algorithms.families.boosting.shared.stumps import TIE, Criterion, cost, least_costs, sorted_features

NEAR = 0.1  # the margin θ of the theorem about margins
AWAY = 0.1  # from α, where Z is greater
_COSTS: dict[Criterion, str] = {"error": "ε", "gini": "Gini index"}  # what a stump is chosen by
UNRAVELLED = "D = e^(-y f)/(n ΠZ), and D sums to one: the mean of e^(-y f) is ΠZ"


def finite(problem: Problem, now: Rounds) -> bool | DoesNotApply:
    return not now.one_sided or DoesNotApply("α is infinite for a stump of z = ±1, and ±1 was taken")


def finite_or_alone(problem: Problem, now: Rounds) -> bool | DoesNotApply:
    return len(now.alphas) == 1 or finite(problem, now)


def enough(problem: Problem, now: Rounds) -> bool | str:
    edges, needed = now.twice_squared_edges, now.enough_edges
    return edges >= needed or f"2Σγ² = {edges:.3g} is still below ln(2n) = {needed:.3g}"


def chosen(problem: Problem, now: Rounds) -> bool | str:
    return now.best or "the stump is drawn, not chosen"


WEIGHED = {"no stump has z = ±1, unless it is the only one": finite_or_alone}
WRONG_SOMEWHERE = {"every stump is wrong somewhere, and right": finite}


@theorem(
    "training error <= Π Z <= exp(-2 Σγ²)",
    source="Freund and Schapire (1997)",
    about="run",
    hypotheses=WEIGHED,
    proof=(
        "a wrong row has y f <= 0, so e^(-y f) >= 1: the error is at most the mean of e^(-y f)",
        UNRAVELLED,
        "for every u 1 - u <= e^(-u), so Z = √(1 - 4γ²) <= e^(-2γ²): the sign of γ does not count",
    ),
)
def error_falls(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    return Sides(
        ("error", float(now.wrong.mean())),
        ("Π Z", now.product),
        ("exp(-2Σγ²)", now.edge_bound),
        slack=now.rounding * now.product,
    )


@theorem(
    "the mean of e^(-y f) is Π Z",
    source="Schapire and Singer (1999)",
    about="run",
    hypotheses=WRONG_SOMEWHERE,
    proof=(
        "f grows by α h, so e^(-y f) is multiplied by e^(-α y h), whose mean under D is",
        "(1 - ε) e^(-α) + ε e^α = 2 √(ε (1 - ε)) = √(1 - z²) = Z at this α",
        "D is e^(-y f), normalised: so the mean of e^(-y f) is multiplied by Z",
    ),
)
def loss_is_product(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    loss = float(np.exp(-now.data.signs * now.f).mean())
    slack = now.rounding * now.product
    return Sides(("mean e^(-y f)", loss), ("Π Z", now.product), relation="==", slack=slack)


@theorem(
    "no error is left once 2 Σγ² >= ln(2n)",
    source="Freund and Schapire (1997)",
    about="run",
    hypotheses={**WEIGHED, "2 Σγ² >= ln(2n)": enough},
    proof=("error <= exp(-2 Σγ²) <= 1/(2n)", "one wrong row would be an error of 1/n"),
)
def no_error_left(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    return Sides(("wrong rows", float(now.wrong.sum())), ("0", 0.0), relation="==")


@theorem(
    f"share(margin <= {NEAR:g}) <= e^({NEAR:g} Σ|α|) Π Z",
    source="Schapire et al. (1998)",
    about="run",
    hypotheses=WEIGHED,
    proof=("y f <= θ Σ|α| makes e^(θ Σ|α| - y f) >= 1: the share is at most the mean of that", UNRAVELLED),
)
def few_small_margins(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    small = float((now.margins <= NEAR).mean())
    # in one exponent: e^(θ Σ|α|) alone overflows after some thousand rounds, while ΠZ vanishes
    bound = float(np.exp(NEAR * now.total + now.log_product))
    return Sides(("share", small), (f"e^({NEAR:g} Σ|α|) Π Z", bound), slack=now.rounding * bound)


@theorem(
    "no feature has a better stump",
    source="Freund and Schapire (1997), the weak learner's task",
    phases=("find",),
    hypotheses={"the best stump is taken": chosen},
    proof=("every feature, and every place between two neighbouring values of it, was tried",),
)
def best_of_every_feature(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    data, criterion = now.data, problem.parameters.criterion
    least = least_costs(data.once(sorted_features), data.signs, now.weights, criterion)
    name, mine = _COSTS[criterion], cost(now.votes.stump(-1), data.X, data.signs, now.weights, criterion)
    sides = (f"{name} of the stump", mine), ("the best of feature", least)
    # stumps that differ by less are taken for equally good
    return Sides.each(*sides, size=1.0, slack=TIE, entries=data.features)


@theorem(
    "f is Σ α h over the stumps",
    source="Freund and Schapire (1997)",
    proof=("f starts at 0, and each round adds α h",),
)
def vote_of_stumps(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    return Sides.each(("f", now.f), ("Σ α h", now.summed), relation="==", size=now.total, axes=("row",))


@theorem(
    "D is e^(-y f), normalised; from the start e^(-y f)/(n ΠZ)",
    source="Schapire and Singer (1999)",
    phases=("start", "find", "reweight"),
    proof=(
        "D starts as 1/n, where f = 0",
        "f grows by α h, and D is multiplied by e^(-α y h)/Z: both sides by the same",
    ),
)
def weights_of_votes(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    margins = now.data.signs * now.f
    sides = [("D", now.weights), ("e^(-y f)/Σ e^(-y f)", exponential(margins))]
    if not problem.forked:
        from_z = np.exp(-margins - now.log_product) / now.data.n
        sides.append(("e^(-y f)/(n ΠZ)", from_z))
    return Sides.each(*sides, relation="==", slack=now.rounding, axes=("row",))


@theorem(
    "the fresh weights make the stump a coin toss",
    source="Freund and Schapire (1997)",
    about="step",
    phases=("reweight",),
    proof=(
        "the right rows weigh (1 - ε) e^(-α)/Z, the wrong ones ε e^α/Z",
        "e^α = √((1 - ε)/ε), so both are √(ε (1 - ε))/Z = ½",
    ),
)
def coin_toss(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    return Sides(("Σ D y h", float(now.weights @ now.right)), ("0", 0.0), relation="==", size=1.0)  # Σ D


@theorem(
    "Σ D y h = 1 - 2 ε = 2 γ",
    source="Schapire and Singer (1999)",
    phases=("find",),
    proof=(
        "y h is +1 on the right rows, of weight ½ + γ = 1 - ε, and -1 on the wrong ones, of ½ - γ",
        "so the sum is (½ + γ) - (½ - γ)",
    ),
)
def twice_the_edge(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    """With the sum over the rows, the ε that was measured, and the weight of the right rows."""
    edge = float(now.weights[now.right > 0].sum()) - 0.5
    return Sides(
        ("Σ D y h", float(now.weights @ now.right)), ("1 - 2 ε", now.z), ("2 γ", 2 * edge), relation="==", size=1.0
    )


@theorem(
    "Σ D e^(-α y h) is least at α, 2 √(ε (1 - ε))",
    source="Schapire and Singer (1999)",
    phases=("weigh",),
    hypotheses=WRONG_SOMEWHERE,
    proof=(
        "in two parts, of right and of wrong rows: Z(α) = (1 - ε) e^(-α) + ε e^α, which is convex",
        "its slope is 0 where e^(2α) = (1 - ε)/ε; there each part is √(ε (1 - ε))",
    ),
)
def least_at_alpha(problem: Problem, before: Rounds | None, now: Rounds) -> Answer:
    alpha, error = float(now.alphas[-1]), now.error
    here, *beside = now.normaliser(np.array([alpha, alpha - AWAY, alpha + AWAY])).tolist()
    least, slack = 2 * float(np.sqrt(error * (1 - error))), 4e-16 / (1 - error)
    return Sides(("Z(α)", here), ("2 √(ε (1 - ε))", least), (f"least of Z(α ± {AWAY:g})", min(beside)), slack=slack)


THEOREMS = (
    error_falls,
    loss_is_product,
    no_error_left,
    few_small_margins,
    best_of_every_feature,
    vote_of_stumps,
    weights_of_votes,
    coin_toss,
    twice_the_edge,
    least_at_alpha,
)
