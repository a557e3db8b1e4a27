"""Panels of a joint table: the rows in every cell, with what naive Bayes expects there, and the cells in numbers."""

import numpy as np

from algorithms.core import Array, Bars, Dataset, Panel, Path, Points, columns
from algorithms.core.scene import Tone
from algorithms.families.bayes.full_joint.joint_table import JointTable, bits_of
from algorithms.families.bayes.shared.generative import Bernoulli, posterior

_SEEN = 0.06  # of the height: what is expected below it would only draw the axis again
_MOST = 64  # cells in a table; of more those with rows, the fullest first


def cells_panel(data: Dataset, of: JointTable, expected: Array, here: int, most: float) -> Panel:
    """Draw the rows of each cell, class 1 upwards and class 0 downwards, and what naive Bayes expects as dots.

    Args:
        expected: (2, 2^d) rows that naive Bayes expects in the cells.
        here: the cell of the row in hand, -1 for none.
        most: rows that a cell has at most when all are counted.
    """
    size = of.counts.shape[1]
    edges, places = np.arange(size + 1.0) - 0.5, np.arange(float(size))
    reach = 1.15 * max(most, 1.0)
    bars = [
        Bars(
            heights=sign * of.counts[c],
            edges=edges,
            tones=tuple(_tone(x == here, c) for x in range(size)),
            meanings=(("accent", "cell of this row"),) if here >= 0 and c == 1 else (),
        )
        for c, sign in ((0, -1.0), (1, 1.0))
    ]
    at = np.concatenate([np.column_stack([places, sign * expected[c]]) for c, sign in ((0, -1.0), (1, 1.0))])
    seen = at[np.abs(at[:, 1]) > _SEEN * reach]
    dots = Points(at=seen, tone="ink", rows=False, weights=np.full(len(seen), 0.3), names=("naive Bayes expects",))
    zero = Path(at=np.array([[-0.5, 0.0], [size - 0.5, 0.0]]))
    word = "features" if of.d > 1 else "feature"
    return Panel(
        title=f"rows of {data.classes[1]} up, {data.classes[0]} down"[:40],
        marks=(*bars, zero, *((dots,) if len(seen) else ())),
        axes=(f"cell: {of.d} {word} as bits", f"rows, {data.classes[0]} below 0"[:30]),
        limits=((-0.5, size - 0.5), (-reach, reach)),
        note="white: naive Bayes expects",
    )


def _tone(marked: bool, c: int) -> Tone:
    return "accent" if marked else c


def cells_table(data: Dataset, of: JointTable, naive: Bernoulli, truth: Array | None, here: int) -> Panel:
    """List cells with their rows, and P(1 | x) by the table, by naive Bayes, and by the truth where it is known."""
    size, d = of.counts.shape[1], of.d
    rows = of.counts.sum(axis=0)
    shown = np.arange(size)
    if size > _MOST:
        shown = np.argsort(-(rows + (shown == here) * (rows.max() + 1)), kind="stable")[: int((rows > 0).sum())][:_MOST]
    told = np.isfinite(of.scores(np.arange(size))).any(axis=0)
    heads: dict[str, object] = {
        "cell": [f"{x:0{d}b}" for x in shown.tolist()],
        data.classes[0]: of.counts[0, shown].astype(int),
        data.classes[1]: of.counts[1, shown].astype(int),
        "table": np.where(told, posterior(of.scores(np.arange(size)))[1], np.nan)[shown],
        "naive": posterior(naive.scores(bits_of(d)))[1][shown] if rows.any() else np.full(len(shown), np.nan),
    }
    if truth is not None:
        total = truth.sum(axis=0)
        heads["truth"] = np.where(total > 0, truth[1] / np.where(total > 0, total, 1), np.nan)[shown]
    marked = tuple(np.flatnonzero(shown == here).tolist())
    note = f"P({data.classes[1]} | cell) by each"
    return columns("cells", heads, note=note, marked=marked)
