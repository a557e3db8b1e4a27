"""An algorithm in a file of a reader's own, which runs in a process of its own."""

from pathlib import Path

from algorithms import Algorithm, load

LINES = (
    "def run(*, rate=0.5):",
    "    x = 1.0",
    "    while x > 1e-9:",
    "        x *= rate",
    "        yield {'x': x}",
)


def own_file(folder: Path) -> Algorithm:
    """It halves x, or takes another rate."""
    file = folder / "of_mine.py"
    file.write_text("\n".join(LINES))
    return load(str(file), apart=True)
