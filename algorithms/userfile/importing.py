"""A file or module of the reader's, imported: what in it can be watched."""

import importlib
import importlib.util
import inspect
import linecache
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType, FunctionType, GeneratorType, ModuleType
from typing import Any

from algorithms.core.algorithm import Algorithm
from algorithms.core.errors import Refused
from algorithms.userfile.plain import Description
from algorithms.userfile.signature import takes
from algorithms.userfile.spec import Spec, its_argv
from algorithms.userfile.stepping import steppable, yields_of
from algorithms.userfile.steps import Script
from algorithms.userfile.view import View

IMPORTING = 30.0  # seconds that a file may take to be imported
WAITED = 2.0  # seconds of them after which it is said what is waited for
listeners: list[Callable[[bool], None]] = []  # are told that an import begins (True) and that it is over
_LONGEST = 1_000  # characters of an error's text
_THAT_DO_SOMETHING = {"antigravity", "this"}  # when they are imported: a browser opens, a poem is printed
_PLAIN_DEF = "`def` in place of `async def` makes one that can be watched"
_AROUND_METHOD = "a function around it can be watched, `def run(X): yield from {owner}(...).{method}(X)`"


def import_target(spec: str) -> Algorithm | Callable[..., Any]:
    """Import the ALGORITHM or the generator function of "mine.py", "mine.py:name" or "package.module:name".

    Raises:
        Refused: when it cannot be imported, with the line, or holds nothing of the kind.
    """
    parts = Spec.of(spec)
    place = parts.place
    with told(), its_argv(parts):
        module = _file(Path(place)) if place.endswith(".py") else _module(place)
    if parts.name:
        return _named_target(module, place, parts.name)
    declared = getattr(module, "ALGORITHM", None)
    if isinstance(declared, Algorithm):
        return declared
    functions = _generators(module) or _others(module)
    if not functions:
        raise Refused(_why_none(module, place))
    if len(functions) > 1:
        raise Refused(f"{place} holds several generator functions: say which, {place}:{' or :'.join(functions)}.")
    (only,) = functions.values()
    return only


@contextmanager
def told() -> Iterator[None]:
    """Tell the listeners of an import, here or in another process."""
    for listener in listeners:
        listener(True)
    try:
        yield
    finally:
        for listener in listeners:
            listener(False)


def _named_target(module: ModuleType, place: str, name: str) -> Algorithm | Callable[..., Any]:
    target: Any = getattr(module, name, None)
    if isinstance(target, Algorithm) or (inspect.isgeneratorfunction(target) and not isinstance(target, partial)):
        return target
    owner, dot, method = name.partition(".")
    if inspect.isasyncgenfunction(target):
        raise Refused(f"{name} in {place} is an async generator: {_PLAIN_DEF}.")
    if dot and inspect.isgeneratorfunction(getattr(getattr(module, owner, None), method, None)):
        raise Refused(f"{name} in {place} is a method: {_AROUND_METHOD.format(owner=owner, method=method)}.")
    stepped = None if target is None else steppable(name, target, module.__name__)
    if stepped is not None:
        return stepped
    if target is None:
        raise Refused(f"there is no {name!r} in {place}{_hint(module)}.")
    raise Refused(f"{name} in {place} is neither an Algorithm nor a generator function, nor gives one{_hint(module)}.")


