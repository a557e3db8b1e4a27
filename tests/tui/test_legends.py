"""Legends name what is seen, in the colours that it has; bands, borders and layers are drawn as one thing each."""

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms.core import (
    Band,
    Bars,
    Contours,
    Ellipse,
    Hyperplane,
    Matrix,
    Panel,
    Path,
    Paths,
    Points,
    Region,
    Segments,
    Trail,
    Units,
)
from algorithms.core.plane import Axis, planes
from algorithms.core.regions import Tint
from algorithms.core.resolve import Faded, History, ResolvedPanel, View, resolve
from algorithms.core.scene import Mark
from algorithms.data import faithful
from algorithms.playback.pictures.limits import Limits
from tests.tiny import TinyState
from tui.paint.canvas import Canvas
from tui.paint.legend import legend_of
from tui.paint.marks import paint, paint_all
from tui.paint.palette import DARK, untinted
from tui.paint.plot import Plot
from tui.sections.panels.plots import corner_of, entries_of, legend_rows, paint_legend, words_of

DATA = faithful.with_(scale=True).load()


def plot(columns: int = 20, rows: int = 10, limits: Limits | None = None) -> Plot:
    return Plot(Canvas(columns, rows, DARK.panel, DARK.ink), limits or Limits(0, 20, 0, 10), DARK)


def lines_of(canvas: Canvas) -> list[str]:
    return ["".join(map(chr, row)) for row in canvas.cells()[0]]


# Bands, borders and layers


@pytest.mark.parametrize("rows", [9, 10, 12, 15])
def test_a_thin_band_lies_in_the_row_of_the_line_and_the_points_in_its_middle(rows: int) -> None:
    p = plot(30, rows, Limits(0, 10, -1.5, 1.5))
    band = Band(x=np.array([0.0, 10.0]), lower=np.full(2, -0.02), upper=np.full(2, 0.02))
    zero = Path(at=np.array([[0.0, 0.0], [10.0, 0.0]]), tone="muted")
    points = Points(at=np.array([[2.0, 0.0], [7.0, 0.0]]), tone=1)
    paint_all((band, zero, points), p)
    shaded = np.unique(np.nonzero(p.canvas.ground != DARK.panel)[0]).tolist()
    lines = np.unique(np.nonzero(p.canvas.dots)[0]).tolist()
    marks = np.unique(np.nonzero((p.canvas.glyphs != ord(" ")) & (p.canvas.dots == 0))[0]).tolist()
    assert shaded == lines == marks
    assert len(shaded) == 1
    assert not (p.canvas.glyphs == ord("▀")).any()


def dotted_columns(border: float, split: float) -> int:
    """How many columns of dots a border and a split have, which are upright."""
    region = Region(score=lambda at: np.where(at[:, 0] > border, 1.0, -1.0))
    line = Segments(start=np.array([[split, -50.0]]), end=np.array([[split, 50.0]]), tone="accent")
    p, panel = plot(40, 10, Limits(0, 10, 0, 10)), Panel(title="p", marks=(region, line))
    paint_all(resolve(panel, planes(DATA)[0], View(0, 10, 0, 10, 40, 20)).marks, p)
    left, right = p.canvas.dots & 0x47, p.canvas.dots & 0xB8
    return int((left > 0).any(axis=0).sum() + (right > 0).any(axis=0).sum())


def test_a_split_drawn_along_a_border_takes_its_place() -> None:
    for x in np.linspace(2.9, 3.6, 29):
        assert dotted_columns(x, x) == 1
    assert dotted_columns(3.0, 6.0) == 2


def test_a_layer_with_more_units_than_rows_stands_in_columns_of_its_own() -> None:
    p = plot(40, 7, Limits(0, 1, 0, 1))
    eight = np.column_stack([np.full(8, 0.5), np.linspace(0.99, 0.01, 8)])
    paint(Units(at=eight, values=np.zeros(8), texts=tuple(f"u{i}" for i in range(8))), p)
    text = lines_of(p.canvas)
    first = {i: next(line.index(f"u{i}") for line in text if f"u{i}" in line) for i in range(8)}
    assert len({first[i] for i in range(0, 8, 2)}) == len({first[i] for i in range(1, 8, 2)}) == 1
    assert first[1] - first[0] == len(" u0 ")
    four = eight[::2]
    paint(Units(at=four, values=np.zeros(4), texts=("a", "b", "c", "d")), q := plot(40, 7, Limits(0, 1, 0, 1)))
    assert len({line.index(letter) for letter in "abcd" for line in lines_of(q.canvas) if letter in line}) == 1


# Words


