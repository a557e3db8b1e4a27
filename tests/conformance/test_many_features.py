"""A matrix with a number for each pair of 5,000 features is never made: the data are refused, with what would do."""

import tracemalloc

import numpy as np
import pytest

from algorithms import Algorithm, Dataset, Refused, find, names
from algorithms.timeline.hooks import Hooks

ROWS, FEATURES, STEPS = 12, 5_000, 3
WITH_DATA = [name for name in names() if find(name).needs.data]


def wide(target: str) -> Dataset:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, FEATURES))
    y = {"none": None, "class": np.where(X[:, 0] > 0, "a", "b")}.get(target, X[:, 0] + rng.normal(size=ROWS))
    return Dataset(X, y, name="wide")


@pytest.mark.parametrize("name", WITH_DATA)
def test_it_is_refused_or_makes_no_matrix_of_pairs(name):
    algorithm = find(name)
    data = wide(algorithm.needs.target)
    tracemalloc.start()
    try:
        _run(algorithm, data)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 8 * FEATURES**2 / 2


def _run(algorithm: Algorithm, data: Dataset) -> None:
    try:
        problem = algorithm.problem(data)
    except Refused:
        return
    hooks, run, before = Hooks(algorithm, problem), algorithm.start(problem), None
    for _, state in zip(range(STEPS), run):
        hooks.values(state)
        hooks.verdicts(before, state)
        if algorithm.scene is not None:
            algorithm.scene(problem, before, state)
        before = state


def test_the_refusal_says_how_many_would_do_before_anything_is_made():
    with pytest.raises(Refused) as refused:
        find("gaussian_mixture")(wide("none"), k=3)
    assert str(refused.value).endswith(
        "makes a matrix with a number for each pair of features, of 500 at most; wide has 5,000: "
        "choose some (--columns)."
    )
