"""What scikit-learn, SciPy and pandas give is read as it is, with the libraries themselves."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Timeline, datasets
from algorithms.userfile.in_process import plain_algorithm

IRIS = datasets.recipe("iris").with_(positive="setosa").load()


def run_of(function: Callable[..., Any], data: Dataset = IRIS) -> Timeline:
    run = Timeline(plain_algorithm(function), data, {}).run()
    assert run.stopped is not None
    assert not run.stopped.failed, run.stopped
    return run


def fields(run: Timeline) -> dict[str, Any]:
    return dict(run.at(run.last).state.fields)  # type: ignore[attr-defined]


def panels(run: Timeline) -> list[str]:
    frame = run.at(run.last)
    return [panel.title for panel in run.algorithm.scene(run.problem, frame.before, frame.state).panels]


def test_an_estimator_that_is_fitted_bit_by_bit_shows_what_it_learned() -> None:
    linear = pytest.importorskip("sklearn.linear_model")

    def mine(X: Any, y: Any) -> Iterator[Any]:
        model = linear.SGDClassifier(random_state=0)
        for _ in range(3):
            model.partial_fit(X, y, classes=[0, 1])
            yield model

    run = run_of(mine)
    assert set(fields(run)) == {"coef_", "intercept_", "t_", "n_iter_"}
    assert panels(run)[:3] == ["coef_", "intercept_", "the data"]


def test_centres_and_labels_lie_among_the_rows() -> None:
    cluster = pytest.importorskip("sklearn.cluster")

    def mine(X: Any) -> Iterator[Any]:
        model = cluster.MiniBatchKMeans(3, random_state=0, n_init=1)
        for i in range(3):
            model.partial_fit(X[50 * i : 50 * i + 50])
            yield model.cluster_centers_, model.predict(X), model.inertia_

    run = run_of(mine)
    assert panels(run)[0] == "the data"
    assert set(panels(run)) == {"the data", "values", "locals"}
    assert any("inertia_" in name for name in fields(run))


def test_what_minimize_hands_to_its_callback_is_a_path_and_a_logarithmic_curve() -> None:
    optimize = pytest.importorskip("scipy.optimize")

    def mine() -> Iterator[Any]:
        seen: list[Any] = []
        optimize.minimize(
            optimize.rosen,
            [-1.2, 1.0],
            method="BFGS",
            callback=lambda intermediate_result: seen.append(intermediate_result),
        )
        yield from seen

    run = run_of(mine, Dataset.none)
    assert panels(run)[0] == "path of x"
    assert [(curve.name, curve.log) for curve in run.algorithm.curves] == [("fun", True)]


def test_tables_series_and_sparse_matrices() -> None:
    pandas, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")

    def mine() -> Iterator[Any]:
        frame = pandas.DataFrame({"price": [1.0, 2.0], "count": [3, 4], "name": ["a", "b"]})
        when = pandas.Timestamp("2024-02-29")
        yield {"table": frame, "mean": frame[["price"]].mean(), "price": frame.price, "A": sparse.eye(3), "when": when}

    found = fields(run_of(mine, Dataset.none))
    assert found["table.price"].tolist() == found["price"].tolist() == [1.0, 2.0]
    assert found["table.count"].tolist() == [3, 4]
    assert found["mean.price"] == 1.5
    assert np.array_equal(found["A"], np.eye(3))
    assert found["when"].startswith("2024-02-29")
