"""A recipe makes the same Dataset again; scaling, holding out and the positive class do as they say."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from algorithms import Recipe, Refused, datasets
from algorithms.data import blobs, breast_cancer, digits, faithful, iris, penguins, prostate, wine
from tests.examples import examples


def refusal(recipe: Recipe) -> str:
    with pytest.raises(Refused) as refused:
        recipe.load()
    return str(refused.value)


def test_equal_recipes_share_one_dataset():
    assert iris.load() is Recipe(name="iris").load()
    assert iris.with_(scale=True).load() is datasets.load("iris", scale=True)
    assert blobs.with_(n=200, margin=0.0) == blobs
    assert blobs.with_(n=50, seed=3) == blobs.with_(seed=3).with_(n=50)
    assert blobs.with_(n=50).load() is not blobs.load()


def test_a_recipe_can_be_written_down_and_read_again():
    for recipe in (
        iris.with_(positive="setosa", hold_out=0.25, hold_out_seed=7, columns=("sepal_width_cm",), scale=True),
        blobs.with_(margin=0.3, n=50),
        Recipe(name="some/file.csv").with_(decimal=",", missing="refuse", target=""),
    ):
        again = msgspec.json.decode(msgspec.json.encode(recipe), type=Recipe)
        assert again == recipe
        assert hash(again) == hash(recipe)


def test_the_dataset_knows_its_recipe():
    recipe = iris.with_(scale=True)
    assert recipe.load().source == recipe


def test_one_class_held_against_the_others_has_code_one():
    data = iris.with_(positive="versicolor").load()
    assert data.classes == ("not versicolor", "versicolor")
    assert (data.signs == np.where(iris.load().y == 1, 1.0, -1.0)).all()


def test_of_two_classes_the_other_keeps_its_name():
    assert datasets.davis.with_(positive="F").load().classes == ("M", "F")
    assert breast_cancer.load().classes == ("benign", "malignant")
    assert breast_cancer.with_(positive="benign").load().classes == ("malignant", "benign")
    assert (breast_cancer.load().y == 1).sum() == 212


def test_a_positive_digit_may_be_a_number():
    assert digits.with_(positive=3).load().classes == ("not 3", "3")


def test_scaled_features_have_mean_zero_and_deviation_one_over_the_training_rows():
    data = wine.with_(scale=True, hold_out=0.3).load()
    assert np.allclose(data.X.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(data.X.std(axis=0), 1)
    plain = wine.with_(hold_out=0.3).load()
    assert np.allclose(data.original(data.X), plain.X)
    assert np.allclose(data.held_out.original(data.held_out.X), plain.held_out.X)
    assert not np.allclose(data.held_out.X.mean(axis=0), 0, atol=1e-6)
    assert data.scaled
    assert any("scaled" in notice for notice in data.notices)


def test_a_constant_column_is_only_centred():
    data = digits.with_(scale=True).load()
    assert data.spread[0] == 1.0
    assert (data.X[:, 0] == 0).all()


def test_a_target_of_numbers_keeps_its_units():
    assert (prostate.with_(scale=True).load().y == prostate.load().y).all()


def test_held_out_rows_and_training_rows_are_all_the_rows_once():
    whole = faithful.load()
    data = faithful.with_(hold_out=0.25).load()
    assert (data.n, data.held_out.n) == (204, 68)
    together = np.concatenate([data.X, data.held_out.X])
    assert sorted(map(tuple, together)) == sorted(map(tuple, whole.X))
    assert (faithful.with_(hold_out=0.25, hold_out_seed=1).load().X != data.X).any()


def test_training_rows_stay_in_their_order():
    data = blobs.with_(hold_out=0.5).load()
    places = [int(np.flatnonzero((row == blobs.load().X).all(axis=1))[0]) for row in data.X]
    assert places == sorted(places)


def test_pictures_are_known_as_such_only_when_whole():
    assert digits.load().image == (8, 8)
    assert digits.with_(columns=digits.load().features[::-1]).load().image is None
    assert digits.with_(columns=("p00", "p01")).load().image is None


def test_truth_is_told_only_of_rows_as_they_were_made():
    assert blobs.with_(margin=0.3).load().truth["margin"] == 0.3
    assert blobs.with_(margin=0.3, hold_out=0.25).load().truth["margin"] == 0.3
    assert blobs.with_(margin=0.3, scale=True).load().truth == {}
    assert blobs.with_(margin=0.3, columns=("x1",)).load().truth == {}


def test_another_target_and_none():
    data = iris.with_(target="petal_width_cm").load()
    assert (data.kind, data.d) == ("number", 3)
    assert penguins.with_(target="sex").load().classes == ("female", "male")
    assert iris.with_(target="").load().y is None
    assert blobs.with_(target="").load().y is None
    assert iris.load().notices == ()


def test_missing_cells_of_the_penguins():
    assert penguins.load().n == 342
    assert "row 3 has no bill_length_mm, row 271 has no bill_length_mm" in penguins.load().notices[0]
    assert "row 3 (line 5) of penguins has no bill_length_mm" in refusal(penguins.with_(missing="refuse"))


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (Recipe(name="irsi"), "Did you mean iris?"),
        (Recipe(name="irsi"), "or give the path of a file"),
        (iris.with_(positive="rose"), "species of iris is never 'rose'; it is setosa, versicolor, virginica"),
        (faithful.with_(positive="long"), "has no classes"),
        (iris.with_(columns=("petal",)), "has no column 'petal'"),
        (blobs.with_(columns=("x3",)), "blobs has no column 'x3'; it has x1 and x2"),
        (blobs.with_(target="x1"), "blobs has no column 'x1'"),
        (blobs.with_(margin=1, k=3), "a margin lies between two classes; k is 3"),
        (blobs.with_(n=3, k=5), "5 classes need 5 rows"),
        (datasets.cloud.with_(rank=4), "does not fit into 3 features"),
        (iris.with_(hold_out=0.999), "too few to learn from"),
        (blobs.with_(n=3, hold_out=0.33, hold_out_seed=4), "every row of class b is held out"),
        (blobs.with_(target_kind="number"), "the target of blobs is a class"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_sentence(recipe, words):
    assert words in refusal(recipe)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"margn": 0.3}, "blobs takes no 'margn'"),
        ({"margn": 0.3}, "Did you mean margin?"),
        ({"margin": -1}, "0 <= margin <= 100"),
        ({"n": 1}, "2 <= n <= 100000"),
        ({"hold_out": 1.0}, "hold_out will not do"),
        ({"missing": "mean"}, "missing will not do"),
        ({"name": "iris"}, "takes no 'name'"),
    ],
)
def test_changes_that_will_not_do_are_refused_at_once(changes, words):
    with pytest.raises(Refused, match=words.replace("?", r"\?")):
        blobs.with_(**changes)


@settings(max_examples=examples(40), deadline=None)
@given(
    name=st.sampled_from(["iris", "faithful", "blobs", "line", "penguins"]),
    scale=st.booleans(),
    hold_out=st.floats(0, 0.9),
    seed=st.integers(0, 2**32 - 1),
)
def test_every_split_leaves_rows_to_learn_from(name, scale, hold_out, seed):
    try:
        data = datasets.load(name, scale=scale, hold_out=hold_out, hold_out_seed=seed)
    except Refused:
        return
    assert data.n >= 2
    assert (data.held_out is None) == (hold_out == 0)
    assert np.isfinite(data.X).all()
