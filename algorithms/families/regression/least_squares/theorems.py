"""What holds of a projection at every step: both sides of every statement, and why it is so."""

from math import log

import numpy as np

from algorithms.core import Answer, DoesNotApply, Problem, Sides, Undecided, theorem
from algorithms.families.regression.least_squares.gaussian_noise import log_density
from algorithms.families.regression.least_squares.orthogonal import taken_by
from algorithms.families.regression.least_squares.projection import Projection


def some_used(problem: Problem, now: Projection) -> bool:
    return bool(now.counted)


def sure(problem: Problem, now: Projection) -> bool | Undecided:
    return now.reference.sure or Undecided("columns are so nearly dependent that rounding decides")


KNOWN = {"a column is used": some_used, "rounding does not decide which columns depend on others": sure}


@theorem(
    "r is orthogonal to every column used: Xᵀr = 0",
    source="Gauss (1809)",
    hypotheses=KNOWN,
    proof=("r = y - Σ (q·y) q, so q·r = 0 for every q", "a column used is a sum of the q"),
)
def stands(problem: Problem, before: Projection | None, now: Projection) -> Answer:
    X = now.of.X[:, now.counted]
    size = np.linalg.norm(X, axis=0) * now.of.reach
    names = [now.of.names[j] for j in now.counted]
    return Sides.each(("x·r", now.r @ X), ("0", 0.0), relation="==", size=size, entries=names)


@theorem(
    "‖y‖² = ‖ŷ‖² + ‖r‖²",
    source="Gauss (1809), after Pythagoras",
    proof=("y = ŷ + r, and ŷ, a sum of the q, is orthogonal to r: ‖y‖² = ‖ŷ‖² + 2 ŷ·r + ‖r‖²",),
)
def pythagoras(problem: Problem, before: Projection | None, now: Projection) -> Answer:
    both = float(now.fitted @ now.fitted) + now.rss
    return Sides(("‖y‖²", now.of.reach**2), ("‖ŷ‖² + ‖r‖²", both), relation="==", size=now.of.reach**2)


@theorem(
    "‖r‖² falls by (q·r)², so ‖r‖ never rises",
    source="Schmidt (1907)",
    about="step",
    phases=("project",),
    proof=("r' = r - (q·r) q with ‖q‖ = 1", "‖r'‖² = ‖r‖² - 2 (q·r)² + (q·r)²"),
)
def falls(problem: Problem, before: Projection, now: Projection) -> Answer:
    z, r = before.part, before.r
    taken = float(z @ r / np.linalg.norm(z)) ** 2
    was, size = before.rss, now.of.reach**2
    return Sides(("‖r'‖²", now.rss), ("‖r‖² - (q·r)²", was - taken), relation="==", size=size)


@theorem(
    "a column more never raises RSS",
    source="Gauss (1809)",
    about="step",
    phases=("project", "dependent"),
    proof=("the span with the column has the one without it in it", "so the nearest point of it to y is no farther"),
)
def never_raises(problem: Problem, before: Projection, now: Projection) -> Answer:
    return Sides(("RSS with it", now.rss), ("RSS without", before.rss), size=now.of.reach**2)


@theorem(
    "z is orthogonal to all columns before: q·z = 0",
    source="Schmidt (1907); twice: Giraud et al. (2005)",
    phases=("orthogonalise",),
    proof=("q_k·z = q_k·x - Σ (q·x) (q_k·q), and q_k·q is 1 for q_k itself, 0 for the others",),
)
def at_right_angles(problem: Problem, before: Projection | None, now: Projection) -> Answer:
    if not now.directions:
        return DoesNotApply("it is the first column")
    size = float(np.linalg.norm(now.column))
    along, names = np.stack(now.directions) @ now.part, [f"q of {now.of.names[j]}" for j in now.used]
    return Sides.each(("q·z", along), ("0", 0.0), relation="==", size=size, entries=names)


@theorem(
    "ŷ is nearest to y: ŷ = XX⁺y of the columns used",
    source="Penrose (1956)",
    hypotheses=KNOWN,
    proof=("the q have the span of the columns, and XX⁺ is the projection on it", "ŷ = Σ (q·y) q is that of y"),
)
def nearest(problem: Problem, before: Projection | None, now: Projection) -> Answer:
    of, y = now.reference, now.of.y
    size = of.condition * now.of.reach  # rounding comes through the more the nearer columns are to dependent
    return Sides.each(("ŷ", now.fitted), ("XX⁺y", of.fitted(y)), relation="==", size=size, axes=("row",))


