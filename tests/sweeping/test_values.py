"""Values as they are typed: lists, ranges, ranges of a logarithm."""

import numpy as np
import pytest

from algorithms import Refused, find
from algorithms.sweeping.values import values_of

PARAMETERS = {p.name: p for name in ("lloyd", "perceptron", "multilayer_perceptron") for p in find(name).parameters}


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("0:5", "seed", [0, 1, 2, 3, 4]),
        ("10:0:-4", "seed", [10, 6, 2]),
        ("0:1:0.1", "eta", [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        ("1:0:-0.25", "eta", [1.0, 0.75, 0.5, 0.25]),
        ("1e-3:1:log:4", "eta", [0.001, 0.01, 0.1, 1.0]),
        ("1:1000:log:4", "k", [1, 10, 100, 1000]),
        ("1:3:log:9", "k", [1, 2, 3]),
        ("2, 3,4", "k", ["2", "3", "4"]),
        ("rows,k-means++", "start", ["rows", "k-means++"]),
        ("8;8,4", "hidden", ["8", "8,4"]),
    ],
)
def test_a_text_gives_these_values(text, name, values):
    assert list(values_of(text, name, PARAMETERS[name])) == pytest.approx(values) if ":log:" in text else values
    assert list(values_of(text, name, PARAMETERS[name]))[0] == values[0]
    assert len(values_of(text, name, PARAMETERS[name])) == len(values)


def test_a_million_seeds_take_no_room():
    assert values_of("0:1000000", "seed", PARAMETERS["seed"]) == range(1_000_000)


def test_values_of_a_script_are_taken_as_they_are():
    assert list(values_of(np.arange(3), "seed", None)) == [0, 1, 2]
    assert list(values_of((i for i in range(3)), "seed", None)) == [0, 1, 2]
    assert type(values_of(np.linspace(0, 1, 2), "eta", None)[1]) is float


@pytest.mark.parametrize("text", ["0:0", "", " , ", "5:1"])
def test_no_value_at_all_is_refused(text):
    with pytest.raises(Refused, match="holds no value"):
        values_of(text, "seed", PARAMETERS["seed"])


@pytest.mark.parametrize("text", ["0:", "a:b", "0:1:0", "0:1:log:3", "1:2:3:4:5", "-1:1:log:3", "1:2:log:0", "nan:2"])
def test_what_is_no_range_is_refused_with_what_would_do(text):
    with pytest.raises(Refused, match=r"is no range: write it as in 0:100"):
        values_of(text, "eta", PARAMETERS["eta"])


def test_a_number_by_itself_is_no_values():
    with pytest.raises(Refused, match="takes several values"):
        values_of(5, "seed", PARAMETERS["seed"])
