"""What lies in the current folder is not run by the processes that are begun there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import LONG
from tests.terminal.pseudo import ROOT

_OURS = ("algorithms", "tui", "tests", "numpy", "msgspec", "joblib", "threadpoolctl")
_TRAP = "import os, sys\nos.write(os.open({ran!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT), {name!r}.encode() + b' ')\n"
_BEFORE = """
import time

from algorithms import Timeline, datasets, find, load, sweep
from algorithms.playback.theorems.expecting import Expecting
from algorithms.sweeping import BackgroundSweep
"""
_CHILDREN = {
    "a sweep beside the screen": """
run = BackgroundSweep("lloyd", datasets.iris, {"k": 3}, {"seed": range(4)}, 4, jobs=2)
while run.running:
    run.take()
    time.sleep(0.02)
assert (run.refused, run.columns.done) == ("", 4), run.refused
""",
    "an expectation": """
expecting, run = Expecting(), Timeline(find("k_means_plus_plus"), datasets.iris, {})
expecting.begin(run, 0)
while expecting.estimate(run, 0) is None:
    assert expecting.running
    expecting.take()
    time.sleep(0.02)
expecting.cancel()
""",
    "a sweep": """
assert not any(run.failed for run in sweep("lloyd", datasets.iris, over={"seed": range(4)}, jobs=2, k=3))
""",
    "a reader's file": """
algorithm = load("elsewhere/mine.py", apart=True)
run = Timeline(algorithm, datasets.iris, {})
while run.stopped is None:
    run.advance(1)
    time.sleep(0.02)
assert run.last == 3, run.stopped
""",
}


def _variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}


@pytest.mark.parametrize("name", _CHILDREN)
def test_nothing_in_the_current_folder_runs_in_a_process_that_is_begun_there(name: str, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    folder = tmp_path / "here"
    (folder / "elsewhere").mkdir(parents=True)
    (folder / "elsewhere" / "mine.py").write_text("def mine(X):\n    for i in range(3):\n        yield i\n")
    for module in sys.stdlib_module_names:
        (folder / f"{module}.py").write_text(_TRAP.format(ran=str(ran), name=module))
    for module in _OURS:
        (folder / module).mkdir()
        (folder / module / "__init__.py").write_text(_TRAP.format(ran=str(ran), name=module))
    lines = f"import sys\nsys.path.append({str(ROOT)!r}){_BEFORE}{_CHILDREN[name]}".splitlines(keepends=True)
    program = tmp_path / "program.py"  # a script's own folder comes first, not the current one
    program.write_text(f"if __name__ == '__main__':\n    {'    '.join(lines)}")
    done = subprocess.run(
        [sys.executable, program], cwd=folder, env=_variables(), capture_output=True, text=True, timeout=LONG
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not ran.exists(), ran.read_text()