@theorem(
    "a dependent column adds exactly nothing",
    source="Penrose (1956)",
    phases=("dependent",),
    hypotheses=KNOWN,
    proof=("x = Σ (q·x) q lies in the span: with it the span, and so the nearest ŷ, is the same",),
)
def adds_nothing(problem: Problem, before: Projection | None, now: Projection) -> Answer:
    of, y = now.reference, now.of.y
    r = y - of.fitted(y)
    size = of.condition * now.of.reach**2
    return Sides(("least RSS with it", float(r @ r)), ("RSS without", now.rss), relation="==", size=size)


@theorem(
    "there are as many directions as independent columns",
    source="Schmidt (1907)",
    phases=("project", "dependent"),
    hypotheses=KNOWN,
    proof=("a direction comes with each column that does not lie in the span, and with no other",),
)
def as_many(problem: Problem, before: Projection | None, now: Projection) -> Answer:
    rank = now.reference.U.shape[1]
    return Sides(("directions", len(now.directions)), ("rank of the columns", rank), relation="==")


def independent(problem: Problem, now: Projection) -> bool | str:
    return now.reference.independent or "columns depend on others: w is one of many that fit alike"


@theorem(
    "w = X⁺y where the columns used are independent",
    source="Penrose (1956)",
    phases=("project",),
    hypotheses={**KNOWN, "the columns used are independent": independent},
    proof=("Xw = ŷ = XX⁺y, and Xv = 0 for v = 0 alone",),
)
def solution(problem: Problem, before: Projection | None, now: Projection) -> Answer:
    X, y = now.of.X, now.of.y
    used, of = list(now.counted), now.reference
    lengths = np.linalg.norm(X[:, used], axis=0)
    size = of.condition**2 * now.of.reach / np.where(lengths > 0, lengths, 1.0)
    names = [now.of.names[j] for j in used]
    return Sides.each(("w", now.w[used]), ("X⁺y", of.shortest(y)), relation="==", size=size, entries=names)


@theorem(
    "2σ²(log L* - log L) = RSS - RSS*",
    source="Gauss (1809)",
    proof=(
        "for all n rows, log L = Σ -(y - x·w)²/(2σ²) - n ln(σ√(2π)); the last does not depend on w",
        "so it is greatest where RSS is least: the likeliest w is that of least squares",
    ),
)
def likeliest(problem: Problem, before: Projection | None, now: Projection) -> Answer:
    X, y, sigma = now.of.X, now.of.y, now.sigma
    best = y - now.of.whole.fitted(y)
    gap = 2 * sigma**2 * (log_density(best, sigma) - now.likelihood)
    added = float((np.abs(X) @ np.abs(now.w) + np.abs(y)).max())
    size = len(y) * (added**2 + 2 * sigma**2 * abs(log(sigma) + 1))
    more = now.rss - float(best @ best)
    return Sides(("2σ²(log L* - log L)", gap), ("RSS - RSS*", more), relation="==", size=size)


@theorem(
    "the column in hand is the one whose turn it is",
    source="Efroymson (1960) for the greatest fall",
    phases=("orthogonalise",),
    proof=(
        "given: the first column left; so they come by their number",
        "greatest fall: ‖r‖² would fall by (z·r)²/‖z‖²; the column with the greatest is taken",
    ),
)
def none_falls_more(problem: Problem, before: Projection | None, now: Projection) -> Answer:
    if now.order == "given":
        first = min(set(range(now.of.X.shape[1])) - set(now.seen[:-1]))
        return Sides(("first column left", first), ("its number", now.seen[-1]), relation="==")
    if now.of.intercept and len(now.seen) == 1:
        return DoesNotApply("the constant comes first, whatever it takes")
    X, r = now.of.X, now.r
    left = [j for j in range(X.shape[1]) if j not in now.seen[:-1]]
    takes = taken_by(X[:, left], now.directions, r)
    sides = ("(q·r)²", takes), ("(z·r)²/‖z‖²", takes[left.index(now.seen[-1])])
    return Sides.each(*sides, size=now.of.reach**2, entries=[now.of.names[j] for j in left])


THEOREMS = (
    nearest,
    stands,
    pythagoras,
    falls,
    at_right_angles,
    adds_nothing,
    as_many,
    solution,
    likeliest,
    never_raises,
    none_falls_more,
)
