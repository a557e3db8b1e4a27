"""Majority vote: voters that are each wrong with chance p join one by one, and half of them outvote the others.

    join   P(k of n wrong) <- q P(k of n - 1 wrong) + p P(k - 1 of n - 1 wrong),   q = 1 - p
    vote   a voter answers in every round; the majority is wrong where half of the n or more are

Voters that err alone make a binomial. Its upper half, the chance that the majority is wrong, is by Hoeffding

    P(n)  =  Σ_{k >= n/2} C(n, k) p^k q^(n-k)  <=  exp(-2n(½ - p)²)  <=  exp(-n(½ - p)²)     for p <= ½,

and the other way round it turns: for p > ½ the majority is right at most so often. A tie counts as wrong, so a voter
that makes n even can do harm only, and it is over odd n that more voters help, if p < ½, or harm, if p > ½:

    P(2m) = P(2m - 1) + C(2m - 1, m) (p q)^m,     P(2m + 1) = P(2m - 1) - (1 - 2p) C(2m - 1, m) (p q)^m.

Where the voters all copy the first one in a share ρ of the rounds, the majority is wrong with ρ p + (1 - ρ) P(n): never
less than ρ p, however many join. Whatever the voters do, a wrong majority takes half of them, so over any rounds it is
wrong at most twice as often as they are on average.

References: Condorcet (1785), Essai sur l'application de l'analyse à la probabilité des décisions rendues à la pluralité
des voix; Hoeffding (1963), Probability inequalities for sums of bounded random variables, Journal of the American
Statistical Association 58(301), section 2; Ladha (1992), The Condorcet jury theorem, free speech and correlated votes,
American Journal of Political Science 36(3); Langford and Shawe-Taylor (2003), PAC-Bayes and margins, section 2;
Telgarsky (2018), CS 446 Machine Learning, lecture 10.
"""

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Annotated, TypeAlias

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Contrast,
    Curve,
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
    Words,
    kept,
    numbers,
    theorem,
)
from algorithms.core.curves import Variable
from algorithms.families.ensembles.majority_vote.binomials import binomial, half_or_more, in_the_balance, joined
from algorithms.families.ensembles.majority_vote.pictures import tail_panel, voters_panel, wrong_table
from algorithms.families.ensembles.majority_vote.voters import answers, drawn

_SURE = 2.0  # deviations of a measured share
_LEAST = 1e-300  # below it numbers have no digits to spare
_LOST = 1e-12  # of a chance: a smaller difference is rounding


class MajorityVoteState(State, frozen=True, kw_only=True):
    chances: Array  # (n + 1,) that none, one, ..., all of the n voters are wrong where each errs alone
    wrong: Array  # (rounds,) how many of those who have voted are wrong in each round
    errors: Array  # (voted,) in how many rounds each of them is


Measure: TypeAlias = Callable[[Problem, MajorityVoteState], float]


def majority_vote(
    state: MajorityVoteState | None = None,
    *,
    p: Annotated[float, Meta(ge=0, le=1, description="chance that a voter is wrong")] = 0.4,
    rho: Annotated[float, Meta(ge=0, le=1, description="ρ, chance of a round in which all copy the first voter")] = 0.0,
    voters: Annotated[int, Meta(ge=1, le=501, description="voters at most")] = 25,
    rounds: Annotated[int, Meta(ge=1, le=10_000, description="rounds of votes")] = 400,
    seed: Annotated[Seed, Meta(description="of the answers")] = 0,
) -> Run[MajorityVoteState]:
    if state is None:
        state = nobody(rounds)
        yield state
    while (n := len(state.chances) - 1) < voters or state.phase == "join":
        if state.phase != "join":
            n = n + 1
            state = state.after("join", iteration=n, chances=joined(state.chances, p))
            yield state
        wrong = answers(n, p, rho, rounds, seed)
        state = state.after("vote", wrong=state.wrong + wrong, errors=np.append(state.errors, wrong.sum()))
        yield state
    return f"{n} voter{'s' * (n > 1)}"


def nobody(rounds: int) -> MajorityVoteState:
    """No voter: surely none is wrong."""
    return MajorityVoteState(chances=np.ones(1), wrong=np.zeros(rounds, np.int64), errors=np.zeros(0, np.int64))


def adapt(before: Problem, after: Problem, state: MajorityVoteState, rows: Array) -> MajorityVoteState:
    """As many voters, as if they had been so from the first on."""
    p = after.parameters
    votes = np.stack([answers(v, p.p, p.rho, p.rounds, p.seed) for v in range(len(state.errors) + 1)])[1:]
    chances = np.ones(1)
    for _ in range(voters_of(state)):
        chances = joined(chances, p.p)
    return state.replaced(chances=chances, wrong=votes.sum(axis=0), errors=votes.sum(axis=1))