def test_lines_bars_and_colours_have_their_meaning_in_the_legend() -> None:
    x = np.array([0.0, 1.0])
    marks: tuple[Mark, ...] = (
        Paths(at=np.eye(2) * np.ones((2, 2, 2)), strength=np.array([0.2, 0.4]), name="each fold"),
        Paths(at=np.eye(2) * np.ones((2, 2, 2)), tones=(0, 2), name="paths of the means"),
        Segments(start=np.zeros((1, 2)), end=np.ones((1, 2)), name="residuals"),
        Bars(heights=x, meanings=(("wrong", "wrong"), ("muted", "right"))),
        Matrix(values=np.array([[2.0, -1.0]]), signed=True),
    )
    assert legend_of(marks, None, ()) == [
        ("█", 1, "2"),
        ("□", "muted", "0"),
        ("█", 0, "-2"),
        ("━", "muted", "each fold"),  # as faint as it is drawn
        ("━━", (0, 2), "paths of the means"),  # in the colours that they have
        ("━", "muted", "residuals"),
        ("■", "wrong", "wrong"),
        ("■", "muted", "right"),
    ]
    past: Mark = Faded(mark=Path(at=np.zeros((2, 2))), age=1.0, name="earlier")
    assert legend_of((past,), None, ()) == [("╌", "muted", "earlier")]


def test_what_was_is_in_the_legend_only_where_some_of_it_is_seen() -> None:
    here, out = (Faded(mark=Path(at=np.array([[1.0, y], [9.0, y]])), age=1.0, name="earlier") for y in (5.0, 50.0))
    for mark, seen in ((here, True), (out, False)):
        paint_all((mark,), p := plot(20, 10, Limits(0, 10, 0, 10)))
        assert p.past_seen == seen
        panel = resolve(Panel(title="p", marks=()), planes(faithful.load())[0], View(0, 10, 0, 10, 20, 10))
        named = entries_of(replace(panel, marks=(mark,)), faithful.load(), p)
        assert named == ([("╌", "muted", "earlier")] if seen else [])


@pytest.mark.parametrize(
    ("at", "ringed", "said"),
    [
        ([[1.0, 5.0], [9.0, 5.0]], None, []),
        ([[1.0, 5.0], [1.0, 5.0]], None, ["● several rows"]),
        ([[1.0, 5.0], [9.0, 5.0]], [True, False], ["⟨⟩ this step"]),
        ([[float(i), 5.0] for i in range(6)], [True] * 6, ["● this step"]),
        ([[4.75, 5.0], [5.25, 5.0], [5.75, 5.0]], [False, True, False], ["● this step"]),  # no bracket has room
        ([[1.0, 5.0], [1.0, 5.0], [9.0, 5.0]], [False, False, True], ["● several rows", "⟨⟩ this step"]),
    ],
)
def test_how_points_are_painted_is_named_when_and_only_when_they_are(at, ringed, said) -> None:
    points = Points(at=np.array(at), ringed=None if ringed is None else np.array(ringed))
    assert signs_of((points,)) == said


def test_that_a_tint_is_fainter_nearer_a_tie_is_named_where_it_has_shades() -> None:
    for strength, said in ((np.linspace(0.0, 1.0, 40).reshape(2, 20), True), (np.ones((2, 20)), False)):
        tint = Tint(tones=np.zeros((2, 20), np.int16), strength=strength.astype(np.float32))
        assert signs_of((tint,)) == (["▒ fainter: nearer a tie"] if said else [])


def signs_of(marks: tuple[Mark, ...], columns: int = 60) -> list[str]:
    """What the legend of a panel says of how its marks are painted; it has nothing else to say."""
    panel = replace(resolve(Panel(title="p", marks=()), planes(DATA)[0], View(0, 10, 0, 10, 20, 10)), marks=marks)
    paint_all(marks, p := plot(20, 10, Limits(0, 10, 0, 10)))
    canvas = Canvas(columns, 3, DARK.panel, DARK.ink)
    paint_legend(canvas, panel, DARK, DATA, p)
    line = " ".join(lines_of(canvas)[-1].split())
    words = ("● several rows", "⟨⟩ this step", "● this step", "▒ fainter: nearer a tie")
    found = sorted((line.index(text), text) for text in words if text in line)
    return [text for _, text in found]


def test_how_things_are_painted_takes_no_room_from_a_name() -> None:
    points = Points(at=np.array([[1.0, 5.0], [1.0, 5.0]]), names=("a name that is rather long",), tone=0)
    assert signs_of((points,), 60) == ["● several rows"]
    assert signs_of((points,), 40) == []


@pytest.mark.parametrize("columns", [24, 30, 50])
def test_what_a_step_is_about_is_the_last_thing_that_a_full_legend_leaves_out(columns: int) -> None:
    at, ringed = np.array([[1.0, 5.0], [9.0, 5.0]]), np.array([True, False])
    points = Points(at=at, ringed=ringed, classes=np.array([0, 1]), names=("a rather long name", "one more long name"))
    assert signs_of((points,), columns) == ["⟨⟩ this step"]


