"""What a clean machine has to have: README's lines as they are typed, and another Python for the suite."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import DOCUMENTS, README, ROOT, lines
from tests.patience import LONG

LINES = lines(README)
BASH = shutil.which("bash") or "bash"


def test_python_is_that_of_the_environment_in_every_line_that_says_python(tmp_path: Path) -> None:
    """README's install makes .venv and no `python`: on many machines there is none besides."""
    first = next(i for i, line in enumerate(LINES) if line.startswith("python "))
    (activates,) = [line for line in LINES[:first] if line.endswith("/activate")]
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True, timeout=LONG)
    done = subprocess.run(
        [BASH, "-c", f"{activates} && command -v python"],
        cwd=tmp_path,
        env={"PATH": str(tmp_path / "empty")},
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert done.stdout.strip() == str(tmp_path / ".venv/bin/python"), done.stderr


def test_every_file_that_it_speaks_of_is_there_or_is_to_be_made() -> None:
    texts = "\n".join(DOCUMENTS.values())
    named = set(re.findall(r"(?:algorithms|demos|tests|tui)/[\w/]+\.(?:py|md|json|png)", texts))
    missing = {name for name in named if not (ROOT / name).exists()}
    assert all(f"Written to `{name}`" in texts for name in missing)
    assert {"algorithms/families/linear/perceptron/algorithm.py", "demos/running_mean.py"} <= named - missing


@pytest.fixture
def python(tmp_path: Path):
    """Plant a Python that says it is of some version, or one that cannot be run."""

    def plant(place: str, minor: int | None) -> Path:
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{BASH}\n" + ("exit 127\n" if minor is None else f"echo {minor}\n"))
        path.chmod(0o755)
        return path

    return plant


@pytest.mark.parametrize(
    ("own", "planted", "found"),
    [
        (11, {"bin/python3.13": 13, "bin/python3.12": 12}, "bin/python3.13"),
        (11, {"bin/python3.13": None, "pyenv/versions/3.13.0/bin/python3": 13}, "pyenv/versions/3.13.0/bin/python3"),
        (11, {"bin/python3.13": None, "bin/python3.12": 12}, "bin/python3.12"),
        (13, {"bin/python3.13": 13, "bin/python3.11": 11}, "bin/python3.11"),
        (12, {"bin/python3.12": 12}, ""),
        (11, {"bin/python3.13": None}, ""),
    ],
)
def test_the_suite_finds_another_python_that_runs(tmp_path: Path, python, own: int, planted, found: str) -> None:
    mine = python("mine", own)
    for place, minor in planted.items():
        python(place, minor)
    env = os.environ | {"PATH": str(tmp_path / "bin"), "PYENV_ROOT": str(tmp_path / "pyenv")}
    command = [BASH, ROOT / ".ci/other_python", mine]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=LONG)
    assert done.stdout.strip() == (str(tmp_path / found) if found else "")
    assert done.returncode == (0 if found else 1)
