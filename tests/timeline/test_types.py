"""What a type checker knows of a run: its frames hold the algorithm's own states."""

import subprocess
import sys
from pathlib import Path

from tests.patience import LONG

ROOT = Path(__file__).parents[2]
SCRIPT = """
from algorithms import Timeline, find
from algorithms.families.clustering.lloyd import ALGORITHM

run = Timeline(ALGORITHM, "faithful", {"k": 2})
reveal_type(run.at(0).state)
reveal_type(run[0].before)
for frame in run.run():
    reveal_type(frame.state.means)
for state in ALGORITHM("faithful", k=2):
    reveal_type(state)
reveal_type(Timeline(find("lloyd")).at(0).state)
"""


def test_a_frame_holds_states_of_the_algorithms_own_type(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    own_cache = f"--cache-dir={tmp_path}"  # two mypys that write one cache crash now and then
    command = [sys.executable, "-m", "mypy", own_cache, tmp_path / "script.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONG)
    place = "algorithms.families.clustering.lloyd."
    types = [line.split('"')[1].replace(place, "") for line in done.stdout.splitlines() if "Revealed" in line]
    assert types[0] == "LloydState"
    assert types[1] in ("LloydState | None", "Union[LloydState, None]")  # as the version of mypy writes it
    assert types[2].startswith("numpy.ndarray")
    assert types[3:] == ["LloydState", "Any"]
    assert done.returncode == 0, done.stdout
