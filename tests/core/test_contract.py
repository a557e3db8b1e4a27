"""What an algorithm file is written with: kept values, twins of curves, lengths of fields, fresh starts, no data."""

import gc
import weakref
from typing import Annotated, Any

import numpy as np
import pytest
from msgspec import Struct

from algorithms import Add, Algorithm, Dataset, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import (
    Along,
    Array,
    Curve,
    FromStart,
    Meta,
    Needs,
    Panel,
    Parameter,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Table,
    Theorem,
    Undecided,
    Variable,
    columns,
    kept,
    kept_by,
    numbers,
    once,
)
from algorithms.core.parameters import Parameters
from algorithms.core.state import axes_of

ROWS = Dataset([[0.0, 1.0], [2.0, 3.0], [4.0, 8.0]], name="rows")
CALLS: list[str] = []


@once
def total(problem: Problem) -> float:
    CALLS.append("total")
    return float(problem.data.X.sum())


@kept_by("x")
def length(problem: Problem, state: "WalkState") -> float:
    CALLS.append("length")
    return float(np.linalg.norm(state.x))


@kept
def distance(problem: Problem, state: "WalkState") -> float:
    CALLS.append("distance")
    return float(np.linalg.norm(problem.data.X - state.x))


class Leaf(Struct, frozen=True):
    rows: Array


class WalkState(State, frozen=True, kw_only=True):
    x: Array
    seen: Annotated[Array, Along("n")]
    leaves: tuple[Leaf, ...] = ()


def walk(data: Dataset, state: WalkState | None = None) -> Run[WalkState]:
    """Goes from row to row."""
    if state is None:
        state = WalkState(x=data.X[0], seen=np.zeros(data.n))
        yield state
    while state.iteration < data.n - 1:
        at = state.iteration + 1
        state = state.after("row", iteration=at, x=data.X[at], seen=np.arange(data.n) <= at)
        yield state
    return "no rows are left"


def declared(run: Any = walk, **changes: Any) -> Algorithm:
    given: dict[str, Any] = {
        "title": "Walk",
        "summary": "Goes from row to row.",
        "rule": "x <- row",
        "needs": Needs(),
        "phases": {"start": "row 0", "row": "the next"},
        "scene": lambda problem, before, after: Scene((Panel(title="rows", marks=(Points(at=problem.data.X),)),)),
        "explain": lambda problem, before, after: "A row.",
    }
    return Algorithm(run, **given | changes)


def problem_and_state() -> tuple[Problem, WalkState]:
    problem = declared().problem(ROWS)
    return problem, next(declared().start(problem))


# Values that are kept


def test_what_is_worked_out_once_is_worked_out_once_for_each_problem() -> None:
    problem, _ = problem_and_state()
    other, _ = problem_and_state()
    CALLS.clear()
    assert total(problem) == total(problem) == total(other) == 18.0
    assert CALLS == ["total", "total"]


def test_what_is_kept_of_a_state_is_measured_once_for_each_state() -> None:
    problem, state = problem_and_state()
    CALLS.clear()
    assert distance(problem, state) == distance(problem, state)
    assert distance(problem, state.after("row", x=ROWS.X[1])) != distance(problem, state)
    assert CALLS == ["distance", "distance"]


def test_what_hangs_on_a_field_alone_is_measured_once_for_each_value_of_it() -> None:
    problem, state = problem_and_state()
    CALLS.clear()
    again = state.after("row")  # with the same x
    assert length(problem, state) == length(problem, again) == length(problem, state)
    moved = state.after("row", x=ROWS.X[1])
    assert length(problem, moved) == float(np.linalg.norm(ROWS.X[1]))
    equal = state.after("row", x=np.array(state.x))  # another array: nobody looks whether its numbers are the same
    assert length(problem, equal) == length(problem, state)
    assert CALLS == ["length", "length", "length"]


def test_a_problem_of_a_fork_shares_what_was_worked_out_and_says_that_it_is_one() -> None:
    problem, _ = problem_and_state()
    CALLS.clear()
    total(problem)
    assert problem.as_forked().forked
    assert total(problem.as_forked()) == 18.0
    assert CALLS == ["total"]


def test_what_data_keep_depends_on_the_arguments_and_dies_with_them() -> None:
    def scaled(data: Dataset, by: float) -> Array:
        CALLS.append("scaled")
        return data.X * by

    data = Dataset(ROWS.X.copy())
    CALLS.clear()
    assert data.once(scaled, 2.0) is data.once(scaled, 2.0)
    assert data.once(scaled, 3.0)[1, 1] == 9.0
    assert CALLS == ["scaled", "scaled"]
    gone = weakref.ref(data)
    del data
    gc.collect()
    assert gone() is None


