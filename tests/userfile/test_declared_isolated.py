"""A full ALGORITHM of the reader's, in processes of its own: as good as one of ours, whatever its functions do."""

from pathlib import Path

import numpy as np
import pytest

from algorithms import Refused, Timeline, load
from algorithms.core.errors import Raised
from algorithms.core.plane import planes
from algorithms.core.resolve import History, View, resolve
from algorithms.playback.pictures.viewer import Picture, Viewer
from algorithms.timeline.variables import along_variable
from algorithms.userfile import isolated
from algorithms.userfile.process import Child
from tests.userfile.declared import line_of, written
from tests.userfile.runs import on, run_of


def picture(run: Timeline, t: int) -> Picture:
    return Viewer(run).picture(run.at(t), 40, 20)


def test_it_is_what_it_is_in_this_process(tmp_path: Path) -> None:
    path = written(tmp_path)
    here = Timeline(load(path), load(path).datasets[0]).run()
    there = run_of(path)
    assert there.stopped is not None
    assert there.stopped.reason == "enough steps"
    assert there.last == here.last == 40
    for t in (0, 1, 17, 40):
        assert there.at(t).line == here.at(t).line
        assert there.at(t).state.w.tobytes() == here.at(t).state.w.tobytes()
        assert not there.at(t).state.w.flags.writeable
        assert there.verdicts(there.at(t))[0].status == here.verdicts(here.at(t))[0].status
    assert np.array_equal(there.curve("away")[1], here.curve("away")[1])
    assert there.next_event(0) == here.next_event(0) == 10
    ours, theirs = picture(here, 5), picture(there, 5)
    assert theirs.words == ours.words == "w is at [0.237 0.237], Piece"
    assert [type(mark) for mark in theirs.stage.marks] == [type(mark) for mark in ours.stage.marks]
    assert np.array_equal(theirs.stage.marks[0].strength, ours.stage.marks[0].strength)  # type: ignore[attr-defined]
    assert [p.bounds for p in there.algorithm.parameters] == [p.bounds for p in here.algorithm.parameters]
    assert there.algorithm.source[1:] == here.algorithm.source[1:]


def test_it_is_replayed_and_forked(tmp_path: Path) -> None:
    path = written(tmp_path)
    algorithm = load(path, apart=True)
    run = on(Timeline(algorithm, algorithm.datasets[0], {"steps": 600}, budget=40_000))
    assert run.stride > 1
    assert run.resumes
    whole = Timeline(load(path), load(path).datasets[0], {"steps": 600}).run()
    for t in (599, 301, 302, 7):
        assert run.at(t).state.w.tobytes() == whole.at(t).state.w.tobytes()
    fork = on(run.fork(100, eta=0.5))
    other = whole.fork(100, eta=0.5).run()
    assert fork.at(130).state.w.tobytes() == other.at(130).state.w.tobytes()
    with pytest.raises(Refused, match="eta = 3 is not to be had"):
        run.fork(100, eta=3.0)


def test_a_step_that_raises_is_told_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, step="1 / (4 - state.t)")
    run = run_of(path)
    assert run.stopped is not None
    assert "ZeroDivisionError" in run.stopped.reason
    assert run.stopped.line == line_of(path, "1 / (4 - state.t)")
    assert run.last == 4
    assert picture(run, 3).words.startswith("w is at")


@pytest.mark.parametrize("place", ["scene", *(pytest.param(p, marks=pytest.mark.soak) for p in ("score", "explain"))])
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero, in line"),
        ("sys.exit(3)", "SystemExit: 3, in line"),
        ("os._exit(3)", "ended its process (exit status 3)"),
        ("time.sleep(60)", "did not answer within 0.5 seconds"),
        ("np.ones(1 << 40)", "MemoryError"),
    ],
)
def test_what_is_to_be_seen_cannot_be_made_and_the_run_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, statement: str, said: str
) -> None:
    monkeypatch.setattr(isolated, "_PATIENCE", 0.5)
    run = run_of(written(tmp_path, **{place: statement}))
    seen = picture(run, 3)
    assert said in seen.trouble
    assert said in seen.words
    assert run.at(7).state.t == 7
    assert run.verdicts(run.at(7))[0].status == "holds"


