"""Walk over the app: `python -m tests.hands app|pty SEED COUNT ACTIONS`, or `replay FILE` for one that failed.

A line a walk, then the totals; of one that cannot be opened, as of two algorithms with no data in common, the next is
walked in its place. A walk that fails is written to walks/KIND-SEED.json in the current folder, with what
did not hold beside it; the exit status is 1 then. Timing is not replayed: a walk that failed may hold the next time.
"""

import argparse
import asyncio
import contextlib
import io
import os
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from algorithms import Refused
from tests.hands import in_app, in_pty
from tests.hands.actions import Walk, walk


def main(words: Sequence[str] | None = None) -> int:
    """Do the walks that the words ask for; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.hands", description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    for kind, about in (("app", "in the app's own process"), ("pty", "in a real pseudo-terminal")):
        drawn = kinds.add_parser(kind, help=f"random walks {about}")
        for name in ("seed", "count", "actions"):
            drawn.add_argument(name, type=int)
    again = kinds.add_parser("replay", help="a walk that was written to a file, three times")
    again.add_argument("file", type=Path)
    given = parser.parse_args(words)
    if given.kind == "replay":
        kind = given.file.stem.partition("-")[0]
        read = Walk.read(given.file)
        walks = ((f"{given.file.stem}-again-{i}", read) for i in range(1, 4))
    else:
        kind = given.kind
        walks = ((f"{kind}-{s}", walk(s, given.actions)) for s in count(given.seed))
    return _totals(walks, given.count if given.kind != "replay" else 3, _in_app if kind == "app" else in_pty.walked)


def _totals(walks: Iterator[tuple[str, Walk]], wanted: int, walked: Callable[[Walk], tuple[list[str], str]]) -> int:
    """Do so many walks, tell of each, and of all together."""
    failing: Counter[str] = Counter()
    done = actions = failed = refused = by_chance = 0
    begun = time.monotonic()
    while done < wanted:
        name, each = next(walks)
        began = time.monotonic()
        try:
            failures, about = walked(each)
        except Refused:
            refused += 1
            print(f"{name}: {each}: refused", flush=True)
            continue
        done += 1
        by_chance += in_pty.BY_CHANCE in about
        actions += each.count
        failed += bool(failures)
        print(f"{name}: {each}: {about}, {time.monotonic() - began:.0f} s", flush=True)
        for failure in failures:
            print(f"    FAILS {failure}", flush=True)
        if failures:
            failing[failures[0].rpartition(": ")[2][:150]] += 1
            folder = Path("walks")
            folder.mkdir(exist_ok=True)
            each.write(folder / f"{name}.json")
            (folder / f"{name}.txt").write_text("\n".join(failures))
    seconds = time.monotonic() - begun
    print(
        f"{done} walks ({refused} more could not be opened), {actions:,} actions, {failed} failing, "
        f"{by_chance} came to their quit by chance, {seconds:,.0f} s"
    )
    for failure, times in failing.most_common():
        print(f"{times:4} {failure}")
    return int(failed > 0)


def _in_app(walk: Walk) -> tuple[list[str], str]:
    """Walk in this process, in a folder of its own, with all faults raised."""
    os.environ["ITERSCOPE_STRICT"] = "1"
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stderr(io.StringIO()):
        app = in_app.opened(walk)
        try:
            asyncio.run(in_app.play(lambda: app, walk))
        except in_app.Found as found:
            return [str(found)], "found"
    return [], "holds"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    status = main()
    sys.stdout.flush()
    os._exit(status)  # threads of an app that was frozen are not waited for
