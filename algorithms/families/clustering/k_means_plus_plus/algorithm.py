"""k-means++: means on rows, each drawn with a chance in proportion to its squared distance from those before it.

    draw      the first row with chance 1/n; then row i with p_i = D_i²/ΣD²
    shorten   D_i² <- min(D_i², ‖x_i - μ‖²) with the new mean μ

D_i² is the squared distance of row i to the nearest mean so far, and ΣD² the objective J of k-means with these means.
The rows' chances are pieces of a wheel of length 1, in the order of the rows; a number u, uniform in [0, 1), points at
the piece of the row that is drawn. A row on a mean has D² = 0 and no piece. Of several draws for one mean the greedy
variant keeps the one that leaves the least ΣD².

No mean raises ΣD², for it can only shorten distances. With one mean on row r it is Σ‖x - c‖² + n‖x_r - c‖², where c is
the mean of all rows; on average over r that is twice the least, Σ‖x - c‖². With k means, one draw each, on average over
the draws

    E ΣD²  <=  8 (ln k + 2) OPT,        OPT the least J of any k means.

Lloyd's algorithm, begun with these means, can only lower J. Numbers u come from the seed as for the start of `lloyd`:
the same seed draws the same rows there.

References: Arthur and Vassilvitskii (2007), k-means++: the advantages of careful seeding, SODA, theorem 3.1, and
section 7 for the greedy variant; Huygens (1673), Horologium Oscillatorium (moments about another place); Lloyd (1982),
Least squares quantization in PCM, IEEE Trans. Information Theory 28(2), written in 1957.
"""

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    Expectation,
    FromStart,
    Labels,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Words,
    columns,
    kept,
    theorem,
)
from algorithms.core.text import counted
from algorithms.data import blobs, digits, faithful, iris, penguins
from algorithms.families.clustering.k_means_plus_plus.pictures import wheel
from algorithms.families.clustering.k_means_plus_plus.squared_draws import (
    chances,
    nearest_squared,
    pointed_at,
    shortened,
)
from algorithms.toolbox.clusters import lloyd_from, too_few_rows
from algorithms.toolbox.distances import squared_distances
from algorithms.toolbox.nearer import measured, total
from algorithms.toolbox.panels.clusters import cells, images, in_units, who

_SETTLED = "J after Lloyd"


class KMeansPlusPlusState(State, frozen=True, kw_only=True):
    rows: Annotated[Array, Row]  # (j,) the rows that the means drawn so far lie on, in their order
    squared: Annotated[Array, Along("n")]  # D², the squared distance to the nearest of them; infinite before the first
    drawn: Annotated[Array, Row]  # (draws,) the rows of the last draw, of which the last of `rows` was kept


def k_means_plus_plus(
    data: Dataset,
    state: KMeansPlusPlusState | None = None,
    *,
    k: Annotated[int, Meta(ge=1, le=100, description="means to draw")] = 4,
    draws: Annotated[int, Meta(ge=1, le=100, description="rows drawn for each mean but the first; the best stays")] = 1,
    seed: Annotated[Seed, Meta(description="of the draws")] = 0,
) -> Run[KMeansPlusPlusState]:
    if state is None:
        nothing = np.empty(0, np.int64)
        state = KMeansPlusPlusState(rows=nothing, squared=np.full(data.n, np.inf), drawn=nothing)
        yield state
    while state.phase == "draw" or len(state.rows) < k:
        if state.phase != "draw":
            if not state.squared.any():
                return f"every row lies on {means_so_far(state)}: none has a chance to be the next"
            drawn = pointed_at(state.squared, pointers(state, draws, seed))
            row = best_of(data, state.squared, drawn)
            iteration = state.iteration + 1
            state = state.after("draw", iteration=iteration, drawn=drawn, rows=np.append(state.rows, row))
            yield state
        state = state.after("shorten", squared=shortened(data.X, state.squared, state.rows[-1]))
        yield state
    return f"{counted(k, 'mean')} drawn"


def means_so_far(state: KMeansPlusPlusState) -> str:
    """Any of the means drawn: "the one mean", "one of 3 means"."""
    return f"one of {len(state.rows)} means" if len(state.rows) > 1 else "the one mean"


def pointers(state: KMeansPlusPlusState, draws: int, seed: int) -> Array:
    """(draws,) numbers u in [0, 1) for the mean after those of a state; a single one for the first."""
    place = len(state.rows) - (state.phase == "draw")
    stream = np.random.default_rng((seed, 0)).random(1 + draws * place)
    return stream[-draws:] if place else stream


