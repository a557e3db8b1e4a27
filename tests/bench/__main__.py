"""`python -m tests.bench [--sizes S,M,L] [--only NAME]`: the table of ratios, with the targets beside them."""

import argparse
import sys
import warnings

from tests.bench.growth import GROWTH
from tests.bench.learning import LEARNING
from tests.bench.presses import PRESSES
from tests.bench.ratio import ratio
from tests.bench.recording import RECORDING
from tests.bench.row import SIZES, Against, Figures, Row
from tests.bench.screen import SCREEN
from tests.bench.sweeping import SWEEPING

ROWS: tuple[Row, ...] = (*LEARNING, *GROWTH, *RECORDING, *SWEEPING, *SCREEN, *PRESSES)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--sizes", default="S,M", help="of S (200x2), M (5,000x20), L (100,000x50); by default S,M")
    parser.add_argument("--only", default="", metavar="NAME", help="rows whose name holds this")
    given = parser.parse_args()
    sizes = [size for size in given.sizes.upper().split(",") if size]
    rows = [row for row in ROWS if given.only.lower() in row.name.lower()]
    if not rows or not set(sizes) <= set(SIZES):
        parser.error(f"there are the sizes {', '.join(SIZES)} and the rows {', '.join(row.name for row in ROWS)}")
    warnings.filterwarnings("ignore")  # scikit-learn's, of runs that are stopped before they converge
    for row in rows:
        if isinstance(row, Against):
            print_against(row, sizes)
        else:
            print_figures(row)
    return 0


def print_against(row: Against, sizes: list[str]) -> None:
    print(f"\n{row.name}{': ' + row.note if row.note else ''}")
    for size in sizes:
        n, d = SIZES[size]
        pair = row.make(n, d)
        found = ratio(pair.ours, pair.theirs)
        target = row.targets.get(size)
        verdict = "" if target is None else f"target {target:5.2f}  {'ok' if found.value <= target else 'short'}"
        print(
            f"  {size} {n:>7,} x {d:<3} ratio {found.value:7.3f} ({found.low:.3f} to {found.high:.3f})  {verdict:20}"
            f"  ours {found.ours * 1e3:10.3f} ms  scikit-learn {found.theirs * 1e3:10.3f} ms  {pair.agree}",
            flush=True,
        )


def print_figures(row: Figures) -> None:
    print(f"\n{row.name}")
    for result in row.measure():
        verdict = "" if result.good is None else "ok" if result.good else "short"
        print(f"  {result.what:58} {result.figure:>14}   {result.target:14} {verdict}".rstrip(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
