"""The states of a plain generator: each thing that it yields copied, with the line and the local variables."""

import ast
import os
import threading
import traceback
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core.errors import Raised
from algorithms.userfile.meaning import is_round
from algorithms.userfile.spec import NO_WORDS, Spec, its_argv
from algorithms.userfile.state import START, STEP, PlainState
from algorithms.userfile.values import Fields, arrays_in, short_locals, yielded_fields
from algorithms.userfile.view import NO_VIEW, View

IN_PLACE = "{what} was changed in place since it was last yielded: what is shown is a copy of each time"
_LONGEST_PHASE, _LONGEST_WARNING, _LONGEST_NAME = 24, 200, 16  # characters
_AS_IT_IS = {"float", "int", "list", "tuple", "bool"}  # calls that leave a value what it is


class Script(Struct, frozen=True):
    """A generator function as text.

    Attributes:
        file, first, lines: where it stands; no lines when its source cannot be found.
    """

    file: str
    first: int
    lines: tuple[str, ...]


class PlainSteps(Iterator[PlainState]):
    """The run of a generator, a PlainState for each thing it yields; the first, before any, for its call.

    Args:
        call: makes the generator; it is called for the second state.
        script: its source.
        spec: what was typed for it, whose words it finds in sys.argv.
        view: how its fields are shown; what that needs of the local variables is a field, too.
        made: so many iterations were made before, by the run that it goes on with.

    Attributes:
        gi_frame: where the generator stands, as a generator of our own would say it.
    """

    def __init__(
        self, call: Callable[[], Any], script: Script, spec: Spec = NO_WORDS, view: View = NO_VIEW, made: int = 0
    ):
        self._call, self._script, self._spec, self._view, self._made = call, script, spec, view, made
        self.gi_frame = SimpleNamespace(f_lasti=0, f_lineno=script.first)
        self._run: Generator[Any, None, Any] | None = None
        self._t = 0
        self._before: dict[str, Any] = {}
        self._fields: Fields = ()

    def __next__(self) -> PlainState:
        t, self._t = self._t, self._t + 1
        if t == 0:
            return PlainState(phase=START)
        try:
            with heard_warnings() as warned, its_argv(self._spec):
                if self._run is None:
                    self._run = iterator(self._call())
                yielded = next(self._run)
        except StopIteration:
            raise
        except (Exception, SystemExit) as error:  # it ends the run, and not this program
            raise as_raised(error, self._script.file) from error
        return self._state(t, yielded, "; ".join(warned))

    def _state(self, t: int, yielded: Any, warned: str) -> PlainState:
        frame = getattr(self._run, "gi_frame", None)
        variables: dict[str, Any] = {}
        if frame is not None:
            self.gi_frame.f_lasti, self.gi_frame.f_lineno = frame.f_lasti, frame.f_lineno
            variables = frame.f_locals
        names = _yielded_names(self._script).get(self.gi_frame.f_lineno, ())
        fields = yielded_fields(yielded, names)
        for name in self._view.others:
            if name in variables and all(name != known for known, _ in fields):
                fields += yielded_fields(variables[name], (name,))
        remark = self._changed_in_place(yielded, names, fields)
        self._fields = fields
        rounds, frame_now = rounds_in(fields, t + self._made, self._view), short_locals(variables)
        return PlainState(
            t=t, iteration=rounds, phase=phase_in(fields), fields=fields, frame=frame_now, remark=remark, warned=warned
        )

    def _changed_in_place(self, yielded: Any, names: tuple[str, ...], fields: Fields) -> str:
        """Say that the very object of the step before came again with something else in it; "" when none did."""
        now: dict[str, Any] = dict(arrays_in(yielded))
        old, self._before = self._before, now
        again = [key for key in now if key in old and old[key] is now[key]]
        for key in again:
            name = names[int(key[6:])] if key.startswith("value ") and len(names) > 1 else key
            name = name or (names[0] if len(names) == 1 else "")
            if not _alike(_of(name, fields), _of(name, self._fields)):
                return IN_PLACE.format(what=name or f"the same {type(now[key]).__name__}")
        return ""


def iterator(thing: Any) -> Any:
    """Get what yields: a generator itself, of another object its iterator."""
    if not hasattr(thing, "__next__") and not hasattr(thing, "__iter__"):
        raise TypeError(f"it gave {type(thing).__name__}, which cannot be stepped through")
    return thing if hasattr(thing, "__next__") else iter(thing)


