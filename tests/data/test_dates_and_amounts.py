"""Dates and amounts of money are told as such: never taken for a target or for numbers in silence."""

import pytest

from algorithms.data.numbers import is_amount, is_date, is_missing, number
from tests.data.reading import load, noticed, refusal

DATES = [
    "2024-01-31",
    "2024-01",
    "2024/1/31",
    "31.01.2024",
    "31/1/24",
    "1-31-2024",
    "2024-01-31T12:30:00Z",
    "2024-01-31 12:30:00.250+01:00",
    "31.01.2024 12:30",
    "12:30",
    "12:30:05",
    "9:05 pm",
    "31 Jan 2024",
    "31-Jan-24",
    "Jan 31, 2024",
    "January 2024",
    "Wed, 31 January 2024",
]
AMOUNTS = ["$3", "€1,234.50", "1.234,50 €", "-$3.50", "($1,200)", "12%", "12,5 %", "USD 5", "5 CHF", "1,234,567"]
AMOUNTS += ["1 000", "3 €"]
NEITHER = ["", "a", "tall", "-", "+", "A-12", "CSE 101", "5 km", "10.0.0.1", "$", "%", "May be", "1:2:3:4", "2024-x"]
NEITHER += ["1-2", "3/4"]


@pytest.mark.parametrize("cell", DATES)
def test_a_date_is_known_as_one(file, cell):
    assert is_date(cell)
    assert not is_amount(cell)
    data = load(file(f'a,day\n1,"{cell}"\n2,"{cell}"\n3,2023-05-05\n'))
    assert (data.features, data.kind) == (("a",), "none")
    assert noticed(data, "day left out: dates")


@pytest.mark.parametrize("cell", AMOUNTS)
def test_an_amount_is_refused_by_line_and_column(file, cell):
    assert is_amount(cell)
    assert not is_date(cell)
    sentence = refusal(file(f'a,price\n1,"{cell}"\n2,"{cell}"\n'))
    assert sentence.startswith(f"row 0 (line 2) has {cell!r} in column price, an amount; write it as a plain number")
    assert load(file(f'a,price\n1,"{cell}"\n2,"{cell}"\n'), columns=("a",)).d == 1


@pytest.mark.parametrize("cell", NEITHER)
def test_what_is_neither_is_not_taken_for_it(cell):
    assert not is_date(cell)
    assert not is_amount(cell)


@pytest.mark.parametrize("cell", [*DATES, *AMOUNTS])
def test_neither_is_a_number_or_missing(cell):
    assert number(cell) is None
    assert not is_missing(cell)


def test_dates_are_no_target_unless_they_are_named_as_one(file):
    path = file("day,a\n" + "2024-01-01,1\n2024-01-02,2\n" * 10)
    assert load(path).kind == "none"
    named = load(path, target="day")
    assert named.classes == ("2024-01-01", "2024-01-02")
    assert noticed(named, "day holds dates; each different one is taken as a class")
    assert "'2024-01-01' in column day, a date; write it as a number" in refusal(
        path, target="day", target_kind="number"
    )
    assert "a date" in refusal(path, columns=("day",))


def test_days_written_as_numbers_are_told(file):
    data = load(file("a,day\n1,20240131\n2,20240201\n3,20231224\n"))
    assert noticed(data, "day looks like dates written as 20240131, and is taken as numbers")
    others = load(file("a,size\n1,20240131\n2,20249901\n", "size.csv"))
    assert not noticed(others, "dates")


def test_a_few_dates_or_amounts_among_numbers_are_named(file):
    assert "row 1 (line 3) has '2024-01-02' in column a, a date" in refusal(file("a\n1\n2024-01-02\n3\n"))
    assert "row 1 (line 3) has '$2' in column a, an amount" in refusal(file("a\n1\n$2\n3\n", "money.csv"))


def test_a_comma_that_may_be_either_is_asked_about(file):
    sentence = refusal(file('a,b\n"1,234",2\n"2,345",3\n'))
    assert "'1,234' in column a; if the comma is a decimal point, say so" in sentence
    assert "if not, take it out" in sentence