def likeliest_drawn(state: KMeansPlusPlusState) -> bool:
    """Whether the farthest row was drawn, and not as the first."""
    return state.phase == "draw" and len(state.rows) > 1 and state.squared[state.rows[-1]] == state.squared.max()


def best_of(data: Dataset, squared: Array, drawn: Array) -> int:
    """The row of those drawn that leaves the least ΣD²; the first of equal ones."""
    if len(drawn) == 1:
        return int(drawn[0])
    return int(drawn[np.argmin([shortened(data.X, squared, row).sum() for row in drawn])])


def adapt(before: Problem, after: Problem, state: KMeansPlusPlusState, rows: Array) -> KMeansPlusPlusState | FromStart:
    """Means go with the rows that they lie on, and distances are taken anew."""
    if after.data is before.data:
        return state
    if (state.rows < 0).any() or (state.drawn < 0).any():
        return FromStart("a row that was drawn is gone")
    return state.replaced(squared=nearest_squared(after.data.X, before_the_draw(state)))


def objective(problem: Problem, state: KMeansPlusPlusState) -> float:
    """ΣD², NaN while there is no mean."""
    value = float(state.squared.sum())
    return value if np.isfinite(value) else np.nan


@kept
def settled(problem: Problem, state: KMeansPlusPlusState) -> float:
    """J where Lloyd's algorithm ends that starts with the means, once all are drawn; NaN before."""
    if state.phase == "draw" or len(state.rows) < problem.parameters.k:
        return np.nan
    X = problem.data.X
    labels, means = lloyd_from(X, X[state.rows])
    away = X - means[labels]
    return float(np.einsum("ij,ij->", away, away))


def chance_drawn(problem: Problem, state: KMeansPlusPlusState) -> float:
    return float(chances(state.squared)[state.rows[-1]])


def rows_drawn(state: KMeansPlusPlusState) -> list[str]:
    return [f"row {row}" for row in state.drawn.tolist()]


def one_mean(problem: Problem, state: KMeansPlusPlusState) -> bool | str:
    return len(state.rows) == 1 or "there is more than one mean"


def lost(problem: Problem) -> float:
    """What the rounding of a mean can add to the squared distance of a row."""
    rows = problem.data.once(measured)
    return float(rows.lost * (rows.longest + rows.lost))


def all_drawn(problem: Problem, state: KMeansPlusPlusState) -> bool | Sides:
    """There are k means, on rows of their own, and the distances are those to them."""
    return state.phase == "shorten" and Sides(("k", problem.parameters.k), ("means", len({*state.rows.tolist()})))


def on_the_means(problem: Problem, state: KMeansPlusPlusState) -> bool:
    """Every row is the same as one that a mean lies on."""
    X = problem.data.X
    return state.phase == "shorten" and {*map(tuple, X.tolist())} == {*map(tuple, X[state.rows].tolist())}


def validate(problem: Problem) -> str | None:
    return too_few_rows(problem.data, problem.parameters.k, "means")


