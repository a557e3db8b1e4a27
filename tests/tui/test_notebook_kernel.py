"""The notebook of the demos, executed by a real kernel: what it shows is what it has kept."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.patience import LONG
from tests.tui.page import document, page_in

for _needed in ("nbclient", "ipykernel"):
    pytest.importorskip(_needed)

KEPT = Path(__file__).parents[2] / "demos/run_in_a_notebook.ipynb"


def outputs(path: Path) -> list[dict[str, Any]]:
    """What each cell of code shows, by the type of it."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    shown = [output for cell in cells if cell["cell_type"] == "code" for output in cell["outputs"]]
    return [{kind: "".join(text) for kind, text in output["data"].items()} for output in shown]


def test_a_kernel_shows_what_the_notebook_has_kept(tmp_path: Path) -> None:
    made = tmp_path / "made.ipynb"
    words = [sys.executable, "-m", "tests.notebook", str(KEPT), str(made)]
    here = os.environ | {"PYTHONPATH": str(KEPT.parents[1])}
    done = subprocess.run(words, cwd=tmp_path, env=here, capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr
    kept, again = outputs(KEPT), outputs(made)
    assert [sorted(one) for one in again] == [sorted(one) for one in kept]
    assert len(kept) == 7
    for one, other in zip(kept, again):
        if "image/png" not in one:
            assert other["text/plain"] == one["text/plain"]
    page, still = again[0]["text/html"], again[1]["image/svg+xml"]
    assert document(page_in(page)) == document(page_in(kept[0]["text/html"])), "python -m tests.notebook writes it anew"
    assert still.startswith("<svg ")
    assert not re.findall("<script|href|url[(]", still)


def test_the_kept_notebook_is_small_and_names_no_place_of_this_machine() -> None:
    text = KEPT.read_text(encoding="utf-8")
    assert len(text) < 300_000
    assert not re.findall(r"/(home|root|tmp|work)/", text)
