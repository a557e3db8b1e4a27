"""Coordinate descent on a function of the plane: to the least f along one axis, then along the other, again and again.

    x_j <- argmin over t of f(x with t in place of x_j)

f never rises. Where f is smooth its slope along j is 0 after the step. On a quadratic with Hessian H a step lowers f by
g_j²/(2H_jj), and from the second one on each leaves the share

    ρ = H₁₂² / (H₁₁ H₂₂)

of what is above the minimum: that is Gauss and Seidel's way to solve Hx = 0. So it depends on the axes: a valley along
one of them takes two steps, one across them a staircase without end.

Where no coordinate alone lowers f, a convex f is least if its kinks lie along the axes, f = smooth + Σ h_j(x_j): so the
lasso with its Σ|x_j| is safe. A kink across the axes, as of |x₁ + x₂|, stops it anywhere along the kink: to leave one
coordinate alone must climb, and both together would not.

References: Seidel (1874), Abhandlungen der Bayerischen Akademie der Wissenschaften 11; Warga (1963), Minimizing certain
convex functions, J. SIAM 11; Tseng (2001), Convergence of a block coordinate descent method for nondifferentiable
minimization, J. of Optimization Theory and Applications 109; Wright (2015), Coordinate descent algorithms, Mathematical
Programming 151.
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    DoesNotApply,
    Event,
    Meta,
    Needs,
    Path,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    numbers,
    theorem,
)
from algorithms.core.text import change
from algorithms.families.optimisers.coordinate_descent.coordinate_functions import (
    COORDINATE_FUNCTIONS,
    CoordinateFunction,
    CoordinateName,
)
from algorithms.families.optimisers.shared.levels_pictures import along_axis, path_over_levels
from algorithms.toolbox.ends import reached
from algorithms.toolbox.functions import above_lowest, place

Order = Literal["cyclic", "greedy"]
NAMES = ("x₁", "x₂")

_STILL = 1e-10  # a shorter move is as good as none
_PLACES = 401  # along a coordinate


class CoordinateDescentState(State, frozen=True, kw_only=True):
    x: Array  # (2,)
    j: int = -1  # the coordinate of the last step, 0 or 1
    still: int = 0  # steps in a row that moved nothing; two of them end it


def coordinate_descent(
    state: CoordinateDescentState | None = None,
    *,
    function: Annotated[CoordinateName, Meta(description="what is descended")] = "valley",
    order: Annotated[Order, Meta(description="in turn, or the coordinate that lowers f most")] = "cyclic",
    start: Annotated[
        tuple[Annotated[float, Meta(ge=-10, le=10)], ...],
        Meta(min_length=2, max_length=2, description="where it begins, across and up"),
    ] = (-2.0, 1.0),
    steps: Annotated[int, Meta(ge=1, le=100_000, description="steps at most")] = 2000,
) -> Run[CoordinateDescentState]:
    f = COORDINATE_FUNCTIONS[function]
    if state is None:
        state = CoordinateDescentState(x=np.array(start))
        yield state
    while state.t < steps:
        if state.still >= 2:
            return f"no coordinate alone lowers f {where_it_stands(f, state.x)}"
        j = following(f, state.x, state.j, order)
        t = f.best(state.x, j)
        if t is None:
            return f"f falls without end along {NAMES[j]}: there is no least value"
        moved = abs(t - float(state.x[j])) > _STILL * max(1.0, float(np.abs(state.x).max()))
        x = replaced(state.x, j, t)
        state = state.after("step", iteration=1 + state.t // 2, x=x, j=j, still=0 if moved else state.still + 1)
        yield state
    return f"step {steps:,} was the last"


def following(f: CoordinateFunction, x: Array, j: int, order: Order) -> int:
    """The coordinate whose turn it is, or the one that lowers f more; the other one where they are alike."""
    other = 0 if j == 1 or j < 0 else 1
    return other if order == "cyclic" or lowered(f, x, other) <= lowered(f, x, 1 - other) else 1 - other


def lowered(f: CoordinateFunction, x: Array, j: int) -> float:
    """f where it is least along j; -∞ where it falls without end."""
    t = f.best(x, j)
    return -np.inf if t is None else float(f.value(replaced(x, j, t)))


def replaced(x: Array, j: int, t: float) -> Array:
    """(2,) x with t in place of x_j."""
    return np.array([t, x[1]] if j == 0 else [x[0], t])


def where_it_stands(f: CoordinateFunction, x: Array) -> str:
    """What the place is at which no coordinate lowers f."""
    least = f.lowest is not None and float(f.value(x)) <= f.lowest + 1e-9
    if not f.separable and not least:
        return f"at {place(x)}, stuck at the kink: both together would, down to {place(np.array(f.minima[0]))}"
    return f"at {place(x)}" + ", the minimum" * least


def adapt(before: Problem, after: Problem, state: CoordinateDescentState, rows: Array) -> CoordinateDescentState:
    """Of another function, or in another order, either coordinate may move again."""
    return state if after.parameters.function == before.parameters.function else state.replaced(still=0)


def function_of(problem: Problem) -> CoordinateFunction:
    """f, with what is known of it."""
    return COORDINATE_FUNCTIONS[problem.parameters.function]


def value(problem: Problem, state: CoordinateDescentState) -> float:
    return float(function_of(problem).value(state.x))


def excess(problem: Problem, state: CoordinateDescentState) -> float:
    return above_lowest(function_of(problem), state.x)


def slope(problem: Problem, state: CoordinateDescentState) -> float:
    """‖∇f(x)‖, where f is smooth."""
    f = function_of(problem).smooth
    return np.nan if f is None else float(np.linalg.norm(f.gradient(state.x)))


def share_left(problem: Problem) -> float | None:
    """ρ = H₁₂²/(H₁₁H₂₂), of a quadratic with a minimum."""
    f = function_of(problem)
    return float(f.H[0, 1] ** 2 / (f.H[0, 0] * f.H[1, 1])) if f.H is not None and f.convex else None


def size_of_value(problem: Problem, *places: Array) -> float:
    """What rounding is in proportion to in f at these places."""
    f = function_of(problem)
    if f.smooth is not None:
        return sum(f.smooth.size(x) for x in places)
    return sum(abs(float(f.value(x))) + 10 * (1 + float(x @ x)) for x in places)


def is_smooth(problem: Problem, state: CoordinateDescentState) -> bool | str:
    return function_of(problem).smooth is not None or "f has kinks, and at them no slope"


def is_bowl(problem: Problem, state: CoordinateDescentState) -> bool | str:
    return share_left(problem) is not None or "f is no quadratic with a minimum"


def is_greedy(problem: Problem, state: CoordinateDescentState) -> bool | str:
    return problem.parameters.order == "greedy" or "the coordinates take turns"


def is_cyclic(problem: Problem, state: CoordinateDescentState) -> bool | str:
    return problem.parameters.order == "cyclic" or "the coordinate is chosen, not next in turn"


def no_coordinate_helps(problem: Problem, state: CoordinateDescentState) -> bool | str:
    return state.still >= 2 or "a coordinate may still lower f"


def safe(problem: Problem, state: CoordinateDescentState) -> bool | str:
    f = function_of(problem)
    if not f.convex or f.L is None:
        return "f is not convex"
    return f.separable or "its kink lies across the axes: there it may be stuck"


def came_to_rest(before: CoordinateDescentState | None, after: CoordinateDescentState) -> bool:
    return after.still == 2


def no_lower(problem: Problem, state: CoordinateDescentState) -> bool | Sides:
    """Along either coordinate f is least where x is, and both have had their turn."""
    f, x = function_of(problem), state.x
    best = [f.best(x, j) for j in (0, 1)]
    if state.still < 2 or None in best:
        return False
    room = _STILL * max(1.0, float(np.abs(x).max()))
    return Sides(("most that a coordinate moves", float(np.abs(np.array(best, float) - x).max())), ("nothing", room))


def bottomless(problem: Problem, state: CoordinateDescentState) -> bool:
    """Along the coordinate whose turn it is f has no least value."""
    f = function_of(problem)
    return f.best(state.x, following(f, state.x, state.j, problem.parameters.order)) is None


def scene(problem: Problem, before: CoordinateDescentState | None, after: CoordinateDescentState) -> Scene:
    f = function_of(problem)
    kinks = tuple(Path(at=ends, tone="wrong", name="kink") for ends in f.kinks)
    line = () if after.j < 0 else (Path(at=whole_line(f, after.x, after.j), tone=2, name="the line searched"),)
    picture = path_over_levels(
        f.value,
        f.window,
        after.x,
        where=lambda state: state.x,
        moved=lambda state, to: state.replaced(x=to, still=0),
        earlier=None if before is None else before.x,
        marked={"x*": f.minima, "saddle": f.saddles},
        title=f"the path over {problem.parameters.function}",
        marks=(*kinks, *line),
    )
    was = [float(before.x[j]) if before is not None and before.x[j] != after.x[j] else None for j in (0, 1)]
    axes = (along_axis(f.value, f.window, after.x, j, was[j], NAMES[j]) for j in (0, 1))
    return Scene((picture, *axes, numbers(so_far(problem, after))))


def whole_line(f: CoordinateFunction, x: Array, j: int) -> Array:
    """(2, 2) the ends of the line along coordinate j through what is shown."""
    return np.stack([replaced(x, j, end) for end in f.window[j]])


def so_far(problem: Problem, state: CoordinateDescentState) -> dict[str, float | str | None]:
    f = function_of(problem)
    return {
        "f": f.formula,
        "x₁": float(state.x[0]),
        "x₂": float(state.x[1]),
        "f(x)": value(problem, state),
        "f*": f.lowest,
        "ρ": share_left(problem),
    }


def explain(problem: Problem, before: CoordinateDescentState | None, after: CoordinateDescentState) -> str:
    f, now = function_of(problem), value(problem, after)
    if before is None or after.j < 0:
        return (
            f"f = {f.formula}: it is {now:.4g} at {place(after.x)}. "
            "The next step goes to the least f along one coordinate."
        )
    j, was = after.j, value(problem, before)
    if after.still:
        return f"Along {NAMES[j]} f is least where x stands, at {place(after.x)}: {still_because(f, after)}."
    share = share_left(problem)
    fall = f"f falls {change(was, now)}" if now < was else f"f stays at {now:.5g}"
    text = f"{NAMES[j]} goes {change(float(before.x[j]), float(after.x[j]))}, where f is least along it; {fall}."
    if share is not None and isinstance(leaves_its_share(problem, before, after), Sides):
        return f"{text} That leaves ρ = {share:.3g} of what was above the minimum."
    return text


def still_because(f: CoordinateFunction, state: CoordinateDescentState) -> str:
    """Why nothing moved."""
    if state.still < 2:
        return "the other coordinate is tried"
    lowest = f.lowest
    if lowest is not None and float(f.value(state.x)) > lowest + 1e-9 and not f.separable:
        return f"the kink lies across both axes, and either coordinate alone climbs, though f* = {lowest:.4g}"
    return f"so it was along {NAMES[1 - state.j]}"


SYMBOLS = {
    "x": ("where it stands, (x₁, x₂)", None),
    "f": ("the function that is descended", value),
    "i, j": (
        "the other coordinate, and that of the step",
        lambda problem, state: state.j + 1 if state.j >= 0 else None,
    ),
    "t": ("a value for that coordinate", None),
    "g, H": ("gradient of f, and its Hessian", None),
    "ρ": ("H₁₂²/(H₁₁H₂₂): what a step leaves of f - f*", lambda problem, state: share_left(problem)),
    "L": ("no curvature of the smooth part is greater", lambda problem, state: function_of(problem).L),
    "tol": ("a move that counts as none, of x's size", lambda problem, state: _STILL),
    "x*, f*": ("the lowest minimum, and f there", lambda problem, state: function_of(problem).lowest),
}


@theorem(
    "f never rises: f(x') <= f(x)",
    source="Warga (1963)",
    about="step",
    phases=("step",),
    proof=("x' is where f is least along the coordinate, and x is one of the places along it",),
)
def never_rises(problem: Problem, before: CoordinateDescentState, after: CoordinateDescentState) -> Answer:
    size = size_of_value(problem, before.x, after.x)
    return Sides(("f(x')", value(problem, after)), ("f(x)", value(problem, before)), size=size)


@theorem(
    "x' is where f is least along coordinate j",
    source="Seidel (1874)",
    about="step",
    phases=("step",),
    proof=("that is the rule; f is asked at many places along the coordinate",),
)
def least_along(problem: Problem, before: CoordinateDescentState, after: CoordinateDescentState) -> Answer:
    """Against f at many places along the coordinate, far and near."""
    f, x, j = function_of(problem), after.x, after.j
    reach = 1.0 + float(np.abs(before.x).max()) + float(np.abs(after.x).max())
    at = np.repeat(before.x[None], 2 * _PLACES, axis=0)
    at[:, j] = np.concatenate([np.linspace(-3, 3, _PLACES), x[j] / reach + np.linspace(-1e-2, 1e-2, _PLACES)]) * reach
    least = float(f.value(at).min())
    return Sides(("f(x')", float(f.value(x))), ("least of f along it", least), size=size_of_value(problem, before.x, x))


@theorem(
    "the other coordinate stays",
    source="Seidel (1874)",
    about="step",
    phases=("step",),
    proof=("that is the rule",),
)
def other_stays(problem: Problem, before: CoordinateDescentState, after: CoordinateDescentState) -> Answer:
    i = 1 - after.j
    return Sides((f"{NAMES[i]}'", after.x[i]), (NAMES[i], before.x[i]), relation="==", size=0.0)


@theorem(
    "smooth: the slope along j is 0",
    source="Wright (2015)",
    about="step",
    phases=("step",),
    hypotheses={"f is smooth": is_smooth},
    proof=("x' is a minimum over t, and there a smooth f has no slope",),
)
def slope_is_gone(problem: Problem, before: CoordinateDescentState, after: CoordinateDescentState) -> Answer:
    f = function_of(problem).smooth
    assert f is not None
    g, H = f.gradient(after.x), f.hessian(after.x)
    reach = 1 + float(np.abs(after.x).max())
    size = reach * float(np.abs(H).max()) + (0.0 if f.quadratic else 400 * reach**3)
    return Sides((f"∂f/∂{NAMES[after.j]}", float(g[after.j])), ("0", 0.0), relation="==", size=size)


@theorem(
    "quadratic: f falls by gⱼ²/(2Hⱼⱼ)",
    source="Wright (2015)",
    about="step",
    phases=("step",),
    hypotheses={"f is a quadratic with a minimum": is_bowl},
    proof=("let e be axis j; for every s, f(x + s e) = f(x) + s gⱼ + ½ s²Hⱼⱼ: least at s = -gⱼ/Hⱼⱼ",),
)
def falls_by(problem: Problem, before: CoordinateDescentState, after: CoordinateDescentState) -> Answer:
    f, j = function_of(problem), after.j
    assert f.smooth is not None
    assert f.H is not None
    promised = float(f.smooth.gradient(before.x)[j]) ** 2 / (2 * float(f.H[j, j]))
    fall = value(problem, before) - value(problem, after)
    size = size_of_value(problem, before.x, after.x)
    return Sides(("f(x) - f(x')", fall), (f"g²/(2H) along {NAMES[j]}", promised), relation="==", size=size)


@theorem(
    "quadratic: f(x') = ρ f(x), ρ = H₁₂²/(H₁₁H₂₂)",
    source="Seidel (1874)",
    about="step",
    phases=("step",),
    hypotheses={"f is a quadratic with a minimum": is_bowl},
    proof=(
        "after a step along i: xᵢ = -(Hᵢⱼ/Hᵢᵢ) xⱼ, and f = ½ xⱼ² (Hⱼⱼ - Hᵢⱼ²/Hᵢᵢ), f* = 0",
        "after the next, along j: f' = ½ xᵢ² (Hᵢᵢ - Hᵢⱼ²/Hⱼⱼ)",
        "their ratio is (Hᵢⱼ/Hᵢᵢ)² Hᵢᵢ/Hⱼⱼ = ρ",
    ),
)
def leaves_its_share(problem: Problem, before: CoordinateDescentState, after: CoordinateDescentState) -> Answer:
    f, share, i = function_of(problem).smooth, share_left(problem), before.j
    if f is None or share is None or i in (-1, after.j):
        return None
    g, H = f.gradient(before.x), f.hessian(before.x)
    if abs(float(g[i])) > 1e-10 * float(np.abs(H).max() * np.abs(before.x).max()):  # more than rounding leaves
        return DoesNotApply(f"f or x was changed since the last step: x was not least along {NAMES[i]}")
    was, now = value(problem, before), value(problem, after)
    size = size_of_value(problem, before.x, after.x)
    return Sides(("f(x')", now), ("ρ f(x)", share * was), relation="==", size=size)


@theorem(
    "cyclic: the coordinates take turns",
    source="Seidel (1874)",
    about="step",
    phases=("step",),
    hypotheses={"the order is cyclic": is_cyclic},
    proof=("that is the rule",),
)
def takes_turns(problem: Problem, before: CoordinateDescentState, after: CoordinateDescentState) -> Answer:
    turn = 1 - before.j if before.j >= 0 else 0
    return Sides(("coordinate", after.j + 1), ("the next in turn", turn + 1), relation="==")


@theorem(
    "greedy: the other coordinate lowers f no further",
    source="Wright (2015)",
    about="step",
    phases=("step",),
    hypotheses={"the order is greedy": is_greedy},
    proof=("that is the rule",),
)
def lowers_most(problem: Problem, before: CoordinateDescentState, after: CoordinateDescentState) -> Answer:
    other = lowered(function_of(problem), before.x, 1 - after.j)
    size = size_of_value(problem, before.x, after.x)
    return Sides(("f(x')", value(problem, after)), (f"f with {NAMES[1 - after.j]} moved", other), size=size)


@theorem(
    "at rest f is least, if kinks lie along the axes",
    source="Tseng (2001)",
    phases=("step",),
    hypotheses={"f is convex, with kinks along the axes": safe, "neither coordinate moves x": no_coordinate_helps},
    proof=(
        "for each j: 0 is the smooth part's slope plus a subgradient of the part with a kink at xⱼ",
        "together they are a subgradient of f at x, which is 0: so for every z, f(z) >= f(x)",
        "a move below tol leaves at most L tol of slope along each coordinate",
    ),
)
def least_of_all(problem: Problem, before: CoordinateDescentState | None, after: CoordinateDescentState) -> Answer:
    f = function_of(problem)
    assert f.lowest is not None
    assert f.L is not None
    away = float(np.linalg.norm(after.x - f.minima[0]))
    bound = f.L * np.sqrt(2) * _STILL * max(1.0, float(np.abs(after.x).max())) * away
    above = value(problem, after) - f.lowest
    return Sides(("f(x) - f*", above), ("√2 L tol ‖x - x*‖", bound), size=size_of_value(problem, after.x))


THEOREMS = (
    never_rises,
    least_along,
    other_stays,
    slope_is_gone,
    falls_by,
    leaves_its_share,
    takes_turns,
    lowers_most,
    least_of_all,
)

ALGORITHM = Algorithm(
    coordinate_descent,
    title="Coordinate descent",
    point="It walks along one axis, then along the other: a staircase down the valley.",
    after=("gradient_descent",),
    leaves_open="Where no coordinate alone goes down, both together might.",
    tries=(("a slanted kink", "-p 'function=slanted kink' -p start=3,-1"), ("a bowl", "-p function=bowl")),
    asks=(
        Ask.number("What will f be after the step?", "objective"),
        Ask.way("f falls: what does the length of the gradient do?", "slope"),
    ),
    summary="Goes to the least value along one axis, then along the other, again and again.",
    rule="x_j <- argmin over t of f(x with t in place of x_j)",
    needs=Needs(data=False),
    phases={"start": "x is where it begins", "step": "to the least f along one coordinate"},
    events=(Event("neither coordinate moves", came_to_rest),),
    start_only=("start",),
    curves=(
        Curve("excess", excess, "f(x) - f*", log=True),
        Curve("objective", value, "f(x)"),
        Curve("slope", slope, "‖∇f(x)‖", log=True),
    ),
    objective={("objective", "excess", "slope"): ("function",)},
    theorems=THEOREMS,
    ends={
        "no coordinate alone lowers f …": no_lower,
        "f falls without end along …": bottomless,
        "step … was the last": reached("steps", "t"),
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    settings=(
        {"function": "valley"},
        {"function": "slanted kink", "start": (3.0, -1.0)},
        {"function": "lasso", "start": (-1.0, 1.4)},
        {"function": "bowl"},
        {"function": "rosenbrock", "start": (-1.2, 0.2), "steps": 200},
        {"function": "two wells", "start": (-1.4, 1.5), "order": "greedy"},
        {"function": "saddle", "start": (-2.0, 0.5)},
        {"function": "huber", "start": (-3.5, 2.0), "order": "greedy"},
    ),
)
