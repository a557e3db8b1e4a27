"""The search of the catalogue: what is called so comes first, then what speaks of it, then what a word means."""

import pytest

from algorithms.core.catalogue import names
from algorithms.core.search import ranked, search


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("em", "gaussian_mixture"),  # not "theorem", of which each has some
        ("kmeans", "lloyd"),
        ("k-means++", "k_means_plus_plus"),
        ("svm", "smo"),
        ("newton", "newton"),  # before logistic regression by Newton
        ("gradient", "gradient_descent"),
        ("boost", "gradient_boosting"),
        ("spike", "gaussian_mixture"),
    ],
)
def test_the_best_match_comes_first(query: str, first: str) -> None:
    assert ranked(query)[0] == first


@pytest.mark.parametrize(
    ("query", "there", "not_there"),
    [
        ("overfitting", "decision_tree", "perceptron"),  # in no words of its own
        ("overf", "decision_tree", "perceptron"),
        ("soft margin", "dual_coordinate_descent", "nearest_hulls"),
        ("regularisation", "ridge", "lloyd"),
        ("humps", "gaussian_mixture", "lloyd"),  # a point
        ("projection", "least_squares", "perceptron"),  # a summary
        ("never rises", "lloyd", "perceptron"),  # both words of one theorem
        ("support vector machines", "smo", "pca"),  # the title of a family
    ],
)
def test_words_are_found_wherever_an_algorithm_says_them(query: str, there: str, not_there: str) -> None:
    assert there in ranked(query)
    assert not_there not in ranked(query)


def test_without_words_all_are_listed_in_the_order_of_a_course() -> None:
    assert sorted(ranked("")) == sorted(names())
    assert search("")["linear"][0] == "perceptron"
    assert ranked("no such word") == ()