def scene(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> Scene:
    data, means = problem.data, problem.data.X[after.rows]
    panels = (stage(problem, after), wheel_of(problem, after))
    if not len(means):
        return Scene(panels)
    return Scene((*panels, *images(data, means), drawn_table(problem, after)))


def stage(problem: Problem, state: KMeansPlusPlusState) -> Panel:
    """Rows as large as their chance to be drawn, in the colour of the nearest mean; before the first all alike."""
    data, known = problem.data, before_the_draw(state)
    p = chances(state.squared) if state.squared.any() else np.zeros(data.n)
    rows = Points(
        at=data.X,
        classes=nearest_mean(data, known),
        weights=p / max(float(p.max()), np.finfo(float).tiny),
        tone="muted",
        ringed=np.isin(np.arange(data.n), state.drawn) if state.phase == "draw" else None,
        says=(lambda row: f"D² {state.squared[row]:.4g}, drawn with chance {p[row]:.4g}") if len(known) else None,
    )
    tint = cells(data, data.X[known], depth=problem.data.once(total) / data.n) if len(known) else ()
    k = len(state.rows)
    names = (Labels(at=data.X[state.rows], texts=tuple(map(str, range(k))), tones=tuple(range(k))),) if k else ()
    return Panel(title="rows as large as their chance", space="data", marks=(*tint, rows, *names))


def before_the_draw(state: KMeansPlusPlusState) -> Array:
    """(j,) the rows of the means that D² is measured from."""
    return np.asarray(state.rows[:-1] if state.phase == "draw" else state.rows)


def nearest_mean(data: Dataset, known: Array) -> Array | None:
    """(n,) which mean is nearest to each row; None while there is none."""
    return squared_distances(data.X, data.X[known]).argmin(axis=1) if len(known) else None


def wheel_of(problem: Problem, state: KMeansPlusPlusState) -> Panel:
    """The wheel that the last draw turned; once distances are shortened, that of the next."""
    p = chances(state.squared) if state.squared.any() else np.zeros(problem.data.n)
    pieces = nearest_mean(problem.data, before_the_draw(state))
    u = pointers(state, problem.parameters.draws, problem.parameters.seed)
    if state.phase != "draw" or len(u) != len(state.drawn):
        return wheel(p, pieces)
    return wheel(p, pieces, tuple(state.drawn.tolist()), tuple(u.tolist()))


def drawn_table(problem: Problem, state: KMeansPlusPlusState) -> Panel:
    """The means: their rows, how many times likelier each was than 1/n when it was drawn, and ΣD² with it."""
    data, far = problem.data, np.full(problem.data.n, np.inf)
    times: list[float] = []
    left: list[float | None] = []
    for row in state.rows.tolist():
        times.append(float(chances(far)[row] * data.n) if far.any() else 0.0)
        far = shortened(data.X, far, row)
        left.append(float(far.sum()))
    if state.phase == "draw":
        left[-1] = None
    heads = {"mean": [str(j) for j in range(len(times))], "row": state.rows.tolist(), "p·n": times, "ΣD²": left}
    named = [who(data, row) for row in state.rows.tolist()]
    tones, marked = tuple(range(len(times))), (len(times) - 1,)
    return columns("means drawn", {**heads, "": named}, "p·n: times likelier than by chance alike", tones, marked)


def of_start(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> str:
    n, k = problem.data.n, problem.parameters.k
    of = "the one mean" if k == 1 else f"the first of {k} means"
    return f"There is no mean yet: each of the {n} rows has the same chance, 1/{n}, to be {of}."


def of_draw(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> str:
    data, row, j = problem.data, int(after.rows[-1]), len(after.rows) - 1
    p, n = chances(after.squared), data.n
    drawn = f"Row {row} ({who(data, row)}) becomes mean {j}"
    if j == 0:
        return f"{drawn}. Each row had the chance 1/{n}."
    far = float(np.sqrt(after.squared[row]))
    why = (
        f"it is {far:.3g} from the nearest mean{in_units(data)}, so its chance was D²/ΣD² = {p[row]:.3g}, "
        f"{p[row] * n:.2g} times 1/n."
    )
    if len(after.drawn) == 1:
        return f"{drawn}: {why}"
    rest = counted(len(after.drawn), "row")
    return f"{drawn}, which of {rest} drawn leaves the least ΣD². {why[0].upper()}{why[1:]}"


def of_shortening(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> str:
    now, j = objective(problem, after), len(after.rows) - 1
    if j > 0 and before is None:  # across a fork: what was before it is not known
        text, sums = f"Every distance is that to the nearest of {j + 1} means.", f"The objective J = ΣD² = {now:.4g}"
    elif before is None or not np.isfinite(before.squared[0]):
        least = problem.data.once(total)
        text = f"Every distance is taken to mean {j}."
        sums = f"The objective J = ΣD² = {now:.4g}, where the middle of the rows has {least:.4g}"
    else:
        nearer, was = int((after.squared < before.squared).sum()), objective(problem, before)
        what = "row is nearer" if nearer == 1 else "rows are nearer"
        text = f"{nearer} {what} to mean {j} than to any before it."
        sums = f"The objective J = ΣD² falls by {was - now:.4g} to {now:.4g}"
    lower = settled(problem, after)
    ends = "" if np.isnan(lower) else f"; Lloyd's algorithm from these means ends at J = {lower:.4g}"
    return Words.of(text, f"{sums}{ends}.")


def most_expected(problem: Problem, values: Mapping[str, Array]) -> float:
    """8 (ln k + 2) times the least J that Lloyd's algorithm found; OPT is at most that."""
    return float(8 * (np.log(problem.parameters.k) + 2) * np.nanmin(values[_SETTLED]))


RULE = "that is the rule"


@theorem(
    "Lloyd's algorithm from these means ends no higher",
    source="Lloyd (1957)",
    phases=("shorten",),
    proof=("with each row at its nearest mean J = ΣD²", "neither assigning rows nor moving means raises J"),
)
def lowered_by_lloyd(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> Answer:
    lower = settled(problem, after)
    if np.isnan(lower):
        return None
    return Sides(("J after Lloyd", lower), ("J = ΣD²", objective(problem, after)), slack=problem.data.n * lost(problem))


@theorem(
    "row i is drawn with chance D²/ΣD²: u falls into its piece",
    source="Arthur and Vassilvitskii (2007)",
    phases=("draw",),
    proof=("u is uniform in [0, 1), so it falls into a piece of length p with chance p", RULE),
)
def pointed(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> Answer:
    """Where the wheel's pieces begin and end, and the number u that points at each of those drawn."""
    rng, p = np.random.default_rng((problem.parameters.seed, 0)), chances(after.squared)
    u = rng.random(1)
    for _ in after.rows[1:]:  # each mean has numbers of its own, one after another
        u = rng.random(problem.parameters.draws)
    if len(u) != len(after.drawn):
        return None  # a draw of before a fork, with as many rows as were asked for then
    ends = p.cumsum()
    begins, ends = (ends - p)[after.drawn], ends[after.drawn]
    names = "piece from", "u", "to"
    if len(u) == 1:
        return Sides(*zip(names, (float(begins[0]), float(u[0]), float(ends[0]))), size=1.0)
    return Sides.each(*zip(names, (begins, u, ends)), size=1.0, entries=rows_drawn(after))


@theorem(
    "a row on a mean is never drawn",
    source="Arthur and Vassilvitskii (2007)",
    phases=("draw",),
    proof=("its D² is 0, and so is its chance",),
)
def only_a_new_row(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> Answer:
    return Sides(("0", 0.0), ("p of the row drawn", chance_drawn(problem, after)), relation="<")


@theorem(
    "of the rows drawn the best is kept",
    source="Arthur and Vassilvitskii (2007), section 7",
    phases=("draw",),
    proof=(RULE,),
)
def best_kept(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> Answer:
    """ΣD² as the row that was kept leaves it, against each of those drawn with it."""
    left = np.array([shortened(problem.data.X, after.squared, row).sum() for row in after.drawn])
    kept_one = float(shortened(problem.data.X, after.squared, after.rows[-1]).sum())
    return Sides.each(("ΣD² of the one kept", kept_one), ("ΣD² of one drawn", left), entries=rows_drawn(after))


@theorem(
    "D² is the squared distance to the nearest mean",
    source="Arthur and Vassilvitskii (2007)",
    phases=("shorten",),
    proof=("min over j + 1 means = min(min over j of them, ‖x - μ‖² of the new one)",),
)
def to_the_nearest(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> Answer:
    least = nearest_squared(problem.data.X, after.rows)
    return Sides.each(("D²", after.squared), ("minⱼ ‖x - μⱼ‖²", least), relation="==", axes=("row",))


@theorem(
    "ΣD² falls by D² of the row drawn, or more",
    source="Arthur and Vassilvitskii (2007)",
    about="step",
    phases=("shorten",),
    proof=("D² of the row drawn becomes 0", "no other D² rises, for min(D², ‖x - μ‖²) <= D²"),
)
def never_rises(problem: Problem, before: KMeansPlusPlusState, after: KMeansPlusPlusState) -> Answer:
    if not np.isfinite(before.squared[0]):
        return None
    without = float(np.delete(before.squared, after.rows[-1]).sum())
    return Sides(("ΣD²", objective(problem, after)), ("before, less D² of the row", without))


@theorem(
    "one mean, on row r: ΣD² = Σ‖x-c‖² + n‖xᵣ-c‖²",
    source="Huygens (1673)",
    phases=("shorten",),
    hypotheses={"there is one mean": one_mean},
    proof=(
        "‖x - xᵣ‖² = ‖x - c‖² + 2 (x - c)·(c - xᵣ) + ‖c - xᵣ‖²",
        "over all rows Σ(x - c) = 0, so the middle term goes",
        "on average over r, n‖xᵣ - c‖² is Σ‖x - c‖²: ΣD² is twice the least",
    ),
)
def about_one_mean(problem: Problem, before: KMeansPlusPlusState | None, after: KMeansPlusPlusState) -> Answer:
    rows, n = problem.data.once(measured), problem.data.n
    away = problem.data.X[after.rows[0]] - rows.centre
    moved = problem.data.once(total) + n * float(away @ away)
    # far from the origin c is rounded to so much that Σ 2(x - c)·(c - x_r) is not 0
    return Sides(("ΣD²", objective(problem, after)), ("Σ‖x-c‖² + n‖xᵣ-c‖²", moved), relation="==", slack=rows.rounding)


THEOREMS = (lowered_by_lloyd, pointed, only_a_new_row, best_kept, to_the_nearest, never_rises, about_one_mean)

EXPECTATIONS = (
    Expectation(
        "E[ΣD²] <= 8 (ln k + 2) OPT",
        objective,
        most_expected,
        names=("mean ΣD² of k means drawn", "8 (ln k + 2) OPT, by the least J found"),
        source="Arthur and Vassilvitskii (2007), theorem 3.1",
        fixed={"draws": 1},
        proof=(
            "a row drawn from a cluster, by D², leaves at most 8 times that cluster's least J, on average",
            "by induction over the draws, clusters that no draw hits cost a factor of 1 + H",
            "H = 1 + 1/2 + ... + 1/(k - 1) <= 1 + ln k, so 8 (2 + ln k) in all",
        ),
    ),
)

ALGORITHM = Algorithm(
    k_means_plus_plus,
    title="k-means++",
    point="Each new mean is drawn, most likely far from those there are: few groups go without.",
    after=("lloyd",),
    leaves_open="Its promise is of the mean over draws; one draw may be bad.",
    tries=(("another draw", "-p seed=1"), ("ten candidates a mean", "-p draws=10")),
    asks=(
        Ask.row("Which row is then the farthest from its nearest mean?", "squared", "draw"),
        Ask.number("What will J be with this mean?", "objective", 0.1, "draw"),
    ),
    summary="Draws k rows as first means, each with a chance in proportion to its squared distance from those before.",
    rule="pᵢ = Dᵢ²/ΣD²\nDᵢ² <- min(Dᵢ², ‖xᵢ - μ‖²)",
    needs=Needs(target="none", within=(1e-100, 1e100)),  # beyond, squared distances overflow or vanish
    phases={
        "start": "no mean yet; all rows have the same chance",
        "draw": "a row is drawn with chance D²/ΣD²",
        "shorten": "distances to the nearest mean are shortened",
    },
    events=("draw", Event("the likeliest row was drawn", lambda before, after: likeliest_drawn(after))),
    fork_after=("start", "shorten"),
    curves=(
        Curve("objective", objective, "J = ΣD²", phases=("shorten",), log=True),
        Curve(_SETTLED, settled, "the J that Lloyd ends at", chart="objective", phases=("start", "shorten"), log=True),
        Curve("chance", chance_drawn, "p of the row drawn", phases=("draw",), log=True),
    ),
    objective={("objective", _SETTLED): ("k",)},
    theorems=THEOREMS,
    expectations=EXPECTATIONS,
    ends={
        "… mean… drawn": all_drawn,
        "every row lies on …: none has a chance to be the next": on_the_means,
    },
    symbols={
        "x, c": ("a row, and the mean of all rows", None),
        "μ": ("a mean, on a row that was drawn", None),
        "k": ("means to draw", lambda problem, state: problem.parameters.k),
        "D²": ("‖x - μ‖² to the nearest mean", None),
        "ΣD², J": (
            "the objective of k-means, with the means drawn",
            lambda problem, state: objective(problem, state) if np.isfinite(state.squared[0]) else None,
        ),
        "p": ("chance of a row to be drawn next, D²/ΣD²", None),
        "u": ("a number in [0, 1), uniform", None),
        "OPT": ("the least J of any k means", None),
        "i, r": ("the row drawn; the row of the one mean", None),
        "n": ("rows", lambda problem, state: problem.data.n),
    },
    scene=scene,
    explain={"start": of_start, "draw": of_draw, "shorten": of_shortening},
    adapt=adapt,
    validate=validate,
    datasets=(
        blobs.with_(n=200, k=4, spread=1.0, seed=1),
        faithful.with_(scale=True),
        iris,
        penguins.with_(columns=("bill_length_mm", "flipper_length_mm"), scale=True),
        digits,
    ),
)
