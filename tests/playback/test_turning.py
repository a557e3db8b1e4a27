"""Parameters turned like knobs: by steps that suit what they are, within their bounds."""

import math
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from algorithms import find, names
from algorithms.core import Algorithm, Dataset, Meta, Parameter, Refused, Run
from algorithms.core.parameters import Parameters
from algorithms.playback.cursor.knob import can_turn, turned
from tests.tiny import TinyState


def parameter(algorithm: str, name: str) -> Parameter:
    return next(p for p in find(algorithm).parameters if p.name == name)


def values(p: Parameter, by: int, fine: bool = False, times: int = 3, start: Any = None, part: int = 0) -> list[Any]:
    value, seen = p.default if start is None else start, []
    for _ in range(times):
        value = turned(p, value, by, fine, part)
        seen.append(value)
    return seen


@pytest.mark.parametrize(
    ("algorithm", "name", "up", "down"),
    [
        ("perceptron", "eta", [2, 5, 10], [0.5, 0.2, 0.1]),
        ("gradient_descent", "eta", [0.05, 0.1, 0.2], [0.02, 0.01, 0.005]),  # from 0.045, which is between
        ("perceptron", "margin", [0.01, 0.02, 0.05], [0, 0, 0]),
        ("kernel_k_means", "constant", [0.01, 0.02, 0.05], [0, 0, 0]),
        ("lloyd", "k", [4, 5, 6], [2, 1, 1]),
        ("lloyd", "seed", [1, 2, 3], [0, 0, 0]),
        ("perceptron", "epochs", [200, 500, 1000], [50, 20, 19]),
        ("gradient_descent", "momentum", [0.05, 0.1, 0.15], [0, 0, 0]),
        ("majority_vote", "p", [0.45, 0.5, 0.55], [0.35, 0.3, 0.25]),
        ("gaussian_mixture", "tol", [2e-6, 5e-6, 1e-5], [5e-7, 2e-7, 1e-7]),  # in [0, 1], but no share
        ("lasso_subgradient", "at_zero", [0.1, 0.2, 0.3], [-0.1, -0.2, -0.3]),
        ("gaussian_mean", "prior_mean", [0.01, 0.02, 0.05], [-0.01, -0.02, -0.05]),
        ("perceptron", "order", ["shuffled", "cyclic", "shuffled"], ["shuffled", "cyclic", "shuffled"]),
        ("perceptron", "bias", [False, True, False], [False, True, False]),
        ("smo", "gamma", [1, 2, 5], [1, 0.5, 0.2]),  # from "automatic"
    ],
)
def test_each_kind_has_steps_of_its_own(algorithm: str, name: str, up: list[Any], down: list[Any]) -> None:
    p = parameter(algorithm, name)
    assert values(p, 1) == up
    assert values(p, -1) == down
    assert {type(value) for value in values(p, 1)} == {p.type if p.type in (int, float, bool) else str}


@pytest.mark.parametrize(
    ("algorithm", "name", "up", "down"),
    [
        ("perceptron", "eta", [1.1, 1.2], [0.99, 0.98]),
        ("perceptron", "epochs", [101, 102], [99, 98]),
        ("majority_vote", "p", [0.41, 0.42], [0.39, 0.38]),
        ("lasso_subgradient", "at_zero", [0.01, 0.02], [-0.01, -0.02]),
    ],
)
def test_a_finer_step_is_finer(algorithm: str, name: str, up: list[Any], down: list[Any]) -> None:
    p = parameter(algorithm, name)
    assert values(p, 1, fine=True, times=2) == up
    assert values(p, -1, fine=True, times=2) == down


def test_the_bounds_are_come_to_and_not_passed() -> None:
    p = parameter("gradient_descent", "momentum")
    assert values(p, 1, start=0.9) == [0.95, 0.999, 0.999]
    p = parameter("perceptron", "eta")
    assert values(p, 1, start=400.0) == [500, 1000, 1000]
    assert values(p, -1, start=0.003) == [0.002, 0.001, 0.001]
    p = parameter("lloyd", "seed")
    assert values(p, 1, start=2**32 - 2) == [2**32 - 1] * 3


def test_below_the_least_number_is_the_word_in_its_place() -> None:
    assert values(parameter("smo", "gamma"), -1, start=0.02) == [0.01, 0, "automatic"]


def test_of_several_numbers_the_one_in_hand_is_turned() -> None:
    p = parameter("lbfgs", "start")
    assert values(p, 1, times=2) == [(-1.1, 1.0), (-1.0, 1.0)]
    assert values(p, -1, times=2, part=1) == [(-1.2, 0.9), (-1.2, 0.8)]
    assert values(parameter("multilayer_perceptron", "hidden"), 1, times=1, start=(), part=0) == [()]


def own(
    data: Dataset,
    *,
    rate: Annotated[float, Meta(gt=0, lt=1)] = 0.5,
    free: float = 2.0,
    whole: int = -19,
    name: str = "a",
    kind: Literal["x"] = "x",
) -> Run[TinyState]:
    yield TinyState(x=np.zeros(1))
    return ""


def test_a_readers_own_parameters_need_no_bounds() -> None:
    of = {p.name: p for p in Parameters(own).all}
    assert [can_turn(of[name]) for name in of] == [True, True, True, False, True]
    assert values(of["rate"], 1, times=12)[-1] == 0.95 < 1
    assert values(of["rate"], -1, times=40)[-1] > 0
    through = values(of["free"], -1, times=30)
    assert through[0] == 1
    assert 0 in through
    assert through[-1] < -1
    assert all(a > b for a, b in zip(through, through[1:]))
    assert values(of["free"], 1, times=2, start=math.inf) == [math.inf] * 2
    assert values(of["free"], -1, times=2, start=math.inf) == [1e6, 5e5]
    assert values(of["whole"], -1, times=3) == [-20, -50, -100]
    assert values(of["whole"], 1, times=3, start=-50) == [-20, -19, -18]
    assert values(of["name"], 1, times=1) == ["a"]


def refusal(algorithm: Algorithm, data: Dataset, parameters: dict[str, Any]) -> str:
    """Why these parameters will not do with the data, "" if they do."""
    try:
        algorithm.problem(data, None, parameters)
    except Refused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("name", names())
def test_every_parameter_turned_from_its_default_is_accepted_or_refused_in_a_sentence(name: str) -> None:
    algorithm = find(name)
    data, given = algorithm.datasets[0].load(), dict(algorithm.settings[0])
    for p in algorithm.parameters:
        assert can_turn(p)
        assert turned(p, p.default, 1) != p.default or turned(p, p.default, -1) != p.default
        for by in (1, -1):
            value = p.default
            for _ in range(5):
                before, value = value, turned(p, value, by)
                if isinstance(value, float | int) and not isinstance(value, bool) and isinstance(before, float | int):
                    assert by * (value - before) >= 0
                    assert p.least is None or value >= p.least
                    assert p.most is None or value <= p.most
                assert getattr(algorithm.checked({p.name: value}), p.name) == value
                assert refusal(algorithm, data, given | {p.name: value}).strip()[-1:] in ("", ".")