def test_of_a_legend_without_room_for_all_what_was_goes_first_and_no_other_name_is_cut_for_it() -> None:
    line = np.array([[1.0, 5.0], [9.0, 5.0]])
    names = ("prior", "likelihood", "posterior, with its mean")
    past = Faded(mark=Path(at=line - [0.0, 3.0]), age=1.0, name="before")
    marks: tuple[Mark, ...] = (past, *(Paths(at=line[None], name=name) for name in names))
    panel = replace(resolve(Panel(title="p", marks=()), planes(DATA)[0], View(0, 10, 0, 10, 20, 10)), marks=marks)
    paint_all(marks, p := plot(20, 10, Limits(0, 10, 0, 10)))
    for columns, shown in ((43, ["prior", "likelihood", "posterior"]), (80, ["before", *names])):
        canvas = Canvas(columns, 3, DARK.panel, DARK.ink)
        paint_legend(canvas, panel, DARK, DATA, p)
        assert [name.strip() for name in lines_of(canvas)[-1].replace("╌", "━").split("━")[1:]] == shown


def test_names_of_regions_lines_and_trails_come_to_the_legend() -> None:
    states = [TinyState(t=i, x=np.array([float(i)])) for i in range(3)]
    marks = (
        Region(score=lambda at: at[:, 0], name="the border"),
        Contours(height=lambda at: at[:, 1], levels=(0.2,), name="levels"),
        Hyperplane(normal=np.array([1.0, 1.0]), offset=0.0, name="the line"),
        Ellipse(mean=np.zeros(2), covariance=np.eye(2), name="a deviation"),
        Trail(where=lambda state: np.array([[state.x[0], 0.0]]), name="the path"),
    )
    past = History(trail=states, now=states[-1])
    flat = resolve(Panel(title="p", marks=marks), planes(DATA)[0], View(-1, 1, -1, 1), past)
    assert [name for _, _, name in legend_of(flat.marks, None, ())] == [
        "the border", "levels", "the line", "a deviation", "the path",
    ]  # fmt: skip


def test_a_trail_without_length_is_not_named_but_has_its_room_in_the_legend() -> None:
    def shown(*places: tuple[float, float]) -> ResolvedPanel:
        """Two things of which the first was at places and the second stays."""
        states = [TinyState(t=i, x=np.array(place)) for i, place in enumerate(places)]
        trail = Trail(where=lambda state: np.array([state.x, [5.0, 5.0]]), name="paths of the means")
        segments = Segments(start=np.zeros((1, 2)), end=np.ones((1, 2)), name="residuals of rows")
        past = History(trail=states, now=states[-1])
        return resolve(Panel(title="p", marks=(trail, segments)), planes(DATA)[0], View(0, 9, 0, 9), past)

    still, moved = shown((1.0, 1.0), (1.0, 1.0)), shown((1.0, 1.0), (1.0, 1.0), (2.0, 1.0))
    assert [name for _, _, name in entries_of(still, DATA)] == ["residuals of rows"]
    assert [name for _, _, name in entries_of(moved, DATA)] == ["paths of the means", "residuals of rows"]
    assert legend_rows(still, DATA, 30, 20) == legend_rows(moved, DATA, 30, 20) == 2  # so that nothing jumps


def test_where_nothing_is_tinted_no_words_promise_it() -> None:
    tint = Tint(tones=np.zeros((2, 2), np.int16), strength=np.ones((2, 2), np.float32))
    axis = Axis("x")
    for title, note, shown, said in (
        ("P(class | x), colours mixed", "large: so far", "P(class | x)", "no tint here: 256 colours, large: so far"),
        ("claims; striped: several; untinted: none", "", "claims", "no tint here: 256 colours"),
        ("½‖x‖²", "tinted: allowed", "½‖x‖²", "no tint here: 256 colours"),
        ("votes, colours mixed", "", "votes", "no tint here: 256 colours"),
    ):
        flat = ResolvedPanel(title, (tint,), axis, axis, limits=None, equal=False, note=note, space="own")
        assert words_of(flat, DARK) == (title, note)
        assert words_of(flat, untinted(DARK)) == (shown, said)
        assert words_of(replace(flat, marks=()), untinted(DARK)) == (title, note)
        slice_says = "other features at mean: the model's answer on 66% of rows, no tint"  # nor is there any then
        assert words_of(replace(flat, marks=(), note=slice_says), DARK) == (shown, slice_says)


def test_that_a_panel_is_a_slice_is_said_in_fewer_words_before_the_plane_goes() -> None:
    note = "other features at mean: the model's answer on 65% of rows"
    plane = ["v: plane 1 of 8"]
    for room, said in ((76, f"{plane[0]}, {note}"), (60, f"{plane[0]}, slice: 65% agree"), (23, "slice: 65% agree")):
        assert corner_of(plane, note, room) == said
    assert corner_of(plane, f"{note}, no tint", 52) == "v: plane 1 of 8, slice: 65% agree, no tint"
    assert corner_of(plane, f"{note}, no tint", 17) == "slice: no tint"
    assert corner_of(plane, note, 9) == "a slice"
    assert corner_of(plane, note, 4) == ""
    assert corner_of(["zoomed, w: whole", *plane], "bright: found", 40) == "zoomed, w: whole, v: plane 1 of 8"
