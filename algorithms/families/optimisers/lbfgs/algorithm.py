"""L-BFGS: Newton's step with a curvature learned from the last few moves, and no Hessian.

    direction   B d = -g
    search      α until f falls enough along d and is no longer as steep (Wolfe), or to the minimum along d (exact)
    step        x <- x + α d,   and the pair s = x' - x, y = g' - g joins the last m of them

B begins as I/γ, γ = s·y / y·y of the latest pair, and each pair changes it by as little as makes

    B s = y,    B <- B - BssᵀB / sᵀBs + yyᵀ / s·y                (the secant equation)

On a quadratic y = Hs, so B is right along the latest move. B stays positive definite as s·y > 0, which is what Wolfe's
second condition ensures: so d points down, and f falls at every step, also where the true curvature is negative.

With the exact minimum along d, on a quadratic of p variables the moves are those of conjugate gradients: it ends in p
steps, whatever m is, and B = H then if m >= p. Wolfe's conditions, cheaper to meet, do not ensure that.

References: Broyden (1970), The convergence of a class of double-rank minimization algorithms, J. of the Institute of
Mathematics and its Applications 6; Wolfe (1969), Convergence conditions for ascent methods, SIAM Review 11; Nocedal
(1980), Updating quasi-Newton matrices with limited storage, Mathematics of Computation 35; Liu and Nocedal (1989), On
the limited memory BFGS method for large scale optimization, Mathematical Programming 45; Nocedal and Wright (2006),
Numerical Optimization, sections 6.1 and 7.2.
"""

from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from algorithms.core import Algorithm, Array, Ask, Curve, Meta, Needs, Problem, Run, Scene, Sides, numbers
from algorithms.families.optimisers.lbfgs import words
from algorithms.families.optimisers.lbfgs.measures import LbfgsState, learned, misjudged
from algorithms.families.optimisers.lbfgs.quasi_newton import first_scale, solved, with_pair
from algorithms.families.optimisers.lbfgs.theorems import THEOREMS
from algorithms.families.optimisers.lbfgs.wolfe import FIRST, fault, goes_away, least_along, narrowed, used_up
from algorithms.families.optimisers.shared.descent import distance, excess, function_of, slope, value
from algorithms.families.optimisers.shared.levels_pictures import path_over_levels
from algorithms.families.optimisers.shared.local_quadratic_pictures import along_step, shapes, why_no_ellipse
from algorithms.toolbox.ends import reached
from algorithms.toolbox.functions import FLAT, FUNCTIONS, FunctionName, place, where_it_is_flat

Search = Literal["wolfe", "exact"]

_LOST = "no step meets both conditions: what tells them apart is lost in rounding"


def lbfgs(
    state: LbfgsState | None = None,
    *,
    function: Annotated[FunctionName, Meta(description="what is descended")] = "rosenbrock",
    memory: Annotated[int, Meta(ge=1, le=50, description="m, the moves that are remembered")] = 5,
    search: Annotated[Search, Meta(description="along d: by Wolfe's conditions, or to the minimum")] = "wolfe",
    start: Annotated[
        tuple[Annotated[float, Meta(ge=-10, le=10)], ...],
        Meta(min_length=2, max_length=2, description="where it begins, across and up"),
    ] = (-1.2, 1.0),
    steps: Annotated[int, Meta(ge=1, le=10_000, description="steps at most")] = 200,
) -> Run[LbfgsState]:
    f = FUNCTIONS[function]
    if state is None:
        state = LbfgsState(x=np.array(start), d=np.zeros(2), S=np.zeros((0, 2)), Y=np.zeros((0, 2)))
        yield state
    while True:
        if state.phase in ("start", "step"):
            g = f.gradient(state.x)
            if np.linalg.norm(g) < FLAT:
                return f"the slope is 0 to nine digits {where_it_is_flat(f, state.x)}"
            if state.iteration >= steps:
                return f"iteration {steps:,} was the last"
            d, first = -solved(state.S, state.Y, g), first_try(state.S, g)
            state = state.after("direction", iteration=state.iteration + 1, d=d, alpha=first, low=0.0, high=0.0)
            yield state
        while search == "wolfe" and (wrong := fault(f, state.x, state.d, state.alpha)):
            alpha, low, high = narrowed(wrong, state.alpha, state.low, state.high)
            if goes_away(state.d, alpha) or used_up(low, high):
                return _LOST if high else f"f falls without end along {place(state.d, 2)}"
            state = state.after("search", alpha=alpha, low=low, high=high)
            yield state
        if search == "exact" and state.phase == "direction":
            least = least_along(f, state.x, state.d, state.alpha)
            if least is None:
                return f"f falls without end along {place(state.d, 2)}"
            state = state.after("search", alpha=least)
            yield state
        x = state.x + state.alpha * state.d
        S, Y = with_pair(state.S, state.Y, x - state.x, f.gradient(x) - f.gradient(state.x), memory)
        state = state.after("step", x=x, S=S, Y=Y)
        yield state


