"""What a reader's function is, and what is said of it, is true."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Refused, Timeline, load
from algorithms.userfile.in_process import plain_algorithm
from algorithms.userfile.signature import takes

ROWS = Dataset(np.arange(12.0).reshape(6, 2) ** 1.5, name="rows")


def run_of(function: Callable[..., Any], **parameters: Any) -> Timeline:
    return Timeline(plain_algorithm(function), ROWS, parameters).run()


def test_an_array_yielded_twice_untouched_is_not_said_to_have_changed() -> None:
    def mine() -> Iterator[Any]:
        w = np.zeros(3)
        for t in range(3):
            yield {"w": w, "loss": 1.0 / (t + 1)}

    def pairs() -> Iterator[Any]:
        w, v = np.zeros(3), np.zeros(3)
        for _ in range(3):
            yield w, v
            v += 1

    assert all(run_of(mine).at(t).state.remark == "" for t in range(4))
    assert run_of(pairs).at(2).state.remark.startswith("v was changed in place")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("class Model:\n    def fit(self, X):\n        yield 1\n", r"Model\.fit is a method: .*yield from Model"),
        ("async def train(X):\n    yield 1\n", "train, which is an async one: `def` in place of `async def`"),
        ("def train(X):\n    return 1\n", "no `def` with a `yield` in it"),
    ],
)
def test_a_generator_of_another_kind_is_called_what_it_is(tmp_path: Path, body: str, sentence: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(body)
    with pytest.raises(Refused, match=sentence):
        load(str(path))


def test_one_that_is_named_is_called_what_it_is_too(tmp_path: Path) -> None:
    path = tmp_path / "kinds.py"
    path.write_text("class Model:\n    def fit(self, X):\n        yield 1\n\n\nasync def train(X):\n    yield 1\n")
    with pytest.raises(Refused, match=r"Model\.fit in .* is a method"):
        load(f"{path}:Model.fit")
    with pytest.raises(Refused, match="train in .* is an async generator"):
        load(f"{path}:train")


@pytest.mark.parametrize("name", ["n", "k", "steps", "max_iter", "n_clusters", "eta"])
def test_a_first_argument_called_as_a_setting_is_a_parameter(name: str) -> None:
    made: dict[str, Any] = {}
    exec(f"def mine({name}):\n    for i in range(int({name})):\n        yield i\n", made)
    roles = takes(made["mine"])
    assert (roles.data, [argument.name for argument in roles.parameters]) == ("nothing", [name])
    with pytest.raises(Refused, match=f"mine has no default for {name}: give it with -p {name}="):
        run_of(made["mine"])
    assert run_of(made["mine"], **{name: "3"}).last == 3


@pytest.mark.parametrize("name", ["X", "x", "rows", "points", "data", "samples", "features"])
def test_any_other_first_argument_is_the_data(name: str) -> None:
    made: dict[str, Any] = {}
    exec(f"def mine({name}, k):\n    yield k\n", made)
    assert takes(made["mine"]).names == (name,)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_demo_of_a_running_mean_holds_at_every_scale_and_is_broken_by_its_mirror(scale: float) -> None:
    algorithm = load("demos/running_mean.py")
    run = Timeline(algorithm, Dataset(ROWS.X * scale + scale), {}).run()
    assert [run.verdicts(run.at(t))[0].status for t in range(len(run))] == ["holds"] * len(run)
    state = run.at(3).state
    mirrored = state.replaced(mean=-state.mean)
    assert algorithm.theorems[0].verdict(run.problem, None, mirrored).status == "fails"
