"""The words of the field: a sentence each, in order, and each of them stands somewhere."""

import pytest

from algorithms.core.catalogue import find, names
from algorithms.core.glossary import FILE, glossary, meaning, word_of, words_in


def test_the_words_stand_in_order_and_none_twice() -> None:
    words = [word.word.casefold() for word in glossary()]
    assert words == sorted(words)
    forms = [form.casefold() for word in glossary() for form in (word.word, *word.forms)]
    assert len(forms) == len(set(forms))
    assert len(glossary()) == FILE.read_text(encoding="utf-8").count("\n- ")


@pytest.mark.parametrize("word", glossary(), ids=lambda word: word.word)
def test_a_word_has_one_short_sentence(word: object) -> None:
    sentence = word.sentence  # type: ignore[attr-defined]
    assert sentence.endswith(".")
    assert sentence[0].isupper() or sentence.startswith(("ln", "max", "e to", "1 /", "XᵀX"))
    assert len(sentence) <= 120


def test_each_word_is_met_somewhere() -> None:
    told = {word.word for name in names() for word in words_in(_told(name))}
    seen = {word.word for word in glossary() if word.seen_in}
    assert {word.word for word in glossary()} == told | seen
    assert {name for word in glossary() for name in word.seen_in} <= {*names()}


def _told(name: str) -> str:
    """All that an algorithm says of itself in words."""
    one = find(name)
    theorems = [text for t in one.theorems for text in (t.statement, *t.hypotheses, *t.proof)]
    letters = [meaning for meaning, _ in one.symbols.values()]
    curves = [f"{curve.name} {curve.formula}" for curve in one.curves]
    return "\n".join((one.about, one.summary, one.point, *one.phases.values(), *theorems, *letters, *curves))


def test_words_are_found_in_a_text_the_longest_first_and_capitals_where_they_matter() -> None:
    text = "A map of the hard margin; Margins, and the MAP of held-out rows: a submargin."
    assert [word.word for word in words_in(text)] == ["hard margin", "margin", "MAP", "held out"]


def test_a_word_is_known_by_any_form() -> None:
    assert meaning("Overfits") is meaning("overfitting") is not None
    assert meaning("overfit it") is None


def test_a_line_that_is_no_word_is_named() -> None:
    with pytest.raises(ValueError, match="not a word with a sentence: '- margin: how far'"):
        word_of("- margin: how far")
