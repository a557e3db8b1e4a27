"""What the tests of files share."""

from typing import Any

import pytest

from algorithms import Dataset, Refused, datasets


def load(path: str, **changes: Any) -> Dataset:
    """Load a file as a screen does, which shows the notices; `datasets.load` warns of some."""
    return datasets.recipe(path, **changes).load()


def refusal(path: str, **changes: Any) -> str:
    """The sentence in which a file is refused."""
    with pytest.raises(Refused) as refused:
        load(path, **changes)
    sentence = str(refused.value)
    assert sentence.isprintable()
    return sentence


def noticed(data: Dataset, words: str) -> bool:
    return any(words in notice for notice in data.notices)
