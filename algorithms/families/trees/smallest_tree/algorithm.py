"""Smallest tree: of all trees over a few bits that are right on every row, one with the fewest leaves.

    L(S) = 1 where all rows of S are of one class, else  min over the free bits j of  L(S, x_j = 0) + L(S, x_j = 1)

S is a set of rows in which some bits are told and the others free, written 0 * 1 *: there are 3^d of them. A tree that
asks x_j first has a tree for either half, and nothing in the one hinders the other; so the fewest leaves come from the
fewest of both, and every set is settled once, the small ones first. The trees themselves are many more:

    T(d) = 1 + d T(d-1)²:   2, 9, 244, 238,145, 2.8·10¹¹ for d = 1 to 5

A greedy tree asks the question that gains most, and never goes back. On an exclusive or of two bits no single question
about them gains anything, so a decoy that does is asked first, and then the two bits have to be asked again on either
side of it. To find the smallest tree is NP-hard in general: what is done here takes time in proportion to 3^d.

Features are cut in two near their medians. Rows whose bits are the same are one combination, of the class that most of
them have; right is who is right on all combinations.

References: Hyafil and Rivest (1976), Constructing optimal binary decision trees is NP-complete, Information Processing
Letters 5(1); Garey (1972), Optimal binary identification procedures, SIAM J. Applied Mathematics 23(2); Guijarro,
Lavín and Raghavan (1999), Exact learning when irrelevant variables abound, Information Processing Letters 70;
Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees.
"""

from typing import Annotated, Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    FromStart,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    columns,
    kept,
    numbers,
    theorem,
)
from algorithms.core.text import counted
from algorithms.data import badges, decoys, iris, penguins
from algorithms.families.trees.shared.trees_pictures import in_units, outline, spelt
from algorithms.families.trees.smallest_tree.subcubes import (
    Subcubes,
    greedy_tree,
    least_leaves,
    leaves_in,
    subcubes,
    trees_over,
    written_tree,
    wrong_in,
)
from algorithms.toolbox.entries import with_entry
from algorithms.toolbox.impurity import Criterion
from algorithms.toolbox.labellings import lasting
from algorithms.toolbox.trees import Nodes

_A_SECOND = 1e6  # trees, where it is said how long all of them would take
_MOST_LISTED = 60


class SmallestTreeState(State, frozen=True, kw_only=True):
    least: Array  # (3^d,) the fewest leaves so far for each set; 0 where nothing is asked yet
    question: Array  # (3^d,) the bit that is asked first for so few; -1 for none
    turn: int = -1  # which question of which set is in hand; -1 before the first
    leaves: int = 0  # the fewest of the trees that ask it first
    trees: float = 0.0  # how many trees for the set in hand are weighed so far


def smallest_tree(
    data: Dataset,
    state: SmallestTreeState | None = None,
    *,
    bits: Annotated[int, Meta(ge=1, le=6, description="d: the first so many features, each cut in two")] = 4,
    criterion: Annotated[Criterion, Meta(description="what the greedy tree beside it goes by")] = "entropy",
) -> Run[SmallestTreeState]:
    sets = data.once(subcubes, bits)
    if state is None:
        state = SmallestTreeState(least=sets.pure.astype(np.int64), question=np.full(len(sets.pure), -1))
        yield state
    while state.turn + 1 < len(sets.turns):
        turn = state.turn + 1
        S, j = sets.turns[turn].tolist()
        zero, one = sets.parts(S, j)
        leaves = int(state.least[zero] + state.least[one])
        counts = {"turn": turn, "leaves": leaves, "trees": weighed(sets, state, S), "iteration": begun(state, S)}
        if state.least[S] == 0 or leaves < state.least[S]:
            least, question = with_entry(state.least, S, leaves), with_entry(state.question, S, j)
            state = state.after("better", least=least, question=question, **counts)
            yield state
        else:
            state = state.after("other", **counts)
            yield state
    return f"the smallest tree has {counted_leaves(int(state.least[sets.whole]))}"


def weighed(sets: Subcubes, state: SmallestTreeState, S: int) -> float:
    """How many trees for a set are weighed with one question more: a single leaf, and any two trees for its halves."""
    before = 1.0 if state.least[S] == 0 else state.trees
    return before + trees_over(int(sets.free[S].sum()) - 1) ** 2


