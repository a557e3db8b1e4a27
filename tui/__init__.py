"""The screen: it shows any algorithm that the catalogue finds, and names none."""

import tui.starting  # noqa: F401  # first: what follows takes long to be imported

# isort: split
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tui.notebook import show as show

__all__ = ["show", "watch"]


def watch(generator: Generator[Any, None, Any]) -> int:
    """Watch a generator of your own, which runs in this process: `watch(my_generator(X))`.

    It returns, with the exit status, when the screen is left; without a terminal it says so and runs nothing.
    """
    from tui.terminal.guard import run  # what is heavy comes in when it is needed

    def app() -> Any:
        from algorithms.playback.runs.loaded_run import LoadedRun
        from tui.app import IterscopeApp

        return IterscopeApp(LoadedRun.of_generator(generator))

    return run(app, instead="python -m algorithms run FILE")


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import `show` when it is first asked for: it paints, and a start does without."""
        if name != "show":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from tui.notebook import show

        return show