def voters_of(state: MajorityVoteState) -> int:
    return len(state.chances) - 1


def alone(problem: Problem, state: MajorityVoteState) -> float:
    """P(n), the chance that the majority is wrong where nobody copies; NaN without a voter."""
    return half_or_more(state.chances) if voters_of(state) else np.nan


def together(problem: Problem, state: MajorityVoteState) -> Array:
    """(n + 1,) the chances that so many are wrong in any round, copied or not."""
    p, n = problem.parameters, voters_of(state)
    chances = np.asarray((1.0 - p.rho) * state.chances)
    chances[0] += p.rho * (1.0 - p.p) if n else p.rho
    chances[n] += p.rho * p.p if n else 0.0
    return chances


def majority_wrong(problem: Problem, state: MajorityVoteState) -> float:
    return half_or_more(together(problem, state)) if voters_of(state) else np.nan


@kept
def outvoted(problem: Problem, state: MajorityVoteState) -> Array:
    """(rounds,) bool: where half of those who have voted, or more, are wrong."""
    voted = len(state.errors)
    return np.asarray(2 * state.wrong >= voted) if voted else np.zeros(len(state.wrong), bool)


def measured(problem: Problem, state: MajorityVoteState) -> float:
    """The share of rounds in which the majority is wrong; NaN before the first vote."""
    return float(outvoted(problem, state).mean()) if len(state.errors) else np.nan


def one_wrong(problem: Problem, state: MajorityVoteState) -> float:
    """The mean share of rounds in which a voter is wrong."""
    return float(state.errors.mean()) / len(state.wrong) if len(state.errors) else np.nan


def exponent(problem: Problem, state: MajorityVoteState) -> float:
    """n(½ - p)²."""
    return float(voters_of(state) * (0.5 - problem.parameters.p) ** 2)


def hoeffding(problem: Problem, state: MajorityVoteState) -> float:
    """exp(-2n(½ - p)²), NaN where it bounds nothing."""
    p = problem.parameters
    return float(np.exp(-2.0 * exponent(problem, state))) if p.rho == 0 and p.p <= 0.5 else np.nan


def nobody_copies(problem: Problem, state: MajorityVoteState) -> bool | str:
    return problem.parameters.rho == 0 or f"in a share ρ = {problem.parameters.rho:g} of the rounds all copy"


def some_copy(problem: Problem, state: MajorityVoteState) -> bool | str:
    return problem.parameters.rho > 0 or "nobody copies: ρ = 0"


def somebody(problem: Problem, state: MajorityVoteState) -> bool | str:
    return voters_of(state) > 0 or "nobody has joined"


def even(problem: Problem, state: MajorityVoteState) -> bool | str:
    return voters_of(state) % 2 == 0 or f"n = {voters_of(state)} is odd"


def odd(problem: Problem, state: MajorityVoteState) -> bool | str:
    n = voters_of(state)
    return (n > 1 and n % 2 == 1) or (f"n = {n} is even" if n % 2 == 0 else "there is no n - 2 = -1")


def everybody(problem: Problem, state: MajorityVoteState) -> Sides:
    """As many have voted as there may be voters."""
    return Sides(("voters", problem.parameters.voters), ("voted", len(state.errors)))


