"""`python -m tui`, also installed as the command `iterscope`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from algorithms.playback.runs.first_screen import Request
    from tui.app import IterscopeApp
    from tui.classroom.broadcast import Broadcast

_USAGE, _INTERRUPTED = 2, 130


def main(words: Sequence[str] | None = None) -> int:
    """Open what the command line asks for; returns the exit status."""
    if stranger := _stranger():
        print(stranger, file=sys.stderr)
        return _USAGE
    typed, words = words, sys.argv[1:] if words is None else words
    completing = "_ARGCOMPLETE" in os.environ  # a shell asks, and the words are in its line
    request = None
    if words or completing:
        from algorithms.cli.commands import COMMANDS
        from algorithms.cli.completion import words_typed

        if any(word in COMMANDS for word in (words_typed() if completing else words)[:1]):
            from algorithms.__main__ import main as without_screen

            return without_screen(typed, _program())
    if words or completing:  # without any there is nothing to check, and NumPy can wait until the screen is there
        from algorithms.playback.runs.request import read

        try:
            request = read(_program(), words)
        except KeyboardInterrupt:  # a large file was being read
            return _INTERRUPTED
    from tui.terminal.guard import run, tell  # with asyncio, which help and refusals do without

    broadcast = None
    if request is not None and (request.watched_at or request.served_at):
        from algorithms.core import Refused

        try:
            if request.served_at:
                return _serve(words, *request.served_at)
            if request.watched_at:
                from tui.classroom.broadcast import Broadcast

                broadcast = Broadcast(*request.watched_at)
        except Refused as refusal:
            tell(f"{_program()}: {refusal}")
            return _USAGE
    return run(lambda: _app(request, broadcast), instead=f"python -m algorithms {_without_screen(request)}")


def _stranger() -> str:
    """Say whose files stand where ours should, "" where they are ours: others call their package `algorithms`, too."""
    import algorithms

    if "Timeline" in getattr(algorithms, "__all__", ()):
        return ""
    where = (list(getattr(algorithms, "__path__", [])) or ["an unknown place"])[0]
    return (
        f"{_program()}: the package `algorithms` in {where} is another distribution's and not iterscope's. Give "
        "iterscope an environment of its own: `pipx install` or `uv tool install`, or a new one by `python3 -m venv`."
    )


def _serve(words: Sequence[str], host: str, port: int) -> int:
    """Serve what the words ask for to visitors."""
    from importlib.util import find_spec

    from algorithms.core import Refused

    if find_spec("textual_serve") is None:
        raise Refused("--serve needs textual-serve, which is not installed: pip install 'iterscope[serve]'.")
    from tui.classroom.serving import serve, without_serve

    return serve(without_serve(words), host, port)


def _without_screen(request: "Request | None") -> str:
    """Name the command that does as much as can be done without a screen."""
    if request and request.session:
        return f"replay {request.session.path}"
    name = request.opened.spec or request.opened.algorithm.name if request and request.opened else "NAME"
    return f"run {name}"


def _app(request: "Request | None", broadcast: "Broadcast | None" = None) -> "IterscopeApp":
    from tui.app import IterscopeApp  # Textual, which only the screen needs
    from tui.rescue import Rescue
    from tui.settings import Remembered, settings_file
    from tui.terminal.guard import elsewhere

    rescue = None if elsewhere() or request and request.notes else Rescue()  # in a browser visitors change
    shared = elsewhere() or broadcast is not None  # what others see is the same for all
    own = not (shared or request is not None and request.clean)
    settings = Remembered(settings_file() if own else None)
    if request is None:
        return IterscopeApp(rescue=rescue, whole=False, settings=settings)
    return IterscopeApp(
        request.opened,
        request.player,
        request.at,
        request.theme,
        ascii_alone=request.ascii_alone,
        session=request.session,
        against=request.against,
        rescue=rescue,
        front=request.front,
        lesson=request.lesson,
        lessons=request.lessons,
        whole=request.whole,
        notes=request.notes,
        broadcast=broadcast,
        settings=settings,
    )


def _program() -> str:
    """Name the program as it was typed, for the help and for what is said of mistakes."""
    return "python -m tui" if Path(sys.argv[0]).name == "__main__.py" else "iterscope"


if __name__ == "__main__":
    sys.exit(main())
