"""Figures for a paper: axes in the units of the data, curves by their names, every kind of mark."""

import pickle
from typing import Any

import numpy as np
import pytest

from algorithms import Refused, Timeline, datasets
from algorithms.core.plane import Axis
from algorithms.core.resolve import Faded, Levels, ResolvedPanel, Tint
from algorithms.core.scene import (
    Arrow,
    Band,
    Bars,
    Cursor,
    ErrorBars,
    Labels,
    Mark,
    Matrix,
    Path,
    Paths,
    Points,
    Segments,
    Table,
    Tree,
    Units,
)
from algorithms.playback.pictures.limits import Limits
from algorithms.timeline import series

pytest.importorskip("matplotlib")

from tui.export.paper import Drawing, _Sheet  # noqa: E402


def test_curves_that_share_a_chart_share_axes_and_have_their_numbers() -> None:
    run = Timeline("perceptron").run()
    figure = run.figure()
    assert [axes.get_ylabel() for axes in figure.axes] == ["mistakes", "error", "length of w", "margin"]
    assert {axes.get_xlabel() for axes in figure.axes} == {"step"}
    (line,) = figure.axes[0].lines
    t, values = run.curve("mistakes")
    np.testing.assert_array_equal(line.get_xdata(), t)
    np.testing.assert_array_equal(line.get_ydata(), values)
    labels = [line.get_label() for line in figure.axes[2].lines]
    assert [label.split(":")[0] for label in labels] == ["lower bound", "‖w‖", "upper bound"]
    with pytest.raises(Refused, match="mistake"):
        run.figure("mistake")


def test_unthinned_curves_are_drawn_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "MOST", 40)
    run = Timeline("gradient_descent", None, {"eta": 1e-5, "steps": 900})
    run.advance(100)
    (line,) = run.figure("objective", unthinned=True).axes[0].lines
    assert len(line.get_xdata()) == 100 > len(run.figure("objective").axes[0].lines[0].get_xdata())


def test_a_curve_along_a_variable_of_its_own_is_drawn_along_it() -> None:
    run = Timeline("ridge").run()
    (axes,) = run.figure("‖w‖").axes
    (line,) = axes.lines
    known = set(run.curve("λ")[1].tolist())
    assert axes.get_xlabel() == "λ"
    assert set(line.get_xdata().tolist()) <= known
    assert len(line.get_xdata()) > 1


def test_a_step_has_a_panel_each_in_the_units_of_its_data() -> None:
    data = datasets.load("faithful", scale=True)
    assert abs(data.X[:, 1].mean()) < 1e-9
    run = Timeline("lloyd", data, {"k": 2}).run()
    figure = run[3].figure()
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("eruptions", "waiting")
    assert axes.get_ylim()[0] > 30, "minutes, and not deviations"
    assert figure._suptitle.get_text() == "k-means, Lloyd's algorithm, step 3"
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert len(Timeline("decision_tree").run()[12].figure().axes) > 2


def test_a_frame_that_left_its_run_cannot_be_drawn() -> None:
    frame = pickle.loads(pickle.dumps(Timeline("lloyd").run()[2]))
    with pytest.raises(Refused, match="has left its run"):
        frame.figure()


HEIGHT = np.linspace(-1, 1, 20)[None, :] + np.zeros((10, 1))
TWO = np.array([[0.2, 0.3], [0.7, 0.8]])
MARKS: list[Mark] = [
    Points(at=TWO, classes=np.array([0, 1]), ringed=np.array([True, False]), crossed=np.array([False, True])),
    Points(at=TWO, shares=np.array([[0.2, 0.8], [0.9, 0.1]]), weights=np.array([0.1, 1.0]), names=("a", "b")),
    Points(at=TWO, faded=np.array([True, True]), haloed=np.array([True, False]), names=("all",)),
    Labels(at=TWO, texts=("$m$", "_hidden"), tones=(0, 1)),
    Tint(tones=np.zeros((10, 20), np.int16), strength=np.abs(HEIGHT).astype(np.float32)),
    Levels(height=HEIGHT, levels=(-0.5, 0.0, 7.0), name="levels"),
    Levels(height=np.stack([HEIGHT, -HEIGHT]), winner=True),
    Path(at=TWO, name="path"),
    Paths(at=np.stack([TWO, TWO + 0.1]), strength=np.array([0.1, 1.0]), name="paths"),
    Band(x=TWO[:, 0], lower=TWO[:, 1] - 0.1, upper=TWO[:, 1], name="band"),
    ErrorBars(at=TWO, lower=TWO[:, 1] - 0.1, upper=TWO[:, 1] + 0.1, name="bars"),
    Cursor(x=0.4, name="here"),
    Segments(start=TWO, end=TWO + 0.1, values=np.array([-1.0, 0.5]), name="weights"),
    Units(at=TWO, values=np.array([-1.0, 1.0]), texts=("x", "y"), marked=np.array([True, False])),
    Arrow(start=TWO[0], end=TWO[1], name="w"),
    Bars(heights=np.array([1.0, -2.0]), names=("one", "two")),
    Bars(heights=np.array([1.0, 2.0]), edges=np.array([0.0, 0.5, 1.0])),
    Matrix(values=np.array([[1.0, np.nan], [np.inf, 0.0]]), marked=((0, 1),), shape=(3, 3)),
    Tree(parents=np.array([-1, 0, 0, 1]), texts=("root", "left", "right", "leaf"), marked=(1,)),
    Faded(mark=Path(at=TWO), age=0.5),
]


def drawn(mark: Mark, log: str = "") -> Any:
    """The axes with a mark, as a picture is made of them."""
    figure = Drawing()
    panel = ResolvedPanel("$5", (mark,), Axis("x_1", 10.0, 2.0), Axis("y"), None, False, "", "own", log)
    axes = figure.add_subplot()
    _Sheet(axes, panel, Limits(0.0, 1.0, 0.0, 1.0)).draw()
    figure._repr_png_()
    return axes


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: type(mark).__name__)
def test_every_kind_of_mark_leaves_something(mark: Mark) -> None:
    axes = drawn(mark)
    left = (*axes.lines, *axes.collections, *axes.images, *axes.patches, *axes.texts)
    assert left
    assert axes.get_title() == r"\$5", "no mathematics of matplotlib's own"


def test_every_kind_of_mark_is_tried() -> None:
    from tui.export.paper import draw

    assert {type(mark) for mark in MARKS} == set(draw.registry) - {object}
    with pytest.raises(TypeError, match="Mark is not a mark that can be drawn"):
        drawn(Mark())
    assert not drawn(Table(columns=("a",), rows=((1,),))).texts


def test_places_are_in_the_units_of_the_axes() -> None:
    axes = drawn(Path(at=np.array([[0.0, 0.0], [0.5, 1.0]])))
    np.testing.assert_allclose(axes.lines[0].get_xydata(), [[10, 0], [11, 1]])
    assert axes.get_xlim() == (10.0, 12.0)
    axes = drawn(Path(at=np.array([[0.0, 0.0], [0.5, 1.0]])), log="y")
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [1, 10])
    assert axes.get_yscale() == "log"