def begun(state: SmallestTreeState, S: int) -> int:
    """How many sets have been begun, with this one."""
    return state.iteration + bool(state.least[S] == 0)


def counted_leaves(count: int) -> str:
    return f"{count:,} leaves" if count != 1 else "1 leaf"


def adapt(before: Problem, after: Problem, state: SmallestTreeState, rows: Array) -> State | FromStart:
    return state if after.data is before.data else FromStart("these sets were of other rows")


def sets_of(problem: Problem) -> Subcubes:
    return problem.data.once(subcubes, problem.parameters.bits)


def in_hand(problem: Problem, state: SmallestTreeState) -> int:
    """The set that is asked about, all rows where there is none."""
    sets = sets_of(problem)
    return int(sets.turns[state.turn, 0]) if state.turn >= 0 else sets.whole


def least_of(problem: Problem, S: int) -> int:
    """The fewest leaves of all trees for a set, found from its combinations down."""
    return problem.data.once(least_from_above, problem.parameters.bits, S)


def least_from_above(data: Dataset, bits: int, S: int) -> int:
    sets = data.once(subcubes, bits)
    return least_leaves(sets.bits[sets.holds[S]], sets.classes[sets.holds[S]])


@kept
def smallest(problem: Problem, state: SmallestTreeState) -> Nodes:
    """The smallest tree so far of the set in hand."""
    return written_tree(sets_of(problem), state.question, in_hand(problem, state))


@kept
def greedy(problem: Problem, state: SmallestTreeState) -> Nodes:
    """The greedy tree of the set in hand."""
    return greedy_tree(sets_of(problem), in_hand(problem, state), problem.parameters.criterion)


def fewest(problem: Problem, state: SmallestTreeState) -> float:
    return float(state.least[in_hand(problem, state)])


def by_greed(problem: Problem, state: SmallestTreeState) -> float:
    return float(leaves_in(greedy(problem, state)))


def settled(problem: Problem, state: SmallestTreeState) -> bool | str:
    """Whether all questions of the set in hand have been asked."""
    turns, turn = sets_of(problem).turns, state.turn
    left = int((turns[turn + 1 :, 0] == turns[turn, 0]).sum())
    return not left or f"{counted(left, 'question')} of this set still to be asked"


def every_question(problem: Problem, state: SmallestTreeState) -> bool | Sides:
    """Every question of every set was in hand, and the fewest leaves are those that a search from above finds."""
    sets = sets_of(problem)
    if state.turn + 1 < len(sets.turns):
        return False
    fewest = int(state.least[sets.whole])
    return Sides(("leaves", fewest), ("fewest, from above", least_of(problem, sets.whole)), relation="==")


