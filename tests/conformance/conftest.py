"""The tests of one algorithm run one after another, so that they share its runs."""

import pytest

from tests.chosen import chosen


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put those of this folder that are about an algorithm in the order of the algorithms."""
    places = [i for i, item in enumerate(items) if _algorithm(item)]
    ordered = sorted((items[i] for i in places), key=lambda item: chosen().index(_algorithm(item)))
    for i, item in zip(places, ordered):
        items[i] = item


def _algorithm(item: pytest.Item) -> str:
    """The algorithm that a test of conformance is about, "" for another test."""
    if item.path.name != "test_conformance.py":
        return ""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    return str(parameters.get("name", ""))
