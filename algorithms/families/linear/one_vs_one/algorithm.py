"""One against one: a classifier for each pair of classes, and the label with most votes.

    problem a, b:   y = +1 for the rows of class a, -1 for those of class b;   f_ab(x) = w_ab·x
    perceptron     a pass:  w_ab <- w_ab + η y x   at each row in turn with y (w_ab·x) <= 0
    least squares  w_ab <- the shortest w of least Σ (1 - y w·x)²
    label          the class with most votes: a has that of its pair where f_ab > 0, b where f_ab < 0

x has the constant 1 appended when there is a bias. There are K(K - 1)/2 problems. Each has the rows of two classes,
2n/K where they are equally many, so it is balanced and small; a round of all visits n(K - 1) rows, where one against
the rest visits nK. None needs another, so any order gives the same classifiers.

Votes can tie, and preferences can go in a circle: a beats b, b beats c, and c beats a. Where every pair has a winner
there are K(K - 1)(2K - 1)/12 - ½ Σ votes² circles of three: none exactly where the votes are 0, 1, ..., K - 1. A row
that none of the K - 1 problems of its class errs on has K - 1 votes for it, and fewer for any other: so at most as many
rows are labelled wrong as there are errors of all problems together. Where a unit vector separates a from b with margin
γ, and no row is longer than R, the perceptron makes at most R²/γ² corrections from w_ab = 0.

References: Novikoff (1962), On convergence proofs on perceptrons, Symposium on the Mathematical Theory of Automata;
Kendall and Babington Smith (1940), On the method of paired comparisons, Biometrika 31; Knerr, Personnaz and Dreyfus
(1990), Single-layer learning revisited, Neurocomputing; Friedman (1996), Another approach to polychotomous
classification; Allwein, Schapire and Singer (2000), Reducing multiclass to binary, JMLR 1.
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
    DoesNotApply,
    Labels,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    Words,
    columns,
    kept,
    numbers,
    theorem,
    through,
)
from algorithms.core.text import counted
from algorithms.data import blobs, iris, penguins, wine
from algorithms.families.linear.one_vs_one import ballots
from algorithms.families.linear.shared.base_problems import (
    Base,
    BaseProblem,
    Classifiers,
    Turns,
    ended,
    followed,
    least_squares,
    longest,
    mislabelled,
    next_problem,
    of_pairs,
    perceptron_pass,
    places_of_plane,
    turn_in_words,
    with_constant,
)
from algorithms.families.linear.shared.base_statements import OF_BASE_PROBLEMS, Worked, ends
from algorithms.families.linear.shared.claims_pictures import base_stage, known_bounds, problem_table
from algorithms.toolbox.panels.confusion import confusion
from algorithms.toolbox.panels.linear import weight_panels

_SHOWN = 8  # rows without a winner
_VOTES = 5  # classes whose votes are shown of them
_COUNTED = 60  # rows and places of which every triple of classes is looked at


class OneVsOneState(Classifiers, frozen=True, kw_only=True):
    """The K(K - 1)/2 classifiers, in the order of the pairs: 0, 1; 0, 2; ..., 1, 2; ..."""


def one_vs_one(
    data: Dataset,
    state: OneVsOneState | None = None,
    *,
    base: Annotated[Base, Meta(description="how each problem of two classes is learnt")] = "perceptron",
    eta: Annotated[float, Meta(ge=1e-3, le=1e3, description="step size η of the perceptron")] = 1.0,
    bias: Annotated[bool, Meta(description="append the constant 1, so that boundaries may miss the origin")] = True,
    turns: Annotated[Turns, Meta(description="a pass for each problem in turn, or one after another")] = "in turn",
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes before a problem is given up")] = 50,
) -> Run[OneVsOneState]:
    problems = data.once(of_pairs, bias)
    if state is None:
        state = OneVsOneState.begun(problems, data.n)
        yield state
    while (k := next_problem(state.passes, state.settled, epochs, turns)) is not None:
        if base == "least squares":
            state = state.after("solve", **state.with_solution(k, least_squares(problems[k].z)))
            yield state
            continue
        made = perceptron_pass(problems[k].z, state.W[k], eta)
        if made.corrected.any():
            state = state.after("pass", **state.with_pass(k, problems[k], made, eta))
            yield state
        else:
            state = state.after("clean", **state.with_pass(k, problems[k], made, eta))
            yield state
    return ended(base, state.settled, epochs)


def problems_of(problem: Problem) -> tuple[BaseProblem, ...]:
    """The problems of two classes."""
    return problem.data.once(of_pairs, problem.parameters.bias)


def worked_on(problem: Problem, state: OneVsOneState) -> Worked:
    return Worked(problems_of(problem), state)


def fitted(problem: Problem, at: Array, W: Array) -> Array:
    """(m, P) f of each pair at (m, d) places."""
    return np.asarray(with_constant(at, problem.parameters.bias) @ W.T)


def votes_at(problem: Problem, at: Array, W: Array) -> Array:
    """(m, K) the votes for each class at (m, d) places."""
    return ballots.votes_of(fitted(problem, at, W), len(problem.data.classes))


@kept
def scores(problem: Problem, state: OneVsOneState) -> Array:
    """(n, P) f of each pair at the rows."""
    return fitted(problem, problem.data.X, state.W)


@kept
def votes(problem: Problem, state: OneVsOneState) -> Array:
    """(n, K) the votes for each class at the rows."""
    return ballots.votes_of(scores(problem, state), len(problem.data.classes))


@kept
def on_plane(problem: Problem, state: OneVsOneState) -> Array:
    """(m, P) f of each pair at the places of the plane."""
    return fitted(problem, problem.data.once(places_of_plane), state.W)


@kept
def votes_on_plane(problem: Problem, state: OneVsOneState) -> Array:
    """(m, K) the votes for each class at the places of the plane."""
    return ballots.votes_of(on_plane(problem, state), len(problem.data.classes))


def predicted(counts: Array) -> Array:
    """(m,) the class with most votes of (m, K), the first of those that tie."""
    return np.asarray(counts.argmax(axis=1))


def most_voted(counts: Array) -> Array:
    """(m, K) bool: the classes with most votes, none where nobody has any."""
    most = counts.max(axis=1, keepdims=True)
    return np.asarray((counts == most) & (most > 0))


def tied(counts: Array) -> Array:
    """(m,) bool: whether two classes or more have most votes."""
    return np.asarray(most_voted(counts).sum(axis=1) > 1)


@kept
def wrong(problem: Problem, state: OneVsOneState) -> Array:
    """(n,) bool: the rows whose label is wrong."""
    counts = votes(problem, state)
    return mislabelled(predicted(counts), np.asarray(counts.any(axis=1)), np.asarray(problem.data.y))


def error(problem: Problem, state: OneVsOneState) -> float:
    return float(wrong(problem, state).mean())


def tied_rows(problem: Problem, state: OneVsOneState) -> float:
    return float(tied(votes(problem, state)).mean())


def tied_plane(problem: Problem, state: OneVsOneState) -> float:
    return float(tied(votes_on_plane(problem, state)).mean())


@kept
def circling_rows(problem: Problem, state: OneVsOneState) -> Array:
    """(n,) bool: rows at which the preferences go in a circle."""
    return ballots.in_circle(votes(problem, state), (scores(problem, state) != 0).all(axis=1))


@kept
def circling_plane(problem: Problem, state: OneVsOneState) -> Array:
    """(m,) bool: places at which they do."""
    return ballots.in_circle(votes_on_plane(problem, state), (on_plane(problem, state) != 0).all(axis=1))


def circle_of_rows(problem: Problem, state: OneVsOneState) -> float:
    return float(circling_rows(problem, state).mean())


def circle_of_plane(problem: Problem, state: OneVsOneState) -> float:
    return float(circling_plane(problem, state).mean())


@kept
def errors(problem: Problem, state: OneVsOneState) -> Array:
    """(P,) how many rows of each problem are not on their side."""
    f = scores(problem, state)
    return np.array([(f[of.rows, k] * of.signs <= 0).sum() for k, of in enumerate(problems_of(problem))])


def every_pair(problem: Problem, state: OneVsOneState) -> bool | str:
    silent = int(np.count_nonzero(~state.W.any(axis=1)))
    return not silent or f"{counted(silent, 'pair')} with w = 0 have no winner anywhere"


@kept
def circling_place(problem: Problem, state: OneVsOneState) -> Array | None:
    """(d,) a place amid those where the preferences go in a circle, None where there are none."""
    at = problem.data.once(places_of_plane)[circling_plane(problem, state)]
    if not len(at):
        return None
    return np.asarray(at[np.abs(at - at.mean(axis=0)).sum(axis=1).argmin()])


def scene(problem: Problem, before: OneVsOneState | None, after: OneVsOneState) -> Scene:
    data, bias, problems = problem.data, problem.parameters.bias, problems_of(problem)
    place = circling_place(problem, after)
    there = () if place is None else (Labels(at=place[None], texts=("a circle",), tones=("accent",)),)
    stage = base_stage(
        data,
        problems,
        after,
        before,
        bias,
        claims=lambda at: most_voted(votes_at(problem, at, after.W)),
        crossed=wrong(problem, after),
        title="most votes",
        several="a tie",
        more=there,
    )
    table = problem_table(problems, after, known_bounds(problem, problems, after), errors(problem, after), {})
    k = max(after.worked, 0)
    weights = weight_panels(data, after.W[k], bias, None if before is None else before.W[k])
    ballot = (*ballot_there(problem, after), *without_winner(problem, after))
    return Scene(
        (stage, table, so_far(problem, after), *ballot, confusion(data, predicted(votes(problem, after))), *weights)
    )


def so_far(problem: Problem, state: OneVsOneState) -> Panel:
    return numbers(
        {
            "problems K(K - 1)/2": len(state.W),
            "rows in a round, n(K - 1)": sum(len(of.rows) for of in problems_of(problem)),
            "rows tied": int(tied(votes(problem, state)).sum()),
            "rows in a circle": int(circling_rows(problem, state).sum()),
            "plane tied": f"{tied_plane(problem, state):.1%}",
            "plane in a circle": f"{circle_of_plane(problem, state):.1%}",
            "rows labelled wrong": int(wrong(problem, state).sum()),
            "errors of all problems": int(errors(problem, state).sum()),
        }
    )


def ballot_there(problem: Problem, state: OneVsOneState) -> tuple[Panel, ...]:
    """How each pair votes at a place where the preferences go in a circle; no panel where there is none."""
    place = circling_place(problem, state)
    if place is None:
        return ()
    data, f = problem.data, fitted(problem, place[None], state.W)[0]
    names, winners, losers = data.classes, [], []
    for of, value in zip(problems_of(problem), f):
        first, second = (of.positive, of.negative) if value > 0 else (of.negative, of.positive)
        winners.append(first)
        losers.append(second)
    heads = {"winner": [names[a] for a in winners], "beats": [names[b] for b in losers], "|f|": np.abs(f)}
    return (columns("votes at the circle", heads, tones=tuple(winners)),)


def without_winner(problem: Problem, state: OneVsOneState) -> tuple[Panel, ...]:
    """The votes of the rows that tie; no panel where none does."""
    data, counts = problem.data, votes(problem, state)
    among = np.flatnonzero(tied(counts))
    rows, y = among[:_SHOWN], np.asarray(data.y)
    if not len(rows):
        return ()
    heads = {"row": rows, "is": [data.classes[y[i]] for i in rows]}
    heads |= {name: counts[rows, k] for k, name in enumerate(data.classes[:_VOTES])}
    return (columns("rows that tie", heads, f"{len(among)} of {data.n}", tones=tuple(int(y[i]) for i in rows)),)


def explain(problem: Problem, before: OneVsOneState | None, after: OneVsOneState) -> str:
    data, k = problem.data, after.worked
    if k < 0:
        problems, rows = counted(len(after.W), "problem"), sum(len(of.rows) for of in problems_of(problem))
        return f"{problems}, one a pair of classes, of {rows} rows together. All w = 0, and nobody votes."
    of = problems_of(problem)[k]
    a, b = data.classes[of.positive], data.classes[of.negative]
    plus = int(np.count_nonzero(of.signs > 0))
    pair = f"{a} ({counted(plus, 'row')}) against {b} ({len(of.rows) - plus})"
    now = f"{int(wrong(problem, after).sum())} of {data.n} rows are labelled wrong. {circle_words(problem, after)}"
    return Words.of(turn_in_words(after, pair, before is None), now)


def circle_words(problem: Problem, state: OneVsOneState) -> str:
    """Where the preferences go in a circle, and how; else how many rows tie."""
    place = circling_place(problem, state)
    if place is None:
        ties = int(tied(votes(problem, state)).sum())
        return f"{counted(ties, 'row')} with a tie, and nowhere on the plane a circle of classes that beat each other."
    names = problem.data.classes
    beaten = ballots.wins(fitted(problem, place[None], state.W), len(names))[0]
    a, b, c = (names[i] for i in ballots.a_circle(beaten) or (0, 0, 0))
    share = f"{circle_of_plane(problem, state):.1%} of the plane"
    return f"On {share} there is a circle: {a} beats {b}, which beats {c}, which beats {a}."


SYMBOLS = {
    "K": ("classes; there are K(K - 1)/2 pairs", lambda problem, state: len(problem.data.classes)),
    "w": ("weights of a problem, the bias last", None),
    "f": ("w·x: the first class of a pair has its vote where it is above 0, the second below", None),
    "v": ("votes of a class: how many others it beats", None),
    "x, y": ("a row, with 1 appended when there is a bias; +1 if it is of the first class, else -1", None),
    "η": ("step size of the perceptron", lambda problem, state: problem.parameters.eta),
    "m": ("corrections of a problem", lambda problem, state: float(state.mistakes[max(state.worked, 0)])),
    "w*": ("the unit vector that separates the two classes of a problem most widely", None),
    "γ": ("least y x·w* of a row of the problem", None),
    "R": (
        "length of the longest row of a problem",
        lambda problem, state: longest(problems_of(problem)[max(state.worked, 0)].z),
    ),
    "a, b": ("the two classes of a problem", None),
}


@theorem(
    "rows labelled wrong <= errors of all problems",
    source="Allwein, Schapire and Singer (2000)",
    proof=(
        "a row that no problem of its class errs on has K - 1 votes for it,",
        "and another class, which has lost to it, at most K - 2; else there is an error",
    ),
)
def reduction(problem: Problem, before: OneVsOneState | None, after: OneVsOneState) -> Answer:
    return Sides(("rows wrong", int(wrong(problem, after).sum())), ("Σ errors", int(errors(problem, after).sum())))


@theorem(
    "circles of three = K(K - 1)(2K - 1)/12 - ½ Σ votes²",
    source="Kendall and Babington Smith (1940)",
    hypotheses={"every pair votes": every_pair},
    proof=(
        "three classes in no circle have exactly one that beats both others",
        "a class with v votes beats both others of v(v - 1)/2 triples",
        "circles = K(K - 1)(K - 2)/6 - Σ v(v - 1)/2, and Σ v = K(K - 1)/2",
    ),
)
def circles(problem: Problem, before: OneVsOneState | None, after: OneVsOneState) -> Answer:
    k = len(problem.data.classes)
    if k < 3:
        return DoesNotApply("two classes make no circle")
    f = np.concatenate([scores(problem, after), on_plane(problem, after)])
    looked_at = np.arange(len(f))[:: 1 + len(f) // _COUNTED]
    looked_at = looked_at[(f[looked_at] != 0).all(axis=1)]
    f, n = f[looked_at], problem.data.n
    if not len(f):
        return DoesNotApply("at every place some pair has no winner")
    one_by_one = ballots.circles_counted(ballots.wins(f, k))
    return Sides.each(
        ("circles", one_by_one),
        ("K(K-1)(2K-1)/12 - ½Σv²", ballots.circles_by_votes(ballots.votes_of(f, k))),
        relation="==",
        entries=[f"row {i}" if i < n else f"place {i - n} of the plane" for i in looked_at.tolist()],
    )


THEOREMS = (
    reduction,
    circles,
    *through(worked_on, *OF_BASE_PROBLEMS),
)

ALGORITHM = Algorithm(
    one_vs_one,
    title="One against one",
    point="Each pair of classes draws its own border; a place goes to the class with most votes.",
    after=("one_vs_rest",),
    also=("ovo",),
    leaves_open="No theorem says how wrong the vote is where the pairs are solved.",
    tries=(("least squares", "-p 'base=least squares'"), ("five classes, ten pairs", "--data blobs:n=150,k=5")),
    asks=(
        Ask("Is the next pass without a mistake?", "clean"),
        Ask.way("After the next pass: what does the training error do?", '"training error"'),
    ),
    summary="Learns to tell the classes of each pair apart, and gives a place the label with most votes.",
    rule="pair a, b: y = +1 for rows of a, -1 for rows of b\n"
    "perceptron: w <- w + η y x  where y (w·x) <= 0\n"
    "least squares: w of least Σ (1 - y w·x)²\n"
    "label: the class with most votes, a if w·x > 0, b if < 0",
    # beyond, squares of lengths and their products overflow or vanish
    needs=Needs(target="class", within=(1e-50, 1e50)),
    phases={
        "start": "w = 0 for every pair",
        "pass": "a pass over the rows of one pair, with mistakes",
        "clean": "a pass without a mistake: this pair is done",
        "solve": "one pair solved by least squares",
    },
    events=("clean",),
    start_only=("bias",),
    curves=(
        Curve("error", error, "share of wrong rows", held_out=True),
        Curve("share of rows tied", tied_rows, "share with most votes for two", chart="rows by votes"),
        Curve("share of rows in a circle", circle_of_rows, "a beats b beats c beats a", chart="rows by votes"),
        Curve("share of plane tied", tied_plane, "share of the plane", chart="plane by votes"),
        Curve("share of plane in a circle", circle_of_plane, "a beats b beats c beats a", chart="plane by votes"),
        Curve("mistakes", lambda problem, state: float(state.mistakes.sum()), "corrections of all problems"),
    ),
    objective={},
    theorems=THEOREMS,
    ends=ends(problems_of),
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=followed,
    datasets=(
        iris.with_(columns=("petal_length_cm", "petal_width_cm"), scale=True),
        blobs.with_(k=5, n=150, hold_out=0.25),
        penguins.with_(columns=("bill_length_mm", "flipper_length_mm"), scale=True),
        wine.with_(scale=True, hold_out=0.25),
    ),
)
