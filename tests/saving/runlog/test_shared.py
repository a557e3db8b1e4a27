"""What steps share is in a recording once: trees of a forest, whether they are the same objects or equal ones."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from algorithms import Timeline
from algorithms.core.state import same
from algorithms.saving.runlog import LoggedRun, Recorder
from algorithms.saving.runlog.logfile import MAGIC, READ, Damaged
from algorithms.saving.runlog.pack import Packer, Unpacker
from tests.saving.forest import FOREST, ForestState, Rows, Tree


def on_tape(packed: dict[str, Any]) -> dict[str, Any]:
    """What was packed, through the bytes of a record."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(packed))  # type: ignore[no-any-return]


def grown(trees: int) -> list[ForestState]:
    run = Timeline(FOREST, Rows().load(), {"trees": trees}).run()
    return [run.at(t).state for t in range(len(run))]  # type: ignore[misc]


def recorded(path: Path, states: list[ForestState]) -> Path:
    recorder = Recorder.of(path, FOREST, FOREST.problem(Rows().load(), None, {"trees": len(states) - 1}))
    for before, state in zip([None, *states], states):
        recorder.keep(before, state, 30)
    recorder.end("grown")
    return path


def copied(state: ForestState) -> ForestState:
    """The state with trees of its own that are equal."""
    fresh = tuple(Tree(t.feature.copy(), t.threshold.copy(), t.value.copy(), t.depth) for t in state.trees)
    return ForestState(t=state.t, iteration=state.iteration, phase=state.phase, trees=fresh, path=state.path)


@pytest.mark.parametrize("equal", [False, True], ids=["the same objects", "equal ones"])
def test_a_recording_grows_with_the_forest_and_not_with_its_square(equal: bool, tmp_path: Path) -> None:
    sizes = []
    for trees in (30, 60, 120):
        states = [copied(s) for s in grown(trees)] if equal else grown(trees)
        sizes.append(recorded(tmp_path / f"{trees}.log", states).stat().st_size)
    assert sizes[2] - sizes[1] == pytest.approx(2 * (sizes[1] - sizes[0]), rel=0.1)
    assert sizes[2] < 120 * 2_600  # each tree is there as it came first and as a part, with the words of a step


def test_every_step_is_read_as_it_was_also_the_last_one_first(tmp_path: Path) -> None:
    states = grown(30)
    read = LoggedRun(recorded(tmp_path / "run.log", states))
    run = Timeline(read, read.datasets[0]).run()
    assert run.stopped is not None
    assert run.stopped.reason == "grown"
    packer = Packer()
    fields = [on_tape(packer.step(state.parts())) for state in states]
    bodies = [body for kind, body in packer.new if kind.name == "PART"]
    unpacker = Unpacker(lambda number: b"", lambda number: bodies[number])
    for packed, state in reversed(list(zip(fields, states))):
        values = unpacker.step(packed)
        assert all(same(a, b) for a, b in zip(values["path"], state.path))
        for tree, known in zip(values["trees"], state.trees, strict=True):
            assert all(same(tree[name], getattr(known, name)) for name in tree)


def test_a_part_that_is_changed_in_its_place_is_written_anew() -> None:
    packer, tree = Packer(), grown(1)[1].trees[0]
    writable = Tree(tree.feature.copy(), tree.threshold.copy(), tree.value.copy())
    first = on_tape(packer.step({"trees": (writable,)}))
    writable.value[0] = 7.0
    second = on_tape(packer.step({"trees": (writable,)}))
    unpacker = Unpacker(lambda number: b"")
    assert unpacker.step(first)["trees"][0]["value"][0] != 7.0 == unpacker.step(second)["trees"][0]["value"][0]


@pytest.mark.parametrize(
    "packed",
    [
        [{"..": [0, 1 << 40, 1]}],
        [{"..": [0, 3, 1]}],
        [{"..": [0, 1, -1, 4]}],
        [[{"..": [0, 1, 1]}]],
        {"&": 9},
        {"&": 1},
        {"#": {"a": {"#": {"b": {"&": 0}}}}},
    ],
    ids=str,
)
def test_what_speaks_of_no_part_is_damaged(packed: object) -> None:
    bodies = [msgspec.msgpack.encode(5), msgspec.msgpack.encode([{"&": 0}])]

    def fetch(number: int) -> bytes:
        if not 0 <= number < len(bodies):
            raise Damaged("there is none")
        return bodies[number]

    with pytest.raises(Damaged):
        Unpacker(lambda number: b"", fetch).step({"x": packed})


def test_all_forms_are_read(tmp_path: Path) -> None:
    path = recorded(tmp_path / "run.log", grown(1))
    content = path.read_bytes()
    assert content.startswith(MAGIC)
    for form in READ:
        path.write_bytes(form + content[len(MAGIC) :])
        assert LoggedRun(path).state(0) is not None
    path.write_bytes(MAGIC.replace(b"3", b"4") + content[len(MAGIC) :])
    with pytest.raises(Exception, match="no recording that this version reads"):
        LoggedRun(path)
