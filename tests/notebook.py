"""Write the notebook of the demos anew, as a real kernel shows it: `python -m tests.notebook`.

Needed where what a cell shows has changed, line numbers of the algorithm's source included.
"""

import sys
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient

KEPT = Path(__file__).parents[1] / "demos/run_in_a_notebook.ipynb"


def execute(notebook: Path, made: Path) -> None:
    """Run every cell over sockets in the current folder, so that nothing listens on this machine; keep no times."""
    cells = nbformat.read(notebook, 4)
    kernel = AsyncKernelManager(kernel_name="python3", transport="ipc")
    resources = {"metadata": {"path": "."}}
    NotebookClient(cells, km=kernel, timeout=120, resources=resources, record_timing=False).execute()
    nbformat.write(cells, made)


if __name__ == "__main__":
    notebook, made = (Path(name) for name in sys.argv[1:] or [KEPT, KEPT])
    execute(notebook, made)
