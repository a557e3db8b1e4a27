"""The declaration and the catalogue: found without a list, called with checks, refused in words."""

import copy
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from algorithms import Dataset, Refused, by_family, find, names
from algorithms.core import Needs
from algorithms.core.state import same
from tests.timeline.toys import ORBIT, declared, orbit
from tests.tiny import TINY


def test_the_catalogue_finds_every_file_of_a_family_and_names_them_when_asked_for_another() -> None:
    assert "perceptron" in names()
    assert "perceptron" in by_family()["linear"]
    assert not any(name.startswith("_") for name in names())
    for name in names():
        algorithm = find(name)
        assert algorithm.name == name
        assert name in by_family()[algorithm.family]
        assert find(name) is algorithm
    with pytest.raises(Refused) as caught:
        find("perceptrn")
    assert "Did you mean perceptron?" in str(caught.value)


def test_names_are_found_without_importing_an_algorithm() -> None:
    code = "import sys, algorithms; algorithms.names(); print('algorithms.families.linear.perceptron' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "False"


def test_it_is_called_with_an_array_and_goes_on_from_a_state() -> None:
    X = np.array([[1.0, 2.0], [2.0, 0.5]])
    states = list(islice(ORBIT(X, pull="0.5"), 9))
    assert [s.t for s in states] == list(range(9))
    again = list(islice(ORBIT(X, pull=0.5, state=states[3]), 5))
    assert all(same(a, b) for a, b in zip(states[4:], again, strict=True))


def test_it_says_what_it_needs() -> None:
    two = declared(orbit, needs=Needs(target="class", classes=2, rows=3))
    three = Dataset(np.zeros((4, 1)), ["a", "b", "c", "a"], name="four")
    cases = {
        "needs 3 rows or more; data has 2": (Dataset([[1], [2]], ["a", "b"]),),
        "learns classes; data has no target": (Dataset(np.zeros((4, 1))),),
        "learns classes; data has numbers in y": (Dataset(np.zeros((4, 1)), [0.5, 1, 2, 3]),),
        r"tells 2 classes apart; four has 3 \(a, b, c\)": (three,),
    }
    for words, (data,) in cases.items():
        with pytest.raises(Refused, match=words):
            two(data)


def features_of(size: float, held_out: float | None = None, target: float = 1.0) -> Dataset:
    """Rows of which the largest number is `size`, on numbers up to `target`."""
    aside = None if held_out is None else Dataset([[held_out]], [target], kind="number")
    return Dataset([[size], [-size / 2]], [target, -target / 2], kind="number", name="rows", held_out=aside)


def test_numbers_whose_products_vanish_or_overflow_are_refused() -> None:
    learns = declared(orbit, needs=Needs(target="number", within=(1e-50, 1e30)))
    ignores = declared(orbit, needs=Needs(target="none", within=(1e-50, 1e30)))
    for data, what in (
        (features_of(2e30), "rows is 2e[+]30"),
        (features_of(5e-51), "rows is 5e-51"),
        (features_of(1.0, held_out=2e30), "the rows of rows held out is 2e[+]30"),
        (features_of(1.0, target=2e30), "y of rows is 2e[+]30"),
        (features_of(1.0, target=5e-51), "y of rows is 5e-51"),
    ):
        with pytest.raises(Refused, match=f"the largest number in {what}; .* out of range: scale it"):
            learns(data)
    for data in (features_of(1e30, target=1e-50), features_of(0.0, target=0.0), features_of(1.0, held_out=1e-60)):
        next(learns(data))
    for data in (features_of(1.0, held_out=2e30), features_of(1.0, target=2e30)):  # neither is looked at
        next(ignores(data))
    with pytest.raises(Refused, match="scale it"):
        ignores(features_of(2e30))


def test_data_and_parameters_are_refused_together() -> None:
    fussy = declared(orbit, validate=lambda problem: "too few rows." if problem.data.n < 3 else None)
    with pytest.raises(Refused, match="too few rows"):
        fussy(np.zeros((2, 2)))
    next(fussy(np.zeros((3, 2))))


def test_the_source_is_that_of_the_generator() -> None:
    file, first, lines = TINY.source
    assert file.endswith("tiny.py")
    assert lines[0].startswith("def tiny(")
    run = TINY(np.zeros((2, 1)))
    next(run)
    assert lines[run.gi_frame.f_lineno - first].strip() == "yield state"


def test_a_family_is_the_package_it_stands_in() -> None:
    assert find("perceptron").family == "linear"
    assert TINY.family == "own"


def test_no_name_of_the_front_door_is_hidden_by_a_package_of_ours() -> None:
    """An attribute of `algorithms` that is a package's name too becomes the package once that is imported."""
    import algorithms

    packages = {path.name for path in Path(algorithms.__file__).parent.iterdir() if path.is_dir()}
    hidden = packages & set(re.findall(r"\bas (\w+)", Path(algorithms.__file__).read_text(encoding="utf-8")))
    assert not hidden


def test_a_copy_may_be_changed_and_the_one_of_the_catalogue_stays() -> None:
    """What is pickled by where it stands is not so copied: checks and mutants change their copies."""
    lloyd = find("lloyd")
    for changed in (copy.copy(lloyd), lloyd.with_defaults(k=5)):
        changed.theorems = ()
        assert changed is not lloyd
        assert find("lloyd").theorems
