"""What is exported is what other programs read: by csv, json and NumPy, with nothing that harms them."""

import csv
import json
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Recorder, Refused, Timeline, datasets, export_numbers, export_state, find, load
from algorithms.__main__ import main
from algorithms.core.state import same
from algorithms.core.text import printable
from algorithms.saving.export import numbers_in_parts
from algorithms.saving.export.arrays import member_name, write_archive
from algorithms.saving.runlog import LoggedRun
from tests.tiny import TINY, Rows


@pytest.fixture(scope="module")
def run() -> Timeline:
    return Timeline(find("lloyd"), datasets.load("faithful"), {"k": 3}).run()


def written(path: Path, timeline: Timeline) -> Path:
    shares: list[float] = []
    assert export_numbers(path, timeline, progress=shares.append) == path
    assert len(shares) > 1
    assert all(0 <= share <= 1 for share in shares)
    assert shares == sorted(shares)
    return path


def measured(run: Timeline, t: int) -> dict[str, float]:
    return dict(zip([curve.name for curve in run.algorithm.curves], run.values(run.at(t))))


def test_csv_has_a_row_a_step_with_all_digits(run: Timeline, tmp_path: Path) -> None:
    with written(tmp_path / "a.csv", run).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert [int(row["t"]) for row in rows] == list(range(len(run)))
    for t, row in enumerate(rows):
        assert row["phase"] == run.at(t).state.phase
        for name, value in measured(run, t).items():
            assert row[name] == ("" if math.isnan(value) else repr(float(value)))
        assert (row["T1"] == "holds") == (run.verdicts(run.at(t))[0].status == "holds")


def test_json_lines_has_an_object_a_step(run: Timeline, tmp_path: Path) -> None:
    said = [json.loads(line) for line in written(tmp_path / "a.jsonl", run).read_text().splitlines()]
    assert len(said) == len(run)
    for t, one in enumerate(said):
        for name, value in measured(run, t).items():
            assert one["curves"][name] == (None if math.isnan(value) else value)
        for theorem, verdict in zip(run.algorithm.theorems, run.verdicts(run.at(t))):
            assert one["theorems"][theorem.statement]["status"] == verdict.status


def test_npz_has_an_array_a_column_without_pickle(run: Timeline, tmp_path: Path) -> None:
    with np.load(written(tmp_path / "a.npz", run), allow_pickle=False) as found:
        assert found["t"].tolist() == list(range(len(run)))
        assert found["phase"].tolist() == [run.at(t).state.phase for t in range(len(run))]
        for name in measured(run, 0):
            np.testing.assert_array_equal(found[name], [measured(run, t)[name] for t in range(len(run))])
        for t in range(len(run)):
            verdict = run.verdicts(run.at(t))[0]
            assert found["T1"][t] == verdict.status
            sides = verdict.sides.values if verdict.sides else [math.nan]
            np.testing.assert_array_equal(found["T1 J"][t], sides[0])
        assert {len(found[name]) for name in found.files} == {len(run)}


def test_the_screen_and_the_command_line_write_the_same(run: Timeline, tmp_path: Path) -> None:
    for suffix in (".csv", ".jsonl", ".npz"):
        here, there = written(tmp_path / f"a{suffix}", run), tmp_path / f"b{suffix}"
        assert main(["export", "lloyd", "--data", "faithful", "-p", "k=3", "--to", str(there)]) == 0
        assert here.read_bytes() == there.read_bytes()


