"""Theorems: sides that hold or not, and verdicts that say why when there are none."""

import ast
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algorithms
from algorithms.core import DoesNotApply, Problem, Sides, Theorem, Undecided, theorem, through
from algorithms.core.theorems import ROUNDING, Answer, Relation
from tests.tiny import TINY

PROBLEM = TINY.problem(np.zeros((2, 1)))
STATE, LATER = list(TINY.start(PROBLEM))[:2]


@pytest.mark.parametrize(
    ("values", "relation", "holds"),
    [
        ((1.0, 2.0), "<=", True),
        ((2.0, 2.0), "<=", True),
        ((2.1, 2.0), "<=", False),
        ((1.0, 2.0, 3.0), "<=", True),
        ((1.0, 3.0, 2.0), "<=", False),
        ((3.0, 1.0, 2.0), "<=", False),
        ((2.0, 2.0), "<", False),
        ((1.0, 2.0), "<", True),
        ((2.0, 2.0), "==", True),
        ((2.0, 2.1), "==", False),
        ((2.0 + 1e-10, 2.0), "<=", True),  # rounding: 1e-9 of the largest side
        ((2.0 + 1e-8, 2.0), "<=", False),
        ((2.0, 2.0 + 1e-10), "==", True),
        ((2.0, 2.0 + 1e-10), "<", True),  # nothing is forgiven where it is strict
        ((2.0 + 1e-10, 2.0), "<", False),
        ((0.0, math.inf), "<=", True),
        ((math.inf, 0.0), "<=", False),
        ((math.inf, math.inf), "==", True),
        ((math.nan, 1.0), "<=", False),
        ((1.0, math.nan), "==", False),
        ((-math.inf, -math.inf), "<=", True),
    ],
)
def test_sides_hold_or_not(values: tuple[float, ...], relation: Relation, holds: bool) -> None:
    assert Sides(*((f"s{i}", v) for i, v in enumerate(values)), relation=relation).hold is holds


def test_slack_is_absolute_and_on_top_of_rounding() -> None:
    assert Sides(("a", 1.05), ("b", 1.0), slack=0.1).hold
    assert not Sides(("a", 1.2), ("b", 1.0), slack=0.1).hold
    assert Sides(("a", 1.0), ("b", 1.0), slack=1e-6, relation="<").hold
    assert Sides(("a", 100.0), ("b", -4.0)).tolerance == pytest.approx(100 * ROUNDING)


def test_the_worst_entry_has_its_number_or_its_name() -> None:
    low, high = np.array([1.0, 2.0, 0.0]), np.array([1.5, 2.1, 3.0])
    assert Sides.each(("u", low), ("v", high), size=1.0).names == ("u (1)", "v (1)")
    assert Sides.each(("u", low), ("4", 4.0), size=1.0, entries=("age", "dose", "bias")).names == ("u (dose)", "4")
    table = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    axes = "row", ("setosa", "versicolor", "virginica")
    assert Sides.each(("p", table), ("1", 1.0), size=1.0, axes=axes).names == ("p (row 1, virginica)", "1")


def test_a_statement_has_two_sides_at_least() -> None:
    with pytest.raises(ValueError, match="two sides or more"):
        Sides(("a", 1.0))


def verdict(answer: Answer, about: Any = "state", before: Any = STATE, forked: bool = False) -> tuple[str, str]:
    theorem = Theorem("s", lambda problem, before, after: answer, "No one (1900)", about)
    found = theorem.verdict(PROBLEM, before, LATER, forked)
    assert (found.sides is not None) == (found.status in ("holds", "fails"))
    return found.status, found.why


def test_verdicts() -> None:
    good, bad = Sides(("a", 1), ("b", 2)), Sides(("a", 2), ("b", 1))
    assert verdict(good) == ("holds", "")
    assert verdict(bad) == ("fails", "")
    assert verdict(None) == ("does not apply", "not at this step")
    assert verdict(DoesNotApply("no margin")) == ("does not apply", "no margin")
    assert verdict(Undecided("no time")) == ("undecided", "no time")


def test_a_step_needs_one_before_it_and_a_run_its_start() -> None:
    bad = Sides(("a", 2), ("b", 1))
    assert verdict(bad, "step", before=None)[0] == "does not apply"
    assert verdict(bad, "step", forked=True)[0] == "fails"
    assert verdict(bad, "run", forked=True)[0] == "does not apply"
    assert verdict(bad, "run", before=None)[0] == "fails"
    assert verdict(bad, "state", before=None, forked=True)[0] == "fails"


