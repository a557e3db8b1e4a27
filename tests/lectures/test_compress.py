"""The numbers that the lectures state of compression, clusters, mixtures and estimation, computed."""

import math

import numpy as np
import pytest

from algorithms import Timeline, find
from algorithms.core import Table
from algorithms.data import circle, coin, davis, digits, faithful, four_points, gaussian, iris, rectangle, rings


def last_of(name, data, **parameters):
    """The problem and the last state of a run."""
    run = Timeline(find(name), data, parameters).run()
    return run.problem, run.at(run.last).state


def table(name, data, title, **parameters):
    """A table of the last step: rows by their first cell."""
    problem, last = last_of(name, data, **parameters)
    panels = find(name).scene(problem, None, last).panels
    marks = next(p.marks[0] for p in panels if title in p.title)
    assert isinstance(marks, Table)
    return {row[0]: row[1:] for row in marks.rows}


def curve(name, data, which, **parameters):
    run = Timeline(find(name), data, parameters).run()
    return run.curve(which)[1]


# Compression


def test_four_points_on_a_line_are_kept_by_six_numbers():
    data = four_points.load()
    assert data.X.tolist() == [[-7, -14], [2.5, 5], [0.5, 1], [0, 0]]
    kept = table("pca", data, "numbers to keep", centre=False)
    assert [row[0] for row in kept.values()][:2] == [8, 6]
    assert table("pca", data, "numbers to keep")["with the mean: + d"] == (8,)


def test_their_coordinates_along_the_unit_vector():
    data = four_points.load()
    along = table("pca", data, "coordinates", centre=False, seed=1)
    assert [round(along[str(i)][0], 3) for i in range(4)] == [-15.652, 5.590, 1.118, 0.0]
    w = table("pca", data, "directions w", centre=False, seed=1)
    assert [round(w[name][0], 3) for name in ("x1", "x2")] == [0.447, 0.894]
    assert (w["x1"][0], w["x2"][0]) == pytest.approx((1 / math.sqrt(5), 2 / math.sqrt(5)))


def test_a_fifth_point_off_the_line_needs_a_second_direction():
    kept = table("pca", four_points.with_(off=1.0).load(), "numbers to keep", centre=False)
    assert (kept["all rows: d n"], kept["2 components: k (d + n)"]) == ((10,), (14,))


def test_how_many_components_keep_95_of_100():
    """95%: 2 of 4 for iris, 28 of 64 for digits; one fewer is not enough."""
    for data, enough in ((iris.load(), 2), (digits.load(), 28)):
        shares = np.linalg.eigvalsh(np.cov(data.X.T, bias=True))[::-1]
        captured = shares.cumsum() / shares.sum()
        assert 100 * captured[enough - 1] >= 95 > 100 * captured[enough - 2]
        problem, last = last_of("pca", data, k=1, turns=2)
        titles = [panel.title for panel in find("pca").scene(problem, None, last).panels]
        assert f"shares of the variance: 95% takes {enough}" in titles
    assert (iris.load().d, digits.load().d) == (4, 64)


def test_sum_and_difference_of_height_and_weight():
    """Their correlation is 0 where both are scaled, and -0.229 as they are."""
    for scaled, correlation in ((True, 0.0), (False, -0.229)):
        X = davis.with_(columns=("height", "weight"), scale=scaled).load().X
        h, w = X.T
        assert round(float(np.corrcoef(h + w, h - w)[0, 1]), 3) + 0.0 == correlation
    entries = table("pca", davis.with_(columns=("height", "weight"), scale=True).load(), "directions w")
    assert [round(abs(value), 3) for row in entries.values() for value in row] == [0.707] * 4


def test_both_directions_of_the_rings_matter():
    shares = table("pca", rings.load(), "components")
    assert [round(float(row[1][:-1]) / 100, 2) for row in shares.values()] == [0.53, 0.47]


def test_gram_pca_counts_the_multiplications_of_30_digits():
    data = digits.with_(sample=30, sample_seed=1).load()
    assert (data.n, data.d) == (30, 64)
    costs = table("gram_pca", data, "multiplications", k=1, tol=0.1)
    assert costs["all eigenvectors"] == (27_000, 262_144)
    assert costs["to make it"][0] == 57_600


def test_the_circle_is_a_plane_of_its_quadratic_features():
    data = circle.with_(inside=0.0).load()
    assert (data.truth["centre"], data.truth["radius"]) == ((1.0, 2.0), 3.0)
    (a, b), c = data.truth["centre"], data.truth["radius"]
    x, y = data.X.T
    phi = np.column_stack([np.ones(data.n), x**2, y**2, x * y, x, y])
    u = np.array([a**2 + b**2 - c**2, 1, 1, 0, -2 * a, -2 * b])
    assert u.tolist() == [-4, 1, 1, 0, -2, -4]
    assert np.abs(phi @ u).max() < 1e-12
    assert (np.linalg.matrix_rank(phi), phi.shape[1]) == (5, 6)


