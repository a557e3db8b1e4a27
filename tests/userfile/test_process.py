"""The process of a reader's file: what lies beside the file, what it starts, what it reads and what it sends."""

import gc
import os
import pickle
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from algorithms import Refused, Timeline, load
from algorithms.core.errors import Raised
from algorithms.playback.runs.request import requested
from algorithms.userfile.process import Child, ChildStates, Garbled
from algorithms.userfile.wire import unpack
from tests.hands.leftovers import marked, started_with
from tests.patience import PATIENCE, Patience
from tests.userfile.isolated_runs import gone, run_of, until
from tui.__main__ import _app

COUNTING = "def mine():\n    for i in range(3):\n        yield i\n"


def outcome(run: Timeline) -> str:
    until(run, lambda: run.stopped is not None)
    assert run.stopped is not None
    return run.stopped.reason


def soon(met: Callable[[], bool]) -> bool:
    """Whether it comes true within a while; what is killed takes a moment to be gone."""
    patience = Patience(PATIENCE)
    while not met() and not patience.over:
        time.sleep(0.02)
    return met()


@pytest.mark.parametrize("beside", ["queue.py", "struct.py", "random.py", "algorithms/__init__.py"])
def test_what_lies_beside_a_file_is_not_taken_for_a_module_of_python_or_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str
) -> None:
    (tmp_path / beside).parent.mkdir(exist_ok=True)
    (tmp_path / beside).write_text("raise RuntimeError('not this one')\n")
    monkeypatch.chdir(tmp_path)
    run = run_of(tmp_path, f"import numpy as np\nnp.random.default_rng(0)\n\n{COUNTING}")
    assert outcome(run) == "it has ended"
    assert run.last == 3


def test_a_file_may_be_called_as_a_module_of_python_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "random.py").write_text(f"import numpy as np\nnp.random.default_rng(0)\n\n{COUNTING}")
    (tmp_path / "helper.py").write_text("")
    monkeypatch.chdir(tmp_path)
    algorithm = load("random.py", apart=True)
    run = Timeline(algorithm, algorithm.datasets[0], {})
    assert outcome(run) == "it has ended"
    assert run.algorithm.name == "mine"


def test_its_neighbours_are_imported_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("HALF = 0.5\n")
    run = run_of(tmp_path, "from neighbour import HALF\n\ndef mine():\n    yield HALF\n")
    outcome(run)
    assert run.at(1).state.fields == (("HALF", 0.5),)


def test_whoever_reads_what_is_typed_is_told_why_nothing_comes(tmp_path: Path) -> None:
    run = run_of(tmp_path, "def mine():\n    yield 1\n    answer = input('how many? ')\n    yield answer\n")
    assert "nothing can be typed here" in outcome(run)
    assert run.stopped is not None
    assert run.stopped.line == 3
    with pytest.raises(Refused, match="line 1: EOFError: nothing can be typed here"):
        run_of(tmp_path, "answer = input()\n\n" + COUNTING)


STARTING = """
import subprocess

def mine():
    other = subprocess.Popen(["sleep", "600"])
    yield {"pid": other.pid}
    ENDING
    while True:
        yield {"pid": other.pid}
"""


@pytest.mark.parametrize("ending", ["pass", "return", "1 / 0", "import os; os._exit(1)"])
def test_what_it_starts_ends_with_it(tmp_path: Path, ending: str) -> None:
    run = run_of(tmp_path, STARTING.replace("ENDING", ending))
    until(run, lambda: run.last >= 1)
    other = int(run.at(1).state.get("pid"))
    assert not gone(other)
    if ending != "pass":
        outcome(run)
    else:
        del run
    assert soon(lambda: gone(other) or _ended(other))


def _ended(pid: int) -> bool:
    """Whether a process has ended and only waits for whoever started it to ask how."""
    return Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"


def test_one_that_forks_and_ends_is_not_waited_for(tmp_path: Path) -> None:
    run = run_of(
        tmp_path, "import os, time\n\ndef mine():\n    yield 1\n    os.fork() or time.sleep(600)\n    os._exit(3)\n"
    )
    assert "exit status 3" in outcome(run)


class Evil:
    """What runs something when it is unpickled."""

    def __init__(self, function: Callable[..., object], *arguments: object):
        self.function, self.arguments = function, arguments

    def __reduce__(self) -> tuple[object, ...]:
        return self.function, self.arguments