def first_try(S: Array, g: Array) -> float:
    """The α to be tried first: the whole step; while no curvature is known, a move of length 1."""
    return 1.0 if len(S) else 1 / float(np.linalg.norm(g))


def adapt(before: Problem, after: Problem, state: LbfgsState, rows: Array) -> LbfgsState:
    """Of another function nothing is known yet, and no direction; of a shorter memory the latest moves stay."""
    if after.parameters.function != before.parameters.function:
        return state.replaced(S=state.S[:0], Y=state.Y[:0], d=np.zeros(2))
    memory = after.parameters.memory
    return state.replaced(S=state.S[-memory:], Y=state.Y[-memory:])


def flat(problem: Problem, state: LbfgsState) -> bool | Sides:
    slope = float(np.linalg.norm(function_of(problem).gradient(state.x)))
    return state.phase in ("start", "step") and Sides(("‖g‖", slope), ("0 to nine digits", FLAT), relation="<")


def no_step_falls(problem: Problem, state: LbfgsState) -> bool | Sides:
    """Between a step that is too near and one that is too far f cannot tell one from another."""
    f, p = function_of(problem), problem.parameters
    wrong = state.phase in ("direction", "search") and p.search == "wolfe" and fault(f, state.x, state.d, state.alpha)
    if not wrong:
        return False
    _, low, high = narrowed(wrong, state.alpha, state.low, state.high)
    return used_up(low, high) and Sides(("high - low", high - low), ("high/10¹²", 1e-12 * high))


def bottomless(problem: Problem, state: LbfgsState) -> bool | Sides:
    """f is lower by a long way along d, and lower still by a longer one; the next step tried would be one."""
    f, x, d = function_of(problem), state.x, state.d
    if problem.parameters.search == "exact":
        if state.phase != "direction":
            return False
    else:
        wrong = state.phase in ("direction", "search") and fault(f, x, d, state.alpha)
        if not wrong or not goes_away(d, narrowed(wrong, state.alpha, state.low, state.high)[0]):
            return False
    unit = d / np.linalg.norm(d)
    there = [(f"f(x + {far:g} d/‖d‖)", float(f.value(x + far * unit))) for far in (1e6, 1e4, 1e2)]
    return Sides(*there, ("f(x)", float(f.value(x))), relation="<")


def scene(problem: Problem, before: LbfgsState | None, after: LbfgsState) -> Scene:
    f = function_of(problem)
    stepping = before is not None and after.phase == "step"
    origin = before if stepping and before is not None else after  # where d begins
    picture = path_over_levels(
        f.value,
        f.window,
        after.x,
        where=lambda state: state.x,
        moved=lambda state, to: state.replaced(x=to),
        earlier=origin.x if stepping else None,
        marked={"x*": f.minima, "saddle": f.saddles, "maximum": f.maxima},
        title=f"{problem.parameters.function}: B and H as ellipses",
        marks=shapes(f, after.x, learned(problem, after)),
        bare=True,  # a label would lie over a small H
    )
    why = why_no_ellipse(f.hessian(after.x)) or "B learned; H true, scaled anew"
    picture = replace(picture, note=picture.note or why)
    enough, reach = FIRST if problem.parameters.search == "wolfe" else None, max(after.alpha, after.high)
    # across a fork it is not known where the step that d belongs to began
    d = np.zeros(2) if after.phase == "start" or (after.phase == "step" and before is None) else after.d
    tested = along_step(f, origin.x, learned(problem, origin), d, after.alpha, enough, "α", reach)
    return Scene((picture, *tested, numbers(so_far(problem, after))))


