"""Planes and resolving: what is in R^d comes out on the plane where it belongs, as arrays."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from algorithms import Dataset, Refused, datasets, find
from algorithms.core import (
    Array,
    Arrow,
    Bars,
    Contours,
    DragHandles,
    Ellipse,
    GhostTrail,
    Hyperplane,
    Labels,
    Panel,
    Path,
    Paths,
    Points,
    Region,
    Segments,
    Trail,
)
from algorithms.core.plane import Plane, features_plane, planes, principal_plane
from algorithms.core.resolve import Faded, History, Levels, Tint, View, resolve
from algorithms.core.scene import Mark
from tests.tiny import TinyState

RNG = np.random.default_rng(0)
VIEW = View(-3.0, 3.0, -2.0, 2.0, 30, 20)


def cloud(n: int = 60, d: int = 4) -> Dataset:
    return Dataset(RNG.standard_normal((n, d)) * np.arange(1, d + 1) + 5.0)


def flat(mark: Mark, plane: Plane, past: History | None = None, space: Any = "data") -> list[Any]:
    return list(resolve(Panel(title="p", marks=(mark,), space=space), plane, VIEW, past).marks)


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_a_lifted_place_projects_to_itself_on_every_plane(d: int) -> None:
    data = cloud(d=d)
    for plane in planes(data):
        at = RNG.standard_normal((7, 2))
        if d == 1:
            at[:, 1] = 0.0
        assert np.allclose(plane.project(plane.lift(at)), at)
        assert plane.whole == (d <= 2)
        gram = plane.basis @ plane.basis.T
        assert np.allclose(gram, np.eye(2) if d > 1 else np.diag([1.0, 0.0]))


def test_a_plane_of_two_features_shows_them_in_their_own_numbers() -> None:
    data = Dataset(RNG.standard_normal((9, 3)), features=("a", "b", "c"), centre=[1, 2, 3], spread=[4, 5, 6])
    plane = features_plane(data, 2, 0)
    assert plane.title == "a against c"
    assert np.array_equal(plane.project(data.X), data.X[:, [2, 0]])
    assert (plane.across.name, plane.across.offset, plane.across.unit) == ("c", 3.0, 6.0)
    with pytest.raises(Refused, match="two different features"):
        features_plane(data, 1, 1)


def test_the_principal_plane_holds_the_most_variance() -> None:
    data = cloud(200, 5)
    plane = principal_plane(data)
    held = plane.project(data.X).var(axis=0)
    values = np.linalg.eigvalsh(np.cov(data.X.T, bias=True))[::-1]
    assert np.allclose(held, values[:2])
    assert f"({values[0] / values.sum():.0%})" in plane.across.name


@pytest.mark.parametrize("n", [2, 3, 20])
def test_with_more_features_than_rows_the_principal_plane_is_the_same(n: int) -> None:
    data = cloud(n, 40)
    plane = principal_plane(data)
    assert np.allclose(plane.basis @ plane.basis.T, np.eye(2))
    values = np.linalg.eigvalsh(np.cov(data.X.T, bias=True))[::-1]
    assert np.allclose(plane.project(data.X).var(axis=0), values[:2])


def test_a_plane_of_a_hundred_thousand_features_is_found() -> None:
    assert principal_plane(cloud(6, 100_000)).basis.shape == (2, 100_000)


def test_points_labels_and_paths_are_projected() -> None:
    data = cloud()
    plane = principal_plane(data)
    (points,) = flat(Points(at=data.X), plane)
    assert np.allclose(points.at, plane.project(data.X))
    (labels,) = flat(Labels(at=data.X[:2], texts=("a", "b")), plane)
    assert labels.at.shape == (2, 2)
    (arrow,) = flat(Arrow(start=data.X[0], end=data.X[1]), plane)
    assert np.allclose(arrow.end, plane.project(data.X[1:2]))
    (segments,) = flat(Segments(start=data.X[:3], end=data.X[3:6]), plane)
    assert segments.start.shape == (3, 2)


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_a_line_is_where_the_hyperplane_cuts_the_plane(numbers: list[float]) -> None:
    data = Dataset([[0.0, 0.0], [1.0, 1.0]])
    plane = features_plane(data)
    *normal, offset = numbers
    marks = flat(Hyperplane(normal=np.array(normal), offset=offset), plane)
    for path in marks:
        assert np.allclose(path.at @ normal + offset, 0, atol=1e-6 * max(1.0, np.abs(path.at).max()))
    if np.hypot(*normal) > 1e-3:
        distance = abs(offset) / np.hypot(*normal)
        assert len(marks) == 1 or distance > VIEW.diameter * 0.999
    if not any(normal):
        assert marks == []


def test_a_parallel_hyperplane_is_not_drawn() -> None:
    data = cloud(d=3)
    assert flat(Hyperplane(normal=np.array([0.0, 0.0, 1.0]), offset=1.0), features_plane(data, 0, 1)) == []


def test_of_a_hyperplane_in_a_box_the_part_that_a_plane_cuts_is_shown_and_named() -> None:
    data = Dataset([[0.0, 0.0, 1.0], [4.0, 6.0, 3.0]])  # the third feature is held at 2
    low, high = np.array([-np.inf, 2.0, 1.5]), np.array([3.0, np.inf, np.inf])

    def shown(normal: list[float], offset: float, plane: Plane) -> list[Mark]:
        return flat(Hyperplane(normal=np.array(normal), offset=offset, box=(low, high), name="it"), plane)

    (line,) = shown([0.0, 1.0, 0.0], -4.0, features_plane(data, 0, 1))
    assert isinstance(line, Paths)
    assert line.name == "it"
    assert line.at[0, :, 1].tolist() == [4.0, 4.0]
    assert line.at[0, :, 0].max() == 3.0
    assert line.at[0, :, 0].min() < -1
    (slanting,) = shown([1.0, -1.0, 0.0], 0.0, features_plane(data, 0, 1))
    assert isinstance(slanting, Paths)
    assert np.sort(slanting.at[0], axis=0) == pytest.approx(np.array([[2.0, 2.0], [3.0, 3.0]]))
    low[2] = 2.5  # where the plane does not come
    assert shown([0.0, 1.0, 0.0], -4.0, features_plane(data, 0, 1)) == []
    assert len(shown([0.0, 1.0, 0.0], -4.0, features_plane(data, 2, 1))) == 1


def test_a_region_is_tinted_by_its_sign_and_has_a_line() -> None:
    data = Dataset([[0.0, 0.0], [1.0, 1.0]])
    tint, levels = flat(Region(score=lambda at: at[:, 0]), features_plane(data))
    assert isinstance(tint, Tint)
    assert isinstance(levels, Levels)
    assert tint.tones.shape == (20, 30)
    assert (tint.tones[:, :15] == 0).all()
    assert (tint.tones[:, 15:] == 1).all()
    assert tint.strength.max() == 1.0
    assert tint.strength[0, 14] < 0.1


def test_the_greatest_of_many_scores_wins_and_shares_mix() -> None:
    data = Dataset([[0.0, 0.0], [1.0, 1.0]])
    means = np.array([[-2.0, 0.0], [0.0, 0.0], [2.0, 0.0]])

    def closeness(at: Array) -> Array:
        return -np.square(at[:, None] - means).sum(axis=2)

    tint, levels = flat(Region(score=closeness), features_plane(data))
    assert tint.tones[10].tolist() == sorted(tint.tones[10].tolist())
    assert set(tint.tones.ravel().tolist()) == {0, 1, 2}
    assert levels.winner
    third = Region(score=lambda at: np.full((len(at), 3), 1 / 3), mixed=True, lines=())
    (mixed,) = flat(third, features_plane(data))
    assert mixed.shares.shape == (20, 30, 3)
    assert mixed.palette == (0, 1, 2)


def test_a_slice_that_lies_is_not_tinted_and_says_so() -> None:
    X = RNG.standard_normal((400, 3))
    panel = Panel(title="p", space="data", marks=(Region(score=lambda at: at[:, 2], check=X),), note="n")
    shown = resolve(panel, features_plane(Dataset(X), 0, 1), VIEW)
    assert shown.marks == ()
    assert "no tint" in shown.note
    honest = Panel(title="p", space="data", marks=(Region(score=lambda at: at[:, 0], check=X),))
    shown = resolve(honest, features_plane(Dataset(X), 0, 1), VIEW)
    assert shown.note == "other features at mean: the model's answer on 100% of rows"
    assert len(shown.marks) == 2


def test_a_gaussian_s_outline_is_that_of_its_projection() -> None:
    data = cloud(d=3)
    A = RNG.standard_normal((3, 3))
    covariance = A @ A.T
    plane = principal_plane(data)
    (path,) = flat(Ellipse(mean=data.X[0], covariance=covariance, deviations=(2.0,)), plane)
    away = path.at - plane.project(data.X[:1])
    on_plane = plane.basis @ covariance @ plane.basis.T
    assert np.allclose((away @ np.linalg.inv(on_plane) * away).sum(axis=1), 4.0)


def test_contours_are_heights_on_the_grid_top_row_first() -> None:
    data = Dataset([[0.0, 0.0], [1.0, 1.0]])
    (levels,) = flat(Contours(height=lambda at: at[:, 1], levels=(0.0, 1.0)), features_plane(data))
    assert levels.height.shape == (20, 30)
    assert levels.height[0, 0] == pytest.approx(1.9)
    assert levels.height[-1, 0] == pytest.approx(-1.9)


def states(*places: float) -> list[TinyState]:
    return [TinyState(t=i, x=np.array([x])) for i, x in enumerate(places)]


def test_a_trail_is_a_path_for_each_thing_and_an_echo_is_faint() -> None:
    plane = features_plane(Dataset([[0.0, 0.0], [1.0, 1.0]]))

    def where(state: TinyState) -> Array:
        return np.array([[state.x[0], 0.0], [0.0, state.x[0]]])

    trails = flat(Trail(where=where, tones=(0, 1)), plane, History(trail=states(1, 2, 3)))
    assert [t.tone for t in trails] == [0, 1]
    assert trails[0].at.tolist() == [[1, 0], [2, 0], [3, 0]]
    assert flat(Trail(where=where), plane, History(trail=states(1))) == []

    def mark(state: TinyState) -> Points | None:
        return Points(at=where(state)) if state.x[0] else None

    echoes = flat(GhostTrail(mark=mark, last=4), plane, History(recent=states(3, 2, 0, 1, 9, 9)))
    assert all(isinstance(e, Faded) for e in echoes)
    assert [e.age for e in echoes] == [1.0, 0.5, 0.25]  # the oldest first, at the back


def test_a_panel_of_its_own_stays_as_it_is() -> None:
    plane = principal_plane(cloud())
    bars = Bars(heights=np.ones(3), names=("a", "b", "c"))
    assert flat(bars, plane, space="own") == [bars]
    at = np.array([[1.0, 2.0]])
    (path,) = flat(Path(at=at), plane, space="own")
    assert np.array_equal(path.at, at)


def test_what_is_no_mark_is_refused() -> None:
    class Odd(Mark, frozen=True, kw_only=True):
        pass

    with pytest.raises(TypeError, match="Odd is not a mark"):
        flat(Odd(), principal_plane(cloud()))


def test_what_is_dragged_on_a_plane_keeps_what_the_plane_does_not_show() -> None:
    data = datasets.load("iris")
    state = next(find("lloyd")(data, k=3))
    at, plane, to = state.means, planes(data)[0], np.array([0.3, -0.4])
    grips = DragHandles(
        at=at, moved=lambda held, i, to: held.replaced(means=[*at[:i], to, *at[i + 1 :]]), names=("", "", "")
    )
    (shown,) = resolve(Panel(title="means", space="data", marks=(grips,)), plane, VIEW).marks
    assert isinstance(shown, DragHandles)
    assert np.allclose(shown.at, plane.project(at))
    moved = shown.moved(state, 1, to).means[1]
    assert np.allclose(plane.project(moved[None]), to)
    away = moved - at[1]
    assert np.allclose(away, plane.basis.T @ (plane.basis @ away))
    assert not np.allclose(moved, plane.lift(to[None])[0])


def test_in_a_space_of_its_own_what_is_dragged_goes_where_it_is_put() -> None:
    grips = DragHandles(at=np.zeros((1, 2)), moved=lambda held, i, to: (held, i, to.tolist()), names=("x",))
    data = datasets.load("iris")
    (shown,) = resolve(Panel(title="own", marks=(grips,)), planes(data)[0], VIEW).marks
    assert isinstance(shown, DragHandles)
    assert shown.moved("state", 0, np.array([0.5, 2.0])) == ("state", 0, [0.5, 2.0])
