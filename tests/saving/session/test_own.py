"""Sessions of the reader's own code: it runs when it is named, and at no other time."""

from pathlib import Path

import pytest

from algorithms import Branches, Opening, Refused, Timeline, find, load
from algorithms.__main__ import main
from algorithms.playback.pictures.viewer import Viewer
from algorithms.saving.session import session_of
from algorithms.saving.session.sources import Embedded
from algorithms.userfile import running_algorithm
from tests.saving.session.kept import FAITHFUL, changed, kept, refusal, runs

MINE = """
from pathlib import Path

Path({ran!r}).write_text("run")


def walk(X, eta=0.5, steps=40):
    place = X[0]
    for _ in range(steps):
        place = place + eta * (X.mean(axis=0) - place)
        thing = object()
        yield {{"place": place}}
"""


@pytest.fixture
def mine(tmp_path: Path) -> tuple[Path, Path]:
    """A file of the reader's that leaves a trace when it is run, and that trace."""
    (tmp_path / "mine.py").write_text(MINE.format(ran=str(tmp_path / "ran")))
    return tmp_path / "mine.py", tmp_path / "ran"


def test_code_of_the_readers_runs_only_when_it_is_named(tmp_path: Path, mine: tuple[Path, Path]) -> None:
    spec, ran = mine
    algorithm = load(str(spec))
    tree = Branches(Timeline(algorithm, FAITHFUL, {"eta": 0.25}))
    tree.root.timeline.advance(20)
    path = tmp_path / "lesson.json"
    kept(tree, path, spec=str(spec))
    ran.unlink()
    assert f"`python -m tui {spec} --open {path}`" in refusal(path)
    assert not ran.exists()
    opening = Opening(path, load(str(spec)))
    opening.work()
    assert opening.differences == []
    assert opening.compared["first run"] > 5
    assert opening.branches.root.timeline.parameters["eta"] == 0.25
    assert "not of lloyd" in refusal(path, find("lloyd"))


def test_what_yields_nothing_any_more_is_refused(tmp_path: Path, mine: tuple[Path, Path]) -> None:
    spec, _ = mine
    tree = Branches(Timeline(load(str(spec)), FAITHFUL))
    tree.root.timeline.advance(5)
    path = tmp_path / "lesson.json"
    kept(tree, path, spec=str(spec))
    spec.write_text("def walk(X, eta=0.5, steps=40):\n    raise ZeroDivisionError('of mine')\n    yield 1\n")
    opening = Opening(path, load(str(spec)))
    opening.work()
    assert [found.t for found in opening.differences] == [1]
    assert "of mine" in opening.differences[0].words


def test_a_spec_cannot_steer_what_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    kept(runs(), path)
    said = refusal(changed(path, lambda plain: plain.update(spec="a.py; rm -rf ~")))
    assert "'a.py; rm -rf ~'" in said


def test_what_a_script_made_is_not_saved(tmp_path: Path) -> None:
    def numbers():  # type: ignore[no-untyped-def]
        yield 1.0

    algorithm = running_algorithm(numbers())
    tree = Branches(Timeline(algorithm, algorithm.datasets[0]))
    with pytest.raises(Refused, match="made by a script"):
        session_of(tree, None, tmp_path / "a.json")


def test_headless_replay_of_ones_own(
    tmp_path: Path, mine: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    spec, ran = mine
    tree = Branches(Timeline(load(str(spec)), FAITHFUL))
    tree.root.timeline.advance(9)
    path = tmp_path / "lesson.json"
    kept(tree, path, spec=str(spec))
    ran.unlink()
    assert main(["replay", str(path)]) == 2
    assert f"`python -m algorithms replay {path} {spec}`" in capsys.readouterr().err
    assert not ran.exists()
    assert main(["replay", str(path), str(spec)]) == 0


def test_what_runs_without_rows_is_kept_and_shown_without_rows(tmp_path: Path) -> None:
    spec = tmp_path / "walk.py"
    spec.write_text("def walk(steps=9):\n    for i in range(steps):\n        yield {'height': i / 2}\n")
    algorithm = load(str(spec))
    tree = Branches(Timeline(algorithm, algorithm.datasets[0].load()))
    tree.root.timeline.advance(5)
    assert not tree.root.timeline.data
    path = tmp_path / "lesson.json"
    kept(tree, path, spec=str(spec))
    assert '"from": "nothing"' in path.read_text()
    opening = Opening(path, load(str(spec)))
    opening.work()
    assert opening.differences == []
    run = opening.branches.root.timeline
    assert not run.data
    viewer = Viewer(run)
    picture = viewer.picture(run.at(3), 60, 20)
    assert not picture.trouble
    viewer.restore(viewer.kept())


def test_a_session_of_before_there_was_no_data_has_no_row_made_up() -> None:
    assert not Embedded(name="no data", X=((0.0,),), features=("x1",)).load()
    assert Embedded(name="no data", X=((1.0,),), features=("x1",)).load()
