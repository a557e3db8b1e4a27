"""Who is named for what: the sources of statements that are easily given to another."""

import pytest

from algorithms import find


@pytest.mark.parametrize(
    ("name", "statement", "source"),
    [
        ("perceptron", "m <= (R² + 2 margin/η)/γ²", "Novikoff (1962); with a margin Duda and Hart (1973)"),
        ("perceptron", "η m γ <= w·w*", "Novikoff (1962); with a margin Li et al. (2002)"),
        ("pca", "residual r", "Weinstein (1934); r²/δ: Kato (1949)"),
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