def test_a_state_is_read_as_it_was(run: Timeline, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = run.at(5).state
    export_state(tmp_path / "a.npz", state)
    command = ["export", "lloyd", "--data", "faithful", "-p", "k=3", "--state", "5", "--to", str(tmp_path / "b.npz")]
    assert main(command) == 0
    for name in ("a.npz", "b.npz"):
        with np.load(tmp_path / name, allow_pickle=False) as found:
            assert set(found.files) == set(state.__struct_fields__)
            assert all(same(found[n], getattr(state, n)) for n in ("means", "labels", "counts"))
            assert (found["t"], found["phase"], found["moved"]) == (5, "assign", state.moved)
    assert main([*command[:-4], "--state", "999", "--to", str(tmp_path / "c.npz")]) == 2
    assert f"there is no step 999: the run ends at step {run.last}." in capsys.readouterr().err
    assert not (tmp_path / "c.npz").exists()


def test_states_of_every_kind_of_field_are_written(tmp_path: Path) -> None:
    network = Timeline(find("multilayer_perceptron"), find("multilayer_perceptron").datasets[0], {"every": "phase"})
    network.advance(4)
    with np.load(export_state(tmp_path / "a.npz", network.at(3).state), allow_pickle=False) as found:
        np.testing.assert_array_equal(found["activations.0"], network.at(3).state.activations[0])
    mine = tmp_path / "mine.py"
    mine.write_text(
        "def mine():\n    for i in range(3):\n        yield {'i': i, 'big': 2**70, 'said': '=1', 'no': None}\n"
    )
    own = Timeline(load(str(mine)), load(str(mine)).datasets[0]).run()
    with np.load(export_state(tmp_path / "b.npz", own.at(2).state), allow_pickle=False) as found:
        assert (found["i"], found["said"], found["big"]) == (1, "=1", float(2**70))


def test_an_own_generator_and_a_recording_have_their_numbers_too(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.log") as recorder:
        for t in range(5):
            recorder.write({"loss": 1 / (t + 1), "late": t} if t > 1 else {"loss": 1 / (t + 1)})
    recorded = LoggedRun(tmp_path / "run.log")
    own = Timeline(recorded, recorded.datasets[0]).run()
    with np.load(written(tmp_path / "a.npz", own), allow_pickle=False) as found:
        np.testing.assert_array_equal(found["loss"], [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5])
        np.testing.assert_array_equal(found["late"], [np.nan, np.nan, 2, 3, 4])
    assert main(["export", str(tmp_path / "run.log"), "--to", str(tmp_path / "a.jsonl")]) == 0
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    assert json.loads(lines[4])["curves"]["loss"] == 1 / 5


def test_steps_that_are_gone_are_left_out(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "import numpy as np\ndef mine():\n    for i in range(200):\n        yield {'i': i, 'w': np.ones(99)}\n"
    )
    run = Timeline(load(str(mine)), load(str(mine)).datasets[0], budget=40_000).run()
    assert run.stride > 1
    with np.load(written(tmp_path / "a.npz", run), allow_pickle=False) as found:
        np.testing.assert_array_equal(found["t"], [*range(0, 200, run.stride), 200][: len(found["t"])])
        np.testing.assert_array_equal(found["i"][1:], found["t"][1:] - 1)
        assert 10 < len(found["t"]) < 200


def hostile(text: str) -> Any:
    """The tiny algorithm with its phases, curves and sides named by whoever wishes harm."""
    import copy

    from algorithms.core import Curve, Sides, Theorem

    algorithm = copy.copy(TINY)
    algorithm.curves = (Curve(text, TINY.curves[0].measure),)
    algorithm.theorems = (Theorem("t", lambda p, b, a: Sides((text, 1.0), ("other", 2.0)), "me"),)
    return algorithm


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        " =1",
        "\r=1",
        "＝1",
        'a"b',
        "a,b",
        "a\nb",
        "../../x",
        "/etc/x",
        "file",
        "t",
    ],
)
def test_names_that_were_made_to_harm_do_none(text: str, tmp_path: Path) -> None:
    run = Timeline(hostile(text), Rows().load(), {"steps": 3}).run()
    with written(tmp_path / "a.csv", run).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert all(not cell.lstrip().startswith(("=", "+", "-", "@", "＝")) for row in rows for cell in row)
    assert rows[0][3].removeprefix("'") == printable(text), "and it can still be read"
    assert float(rows[2][3]) == measured(run, 1)[text], "numbers stay numbers"
    written(tmp_path / "a.npz", run)
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        for name in archive.namelist():
            assert name.endswith(".npy")
            assert not name.startswith(".")
            assert not set(name) & set('/\\\0\n\r\t"')
    with np.load(tmp_path / "a.npz", allow_pickle=False) as found:
        columns = [found[name] for name in found.files if name not in ("iteration", "phase", "T1")]
        values = [measured(run, t)[text] for t in range(4)]
        assert any(np.array_equal(column, values) for column in columns)