def scene(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Scene:
    sets, S = sets_of(problem), in_hand(problem, after)
    of = f"of {sets.written(S)}"
    own, other = smallest(problem, after), greedy(problem, after)
    note = f"{of}: {counted_leaves(int(fewest(problem, after)))}" if after.turn >= 0 else of
    return Scene(
        (
            drawn(problem, own, "the smallest tree so far", note),
            drawn(problem, other, "the greedy tree", f"{of}: {counted_leaves(int(by_greed(problem, after)))}"),
            questions(problem, after),
            so_far(problem, after),
            combinations(problem, after),
        )
    )


def drawn(problem: Problem, tree: Nodes, title: str, note: str) -> Panel:
    """A tree as an outline, its root marked."""
    return replace(outline(problem.data, tree, 0), title=title, note=note)


def questions(problem: Problem, state: SmallestTreeState) -> Panel:
    """The questions about the set in hand, with the leaves of either half as far as they are asked."""
    sets, S = sets_of(problem), in_hand(problem, state)
    asked = [int(j) for s, j in sets.turns[: state.turn + 1].tolist() if s == S]
    pairs = state.least[[sets.parts(S, j) for j in asked]] if asked else np.zeros((0, 2))
    heads = {
        "first": [asked_of(problem, j) for j in asked],
        "yes": pairs[:, 0],
        "no": pairs[:, 1],
        "leaves": pairs.sum(axis=1),
    }
    note = f"{sets.written(S)}, {len(asked)} of {int(sets.free[S].sum())}"
    return columns("questions", heads, note=note, marked=(len(asked) - 1,) if asked else ())


def asked_of(problem: Problem, j: int) -> str:
    """The question that tells bit j: "x1 <= 0.5", yes for 0."""
    return f"{problem.data.features[j]} <= {cut_at(problem, j)}"


def cut_at(problem: Problem, j: int) -> str:
    """Where feature j is cut in two, in its own units: "0.5"."""
    return f"{in_units(problem.data, j, float(sets_of(problem).cuts[j])):.4g}"


def combinations(problem: Problem, state: SmallestTreeState) -> Panel:
    """The combinations of bits that the rows have, those of the set in hand marked."""
    sets, S = sets_of(problem), in_hand(problem, state)
    shown = slice(_MOST_LISTED)
    heads: dict[str, Any] = {
        "bits": [" ".join(map(str, bits)) for bits in sets.bits[shown].tolist()],
        "rows": np.bincount(sets.rows)[shown],
        str(problem.data.target): [problem.data.classes[c] for c in sets.classes[shown].tolist()],
    }
    marked = tuple(np.flatnonzero(sets.holds[S][shown]).tolist()) if state.turn >= 0 else ()
    return columns("combinations", heads, tones=tuple(sets.classes[shown].tolist()), marked=marked)


def so_far(problem: Problem, state: SmallestTreeState) -> Panel:
    """What is counted, and how long all trees would take."""
    sets, d = sets_of(problem), len(sets_of(problem).cuts)
    mixed = int((~sets.pure).sum())
    facts = {
        "sets begun": state.iteration,
        f"mixed ones, of 3^{d}": mixed,
        "leaves so far": fewest(problem, state) if state.turn >= 0 else None,
        "greedy": by_greed(problem, state),
        "trees weighed": state.trees if state.turn >= 0 else None,
        f"trees over {d} bits": f"{trees_over(d):,.0f}" if d < 5 else f"{trees_over(d):.3g}",
        f"over {d + 1}": f"{trees_over(d + 1):,.0f}" if d < 4 else f"{trees_over(d + 1):.3g}",
        "at 10⁶ a second": lasting(trees_over(d + 1) / _A_SECOND),
    }
    return numbers(facts, title="counted")


def of_start(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> str:
    sets, data = sets_of(problem), problem.data
    d, c = len(sets.cuts), len(sets.bits)
    wrong = int((sets.classes[sets.rows] != data.y).sum())
    off = f", {counted(wrong, 'row')} of another class than most with the same bits" if wrong else ""
    if not len(sets.turns):
        return f"{data.n} rows have {counted(c, 'combination')} of {counted(d, 'bit')}{off}. One leaf is right on all."
    return (
        f"{data.n} rows have {counted(c, 'combination')} of {counted(d, 'bit')}{off}. There are "
        f"{trees_over(d):,.0f} trees over {counted(d, 'bit')}, but only 3^{d} = {3**d:,} sets with some bits told, "
        f"written as {sets.written(int(sets.turns[0, 0]))}: a * is either."
    )


def of_question(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> str:
    sets, S = sets_of(problem), in_hand(problem, after)
    j = int(sets.turns[after.turn, 1])
    zero, one = sets.parts(S, j)
    counts = np.bincount(sets.classes[sets.holds[S]], minlength=sets.k)
    whole = f"Set {sets.written(S)} (* is either), {counted(int(counts.sum()), 'combination')}"
    takes = f"{after.least[zero]} + {after.least[one]} = {counted_leaves(after.leaves)}"
    least = int(after.least[S])
    verdict = "the fewest so far" if after.phase == "better" else f"not fewer than {least}"
    text = f"{whole}: {spelt(problem.data, counts)}. {asked_of(problem, j)} first takes {takes}, {verdict}."
    if settled(problem, after) is not True:
        return text
    greed = int(by_greed(problem, after))
    return f"{text} All are asked: {least} is the least, greedy takes {'as many' if greed == least else greed}."


ASKED = ("better", "other")
ALL = {"all questions of the set are asked": settled}


@theorem(
    "the greedy tree has L(S) leaves or more",
    source="Hyafil and Rivest (1976)",
    phases=ASKED,
    hypotheses=ALL,
    proof=("it is right on S as well, so it is one of the trees that L(S) is the least of",),
)
def below_greedy(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Answer:
    return Sides(("L(S)", fewest(problem, after)), ("greedy", by_greed(problem, after)), size=0.0)


@theorem(
    "no tree that is right has fewer leaves than L(S)",
    source="Garey (1972)",
    phases=ASKED,
    proof=("L(S) is the least of all trees that are right on S, and what is found is one of them",),
)
def never_below(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Answer:
    sides = ("L(S)", least_of(problem, in_hand(problem, after))), ("fewest so far", fewest(problem, after))
    return Sides(*sides, ("with this question", after.leaves), size=0.0)


@theorem(
    "with xⱼ asked first the fewest are L(xⱼ = 0) + L(xⱼ = 1)",
    source="Guijarro, Lavín and Raghavan (1999)",
    phases=ASKED,
    proof=(
        "below the question there is a tree for either half, and each can be chosen by itself",
        "so their leaves are fewest together where they are fewest each",
    ),
)
def from_both(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Answer:
    sets = sets_of(problem)
    zero, one = sets.parts(*sets.turns[after.turn].tolist())
    sides = (
        ("fewest, xⱼ first", after.leaves),
        ("L(xⱼ = 0) + L(xⱼ = 1)", least_of(problem, zero) + least_of(problem, one)),
    )
    return Sides(*sides, relation="==", size=0.0)


@theorem(
    "the tree so far has as many leaves as it is said to",
    source="Garey (1972)",
    phases=ASKED,
    proof=("a question has the leaves of both halves, down to sets of one class, which have one",),
)
def as_written(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Answer:
    sides = ("leaves", leaves_in(smallest(problem, after))), ("fewest so far", fewest(problem, after))
    return Sides(*sides, relation="==", size=0.0)


@theorem(
    "the tree so far is right on S",
    source="Garey (1972)",
    phases=ASKED,
    proof=("each mixed set has its question, its halves have theirs, down to sets of one class",),
)
def is_right(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Answer:
    there, sets = in_hand(problem, after), sets_of(problem)
    right = int(sets.holds[there].sum()) - wrong_in(smallest(problem, after))
    return Sides(("right", right), ("combinations", int(sets.holds[there].sum())), relation="==", size=0.0)


@theorem(
    "with every question asked the fewest so far is L(S)",
    source="Garey (1972)",
    phases=ASKED,
    hypotheses=ALL,
    proof=("a mixed set needs a question, and each that could be the first was in hand",),
)
def found(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Answer:
    sides = ("fewest so far", fewest(problem, after)), ("L(S)", least_of(problem, in_hand(problem, after)))
    return Sides(*sides, relation="==", size=0.0)


@theorem(
    "classes <= L(S) <= combinations",
    source="Garey (1972)",
    phases=ASKED,
    hypotheses=ALL,
    proof=(
        "a leaf says one class, so each class there is needs one",
        "a leaf without a combination would be of a question that parts nothing: leave it out",
    ),
)
def between(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Answer:
    sets, S = sets_of(problem), in_hand(problem, after)
    there = sets.classes[sets.holds[S]]
    sides = ("classes", len(np.unique(there))), ("L(S)", fewest(problem, after)), ("combinations", len(there))
    return Sides(*sides, size=0.0)


@theorem(
    "a part of the rows never needs more leaves",
    source="Garey (1972)",
    phases=ASKED,
    hypotheses=ALL,
    proof=("the tree of S is right on its halves too: what need not be asked there is left out",),
)
def fewer_rows(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Answer:
    sets, S = sets_of(problem), in_hand(problem, after)
    free = np.flatnonzero(sets.free[S]).tolist()
    halves = [half for j in free for half in sets.parts(S, j)]
    named = [f"{problem.data.features[j]} {side} {cut_at(problem, j)}" for j in free for side in ("<=", ">")]
    return Sides.each(("L of a half", after.least[halves]), ("L(S)", fewest(problem, after)), size=0.0, entries=named)


@theorem(
    "T(d) = 1 + d T(d-1)² trees are weighed by 2d numbers",
    source="Guijarro, Lavín and Raghavan (1999)",
    phases=ASKED,
    hypotheses=ALL,
    proof=(
        "a tree over d bits is a leaf, or asks one of d bits, with any trees of the others below",
        "the leaves of both halves stand for all T(d-1)² pairs: none has fewer",
    ),
)
def all_weighed(problem: Problem, before: SmallestTreeState | None, after: SmallestTreeState) -> Answer:
    free = int(sets_of(problem).free[in_hand(problem, after)].sum())
    return Sides(("weighed", after.trees), (f"T({free})", trees_over(free)), relation="==")


@theorem(
    "a question takes another's place where it needs fewer leaves, and only there",
    source="Garey (1972)",
    about="step",
    phases=ASKED,
    proof=("that is the rule: of questions with as few leaves the first stays",),
)
def fewer_or_not(problem: Problem, before: SmallestTreeState, after: SmallestTreeState) -> Answer:
    was = float(before.least[in_hand(problem, after)])
    if not was:
        return None  # the first question of a set has no other beside it
    sides = ("with this question", after.leaves), ("fewest before", was)
    return Sides(*sides, relation="<") if after.phase == "better" else Sides(*sides[::-1], size=0.0)


THEOREMS = (
    below_greedy,
    never_below,
    from_both,
    as_written,
    is_right,
    found,
    between,
    fewer_rows,
    all_weighed,
    fewer_or_not,
)

ALGORITHM = Algorithm(
    smallest_tree,
    title="Smallest tree",
    point="Trying every tree shows what the greedy one wastes: it takes more leaves than it must.",
    after=("decision_tree",),
    leaves_open="The smallest tree on these rows need not be right on others.",
    tries=(("a question fewer", "-p bits=3"), ("real rows", "--data iris")),
    asks=(
        Ask("Does the next question take fewer leaves than all before it?", "better"),
        Ask("Does the greedy choice take more leaves than the fewest so far?", 'greedy > "fewest so far"'),
    ),
    summary="Finds the fewest leaves that are right on every row, for small sets of rows first, beside a greedy tree.",
    rule="L(S) = 1 where S is of one class, else\n  min over j of  L(S, xⱼ = 0) + L(S, xⱼ = 1)",
    needs=Needs(target="class"),
    phases={
        "start": "nothing is asked; sets of one class have one leaf",
        "better": "a question with the fewest leaves so far for its set",
        "other": "a question that takes no fewer",
    },
    events=("better",),
    start_only=("bits",),
    curves=(
        Curve("fewest so far", fewest, "min over the j asked, on this set of rows", "leaves", ASKED),
        Curve("this question", lambda _, state: state.leaves, "L(xⱼ = 0) + L(xⱼ = 1)", "leaves", ASKED),
        Curve("greedy", by_greed, "of the same set", "leaves", ASKED),
        Curve("trees weighed", lambda _, state: state.trees, "of the T(d) over d free bits", phases=ASKED, log=True),
    ),
    objective={("fewest so far", "this question"): ("bits",)},
    theorems=THEOREMS,
    ends={
        "the smallest tree has …": every_question,
    },
    symbols={
        "S": ("the set in hand, as 0 * 1 *: bits that are told, * for those that are free", None),
        "xⱼ": ("bit j of a row: whether its feature is above the cut", None),
        "L(S)": ("the fewest leaves of the trees that are right on S", lambda p, s: least_of(p, in_hand(p, s))),
        "d": ("bits", lambda problem, state: len(sets_of(problem).cuts)),
        "T(d)": ("trees over d bits", lambda problem, state: trees_over(len(sets_of(problem).cuts))),
        "j": ("a bit, as a question", None),
    },
    measured=("least", "question", "leaves"),
    scene=scene,
    explain={"start": of_start, "better": of_question, "other": of_question},
    adapt=adapt,
    datasets=(
        decoys,
        badges.with_(columns=("first_is_vowel", "second_is_vowel", "third_is_vowel", "fourth_is_vowel")),
        iris,
        penguins,
    ),
)