# Sides


def test_each_link_of_a_chain_is_forgiven_for_its_own_neighbours() -> None:
    assert not Sides(("a", 1e-4), ("b", 0.0), ("c", 1e6)).hold
    assert Sides(("a", 1e6), ("b", 1e6 - 1e-4)).hold
    assert Sides(("a", 1.0), ("b", 2.0), ("c", 1e6)).tolerances == pytest.approx((2e-9, 1e-3))


def test_with_a_size_a_link_forgives_a_trillionth_of_it() -> None:
    assert Sides(("a", 0.0), ("b", -1e-9), size=1e4).hold
    assert not Sides(("a", 0.0), ("b", -1e-7), size=1e4).hold
    assert not Sides(("a", 1.0), ("b", 1.0 + 1e-10), relation="==", size=1.0).hold
    assert not Sides(("a", 1.0), ("b", 1.0), relation="<", size=1e9).hold


def test_a_statement_about_every_entry_names_the_one_that_is_nearest_to_failing() -> None:
    alpha = np.array([0.0, 0.5, 0.99])
    sides = Sides.each(("α", alpha), ("C", 1.0))
    assert sides.names == ("α (2)", "C")
    assert sides.hold
    broken = Sides.each(("α", np.array([[0.0, 2.0], [0.5, np.nan]])), ("C", 1.0))
    assert broken.names == ("α (1,1)", "C")
    assert not broken.hold
    equal = Sides.each(("a", np.array([1.0, 5.0])), ("b", np.array([1.0, 5.1])), relation="==")
    assert equal.names == ("a (1)", "b (1)")
    with pytest.raises(ValueError, match="needs one"):
        Sides.each(("a", np.empty(0)), ("b", 1.0))


# Theorems


def first_side(problem: Problem, before: Any, after: Any) -> Sides:
    return Sides(("0", 0.0), ("1", 1.0))


@pytest.mark.parametrize(
    ("answer", "status", "why"),
    [
        (True, "holds", ""),
        (False, "does not apply", "it is not so that rows differ"),
        ("two rows are equal", "does not apply", "two rows are equal"),
        (Undecided("it was not looked for"), "undecided", "it was not looked for"),
    ],
)
def test_a_hypothesis_that_is_not_met_silences_a_theorem_and_says_why(answer: Any, status: str, why: str) -> None:
    theorem = Theorem("0 <= 1", first_side, "Peano (1889)", hypotheses={"rows differ": lambda p, s: answer})
    verdict = theorem.verdict(*problem_and_state()[:1], None, problem_and_state()[1])
    assert (verdict.status, verdict.why) == (status, why)


def test_a_theorem_of_some_phases_is_silent_in_the_others() -> None:
    problem, state = problem_and_state()
    theorem = Theorem("0 <= 1", first_side, "Peano (1889)", phases=("row",))
    assert theorem.verdict(problem, None, state).status == "does not apply"
    assert theorem.verdict(problem, state, state.after("row")).status == "holds"


# Curves


def test_a_curve_of_rows_held_out_is_two_in_one_chart() -> None:
    data = Dataset(ROWS.X, held_out=Dataset(ROWS.X + 1.0))
    algorithm = declared(curves=(Curve("distance", distance, held_out=True),))
    training, aside = algorithm.curves
    assert [training.name, aside.name] == ["training distance", "held-out distance"]
    assert training.group == aside.group == "distance"
    problem, state = algorithm.problem(data), WalkState(x=np.zeros(2), seen=np.zeros(3))
    assert training.value(problem, state) == pytest.approx(np.linalg.norm(ROWS.X))
    assert aside.value(problem, state) == pytest.approx(np.linalg.norm(ROWS.X + 1.0))
    assert np.isnan(aside.value(algorithm.problem(ROWS), state))


def test_a_curve_of_rows_held_out_can_ask_for_the_rows_trained_on() -> None:
    data = Dataset(ROWS.X, held_out=Dataset(ROWS.X + 1.0))

    def nearest(problem: Problem, state: WalkState) -> float:
        return float(np.linalg.norm(problem.data.X[:1] - problem.training.data.X, axis=1).min())

    algorithm = declared(curves=(Curve("nearest", nearest, held_out=True),))
    problem, state = algorithm.problem(data), WalkState(x=np.zeros(2), seen=np.zeros(3))
    assert problem.training is problem
    assert problem.held_out is not None
    assert problem.held_out.training is problem
    first = float(np.linalg.norm(ROWS.X[:1] + 1.0 - ROWS.X, axis=1).min())
    assert [curve.value(problem, state) for curve in algorithm.curves] == [0.0, first]
    forked = problem.as_forked()
    assert forked.held_out is not None
    assert forked.held_out.training is forked


