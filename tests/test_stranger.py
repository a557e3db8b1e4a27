"""Where another distribution's files stand in place of ours, the first line says so and what to do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import LONG

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("words", [[], ["lloyd"], ["run", "lloyd"], ["--help"]], ids=" ".join)
def test_another_package_of_our_name_is_told(words: list[str], tmp_path: Path) -> None:
    theirs = tmp_path / "algorithms"
    theirs.mkdir()
    (theirs / "__init__.py").write_text("from math import gcd\n")
    done = subprocess.run(
        [sys.executable, "-m", "tui", *words],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert f"in {theirs} is another distribution's" in line
    assert "pipx install" in line
