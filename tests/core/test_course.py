"""The order of a course: declared by each algorithm alone, from the first of a family to the special."""

from graphlib import CycleError

import pytest

from algorithms.core.catalogue import BEGIN, about_family, by_family, find, in_course, names


def test_what_is_met_before_an_algorithm_comes_before_it_in_the_course() -> None:
    course = [name for family in by_family() for name in in_course(family)]
    assert sorted(course) == sorted(names())
    for name in course:
        assert [other for other in find(name).after if course.index(other) > course.index(name)] == [], name


def test_the_first_of_a_family_leads_to_the_special() -> None:
    assert in_course("linear")[:2] == ("perceptron", "logistic_regression")
    assert in_course("optimisers")[0] == "gradient_descent"
    assert in_course("regression")[:2] == ("least_squares", "ridge")


def test_two_that_wait_for_each_other_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find("perceptron"), "after", ("logistic_regression",))
    with pytest.raises(CycleError):
        in_course("linear")


def test_where_one_begins_is_there() -> None:
    assert set(BEGIN) <= set(names())


@pytest.mark.parametrize("family", by_family())
def test_a_family_says_what_it_is_about(family: str) -> None:
    title, sentence = about_family(family)
    assert 0 < len(title) <= 24
    assert sentence.endswith(".")
