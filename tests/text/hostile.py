"""Text that would steer a terminal, a program or a spreadsheet, wherever a reader can put text."""

import re

import numpy as np

from algorithms import Algorithm, Dataset
from algorithms.core import (
    Array,
    Arrow,
    Curve,
    Event,
    Labels,
    Needs,
    Panel,
    Path,
    Points,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Table,
    Theorem,
    Tree,
)

STEERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff\U000e0000-\U000e007f]"
)
PAYLOADS = (
    "\x1b]0;PWNED\x07",  # the window's title
    "\x1b[2J\x1b[HPWNED",  # the screen cleared
    "\x9b31mPWNED",  # eight bits
    "\u202ePWNED\u2066",  # right to left
    "[@click=app.quit]PWNED[/]",  # an action
    "[/nope]PWNED[b",  # markup that is none
    "=cmd|'/c PWNED'!A1",  # a formula
    "PWNED\r\n\x08\x08\x00",
    "\x1bPPWNED\x1b\\",
    "</text><script>PWNED</script>&",
    "\U000e0050\U000e0057PWNED\ufeff",
)


class HostileState(State, frozen=True, kw_only=True):
    w: Array
    note: str = ""


def hostile(
    data: Dataset, state: HostileState | None = None, *, eta: float = 0.1, word: str = PAYLOADS[1]
) -> Run[HostileState]:
    """\x1b]0;PWNED\x07 [@click=app.quit]PWNED[/]"""
    if state is None:
        state = HostileState(w=np.ones(2), note=PAYLOADS[0])
        yield state
    while state.t < 12:
        state = state.after("\x1b[2JPWNED", w=state.w * (1 - eta), note=PAYLOADS[state.t % len(PAYLOADS)])
        yield state
    raise RuntimeError("\x1b]0;PWNED\x07\x1b[2J\u202e[@click=app.quit]PWNED[/]")


def scene(problem: Problem, before: HostileState | None, after: HostileState) -> Scene:
    at = problem.data.X[:4]
    texts = PAYLOADS[:4]
    return Scene(
        (
            Panel(
                title=PAYLOADS[0],
                space="data",
                note=PAYLOADS[1],
                marks=(
                    Points(at=problem.data.X, classes=problem.data.y),
                    Labels(at=at, texts=texts),
                    Path(at=at, name=PAYLOADS[2]),
                    Arrow(start=at[0], end=at[1], name=PAYLOADS[3]),
                ),
            ),
            Panel(title=PAYLOADS[3], axes=(PAYLOADS[4], PAYLOADS[7]), marks=(Path(at=at, name=PAYLOADS[5]),)),
            Panel(title=PAYLOADS[4], marks=(Table(columns=PAYLOADS[:3], rows=(PAYLOADS[3:6], PAYLOADS[6:9])),)),
            Panel(title=PAYLOADS[5], marks=(Tree(parents=np.array([-1, 0]), texts=PAYLOADS[:2]),)),
        )
    )


def explain(problem: Problem, before: HostileState | None, after: HostileState) -> str:
    return " ".join(PAYLOADS)


def broken(problem: Problem, before: HostileState | None, after: HostileState) -> Sides:
    raise ValueError(PAYLOADS[after.t % len(PAYLOADS)])


def dataset() -> Dataset:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    names = (PAYLOADS[0], PAYLOADS[4], PAYLOADS[3])
    return Dataset(
        X,
        (X[:, 0] > 0).astype(int),
        name=PAYLOADS[1],
        features=names,
        classes=(PAYLOADS[5], PAYLOADS[6]),
        target=PAYLOADS[2],
        notices=(PAYLOADS[8], PAYLOADS[9]),
    )


class HostileSource:
    """Data of a name like the others."""

    name = PAYLOADS[1]

    def load(self) -> Dataset:
        return dataset()


ALGORITHM = Algorithm(
    hostile,
    title=PAYLOADS[0],
    summary=PAYLOADS[1] + PAYLOADS[4],
    rule=PAYLOADS[2] + "\n" + PAYLOADS[5],
    needs=Needs(),
    phases={"start": PAYLOADS[3], "\x1b[2JPWNED": PAYLOADS[4]},
    events=(Event(PAYLOADS[5], lambda before, after: after.t % 3 == 0),),
    curves=(Curve(PAYLOADS[6], lambda problem, state: float(state.w.sum()), formula=PAYLOADS[0], chart=PAYLOADS[1]),),
    theorems=(
        Theorem(PAYLOADS[2], lambda p, b, a: Sides((PAYLOADS[3], 1.0), (PAYLOADS[4], 2.0)), source=PAYLOADS[5]),
        Theorem(PAYLOADS[6], broken, source=PAYLOADS[0]),
    ),
    scene=scene,
    explain=explain,
    datasets=(HostileSource(),),
    references=PAYLOADS,
)
