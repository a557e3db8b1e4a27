"""From runs to a session: the tree, what is in hand, and what the states were at some steps of each branch."""

import os
import platform
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core.catalogue import find, names
from algorithms.core.dataset import NoData, Source
from algorithms.core.errors import Refused
from algorithms.core.text import printable
from algorithms.saving.files import file_name
from algorithms.saving.session.schema import (
    ALONE,
    FORMAT,
    MOST_BRANCHES,
    MOST_NOTED,
    MOST_TRACED,
    NO_CHANGE,
    TRACED_A_ROW,
    VERSION,
    NotedStep,
    SavedBranch,
    SavedChange,
    SavedComparison,
    Session,
    Shown,
)
from algorithms.saving.session.sources import written
from algorithms.saving.session.values import plain_field, plain_parameter
from algorithms.timeline.branches import Branch, Branches, Change
from algorithms.timeline.digests import TRACE, Digester

_EVENLY = 8  # noted steps at even distances, besides those at powers of 4 from where a branch begins


def session_of(
    branches: Branches,
    source: Source | None,
    path: str | Path,
    *,
    shown: tuple[Branch, int] | None = None,
    spec: str = "",
    cursors: Mapping[str, int] | None = None,
    breakpoints: Sequence[str] = (),
    view: Mapping[str, Any] | None = None,
    digests: bool = True,
) -> Session:
    """Make the session of these runs, as it can be written to `path`.

    Args:
        source: what the data were made by; rows that only a script can make are written down if they are few.
        shown: the branch in hand and its step, the start of the first if nothing is.
        spec: the reader's own file or module that the algorithm is in, "" for one of the catalogue.
        cursors: the step that is shown of each branch, by name.
        view: how a screen shows it, in plain values.
        digests: whether states are noted, against which its replay is held; in a long run that takes a while.

    Raises:
        Refused: when it cannot be written down, with the reason.
    """
    first = branches.root.timeline
    algorithm = first.algorithm
    if not spec and (algorithm.name not in names() or find(algorithm.name) is not algorithm):
        raise Refused(f"{algorithm.title} was made by a script, and a session holds no code: nothing could open it.")
    runs = branches.all
    if len(runs) > MOST_BRANCHES:
        raise Refused(f"a session holds {MOST_BRANCHES} branches at most, and these are {len(runs)}: delete some.")
    hand, t = shown or (branches.root, 0)
    at = dict(cursors or {}) | {hand.name: t}
    digester = Digester()
    return Session(
        algorithm=algorithm.name,
        data=written(source, first.data, Path(path).parent),
        cursor=Shown(hand.name, t),
        branches=tuple(_branch(branch, at.get(branch.name, 0), digests) for branch in runs),
        states={branch.name: _states(branch, at.get(branch.name, 0), digester) for branch in runs if digests},
        format=FORMAT,
        version=ALONE,
        traces={branch.name: traced for branch in runs if digests and (traced := _trace(branch, digester))},
        parameters={name: plain_parameter(name, value) for name, value in first.parameters.items()},
        spec=spec,
        breakpoints=tuple(breakpoints),
        view=dict(view or {}),
        written_by=here(),
    )


def together(session: Session, beside: Sequence[Session], compared: SavedComparison) -> Session:
    """Put a comparison into a session, with those of the runs from elsewhere that stand in it."""
    return replace(session, version=VERSION, beside=tuple(beside), compared=compared)


@cache
def here() -> str:
    """Name what runs on what: that on which the last bits of a sum depend."""
    from importlib.metadata import PackageNotFoundError, version  # 50 modules, which no start needs

    try:
        own = version("iterscope")
    except PackageNotFoundError:
        own = "from a folder"
    built: dict[str, Any] = np.show_config(mode="dicts") or {}  # type: ignore[assignment]
    blas = built.get("Build Dependencies", {}).get("blas", {})
    vectors = built.get("SIMD Extensions", {}).get("found", [])[-1:]
    parts = (
        f"iterscope {own}",
        f"NumPy {np.__version__}",
        f"{blas.get('name', 'no BLAS')} {blas.get('version', '')}".strip(),
        " ".join([platform.system(), platform.machine(), *vectors]),
    )
    return printable(", ".join(parts))


def digested_steps(begin: int, last: int, also: Sequence[int] = ()) -> list[int]:
    """Choose the steps of a branch whose states are noted: both ends, powers of 4, even distances, and some others."""
    steps = {begin, last}
    steps.update(begin + 4**i for i in range(16) if begin + 4**i < last)
    steps.update(begin + (last - begin) * i // _EVENLY for i in range(1, _EVENLY))
    for t in also:
        if begin <= t <= last and len(steps) < MOST_NOTED:
            steps.add(t)
    return sorted(steps)


def _branch(branch: Branch, cursor: int, digests: bool) -> SavedBranch:
    return SavedBranch(
        name=branch.name,
        parent=branch.parent.name if branch.parent else "",
        at=branch.at,
        cursor=max(min(cursor, branch.timeline.last), 0),
        ended=digests and branch.timeline.stopped is not None,  # which is held against the last step that is noted
        change=_change(branch.change),
    )


def _states(branch: Branch, cursor: int, digester: Digester) -> tuple[NotedStep, ...]:
    run = branch.timeline
    if run.last < run.begin:  # it has not begun
        return ()
    steps = digested_steps(run.begin, run.last, [cursor, *(child.begin for child in branch.children)])
    frames = [run.at(t) for t in steps]
    return tuple(NotedStep(t, digester.of(frame.state)) for t, frame in zip(steps, frames) if frame.t == t)


def _trace(branch: Branch, digester: Digester) -> tuple[str, ...]:
    """Write every step in two bytes, as far as the states are at hand; nothing where they would have to be replayed."""
    run = branch.timeline
    if run.stride > 1 or run.last - run.begin >= MOST_TRACED:
        return ()
    digits = b"".join(digester.trace(run.at(t).state) for t in range(run.begin, run.last + 1)).hex()
    width = 2 * TRACE * TRACED_A_ROW
    return tuple(digits[i : i + width] for i in range(0, len(digits), width))


def _change(change: Change) -> SavedChange:
    if change == Change():
        return NO_CHANGE
    return SavedChange(
        parameters={name: plain_parameter(name, value) for name, value in change.parameters.items()},
        edits=tuple(change.edits),
        state={name: plain_field(name, value) for name, value in change.state.items()},
    )


def default_name(algorithm: str, data: str) -> str:
    """Say what a session is called when nobody calls it anything else: "lloyd-faithful.json"."""
    if data == NoData.name:
        return file_name(algorithm, ".json")
    return file_name(f"{algorithm}-{Path(os.path.basename(data)).stem or data}", ".json")