def test_a_curve_about_the_run_is_silent_after_a_fork() -> None:
    algorithm = declared(curves=(Curve("steps", lambda p, s: s.t, about="run"), Curve("x", lambda p, s: s.x[0])))
    run = Timeline(algorithm, ROWS).run()
    moved = run.fork(1, state=run.at(1).state.replaced(x=[9.0, 9.0])).run()
    assert run.values(run.at(2)) == (2.0, 4.0)
    assert np.isnan(moved.values(moved.at(2))[0])
    assert moved.values(moved.at(2))[1] == 4.0


def test_what_a_curve_is_drawn_along_is_a_curve_too_once() -> None:
    along = ("λ", lambda problem, state: 0.5)
    curves = declared(curves=(Curve("a", distance, along=along), Curve("b", distance, along=along))).curves
    assert [curve.name for curve in curves] == ["a", "b", "λ"]


def test_a_variable_is_measured_in_every_phase_in_which_a_curve_along_it_is() -> None:
    along = ("λ", lambda problem, state: 0.5)
    some = Curve("a", distance, phases=("row",), along=along)
    assert declared(curves=(some, Curve("b", distance, phases=("start",), along=along))).curves[-1].phases == (
        "row",
        "start",
    )
    assert declared(curves=(some, Curve("b", distance, along=along))).curves[-1].phases == ()
    assert declared(curves=(Curve("b", distance, along=along), some)).curves[-1].phases == ()


def test_a_variable_says_what_it_is_called_on_a_problem_and_its_name_where_that_raises() -> None:
    problem, _ = problem_and_state()
    variable = Variable("value", distance, letter=lambda p: f"{p.data.n} rows", log=lambda p: True)
    assert variable.axis(problem) == (f"{problem.data.n} rows", True)
    assert Variable("value", distance, letter=lambda p: 1 / 0).axis(problem) == ("value", False)
    assert Curve("a", distance, along=variable).variable is variable


# States


def test_arrays_in_structs_in_tuples_are_owned_and_read_only() -> None:
    rows = np.arange(6)
    state = WalkState(x=np.zeros(2), seen=np.zeros(3), leaves=(Leaf(rows[::2]), Leaf(rows.copy())))
    rows[:] = 0
    assert state.leaves[0].rows.tolist() == [0, 2, 4]
    assert not any(leaf.rows.flags.writeable for leaf in state.leaves)
    assert state.leaves[0].rows.base is None
    assert state.after("row").leaves is state.leaves


def test_fields_say_what_they_run_along() -> None:
    assert axes_of(WalkState) == {"seen": ("n",)}


# Forks


def test_a_fork_of_which_nothing_stays_true_begins_at_the_start_and_says_why() -> None:
    algorithm = declared(adapt=lambda b, a, state, rows: FromStart("these were measured on other rows"))
    run = Timeline(algorithm, ROWS).run()
    fork = run.fork(2, data=edited(ROWS, [Move(0, (5.0, 5.0))]))
    assert fork.begin == 0
    assert fork.from_start == "Walk starts afresh: these were measured on other rows."
    with pytest.raises(Refused, match="no state can be changed"):
        run.fork(2, data=edited(ROWS, [Move(0, (5.0, 5.0))]), state=run.at(2).state.replaced(x=[0.0, 0.0]))


class PairState(WalkState, frozen=True, kw_only=True):
    row: Annotated[int, Row] = 2
    pair: Annotated[Array, Row]


def pairs(data: Dataset, state: PairState | None = None) -> Run[PairState]:
    """Names rows, and never another."""
    if state is None:
        state = PairState(x=data.X[0], seen=np.zeros(data.n), pair=np.array([2, -1, 0], np.int8))
        yield state
    while state.t < 9:
        state = state.after("row")
        yield state
    return "done"