def _why_none(module: ModuleType, place: str) -> str:
    """Say why there is nothing to be watched in a module: the generators that it has may be of another kind."""
    own = [(n, thing) for n, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
    for name, thing in own:
        if inspect.isasyncgenfunction(thing):
            return f"{place} holds no generator function but {name}, which is an async one: {_PLAIN_DEF}."
    for owner, thing in own:
        methods = vars(thing).items() if isinstance(thing, type) else ()
        for method, function in methods:
            if inspect.isgeneratorfunction(getattr(function, "__func__", function)):
                around = _AROUND_METHOD.format(owner=owner, method=method)
                return f"{place} holds no generator function outside a class; {owner}.{method} is a method: {around}."
    return f"{place} holds no generator function: there is no `def` with a `yield` in it, and no ALGORITHM."


def slow_import(what: str) -> str:
    """Say what is waited for."""
    return f"{what} is being imported, for which it has {IMPORTING:g} seconds."


def describe(function: Callable[..., Any]) -> Description:
    """Describe a generator function in words and types, with the VIEW beside it.

    Raises:
        Refused: where that VIEW cannot be meant.
    """
    about = inspect.getdoc(function) or inspect.getdoc(inspect.getmodule(function)) or ""
    view = view_beside(getattr(sys.modules.get(function.__module__), "__dict__", {}))
    return Description(function.__name__, about, script_of(function), takes(function), view)


def view_beside(names: Mapping[str, Any]) -> View:
    """Read the VIEW among the names of a module, if there is one."""
    return View.read(names.get("VIEW"), "VIEW")


def script_of(thing: Any) -> Script:
    """Read the source of a function or a code object, as it is on disk now; no lines where there is none."""
    linecache.checkcache()
    thing = yields_of(thing) or thing
    code = getattr(thing, "__code__", thing)
    try:
        lines, first = inspect.getsourcelines(thing)
    except (OSError, TypeError):
        return Script(code.co_filename, code.co_firstlineno, ())
    return Script(code.co_filename, max(first, 1), tuple(line.rstrip("\n") for line in lines))


def _generators(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """Collect the generator functions made in a module, without those with an underscore where there are others."""
    own = {
        name: thing
        for name, thing in vars(module).items()
        if inspect.isgeneratorfunction(thing) and thing.__module__ == module.__name__
    }
    plain = {name: thing for name, thing in own.items() if not name.startswith("_")}
    return plain or own


def _others(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """Collect what else can be stepped through of what is made in a module: the objects, where there are any."""
    found: dict[str, Callable[..., Any]] = {}
    kinds: dict[str, Callable[..., Any]] = {}
    for name, thing in vars(module).items():
        own = thing if isinstance(thing, type | FunctionType) else type(thing)
        if name.startswith("_") or not (own.__module__ == module.__name__ or own is GeneratorType):
            continue
        stepped = steppable(name, thing, module.__name__)
        if stepped is not None:
            (kinds if isinstance(thing, type) else found)[name] = stepped
    return found or kinds


def _hint(module: ModuleType) -> str:
    names = list(_generators(module))
    return f"; it holds {', '.join(names)}" if names else ""


def _file(path: Path) -> ModuleType:
    if not os.path.isfile(path):
        raise Refused(f"there is no file {path}.")
    path = path.resolve()
    for name in {beside.stem for beside in path.parent.glob("*.py")} & sys.stdlib_module_names - _THAT_DO_SOMETHING:
        with suppress(ImportError):  # random.py: what imports Python's goes on to get that
            importlib.import_module(name)
    if str(path.parent) not in sys.path:  # its neighbours are to be imported as when it is run
        sys.path.insert(0, str(path.parent))
    free = path.stem.isidentifier() and path.stem not in sys.modules and path.stem not in sys.stdlib_module_names
    name = path.stem if free else f"own_{abs(hash(str(path)))}"
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
        raise Refused(_import_error(error, str(path))) from error
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
        raise Refused(_import_error(error, name.replace(".", "/"))) from error


def _import_error(error: BaseException, place: str) -> str:
    """Say what the import raised, in one sentence with the file and the line."""
    if isinstance(error, SyntaxError):
        line = f", line {error.lineno}" if error.lineno else ""  # a byte that is 0 has none, nor a file
        return f"{error.filename or place}{line}: {error.msg}."
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    reason = reason if len(reason) <= _LONGEST else f"{reason[:_LONGEST]}…"
    entries = [e for e in traceback.extract_tb(error.__traceback__) if place in e.filename]
    where = f"{entries[-1].filename}, line {entries[-1].lineno}" if entries else place
    return f"{where}: {reason}, while it was imported.".replace("\n", " ")


def locals_of(frame: FrameType | None) -> dict[str, Any]:
    """Copy the local variables of a frame; none where there is none."""
    return dict(frame.f_locals) if frame is not None else {}
