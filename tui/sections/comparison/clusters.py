"""The clusters of several runs, matched by the rows they share, as rows of a table."""

import numpy as np

from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.comparison.matching import Matching
from tui.sections.comparison.rows import Cell, Row


def cluster_rows(matching: Matching) -> list[Row]:
    """List each tone with the rows that wear it in each run, under how many rows agree; nothing of a single run."""
    tones = sorted({tone for own in matching.tones for tone in own or ()})
    if sum(own is not None for own in matching.tones) < 2:
        return []
    return [_title(matching), *(_row(matching, tone) for tone in tones), *_agreements(matching)]


def _title(matching: Matching) -> Row:
    """Say of two runs how many rows agree."""
    clusters, agree = matching.clusters[0], None
    if len(matching.clusters) == 2:
        agree = matching.agreeing(0, 1)
    rows = "" if agree is None or clusters is None else f"{agree} of {clusters.data.n} rows agree"
    by = "rows they share" if _first_agreement(matching) is not None else "means"
    return Row(f"clusters, matched by the {by}", section=True, mark=Cell(rows))


def _first_agreement(matching: Matching) -> int | None:
    return next((n for i in range(1, len(matching.tones)) if (n := matching.agreeing(0, i)) is not None), None)


def _row(matching: Matching, tone: int) -> Row:
    """Count the rows of a tone in each run; of two runs also the difference, and the rows that are in both."""
    own = [None if tones is None or tone not in tones else tones.index(tone) for tones in matching.tones]
    counts = [_count(matching, i, j) for i, j in enumerate(own)]
    if len(own) > 2:
        numbered = [Cell("–") if j is None else Cell(f"{j}: {n:,}", True) for j, n in zip(own, counts)]
        return Row("number: rows", tuple(numbered), tone=tone)
    cells = tuple(Cell("–") if n is None else Cell(f"{n:,}", True) for n in counts)
    a, b = own
    if a is None or b is None:
        letter, number = (LETTERS[1], b) if a is None else (LETTERS[0], a)
        return Row(f"{number} only in {letter}", cells, tone=tone)
    name = f"{a} rows" if a == b else f"{a} rows, {LETTERS[1]}'s {b}"
    return Row(name, cells, _shared(matching, tone, *counts), tone=tone)


def _count(matching: Matching, i: int, j: int | None) -> int | None:
    clusters = matching.clusters[i]
    return None if clusters is None or j is None else int(np.count_nonzero(clusters.labels == j))


def _shared(matching: Matching, tone: int, a: int | None, b: int | None) -> tuple[Cell, ...]:
    if a is None or b is None:
        return ()
    difference = Cell("=" if a == b else f"{b - a:+,}")
    if matching.agreeing(0, 1) is None:
        return (difference,)
    both = np.count_nonzero((matching.toned(0) == tone) & (matching.toned(1) == tone))
    return difference, Cell(f"{both:,} shared")


def _agreements(matching: Matching) -> list[Row]:
    """Count, of more than two runs, the rows that agree with the first."""
    runs = range(len(matching.clusters))
    if len(runs) < 3:
        return []
    agree = [None if i == 0 else matching.agreeing(0, i) for i in runs]
    return [Row(f"rows as in {LETTERS[0]}", tuple(Cell("–") if n is None else Cell(f"{n:,}", True) for n in agree))]
