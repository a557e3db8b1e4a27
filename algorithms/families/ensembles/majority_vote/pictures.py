"""Panels of a majority's errors: the chances that so many voters are wrong, and how often each of them is."""

from math import ceil, log2

import numpy as np

from algorithms.core import Array, Bars, Panel, Path, Points, columns
from algorithms.core.scene import Mark, Tone

_RARE = 1e-4  # numbers of wrong voters that are less likely are not listed


def tail_panel(chances: Array, seen: Array | None, p: float) -> Panel:
    """Draw the chances over the share of voters that is wrong, half of them and more filled; p and ½ as lines.

    Args:
        chances: (n + 1,) that none, one, ..., all are wrong.
        seen: (n + 1,) the shares of rounds in which they were; None where not all have voted.
        p: chance that one of them is.
    """
    n = len(chances) - 1
    k, across = np.arange(n + 1), max(n, 1)
    tones: tuple[Tone, ...] = tuple("wrong" if 2 * i >= n > 0 else 0 for i in range(n + 1))
    top = min(2.0 ** ceil(log2(1.02 * float(chances.max()))), 1.02)
    marks: list[Mark] = [Bars(heights=chances, edges=(np.arange(n + 2) - 0.5) / across, tones=tones)] if n else []
    marks += [
        Path(at=np.array([[0.5, 0.0], [0.5, top]]), tone="ink", name="half"),
        Path(at=np.array([[p, 0.0], [p, top]]), tone="muted", name="p"),
    ]
    if seen is not None:
        there = seen > 0
        at = np.column_stack([k / across, seen])[there]
        marks.append(Points(at=at, tone="accent", rows=False, names=("share of rounds",)))
    return Panel(
        title="how many are wrong",
        marks=tuple(marks),
        axes=("share of voters wrong", "chance"),
        limits=((-0.02, 1.02), (0.0, top)),
        note=f"n = {n}; red: the majority is wrong",
    )


def voters_panel(shares: Array, most: int, p: float, majority: float, expected: float) -> Panel:
    """Draw how often each voter is wrong, and how often the majority of them.

    Args:
        shares: (n,) of the rounds, by voter.
        most: voters that there will be.
        p: chance that one of them is wrong.
        majority, expected: the share of rounds in which the majority is, and the chance of it; NaN for none.
    """
    marks: list[Mark] = [Path(at=np.array([[0.0, p], [most + 0.5, p]]), tone="muted", name="p")]
    if np.isfinite(expected):
        at = np.array([[0.0, expected], [most + 0.5, expected]])
        marks.append(Path(at=at, tone="wrong", name="majority wrong"))
    marks.append(
        Points(at=np.column_stack([np.arange(1, len(shares) + 1), shares]), tone=0, rows=False, names=("a voter",))
    )
    if np.isfinite(majority):
        marks.append(Points(at=np.array([[len(shares), majority]]), tone="accent", rows=False, names=("rounds",)))
    return Panel(
        title="each voter, and the majority",
        marks=tuple(marks),
        axes=("voter", "share of rounds it is wrong in"),
        limits=((0.0, most + 0.5), (0.0, 1.02)),
    )


def wrong_table(chances: Array, seen: Array | None) -> Panel:
    """List how likely it is that so many are wrong, and in which share of the rounds they were."""
    n = len(chances) - 1
    shares = np.full(n + 1, np.nan) if seen is None else seen
    listed = np.flatnonzero((chances >= _RARE) | (shares > 0))
    tones: tuple[Tone | None, ...] = tuple("wrong" if 2 * k >= n > 0 else None for k in listed.tolist())
    heads = {"wrong": listed, "chance": chances[listed], "rounds": shares[listed]}
    return columns("wrong voters", heads, note=f"of {n}", tones=tones)
