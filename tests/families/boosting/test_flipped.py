"""The rows whose label was turned on purpose are known, also when rows are changed by hand."""

import numpy as np
import pytest

from algorithms import Add, Label, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.data import iris, moons
from algorithms.families.boosting.shared.flipped import flipped_rows, weight_on_flipped

TURNED = moons.with_(n=80, noise=0.2, flip=0.1)


def test_they_are_those_that_the_recipe_turned():
    data = TURNED.load()
    assert np.flatnonzero(flipped_rows(data)).tolist() == np.flatnonzero(data.truth["flipped"]).tolist()
    assert flipped_rows(data).sum() == 8
    assert flipped_rows(iris.load()) is None


def test_one_that_is_turned_back_or_removed_is_none_of_them_and_others_keep_their_place():
    data = TURNED.load()
    first, second, *rest = np.flatnonzero(flipped_rows(data)).tolist()
    other = next(i for i in range(data.n) if i not in (first, second, *rest))
    changes = [Label(first, 1 - int(data.y[first])), Label(other, 1 - int(data.y[other])), Add((0.0, 0.0), 0)]
    changed = edited(edited(data, changes), [Remove(second)])
    assert np.flatnonzero(flipped_rows(changed)).tolist() == [row - 1 for row in rest]


def test_their_weight_is_a_share_and_nothing_where_there_are_none():
    data = Dataset(
        [[0.0], [1.0], [2.0]], [0, 1, 1], classes=("a", "b"), truth={"flipped": np.array([True, False, True])}
    )
    assert weight_on_flipped(data, np.array([1.0, 2.0, 5.0])) == 6 / 8
    assert np.isnan(weight_on_flipped(iris.load(), np.ones(150)))


@pytest.mark.parametrize(
    ("name", "parameters", "phase"),
    [("adaboost", {}, "reweight"), ("gradient_boosting", {"loss": "exponential"}, "residual")],
)
def test_boosting_with_the_exponential_loss_comes_to_weigh_them_more_than_others(name, parameters, phase):
    algorithm = find(name)
    run = Timeline(algorithm, TURNED, {**parameters, "rounds": 30}).run()
    t, values = run.curve("weight on flipped rows")
    assert values[0] == pytest.approx(0.1)
    assert values[-1] > 2 * values[0]
    heaviest = run.curve("heaviest row")[1]
    assert heaviest[-1] > 4 * heaviest[0] == pytest.approx(4 / 80)
    assert run.at(int(t[-1])).state.phase == phase
    bare = Timeline(algorithm, moons.with_(n=80), {**parameters, "rounds": 2}).run()
    assert not np.isfinite(bare.curve("weight on flipped rows")[1]).any()
