"""Panels of coefficients: as bars, and along what they depend on."""

from typing import Literal

import numpy as np

from algorithms.core import Array, Bars, Cursor, Labels, Panel, Path
from algorithms.core.scene import Tone


def coefficient_bars(names: tuple[str, ...], w: Array, title: str = "coefficients", note: str = "") -> Panel:
    """Draw (p,) coefficients as bars, those below 0 in another tone."""
    tones: tuple[Tone, ...] = tuple("accent" if value >= 0 else "wrong" for value in w.tolist())
    return Panel(title=title, marks=(Bars(heights=w, names=names, tones=tones),), note=note)


def coefficient_paths(
    names: tuple[str, ...],
    along: Array,
    w: Array,
    at: float | None,
    *,
    axis: str,
    log: Literal["", "x"] = "",
    title: str = "coefficients",
    note: str = "",
    most: int = 8,
) -> Panel:
    """Draw each coefficient along a parameter; the `most` that come to be largest have their names beside their end.

    Args:
        names: of the p coefficients.
        along: (v,) values of the parameter, in the order in which w follows.
        w: (v, p).
        at: the value that is looked at, None for none.
    """
    largest = np.sort(np.abs(w[-1]).argsort(kind="stable")[::-1][:most])
    lines = tuple(Path(at=np.column_stack([along, w[:, j]]), tone=i) for i, j in enumerate(largest))
    rest = tuple(Path(at=np.column_stack([along, w[:, j]]), tone="muted") for j in set(range(w.shape[1])) - {*largest})
    ends = np.column_stack([np.full(len(largest), along[-1]), w[-1, largest]])
    labels = Labels(at=ends, texts=tuple(names[j] for j in largest), tones=tuple(range(len(largest))), glyph="·")
    cursor = () if at is None else (Cursor(x=at, name=f"{axis} = {at:.4g}"),)
    marks, axes = (*cursor, *rest, *lines, labels), (axis, "coefficient")
    title += f" along {axis}, logarithmic" * bool(log)
    return Panel(title=title, marks=marks, axes=axes, log=log, note=note)
