"""Warnings of a reader's file: shown by what they say."""

from pathlib import Path

from algorithms import Timeline, load
from tests.patience import PATIENCE, Patience

FILE = """
import numpy as np

def mine():
    for i in range(20):
        yield float(np.log(np.float64(i)))
"""


def test_a_warning_is_shown_by_its_message_and_not_by_the_line_it_quotes(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    algorithm = load(str(path), apart=True)
    run = Timeline(algorithm, algorithm.datasets[0])
    patience = Patience(PATIENCE)
    while run.stopped is None and not patience.over:
        run.advance(10, 0.1)
    assert "it prints: RuntimeWarning: divide by zero encountered in log (mine.py, line 6)" in algorithm.notices
