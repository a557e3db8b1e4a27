"""The end is an end: the last sentence says in words what came out, with the numbers of the run."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms import Timeline, find
from algorithms.core.words import point_of
from algorithms.data import collinear
from algorithms.playback.pictures.viewer import at_the_end
from algorithms.playback.runs.loaded_run import LoadedRun
from tui.widgets.narration import in_short


def tilt(run: Timeline, state: Any) -> str:
    data = run.data
    X, y = np.column_stack([data.X, np.ones(data.n)]), np.where(np.asarray(data.y) == 1, 1.0, -1.0)
    z = y * (X @ (state.W[1] - state.W[0]))
    paid = ((1 - z) ** 2)[z > 1].sum() / ((1 - z) ** 2).sum()
    return (
        f"Least squares gets {np.count_nonzero(z <= 0)} of {data.n} rows wrong, logistic regression {separates(X, y)}: "
        f"{paid:.0%} of what least squares pays is for rows right by more than 1."
    )


def separates(X: Any, y: Any) -> int:
    """Rows that the likeliest w with the penalty ½‖w‖² gets wrong, found by Newton's method."""
    w, penalty = np.zeros(X.shape[1]), np.r_[np.ones(X.shape[1] - 1), 0.0]
    for _ in range(60):
        p = 1 / (1 + np.exp(-X @ w))
        g = X.T @ ((y > 0) - p) - penalty * w
        w = w + np.linalg.solve(X.T @ (X * (p * (1 - p))[:, None]) + np.diag(penalty), g)
    return int(np.count_nonzero(y * (X @ w) <= 0))


def rows_wrong(run: Timeline) -> int:
    """Rows wrong at the end, as the curve measures them."""
    named = next(c.name for c in run.algorithm.curves if c.name in ("error", "training error"))
    t, values = run.curve(named)
    assert t[-1] == run.last
    return round(float(values[-1]) * run.data.n)


def discriminant(run: Timeline, state: Any) -> str:
    shape = "one covariance for all: flat boundaries"
    assert run.parameters["covariance"] == "shared"
    return f"Wrong rows: {rows_wrong(run)} of {run.data.n}, with {shape}."


def naive(run: Timeline, state: Any) -> str:
    return f"With all rows counted {rows_wrong(run)} of {run.data.n} are wrong"


def table(run: Timeline, state: Any) -> str:
    errors = (run.curve(name)[1][-1] for name in ("held-out error", "naive Bayes, held out"))
    mine, other = (round(36 * error) for error in errors)
    met = {tuple(row) for row in above(run, run.data.X)}
    assert run.problem.held_out is not None
    silent = sum(tuple(row) not in met for row in above(run, run.problem.held_out.data.X))
    said = f"{mine} wrong ({silent} in empty cells, of which it says nothing)"
    return f"Of 36 rows held out the table gets {said}, naive Bayes {other}."


def above(run: Timeline, X: Any) -> list[list[bool]]:
    """Tell which of the features that are counted are above their means."""
    d = run.parameters["features"]
    return [[bool(bit) for bit in row] for row in X[:, :d] > run.data.X[:, :d].mean(axis=0)]


def tree(run: Timeline, state: Any) -> str:
    held_out = run.curve("held-out error")[1][-1]
    return f"The training error is {run.curve('training error')[1][-1]:.1%}, that on 90 rows held out {held_out:.1%}."


def mean(run: Timeline, state: Any) -> str:
    return f"The mean of {run.data.n} is {run.data.X.mean():.4g}; the prior has "


def regression(run: Timeline, state: Any) -> str:
    p, data = run.parameters, run.data
    X = np.column_stack([data.X, np.ones(data.n)])
    precision = X.T @ X / p["sigma"] ** 2 + np.eye(X.shape[1]) / p["tau"] ** 2
    m = np.linalg.solve(precision, X.T @ np.asarray(data.y)) / p["sigma"] ** 2
    off = np.sqrt(np.linalg.inv(precision)[0, 0])
    return f"After {data.n} rows slope is {m[0]:.3g} ± {off:.2g}; the prior had 0 ± {p['tau']:g}."


def pairs(run: Timeline, state: Any) -> str:
    return f"{rows_wrong(run)} of {run.data.n} rows are labelled wrong."


def network(run: Timeline, state: Any) -> str:
    loss = run.curve("training loss")[1][-1]
    return f"The loss of all rows is {loss:.4g}, {rows_wrong(run)} wrong."


def coin(run: Timeline, state: Any) -> str:
    heads, n = int(np.count_nonzero(np.asarray(run.data.y) == 1)), run.data.n
    return f"{heads} of {n} tosses are {run.data.classes[1]}, {heads / n:.3f}; θ is "


def separated(run: Timeline, state: Any) -> str:
    mistakes = run.curve("mistakes")[1][-1]
    n = run.data.n
    return f"That makes {n} of {n} rows right in turn: w separates the classes, after {mistakes:.0f} mistakes."


def bag(run: Timeline, state: Any) -> str:
    vote, tree = (run.curve(name)[1] for name in ("held-out error", "a tree, held out"))
    error = f"{vote[np.isfinite(vote)][-1]:.1%}; a single tree has {tree[np.isfinite(tree)][-1]:.1%} on average."
    return f"Of the vote of {run.parameters['trees']} the error on rows held out is {error}"


SAID: dict[str, Callable[[Timeline, Any], str]] = {
    "least_squares_classifier": tilt,
    "gaussian_discriminant": discriminant,
    "naive_bayes": naive,
    "full_joint": table,
    "decision_tree": tree,
    "gaussian_mean": mean,
    "bayesian_linear_regression": regression,
    "one_vs_one": pairs,
    "multilayer_perceptron": network,
    "beta_bernoulli": coin,
    "perceptron": separated,
    "bagging": bag,
}


@pytest.mark.parametrize("name", SAID)
def test_at_the_end_what_came_out_is_said_in_a_hall_too(name: str) -> None:
    usual = LoadedRun.usual(find(name))
    passes = {"epochs": 20} if name == "multilayer_perceptron" else {}  # for 200
    run = replace(usual, parameters=usual.parameters | passes).timeline().run()
    assert run.stopped is not None
    frame = run.at(run.last)
    said = run.algorithm.explain(run.problem_at(frame.t), frame.before, frame.state)
    assert SAID[name](run, frame.state) in point_of(said), said
    assert in_short(at_the_end(run.stopped, said)) == point_of(said)


def test_of_three_classes_in_a_row_the_end_names_the_one_that_is_masked() -> None:
    run = LoadedRun.checked(find("least_squares_classifier"), collinear, {}).timeline().run()
    frame = run.at(run.last)
    said = run.algorithm.explain(run.problem_at(frame.t), frame.before, frame.state)
    assert f"Of {run.data.classes[1]} no row is found: masking." in point_of(said), said
