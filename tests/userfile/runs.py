"""Runs of a reader's own declaration, in a process of its own, to their end."""

from algorithms import Timeline, load


def run_of(path: str, **parameters: object) -> Timeline:
    algorithm = load(path, apart=True)
    run = Timeline(algorithm, algorithm.datasets[0], parameters)
    on(run)
    return run


def on(run: Timeline) -> Timeline:
    while not run.stopped:
        run.advance(1_000_000, 0.05)
    return run
