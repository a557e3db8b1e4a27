"""Curves, bands, intervals, cursors, votes and tables: what becomes of them on the plane, and what is kept."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset
from algorithms.core import (
    Array,
    Band,
    Bars,
    Contours,
    Cursor,
    DragHandles,
    Ellipse,
    ErrorBars,
    GhostTrail,
    Hyperplane,
    Panel,
    Path,
    Paths,
    Points,
    Region,
    columns,
    numbers,
)
from algorithms.core.grids import Grids, spread_levels
from algorithms.core.plane import features_plane, principal_plane
from algorithms.core.resolve import UNDER, Faded, History, Levels, Tint, View, placed_limits, resolve
from algorithms.core.scene import Mark
from algorithms.playback.pictures.limits import wanted_limits
from tests.tiny import TinyState

RNG = np.random.default_rng(0)
VIEW = View(-3.0, 3.0, -2.0, 2.0, 30, 20)
SQUARE = features_plane(Dataset([[0.0, 0.0], [1.0, 1.0]]))


def flat(mark: Mark, log: Any = "", view: View = VIEW, past: History | None = None) -> list[Any]:
    """A mark of a panel of its own space, resolved."""
    return list(resolve(Panel(title="p", marks=(mark,), log=log), SQUARE, view, past).marks)


def on_plane(mark: Mark, grids: Grids | None = None, view: View = VIEW, plane: Any = SQUARE) -> list[Any]:
    return list(resolve(Panel(title="p", marks=(mark,), space="data"), plane, view, None, grids).marks)


def test_each_of_many_curves_is_projected() -> None:
    data = Dataset(RNG.standard_normal((40, 5)))
    plane, at = principal_plane(data), RNG.standard_normal((3, 7, 5))
    (paths,) = on_plane(Paths(at=at, strength=np.array([0.1, 0.5, 1.0])), plane=plane)
    assert paths.at.shape == (3, 7, 2)
    assert np.allclose(paths.at[1], plane.project(at[1]))


def test_a_band_error_bars_and_a_cursor_stay_as_they_are_in_a_space_of_their_own() -> None:
    x = np.array([1.0, 2.0])
    (band,) = flat(Band(x=x, lower=x - 1, upper=x + 1))
    assert (band.x.tolist(), band.lower.tolist(), band.upper.tolist()) == ([1, 2], [0, 1], [2, 3])
    (bars,) = flat(ErrorBars(at=np.stack([x, x], axis=1), lower=x - 1, upper=x + 2))
    assert (bars.lower.tolist(), bars.upper.tolist()) == ([0, 1], [3, 4])
    assert flat(Cursor(x=1.5))[0].x == 1.5


@pytest.mark.parametrize(
    "mark", [Band(x=np.ones(1), lower=np.ones(1), upper=np.ones(1)), Cursor(x=1.0)], ids=["band", "cursor"]
)
def test_what_stands_over_an_axis_is_refused_where_the_axes_are_features(mark: Mark) -> None:
    with pytest.raises(ValueError, match="needs a panel of its own space"):
        on_plane(mark)


def test_on_logarithmic_axes_places_are_powers_and_what_has_no_logarithm_lies_below_all_views() -> None:
    at = np.array([[1.0, 100.0], [1e-3, 0.0], [-2.0, 10.0], [np.nan, 1.0]])
    (path,) = flat(Path(at=at), "xy")
    assert path.at[:2].tolist() == [[0.0, 2.0], [-3.0, UNDER]]
    assert path.at[2].tolist() == [UNDER, 1.0]
    assert np.isnan(path.at[3, 0])
    (path,) = flat(Path(at=at[:3]), "y")
    assert path.at.tolist() == [[1.0, 2.0], [1e-3, UNDER], [-2.0, 1.0]]
    assert flat(Cursor(x=0.01), "x")[0].x == -2.0
    (bars,) = flat(ErrorBars(at=np.array([[10.0, 1.0]]), lower=np.array([0.1]), upper=np.array([10.0])), "xy")
    assert (bars.at.tolist(), bars.lower.tolist(), bars.upper.tolist()) == ([[1.0, 0.0]], [-1.0], [1.0])


def test_what_has_no_logarithm_asks_for_no_room() -> None:
    at = np.array([[1.0, 10.0], [10.0, 0.0], [100.0, 1000.0]])
    wanted = wanted_limits(resolve(Panel(title="p", marks=(Path(at=at),), log="xy"), SQUARE, VIEW))
    assert -0.5 < wanted.left < 0 < 2 < wanted.right < 2.5
    assert 0.5 < wanted.bottom < 1
    assert 3 < wanted.top < 3.5


def test_limits_of_a_logarithmic_axis_are_powers_and_above_0() -> None:
    panel = Panel(title="p", marks=(Path(at=np.ones((2, 2))),), log="x", limits=((0.01, 10.0), (0.0, 5.0)))
    assert placed_limits(panel) == ((-2.0, 1.0), (0.0, 5.0))
    assert resolve(panel, SQUARE, VIEW).limits == ((-2.0, 1.0), (0.0, 5.0))
    with pytest.raises(ValueError, match="cannot show 0 or less"):
        placed_limits(Panel(title="p", marks=(), log="y", limits=((0.0, 1.0), (0.0, 5.0))))


def test_scores_lines_and_what_is_dragged_are_in_the_numbers_themselves_on_logarithmic_axes() -> None:
    view = View(-1.0, 1.0, 0.0, 2.0, 10, 8)
    (tint, _) = flat(Region(score=lambda at: at[:, 0] - 1.0), "xy", view)
    assert (tint.tones[:, :5] == 0).all()
    assert (tint.tones[:, 5:] == 1).all()
    (line,) = flat(Hyperplane(normal=np.array([0.0, 1.0]), offset=-10.0), "xy", view)
    assert isinstance(line, Levels)
    assert (line.height[:4] > 0).all()  # y > 10 in the upper half
    assert (line.height[4:] < 0).all()
    (outline,) = flat(Ellipse(mean=np.array([10.0, 10.0]), covariance=np.eye(2), deviations=(1.0,)), "xy", view)
    assert np.allclose(((10.0**outline.at - 10.0) ** 2).sum(axis=1), 1.0)
    (grips,) = flat(DragHandles(at=np.ones((1, 2)), moved=lambda s, i, to: to.tolist(), names=("a",)), "xy", view)
    assert grips.moved(None, 0, np.array([1.0, 2.0])) == [10.0, 100.0]
    (rows,) = flat(Points(at=np.ones((1, 2)), put=lambda place: (place, None)), "x", view)
    assert rows.put(np.array([2.0, 3.0]))[0].tolist() == [100.0, 3.0]


def test_bars_stand_on_0_and_so_not_on_a_logarithmic_axis() -> None:
    with pytest.raises(ValueError, match="which a logarithmic axis has not"):
        flat(Bars(heights=np.ones(1), names=("a",)), "y")


def test_an_echo_may_be_of_states_like_the_present_one_alone() -> None:
    states = [TinyState(t=i, x=np.array([x])) for i, x in enumerate((1.0, 2.0, -3.0, 4.0, -5.0))]
    trail = GhostTrail(
        mark=lambda state: Points(at=np.array([[state.x[0], 0.0]])),
        among=lambda past, now: bool(np.sign(past.x[0]) == np.sign(now.x[0])),
        last=2,
        name="of its sign",
    )
    echoes = flat(trail, past=History(recent=states[3::-1], now=states[4]))
    assert [echo.mark.at[0, 0] for echo in echoes] == [-3.0]
    assert all(isinstance(echo, Faded) and echo.name == "of its sign" for echo in echoes)
    echoes = flat(trail, past=History(recent=states[2::-1], now=states[3]))
    assert [echo.mark.at[0, 0] for echo in echoes] == [1.0, 2.0]


def test_mixed_shares_have_lines_where_another_becomes_the_greatest_and_a_single_share_has_its_rest() -> None:
    def shares(at: Array) -> Array:
        odds = np.exp(at @ np.array([[2.0, 0.0, -2.0], [0.0, 1.0, 0.0]]))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    tint, lines = on_plane(Region(score=shares, mixed=True))
    assert tint.shares.shape == (20, 30, 3)
    assert lines.winner
    assert np.array_equal(lines.height.argmax(axis=0), tint.tones)
    tint, lines = on_plane(Region(score=lambda at: (at[:, 0] > 0) * 0.8, mixed=True))
    assert np.allclose(tint.shares.sum(axis=2), 1.0)
    assert tint.shares[0, -1].tolist() == pytest.approx([0.2, 0.8])
    assert lines.winner
    assert len(on_plane(Region(score=shares, mixed=True, lines=()))) == 1


class Voter:
    """Part of a vote that counts how often it is asked."""

    def __init__(self, w: float):
        self.w, self.asked = w, 0

    def score(self, at: Array) -> Array:
        self.asked += 1
        return np.sign(at[:, 0] - self.w)


def vote(voters: list[Voter], **more: Any) -> Region:
    return Region(terms=tuple((voter, voter.score) for voter in voters), **more)


def test_of_a_vote_only_the_new_part_is_asked_as_long_as_the_view_stays() -> None:
    grids, voters = Grids(), [Voter(w) for w in (-1.0, 0.0, 0.7, 1.0)]
    for count in (1, 2, 3, 4, 3, 4):
        tint, lines = on_plane(vote(voters[:count]), grids)
        (_, alone) = on_plane(Region(score=lambda at: sum(v.score(at) for v in voters[:count])), None)  # noqa: B023
        assert np.array_equal(lines.height, alone.height)
    asked = [voter.asked for voter in voters]
    on_plane(vote(voters), grids)
    assert [voter.asked for voter in voters] == asked
    assert voters[0].asked == 1 + 6  # once for the vote, and each time alone
    on_plane(vote(voters), grids, View(-1.0, 1.0, -1.0, 1.0, 30, 20))
    assert [voter.asked for voter in voters] == [n + 1 for n in asked]


def test_of_a_vote_on_a_slice_the_rows_are_asked_once_too() -> None:
    X = RNG.standard_normal((50, 3))
    grids, voters = Grids(), [Voter(w) for w in (-0.5, 0.5)]
    plane = features_plane(Dataset(X), 0, 1)
    first = on_plane(vote(voters, check=X), grids, plane=plane)
    assert isinstance(first[0], Tint)
    on_plane(vote(voters, check=X.copy()), grids, plane=plane)
    assert [voter.asked for voter in voters] == [3, 3]  # the view, the rows, and the rows on the slice


def test_a_mixed_vote_is_the_mean_of_its_shares() -> None:
    def always(*shares: float) -> Callable[[Array], Array]:
        return lambda at: np.tile(shares, (len(at), 1))

    region = Region(terms=(("a", always(1.0, 0.0)), ("b", always(0.5, 0.5))), mixed=True)
    tint, _ = on_plane(region)
    assert tint.shares[0, 0].tolist() == [0.75, 0.25]


def test_a_vote_over_its_budget_drops_grids_and_stays_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("algorithms.core.grids._BYTES", 2 * 20 * 30 * 8)
    grids, voters = Grids(), [Voter(w) for w in np.linspace(-1, 1, 6)]
    for count in (1, 2, 3, 4, 5, 6, 2, 5):
        _, lines = on_plane(vote(voters[:count]), grids)
        (_, alone) = on_plane(vote([Voter(voter.w) for voter in voters[:count]]))
        assert np.array_equal(lines.height, alone.height)
    assert voters[5].asked == 1


def test_in_another_process_a_part_is_known_by_what_is_in_it() -> None:
    def through(part: Any) -> Any:
        return pickle.loads(pickle.dumps(Region(terms=((part, np.sum),)))).terms[0][0]

    assert through(np.arange(3)) == through(np.arange(3))
    assert through(np.arange(3)) != through(np.arange(4))
    assert through(lambda: 0) != through(lambda: 0)  # cannot be pickled, so never thought to be the same
    again = pickle.loads(pickle.dumps(Region(score=np.sum, lines=(1.0,))))
    assert (again.score, again.lines) == (np.sum, (1.0,))


def test_levels_spread_over_the_view_and_stay_while_it_does() -> None:
    grids = Grids()

    def bowl(scale: float) -> Contours:
        return Contours(height=lambda at: scale * (at**2).sum(axis=1))

    (first,) = on_plane(bowl(1.0), grids)
    assert len(first.levels) >= 6
    shares = [(first.height < level).mean() for level in first.levels]
    assert np.diff([0.0, *shares, 1.0]).max() < 0.25
    (second,) = on_plane(bowl(2.0), grids)
    assert second.levels == first.levels
    (finer,) = on_plane(bowl(2.0), grids, View(-3.0, 3.0, -2.0, 2.0, 60, 40))
    assert finer.levels == first.levels
    (elsewhere,) = on_plane(bowl(2.0), grids, View(-1.0, 1.0, -1.0, 1.0, 30, 20))
    assert elsewhere.levels != first.levels
    (given,) = on_plane(Contours(height=lambda at: at[:, 0], levels=(0.5,)), grids)
    assert given.levels == (0.5,)
    assert spread_levels(np.full((3, 3), 2.0)) == ()
    assert spread_levels(np.array([[np.nan, np.inf]])) == ()


def test_tables_are_given_by_name_or_by_column_and_nan_is_nothing() -> None:
    panel = numbers({"mistakes": np.int64(8), "‖w‖": np.float64(2.5), "bound": np.nan, "why": None, "word": "yes"})
    (table,) = panel.marks
    assert panel.title == "so far"
    assert table.columns == ("", "now")
    assert table.rows == (("mistakes", 8), ("‖w‖", 2.5), ("bound", None), ("why", None), ("word", "yes"))
    assert all(type(cell) in (str, int, float, type(None)) for row in table.rows for cell in row)
    panel = columns("weights", {"feature": ("a", "b"), "w": np.array([1.0, np.nan])}, marked=(1,), note="n")
    (table,) = panel.marks
    assert (table.rows, table.marked, panel.note) == ((("a", 1.0), ("b", None)), (1,), "n")
    with pytest.raises(ValueError, match="'w' 3"):
        columns("weights", {"feature": ("a", "b"), "w": np.ones(3)})
