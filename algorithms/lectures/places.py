"""Where a statement is seen, in words: the command that one types, and what to look at then."""

from functools import cache
from pathlib import Path

from algorithms.lectures.statements import Statement

_DEMOS = Path(__file__).parents[2] / "demos"
_APP = "python -m tui "


def commands(one: Statement) -> tuple[str, ...]:
    """List what to type to see a statement: its run first, its second place, then its demos."""
    runs = (f"{_APP}{run}" for run in (one.run, one.again) if run)
    return (*runs, *(demo_command(demo) for demo in one.demo))


def demo_command(demo: str) -> str:
    """Write the command that shows a file of demos/: a session is opened, a script is run, an algorithm is watched."""
    return f"{_APP}--open demos/{demo}" if demo.endswith(".json") else _watched(demo) or f"python demos/{demo}"


@cache
def _watched(demo: str) -> str:
    """Read how a file that holds an algorithm is watched, the first thing it says to type; "" of a script."""
    try:
        lines = (_DEMOS / demo).read_text("utf-8").splitlines()
    except OSError:
        return ""
    first = next((line for line in lines if line.startswith("python ")), "")
    return first if first.startswith(f"{_APP}demos/{demo}") else ""


def to_watch(one: Statement) -> str:
    """Write what follows `python -m tui` to watch a statement: its run, or the first demo that holds an algorithm."""
    watched = (_watched(demo) for demo in one.demo)
    return one.run or next((command.removeprefix(_APP) for command in watched if command), "")


def places(one: Statement) -> tuple[tuple[str, str], ...]:
    """List what shows a statement: its kind ("theorem"), and which ones."""
    quoted, plain = _quoted, ", ".join
    every = (
        ("theorem", quoted(one.theorem)),
        ("curve", plain(one.curve)),
        ("panel", quoted(one.panel)),
        ("table", quoted(one.table)),
        ("phase", plain(one.phase)),
        ("sentence", quoted(one.words)),
        ("expectation", quoted(one.expectation)),
        ("parameter", plain(one.option)),
        ("demo", plain(one.demo)),
        ("not seen", one.dropped),
    )
    return tuple((kind, text) for kind, text in every if text)


def _quoted(texts: tuple[str, ...]) -> str:
    return ", ".join(f'"{text}"' for text in texts)
