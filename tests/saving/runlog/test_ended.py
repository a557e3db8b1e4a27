"""Whether a recording has ended is seen at its end alone."""

from pathlib import Path

from algorithms import Recorder
from algorithms.saving.runlog import LoggedRun


def test_the_end_is_found_without_what_comes_before_it(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    recorder = Recorder(path)
    for t in range(50):
        recorder.write(t)
    recorded = LoggedRun(path)
    assert recorded.growing
    recorder.end("so", 3, "a traceback\n" * 1000)
    assert not recorded.growing
    path.write_bytes(path.read_bytes()[:-1])
    assert recorded.growing
