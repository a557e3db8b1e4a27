"""The rows that the first means lie on."""

from typing import Literal

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.toolbox.clusters import greedy_draws, plus_plus, random_rows

Start = Literal["k-means++", "greedy", "rows", "assignment"]

DRAWN = {
    "k-means++": "drawn by k-means++: the farther from those before, the likelier",
    "greedy": "drawn by k-means++, each the best of several draws",
    "rows": "drawn at random",
}


def first_rows(data: Dataset, k: int, start: Start, seed: int) -> Array:
    """(k,) rows of the data, for every start but a random assignment."""
    rng = np.random.default_rng((seed, 0))
    if start == "rows":
        return random_rows(data.n, k, rng)
    return plus_plus(data.X, k, rng, greedy_draws(k) if start == "greedy" else 1)
