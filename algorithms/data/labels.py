"""What a recipe does to the labels of rows: some classes alone, one against the others, a share of them turned."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.text import counted, listed
from algorithms.data.columns import Rows

FLIPPED = "flipped"  # the truth that says which labels were turned
_STREAM = 4  # of random numbers: not one that orders rows


def of_classes(rows: Rows, classes: Sequence[str], name: str) -> Rows:
    """Take the rows of some classes alone, in the order in which the classes are known.

    Raises:
        Refused: when there are none, one of them is not there, or a single one would be left.
    """
    if rows.kind != "class" or rows.y is None:
        raise Refused(f"{name} has no classes, so none of them can be chosen.")
    for wanted in classes:
        if wanted not in rows.classes:
            raise Refused(f"{rows.target} of {name} is never {wanted!r}; it is {', '.join(rows.classes)}.")
    kept = [code for code, known in enumerate(rows.classes) if known in classes]
    if len(kept) < 2:
        raise Refused(f"one class alone leaves nothing to tell apart; choose two or more of {', '.join(rows.classes)}.")
    if len(kept) == len(rows.classes):
        return rows
    which = np.flatnonzero(np.isin(rows.y, kept))
    left_out = listed([known for known in rows.classes if known not in classes])
    return replace(
        rows,
        X=rows.X[which],
        y=np.searchsorted(kept, rows.y[which]),
        classes=tuple(rows.classes[code] for code in kept),
        names=tuple(rows.names[i] for i in which.tolist()) if rows.names else (),
        truth={},
        notices=(*rows.notices, f"{counted(len(rows.y) - len(which), 'row')} of {left_out} were left out."),
    )


def two_classes(rows: Rows, positive: str, name: str) -> Rows:
    """Hold the positive class, as code 1, against all the others, as code 0."""
    if rows.kind != "class" or rows.y is None:
        raise Refused(f"{name} has no classes, so {positive!r} cannot be the positive one.")
    if positive not in rows.classes:
        raise Refused(f"{rows.target} of {name} is never {positive!r}; it is {', '.join(rows.classes)}.")
    code = rows.classes.index(positive)
    other = rows.classes[1 - code] if len(rows.classes) == 2 else f"not {positive}"
    return replace(rows, y=(rows.y == code).astype(np.int64), classes=(other, positive))


def with_flipped(rows: Rows, training: Array, share: float, seed: int, name: str) -> Rows:
    """Turn the labels of a share of the training rows, each into another class; the truth says which.

    Raises:
        Refused: when there are no classes.
    """
    if rows.kind != "class" or rows.y is None:
        raise Refused(f"{name} has no classes, so no label can be turned.")
    rng = np.random.default_rng((seed, _STREAM))
    chosen = training[np.sort(rng.random(len(training)).argsort()[: round(share * len(training))])]
    y = rows.y.copy()
    y[chosen] = (y[chosen] + rng.integers(1, len(rows.classes), len(chosen))) % len(rows.classes)
    flipped = np.isin(np.arange(len(y)), chosen)
    turned = f"the labels of {counted(len(chosen), 'row')} were turned on purpose (seed {seed})."
    return replace(rows, y=y, truth={**rows.truth, FLIPPED: flipped}, notices=(*rows.notices, turned))