def rounds_in(fields: Fields, t: int, view: View = NO_VIEW) -> int:
    """Read which iteration it is: a whole number that VIEW says is it, or of such a name; else the step."""
    numbers = [(name, value) for name, value in fields if type(value) is int]
    said = next((value for name, value in numbers if view.asks(name, "iteration")), None)
    return next((value for name, value in numbers if is_round(name)), t) if said is None else said


def phase_in(fields: Fields) -> str:
    """Read the phase that is yielded, where one is: a text of that name."""
    phase = next((value for name, value in fields if name == "phase" and isinstance(value, str)), "")
    return phase if phase and len(phase) <= _LONGEST_PHASE and phase != START else STEP


@contextmanager
def heard_warnings() -> Iterator[list[str]]:
    """Listen to the warnings that are shown meanwhile, in the main thread; they are shown nevertheless."""
    heard: list[str] = []
    if threading.current_thread() is not threading.main_thread():  # whoever listens is one for the whole process
        yield heard
        return
    shown = warnings.showwarning

    def hear(
        message: Any, category: type[Warning], filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        heard.append(f"{category.__name__}: {message} ({os.path.basename(filename)}, line {lineno})"[:_LONGEST_WARNING])
        shown(message, category, filename, lineno, file, line)

    warnings.showwarning = hear
    try:
        yield heard
    finally:
        if warnings.showwarning is hear:
            warnings.showwarning = shown


def as_raised(error: BaseException, file: str) -> Raised:
    """Say an error with the innermost line of the file in question."""
    lines = [entry.lineno or 0 for entry in traceback.extract_tb(error.__traceback__) if entry.filename == file]
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    details = "".join(traceback.format_exception(error))
    return Raised(reason, lines[-1] if lines else 0, details)


def _of(name: str, fields: Fields) -> Fields:
    """Choose the fields that a part of that name was taken apart into; all of them where none has it."""
    return tuple(field for field in fields if field[0] == name or field[0].startswith(f"{name}.")) or fields


def _alike(a: Fields, b: Fields) -> bool:
    if len(a) != len(b):
        return False
    for (name, mine), (other, theirs) in zip(a, b):
        if name != other or type(mine) is not type(theirs):
            return False
        equal = np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
        if not equal and not (mine != mine and theirs != theirs if isinstance(mine, float) else False):
            return False
    return True


@lru_cache(32)
def _yielded_names(script: Script) -> dict[int, tuple[str, ...]]:
    """Read, by line, the names that a yield gives to what it yields: `yield centres, labels`."""
    indent = len(script.lines[0]) - len(script.lines[0].lstrip()) if script.lines else 0
    try:
        tree = ast.parse("\n".join(line[indent:] for line in script.lines))
    except SyntaxError:
        return {}
    names_by_line: dict[int, tuple[str, ...]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Yield) and node.value is not None:
            several = isinstance(node.value, ast.Tuple)
            parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            names = _each_once(tuple(_name(part, i, several) for i, part in enumerate(parts)))
            if several or names[0] != "value 0":
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    names_by_line[line + script.first - 1] = names
    return names_by_line


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    """Give those that have one name their places as names."""
    return tuple(name if names.count(name) == 1 else f"value {i}" for i, name in enumerate(names))


def _name(part: ast.expr, i: int, several: bool) -> str:
    """Name a part: `centres` for centres, centres.copy(), centres[:]; a short expression as it is written; of several
    what calls a function as that is called."""
    while True:
        match part:
            case ast.Call(func=ast.Attribute(value=inner, attr="copy"), args=[]):
                part = inner
            case ast.Subscript(value=inner, slice=ast.Slice(lower=None, upper=None)):
                part = inner
            case ast.Name(id=name):
                return name
            case ast.Dict() | ast.Constant() | ast.JoinedStr() | ast.NamedExpr() | ast.List() | ast.Yield():
                return f"value {i}"
            case ast.Call(func=ast.Name(id=name), args=[inner]) if (
                name in _AS_IT_IS and len(ast.unparse(part)) > _LONGEST_NAME
            ):
                part = inner
            case ast.Call(func=called):
                text = ast.unparse(part)
                if len(text) <= _LONGEST_NAME:
                    return text if not text[:1].isupper() else f"value {i}"
                name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                return name if several and name.islower() and len(name) <= _LONGEST_NAME else f"value {i}"
            case ast.Attribute(attr=name) if len(ast.unparse(part)) > _LONGEST_NAME:
                return name if len(name) <= _LONGEST_NAME else f"value {i}"
            case _:
                text = ast.unparse(part)
                return text if len(text) <= _LONGEST_NAME else f"value {i}"
