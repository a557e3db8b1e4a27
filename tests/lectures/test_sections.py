"""Statements stand under the headings of their lectures, in whatever words their sections say where below them."""

import pytest
from msgspec.structs import replace

from algorithms.lectures import by_section, heading_of, nearest, place_in, sections
from tests.lectures.samples import SAMPLES, plant


@pytest.mark.parametrize(
    ("id", "section", "heading", "place"),
    [
        ("A20", "Lecture 6: slack, Rem 1.15", "Lecture 6: slack", "Rem 1.15"),
        ("A12", "Lecture 6: slack: Rem 1.8", "Lecture 6: slack", "Rem 1.8"),
        ("A24", "Lecture 6: slack", "Lecture 6: slack", ""),
        ("M35", "Clustering: convergence", "Clustering: Lloyd", "convergence"),
        ("M74", "Ridge: maximum likelihood", "Probability, ridge, validation", "Ridge: maximum likelihood"),
        ("M166", "Neural networks, practice, tricks", "Neural networks", "practice, tricks"),
        ("D31", "Optimisation: SGD", "Optimisation", "SGD"),
    ],
)
def test_a_statement_stands_under_its_heading(id: str, section: str, heading: str, place: str) -> None:
    one = replace(SAMPLES[0], id=id, section=section)
    assert heading_of(one) == heading
    assert place_in(heading, one) == place


def test_headings_begin_in_the_order_of_the_statements() -> None:
    starts = [(id[0], int(id[1:])) for id in sections.HEADINGS]
    for letter in "MABCD":
        numbers = [number for of, number in starts if of == letter]
        assert numbers == sorted(set(numbers))
        assert numbers[0] == 1


def test_what_is_not_asked_for_is_in_no_group(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert list(by_section("perceptron")) == ["cs446"]
    assert list(by_section("row", "ml-techniques")) == ["ml-techniques"]
    assert by_section("row", "ucl") == {}
    assert nearest("ml-technics") == "ml-techniques"
    assert nearest("zzzz") == ""
