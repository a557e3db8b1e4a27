"""What gives a generator, or can be iterated over, can be watched as a generator function can."""

from pathlib import Path

import pytest

from algorithms import Refused, Timeline, load
from tests.userfile.runs import on

INNER = """
from functools import partial, wraps
from collections.abc import Iterator


def _descend(x, rate):
    while x > 1:
        x *= rate
        yield {"x": x}


"""
_CLASS = """class {name}:
    def __init__(self, x=8.0, rate: float = 0.5):
        self.x, self.rate = x, rate

    def __iter__(self):
        while self.x > 1:
            self.x *= self.rate
            yield {{"x": self.x}}
"""
_OBJECT = """class Trainer:
    def __iter__(self):
        x = 8.0
        while x > 1:
            x *= 0.5
            yield {"x": x}


mine = Trainer()
"""
_ITERATOR = """class Trainer:
    x = 8.0

    def __iter__(self):
        return self

    def __next__(self):
        if self.x <= 1:
            raise StopIteration
        self.x *= 0.5
        return {"x": self.x}


mine = Trainer()
"""
_INNER_FUNCTION = """def mine(x=8.0, rate=0.5):
    def steps(x, rate):
        while x > 1:
            x *= rate
            yield {"x": x}
    return steps(x, rate)
"""
_DECORATED = """def logged(f):
    @wraps(f)
    def call(*a, **k):
        return f(*a, **k)
    return call


@logged
def mine(x=8.0, rate=0.5):
    yield from _descend(x, rate)
"""
_METHOD = """class Model:
    def fit(self, x):
        yield from _descend(x, 0.5)


def mine(x=8.0):
    return Model().fit(x)
"""
KINDS = {
    "a function": "def mine(x=8.0, rate=0.5):\n    print('begun')\n    return _descend(x, rate)\n",
    "a function of a function": "def other(x, r):\n    return _descend(x, r)\n\n\n"
    "def mine(x=8.0, rate=0.5):\n    return other(x, rate)\n",
    "a function with an inner one": _INNER_FUNCTION,
    "a partial": "mine = partial(_descend, 8.0, rate=0.5)\n",
    "a decorated one": _DECORATED,
    "a class": _CLASS.format(name="mine"),
    "an object": _OBJECT,
    "an iterator": _ITERATOR,
    "a generator": "mine = _descend(8.0, 0.5)\n",
    "what says so": "def mine(x=8.0) -> Iterator:\n    made = _descend(x, 0.5)\n    return made\n",
    "a method": _METHOD,
}


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_run_with_its_source_and_its_lines(kind: str, apart: bool, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(INNER + KINDS[kind])
    algorithm = load(f"{path}:mine", apart=apart)
    assert algorithm.title == "mine"
    run = on(Timeline(algorithm, algorithm.datasets[0]))
    assert run.stopped is not None
    assert not run.stopped.failed, run.stopped
    assert run.curve("x")[1].tolist() == [4.0, 2.0, 1.0]
    _, first, lines = algorithm.source
    if kind not in ("an iterator", "what says so"):
        assert "yield" in lines[run.kind(2).line - first]


@pytest.mark.parametrize("kind", ["a class", "an object", "a generator"])
def test_where_there_is_no_generator_function_it_is_found(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    body = KINDS[kind] if kind != "a generator" else "mine = ({'x': 2.0**-i} for i in range(-2, 1))\n"
    path.write_text(body)
    algorithm = load(str(path))
    assert algorithm.title == "mine"
    assert Timeline(algorithm, algorithm.datasets[0]).run().last == 3


def test_the_arguments_of_a_class_and_of_a_partial_are_parameters(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(INNER + KINDS["a class"])
    run = Timeline(load(f"{path}:mine"), None, {"rate": 0.25}).run()
    assert run.curve("x")[1].tolist() == [2.0, 0.5]
    path.write_text(INNER + KINDS["a partial"])
    assert Timeline(load(f"{path}:mine"), None, {"rate": "0.25"}).run().last == 2


def test_an_iterator_that_has_begun_is_not_begun_again_and_an_object_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(KINDS["an object"])
    again = load(str(path))
    assert [Timeline(again, None).run().last for _ in range(2)] == [3, 3]
    path.write_text(KINDS["an iterator"])
    once = load(str(path))
    assert Timeline(once, None).run().last == 3
    stopped = Timeline(once, None).run().stopped
    assert stopped is not None
    assert "it cannot be started over" in stopped.reason


@pytest.mark.parametrize(
    "body", ["mine = [1, 2]\n", "def mine():\n    return len('a')\n", "mine = 3\n", "def mine():\n    return 1\n"]
)
def test_what_gives_no_steps_is_refused(body: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(body)
    with pytest.raises(Refused, match="neither an Algorithm nor a generator function"):
        load(f"{path}:mine")


def test_what_turns_out_to_give_no_steps_ends_in_words(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("from collections.abc import Iterator\n\ndef mine() -> Iterator:\n    return 3\n")
    stopped = Timeline(load(f"{path}:mine"), None).run().stopped
    assert stopped is not None
    assert stopped.reason == "TypeError: it gave int, which cannot be stepped through"
