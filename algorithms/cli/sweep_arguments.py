"""The arguments of `sweep`, apart from what makes the runs: help does without that."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from algorithms.cli.arguments import Parser, add_data_flags, add_parameter_flag


def add_arguments(parser: Parser, whole: Callable[[int], Any]) -> None:
    """Add the arguments of `sweep`."""
    parser.add_argument("name", metavar="NAME", help="the algorithm, path/to/mine.py, package.module:name")
    add_parameter_flag(parser)
    parser.add_argument(
        "--over", action="append", required=True, metavar="NAME=VALUES", type=_axis,
        help="a parameter and its values: seed=0:100, eta=1e-3:1:log:20, k=2,3,4; data.seed is one of the data. Given "
        "several times: every combination",
    )  # fmt: skip
    parser.add_argument("--measure", metavar="CURVE,...", help="the curves to print (default: all)")
    parser.add_argument("--jobs", type=whole(1), metavar="N", help="worker processes (default: one a core)")
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="of a Dask cluster that makes the runs: tcp://host:8786"
    )
    parser.add_argument("--steps", type=whole(0), metavar="N", help="stop each run at step N (default: run to the end)")
    parser.add_argument(
        "--format", choices=("table", "csv", "jsonl"), default="table",
        help="table is for reading; csv and jsonl have all digits",
    )  # fmt: skip
    add_data_flags(parser)


def _axis(text: str) -> tuple[str, str]:
    name, equals, values = text.partition("=")
    if not equals or not name.strip():
        raise ArgumentTypeError(f"{text!r} is not name=values, as in seed=0:100")
    return name.strip(), values.strip()
