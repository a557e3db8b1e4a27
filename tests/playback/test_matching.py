"""Clusters of several runs are matched by the rows they share, and marks wear the tones that follow."""

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Timeline, datasets, find
from algorithms.core import Array, Ellipse, Labels, Path, Points
from algorithms.core.regions import Tint
from algorithms.core.resolve import ResolvedPanel
from algorithms.playback.comparison.compared_run import viewers
from algorithms.playback.comparison.matching import Clusters, Matching, best_pairs, clusters_of, matched, matching
from algorithms.playback.comparison.toning import retoned
from algorithms.playback.pictures.viewer import Picture
from tui.paint.palette import DARK, LIGHT, glyph_of, unpack


def the_best(worth: Array) -> float:
    """Find the greatest total of an assignment by trying all of them."""
    a, b = worth.shape
    if a > b:
        return the_best(worth.T)
    return max(float(sum(worth[i, j] for i, j in enumerate(columns))) for columns in permutations(range(b), a))


@pytest.mark.parametrize("seed", range(40))
def test_pairs_are_worth_as_much_as_the_best_of_all_assignments(seed: int) -> None:
    random = np.random.default_rng(seed)
    a, b = random.integers(1, 7, size=2)
    worth = random.integers(0, 9, size=(a, b)) * (random.random((a, b)) < 0.7).astype(float)
    pairs = best_pairs(worth)
    assert sum(worth[i, j] for i, j in pairs) == the_best(worth)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert all(worth[i, j] > 0 for i, j in pairs)


def test_greedy_pairs_are_not_enough() -> None:
    assert best_pairs(np.array([[9.0, 8.0], [8.0, 0.0]])) == [(0, 1), (1, 0)]


def parts(*sizes_or_labels: int, data: Dataset | None = None) -> Clusters:
    labels = np.array(sizes_or_labels)
    data = data or Dataset(np.arange(len(labels), dtype=float)[:, None] * [1.0, 0.0])
    k = int(labels.max()) + 1
    return Clusters(data, labels, k, np.stack([data.X[labels == j].mean(axis=0) for j in range(k)]))


def test_the_same_clusters_in_another_order_wear_the_same_tones() -> None:
    first = parts(0, 0, 0, 1, 1, 2, 2, 2)
    assert matched([first, parts(2, 2, 2, 0, 0, 1, 1, 1, data=first.data)]) == [(0, 1, 2), (1, 2, 0)]


def test_a_pair_that_shares_less_than_half_of_the_smaller_is_none_and_its_tone_can_be_matched_later() -> None:
    first = parts(0, 0, 0, 0, 1, 1, 1, 1, 1, 1)
    odd = parts(0, 0, 0, 0, 2, 2, 2, 1, 1, 1, data=first.data)  # cluster 1 is cut into two: one of them is its partner
    tones = matched([first, odd, odd])
    assert tones[1] is not None
    assert tones[1][0] == 0
    assert set(tones[1][1:]) == {1, 2}
    assert tones[2] == tones[1]
    scattered = parts(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, data=first.data)
    for j, tone in enumerate(matched([first, scattered])[1] or ()):
        if tone < 2:
            members, partner = scattered.labels == j, first.labels == tone
            assert 2 * (members & partner).sum() >= min(members.sum(), partner.sum())


def test_eight_clusters_wear_tones_that_no_letter_of_a_run_has() -> None:
    first = parts(*np.repeat(range(6), 4))
    cut = first.labels.copy()
    cut[[0, 4]] = 6, 7
    own, others = matched([first, parts(*cut, data=first.data)])
    assert own is not None
    assert others is not None
    assert others[:6] == own
    tones = [*own, *others[6:]]
    assert len(set(tones)) == 8
    for palette in (DARK, LIGHT):
        letters = {palette.run(i) for i in range(4)}
        inks = {palette.tone(tone) for tone in tones}
        assert len(inks) == 8
        assert not inks & letters
        assert all(far_apart(a, b) > 15 for a, b in combinations(inks | letters, 2))
    assert len({glyph_of(tone) for tone in tones}) == 8
    assert not Matching((first,), (own,)).changed(0), "the first run has the colours that it has"


def far_apart(a: int, b: int) -> float:
    """Measure how far two colours are apart for the eye (CIE 1976)."""
    return float(np.linalg.norm(lab(a) - lab(b)))