def test_fields_that_name_rows_follow_edits_before_the_algorithm_is_asked() -> None:
    given: list[PairState] = []

    def adapt(before: Problem, after: Problem, state: PairState, rows: Array) -> PairState:
        given.append(state)
        return state.replaced(seen=np.zeros(after.data.n))

    run = Timeline(declared(pairs, adapt=adapt), ROWS).run()
    fork = run.fork(2, data=edited(ROWS, [Remove(0), Add((5.0, 5.0))]))
    assert fork.at(2).state.row == given[0].row == 1
    assert fork.at(2).state.pair.tolist() == [1, -1, -1]
    assert fork.at(2).state.pair.dtype == np.int8
    gone = run.fork(2, data=edited(ROWS, [Remove(2)]))
    assert (gone.at(2).state.row, gone.at(2).state.pair.tolist()) == (-1, [-1, -1, 0])
    assert run.at(2).state.row == 2


# Parameters


def test_a_seed_has_its_bounds_and_may_say_what_it_is_of() -> None:
    def run(data: Dataset, *, seed: Seed = 0, rows: Annotated[Seed, Meta(description="of the rows")] = 1) -> None: ...

    seed, rows = Parameters(run).all
    assert isinstance(seed, Parameter)
    assert (seed.least, seed.most, seed.help) == (0, 2**32 - 1, "seed of the random numbers")
    assert (rows.least, rows.most, rows.help, rows.default) == (0, 2**32 - 1, "of the rows", 1)
    with pytest.raises(Refused, match="rows = -1 will not do"):
        Parameters(run).convert({"rows": -1})


# Without data


def halves(
    state: State | None = None, *, start: Annotated[float, Meta(ge=0, le=9, description="x")] = 8.0
) -> Run[State]:
    """Halves a number."""
    if state is None:
        state = State()
        yield state
    while state.t < 3:
        state = state.after("halve", iteration=state.t + 1)
        yield state
    return "halved three times"


def halving(**changes: Any) -> Algorithm:
    given: dict[str, Any] = {
        "title": "Halving",
        "summary": "Halves a number.",
        "rule": "x <- x/2",
        "needs": Needs(data=False),
        "phases": {"start": "x", "halve": "half of it"},
        "settings": ({"start": 4.0}, {"start": 1.0}),
        "scene": lambda p, b, a: numbers({"x": p.parameters.start / 2**a.t, "nothing": float("nan")}),
        "explain": {"start": lambda p, b, a: "It begins.", "halve": lambda p, b, a: "Half of it."},
    }
    return Algorithm(halves, **given | changes)


def test_an_algorithm_without_data_runs_resumes_and_refuses_any() -> None:
    states = list(halving()())
    assert [s.t for s in states] == [0, 1, 2, 3]
    assert [s.t for s in halving()(state=states[1])] == [2, 3]
    assert halving().problem().data is Dataset.none
    assert [source.name for source in halving().datasets] == ["no data"]
    with pytest.raises(Refused, match="Halving works on no data: rows would change nothing in it."):
        halving()(ROWS)
    with pytest.raises(Refused, match="Walk learns from data"):
        declared()(Dataset.none)
    assert len(Timeline(halving(), Dataset.none).run()) == 4


def test_a_setting_is_the_same_algorithm_with_other_defaults() -> None:
    first = halving().with_defaults(**halving().settings[0])
    assert first.problem().parameters.start == 4.0
    assert halving().problem().parameters.start == 8.0
    assert first.name == "halves"


def test_explanations_may_be_told_apart_by_phase() -> None:
    states, problem = list(halving()()), halving().problem()
    assert halving().explain(problem, None, states[0]) == "It begins."
    assert halving().explain(problem, states[0], states[1]) == "Half of it."


# References and tables


def test_references_are_read_from_the_docstring() -> None:
    references = find("perceptron").references
    assert references[0] == "Rosenblatt (1958), The perceptron, Psychological Review 65(6)"
    assert len(references) == 4
    assert not any("\n" in reference or reference.endswith(".") for reference in references)


def test_tables_are_given_by_name_and_by_column() -> None:
    (table,) = numbers({"a": 1, "b": np.nan, "c": None, "d": "x"}).marks
    assert isinstance(table, Table)
    assert table.rows == (("a", 1), ("b", None), ("c", None), ("d", "x"))
    (table,) = columns("weights", {"feature": ("x1", "x2"), "w": np.array([0.5, np.inf])}).marks
    assert isinstance(table, Table)
    assert table.rows == (("x1", 0.5), ("x2", "∞"))


def test_rows_of_one_class_are_refused_where_classes_are_told_apart():
    data = Dataset(np.arange(8.0).reshape(4, 2), np.zeros(4, int), classes=("a",))
    for name in ("decision_tree", "multilayer_perceptron", "softmax_regression", "one_vs_one"):
        with pytest.raises(Refused, match=r"data has one \(a\)\. Name another target \(--target\)\."):
            find(name)(data)
