"""The bundled data sets are the ones they say they are, and the made ones have the truth they tell."""

import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn import datasets as published
from sklearn.decomposition import PCA
from sklearn.svm import SVC

import algorithms.data as recipes
from algorithms import Recipe, Refused, Timeline, datasets, find
from algorithms.data import (
    badges,
    blobs,
    circle,
    cloud,
    coin,
    collinear,
    conjunction,
    correlated,
    dependent,
    digits,
    emails,
    gaussian,
    joint,
    line,
    mixture,
    moons,
    rings,
    sine,
    sparse,
    three_points,
    three_rows,
    tilt,
    xor,
)
from algorithms.data.made import arguments

SEEDED = ("blobs", "rings", "moons", "line", "sine", "mixture", "cloud", "coin", "xor", "circle", "conjunction")
SEEDED += ("tilt", "collinear", "sparse", "gaussian", "dependent", "correlated", "emails", "joint")
MADE = (*SEEDED, "three_points", "three_rows", "rectangle", "four_points", "square", "leverage", "decoys")


@pytest.mark.parametrize(
    ("name", "load"),
    [
        ("iris", published.load_iris),
        ("wine", published.load_wine),
        ("breast_cancer", published.load_breast_cancer),
    ],
)
def test_features_and_classes_are_those_published(name, load):
    ours, theirs = datasets.load(name), load()
    assert np.allclose(ours.X, theirs.data, atol=1e-12)
    named = np.array([str(word).lower() for word in theirs.target_names])[theirs.target]
    assert [ours.classes[code].replace("cultivar_", "class_") for code in ours.y] == [
        word.replace("class_", "class_") if name != "wine" else f"class_{int(word[-1]) + 1}" for word in named
    ]


def test_diabetes_is_the_one_published_unscaled():
    theirs = published.load_diabetes(scaled=False)
    ours = datasets.load("diabetes")
    assert np.allclose(ours.X, theirs.data, atol=1e-3)
    assert (ours.y == theirs.target).all()


def test_digits_are_fifty_of_each_of_those_published():
    theirs = {(tuple(x), str(c)) for x, c in zip(*published.load_digits(return_X_y=True))}
    ours = digits.load()
    assert (np.bincount(ours.y) == 50).all()
    assert all((tuple(x), ours.classes[c]) in theirs for x, c in zip(ours.X, ours.y))


def test_known_rows_and_sums_of_the_others():
    faithful, penguins = datasets.load("faithful"), datasets.load("penguins")
    assert faithful.X.mean(axis=0) == pytest.approx([3.487783, 70.897059], abs=1e-6)
    assert np.bincount(penguins.y).tolist() == [151, 68, 123]
    assert penguins.X[:, 3].mean() == pytest.approx(4201.754, abs=1e-3)
    davis = datasets.load("davis")
    assert davis.X[11].tolist() == [166, 57]
    prostate = datasets.load("prostate")
    assert (prostate.n, prostate.d) == (97, 8)
    assert prostate.y.mean() == pytest.approx(2.478387, abs=1e-6)


@pytest.mark.parametrize("name", datasets.names())
def test_every_named_set_is_described_as_it_is(name):
    about, data = datasets.describe(name), datasets.load(name)
    assert about.title
    assert about.description
    assert about.citation
    assert (about.target, about.kind) == (data.target, data.kind)
    assert about.made == bool(data.truth) == (name in MADE)
    assert getattr(datasets, name) == getattr(recipes, name) == Recipe(name=name)
    assert not about.made or about.arguments == arguments(name)
    assert about.made or str(_rows(name, data)) in about.description


def _rows(name, data):
    """How many rows the file has: some of the penguins are dropped, some badges are held out."""
    return 344 if name == "penguins" else data.n + (data.held_out.n if data.held_out else 0)


def test_a_name_that_is_not_there_is_not_described():
    with pytest.raises(Refused, match="there are iris, faithful"):
        datasets.describe("roses")


@pytest.mark.parametrize("name", SEEDED)
def test_a_seed_always_makes_the_same_rows_and_another_seed_others(name):
    recipe = Recipe(name=name)
    first, other = recipe.load(), recipe.with_(seed=1).load()
    assert (other.X != first.X).any() or (other.y != first.y).any()
    made = {k: p.default for p in arguments(name) if (k := p.name)}
    from algorithms.data.made import GENERATORS

    again = GENERATORS[name](**made)
    assert np.array_equal(again.X, first.X)
    assert first.y is None or np.array_equal(again.y, first.y)


