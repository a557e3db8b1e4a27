"""Two classes that are both there: what is between them needs a row of each."""

import numpy as np

from algorithms.core import Dataset


def one_alone(data: Dataset, why: str) -> str | None:
    """Why data with rows of one class only will not do, for `validate`; None where both are there."""
    there = np.bincount(np.asarray(data.y), minlength=2)
    return None if there.all() else f"no row of {data.name} is {data.classes[int(there.argmin())]}: {why}."
