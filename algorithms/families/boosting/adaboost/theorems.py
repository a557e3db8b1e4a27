"""What holds of AdaBoost at each step: both sides of every statement, and why it is so."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import Answer, DoesNotApply, Problem, Sides, Theorem
from algorithms.families.boosting.adaboost.rounds import Rounds, exponential
from algorithms.families.boosting.shared.stumps import TIE, Criterion, cost, least_costs, sorted_features

RoundsOf = Callable[[Problem, Any], Rounds]
Test = Callable[[Rounds], "bool | str | DoesNotApply"]
NEAR = 0.1  # the margin θ of the theorem about margins
AWAY = 0.1  # from α, where Z is greater
_COSTS: dict[Criterion, str] = {"error": "ε", "gini": "Gini index"}  # what a stump is chosen by


def finite(now: Rounds) -> bool | DoesNotApply:
    return not now.one_sided or DoesNotApply("α is infinite for a stump of z = ±1, and ±1 was taken")


def finite_or_alone(now: Rounds) -> bool | DoesNotApply:
    return len(now.alphas) == 1 or finite(now)


def enough(now: Rounds) -> bool | str:
    edges, needed = now.twice_squared_edges, now.enough_edges
    return edges >= needed or f"2Σγ² = {edges:.3g} is still below ln(2n) = {needed:.3g}"


def chosen(now: Rounds) -> bool | str:
    return now.best or "the stump is drawn, not chosen"


def error_falls(now: Rounds) -> Answer:
    return Sides(
        ("error", float(now.wrong.mean())),
        ("Π Z", now.product),
        ("exp(-2Σγ²)", now.edge_bound),
        slack=now.rounding * now.product,
    )


def loss_is_product(now: Rounds) -> Answer:
    loss = float(np.exp(-now.data.signs * now.f).mean())
    slack = now.rounding * now.product
    return Sides(("mean e^(-y f)", loss), ("Π Z", now.product), relation="==", slack=slack)


def no_error_left(now: Rounds) -> Answer:
    return Sides(("wrong rows", float(now.wrong.sum())), ("0", 0.0), relation="==")


def few_small_margins(now: Rounds) -> Answer:
    small = float((now.margins <= NEAR).mean())
    # in one exponent: e^(θ Σ|α|) alone overflows after some thousand rounds, while ΠZ vanishes
    bound = float(np.exp(NEAR * now.total + now.log_product))
    return Sides(("share", small), (f"e^({NEAR:g} Σ|α|) Π Z", bound), slack=now.rounding * bound)


def best_of_every_feature(now: Rounds, criterion: Criterion) -> Answer:
    data = now.data
    least = least_costs(data.once(sorted_features), data.signs, now.weights, criterion)
    name, mine = _COSTS[criterion], cost(now.votes.stump(-1), data.X, data.signs, now.weights, criterion)
    sides = (f"{name} of the stump", mine), ("the best of feature", least)
    # stumps that differ by less are taken for equally good
    return Sides.each(*sides, size=1.0, slack=TIE, entries=data.features)


def vote_of_stumps(now: Rounds) -> Answer:
    return Sides.each(("f", now.f), ("Σ α h", now.summed), relation="==", size=now.total, axes=("row",))


def weights_of_votes(now: Rounds, forked: bool) -> Answer:
    margins = now.data.signs * now.f
    sides = [("D", now.weights), ("e^(-y f)/Σ e^(-y f)", exponential(margins))]
    if not forked:
        from_z = np.exp(-margins - now.log_product) / now.data.n
        sides.append(("e^(-y f)/(n ΠZ)", from_z))
    return Sides.each(*sides, relation="==", slack=now.rounding, axes=("row",))


def coin_toss(now: Rounds) -> Answer:
    return Sides(("Σ D y h", float(now.weights @ now.right)), ("0", 0.0), relation="==", size=1.0)  # Σ D


def twice_the_edge(now: Rounds) -> Answer:
    """With the sum over the rows, the ε that was measured, and the weight of the right rows."""
    edge = float(now.weights[now.right > 0].sum()) - 0.5
    return Sides(
        ("Σ D y h", float(now.weights @ now.right)), ("1 - 2 ε", now.z), ("2 γ", 2 * edge), relation="==", size=1.0
    )


def least_at_alpha(now: Rounds) -> Answer:
    alpha, error = float(now.alphas[-1]), now.error
    here, *beside = now.normaliser(np.array([alpha, alpha - AWAY, alpha + AWAY])).tolist()
    least, slack = 2 * float(np.sqrt(error * (1 - error))), 4e-16 / (1 - error)
    return Sides(("Z(α)", here), ("2 √(ε (1 - ε))", least), (f"least of Z(α ± {AWAY:g})", min(beside)), slack=slack)


UNRAVELLED = "D = e^(-y f)/(n ΠZ), and D sums to one: the mean of e^(-y f) is ΠZ"


def theorems(of: RoundsOf) -> tuple[Theorem, ...]:
    """List the theorems.

    Args:
        of: (problem, state) -> the rounds so far on the rows of the problem.
    """

    def sides(answer: Callable[[Rounds], Answer]) -> Callable[[Problem, Any, Any], Answer]:
        return lambda problem, before, after: answer(of(problem, after))

    def test(hypothesis: Test) -> Callable[[Problem, Any], bool | str | DoesNotApply]:
        return lambda problem, state: hypothesis(of(problem, state))

    weighed = {"a stump of z = ±1 stands alone": test(finite_or_alone)}
    wrong_somewhere = {"every stump is wrong somewhere, and right": test(finite)}
    return (
        Theorem(
            "training error <= Π Z <= exp(-2 Σγ²)",
            sides(error_falls),
            source="Freund and Schapire (1997)",
            about="run",
            hypotheses=weighed,
            proof=(
                "a wrong row has y f <= 0, so e^(-y f) >= 1: the error is at most the mean of e^(-y f)",
                UNRAVELLED,
                "Z = √(1 - 4γ²) <= e^(-2γ²), as 1 - u <= e^(-u): the sign of γ does not count",
            ),
        ),
        Theorem(
            "the mean of e^(-y f) is Π Z",
            sides(loss_is_product),
            source="Schapire and Singer (1999)",
            about="run",
            hypotheses=wrong_somewhere,
            proof=(
                "f grows by α h, so e^(-y f) is multiplied by e^(-α y h), whose mean under D is",
                "(1 - ε) e^(-α) + ε e^α = 2 √(ε (1 - ε)) = √(1 - z²) = Z at this α",
                "D is e^(-y f), normalised: so the mean of e^(-y f) is multiplied by Z",
            ),
        ),
        Theorem(
            "no error is left once 2 Σγ² >= ln(2n)",
            sides(no_error_left),
            source="Freund and Schapire (1997)",
            about="run",
            hypotheses={**weighed, "2 Σγ² >= ln(2n)": test(enough)},
            proof=("error <= exp(-2 Σγ²) <= 1/(2n)", "one wrong row would be an error of 1/n"),
        ),
        Theorem(
            f"share(margin <= {NEAR:g}) <= e^({NEAR:g} Σ|α|) Π Z",
            sides(few_small_margins),
            source="Schapire et al. (1998)",
            about="run",
            hypotheses=weighed,
            proof=("y f <= θ Σ|α| makes e^(θ Σ|α| - y f) >= 1: the share is at most the mean of that", UNRAVELLED),
        ),
        Theorem(
            "no feature has a better stump",
            lambda problem, before, after: best_of_every_feature(of(problem, after), problem.parameters.criterion),
            source="Freund and Schapire (1997), the weak learner's task",
            phases=("find",),
            hypotheses={"the best stump is taken": test(chosen)},
            proof=("every feature, and every place between two neighbouring values of it, was tried",),
        ),
        Theorem(
            "f is Σ α h over the stumps",
            sides(vote_of_stumps),
            source="Freund and Schapire (1997)",
            proof=("f starts at 0, and each round adds α h",),
        ),
        Theorem(
            "D is e^(-y f), normalised; from the start e^(-y f)/(n ΠZ)",
            lambda problem, before, after: weights_of_votes(of(problem, after), problem.forked),
            source="Schapire and Singer (1999)",
            phases=("start", "find", "reweight"),
            proof=(
                "D starts as 1/n, where f = 0",
                "f grows by α h, and D is multiplied by e^(-α y h)/Z: both sides by the same",
            ),
        ),
        Theorem(
            "the fresh weights make the stump a coin toss",
            sides(coin_toss),
            source="Freund and Schapire (1997)",
            about="step",
            phases=("reweight",),
            proof=(
                "the right rows weigh (1 - ε) e^(-α)/Z, the wrong ones ε e^α/Z",
                "e^α = √((1 - ε)/ε), so both are √(ε (1 - ε))/Z = ½",
            ),
        ),
        Theorem(
            "Σ D y h = 1 - 2 ε = 2 γ",
            sides(twice_the_edge),
            source="Schapire and Singer (1999)",
            phases=("find",),
            proof=(
                "y h is +1 on the right rows, of weight ½ + γ = 1 - ε, and -1 on the wrong ones, of ½ - γ",
                "so the sum is (½ + γ) - (½ - γ)",
            ),
        ),
        Theorem(
            "Σ D e^(-α y h) is least at α, 2 √(ε (1 - ε))",
            sides(least_at_alpha),
            source="Schapire and Singer (1999)",
            phases=("weigh",),
            hypotheses=wrong_somewhere,
            proof=(
                "in two parts, of right and of wrong rows: Z(α) = (1 - ε) e^(-α) + ε e^α, which is convex",
                "its slope is 0 where e^(2α) = (1 - ε)/ε; there each part is √(ε (1 - ε))",
            ),
        ),
    )
