"""Who is named for what: the sources of statements that are easily given to another."""

import re

import pytest

from algorithms import find


@pytest.mark.parametrize(
    ("name", "statement", "source"),
    [
        ("perceptron", "m <= (R² + 2 margin/η)/γ²", "Novikoff (1962); with a margin Duda and Hart (1973)"),
        ("perceptron", "η m γ <= w·w*", "Novikoff (1962); with a margin Li et al. (2002)"),
        ("pca", "within r = ", "Weinstein (1934); r²/δ: Kato (1949)"),
        ("decision_tree", "½ Gini <= error", "Cover and Hart (1967); Hellman and Raviv (1970)"),
        ("stochastic_gradient", "ŵ", "Polyak and Juditsky (1992), for a constant η"),
        ("smo", "only support vectors matter", "Boser, Guyon and Vapnik (1992)"),
    ],
)
def test_a_statement_is_theirs_who_made_it(name: str, statement: str, source: str) -> None:
    assert source in [theorem.source for theorem in find(name).theorems if statement in theorem.statement]


def test_a_gain_is_called_information_gain_for_the_entropy_alone() -> None:
    tree = find("decision_tree")
    shown = [tree.rule, tree.summary, *tree.phases.values(), *(t.statement for t in tree.theorems)]
    shown += [words for theorem in tree.theorems for words in theorem.proof]
    assert not any("information gain" in words.lower() for words in shown)
    assert "Quinlan" in next(reference for reference in tree.references if "information gain" in reference)


@pytest.mark.parametrize(
    "name",
    [
        *("k_means_plus_plus", "choose_k", "exhaustive_clustering", "kernel_k_means", "spectral_clustering"),
        *("gradient_descent", "newton", "lbfgs", "coordinate_descent", "gradient_boosting"),
        *("decision_tree", "bagging", "random_forest", "kernel_pca", "gram_pca"),
    ],
)
def test_who_is_named_for_a_statement_is_among_the_references(name: str) -> None:
    algorithm = find(name)
    references = " ".join(algorithm.references)
    for theorem in (*algorithm.theorems, *algorithm.expectations):
        for source in theorem.source.split(";"):
            author = re.search(r"[A-Z]\w+", source)
            assert author is not None
            assert author[0] in references, source
            assert all(year in references for year in re.findall(r"\d{4}", source)), source
