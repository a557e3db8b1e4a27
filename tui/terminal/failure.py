"""An error of the app itself, told so that it can be passed on: where it happened, and nothing of the data."""

import linecache
import sys
import traceback
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App


def keep_data_out(app: "App[Any]") -> None:
    """Have the app tell of an error of its own by `report`.

    Textual prints every local variable of every frame, and has no public place to change that.
    """
    if "debug" in app.features:
        return
    from rich.text import Text

    reported = False

    def fatal_error() -> None:
        nonlocal reported
        error = sys.exception()
        if error is not None and not reported:  # what else fails while the app closes is a consequence
            reported = True
            app.panic(Text(report(error)))

    app._fatal_error = fatal_error  # type: ignore[method-assign]


def end_with(app: "App[Any]", error: Exception) -> None:
    """End the app on an error from outside its loop, told as its own are; called in the loop."""
    try:
        raise error
    except Exception:
        app._fatal_error()


def report(error: BaseException) -> str:
    """Describe the kind of error and the places it went through.

    The error's own text and the local variables are left out: both quote what is in the data
    ("could not convert string to float: 'Alice'"). Places are modules and lines, not paths, which name people.
    """
    return (
        f"iterscope ended on an error of its own, {type(error).__name__}.\n{places_of(error)}\n"
        "\nIts text is left out, as it may quote your data; with TEXTUAL=debug in the environment it is shown."
    )


def places_of(error: BaseException) -> str:
    """List the places that an error, and those it was raised from, went through."""
    parts: list[str] = []
    for link in reversed(list(_chain(error))):
        parts.append(f"\n{type(link).__name__}, raised through")
        parts.extend(_places(link))
    return "\n".join(parts)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """List the error, what it was raised from, and so on back."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)


def _places(error: BaseException) -> Iterator[str]:
    from algorithms.core.text import clean  # with all that is heavy, which is there when something failed

    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        yield clean(f"  {frame.f_globals.get('__name__', '?')}, line {line}, in {code.co_name}")
        source = linecache.getline(code.co_filename, line, frame.f_globals).strip()
        if source:
            yield clean(f"    {source}")
