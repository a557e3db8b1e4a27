"""python -m algorithms replay: a line a branch, and an exit status."""

from pathlib import Path

import pytest

from algorithms.__main__ import main
from tests.saving.session.kept import changed, forked, kept


def test_headless_replay_says_what_came_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lesson.json"
    kept(forked(), path)
    assert main(["replay", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert all("as it was saved" in line for line in lines)
    changed(path, lambda plain: plain["states"]["pulled apart"][0]["fields"]["means"].update(digest="0" * 16))
    assert main(["replay", str(path)]) == 1
    (said,) = (line for line in capsys.readouterr().out.splitlines() if "not as it was saved" in line)
    assert said.startswith("pulled apart: ")
    path.write_text("{}")
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
