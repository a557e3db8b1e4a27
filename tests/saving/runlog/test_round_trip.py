"""What was recorded is what is read: states bit for bit, and all that was said of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp

from algorithms import Dataset, Recorder, Refused, Timeline, datasets, find, load, names
from algorithms.core.state import same
from algorithms.core.words import point_of
from algorithms.saving.runlog import LoggedRun
from algorithms.saving.runlog.logfile import Kind
from algorithms.saving.runlog.pack import Packer, Unpacker
from algorithms.saving.runlog.records import RowsRecord
from tests.examples import examples
from tests.saving.runlog.recording import record
from tests.tiny import TINY, Rows


def opened(path: Path, **settings: Any) -> Timeline:
    recorded = LoggedRun(path)
    return Timeline(recorded, recorded.datasets[0], **settings).run()


@pytest.mark.parametrize("name", names())
def test_every_algorithm_is_read_as_it_ran(name: str, tmp_path: Path) -> None:
    algorithm = find(name)
    data = algorithm.datasets[0].load()
    states = record(tmp_path / "run.log", algorithm, data, {}, 15)
    run = opened(tmp_path / "run.log")
    truth = Timeline(algorithm, data)
    truth.advance(len(states))
    assert len(run) == len(states)
    assert [c.name for c in run.algorithm.curves] == [c.name for c in algorithm.curves]
    for t, state in enumerate(states):
        frame, wanted = run.at(t), truth.at(t)
        assert same(frame.state, state)
        assert frame.line == wanted.line
        assert run.kind(t) == truth.kind(t)
        assert repr(run.values(frame)) == repr(truth.values(wanted))
        said, meant = run.verdicts(frame), truth.verdicts(wanted)
        assert [(v.status, v.why, repr(v.sides)) for v in said] == [(v.status, v.why, repr(v.sides)) for v in meant]
        words = run.algorithm.explain(run.problem, frame.before, frame.state)
        own = algorithm.explain(truth.problem, wanted.before, wanted.state)
        assert (words, point_of(words)) == (own, point_of(own))
        panels = run.algorithm.scene(run.problem, frame.before, frame.state).panels
        assert [p.title for p in panels] == [
            p.title for p in algorithm.scene(truth.problem, wanted.before, wanted.state).panels
        ]


def test_any_step_is_read_again_when_little_is_kept(tmp_path: Path) -> None:
    states = record(tmp_path / "run.log", find("perceptron"), datasets.load("iris", positive="setosa"), {}, 600)
    run = opened(tmp_path / "run.log", budget=20_000)
    assert run.kept < len(run) / 2
    assert run.resumes
    for t in [0, len(states) - 1, *range(5, len(states), 17), *range(len(states) - 2, 0, -31)]:
        assert same(run.at(t).state, states[t])
        assert t == 0 or same(run.at(t).before, states[t - 1])


def test_a_declaration_that_is_not_of_the_catalogue_is_shown_without_its_code(tmp_path: Path) -> None:
    record(tmp_path / "run.log", TINY, Rows().load(), {"eta": 0.2, "steps": 12}, 99)
    run = opened(tmp_path / "run.log")
    assert type(run.at(3).state).__name__ == "PlainState"
    assert run.at(3).state.get("x") == pytest.approx(4 * 0.6**3)
    assert run.parameters == {"eta": 0.2, "steps": 12}
    assert run.next_event(0) == 5
    assert run.curve("f")[1][:2].tolist() == [16.0, pytest.approx(5.76)]
    (verdict,) = run.verdicts(run.at(3))
    assert (verdict.status, verdict.theorem.statement) == ("holds", "f never rises for η <= 1")
    assert run.algorithm.explain(run.problem, None, run.at(0).state) == "x is 4.000 now."
    assert [panel.title for panel in run.algorithm.scene(run.problem, None, run.at(3).state).panels[:2]] == [
        "x", "the data"
    ]  # fmt: skip
    assert run.stopped is not None
    assert run.stopped.reason == "no more was recorded"


@pytest.mark.parametrize("name", names())
def test_what_is_large_in_a_hall_where_curves_break_and_what_lies_along_is_what_the_run_showed(
    name: str, tmp_path: Path
) -> None:
    algorithm = find(name)
    record(tmp_path / "run.log", algorithm, algorithm.datasets[0].load(), {}, 1)
    read = LoggedRun(tmp_path / "run.log")
    assert read.contrast == algorithm.contrast
    assert read.in_hall == algorithm.in_hall
    assert [event.anew for event in read.events] == [event.anew for event in algorithm.events]
    said = [(theorem.phases, theorem.along, theorem.proof) for theorem in read.theorems]
    assert said == [(theorem.phases, theorem.along, theorem.proof) for theorem in algorithm.theorems]


def test_a_recording_breaks_its_curves_where_another_problem_began(tmp_path: Path) -> None:
    path = find("dual_coordinate_descent")
    data = path.datasets[0].load()
    whole = Timeline(path, data, {"path": 3})
    whole.advance(1_000)
    record(tmp_path / "run.log", path, data, {"path": 3}, 1_000)
    assert whole.begun_anew()
    assert opened(tmp_path / "run.log").begun_anew() == whole.begun_anew()


def test_nothing_in_it_can_be_changed(tmp_path: Path) -> None:
    record(tmp_path / "run.log", find("lloyd"), datasets.load("faithful"), {"k": 3})
    run = opened(tmp_path / "run.log")
    with pytest.raises(Refused, match="parameters cannot be changed"):
        run.fork(3, sweeps=3)
    with pytest.raises(Refused, match="parameters cannot be changed"):
        Timeline(run.algorithm, run.data, {"k": 4})
    with pytest.raises(Refused, match="data cannot be changed"):
        Timeline(run.algorithm, datasets.load("iris"))
    with pytest.raises(Refused, match="cannot be changed"):
        run.fork(3, state=run.at(3).state.__class__(**{**_fields(run.at(3).state), "means": np.zeros((3, 2))}))


def _fields(state: Any) -> dict[str, Any]:
    return {name: getattr(state, name) for name in state.__struct_fields__}


def test_the_rows_come_with_it(tmp_path: Path) -> None:
    data = datasets.load("iris", positive="setosa", scale=True, hold_out=0.25)
    record(tmp_path / "run.log", find("perceptron"), data, {}, 3)
    read = LoggedRun(tmp_path / "run.log").datasets[0].load()
    np.testing.assert_array_equal(read.X, data.X)
    np.testing.assert_array_equal(read.original(read.X), data.original(data.X))
    assert (read.classes, read.features, read.target, read.kind) == (
        data.classes,
        data.features,
        data.target,
        data.kind,
    )
    assert read.held_out is not None
    assert data.held_out is not None
    np.testing.assert_array_equal(read.held_out.X, data.held_out.X)
    made = datasets.mixture.load()
    record(tmp_path / "made.log", find("gaussian_mixture"), made, {"k": 3}, 2)
    truth = LoggedRun(tmp_path / "made.log").datasets[0].load().truth
    np.testing.assert_array_equal(truth["covariances"], made.truth["covariances"])


def test_rows_that_are_too_many_are_found_by_name_if_they_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("algorithms.saving.runlog.records.LARGEST_DATA", 100)
    record(tmp_path / "named.log", find("lloyd"), datasets.load("faithful"), {"k": 2})
    assert opened(tmp_path / "named.log").data.n == 272
    (tmp_path / "mine.csv").write_text("a,b\n" + "\n".join(f"{i},{i % 7}" for i in range(30)))
    record(tmp_path / "file.log", find("lloyd"), datasets.recipe(str(tmp_path / "mine.csv")).load(), {"k": 2})
    run = opened(tmp_path / "file.log")
    assert run.algorithm.notices == ["the rows of mine.csv were too many to be recorded, and are not shown"]
    assert run.at(2).state.get("means").shape == (2, 2), "what was learnt is shown all the same"
    assert run.values(run.at(2))[0] > 0


# A run of one's own


class Pair(NamedTuple):
    a: float
    b: Any


@dataclass
class Held:
    w: Any
    loss: float


def test_whatever_is_yielded_is_recorded_by_its_parts(tmp_path: Path) -> None:
    things = [
        {"loss": 0.25, "w": np.arange(3.0), "name": "ω", "ok": True},
        Held(np.eye(2), 1.5),
        Pair(1.0, [[1, 2], [3, 4]]),
        (1, 2.5),
        7,
        {"big": 2**80, "far": float("inf"), "none": float("nan"), "nothing": None},
        {"text": "\ud800 half", "empty": np.empty((0, 2))},
        {"c": np.array([1 + 2j]), "objects": np.array([{}], object), "f": np.float32(0.1)},
    ]
    with Recorder(tmp_path / "run.log", title="of all kinds", parameters={"eta": 0.1, "layers": (3, 4)}) as recorder:
        for thing in things:
            recorder.write(thing)
    run = opened(tmp_path / "run.log")
    assert run.algorithm.title == "of all kinds (recorded)"
    assert run.parameters == {"eta": 0.1, "layers": (3, 4)}
    assert len(run) == len(things)
    first = run.at(0).state
    assert (first.get("loss"), first.get("name"), first.get("ok")) == (0.25, "ω", True)
    np.testing.assert_array_equal(first.get("w"), [0, 1, 2])
    np.testing.assert_array_equal(run.at(1).state.get("w"), np.eye(2))
    np.testing.assert_array_equal(run.at(2).state.get("b"), [[1, 2], [3, 4]])
    assert run.at(5).state.get("far") == float("inf")
    assert np.isnan(run.at(5).state.get("none"))
    assert run.at(6).state.get("empty").shape == (0, 2)
    assert run.at(7).state.get("f") == float(np.float32(0.1))
    for t in range(len(run)):
        frame = run.at(t)
        assert run.algorithm.scene(run.problem, frame.before, frame.state).panels
        assert run.algorithm.explain(run.problem, frame.before, frame.state)
    assert run.curve("loss")[0].tolist() == [0, 1]


def kmeans(X: Any, steps: int) -> Any:
    centres = X[:2].copy()
    for _ in range(steps):
        labels = ((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        yield centres, labels
        centres = np.array([X[labels == j].mean(axis=0) for j in range(2)])
    return "enough"


def test_over_a_generator_shows_its_source_its_data_and_how_it_ended(tmp_path: Path) -> None:
    X = datasets.load("faithful").X
    seen = list(Recorder(tmp_path / "run.log").over(kmeans(X, 4)))
    assert [np.shape(centres) for centres, _ in seen] == [(2, 2)] * 4
    run = opened(tmp_path / "run.log")
    np.testing.assert_array_equal(run.data.X, X)
    assert len(run) == 5, "and the moment before it yielded anything"
    np.testing.assert_array_equal(run.at(4).state.get("centres"), seen[3][0])
    file, first, lines = run.algorithm.source
    assert file == Path(__file__).name
    assert lines[run.at(4).line - first].strip() == "yield centres, labels"
    assert dict(run.at(4).state.frame)["steps"] == "4"
    assert run.stopped is not None
    assert run.stopped.reason == "enough"


def test_what_it_returns_and_raises_passes_through(tmp_path: Path) -> None:
    def fails() -> Any:
        yield 1
        raise ZeroDivisionError("no")

    def returns() -> Any:
        return (yield from Recorder(tmp_path / "b.log").over(kmeans(np.eye(2), 1)))

    with pytest.raises(ZeroDivisionError, match="no"):
        list(Recorder(tmp_path / "a.log").over(fails()))
    run = opened(tmp_path / "a.log")
    assert run.stopped is not None
    assert run.stopped.failed
    assert run.stopped.reason == "ZeroDivisionError: no"
    assert run.stopped.line == fails.__code__.co_firstlineno + 2
    going = returns()
    next(going)
    with pytest.raises(StopIteration, match="enough"):
        next(going)
    list(Recorder(tmp_path / "c.log").over([1, 2, 3]))
    assert [opened(tmp_path / "c.log").at(t).state.get("value") for t in (1, 3)] == [1, 3]


def test_a_loop_that_is_left_and_an_error_in_it_are_told(tmp_path: Path) -> None:
    for _ in Recorder(tmp_path / "left.log").over(iter(range(9))):
        break
    assert "not watched any further" in _reason(tmp_path / "left.log")

    def raises(name: str, error: BaseException) -> None:
        with Recorder(tmp_path / name) as recorder:
            recorder.write(1)
            raise error

    with pytest.raises(ValueError, match="mine"):
        raises("error.log", ValueError("mine"))
    assert _reason(tmp_path / "error.log") == "ValueError: mine"
    with pytest.raises(KeyboardInterrupt):
        raises("stopped.log", KeyboardInterrupt())
    assert _reason(tmp_path / "stopped.log") == "it was interrupted"
    with Recorder(tmp_path / "empty.log") as recorder:
        pass
    with pytest.raises(Refused, match="has ended"):
        recorder.write(2)
    with pytest.raises(Refused, match="there already"):
        Recorder(tmp_path / "empty.log")


def _reason(path: Path) -> str:
    run = opened(path)
    assert run.stopped is not None
    return run.stopped.reason


def test_a_file_of_ones_own_is_read_without_being_imported(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("def mine(k=3):\n    for i in range(k):\n        yield {'i': i, 'half': i / 2}\n")
    record(tmp_path / "run.log", load(str(mine)), load(str(mine)).datasets[0].load(), {"k": 5})
    mine.write_text("raise SystemExit('it was imported')")
    run = opened(tmp_path / "run.log")
    assert [run.at(t).state.get("i") for t in range(1, 6)] == [0, 1, 2, 3, 4]
    assert run.curve("half")[1].tolist() == [0, 0.5, 1, 1.5, 2]
    assert run.algorithm.source[2][0] == "def mine(k=3):"
    assert not run.data
    assert not RowsRecord.of(Dataset([[0.0]], name="no data")).dataset(), "as they were recorded before"
    assert str(tmp_path).encode() not in (tmp_path / "run.log").read_bytes(), "nor does it say where it was made"


def test_any_step_of_ones_own_is_read_again_when_little_is_kept(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    drawn = rng.random((300, 40))
    with Recorder(tmp_path / "run.log") as recorder:
        for t in range(300):
            recorder.write({"w": drawn[t], "odd": float("nan") if t % 2 else -0.0, "said": str(t)})
    run = opened(tmp_path / "run.log", budget=20_000)
    assert run.kept < len(run) / 2
    assert run.resumes
    for t in (299, 0, 150, 149, 148, 3, 298, 77):
        np.testing.assert_array_equal(run.at(t).state.get("w"), drawn[t])
        assert run.at(t).state.get("said") == str(t)
    assert run.resumes


def test_arrays_of_the_same_bytes_keep_their_own_shapes_and_kinds(tmp_path: Path) -> None:
    alike = {"row": np.zeros(200), "table": np.zeros((20, 10)), "counts": np.zeros(200, np.int64)}
    with Recorder(tmp_path / "run.log") as recorder:
        recorder.write(alike)
    state = opened(tmp_path / "run.log").at(0).state
    read = {name: np.asarray(state.get(name)) for name in alike}
    assert {name: (a.shape, a.dtype) for name, a in read.items()} == {n: (a.shape, a.dtype) for n, a in alike.items()}


def test_an_array_that_comes_again_is_in_the_file_once(tmp_path: Path) -> None:
    still, rng = np.random.default_rng(0).random(10_000), np.random.default_rng(1)
    with Recorder(tmp_path / "run.log") as recorder:
        for t in range(50):
            recorder.write({"still": still.copy(), "t": t, "moving": rng.random(3)})
    assert (tmp_path / "run.log").stat().st_size < 1.5 * still.nbytes
    run = opened(tmp_path / "run.log")
    assert run.at(7).state.get("still") is run.at(33).state.get("still"), "and in memory once"
    labels = np.repeat(np.arange(4), 5_000)
    with Recorder(tmp_path / "packed.log") as recorder:
        recorder.write(labels)
    assert (tmp_path / "packed.log").stat().st_size < labels.nbytes / 50, "few different numbers take little room"


_arrays = hnp.arrays(
    st.sampled_from(["<f8", ">f4", "i2", "u1", "?", "<c16"]), hnp.array_shapes(min_dims=0, max_dims=4, min_side=0)
)
_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | _arrays,
    lambda inner: st.tuples(inner, inner) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=examples(200), deadline=None)
@given(st.dictionaries(st.text(max_size=5), _values, max_size=4))
def test_any_value_comes_back_as_it_was(fields: dict[str, Any]) -> None:
    import msgspec

    packer = Packer()
    first, again = (msgspec.msgpack.decode(msgspec.msgpack.encode(packer.step(fields))) for _ in range(2))
    arrays, parts = ([body for kind, body in packer.new if kind is wanted] for wanted in (Kind.ARRAY, Kind.PART))
    for packed in (first, again):  # the second time by what came before
        found = Unpacker(arrays.__getitem__, parts.__getitem__).step(packed)
        assert found.keys() == fields.keys()
        assert all(_alike(found[name], value) for name, value in fields.items())


def _alike(a: Any, b: Any) -> bool:
    if isinstance(b, dict):
        return bool(isinstance(a, dict) and a.keys() == b.keys() and all(_alike(a[k], b[k]) for k in b))
    if isinstance(b, tuple):
        return len(a) == len(b) and all(map(_alike, a, b))
    return same(a, b)