@theorem("u <= v", source="No one (1900)", hypotheses={"v is early": lambda problem, now: now < 20 or f"{now} is late"})
def of_a_state(problem: Problem, before: int | None, now: int) -> Answer:
    return Sides(("before", -1 if before is None else before), ("now", now))


@theorem("u < v", source="No one (1900)", about="step")
def of_a_step(problem: Problem, before: int, now: int) -> Answer:
    return Sides(("before", before), ("now", now), relation="<")


def test_what_a_theorem_says_of_itself_goes_to_another_process() -> None:
    """A reader's own file is loaded in one; without hypotheses there is still nothing that stays behind."""
    told = {field: getattr(of_a_step, field) for field in Theorem.__struct_fields__ if field != "sides"}
    assert pickle.loads(pickle.dumps(told)) == told


def test_what_speaks_of_a_view_is_asked_of_the_view() -> None:
    of_state, of_step = through(lambda problem, state: 10 * state.t, of_a_state, of_a_step)
    assert (of_state.statement, of_step.about) == ("u <= v", "step")
    assert repr(of_state.verdict(PROBLEM, STATE, LATER).sides) == "before = -1 <= now = 10"  # no state before is viewed
    assert repr(of_step.verdict(PROBLEM, STATE, LATER).sides) == "before = 0 < now = 10"
    assert of_step.verdict(PROBLEM, None, LATER).status == "does not apply"
    assert of_state.verdict(PROBLEM, LATER, LATER.after(LATER.phase)).why == "20 is late"


def test_a_problem_computes_once_and_for_the_last_states() -> None:
    problem = Problem(PROBLEM.data, PROBLEM.parameters)
    calls: list[Any] = []

    def dear(given: Problem) -> int:
        calls.append("once")
        return len(calls)

    def of_state(given: Problem, state: Any) -> int:
        calls.append(state.t)
        return int(state.t)

    assert [problem.once(dear), problem.once(dear)] == [1, 1]
    states = list(TINY.start(problem))[:30]
    for _ in range(2):
        assert [problem.of(of_state, s) for s in states[-10:]] == [s.t for s in states[-10:]]
    assert len(calls) == 11
    assert [problem.of(of_state, s) for s in states] == [s.t for s in states]  # more than are kept


def test_as_many_names_are_given_as_there_are_entries() -> None:
    with pytest.raises(ValueError, match="2 names for 3 entries"):
        Sides.each(("a", np.zeros(3)), ("b", np.ones(3)), entries=["x", "y"])


def test_every_statement_about_entries_says_what_they_are() -> None:
    """For nobody can tell what 66 counts in "[66,0]"."""
    nameless = []
    for path in (Path(algorithms.__file__).parent).rglob("*.py"):
        source = path.read_text()
        for node in ast.walk(ast.parse(source)) if "Sides.each" in source else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Sides.each":
                given = {keyword.arg for keyword in node.keywords}
                if not given & {"axes", "entries"}:
                    nameless.append(f"{path.name}:{node.lineno}")
    assert nameless == []


def test_every_theorem_of_an_algorithm_stands_above_its_sides() -> None:
    """One that is made elsewhere has its statement in one place and its sides in another."""
    elsewhere = []
    for room in ("families", "toolbox"):
        for path in (Path(algorithms.__file__).parent / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "Theorem":
                    elsewhere.append(f"{path.name}:{node.lineno}")
    assert elsewhere == []


@pytest.mark.parametrize("relation", ["==", "<="])
def test_an_entry_that_fails_is_shown_before_one_that_differs_by_less_than_is_forgiven(relation: Any) -> None:
    """Of rounding errors about 0 each is a large share of itself."""
    left, right = np.array([2e-17, 0.01]), np.array([-4e-17, -2e-17])
    sides = Sides.each(("left", left), ("right", right), relation=relation, slack=1e-11)
    assert not sides.hold
    assert sides.values == (0.01, -2e-17)


def test_a_strict_one_forgives_its_slack_alone() -> None:
    left, right = np.array([1e9 + 1.5e-3, 0.9e-3]), np.array([1e9, 0.0])
    sides = Sides.each(("left", left), ("right", right), relation="<", slack=1e-3)
    assert not sides.hold
    assert sides.values[1] == 1e9