def scene(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> Scene:
    p, n, chances = problem.parameters, voters_of(after), together(problem, after)
    all_voted = len(after.errors) == n > 0
    seen = np.bincount(after.wrong, minlength=n + 1) / len(after.wrong) if all_voted else None
    share = measured(problem, after) if all_voted else np.nan
    of_each = after.errors / len(after.wrong)
    voters = voters_panel(of_each, p.voters, p.p, share, majority_wrong(problem, after))
    return Scene((tail_panel(chances, seen, p.p), voters, wrong_table(chances, seen), numbers(so_far(problem, after))))


def so_far(problem: Problem, state: MajorityVoteState) -> dict[str, float | None]:
    """The chance, what was measured, and the bounds."""
    p, n = problem.parameters, voters_of(state)
    far = hoeffding(problem, state)
    return {
        "n": n,
        "P(majority wrong)": majority_wrong(problem, state),
        "share of rounds": measured(problem, state) if len(state.errors) == n else None,
        "a voter, on average": one_wrong(problem, state),
        "exp(-2n(½ - p)²)": far,
        "exp(-n(½ - p)²)": sqrt(far),
        "all wrong": float(together(problem, state)[-1]) if n else None,
        "ρp, whatever n": p.rho * p.p if p.rho else None,
    }


def explain_start(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> str:
    p = problem.parameters
    copies = f" In a share {p.rho:g} of the {p.rounds:,} rounds all will copy the first." if p.rho else ""
    return f"Nobody has joined. Each voter is wrong with chance p = {p.p:g}.{copies}"


def explain_join(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> str:
    n, now, most = voters_of(after), majority_wrong(problem, after), voters_of(after) // 2 + 1
    if n == 1:
        return f"Voter 1 joins and is the majority: it is wrong with chance {now:.3g}."
    if n % 2 == 0:
        return (
            f"Voter {n} joins. {n // 2} of {n} wrong is a tie, and counts as wrong: the majority's chance goes from "
            f"{chance_of(problem, n - 1):.3g} to {now:.3g}. A voter that makes n even cannot help."
        )
    less = chance_of(problem, n - 2) - now
    than = f"{abs(less):.2g} {'less' if less > 0 else 'more'} than with" if abs(less) > _LOST else "as with"
    return f"Voter {n} joins. The majority of {n} is wrong where {most} or more are: chance {now:.3g}, {than} {n - 2}."


def explain_vote(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> str:
    n, R, chance = len(after.errors), len(after.wrong), majority_wrong(problem, after)
    own, lost = int(after.errors[-1]), int(outvoted(problem, after).sum())
    deviation = _SURE * sqrt(max(chance * (1.0 - chance), 0.0) / R)
    those = f"The majority, {(n + 1) // 2} or more of {n}, is wrong" if n > 1 else "So the majority is wrong"
    expected = f"{chance:.1%} ± {deviation:.1%} is expected"
    return Words.of(
        f"Voter {n} is wrong in {own} of {R:,} rounds, {own / R:.1%}.",
        f"{those} in {lost} of {R:,} rounds, {lost / R:.1%}; {expected}.",
    )


def letter_m(problem: Problem, state: MajorityVoteState) -> float | None:
    return voters_of(state) // 2 or None


def of_odd(measure: Measure, odd: int = 1) -> Measure:
    """A number over the odd n alone, or over the even ones: over all of them it goes up and down."""

    def measured_there(problem: Problem, state: MajorityVoteState) -> float:
        return measure(problem, state) if voters_of(state) % 2 == odd else np.nan

    return measured_there


def chance_of(problem: Problem, n: int) -> float:
    """The chance that the majority of n voters is wrong."""
    p = problem.parameters
    return float(p.rho * p.p + (1.0 - p.rho) * half_or_more(binomial(n, p.p)))


def last_expected(problem: Problem, values: Mapping[str, Array]) -> float:
    """P(n) of as many voters as the runs have."""
    return chance_of(problem, problem.parameters.voters)


SOMEBODY = {"somebody has joined": somebody}


@theorem(
    "P(n) <= exp(-2n(½ - p)²) <= exp(-n(½ - p)²); p > ½ turns it",
    source="Hoeffding (1963); the second by Telgarsky (2018)",
    phases=("join", "vote"),
    hypotheses=SOMEBODY | {"nobody copies": nobody_copies},
    proof=(
        "let S be wrong: for every s >= 0, P(S >= n/2) <= the mean of e^(s(S - n/2)) (Markov)",
        "nobody copies, so that mean is a product, of n times the same: (e^(-s/2) (q + p e^s))^n",
        "ln(q + p e^s) <= sp + s²/8, for its second derivative in s is a variance on [0, 1], <= ¼",
        "p <= ½: s = 4(½ - p) >= 0 makes -s/2 + sp + s²/8 least: -2(½ - p)²",
        "p > ½: the same of those who are right, q < ½: more than half are with that chance at most",
    ),
)
def few_are_outvoted(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> Answer:
    far, wrong = exponent(problem, after), alone(problem, after)
    hoeffding, lecture = float(np.exp(-2.0 * far)), float(np.exp(-far))
    if problem.parameters.p > 0.5:
        return Sides(("1 - exp(-n(½ - p)²)", 1 - lecture), ("1 - exp(-2n(½ - p)²)", 1 - hoeffding), ("P(n)", wrong))
    return Sides(("P(n)", wrong), ("exp(-2n(½ - p)²)", hoeffding), ("exp(-n(½ - p)²)", lecture))


@theorem(
    "P(k wrong) = C(n, k) p^k q^(n-k)",
    source="Bernoulli (1713)",
    phases=("join", "vote"),
    hypotheses={"nobody copies": nobody_copies},
    proof=(
        "k of n: k of n - 1 and the newest is right, or k - 1 of n - 1 and it is wrong",
        "C(n, k) = C(n - 1, k) + C(n - 1, k - 1)",
    ),
)
def is_binomial(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> Answer:
    exact = binomial(voters_of(after), problem.parameters.p)
    sides = ("P(k wrong)", after.chances), ("C(n, k) p^k q^(n-k)", exact)
    return Sides.each(*sides, relation="==", slack=_LEAST, axes=("k =",))


@theorem(
    "n = 2m: P(n) = P(n-1) + C(2m-1, m) (pq)^m",
    source="Ladha (1992)",
    about="step",
    phases=("join",),
    hypotheses=SOMEBODY | {"n is even": even},
    proof=(
        "the newest decides where m - 1 of 2m - 1 are wrong: chance C(2m-1, m-1) p^(m-1) q^m",
        "and is wrong with chance p: a tie, which counts as wrong; C(2m-1, m-1) = C(2m-1, m)",
    ),
)
def a_tie_more(problem: Problem, before: MajorityVoteState, after: MajorityVoteState) -> Answer:
    tied = in_the_balance(voters_of(after) // 2, problem.parameters.p)
    was = alone(problem, before)
    return Sides(("P(n)", alone(problem, after)), ("P(n - 1) + C(2m-1, m)(pq)^m", was + tied), relation="==")


@theorem(
    "n = 2m + 1: P(n) = P(n-2) - (1 - 2p) C(2m-1, m) (pq)^m",
    source="Ladha (1992)",
    phases=("join",),
    hypotheses={"n is odd": odd},
    proof=(
        "two right ones turn a majority that is wrong by one vote: C(2m-1, m) p^m q^(m-1) q²",
        "two wrong ones one that is right by one vote: C(2m-1, m) p^(m-1) q^m p²",
        "the difference is C(2m-1, m) (pq)^m (p - q)",
    ),
)
def two_more(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> Answer:
    n, p = voters_of(after), problem.parameters.p
    was = half_or_more(binomial(n - 2, p))
    now = was - (1.0 - 2.0 * p) * in_the_balance(n // 2, p)
    sides = ("P(n)", alone(problem, after)), ("P(n - 2) - (1 - 2p) C(2m-1, m)(pq)^m", now)
    return Sides(*sides, relation="==", size=1.0)  # of the chances that P(n) and P(n - 2) are sums of


@theorem(
    "over odd n more voters help if p < ½, and harm if p > ½",
    source="Condorcet (1785)",
    phases=("join",),
    hypotheses={"n is odd": odd},
    proof=("P(n) - P(n-2) = -(1 - 2p) C(2m-1, m) (pq)^m for n = 2m + 1: its sign is that of p - ½",),
)
def two_help(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> Answer:
    n, p = voters_of(after), problem.parameters.p
    sides = [(f"P({n})", alone(problem, after)), (f"P({n - 2})", half_or_more(binomial(n - 2, p)))]
    return Sides(*(sides if p <= 0.5 else sides[::-1]), size=1.0)


@theorem(
    "copies: P(majority wrong) = ρp + (1 - ρ) P(n)",
    source="Ladha (1992)",
    phases=("join",),
    hypotheses=SOMEBODY | {"ρ > 0": some_copy},
    proof=("where all copy the majority is the first voter, wrong with chance p; else all err alone",),
)
def copies_remain(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> Answer:
    p, n = problem.parameters, voters_of(after)
    exact = p.rho * p.p + (1.0 - p.rho) * half_or_more(binomial(n, p.p))
    return Sides(("P(majority wrong)", majority_wrong(problem, after)), ("ρp + (1 - ρ) P(n)", exact), relation="==")


@theorem(
    "each voter is counted once in each round",
    source="Telgarsky (2018)",
    about="step",
    phases=("vote",),
    proof=("that is the rule: the newest one's answers are added to those of the others",),
)
def added_up(problem: Problem, before: MajorityVoteState, after: MajorityVoteState) -> Answer:
    p = problem.parameters
    own, first, copied = (drawn(p.seed, voter, p.rounds) for voter in (len(after.errors), 1, 0))
    last = np.where(copied < p.rho, first, own) < p.p
    sides = ("wrong", after.wrong), ("wrong before + the newest's", before.wrong + last)
    return Sides.each(*sides, relation="==", axes=("round",))


@theorem(
    "the majority is wrong at most twice as often as a voter",
    source="Langford and Shawe-Taylor (2003)",
    phases=("vote",),
    proof=(
        "where the majority is wrong half of the n or more are: wrong >= n/2 · 1[majority wrong]",
        "summed over the rounds: n · rounds · (a voter's share) >= n/2 · rounds · (the majority's)",
    ),
)
def twice_as_often(problem: Problem, before: MajorityVoteState | None, after: MajorityVoteState) -> Answer:
    return Sides(("majority", measured(problem, after)), ("2 × a voter", 2 * one_wrong(problem, after)))


THEOREMS = (few_are_outvoted, is_binomial, a_tie_more, two_more, two_help, copies_remain, added_up, twice_as_often)
COUNTED = ("join", "vote")  # phases in which chances are known of the n of now
VOTERS = Variable("voters", lambda problem, state: float(voters_of(state)), letter=lambda problem: "n")

ALGORITHM = Algorithm(
    majority_vote,
    title="Majority vote",
    point="The more voters better than a coin, the more often most are right: over odd numbers.",
    leaves_open="Voters that err independently are hard to find.",
    tries=(("p = 0.6", "-p p=0.6"), ("voters err together", "-p rho=0.3")),
    asks=(
        Ask.way(
            "Two voters more: what does the share of rounds in which it is wrong do?",
            '"rounds, odd n"',
            'join and finite("chance, odd n")',
        ),
        Ask(
            "Is it wrong in more rounds than its chance says?",
            '"rounds, odd n" > "chance, odd n"',
            'join and finite("chance, odd n")',
        ),
    ),
    summary="Has voters join one by one that are each wrong with chance p, and asks how often half of them are.",
    rule="P(k of n) <- q P(k of n-1) + p P(k-1 of n-1)   are wrong\nthe majority is wrong where k >= n/2",
    needs=Needs(data=False),
    phases={
        "start": "nobody has joined",
        "join": "one voter more: the chances that k of them are wrong",
        "vote": "it answers in every round, and the wrong are counted",
    },
    events=(Event("n becomes even", lambda before, after: after.phase == "join" and voters_of(after) % 2 == 0),),
    fork_after=("start", "vote"),
    curves=(
        Curve(
            "chance, odd n",
            of_odd(majority_wrong),
            "P(majority wrong)",
            "majority wrong",
            COUNTED,
            along=VOTERS,
            tone="wrong",
        ),
        Curve("chance, even n", of_odd(majority_wrong, 0), "the same", "majority wrong", COUNTED, along=VOTERS),
        Curve(
            "rounds, odd n", of_odd(measured), "their share", "majority wrong", ("vote",), along=VOTERS, tone="accent"
        ),
        Curve("Hoeffding", hoeffding, "exp(-2n(½ - p)²)", "majority wrong", COUNTED, along=VOTERS, tone=5),
        Curve("a voter", one_wrong, "wrong, of the rounds", phases=("vote",), along=VOTERS, tone=0),
    ),
    objective={},
    theorems=THEOREMS,
    contrast=Contrast(
        "how often the majority is wrong, and how often a voter",
        curves=("rounds, odd n", "a voter"),
        names=("majority wrong", "a voter wrong"),
    ),
    expectations=(
        Expectation(
            "E[share of rounds with a wrong majority] = ρp + (1 - ρ) P(n)",
            measured,
            last_expected,
            names=("mean share of rounds", "ρp + (1 - ρ) P(n)"),
            source="Condorcet (1785)",
            runs=200,
            proof=("in each round it is wrong with that chance, and means add up",),
        ),
    ),
    ends={
        "… voter…": everybody,
    },
    symbols={
        "n": ("voters so far", lambda problem, state: voters_of(state)),
        "p, q": ("chance that a voter is wrong, and that it is right", lambda problem, state: problem.parameters.p),
        "k": ("how many of them are wrong", None),
        "m": ("half of n, rounded down", letter_m),
        "P(n)": (
            "chance that half of n voters or more are wrong where nobody copies",
            lambda problem, state: alone(problem, state) if voters_of(state) else None,
        ),
        "ρ": ("share of the rounds in which all copy the first voter", lambda problem, state: problem.parameters.rho),
        "C(n, k)": ("in how many ways k of n may be wrong", None),
    },
    scene=scene,
    explain={"start": explain_start, "join": explain_join, "vote": explain_vote},
    adapt=adapt,
    settings=(
        {"p": 0.4},
        {"p": 0.6, "seed": 1},
        {"p": 0.4, "rho": 0.3},
        {"p": 0.45, "voters": 61},
        {"p": 0.1, "voters": 9},
    ),
)