def so_far(problem: Problem, state: LbfgsState) -> dict[str, float | str | None]:
    f = function_of(problem)
    return {
        "f": f.formula,
        "x₁": float(state.x[0]),
        "x₂": float(state.x[1]),
        "f(x)": value(problem, state),
        "f*": f.lowest,
        "α": state.alpha,
        "pairs": len(state.S),
        "λ of B": in_words(learned(problem, state)),
        "λ of H": in_words(f.hessian(state.x)),
    }


def spectrum(M: Array) -> Array:
    """(2,) the eigenvalues of a symmetric matrix, the greatest first."""
    return np.asarray(np.linalg.eigvalsh(M)[::-1])


def in_words(M: Array) -> str:
    """Its eigenvalues."""
    return " and ".join(f"{value:.3g}" for value in spectrum(M))


SYMBOLS = {
    "x": ("where it stands, (x₁, x₂)", None),
    "g": ("gradient of f at x; g' at x'", slope),
    "d": ("the direction, in which f falls", lambda problem, state: float(np.linalg.norm(state.d)) or None),
    "α": ("how much of d is taken", lambda problem, state: state.alpha),
    "c₁, c₂": ("Wolfe's constants: 0.001 and 0.9", None),
    "s, y": ("the move x' - x, and the change g' - g of the gradient", None),
    "B": ("the curvature that the last m moves tell", None),
    "γ": ("s·y / y·y of the latest move: B begins as I/γ", lambda problem, state: first_scale(state.S, state.Y)),
    "m": ("moves that are remembered, at most", lambda problem, state: problem.parameters.memory),
    "H": ("Hessian of f at x, its true curvature, never asked for", None),
    "q": ("the quadratic with f's value and gradient at x and curvature B", None),
    "z, r": ("zᵀBz = r² and zᵀHz = r² are the ellipses about x, r fitted anew; H has none where it bends f down", None),
    "λ": ("an eigenvalue of B or H", lambda problem, state: float(spectrum(learned(problem, state))[0])),
    "x*": ("the minimum", None),
    "f": ("the function that is descended", lambda problem, state: float(function_of(problem).value(state.x))),
}

ALGORITHM = Algorithm(
    lbfgs,
    title="L-BFGS",
    point="The first step is plain; later ones remember the last turns, and cut across the valley.",
    after=("newton",),
    leaves_open="A flat place may be one minimum of several.",
    tries=(("a memory of one turn", "-p memory=1"), ("two wells", "-p 'function=two wells' -p start=-0.1,1.5")),
    asks=(
        Ask("Is the first α that is tried the one that is taken?", "step", "direction"),
        Ask.way("x moves downhill, or stays: what does the slope do?", "slope", "direction or search"),
    ),
    summary="Newton's step with a curvature learned from the last few moves, and no Hessian.",
    rule="direction  B d = -g,  B from the last m moves\nsearch     α by Wolfe's conditions\nstep       x <- x + α d",
    needs=Needs(data=False),
    phases={
        "start": "x is where it begins",
        "direction": "down, by the learned curvature",
        "search": "another α is tried along d",
        "step": "x moves, and the move is remembered",
    },
    events=("step",),
    fork_after=("start", "step"),
    start_only=("start",),
    curves=(
        Curve("excess", excess, "f(x) - f*", log=True),
        Curve("objective", value, "f(x)"),
        Curve("slope", slope, "‖g‖", log=True),
        Curve("distance", distance, "‖x - x*‖, x* the nearest", log=True),
        Curve("misjudged", misjudged, "‖B - H‖/‖H‖", log=True),
    ),
    objective={("objective", "excess", "slope", "distance"): ("function",)},
    theorems=THEOREMS,
    ends={
        "the slope is 0 to nine digits …": flat,
        "iteration … was the last": reached("steps", "iteration", "start", "step"),
        _LOST: no_step_falls,
        "f falls without end along …": bottomless,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": words.start, "direction": words.direction, "search": words.search, "step": words.step},
    adapt=adapt,
    settings=(
        {"function": "rosenbrock"},
        {"function": "valley", "search": "exact", "start": (-2.0, 1.0)},
        {"function": "valley", "start": (-2.0, 1.0)},
        {"function": "rosenbrock", "memory": 1},
        {"function": "two wells", "start": (-0.1, 1.5)},
        {"function": "himmelblau", "start": (-0.6, -0.5)},
        {"function": "huber", "start": (-3.5, 2.0)},
        {"function": "saddle", "start": (-2.0, 0.5)},
    ),
)
