"""Python, begun anew with a module of ours: nothing in the current folder is taken for one of ours or Python's."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_ROOT = str(Path(__file__).parents[2])


def python(module: str, *words: str, **variables: str) -> Mapping[str, Any]:
    """Give the command and the environment of a process that runs this module, as `subprocess` takes them.

    Without -P the current folder would come first, and a `random.py` or `algorithms/` there would run.
    """
    path = [_ROOT, *(p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p)]  # "" is the current folder
    return {
        "args": [sys.executable, "-P", "-m", module, *words],
        "env": os.environ | {"PYTHONPATH": os.pathsep.join(path)} | variables,
    }
