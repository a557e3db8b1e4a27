"""What a generator returns is a claim of its last state: so, not so, or not known."""

import numpy as np
import pytest

from algorithms import Dataset
from algorithms.core import Problem, Sides, State, Undecided
from algorithms.core.ends import declared, ended

PROBLEM = Problem(Dataset(np.eye(2)), None)
LAST = State(t=7)


def test_the_numbers_of_a_run_stand_where_the_declaration_has_dots() -> None:
    ends = {"step … was the last": str, "‖r‖ is … of ‖b‖, within": str, "γ* (…)": str}
    assert declared(ends, "step 2,000 was the last") == "step … was the last"
    assert declared(ends, "‖r‖ is 9.5e-09 of ‖b‖, within") == "‖r‖ is … of ‖b‖, within"
    assert declared(ends, "γ* (0.5)") == "γ* (…)"  # nothing else in it has a meaning of its own
    assert declared(ends, "step 3 was the last, and w still moves") is None
    assert declared(ends, "γγ* 0.5") is None


@pytest.mark.parametrize(
    ("answer", "status", "against"),
    [
        (True, "holds", ""),
        (False, "fails", "it is not so at step 7"),
        (np.bool_(False), "fails", "it is not so at step 7"),
        (Sides(("‖∇‖", 1.78), ("tolerance", 1e-6)), "fails", "‖∇‖ 1.78 ≤ tolerance 1e-06"),
        (Sides(("‖∇‖", 1e-7), ("tolerance", 1e-6)), "holds", "‖∇‖ 1e-07 ≤ tolerance 1e-06"),
        (Undecided("there are too many rows"), "undecided", "there are too many rows"),
    ],
)
def test_what_a_test_answers_is_a_verdict(answer, status, against) -> None:
    verdict = ended({"flat": lambda problem, state: answer}, "flat", PROBLEM, LAST)
    assert verdict is not None
    assert (verdict.status, verdict.against, verdict.theorem.statement) == (status, against, "the end: flat")


def test_of_a_reason_that_is_not_declared_nothing_is_said() -> None:
    assert ended({}, "flat", PROBLEM, LAST) is None