@pytest.mark.parametrize("name", MADE)
def test_every_argument_runs_at_both_its_bounds_or_is_refused(name):
    for p in arguments(name):
        for value in (p.least, p.most):
            changes = {p.name: value + 1e-9 if p.open_least and value == p.least else value}
            try:
                data = Recipe(name=name).with_(**changes).load()
            except Refused:
                continue
            assert np.isfinite(data.X).all()


@pytest.mark.parametrize(("margin", "d", "seed"), [(0.3, 2, 0), (1.0, 2, 4), (0.5, 5, 1), (0.2, 1, 2)])
def test_blobs_have_exactly_the_margin_they_say(margin, d, seed):
    data = blobs.with_(margin=margin, d=d, seed=seed).load()
    direction = data.truth["direction"]
    distances = data.signs * (data.X @ direction + data.truth["offset"])
    assert np.linalg.norm(direction) == pytest.approx(1)
    assert distances.min() == pytest.approx(margin, rel=1e-12)
    best = SVC(kernel="linear", C=1e8, tol=1e-6).fit(data.X, data.y)
    assert 1 / np.linalg.norm(best.coef_) == pytest.approx(margin, rel=1e-3)


def test_blobs_without_a_margin_lie_about_their_means():
    data = blobs.with_(n=6000, k=3, d=3, spread=2.0).load()
    for code, mean in enumerate(data.truth["means"]):
        rows = data.X[data.y == code]
        assert rows.mean(axis=0) == pytest.approx(mean, abs=0.2)
        assert rows.std(axis=0) == pytest.approx(2.0, abs=0.15)
    apart = np.linalg.norm(data.truth["means"][0] - data.truth["means"][1])
    assert apart == pytest.approx(4 * 2.0)


def test_rings_and_moons_lie_about_their_curves():
    ring = rings.with_(n=4000, noise=0.05).load()
    for code, radius in enumerate(ring.truth["radii"]):
        assert np.linalg.norm(ring.X[ring.y == code], axis=1).mean() == pytest.approx(radius, abs=0.01)
    moon = moons.with_(n=4000, noise=0.1).load()
    arcs = moon.truth["without_noise"]
    assert (moon.X - arcs).std() == pytest.approx(0.1, abs=0.005)
    upper, lower = arcs[moon.y == 0], arcs[moon.y == 1]
    assert np.allclose(np.linalg.norm(upper, axis=1), 1)
    assert np.allclose(np.linalg.norm(lower - [1, 0.5], axis=1), 1)
    assert upper[:, 1].min() >= 0
    assert lower[:, 1].max() <= 0.5


def test_the_line_is_found_again_by_least_squares():
    data = line.with_(n=5000, slope=-3.0, intercept=0.5, noise=0.2).load()
    slope, intercept = np.polyfit(data.X[:, 0], data.y, 1)
    assert (slope, intercept) == (pytest.approx(-3.0, abs=0.02), pytest.approx(0.5, abs=0.02))


def test_the_sine_goes_up_and_down_as_often_as_it_says():
    data = sine.with_(n=5000, waves=3.0, noise=0.2).load()
    off = data.y - np.sin(3 * np.pi * data.X[:, 0])
    assert (off.mean(), off.std()) == (pytest.approx(0, abs=0.02), pytest.approx(0.2, abs=0.01))
    assert np.abs(data.X).max() <= 1


def test_a_mixture_has_its_weights_means_and_covariances():
    data = mixture.with_(n=50_000, d=3, k=4).load()
    truth = data.truth
    assert truth["weights"].sum() == pytest.approx(1)
    for code in range(4):
        rows = data.X[data.y == code]
        assert len(rows) / data.n == pytest.approx(truth["weights"][code], abs=0.01)
        assert rows.mean(axis=0) == pytest.approx(truth["means"][code], abs=0.06)
        assert np.cov(rows.T) == pytest.approx(truth["covariances"][code], abs=0.1)


