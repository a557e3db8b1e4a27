"""The data of a reader's own ALGORITHM edited, whose `adapt` and grips answer from another process."""

from pathlib import Path

import numpy as np
import pytest

from algorithms import Add, Refused, Remove, Timeline, edited
from algorithms.core import DragHandles
from algorithms.core.plane import planes
from algorithms.core.resolve import View, resolve
from tests.userfile.declared import BODY, written
from tests.userfile.runs import on, run_of
from tests.userfile.terminal import leave, screen

ADAPT = """
def adapt(before, after, state, rows):
    # adapt
    return state.replaced(w=state.w * (len(rows) / after.data.n))


def dragged(state, i, to):
    return state.replaced(w=to)
"""


def editable(folder: Path, adapt: str = "") -> str:
    """The path of a file whose state follows, and whose w can be dragged."""
    body = BODY.replace("drift, title", "drift, adapt=adapt, title").replace("ALGORITHM = ", f"{ADAPT}\n\nALGORITHM = ")
    body = body.replace(
        "Labels(at=after.w", 'DragHandles(at=after.w[None], moved=dragged, names=("w",)), Labels(at=after.w'
    )
    body = body.replace("Event, Labels", "DragHandles, Event, Labels").replace("# adapt", adapt)
    path = folder / "drifting.py"
    path.write_text(body)
    return str(path)


def test_its_state_follows_and_the_run_goes_on(tmp_path: Path) -> None:
    run = run_of(editable(tmp_path))
    data = edited(run.data, [Add((9.0, 9.0)), Remove(0)])
    fork = on(run.fork(20, data=data))
    assert (fork.begin, fork.from_start) == (20, "")
    assert np.array_equal(fork.at(20).state.w, run.at(20).state.w)
    assert fork.at(40).state.w.tobytes() != run.at(40).state.w.tobytes()


def test_what_its_adapt_raises_is_told(tmp_path: Path) -> None:
    run = run_of(editable(tmp_path, "1 / 0"))
    with pytest.raises(Refused, match="its `adapt` raises .*ZeroDivisionError"):
        run.fork(20, data=edited(run.data, [Remove(0)]))


def test_its_grips_are_dragged_on_the_plane(tmp_path: Path) -> None:
    run = run_of(editable(tmp_path))
    frame = run.at(20)
    panel = run.algorithm.scene(run.problem, frame.before, frame.state).panels[0]
    flat = resolve(panel, planes(run.data)[0], View(-3.0, 3.0, -3.0, 3.0))
    grips = next(mark for mark in flat.marks if isinstance(mark, DragHandles))
    moved = grips.moved(frame.state, 0, np.array([0.5, -0.5]))
    assert np.allclose(moved.w, [0.5, -0.5])
    assert np.allclose(on(run.fork(20, state=moved)).at(20).state.w, [0.5, -0.5])


def test_without_adapt_it_starts_afresh(tmp_path: Path) -> None:
    run = run_of(written(tmp_path))
    fork = on(run.fork(20, data=edited(run.data, [Remove(0)])))
    assert fork.begin == 0
    assert "starts afresh" in fork.from_start
    assert Timeline(run.algorithm, fork.data).algorithm is run.algorithm


def test_on_the_screen_edits_fork_it_and_are_undone(tmp_path: Path) -> None:
    with screen(written(tmp_path), "--at", "3") as terminal:
        terminal.see("step 3 of")
        terminal.press("i")
        terminal.see("editing")
        terminal.press("o")
        terminal.see("12 rows are added; Drift starts afresh")
        terminal.see("step 0 of")
        terminal.press("u")
        terminal.see("undone: back in first run")
        terminal.press("i")
        leave(terminal)


def test_on_the_screen_its_state_follows(tmp_path: Path) -> None:
    with screen(editable(tmp_path), "--at", "3") as terminal:
        terminal.see("step 3 of")
        terminal.press("i")
        terminal.see("editing")
        terminal.press("o")
        terminal.see("12 rows are added; u undoes it")
        terminal.see("▸ 12 rows added at 3")
        terminal.press("iu")
        terminal.see("undone: back in first run")
        leave(terminal)