def test_a_function_that_does_not_answer_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "_PATIENCE", 0.5)
    begun: list[object] = []
    make = Child.__init__

    def counted(self: Child, task: dict[str, object]) -> None:
        begun.append(task)
        make(self, task)

    run = run_of(written(tmp_path, curve="time.sleep(60)"))
    monkeypatch.setattr(Child, "__init__", counted)
    assert [trouble.what for trouble in run.troubles] == ["the curve away", "the theorem w comes nearer"]
    assert "did not answer" in run.troubles[0].error
    assert run.last == 40
    assert len(run.curve("away")[0]) == 0
    for t in range(20):
        run.values(run.at(t))
    assert begun == []
    assert picture(run, 3).trouble == ""


def test_a_theorem_that_raises_is_undecided(tmp_path: Path) -> None:
    run = run_of(written(tmp_path, theorem="raise ValueError('no idea')"))
    (verdict,) = run.verdicts(run.at(3))
    assert verdict.status == "undecided"
    assert "ValueError: no idea" in verdict.why


def test_what_it_prints_is_told_and_comes_nowhere_else(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run = run_of(written(tmp_path, scene="print('from the scene')"))
    picture(run, 3)
    assert run.algorithm.notices == ["it prints: from the scene"]
    assert capfd.readouterr() == ("", "")


def test_what_cannot_travel_is_told(tmp_path: Path) -> None:
    run = run_of(written(tmp_path, explain="return (x for x in 'abc')"))
    assert "cannot pickle" in picture(run, 3).words


def test_a_function_of_a_process_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    run = run_of(written(tmp_path))
    frame = run.at(3)
    scene = run.algorithm.scene(run.problem, frame.before, frame.state)
    run.algorithm._asker.close()  # type: ignore[attr-defined]
    with pytest.raises(Raised, match="before its process was begun again"):
        resolve(scene.panels[0], planes(run.data)[0], View(-1, 1, -1, 1), History())
    assert run.verdicts(frame)[0].status == "holds"


def test_one_that_fails_before_its_first_state_is_refused_in_a_sentence(tmp_path: Path) -> None:
    from algorithms.playback.cursor.player import Player

    path = written(tmp_path, first="1 / 0")
    algorithm = load(path, apart=True)
    with pytest.raises(Refused, match=f"in line {line_of(path, '1 / 0')} before its first state: ZeroDivisionError"):
        Player(Timeline(algorithm, algorithm.datasets[0]))


def test_a_curve_is_drawn_along_the_variable_that_the_file_declares(tmp_path: Path) -> None:
    path = Path(written(tmp_path))
    along = 'Curve("away", away, along=Variable("value", twice, lambda p: "λ", lambda p: True))'
    body = path.read_text().replace('Curve("away", away)', along).replace("Curve,", "Curve, Variable,", 1)
    path.write_text(body.replace("def tenth(", "def twice(problem, state):\n    return 2.0**state.t\n\n\ndef tenth("))
    run = run_of(str(path))
    found = along_variable(run, run.algorithm.curves[0])
    assert found is not None
    assert (found.name, found.log, found.x[:3].tolist()) == ("λ", True, [1.0, 2.0, 4.0])


def test_an_end_that_is_declared_is_tested_there(tmp_path: Path) -> None:
    """A reader's run that stops early with the words of its true end has ended untruly here as well."""
    path = Path(written(tmp_path))
    text = path.read_text().replace("datasets=(", 'ends={"enough steps": enough}, datasets=(', 1)
    text = text.replace("ALGORITHM =", "def enough(problem, state):\n    return state.t >= 40\n\nALGORITHM =", 1)
    path.write_text(text)
    assert not run_of(str(path)).stopped.wrong
    path.write_text(text.replace("while state.t < steps:", "while state.t < steps // 2:"))
    early = run_of(str(path))
    assert (early.stopped.reason, early.stopped.untrue) == ("enough steps", "it is not so at step 20")
    assert [failure.verdict.theorem.statement for failure in early.failures] == ["the end: enough steps"]
