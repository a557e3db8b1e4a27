"""What tab completes in a shell: commands, algorithms, data sets, parameters, by argcomplete, which asks the parser."""

import os
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from typing import Any

SHELLS = ("bash", "zsh", "fish")


def shell_code(shell: str) -> str:
    """Write what a shell is to read so that tab completes the words of `iterscope`."""
    from argcomplete.shell_integration import shellcode

    return str(shellcode(["iterscope"], shell=shell))


def asked() -> bool:
    """Tell whether a shell has started this process to know what completes a word."""
    return "_ARGCOMPLETE" in os.environ


def words_typed() -> list[str]:
    """Get the words that were typed after the name of the program, as far as they stand before the cursor."""
    line = os.environ.get("COMP_LINE", "")
    return line[: int(os.environ.get("COMP_POINT", len(line)))].split()[1:]


def complete(parser: ArgumentParser, first: Iterable[str] = ()) -> None:
    """Answer the shell, and end the process.

    Args:
        first: what the first word may be besides what the parser says.
    """
    from argcomplete.completers import FilesCompleter
    from argcomplete.finders import CompletionFinder

    files = FilesCompleter()
    for action in _actions(parser):
        if action.dest in ("algorithm", "name", "first", "second"):
            action.completer = _Either(_algorithms, files, first if action.dest == "algorithm" else ())
        elif action.dest == "data":
            action.completer = _Either(_data_sets, files)
        elif action.dest in ("parameter", "set_a", "set_b", "over"):
            action.completer = _parameters
        elif action.dest in ("lesson", "lessons"):
            action.completer = _Either(_lessons, files)
    CompletionFinder()(parser, always_complete_options="long", print_suppressed=True)


class _Either:
    """Names, and files besides."""

    def __init__(self, named: Any, files: Any, more: Iterable[str] = ()):
        self.named, self.files, self.more = named, files, tuple(more)

    def __call__(self, prefix: str, **asked: Any) -> list[str]:
        found = [name for name in (*self.named(), *self.more) if name.startswith(prefix)]
        return found + (list(self.files(prefix=prefix, **asked)) if prefix or not found else [])


def _actions(parser: ArgumentParser) -> Iterator[Any]:
    """Go through a parser's arguments, and those of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action.choices, dict):
            for command, inner in action.choices.items():
                for each in _actions(inner):
                    if command == "lesson" and each.dest == "name":
                        each.dest = "lesson"
                    yield each


def _algorithms() -> Iterable[str]:
    from algorithms.core.catalogue import names

    return names()


def _data_sets() -> Iterable[str]:
    from algorithms.data.named import NAMED

    return NAMED


def _lessons() -> Iterable[str]:
    from algorithms.lectures.lessons import course

    return course()


def _parameters(prefix: str, **_: Any) -> list[str]:
    """Complete NAME=VALUE by the parameters of the algorithm that was typed before."""
    from algorithms.core.catalogue import find, names

    named = next((word for word in words_typed() if word in names()), None)
    if named is None:
        return []
    return [
        f"{parameter.name}={choice}"
        for parameter in find(named).parameters
        for choice in (parameter.choices or ("",))
        if f"{parameter.name}={choice}".startswith(prefix)
    ]
