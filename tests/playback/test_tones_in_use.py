"""The tones of a stage are known ahead of the step that is shown, so that curves keep their colours."""

import numpy as np
import pytest

from algorithms import find
from algorithms.core import Arrow, Labels, Matrix, Path, Points, Region
from algorithms.core.resolve import Faded
from algorithms.playback.pictures import tones_in_use
from algorithms.playback.pictures.tones_in_use import mark_tones
from algorithms.playback.pictures.viewer import Viewer
from algorithms.playback.runs.loaded_run import LoadedRun

AT = np.zeros((2, 2))


def test_every_mark_tells_the_tones_it_has() -> None:
    assert mark_tones([Points(at=AT, classes=np.array([0, 2]))]) == {0, 2}
    assert mark_tones([Points(at=AT, shares=np.full((2, 3), 1 / 3))]) == {0, 1, 2}
    assert mark_tones([Points(at=AT, tone=4)]) == {4}
    assert mark_tones([Points(at=AT)]) == {0}  # they have its shape
    assert mark_tones([Labels(at=AT, texts=("a", "b"), tones=(5, "ink")), Path(at=AT, tone=3), Path(at=AT)]) == {
        3,
        5,
    }
    assert mark_tones([Arrow(start=AT[0], end=AT[1], tone=1), Matrix(values=AT)]) == {1}
    assert mark_tones([Matrix(values=AT, signed=True)]) == {0, 1}
    assert mark_tones([Region(score=lambda at: at[:, 0], tones=(-1, 6)), Faded(mark=Path(at=AT, tone=7), age=1.0)]) == {
        6
    }


@pytest.mark.parametrize(
    "name", ["k_means_plus_plus", "choose_k", "exhaustive_clustering", "dual_ascent", "smallest_tree"]
)
def test_the_tones_are_those_of_the_whole_run_from_its_first_step_on(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where clusters come one by one, the colours of the curves would else change with each of them."""
    monkeypatch.setattr(tones_in_use, "_PATIENCE", 60.0)  # on a busy machine a step may take longer than it waits
    monkeypatch.setattr(tones_in_use, "_ENOUGH", 60.0)
    run = LoadedRun.usual(find(name)).timeline()
    run.advance(300)
    shown = [Viewer(run).picture(run.at(t), 40, 20).tones_in_use for t in (0, run.last // 2, run.last)]
    stage = {tone for t in (0, 1, run.last) for tone in mark_tones(Viewer(run).picture(run.at(t), 40, 20).stage.marks)}
    assert shown[0] == shown[1] == shown[2]
    assert stage <= shown[0]
