"""Whatever a script calls its parameters, a recording of it opens."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Timeline
from algorithms.core.algorithm import Algorithm
from algorithms.saving.runlog import LoggedRun, Recorder
from algorithms.saving.runlog.logfile import Kind
from algorithms.saving.runlog.records import Header
from algorithms.userfile.plain import PlainAlgorithm
from tests.saving.runlog.tapes import tape

GIVEN: dict[str, Any] = {
    "eta": 0.1, "k": np.int64(3), "w": np.ones((2, 3)), "config": {"a": 1}, "worst": math.nan, "learning-rate": 0.5,
    "class": "a", "_x": 1, "": 2, "3d": True, "sizes": [8, 4], "mixed": (1, None), "big": 2**70, "none": None,
    "limit": math.inf, "x": "other", "self": 1, "data": 2, "state": 3, "path": Path("a"), "both": (1.0, math.nan),
}  # fmt: skip


def reopened(path: Path) -> dict[str, Any]:
    recorded = LoggedRun(path, follow=True)
    run = Timeline(recorded, recorded.datasets[0], {}).run()
    assert run.last == 0
    return {parameter.name: parameter.default for parameter in recorded.parameters}


def test_a_recording_opens_whatever_its_parameters_are(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.log", parameters=GIVEN) as recorder:
        recorder.write(1.0)
    read = reopened(tmp_path / "run.log")
    assert read["eta"] == 0.1
    assert read["k"] == 3
    assert read["w"] == "2×3 float64"
    assert read["worst"] == "nan"
    assert (read["learning_rate"], read["class_"], read["x"], read["x_2"]) == (0.5, "a", 1, "other")
    assert read["sizes"] == (8, 4)
    assert read["config"] == "{'a': 1}"
    assert len(read) == len(GIVEN)


@pytest.mark.parametrize("name", GIVEN)
def test_each_by_itself(tmp_path: Path, name: str) -> None:
    with Recorder(tmp_path / "run.log", parameters={name: GIVEN[name]}) as recorder:
        recorder.write(1.0)
    assert len(reopened(tmp_path / "run.log")) == 1


def test_one_that_was_written_before_is_shown_as_text(tmp_path: Path) -> None:
    written = {"learning-rate": {"#": {"a": 1}}, "class": math.nan, "import os": 1, "__init__": 2}
    header = Header(title="t", name="n", parameters=written)
    recorded = LoggedRun(tape(tmp_path / "run.log", (Kind.HEADER, header)))
    assert {p.name: p.default for p in recorded.parameters} == {
        "learning_rate": "{'a': 1}", "class_": "nan", "import_os": 1, "init": 2,
    }  # fmt: skip


def test_a_recording_is_an_algorithm_of_its_own(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.log", title="halving") as recorder:
        for i in range(3):
            recorder.write({"x": 0.5**i})
    recorded = LoggedRun(tmp_path / "run.log")
    assert isinstance(recorded, Algorithm)
    assert not isinstance(recorded, PlainAlgorithm)
    run = Timeline(recorded, recorded.datasets[0], {}).run()
    assert run.curve("x")[1].tolist() == [1.0, 0.5, 0.25]
