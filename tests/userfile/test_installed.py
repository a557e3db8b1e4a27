"""An algorithm of another distribution, installed: found by its name, listed, run and checked."""

import os
import subprocess
import sys
from pathlib import Path

from algorithms.core.catalogue import names
from tests.documents import ROOT
from tests.patience import LONG

DEMO = ROOT / "demos/plugin"


def test_it_is_installed_and_found_by_its_name(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        env = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
        done = subprocess.run([sys.executable, "-m", *words], env=env, capture_output=True, text=True, timeout=LONG)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(tmp_path), str(DEMO))
    assert "from iterscope-geometric-median 1.0" in run("algorithms", "list", "geometric")
    assert "holds" in run("algorithms", "run", "geometric_median", "--steps", "3")
    assert "0 did not" in run("algorithms", "check", "geometric_median")
    assert all(name in run("algorithms", "list") for name in names()[:3])
