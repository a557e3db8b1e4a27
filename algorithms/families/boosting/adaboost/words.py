"""What is said of the steps of AdaBoost, with this step's numbers."""

import numpy as np

from algorithms.core import Words
from algorithms.families.boosting.adaboost.pictures import half_log
from algorithms.families.boosting.adaboost.rounds import Rounds
from algorithms.families.boosting.shared.stumps_pictures import in_words


def wrong_rows(now: Rounds) -> str:
    """How many rows the current stump gets wrong: "1 row"."""
    wrong = int((now.right < 0).sum())
    return f"{wrong} row{'s' * (wrong != 1)}"


def start(now: Rounds) -> str:
    return f"Each of the {now.data.n} rows weighs 1/{now.data.n}. There is no vote yet, so none is right."


def find(now: Rounds, criterion: str) -> str:
    stump = f"Stump {len(now.errors)} says {in_words(now.data, now.votes.stump(-1))}."
    if not now.best:
        toss = " More than half: its opposite is better." if now.z < 0 else ""
        wrong = f"wrong on {wrong_rows(now)} with {now.error:.3g} of the weight (yellow)"
        return f"{stump} It is drawn at random, and {wrong}.{toss}"
    best = "the least of all stumps" if criterion == "error" else "and splits the weight best"
    return f"{stump} It is wrong on {wrong_rows(now)} with {now.error:.3g} of the weight (yellow), {best}."


def vote(now: Rounds, held_out: tuple[int, int] | None) -> str:
    """What the vote is wrong on: of the rows, and of those held out as (wrong, all)."""
    aside = "" if held_out is None else f", and on {held_out[0]} of {held_out[1]} held out"
    return f"The vote is wrong on {int(now.wrong.sum())} of {now.data.n} rows{aside}."


def weigh(now: Rounds, held_out: tuple[int, int] | None) -> str:
    error, alpha, z = now.error, float(now.alphas[-1]), now.z
    so_far = vote(now, held_out)
    if error in (0, 1):
        which, endless = ("right", "infinite") if error == 0 else ("wrong", "minus infinity")
        made = f"The stump is {which} on every row, so z = {z:g} and α would be {endless}; it gets {alpha:g}."
        return Words.of(made, so_far)
    weighs = f"weighs α = {half_log(error, alpha)}, and Z = {np.sqrt(1 - z * z):.3g}"
    if z < 0:
        return Words.of(f"z = 1 - 2 ε = {z:.3g} < 0: the vote counts the stump's opposite, as it {weighs}.", so_far)
    return Words.of(f"z = 1 - 2 ε = {z:.3g}, so the stump's vote {weighs}.", so_far)


def reweight(before: Rounds | None, now: Rounds, held_out: tuple[int, int] | None) -> str:
    data, heaviest, rows = now.data, int(now.weights.argmax()), wrong_rows(now)
    if before is not None:
        times = 0.5 / now.error
        made = f"The weight of what the stump got wrong, {rows}, is multiplied by {times:.3g}: half of all weight now."
    else:
        share = float(now.weights[now.right < 0].sum())
        made = (
            f"Each row weighs as the vote does on it; what the last stump gets wrong, {rows}, holds {share:.3g} of it."
        )
    times = float(now.weights[heaviest]) * data.n
    many = int((now.weights >= now.weights[heaviest] * (1 - 1e-9)).sum())
    is_it = "is the heaviest" if many == 1 else f"is one of {many} heaviest"
    return Words.of(f"{made} {data.who(heaviest)} {is_it}, {times:.3g} times its share.", vote(now, held_out))
