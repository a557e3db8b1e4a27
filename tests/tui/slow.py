"""A run whose steps take so long that they are made in a thread."""

import time

from algorithms import Algorithm, Dataset
from algorithms.core import Needs, Run
from tests.tiny import TINY, Rows, TinyState, tiny


def slow(data: Dataset, state: TinyState | None = None, *, eta: float = 0.1) -> Run[TinyState]:
    for later in tiny(data, state, eta=eta):
        time.sleep(0.08)
        yield later
    return "30 steps"


SLOW = Algorithm(
    slow,
    title="Slow descent",
    summary="Walks slowly.",
    rule="x ← x - η 2x",
    needs=Needs(),
    phases=TINY.phases,
    scene=TINY.scene,
    explain=TINY.explain,
    datasets=(Rows(),),
)