def test_negative_and_infinite_numbers_stay_export_numbers(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.log") as recorder:
        for value in (-1.5, math.inf, -math.inf, math.nan):
            recorder.write({"x": value})
    recorded = LoggedRun(tmp_path / "run.log")
    run = Timeline(recorded, recorded.datasets[0]).run()
    with written(tmp_path / "a.csv", run).open(newline="") as file:
        assert [row["x"] for row in csv.DictReader(file)] == ["-1.5", "inf", "-inf", "nan"]


def test_two_arrays_of_one_name_are_told_apart(tmp_path: Path) -> None:
    with (tmp_path / "a.npz").open("wb") as file:
        write_archive(file, [("a/b", np.array(1)), ("a\\b", np.array(2)), ("A_B", np.array(3)), ("", np.array(4))])
    with np.load(tmp_path / "a.npz", allow_pickle=False) as found:
        assert {name: int(found[name]) for name in found.files} == {"a_b": 1, "a_b (2)": 2, "A_B (3)": 3, "unnamed": 4}
    assert member_name("." * 9) == "unnamed"
    assert len(member_name("x" * 900)) == 100
    with pytest.raises(ValueError, match="Object arrays"), (tmp_path / "b.npz").open("wb") as file:
        write_archive(file, [("a", np.array([{}], object))])


# Files


def test_nothing_is_overwritten_unasked_and_nothing_is_half_written(run: Timeline, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("mine")
    with pytest.raises(Refused, match="there already"):
        export_numbers(path, run)
    with pytest.raises(Refused, match="there already"):
        export_state(_npz(tmp_path), run.at(0).state)
    going = numbers_in_parts(path, run, overwrite=True)
    next(going)
    going.close()
    assert path.read_text() == "mine"
    assert {p.name for p in tmp_path.iterdir()} == {"a.csv", "b.npz"}
    export_numbers(path, run, overwrite=True)
    assert path.read_text().startswith("t,iteration,phase")


def test_numbers_are_written_when_it_is_said_and_given_up_when_the_progress_raises(
    run: Timeline, tmp_path: Path
) -> None:
    export_numbers(tmp_path / "a.csv", run)  # nobody iterates over anything
    assert len((tmp_path / "a.csv").read_text().splitlines()) == len(run) + 1

    def enough(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_numbers(tmp_path / "b.csv", run, progress=enough)
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def _npz(folder: Path) -> Path:
    (folder / "b.npz").write_text("mine")
    return folder / "b.npz"


@pytest.mark.parametrize("name", ["a.txt", "a", "a.csv.exe"])
def test_other_endings_are_refused(run: Timeline, tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused, match=r"does not end in .*\.npz\.$"):
        export_numbers(tmp_path / name, run)
    with pytest.raises(Refused, match=r"does not end in \.npz\.$"):
        export_state(tmp_path / name, run.at(0).state)


def test_the_command_line_says_what_it_wrote_or_why_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.csv"
    assert main(["export", "lloyd", "--steps", "4", "--to", str(path)]) == 0
    assert capsys.readouterr().out == f"The numbers of steps 0 to 4 are in {path}.\n"
    assert len(path.read_text().splitlines()) == 6
    assert main(["export", "lloyd", "--to", str(path)]) == 2
    assert "there already" in capsys.readouterr().err
    assert main(["export", "lloyd", "--to", str(path), "--overwrite"]) == 0
    assert main(["export", "lloyd", "--to", str(tmp_path / "missing" / "a.csv")]) == 2
    assert "no folder" in capsys.readouterr().err
    (tmp_path / "mine.py").write_text("def mine():\n    yield 1.5\n    raise ValueError('no')\n")
    assert main(["export", str(tmp_path / "mine.py"), "--to", str(tmp_path / "b.csv")]) == 1
    assert "the run failed after step 1: ValueError: no" in capsys.readouterr().err
    assert len((tmp_path / "b.csv").read_text().splitlines()) == 3