def lab(colour: int) -> Array:
    shares = unpack(colour).astype(float) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    x, y, z = np.cbrt(xyz / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_other_rows_are_matched_by_the_distance_of_means() -> None:
    first = parts(0, 0, 1, 1)
    other = parts(1, 1, 1, 0, 0, data=Dataset(np.array([[0.1, 0], [0.2, 0], [0.6, 0], [2.4, 0], [2.9, 0]])))
    assert matched([first, other]) == [(0, 1), (1, 0)]
    elsewhere = Dataset(other.data.X, features=("u", "v"))
    assert matched([first, parts(1, 1, 1, 0, 0, data=elsewhere)]) == [(0, 1), (2, 3)]
    third = parts(1, 1, 0, 0, data=first.data)
    assert matched([first, parts(1, 1, 1, 0, 0, data=elsewhere), third])[2] == (1, 0), "of those on the same rows"


def iris_runs(*parameters: dict[str, Any], name: str = "lloyd") -> list[Timeline]:
    return [Timeline(find(name), datasets.iris.load(), {"k": 3} | given).run() for given in parameters]


def at_the_end(runs: list[Timeline]) -> Matching:
    return matching(runs, [run.at(run.last) for run in runs])


def test_bad_and_good_minima_of_k_means_on_iris_do_not_look_alike_and_equal_ones_do() -> None:
    rows = {"start": "rows"}
    runs = iris_runs(rows | {"seed": 7}, {"seed": 7}, rows | {"seed": 18}, rows | {"seed": 0})
    match = at_the_end(runs)
    assert match.tones[0] == (0, 1, 2)
    sets = [set(tones) for tones in match.tones if tones is not None]
    assert sets[0] == sets[2] == {0, 1, 2}
    assert sets[1] == sets[3] == {0, 1, 3}
    agree = [[match.agreeing(i, j) for j in range(4)] for i in range(4)]
    assert agree[0][1] == 90
    assert agree[0][2] == 141
    assert agree[1][3] == 149


def test_components_are_matched_with_clusters() -> None:
    runs = [*iris_runs({}), *iris_runs({"seed": 1}, name="gaussian_mixture")]
    match = at_the_end(runs)
    agree = match.agreeing(0, 1)
    assert agree is not None
    of_each = [clusters.labels for clusters in match.clusters if clusters is not None]
    counts = np.array([[((of_each[0] == i) & (of_each[1] == j)).sum() for j in range(3)] for i in range(3)])
    smaller = np.minimum(counts.sum(axis=1)[:, None], counts.sum(axis=0)[None, :])
    assert agree == the_best(np.where(2 * counts >= smaller, counts, 0)) > 75


def test_before_the_first_assignment_a_row_is_of_the_nearest_mean() -> None:
    run = Timeline(find("lloyd"), datasets.iris.load(), {"k": 3})
    run.advance(3)
    first, second = clusters_of(run, run.at(0)), clusters_of(run, run.at(1))
    assert first is not None
    assert second is not None
    assert run.at(0).state.get("labels").max() == -1
    assert np.array_equal(first.labels, second.labels)


def test_classes_that_are_told_are_no_clusters() -> None:
    run = Timeline(find("perceptron"), datasets.blobs.load())
    run.advance(1)
    assert clusters_of(run, run.at(0)) is None


def test_marks_wear_the_tones_and_classes_of_the_data_keep_theirs() -> None:
    data = Dataset(np.arange(8.0).reshape(4, 2), np.array(["b", "a", "b", "a"]))
    assert data.y is not None
    clusters = Clusters(data, np.array([0, 0, 1, 2]), 3, np.zeros((3, 2)))
    at = data.X
    marks = (
        Points(at=at, classes=clusters.labels),
        Points(at=at, classes=data.y),
        Points(at=at, shares=np.eye(3)[clusters.labels]),
        Labels(at=at[:3], texts=("0", "1", "2"), tones=(0, 1, 2)),
        Path(at=at, tone=2),
        Path(at=at, tone="muted"),
        Tint(tones=np.array([[0, 1], [2, -1]], np.int16), strength=np.ones((2, 2))),
        Tint(tones=np.zeros((1, 1), np.int16), strength=np.ones((1, 1)), shares=np.ones((1, 1, 3)), palette=(0, 1, 2)),
        Ellipse(mean=at[0], covariance=np.eye(2), tone=1),
    )
    run = Timeline(find("lloyd"), datasets.iris.load())
    panel = picture_of(run, 0).stage
    shown: ResolvedPanel = type(panel)("", marks, panel.across, panel.up, None, False, "", "data")
    dots, classes, shares, labels, path, role, tint, mixed, ellipse = retoned(shown, clusters, (1, 3, 0)).marks
    assert dots.classes.tolist() == [1, 1, 3, 0]  # type: ignore[attr-defined]
    assert classes.classes is data.y  # type: ignore[attr-defined]
    assert shares.shares.argmax(axis=1).tolist() == [1, 1, 3, 0]  # type: ignore[attr-defined]
    assert labels.tones == (1, 3, 0)  # type: ignore[attr-defined]
    assert (path.tone, role.tone, ellipse.tone) == (0, "muted", 3)  # type: ignore[attr-defined]
    assert tint.tones.tolist() == [[1, 3], [0, -1]]  # type: ignore[attr-defined]
    assert mixed.palette == (1, 3, 0)  # type: ignore[attr-defined]


def picture_of(run: Timeline, t: int) -> Picture:
    run.advance(t + 1)
    return viewers([run])[0].picture(run.at(t), 40, 12, stage_only=True)
