"""Faults planted in what ends a run: each is noticed by the test of the reason that the generator returns."""

import copy
import inspect
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

import pytest

from algorithms import Algorithm, Dataset, datasets, find
from algorithms.core.ends import ended
from algorithms.core.theorems import Verdict
from tests.families.ends import end_of

MANY = {"name": "blobs", "n": 400, "margin": 0.1}
MOONS = {"name": "moons", "n": 60}
VIRGINICA = {"name": "iris", "positive": "virginica", "scale": True}
BLOBS = {"name": "blobs", "n": 60, "margin": 0.3}
FAITHFUL = {"name": "faithful", "scale": True}
PROSTATE = {"name": "prostate", "scale": True}
PLANTED = [
    ("perceptron", MANY, "while visits.clean < len(z):", "while visits.clean < len(z) // 2:"),
    ("kernel_perceptron", BLOBS, "while state.clean < n:", "while state.clean < n // 2:"),
    ("kernel_logistic", MOONS, "if slope <= room:", "if slope <= 100 * room:"),
    ("kernel_regression", PROSTATE, "> tolerance * np.linalg.norm(b)", "> 1000 * tolerance * np.linalg.norm(b)"),
    ("logistic_regression", VIRGINICA, "<= flat:", "<= 1000 * flat:"),
    ("softmax_regression", {"name": "iris", "scale": True}, "<= flat:", "<= 1000 * flat:"),
    ("logistic_newton", BLOBS, "<= 2 * tolerance:", "<= 2e6 * tolerance:"),
    ("dual_logistic_regression", MOONS, "<= tolerance * C else", "<= 100 * tolerance * C else"),
    ("dual_coordinate_descent", MOONS, "<= tolerance else", "<= 100 * tolerance else"),
    ("linear_feasibility", BLOBS, "until, tolerance)", "until, 20 * tolerance)"),
    ("nearest_hulls", BLOBS, "if length <= nothing:", "if length <= 2e8 * nothing:"),
    ("smo", MOONS, "if gap <= tol:", "if gap <= 100 * tol:"),
    ("one_vs_rest", {"name": "iris"}, "epochs, turns)) is not", "epochs - 9, turns)) is not"),
    ("lloyd", {"name": "diabetes"}, "if state.moved == 0 and at_rest(data, state):", "if state.moved <= 2:"),
    ("kernel_k_means", MOONS, "if state.moved == 0 and np", "if state.moved <= 2 or np"),
    ("gaussian_mixture", FAITHFUL, "if abs(state.gain) <= tol and", "if abs(state.gain) <= 100 * tol and"),
    ("lasso_coordinate_descent", PROSTATE, "if gap <= tolerance *", "if gap <= 1e6 * tolerance *"),
    ("lasso_ista", PROSTATE, "reason(f, state.w, tolerance,", "reason(f, state.w, 1e6 * tolerance,"),
    ("lasso_irls", PROSTATE, "<= tolerance * np", "<= 1000 * tolerance * np"),
    ("ridge", PROSTATE, "penalties[penalties < state.lam]", "penalties[penalties < state.lam / 10]"),
    ("gradient_descent", None, "< FLAT and", "< 1e6 * FLAT and"),
    ("newton", None, "< FLAT:", "< 1e6 * FLAT:"),
    ("lbfgs", None, "< FLAT:", "< 1e6 * FLAT:"),
    ("dual_ascent", None, "<= _STILL *", "<= 1e4 * _STILL *"),
    ("coordinate_descent", None, "> _STILL *", "> 1e4 * _STILL *"),
    ("choose_k", FAITHFUL, 'state.after("choose", shown=chosen)', 'state.after("choose", shown=chosen - 1)'),
    ("cross_validation", PROSTATE, "if v == tried:", "if v == tried - 1:"),
    ("nearest_neighbours", MOONS, "while state.tried < most:", "while state.tried < most - 1:"),
    ("smallest_tree", {"name": "iris", "positive": "virginica"}, "< len(sets.turns):", "< len(sets.turns) - 3:"),
    ("decision_tree", {"name": "iris"}, "state.gain[node] < min_gain", "state.gain[node] < 0.1"),
    ("adaboost", MOONS, "while len(state.alphas) < rounds", "while len(state.alphas) < rounds - 1"),
    ("naive_bayes", {"name": "iris"}, "while state.used < data.n:", "while state.used < data.n - 1:"),
    ("pegasos", MOONS, "if epoch > epochs:", "if epoch >= epochs:"),
]


def planted(name: str, line: str, fault: str) -> Algorithm:
    """The algorithm with a fault in a line of its generator."""
    mutant = copy.copy(find(name))
    source = textwrap.dedent(inspect.getsource(mutant.run))
    assert source.count(line) == 1, f"{line!r} stands {source.count(line)} times in {name}"
    scope = dict(vars(sys.modules[mutant.run.__module__]))
    exec(source.replace(line, fault), scope)
    mutant.run = scope[mutant.run.__name__]
    return mutant


def verdict_at_its_end(algorithm: Algorithm, data: Dataset, parameters: Mapping[str, Any]) -> tuple[int, str, Verdict]:
    """The last step, the reason that the generator returns there, and what its test says of it."""
    problem = algorithm.problem(data, None, parameters)
    last, reason = end_of(algorithm.start(problem))
    said = ended(algorithm.ends, reason, problem, last)
    assert said is not None, f"{reason!r} is not declared"
    return last.t, reason, said


@pytest.mark.parametrize(("name", "given", "line", "fault"), PLANTED, ids=[fault[0] for fault in PLANTED])
def test_a_fault_in_what_ends_a_run_is_noticed(name, given, line, fault) -> None:
    sources = [datasets.recipe(**given)] if given else find(name).settings
    for source in sources:
        data, parameters = (source, {}) if given else (Dataset.none, source)
        after, _, true = verdict_at_its_end(find(name), data, parameters)
        assert true.status != "fails", true.against
        t, reason, said = verdict_at_its_end(planted(name, line, fault), data, parameters)
        if said.status == "fails":
            return
    raise AssertionError(f"it ends with {reason!r} at step {t}, truly after {after}")
