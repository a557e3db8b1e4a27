"""Panels of a Gram matrix that grows row by row: the matrix, its spectrum, and the witness against a kernel."""

import numpy as np

from algorithms.core import Array, Dataset, Matrix, Panel, Points, columns, numbers
from algorithms.families.kernels.kernel_matrix.kernel_candidates import Candidate

_LISTED = 10  # rows of the witness in its table


def growing(K: Array, rows: int, formula: str) -> Panel:
    """Draw K of the rows so far in the frame of the whole, with the row and column that came last marked at its end."""
    signed = bool((K < 0).any())
    ends = (float(K.min()), float(K.max()))
    return Panel(
        title=f"K, {formula}"[:40],
        marks=(
            Matrix(
                values=K[:rows, :rows],
                signed=signed,
                scale=ends if ends[1] > ends[0] else None,
                shape=K.shape,
                marked=((rows - 1, rows - 1),),
            ),
        ),
        note=f"{rows} of {len(K)} rows, yellow: new" if rows < len(K) else f"{rows} of {len(K)} rows",
    )


def eigenvalues(spectrum: Array, most: int, greatest: float, lost: float) -> Panel:
    """Draw the sizes of the eigenvalues on a logarithmic axis, those below 0 as another kind; none that rounding made.

    Args:
        most, greatest: how many there can be, and how large.
        lost: what rounding may make of one.
    """
    bottom = max(lost, 1e-15 * greatest) or 1e-15  # of a K of noughts
    there = np.abs(spectrum) > bottom
    places = np.column_stack([np.arange(1.0, len(spectrum) + 1), np.abs(spectrum)])[there]
    signs = (spectrum > 0).astype(int)[there]
    points = Points(at=places, classes=signs, rows=False, names=("λ < 0", "λ > 0"))
    return Panel(
        title="spectrum of K, logarithmic",
        marks=(points,) if len(places) else (),
        axes=("λ in order", "size of λ"),
        limits=((0.0, most + 1.0), (bottom, 2 * max(greatest, 2 * bottom))),
        log="y",
        note=f"{int((signs == 0).sum())} below 0, {int((~there).sum())} next to 0",
    )


def witness_on_rows(data: Dataset, witness: Array, refuted: bool) -> Panel:
    """Draw the rows that entered: by the sign of v, larger the more of it they hold; the last one ringed."""
    m = len(witness)
    there = np.arange(data.n) < m
    v = np.zeros(data.n)
    v[:m] = witness / (float(np.abs(witness).max()) or 1.0)
    name = "the witness v" if refuted else "v of the least eigenvalue"
    points = Points(
        at=data.X,
        classes=(v > 0).astype(int),
        weights=np.where(there, 0.15 + 0.85 * np.abs(v), 0.0),
        ringed=np.arange(data.n) == m - 1,
        names=("v below 0", "v above 0"),
        says=lambda row: f"v {witness[row]:.4g}" if row < m else "not in yet",
    )
    return Panel(title=name, space="data", marks=(points,), note="size: |v|, small: not yet in")


def witness_table(data: Dataset, witness: Array, K: Array) -> Panel:
    """List the rows that hold most of v."""
    rows = np.argsort(-np.abs(witness), kind="stable")[:_LISTED]
    heads = {
        "row": rows,
        "v": witness[rows],
        "k(x, x)": np.diagonal(K)[rows],
        "": [data.row(int(i), 2) for i in rows],
    }
    return columns("rows with most of v", heads, note=f"{len(rows)} of {len(witness)}")


def facts(k: Candidate, spectrum: Array, refuted: int, rank: float) -> Panel:
    return numbers(
        {
            **k.parameters,
            "rows that entered": len(spectrum),
            "least eigenvalue": float(spectrum[0]),
            "greatest": float(spectrum[-1]),
            "rank, numerical": int(rank),
            "rows that refuted": refuted or None,
        }
    )


def cost(d: int, features: int | None) -> Panel:
    """List what one k(x, z) takes by its formula, and by φ(x)·φ(z); ∞ where φ is not finite or not known."""
    heads = {
        "": ("features of φ", "multiplications"),
        "k(x, z)": (None, d),
        "φ(x)·φ(z)": ("∞ or unknown",) * 2 if features is None else (features, features),
    }
    return columns("what one value takes", heads)