def test_a_power_that_is_not_whole_makes_no_kernel():
    """(x·z + 1)^1.5 of 0, 1, 2, 3 has the eigenvalue -.0020; squared it has none below 0."""
    x = np.arange(4.0)
    assert round(float(np.linalg.eigvalsh((np.outer(x, x) + 1) ** 1.5)[0]), 4) == -0.0020
    assert np.linalg.eigvalsh((np.outer(x, x) + 1) ** 2)[0] > -1e-12


# Clusters


def test_the_labellings_that_there_are():
    """3⁵ = 243 of five rows, 3⁹ = 19,683 of nine."""
    problem, last = last_of("exhaustive_clustering", rectangle.load(), k=2, rows=4)
    assert last.t == 2**4 == 16
    assert (3**5, 3**9) == (243, 19_683)


def test_k_means_cuts_the_rings_across():
    data = rings.load()
    _, last = last_of("lloyd", data, k=2)
    right = float((last.labels == data.y).mean())
    assert round(max(right, 1 - right), 2) == 0.57
    assert round(curve("kernel_k_means", data, "outside their class", kernel="linear", seed=0)[-1], 2) == 0.43


def test_other_cuts_part_the_rings():
    data = rings.with_(n=120, inner=0.5).load()
    for name in ("kernel_k_means", "spectral_clustering"):
        assert curve(name, data, "outside their class")[-1] == 0
    assert data.n == 120


def test_the_numbers_of_a_mixture_in_one_dimension():
    rows = table("choose_k", faithful.with_(columns=("waiting",)).load(), "numbers of clusters", model="full", most=3)
    assert [row[0] for row in rows.values()] == [2, 5, 8]


def test_one_mean_a_row_leaves_nothing():
    rows = table("choose_k", rectangle.load(), "numbers of clusters", most=4)
    assert [row[1] for row in rows.values()] == [17, 1, 0.5, 0]


# Estimation


def test_the_share_of_ones():
    _, last = last_of("beta_bernoulli", coin.with_(faces="10011011111").load())
    assert (last.heads, last.heads + last.tails) == (8, 11)
    assert round(8 / 11, 3) == 0.727
    assert last_of("beta_bernoulli", coin.with_(faces="1011").load())[1].heads / 4 == 0.75


def test_no_chance_of_heads_is_impossible_but_0_and_1():
    """With 8 ones of 11 the likelihood is 0 at both ends, and above 0 at .0001."""
    likelihood = lambda p: p**8 * (1 - p) ** 3  # noqa: E731
    assert likelihood(0.0) == likelihood(1.0) == 0
    assert likelihood(0.0001) > 0


@pytest.mark.parametrize(
    ("faces", "alpha", "mean"),
    [("110000000", 8, 0.526), ("11111110", 8, 0.833), ("110000000", 2, 0.308), ("11111110", 2, 0.750)],
)
def test_the_posterior_mean_under_two_priors(faces, alpha, mean):
    data = coin.with_(faces=faces).load()
    assert round(curve("beta_bernoulli", data, "posterior mean", alpha=alpha, beta=2)[-1], 3) == mean


def test_the_posterior_mode():
    """3/11 after 2 ones of 9, 8/10 after 7 of 8, under Beta(2, 2)."""
    for faces, mode in (("110000000", 3 / 11), ("11111110", 8 / 10)):
        data = coin.with_(faces=faces).load()
        assert curve("beta_bernoulli", data, "posterior mode", alpha=2, beta=2)[-1] == pytest.approx(mode)


def test_the_mean_of_25_guesses_has_a_variance_of_a_25th():
    means = [gaussian.with_(n=25, seed=seed).load().X.mean() for seed in range(400)]
    assert 1 / 25 == 0.04
    assert np.mean((np.array(means) - 2.0) ** 2) == pytest.approx(0.04, abs=3 * 0.04 * math.sqrt(2 / 400))


def test_a_spike_that_a_start_finds_gains_half_of_ln_100_at_a_hundredth_of_the_floor():
    few = faithful.with_(columns=("waiting",), sample=20)
    levels = []
    for floor in (1e-3, 1e-5, 1e-7):
        problem, last = last_of("gaussian_mixture", few, k=3, seed=2, floor=floor)
        levels.append(problem.data.n * last.log_likelihood)
        spike = int(last.covariances.argmin())
        assert problem.data.n * last.weights[spike] == pytest.approx(1, abs=0.005), "one row"
    assert levels == pytest.approx([-68.73, -66.43, -64.12], abs=0.005)
    assert np.diff(levels) == pytest.approx(0.5 * math.log(100), abs=0.005)
