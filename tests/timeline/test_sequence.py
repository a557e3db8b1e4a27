"""A run as a sequence of frames, and out of a pickle: all that was recorded and measured, and it goes on."""

import pickle
import subprocess
import sys
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Branches, Change, Dataset, Refused, Timeline, datasets, find, load, sweep
from algorithms.core.state import same
from tests.patience import LONG
from tests.saving.runlog.recording import record

ROWS = np.random.default_rng(0).normal(size=(30, 2))


@pytest.fixture
def run() -> Timeline:
    return Timeline("perceptron", datasets.blobs.with_(margin=0.1), {"epochs": 6})


def again(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def equal(one: Timeline, other: Timeline) -> bool:
    """Whether two runs are so in all that can be seen of them."""
    return (
        len(one) == len(other)
        and all(same(a.state, b.state) and (a.t, a.line) == (b.t, b.line) for a, b in zip(one, other))
        and all(np.array_equal(one.curve(c.name), other.curve(c.name)) for c in one.algorithm.curves)
        and [one.kind(t) for t in range(len(one))] == [other.kind(t) for t in range(len(other))]
        and one.iteration_starts().tolist() == other.iteration_starts().tolist()
        and one.parameters == other.parameters
        and one.stopped == other.stopped
    )


def test_a_run_is_a_sequence_of_its_frames(run: Timeline) -> None:
    assert list(run) == []
    run.advance(50)
    frames = list(run)
    assert [frame.t for frame in frames] == list(range(len(run))) == list(range(50))
    assert same(run[3].state, run.at(3).state)
    assert same(run[-1].state, run.at(run.last).state)
    assert run[np.int64(7)].t == 7
    assert [frame.t for frame in run[10:20:5]] == [10, 15]
    assert [frame.t for frame in run[-3:]] == [47, 48, 49]
    for beyond in (50, -51):
        with pytest.raises(IndexError):
            run[beyond]
    with pytest.raises(TypeError):
        run["mistake"]  # type: ignore[call-overload]


def test_steps_that_are_gone_are_left_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy as np\ndef mine():\n    for t in range(200):\n        yield np.full(400, float(t))\n"
    )
    run = Timeline(load(str(tmp_path / "mine.py")), budget=40_000).run()
    kept = [frame.t for frame in run]
    assert 2 < len(kept) < len(run)
    assert all(run.at(t).t == t for t in kept)


@pytest.mark.parametrize("steps", [0, 1, 40, 10_000])
def test_a_run_comes_out_of_a_pickle_as_it_was_and_goes_on(run: Timeline, steps: int) -> None:
    run.advance(steps)
    other = again(run)
    assert equal(run, other)
    assert equal(run.run(), other.run())
    assert run.algorithm is other.algorithm


def test_it_goes_on_in_another_process(run: Timeline, tmp_path: Path) -> None:
    run.advance(40)
    (tmp_path / "run.pickle").write_bytes(pickle.dumps(run))
    code = (
        "import pickle, sys\n"
        "run = pickle.load(open(sys.argv[1], 'rb')).run()\n"
        "print(run.last, run.stopped.reason, run.curve('training error')[1][-1], run[5].state.w.flags.writeable)"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "run.pickle"], capture_output=True, text=True, check=True, timeout=LONG
    ).stdout
    run.run()
    assert run.stopped is not None
    assert said.split() == f"{run.last} {run.stopped.reason} {run.curve('training error')[1][-1]} False".split()


def test_a_long_run_of_which_few_states_are_kept_is_replayed(run: Timeline) -> None:
    tight = Timeline("perceptron", run.data, {"epochs": 6}, budget=20_000).run()
    other = again(tight)
    assert other.stride == tight.stride > 1
    assert equal(tight, other)


def test_forks_come_with_what_they_were_forked_from(run: Timeline) -> None:
    tree = Branches(run.run())
    slower = tree.fork(tree.root, 8, Change(parameters={"eta": 0.1})).timeline.run()
    other = again(slower)
    assert equal(slower, other)
    assert (other.begin, other.parent is None, other.changed_at(9)) == (8, False, True)
    assert other.data is other.parent.data
    assert other.problem.forked
    assert [v.status for v in other.verdicts(other[20])] == [v.status for v in slower.verdicts(slower[20])]


def test_theorems_that_failed_are_still_known() -> None:
    run = Timeline("gradient_descent", None, {"eta": 1.9}).run()
    other = again(run)
    assert [(f.t, f.verdict.theorem.statement) for f in run.failures] == [
        (f.t, f.verdict.theorem.statement) for f in other.failures
    ]


def test_rows_in_hand_are_owned_and_read_only_again() -> None:
    data = Dataset(ROWS, np.arange(30) % 2)
    assert data.signs is not None
    other = again(data)
    assert np.array_equal(other.X, data.X)
    assert np.array_equal(other.signs, data.signs)
    assert not other.X.flags.writeable
    assert not other.y.flags.writeable
    changed = Timeline("lloyd", ROWS, {"k": 2}).run().fork(2, data=ROWS + 1)
    assert equal(changed.run(), again(changed))


def test_an_own_generator_is_looked_at_and_makes_no_step(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def mine(steps=9):\n    for t in range(steps):\n        yield {'loss': 1 / (t + 1)}\n"
    )
    run = Timeline(load(str(tmp_path / "mine.py")))
    run.advance(5)
    other = again(run)
    (tmp_path / "mine.py").unlink()
    assert [f.state.parts() for f in other] == [f.state.parts() for f in run]
    assert other.curve("loss")[1].tolist() == run.curve("loss")[1].tolist()
    assert other.advance(1) == 0
    assert "came out of a pickle" in other.stopped.reason


def test_a_recording_is_opened_again(tmp_path: Path) -> None:
    record(tmp_path / "run.log", find("lloyd"), datasets.load("faithful"), {"k": 2})
    run = Timeline(load(str(tmp_path / "run.log"))).run()
    assert equal(run, again(run))


def test_algorithms_are_pickled_by_where_they_stand_and_copies_are_themselves() -> None:
    lloyd = find("lloyd")
    assert again(lloyd) is lloyd
    six = lloyd.with_defaults(k=6)
    assert lloyd.parameters[0].default != six.parameters[0].default == again(six).parameters[0].default == 6
    bare = copy(lloyd)
    bare.curves = ()
    assert lloyd.curves
    with pytest.raises(Refused, match="cannot be pickled"):
        pickle.dumps(bare)
    runs = list(sweep("lloyd", ROWS, over={"seed": range(2)}, k=2, jobs=1))
    assert again(runs[1]).values == runs[1].values
    assert equal(again(runs[1]).open(), runs[1].open())
