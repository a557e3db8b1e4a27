"""Where a statement is seen, in words: the command that one types, and what to look at then."""

from algorithms.lectures.statements import Statement


def commands(one: Statement) -> tuple[str, ...]:
    """List what to type to see a statement: its run first, then its demos."""
    run = (f"python -m tui {one.run}",) if one.run else ()
    return (*run, *(demo_command(demo) for demo in one.demo))


def demo_command(demo: str) -> str:
    """Write the command that shows a file of demos/: a session is opened, a script is run."""
    return f"python -m tui --open demos/{demo}" if demo.endswith(".json") else f"python demos/{demo}"


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
