"""Ctrl+c while a program of ours starts: no traceback, and the status of an interrupt, whatever is being imported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.terminal.pseudo import ROOT, Pseudo

# Imported by Python before anything else; it looks for no module, but tells when one is looked for.
_INTERRUPTED_AT = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["AT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""
_COMMAND = f"""
import sys
sys.argv = ["/usr/bin/iterscope"]
sys.path.insert(0, {str(ROOT)!r})
from tui.__main__ import main
sys.exit(main())
"""
_RUN = ("-m", "algorithms", "run", "lloyd")
_SWEEP = ("-m", "algorithms", "sweep", "lloyd", "--over", "seed=0:3", "--jobs", "2")
_SCREEN = ("-m", "tui", "lloyd")


def _variables(folder: Path, at: str) -> dict[str, str]:
    (folder / "sitecustomize.py").write_text(_INTERRUPTED_AT)
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "AT": at}


@pytest.mark.parametrize(
    ("words", "at"),
    [
        (_RUN, "algorithms.core"),
        (_RUN, "numpy"),
        (_RUN, "numpy.linalg"),
        (_RUN, "algorithms.__main__"),
        (_RUN, "algorithms.families.clustering.lloyd"),
        (_RUN, "algorithms.saving.export.rows"),
        (_SWEEP, "algorithms.sweeping.sweep"),
        (_SWEEP, "joblib"),
        (_SWEEP, "joblib.externals.loky.process_executor"),
    ],
)
def test_interrupted_at_an_import_it_ends_without_a_word(words: tuple[str, ...], at: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, *words], env=os.environ | _variables(tmp_path, at), cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, "Traceback" in done.stderr, "Exception" in done.stderr) == (130, False, False), done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "at"),
    [
        (_SCREEN, "tui.__main__"),
        (_SCREEN, "tui.terminal.guard"),
        (_SCREEN, "numpy"),
        (_SCREEN, "algorithms.families.clustering.lloyd"),
        (_SCREEN, "textual.app"),
        (_SCREEN, "tui.rescue"),
        (("-m", "tui"), "textual.app"),
        (("-P", "-c", _COMMAND), "tui.terminal.guard"),
        (("-P", "-c", _COMMAND), "textual.app"),
    ],
)
def test_the_screen_is_interrupted_at_an_import(words: tuple[str, ...], at: str, tmp_path: Path) -> None:
    with Pseudo.python(*words, **_variables(tmp_path, at)) as terminal:
        assert terminal.status() == 130
        assert terminal.text.strip() == ""
        assert terminal.left_on() == []


def test_another_program_that_imports_ours_is_interrupted_as_ever(tmp_path: Path) -> None:
    code = "try:\n    from algorithms import Timeline\nexcept KeyboardInterrupt:\n    print('caught')"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | _variables(tmp_path, "numpy"), cwd=ROOT, capture_output=True,
        text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "caught\n")
