"""A file or module of the reader's, imported: what in it can be watched."""

import importlib
import importlib.util
import inspect
import linecache
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from algorithms.core.algorithm import Algorithm
from algorithms.core.errors import Refused
from algorithms.userfile.plain import Described
from algorithms.userfile.signature import takes
from algorithms.userfile.steps import Script


def found(spec: str) -> Algorithm | Callable[..., Any]:
    """The ALGORITHM or the generator function that "mine.py", "mine.py:name" or "package.module:name" speaks of.

    Raises:
        Refused: when it cannot be imported, with the line, or holds nothing of the kind.
    """
    place, colon, name = spec.rpartition(":") if ":" in spec else (spec, "", "")
    place = place or spec
    module = _file(Path(place)) if place.endswith(".py") else _module(place)
    if colon:
        thing: Any = getattr(module, name, None)
        if thing is None:
            raise Refused(f"there is no {name!r} in {place}{_hint(module)}.")
        if isinstance(thing, Algorithm) or inspect.isgeneratorfunction(thing):
            return thing  # type: ignore[no-any-return]
        raise Refused(f"{name} in {place} is neither an Algorithm nor a generator function{_hint(module)}.")
    declared = getattr(module, "ALGORITHM", None)
    if isinstance(declared, Algorithm):
        return declared
    functions = _generators(module)
    if not functions:
        raise Refused(f"{place} holds no generator function: there is no `def` with a `yield` in it, and no ALGORITHM.")
    if len(functions) > 1:
        raise Refused(f"{place} holds several generator functions: say which, {place}:{' or :'.join(functions)}.")
    (only,) = functions.values()
    return only


def described(function: Callable[..., Any]) -> Described:
    """What there is to be told of a generator function."""
    about = inspect.getdoc(function) or inspect.getdoc(inspect.getmodule(function)) or ""
    return Described(function.__name__, about, script_of(function), takes(function))


def script_of(thing: Any) -> Script:
    """The source of a function or a code object, as it is on disk now; no lines where there is none."""
    linecache.checkcache()
    code = getattr(thing, "__code__", thing)
    try:
        lines, first = inspect.getsourcelines(thing)
    except (OSError, TypeError):
        return Script(code.co_filename, code.co_firstlineno, ())
    return Script(code.co_filename, max(first, 1), tuple(line.rstrip("\n") for line in lines))


def _generators(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The generator functions made in a module, without those with an underscore where there are others."""
    own = {
        name: thing
        for name, thing in vars(module).items()
        if inspect.isgeneratorfunction(thing) and thing.__module__ == module.__name__
    }
    plain = {name: thing for name, thing in own.items() if not name.startswith("_")}
    return plain or own


def _hint(module: ModuleType) -> str:
    names = list(_generators(module))
    return f"; it holds {', '.join(names)}" if names else ""


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise Refused(f"there is no file {path}.")
    path = path.resolve()
    if str(path.parent) not in sys.path:  # its neighbours are to be imported as when it is run
        sys.path.insert(0, str(path.parent))
    name = path.stem if path.stem.isidentifier() and path.stem not in sys.modules else f"own_{abs(hash(str(path)))}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)  # never one of before an edit
        exec(code, module.__dict__)
    except BaseException as error:
        sys.modules.pop(name, None)
        if isinstance(error, KeyboardInterrupt):
            raise
        raise Refused(_why(error, str(path))) from error
    return module


def _module(name: str) -> ModuleType:
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        if name in sys.modules and name.split(".")[0] not in ("algorithms", "tui"):  # it may have been edited
            return importlib.reload(sys.modules[name])
        return importlib.import_module(name)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise Refused(_why(error, name.replace(".", "/"))) from error


def _why(error: BaseException, place: str) -> str:
    """One sentence with the file and the line."""
    if isinstance(error, SyntaxError):
        line = f", line {error.lineno}" if error.lineno else ""  # a byte that is 0 has none, nor a file
        return f"{error.filename or place}{line}: {error.msg}."
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    entries = [e for e in traceback.extract_tb(error.__traceback__) if place in e.filename]
    where = f"{entries[-1].filename}, line {entries[-1].lineno}" if entries else place
    return f"{where}: {said}, while it was imported.".replace("\n", " ")


def locals_of(frame: FrameType | None) -> dict[str, Any]:
    """The local variables of a frame; none where there is none."""
    return dict(frame.f_locals) if frame is not None else {}