def test_a_cloud_lies_flat_in_the_space_it_says():
    data = cloud.with_(n=5000, d=6, rank=2, noise=0.05).load()
    truth = data.truth
    found = PCA(n_components=6).fit(data.X)
    assert np.sqrt(found.explained_variance_[:2]) == pytest.approx(truth["deviations"], rel=0.05)
    assert np.sqrt(found.explained_variance_[2:]) == pytest.approx(0.05, rel=0.1)
    assert np.abs(found.components_[:2] @ truth["basis"].T) == pytest.approx(np.eye(2), abs=0.05)
    flat = cloud.with_(noise=0.0).load()
    assert np.linalg.matrix_rank(flat.X - flat.truth["mean"], tol=1e-9) == 2


def test_a_gaussian_has_the_mean_and_the_deviation_it_says():
    data = gaussian.with_(n=40_000, mean=-3.0, deviation=2.5).load()
    assert data.X.mean() == pytest.approx(-3.0, abs=0.05)
    assert data.X.std() == pytest.approx(2.5, abs=0.03)
    assert data.truth == {"mean": -3.0, "deviation": 2.5}
    assert data.y is None


def test_a_coin_falls_on_heads_as_often_as_it_says():
    data = coin.with_(n=40_000, p=0.3).load()
    assert data.y.mean() == pytest.approx(0.3, abs=0.01)
    assert data.truth == {"p": 0.3}
    assert data.classes == ("tails", "heads")
    assert data.X[:, 0].tolist() == list(range(data.n))
    apart = np.corrcoef(data.y[1:], data.y[:-1])[0, 1]
    assert abs(apart) < 0.02


def test_badges_are_counted_from_their_names_and_their_secret_is_the_second_letter():
    data = badges.load()
    path = Path(recipes.__file__).parent / "csv" / "badges.csv"
    people = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert len(people) == data.n == 36
    for person, row, sign in zip(people, data.X, data.y):
        vowels = [letter in "aeiou" for letter in person["name"].lower() if letter.isalpha()]
        assert row.tolist() == [len(vowels), sum(vowels), *vowels[:4]]
        assert (data.classes[sign] == "+") == vowels[1] == (person["badge"] == "+")


def test_the_class_of_exclusive_or_is_whether_the_signs_differ():
    data = xor.with_(n=400).load()
    assert (data.signs == -np.sign(data.X[:, 0] * data.X[:, 1])).mean() > 0.99
    corners = xor.with_(n=4, noise=0).load()
    assert sorted(zip(*corners.X.T.tolist(), corners.y.tolist())) == [(-1, -1, 0), (-1, 1, 1), (1, -1, 1), (1, 1, 0)]


@pytest.mark.parametrize("inside", [0.0, 0.25, 0.9])
def test_rows_lie_on_the_circle_that_is_known_or_well_within_it(inside):
    data = circle.with_(n=40, inside=inside, a=-4, b=7, radius=0.5).load()
    away = np.linalg.norm(data.X - data.truth["centre"], axis=1)
    on = np.ones(40, bool) if inside == 0 else data.y == 1
    assert away[on] == pytest.approx(0.5)
    assert (away[~on] <= 0.35 + 1e-12).all()
    assert (~on).sum() == inside * 40
    assert (data.kind == "none") == (inside == 0)


@pytest.mark.parametrize("terms", [1, 2])
def test_a_conjunction_is_true_where_its_features_are(terms):
    data = conjunction.with_(n=300, terms=terms).load()
    assert set(data.X.ravel().tolist()) == {0.0, 1.0}
    x1, x2, x3, x4, *_ = data.X.T.astype(bool)
    assert np.array_equal(data.y == 1, (x1 & x3) if terms == 1 else (x1 & x3) | (x2 & x4))
    assert data.classes == ("false", "true")


@pytest.mark.parametrize("height", [0.5, -1.0])
def test_through_three_points_a_perceptron_without_a_bias_goes_round_for_ever_and_with_one_it_ends(height):
    data = three_points.with_(height=height).load()
    assert data.X.tolist() == [[0.0, 1.0], [0.0, -1.0], [-1.0, height]]
    assert data.signs.tolist() == [1, 1, -1]
    run = Timeline(find("perceptron"), data, {"bias": False}).run()
    assert run.stopped.reason == "no clean pass among 100"
    later = [run.at(t).state.w.tolist() for t in range(3, 300)]
    assert all(w in later[:12] for w in later)  # the same few w, over and over
    assert Timeline(find("perceptron"), data).run().stopped.reason == "a whole pass without a mistake"


