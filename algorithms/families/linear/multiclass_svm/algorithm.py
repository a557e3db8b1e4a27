"""Multiclass support vector machine of Crammer and Singer: one weight vector a class, a row at a time.

    s_r = L 1[r ≠ y] + w_r·x - w_y·x,   ξ = max_r s_r,   f(W) = ½λ Σ_k ‖w_k‖² + mean ξ,   W = 0 at first

    w_k <- (1 - ηλ) w_k - η (q_k - 1[k = y]) x   with η = 1/(λt) at the t-th row

q is 1 for the rival, the class of the greatest s, and 0 for the others: the class of the row is pulled towards x and
its rival is pushed away. Where no s is above 0, q is 1 for the class itself and W only shrinks. x has the constant 1
appended when there is a bias, which is penalised as all weights are. The label of x is the class of the greatest w_k·x.

ξ is never negative, and at least L where another class scores as high as y: L times the share of errors is at most the
mean of ξ. q sums to 1 as 1[k = y] does, so Σ w_k stays 0. With two classes w_1 - w_0 is the binary machine with λ/2,
step for step. Every f_t (penalty and ξ of the t-th row) is λ-strongly convex, so for every u and on every path
Σ (f_t(W_t) - f_t(u)) <= Σ ‖g_t‖²/(2λt).

Softened, ξ is ε ln Σ_r e^(s_r/ε) and q_r ~ e^(s_r/ε): all classes push. It lies between ξ and ξ + ε ln K; with L = 0
and ε = 1 it is the loss of softmax regression. With L asked of r = y too every s_y is L: no f_t is below L, which W = 0
reaches if ε = 0, so nothing is learnt. If ε > 0, L is only added to ξ, and it is softmax regression on the scores/ε.

References: Crammer and Singer (2001), On the algorithmic implementation of multiclass kernel-based vector machines,
JMLR 2; Shalev-Shwartz, Singer, Srebro and Cotter (2011), Pegasos, Mathematical Programming 127; Hazan, Agarwal and
Kale (2007), Logarithmic regret algorithms for online convex optimization, Machine Learning 69; Zhang (2004),
Statistical analysis of some multi-category large margin classification methods, JMLR 5 (softened).
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Meta,
    Needs,
    Panel,
    Problem,
    Row,
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
from algorithms.data import blobs, breast_cancer, iris, penguins
from algorithms.families.linear.multiclass_svm import multiclass_hinge as hinge
from algorithms.families.linear.multiclass_svm.pictures import class_weights, push_panel, row_panel, scores_stage
from algorithms.toolbox.ends import last_pass
from algorithms.toolbox.entry_names import class_names, names_by_class, weight_names
from algorithms.toolbox.orders import epoch_order, next_place, used_in_epoch
from algorithms.toolbox.panels.confusion import confusion

_SOFT = 1e-6  # the least softness but 0: below it e^(s/ε) is that of the greatest s alone


class MulticlassSVMState(State, frozen=True, kw_only=True):
    W: Array  # (K, p) a weight vector a class, the bias last
    pushed: Array  # (K, K) Σ q so far: how much rows of class y have pushed class r away
    row: Annotated[int, Row] = -1  # the row just visited
    place: int = -1  # its place in this epoch's order
    rival: int = -1  # the class of the greatest s at it; its own where no other is greater
    loss: float = 0.0  # its ξ
    suffered: float = 0.0  # Σ f_t(W_t)
    squares: float = 0.0  # Σ ‖g_t‖²/(2λt)


def multiclass_svm(
    data: Dataset,
    state: MulticlassSVMState | None = None,
    *,
    penalty: Annotated[float, Meta(ge=1e-6, le=1e6, description="λ, on the squared length of all weights")] = 0.1,
    margin: Annotated[float, Meta(ge=0, le=10, description="L, by how much a row's class is to lead")] = 1.0,
    softness: Annotated[float, Meta(ge=0, le=100, description="ε: 0 for the hinge, else ε ln Σ e^(s/ε)")] = 0.0,
    everywhere: Annotated[bool, Meta(description="L is asked of y too: at ε = 0 nothing is learnt")] = False,
    bias: Annotated[bool, Meta(description="append the constant 1, penalised as all weights are")] = True,
    order: Annotated[
        Literal["cyclic", "shuffled"], Meta(description="rows in turn, or shuffled each epoch")
    ] = "shuffled",
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes over the rows")] = 10,
    seed: Annotated[Seed, Meta(description="of the shuffled orders")] = 0,
) -> Run[MulticlassSVMState]:
    X, y = data.once(hinge.features, bias), np.asarray(data.y)
    if state is None:
        K, p = len(data.classes), X.shape[1]
        state = MulticlassSVMState(W=np.zeros((K, p)), pushed=np.zeros((K, K)))
        yield state
    while True:
        epoch, place = next_place(state.iteration, state.place, data.n)
        if epoch > epochs:
            return f"epoch {epochs:,} was the last"
        row = int(epoch_order(data.n, order, seed, epoch)[place])
        x, own, t = X[row], int(y[row]), state.t + 1
        s = hinge.violations(state.W @ x, own, margin, everywhere)
        q, loss = hinge.pushes(s, own, softness), hinge.softened_max(s, softness)
        g = penalty * state.W + np.outer(q - hinge.one_hot(len(q), own), x)
        visit = {"row": row, "place": place, "iteration": epoch, "rival": hinge.greatest(s, own), "loss": loss}
        visit["suffered"] = state.suffered + penalty * float((state.W * state.W).sum()) / 2 + loss
        visit["squares"] = state.squares + float((g * g).sum()) / (2 * penalty * t)
        W = state.W - g / (penalty * t)
        if q[own] == 1:
            state = state.after("correct", W=W, **visit)
            yield state
        else:
            state = state.after("corrected", W=W, pushed=hinge.pushed_away(state.pushed, own, q), **visit)
            yield state


def adapt(before: Problem, after: Problem, state: MulticlassSVMState, rows: Array) -> MulticlassSVMState:
    """W stays; of the epoch, what was used of the rows that are still there."""
    return state.replaced(place=used_in_epoch(before, state.iteration, state.place + 1, rows) - 1)


def rows_of(problem: Problem) -> Array:
    """(n, p) the rows as they are learnt from."""
    return problem.data.once(hinge.features, problem.parameters.bias)


@kept
def scored(problem: Problem, state: MulticlassSVMState) -> Array:
    """(n, K) w·x of every row."""
    return np.asarray(rows_of(problem) @ state.W.T)


@kept
def all_violations(problem: Problem, state: MulticlassSVMState) -> Array:
    """(n, K) s of every row."""
    p = problem.parameters
    return hinge.violations_of_rows(scored(problem, state), np.asarray(problem.data.y), p.margin, p.everywhere)


@kept
def wrong(problem: Problem, state: MulticlassSVMState) -> Array:
    """(n,) bool: rows at which another class scores as high as their own."""
    return hinge.beaten(scored(problem, state), np.asarray(problem.data.y))


@kept
def mean_loss(problem: Problem, state: MulticlassSVMState) -> float:
    return float(hinge.losses(all_violations(problem, state), problem.parameters.softness).mean())


def error(problem: Problem, state: MulticlassSVMState) -> float:
    return float(wrong(problem, state).mean())


def objective(problem: Problem, state: MulticlassSVMState) -> float:
    return float(problem.parameters.penalty * (state.W * state.W).sum() / 2 + mean_loss(problem, state))


def best_of(problem: Problem) -> hinge.Reference:
    """u, weights near the best where ε = 0, and what each row costs there."""
    p = problem.parameters
    return problem.data.once(hinge.reference, p.bias, p.penalty, p.margin, p.softness, p.everywhere)


def near_least(problem: Problem, state: MulticlassSVMState) -> float:
    return best_of(problem).value


def before_row(problem: Problem, before: MulticlassSVMState, after: MulticlassSVMState) -> tuple[Array, Array, int]:
    """x of the row just visited, its (K,) s with the weights before, and its class."""
    p, x, own = problem.parameters, rows_of(problem)[after.row], int(np.asarray(problem.data.y)[after.row])
    return x, hinge.violations(before.W @ x, own, p.margin, p.everywhere), own


def validate(problem: Problem) -> str | None:
    if 0 < problem.parameters.softness < _SOFT:
        return f"softness is 0, for the hinge itself, or at least {_SOFT:g}."
    return None


def scene(problem: Problem, before: MulticlassSVMState | None, after: MulticlassSVMState) -> Scene:
    data, bias = problem.data, problem.parameters.bias
    own = int(np.asarray(data.y)[after.row]) if after.row >= 0 else -1
    pair = (own, after.rival) if own >= 0 and after.phase == "corrected" else None
    was, crossed = None if before is None else before.W, wrong(problem, after) & bool(after.W.any())
    stage = scores_stage(data, after.W, bias, was, after.row, crossed, pair)
    panels = [stage, push_panel(data, after.pushed, pair)]
    if before is not None and own >= 0:
        x, s, _ = before_row(problem, before, after)
        q = hinge.pushes(s, own, problem.parameters.softness)
        panels.append(row_panel(data, after.row, before.W @ x, after.W @ x, **{"s": s, "push q": q}))
    weights = class_weights(data, after.W, bias, "" if problem.forked else "they sum to 0")
    return Scene((*panels, so_far(problem, after), confusion(data, scored(problem, after).argmax(axis=1)), weights))


def so_far(problem: Problem, state: MulticlassSVMState) -> Panel:
    return numbers(
        {
            "f": objective(problem, state),
            "f(u), near the least": None if problem.forked else best_of(problem).value,
            "no f is below": None if problem.forked else best_of(problem).below,
            "mean ξ": mean_loss(problem, state),
            "rows wrong": int(wrong(problem, state).sum()),
            "rows within the margin": int((hinge.losses(all_violations(problem, state), 0.0) > 0).sum()),
            "η of the next step": 1 / (problem.parameters.penalty * (state.t + 1)),
        }
    )


def explain(problem: Problem, before: MulticlassSVMState | None, after: MulticlassSVMState) -> str:
    data, said = problem.data, explain_visit(problem, before, after)
    if (after.iteration, after.place) != (problem.parameters.epochs, data.n - 1):
        return said
    least = "" if problem.forked else f", and no W has f below {best_of(problem).below:.4g}"
    return Words.of(
        said, f"f = {objective(problem, after):.4g}{least}. Wrong rows: {int(wrong(problem, after).sum())} of {data.n}."
    )


def explain_visit(problem: Problem, before: MulticlassSVMState | None, after: MulticlassSVMState) -> str:
    data, p = problem.data, problem.parameters
    if after.row < 0 and after.t:
        return "The row that was visited last is gone; W stays, and goes on with the rows there are."
    if after.row < 0:
        return "All w = 0, so every class scores 0 everywhere, and no row's class leads."
    own = int(np.asarray(data.y)[after.row])
    mine, theirs = data.classes[own], data.classes[after.rival]
    who = f"{data.who(after.row)} is {mine}"
    if before is None:
        return f"{who}, and was visited last. {int(wrong(problem, after).sum())} of {data.n} rows are wrong."
    x, s, _ = before_row(problem, before, after)
    if after.phase == "correct":
        lead = f"leads by {float(p.margin - np.delete(s, own).max()) + 0.0:.4g}"
        why = "no class scores higher" if p.everywhere else f"{lead}, at least L = {p.margin:g}"
        return f"{who}, and {why}. Nothing pushes, and all w shrink by 1/{after.t}."
    q = hinge.pushes(s, own, p.softness)[after.rival]
    if p.softness:
        its = "its own" if after.rival == own else theirs
        return f"{who}: all classes push by their share, {its} by q = {q:.3g}. ξ = {after.loss:.4g}."
    was, now = (float((W[own] - W[after.rival]) @ x) + 0.0 for W in (before.W, after.W))
    return (
        f"{who}, and leads its rival {theirs} by {was:.4g}, not by L = {p.margin:g}: ξ = {after.loss:.4g}. "
        f"{mine} is pulled towards it, {theirs} pushed away; now it leads by {now:.4g}."
    )


SYMBOLS = {
    "w, W": ("weights of a class, the bias last; of all classes", None),
    "x, y, r": ("a row, with 1 appended when there is a bias, its class, and any class", None),
    "K": ("classes", lambda problem, state: len(problem.data.classes)),
    "L": ("by how much a row's class is to lead", lambda problem, state: problem.parameters.margin),
    "s": ("L 1[r ≠ y] + wᵣ·x - w_y·x: by how much class r violates that", None),
    "ξ": (
        "loss of a row: its greatest s, smoothed where softness > 0; of the last row, when it came",
        lambda problem, state: state.loss if state.t else None,
    ),
    "q, 1[y]": ("push of a row on each class, the slope of ξ along the s; 1 at its class, else 0", None),
    "ε": ("softness; 0 for the greatest s itself", lambda problem, state: problem.parameters.softness),
    "λ": ("the penalty on the squared length", lambda problem, state: problem.parameters.penalty),
    "η": ("1/(λt), the step just made", lambda problem, state: 1 / (problem.parameters.penalty * max(state.t, 1))),
    "f, fₜ": ("½λΣ‖w‖² and the mean of ξ; and ξ of the t-th row", None),
    "u": ("weights near those of the least f at ε = 0", None),
    "D": ("the greatest value of the dual on the way to u", lambda problem, state: best_of(problem).below),
    "g, gₜ": ("slope of fₜ at Wₜ", None),
    "k": ("any class", None),
    "t": ("rows visited, each time counted", lambda problem, state: state.t),
}


@theorem(
    "L times the share of errors <= mean ξ",
    source="Crammer and Singer (2001)",
    hypotheses={"L > 0": lambda problem, state: problem.parameters.margin > 0},
    proof=(
        "a row is wrong where some class r != y has wᵣ·x >= w_y·x: then ξ >= sᵣ >= L",
        "a row that is right has ξ >= s_y >= 0; take the mean over the rows",
    ),
)
def loss_bounds_error(problem: Problem, before: MulticlassSVMState | None, after: MulticlassSVMState) -> Answer:
    size, wanted = 1.0 + float(np.abs(scored(problem, after)).max()), problem.parameters.margin * error(problem, after)
    return Sides(("L error", wanted), ("mean ξ", mean_loss(problem, after)), size=size)


@theorem(
    "the row is the next in turn, its rival has the greatest s",
    source="Crammer and Singer (2001)",
    about="step",
    phases=("correct", "corrected"),
    proof=("a slope of a maximum is the slope of one that attains it",),
)
def rival_first(problem: Problem, before: MulticlassSVMState, after: MulticlassSVMState) -> Answer:
    n, p, (x, s, _) = problem.data.n, problem.parameters, before_row(problem, before, after)
    epoch, place = next_place(before.iteration, before.place, n)
    if (row := int(epoch_order(n, p.order, p.seed, epoch)[place])) != after.row:
        return Sides(("row", after.row), ("the next in turn", row), relation="==")
    sides, size = (("s", s), ("s of the rival", s[after.rival])), hinge.score_size(before.W, x)
    return Sides.each(*sides, size=size, entries=class_names(problem.data))


@theorem(
    "W' = (1 - ηλ)W + η(1[y] - q)xᵀ",
    source="Shalev-Shwartz et al. (2011)",
    about="step",
    phases=("correct", "corrected"),
    proof=("the slope of ½λ‖W‖² + ξ is λ W + (q - 1[y])xᵀ, and the step is η of it",),
)
def gradient_step(problem: Problem, before: MulticlassSVMState, after: MulticlassSVMState) -> Answer:
    p, (x, s, own) = problem.parameters, before_row(problem, before, after)
    names = problem.data.once(names_by_class, p.bias)
    return hinge.step_of(before.W, after.W, x, s, own, after.loss, p.softness, p.penalty, after.t, names)


@theorem(
    "a correction adds 2η‖x‖² to (1 - ηλ) times the lead of y over its rival",
    source="Crammer and Singer (2001)",
    about="step",
    phases=("corrected",),
    hypotheses={"ε = 0, so that one class alone is pushed": lambda problem, state: not problem.parameters.softness},
    proof=("w_y gains η x, the rival loses it, and both shrink by 1 - ηλ",),
)
def leads_more(problem: Problem, before: MulticlassSVMState, after: MulticlassSVMState) -> Answer:
    x, _, own = before_row(problem, before, after)
    return hinge.leads_more(before.W, after.W, x, own, after.rival, problem.parameters.penalty, after.t)


@theorem(
    "max s <= ξ <= max s + ε ln K",
    source="Zhang (2004)",
    about="step",
    phases=("correct", "corrected"),
    proof=("e^(max s/ε) <= Σ_r e^(sᵣ/ε) <= K e^(max s/ε); take ε ln of it",),
)
def softened(problem: Problem, before: MulticlassSVMState, after: MulticlassSVMState) -> Answer:
    x, s, _ = before_row(problem, before, after)
    top, room = float(s.max()), problem.parameters.softness * np.log(len(s))
    sides = ("max s", top), ("ξ", after.loss), ("max s + ε ln K", top + room)
    return Sides(*sides, size=hinge.score_size(before.W, x) + room)


@theorem(
    "the accounts grow by fₜ(W), ‖g‖²/(2λt) and the pushes",
    source="Shalev-Shwartz et al. (2011)",
    about="step",
    phases=("correct", "corrected"),
    proof=("these are the sums kept, and how often a class was pushed; fₜ and g are found anew",),
)
def accounted(problem: Problem, before: MulticlassSVMState, after: MulticlassSVMState) -> Answer:
    p, (x, s, own) = problem.parameters, before_row(problem, before, after)
    more = hinge.account_of(before.W, x, s, own, p.softness, p.penalty, after.t)
    was, now = (np.array([each.suffered, each.squares, each.pushed[own].sum()]) for each in (before, after))
    sides = ("account'", now), ("account + the row's", was + more)
    names = "Σ fₜ(Wₜ)", "Σ‖gₜ‖²/(2λt)", f"pushes of {problem.data.classes[own]}"
    return Sides.each(*sides, relation="==", size=was + more + 1, entries=names)


@theorem(
    "D <= f(W) for every W",
    source="Crammer and Singer (2001)",
    proof=(
        "at ε = 0 D is a value of the dual of f, so no f(W) is below it (weak duality)",
        "with ε > 0, or L asked of y too, ξ is not smaller, and so f is not",
    ),
)
def nowhere_below(problem: Problem, before: MulticlassSVMState | None, after: MulticlassSVMState) -> Answer:
    return Sides(("no f is below", best_of(problem).below), ("f(W)", objective(problem, after)))


@theorem(
    "Σ wₖ = 0",
    source="Crammer and Singer (2001)",
    about="run",
    proof=("it is so of W = 0; a step takes (1 - ηλ)Σ wₖ + η(1 - Σ q)x, and Σ q = 1",),
)
def sums_to_zero(problem: Problem, before: MulticlassSVMState | None, after: MulticlassSVMState) -> Answer:
    # what rounding left at each earlier step shrinks as W does; no weight was ever above R/λ
    size = float(np.abs(rows_of(problem)).max()) / problem.parameters.penalty
    names = weight_names(problem.data, problem.parameters.bias)
    return Sides.each(("Σ w", after.W.sum(axis=0)), ("0", 0.0), relation="==", size=size, entries=names)


@theorem(
    "Σ(fₜ(Wₜ) - fₜ(u)) <= Σ‖gₜ‖²/(2λt)",
    source="Hazan, Agarwal and Kale (2007)",
    about="run",
    proof=(
        "‖W' - u‖² = ‖W - u‖² - 2 η g·(W - u) + η²‖g‖²",
        "fₜ(W) - fₜ(u) <= g·(W - u) - ½λ‖W - u‖², for fₜ is λ-strongly convex",
        "so it is at most ½(λt - λ)‖W - u‖² - ½λt‖W' - u‖² + ‖g‖²/(2λt), for 1/η = λt",
        "summed over t the distances cancel, but for the last, which is >= 0",
    ),
)
def regret(problem: Problem, before: MulticlassSVMState | None, after: MulticlassSVMState) -> Answer:
    p, u, epoch = problem.parameters, best_of(problem), max(after.iteration, 1)
    part = u.losses[epoch_order(problem.data.n, p.order, p.seed, epoch)[: after.place + 1]]
    least = after.t * u.penalised + float((epoch - 1) * u.losses.sum() + part.sum())
    size = after.suffered + least + after.squares
    return Sides(("Σ(fₜ(Wₜ) - fₜ(u))", after.suffered - least), ("Σ‖gₜ‖²/(2λt)", after.squares), size=size)


@theorem(
    "two classes: w₁ - w₀ is the binary machine, λ/2",
    source="Crammer and Singer (2001)",
    about="step",
    phases=("correct", "corrected"),
    hypotheses={
        "there are two classes": lambda problem, _: len(problem.data.classes) == 2,
        "ε = 0": lambda problem, _: not problem.parameters.softness,
        "L is not asked of y": lambda problem, _: not problem.parameters.everywhere,
    },
    proof=(
        "for v = w₁ - w₀, and y as +1 or -1, the other class has s = L - y v·x: the hinge of v",
        "v' = (1 - η λ)v + 2η y x where s > 0, and 2η = 1/(½λ t) is the step for λ/2",
    ),
)
def as_binary(problem: Problem, before: MulticlassSVMState, after: MulticlassSVMState) -> Answer:
    p, x, sign = problem.parameters, rows_of(problem)[after.row], problem.data.signs[after.row]
    corrected, names = after.phase == "corrected", weight_names(problem.data, p.bias)
    return hinge.binary_step(before.W, after.W, sign * x, p.margin, p.penalty, after.t, corrected, names)


@theorem(
    "L asked of y too: no fₜ is below L",
    source="Crammer and Singer (2001)",
    about="run",
    phases=("correct", "corrected"),
    hypotheses={"L is asked of y too": lambda problem, state: problem.parameters.everywhere},
    proof=("then s_y = L for every W, and the penalty is not negative; at ε = 0 W = 0 reaches L",),
)
def never_below(problem: Problem, before: MulticlassSVMState | None, after: MulticlassSVMState) -> Answer:
    return Sides(("L", problem.parameters.margin), ("mean fₜ(Wₜ)", after.suffered / after.t))


THEOREMS = (
    loss_bounds_error,
    rival_first,
    gradient_step,
    leads_more,
    softened,
    accounted,
    nowhere_below,
    sums_to_zero,
    regret,
    as_binary,
    never_below,
)

ALGORITHM = Algorithm(
    multiclass_svm,
    title="Multiclass SVM (Crammer and Singer)",
    point="Each row draws its own class nearer, and pushes its closest rival away.",
    after=("softmax_regression", "one_vs_rest"),
    leaves_open="Passes are counted: the least f is near, and not reached.",
    tries=(("a hundredth of λ", "-p penalty=0.001"), ("a hundred times λ", "-p penalty=10")),
    asks=(
        Ask("Does the next row push: does its class lead by less than L?", "corrected"),
        Ask.way("After the next row: what does the training error do?", '"training error"'),
    ),
    summary="Visits the rows one by one; each pulls its own class towards it and pushes its most violating one away.",
    rule="sᵣ = L 1[r ≠ y] + wᵣ·x - w_y·x,  q at the greatest s\nwₖ <- (1 - ηλ) wₖ - η (qₖ - 1[k = y]) x,  η = 1/(λt)",
    needs=Needs(target="class", within=(1e-50, 1e50)),  # beyond, squares of weights overflow or vanish
    phases={
        "start": "W = 0",
        "correct": "its class leads by L: W only shrinks",
        "corrected": "its class is pulled towards the row, its rival, or with ε > 0 all others, pushed away",
    },
    events=("corrected",),
    start_only=("bias",),
    curves=(
        Curve("f", objective, "½λΣ‖w‖² + mean ξ", chart="objective", log=True),
        Curve("f(u), near the least", near_least, "u: weights near the best", chart="objective", log=True, about="run"),
        Curve("error", error, "share wrong or tied", held_out=True),
        Curve("mean ξ", mean_loss, "mean of the loss", log=True),
        Curve("√Σ‖w‖²", lambda problem, state: float(np.linalg.norm(state.W)), "length of all weights", log=True),
    ),
    objective={("f", "f(u), near the least", "mean ξ"): ("penalty", "margin", "softness", "everywhere")},
    theorems=THEOREMS,
    ends={
        "epoch … was the last": last_pass("epochs", lambda problem, state: state.place + 1),
    },
    symbols=SYMBOLS,
    only_for={"seed": ("order", "shuffled")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        blobs.with_(k=3, n=120, hold_out=0.25),
        iris.with_(columns=("petal_length_cm", "petal_width_cm"), scale=True),
        penguins.with_(scale=True, hold_out=0.25),
        breast_cancer.with_(scale=True),
    ),
)
