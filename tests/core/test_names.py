"""By what an algorithm is found: its name, its title and other names that it goes by; a wrong one has its nearest."""

from pathlib import Path

import pytest

from algorithms import Refused, Timeline, conditions, datasets, find, load
from algorithms.__main__ import main
from algorithms.core import catalogue
from algorithms.core.search import search


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("kmeans", "lloyd"),
        ("k-means", "lloyd"),
        ("KMeans", "lloyd"),
        ("knn", "nearest_neighbours"),
        ("PCA", "pca"),
        ("k-means++", "k_means_plus_plus"),
        ("kmeans++", "k_means_plus_plus"),
        ("Gaussian mixture by EM", "gaussian_mixture"),
        ("Gradient Descent", "gradient_descent"),
    ],
)
def test_other_names_are_known(name: str, found: str) -> None:
    assert find(name) is find(found)
    assert main(["show", name]) == 0


def test_what_is_near_another_name_is_refused_with_the_name_to_type() -> None:
    with pytest.raises(Refused, match=r"Did you mean lloyd\?$"):
        find("kmean")
    with pytest.raises(Refused, match=r"load\(\.\.\.\) opens a file of your own\.$"):
        find("mine.py")


def test_no_two_algorithms_go_by_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue.other_names.cache_clear()
    assert set(catalogue.other_names().values()) == set(catalogue.names())
    monkeypatch.setattr(find("pca"), "also", ("kmeans",))
    catalogue.other_names.cache_clear()
    with pytest.raises(catalogue.Twins, match="'kmeans'"):
        catalogue.other_names()
    monkeypatch.undo()
    catalogue.other_names.cache_clear()


@pytest.mark.parametrize(
    ("query", "found"), [("kmeans", "lloyd"), ("sgd", "stochastic_gradient"), ("gmm", "gaussian_mixture")]
)
def test_the_search_of_the_catalogue_knows_other_names(query: str, found: str) -> None:
    assert found in [name for members in search(query).values() for name in members]


def test_a_curve_that_there_is_not_is_refused_with_the_nearest() -> None:
    run = Timeline("lloyd", datasets.faithful, {"k": 2}).run()
    with pytest.raises(Refused, match=r"^there is no curve 'objectiv'; .*Did you mean objective\?$"):
        run.curve("objectiv")


def test_a_condition_of_ones_own_run_knows_what_it_yields(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def mine(steps=5):\n    for t in range(steps):\n        yield {'loss': 1 / (t + 1)}\n"
    )
    own = load(str(tmp_path / "mine.py"))
    with pytest.raises(Refused, match="there is no 'los'; near it: loss"):
        conditions.parse("los < 0.5", Timeline(own))  # which has made no step yet
    run = Timeline(own).run()
    for given in ((run,), (run.algorithm, run.data)):
        with pytest.raises(Refused, match="there is no 'los'; near it: loss"):
            conditions.parse("los < 0.5", *given)
        assert conditions.Search(run, conditions.parse("loss < 0.4", *given), start=0).work() == 3
    ours = Timeline("lloyd", datasets.faithful, {"k": 2})
    with pytest.raises(Refused, match="near it: objective"):
        conditions.parse("objectiv > 3", ours)