@pytest.mark.parametrize("function", [os.system, eval, print, getattr, __import__])
def test_a_message_calls_nothing_that_is_not_a_value(function: Callable[..., object]) -> None:
    with pytest.raises(pickle.UnpicklingError, match="is nothing that is sent"):
        unpack(pickle.dumps(("state", Evil(function, "1"))))


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("algorithms.core.dataset", "np.load"),
        ("algorithms.core.dataset", "np"),
        ("algorithms.userfile.process", "Child"),
        ("algorithms.userfile.importing", "import_target"),
        ("numpy", "load"),
        ("numpy.testing._private.utils", "runstring"),
        ("os", "system"),
    ],
)
def test_a_message_names_nothing_but_what_is_made_to_be_sent(module: str, name: str) -> None:
    asked = b"\x80\x04\x8c" + bytes([len(module)]) + module.encode() + b"\x8c" + bytes([len(name)]) + name.encode()
    with pytest.raises(pickle.UnpicklingError, match="is nothing that is sent"):
        unpack(asked + b"\x93.")


GARBAGE = {
    "no pickle": b"this is no pickle",
    "a list": pickle.dumps([1, 2, 3]),
    "another kind": pickle.dumps(("surprise", 1)),
    "a call": pickle.dumps(("described", Evil(print, "x"))),
}


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_while_it_is_imported_is_one_sentence(tmp_path: Path, garbage: bytes) -> None:
    body = (
        f"import os, struct, sys\nos.write(int(sys.orig_argv[-1]), struct.pack('!Q', {len(garbage)}) + {garbage!r})\n"
    )
    with pytest.raises(Refused, match=r"mine.py cannot be opened: .*pipe") as refusal:
        run_of(tmp_path, body + COUNTING)
    assert "\n" not in str(refusal.value)


def test_garbage_while_it_runs_ends_the_run_in_a_sentence(tmp_path: Path) -> None:
    body = "import os, sys\n\ndef mine():\n    yield 1\n    os.write(int(sys.orig_argv[-1]), b'x' * 100)\n    yield 2\n"
    run = run_of(tmp_path, body)
    assert "what came over the pipe of its process is no message" in outcome(run)
    assert run.last == 1


def test_a_message_too_large_to_be_read_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(tmp_path, "import numpy as np\n\ndef mine():\n    yield np.zeros(1000)\n")
    monkeypatch.setattr("algorithms.userfile.process.LARGEST", 4_000)
    assert "one of more than 0 MiB" in outcome(run)


def test_a_state_that_is_none_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(COUNTING)
    states = ChildStates(str(path), (None, {}), 1)
    sent = pickle.dumps(("state", ("no state", 0, 0)))
    states._child._buffer += len(sent).to_bytes(8, "big") + sent
    with pytest.raises(Raised, match="is no message"):
        next(states)


def test_what_is_no_pair_is_no_message(tmp_path: Path) -> None:
    child = Child({"spec": str(tmp_path / "none.py"), "start": None, "first": 0})
    sent = pickle.dumps(1)
    child._buffer += len(sent).to_bytes(8, "big") + sent
    with pytest.raises(Garbled):
        child.message(0.0)
    child.kill()


def test_a_parameter_may_have_bounds(tmp_path: Path) -> None:
    body = "from typing import Annotated\nfrom msgspec import Meta\n\n"
    run = run_of(tmp_path, f"{body}def mine(eta: Annotated[float, Meta(gt=0, le=1)] = 0.5):\n    yield eta\n", eta=0.25)
    outcome(run)
    assert run.at(1).state.get("eta") == 0.25
    with pytest.raises(Refused, match="eta"):
        run_of(tmp_path, f"{body}def mine(eta: Annotated[float, Meta(gt=0, le=1)] = 0.5):\n    yield eta\n", eta=2.0)


def test_what_is_known_here_alone_is_sent_as_its_text(tmp_path: Path) -> None:
    body = (
        "import decimal, pathlib\nfrom typing import Annotated\n\nclass Note:\n    pass\n\n"
        "def mine(k: Annotated[int, Note()] = 2, where: pathlib.Path = pathlib.Path('.')):\n"
        "    yield {'k': k, 'd': decimal.Decimal(2)}\n"
    )
    run = run_of(tmp_path, body, k=3)
    outcome(run)
    assert run.at(1).state.get("k") == 3


@pytest.mark.asyncio
async def test_an_app_that_has_ended_leaves_no_process_though_it_is_still_referred_to(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def mine():\n    yield 1\n    while True:\n        pass\n")
    gc.disable()  # what waits for garbage to be looked for would wait for ever
    try:
        with started_with() as mark:
            app = _app(requested([str(tmp_path / "mine.py")]))
            async with app.run_test() as pilot:
                while not marked(mark):
                    await pilot.pause(0.05)
            assert soon(lambda: not marked(mark))
    finally:
        gc.enable()