def test_the_grids_of_the_tilt_are_in_turn_and_the_far_cluster_comes_last_all_on_their_sides():
    data = tilt.with_(far=7, spread=0.0).load()
    assert data.n == 37
    assert data.y[:6].tolist() == [0, 1, 0, 1, 0, 1]
    assert np.abs(data.X[:30, 0]).min() == 0.5
    assert data.X[30:].tolist() == [[8.0, -8.0]] * 7
    assert (data.signs * data.X[:, 0]).min() == 0.5
    assert tilt.with_(far=0).load().n == 30


@pytest.mark.parametrize("k", [3, 5])
def test_classes_in_a_row_have_their_means_on_a_line_exactly_or_nearly(k):
    for off in (0, 1):
        data = collinear.with_(n=20 * k, k=k, off=off).load()
        means = np.stack([data.X[data.y == j].mean(axis=0) for j in range(k)])
        assert np.allclose(means[:, 0], means[:, 1], atol=1e-12) == (off == 0)
        assert np.allclose(means, data.truth["means"], atol=0.6)


def test_of_sparse_data_only_the_last_coefficients_are_not_zero_and_features_are_alike_as_said():
    data = sparse.with_(n=20_000, d=5, relevant=2, correlation=0.6, noise=0.3).load()
    w = data.truth["w"]
    assert w.tolist() == [0, 0, 0, 2, -1]
    assert np.corrcoef(data.X.T)[np.triu_indices(5, 1)] == pytest.approx(np.full(10, 0.6), abs=0.02)
    assert np.std(data.y - 1 - data.X @ w) == pytest.approx(0.3, abs=0.01)
    with pytest.raises(Refused, match="3 relevant features do not fit into 2"):
        sparse.with_(d=2).load()


def test_of_three_rows_y_stands_off_the_plane_of_the_columns_at_right_angles():
    data = three_rows.with_(off=0.5).load()
    columns = np.column_stack([np.ones(3), data.X])
    assert columns.T @ (data.y - data.truth["fitted"]) == pytest.approx([0, 0])
    assert np.linalg.lstsq(columns, data.y)[0] == pytest.approx([1, 1])


def test_dependent_features_are_fitted_exactly_by_many_weights():
    data = dependent.load()
    assert data.X[:, 2] == pytest.approx(2 * data.X[:, 0] + 3 * data.X[:, 1])
    for w, squares, absolute in (((3, 4, 0), 25, 7), ((1, 1, 1), 3, 3), ((0, -0.5, 1.5), 2.5, 2)):
        assert data.X @ w == pytest.approx(data.y)
        assert (np.square(w).sum(), np.abs(w).sum()) == (squares, absolute)
    shortest = np.linalg.pinv(data.X) @ data.y
    assert shortest == pytest.approx(np.array([3, 1, 9]) / 7)
    assert shortest @ shortest == pytest.approx(13 / 7)


def test_correlated_features_and_their_target_follow_the_truth():
    data = correlated.with_(n=20_000, correlation=0.8).load()
    assert np.corrcoef(data.X.T)[np.triu_indices(6, 1)] == pytest.approx(0.8, abs=0.02)
    assert np.std(data.y - data.X @ data.truth["w"]) == pytest.approx(1.0, abs=0.02)


def test_words_of_emails_are_there_as_often_as_the_truth_says_each_for_itself():
    data = emails.with_(n=20_000).load()
    for code in (0, 1):
        X = data.X[data.y == code]
        assert X.mean(axis=0) == pytest.approx(data.truth["chances"][code], abs=0.02)
        assert np.abs(np.corrcoef(X.T) - np.eye(8)).max() < 0.04
    assert data.y.mean() == pytest.approx(0.4, abs=0.02)


def test_cells_of_the_joint_table_are_those_of_the_lecture():
    data = joint.with_(n=20_000).load()
    cells = (data.X @ [4, 2, 1]).astype(int)
    for code in (0, 1):
        shares = np.bincount(cells[data.y == code], minlength=8) / (data.y == code).sum()
        assert shares == pytest.approx(data.truth["tables"][code], abs=0.015)
    assert data.X[data.y == 1].mean(axis=0) == pytest.approx([0.84, 0.35, 0.64], abs=0.015)


def test_which_emails_are_held_out_does_not_follow_their_labels():
    data = emails.with_(n=2000, hold_out=0.5).load()
    assert data.y.mean() == pytest.approx(data.held_out.y.mean(), abs=0.06)
