"""Worked examples of the lectures: the rows are those on the slides, and what is said of them is so."""

from itertools import combinations

import numpy as np
import pytest

from algorithms import Refused, datasets
from algorithms.data import badges, badges_raw, coin, decoys, four_points, iris, iris_ratios, leverage, square


def test_four_points_lie_on_a_line_and_a_fifth_beside_it():
    four, five = four_points.load(), four_points.with_(off=1.5).load()
    assert four.X.tolist() == [[-7, -14], [2.5, 5], [0.5, 1], [0, 0]]
    assert (np.linalg.matrix_rank(four.X), np.linalg.matrix_rank(five.X)) == (1, 2)
    assert four.X @ four.truth["direction"] == pytest.approx([-15.652, 5.590, 1.118, 0], abs=5e-4)
    assert five.X[4] @ five.truth["direction"] == pytest.approx(0, abs=1e-15)
    assert np.linalg.norm(five.X[4]) == pytest.approx(1.5)


def test_the_corners_of_the_square_are_all_on_the_margin():
    data = square.with_(side=2.0).load()
    assert sorted(map(tuple, data.X.tolist())) == [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    assert (data.signs * (data.X @ data.truth["direction"]) == 1).all()


@pytest.mark.parametrize("far", [2.0, 100.0])
def test_of_the_rows_with_leverage_no_threshold_errs_on_fewer_than_two(far):
    data = leverage.with_(far=far).load()
    assert data.n == 20
    x, signs = data.X[:, 0], data.signs
    places = np.concatenate([[-np.inf], (np.unique(x)[1:] + np.unique(x)[:-1]) / 2, [np.inf]])
    wrong = [(side * np.where(x > at, 1, -1) != signs).sum() for at in places for side in (1, -1)]
    assert min(wrong) == data.truth["fewest_wrong"] == 2


def test_decoys_are_an_exclusive_or_about_which_the_first_two_bits_say_least():
    data = decoys.load()
    assert data.X.shape == (11, 4)
    assert (data.y == np.logical_xor(data.X[:, 0], data.X[:, 1])).all()
    assert len(set(map(tuple, data.X.tolist()))) == 11

    def errors(bit: int) -> int:
        return sum(min(np.bincount(data.y[data.X[:, bit] == value], minlength=2)) for value in (0, 1))

    assert min(errors(2), errors(3)) < min(errors(0), errors(1))


def test_the_ratios_are_those_of_the_irises():
    raw, ratios = iris.load(), iris_ratios.load()
    assert np.array_equal(ratios.X, raw.X[:, [0, 2]] / raw.X[:, [1, 3]])
    assert np.array_equal(ratios.y, raw.y)
    assert ratios.classes == raw.classes


def test_the_ten_names_without_a_sign_are_held_out_and_the_second_letter_decides():
    data = badges_raw.load()
    assert np.array_equal(data.X, badges.load().X)
    ten = data.held_out
    assert ten.n == 10
    assert [ten.classes[code] for code in ten.y] == list("+-+-+--++-")
    assert (ten.y == ten.X[:, ten.features.index("second_is_vowel")]).all()
    letters = badges_raw.with_(map="letters:2").load()
    unseen = [name for name, row in zip(letters.held_out.names, letters.held_out.X) if not row.any()]
    assert unseen == ["Attilio Giordana", "J. R. Quinlan"]  # "t" and "." came in no name with a sign
    assert badges_raw.with_(hold_out=0.5).load().held_out.n == 23  # of all, when a share is asked for


def test_tosses_of_ones_own():
    data = coin.with_(faces="10011011111").load()
    assert [data.classes[code] for code in data.y[:4]] == ["heads", "tails", "tails", "heads"]
    assert data.y.sum() == 8
    assert data.n == 11
    with pytest.raises(Refused, match="all 3 tosses are heads; give both faces"):
        coin.with_(faces="111").load()
    with pytest.raises(Refused, match="faces = '10x' will not do"):
        coin.with_(faces="10x")


def test_some_classes_alone():
    two = iris.with_(classes=("virginica", "setosa")).load()
    assert two.classes == ("setosa", "virginica")
    assert np.bincount(two.y).tolist() == [50, 50]
    whole = iris.load()
    assert np.array_equal(two.X, whole.X[whole.y != 1])
    assert two.notices == ("50 rows of versicolor were left out.",)
    assert iris.with_(classes=("setosa", "versicolor"), positive="setosa").load().classes == ("versicolor", "setosa")
    for classes, why in ((("setosa",), "one class alone"), (("rose", "setosa"), "is never 'rose'")):
        with pytest.raises(Refused, match=why):
            iris.with_(classes=classes).load()
    with pytest.raises(Refused, match="faithful has no classes"):
        datasets.load("faithful", classes=("a", "b"))


@pytest.mark.parametrize("scale", [False, True])
def test_labels_are_turned_on_purpose_among_training_rows_alone(scale):
    clean = iris.with_(hold_out=0.2, scale=scale).load()
    data = iris.with_(hold_out=0.2, scale=scale, flip=0.1).load()
    assert data.truth["flipped"].sum() == round(0.1 * data.n)
    assert np.array_equal(data.y != clean.y, data.truth["flipped"])
    assert np.array_equal(data.held_out.y, clean.held_out.y)
    assert not data.held_out.truth["flipped"].any()
    assert np.array_equal(data.X, clean.X)
    assert any("12 rows were turned on purpose" in notice for notice in data.notices)
    seeds = [iris.with_(flip=0.1, flip_seed=seed).load().truth["flipped"] for seed in range(3)]
    assert not any(np.array_equal(a, b) for a, b in combinations(seeds, 2))
    with pytest.raises(Refused, match="no label can be turned"):
        datasets.load("diabetes", flip=0.1)
