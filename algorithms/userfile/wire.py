"""How a reader's states, scenes and functions pass between the process they live in and the one with the screen.

There, classes of the reader's own are not known: a state arrives as a twin, a struct with the same fields, and goes
back as what it was. A function stays where it is; what arrives is a `RemoteFunction`, which asks for it. A problem is
sent once, and then spoken of by its number.
"""

import io
import pickle
import sys
import types
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import count
from typing import Any

import msgspec
import numpy as np
from msgspec import Meta, Struct

from algorithms.core.problem import Problem
from algorithms.core.state import State, size_of
from algorithms.userfile.allowed import may_hold, may_name, travels

_CALLABLE = (types.FunctionType, types.MethodType, partial)
_META = ("gt", "ge", "lt", "le", "multiple_of", "pattern", "min_length", "max_length", "title", "description")
_STATES, _BYTES = 64, 64 << 20  # states that the other side holds, so that they need not be sent again
_FUNCTIONS = 4096  # of passing scenes; those of the declaration stay

Names = tuple[str, str]  # module ("" for the reader's file itself) and qualified name


class Reference(Struct, frozen=True):
    """A function on the other side, by its number; `name` is for a person."""

    number: int
    name: str


# On the side of the reader's file


class ChildSide:
    """The reader's module: what of it travels, and what stays and is spoken of by number.

    Args:
        module: the name under which the reader's file was imported.
        first: the number of the first passing function, different in each process, so that old ones are known for
            such; the declaration's are numbered from 0, the same in each.
        problem: makes a problem of data and parameters.
    """

    def __init__(self, module: str, first: int, problem: Callable[..., Problem]):
        self._module, self._problem = module, problem
        self._numbers = {True: count(), False: count(first)}
        self._declared: dict[int, Any] = {}
        self._passing: OrderedDict[int, Any] = OrderedDict()
        self._problems: dict[int, Problem] = {}
        self._states: dict[int, State] = {}
        self.declaring = True

    def pack(self, thing: Any) -> bytes:
        """Bytes that `unpack` understands."""
        out = io.BytesIO()
        _ChildPickler(out, self).dump(thing)
        return out.getvalue()

    def unpack(self, body: bytes) -> Any:
        """Read what `ParentSide.pack` made, with the reader's own objects in it."""
        return _ChildUnpickler(io.BytesIO(body), self).load()

    def keep(self, thing: Any) -> Reference:
        """The number of a function that stays here."""
        number = next(self._numbers[self.declaring])
        if self.declaring:
            self._declared[number] = thing
        else:
            self._passing[number] = thing
            if len(self._passing) > _FUNCTIONS:
                self._passing.popitem(last=False)
        return Reference(number, getattr(thing, "__name__", type(thing).__name__))

    def function(self, number: int) -> Any:
        """The function of that number; KeyError when it is gone."""
        return self._declared[number] if number in self._declared else self._passing[number]

    def forget(self, oldest: int) -> None:
        """Drop the states with smaller numbers."""
        for number in [n for n in self._states if n < oldest]:
            del self._states[number]

    def is_userfile(self, cls: type) -> bool:
        """Tell whether a class is the reader's, and so not known on the other side."""
        return cls.__module__ == self._module or not travels(cls)

    def names_of(self, cls: type) -> Names:
        return "" if cls.__module__ == self._module else cls.__module__, cls.__qualname__

    def known_problem(self, number: int, parts: Any) -> Problem:
        """The problem of that number, made when it comes for the first time."""
        if number not in self._problems:
            self._problems[number] = self._problem(*parts)
        return self._problems[number]

    def known_state(self, number: int, state: State | None) -> State:
        """The state of that number, noted when it comes for the first time."""
        if state is not None:
            self._states[number] = state
        return self._states[number]

    def own_class(self, names: Names) -> Any:
        """A class of the reader's by its names."""
        thing: Any = sys.modules[names[0] or self._module]
        for part in names[1].split("."):
            thing = getattr(thing, part)
        return thing


class _ChildPickler(pickle.Pickler):
    def __init__(self, out: io.BytesIO, side: ChildSide):
        super().__init__(out, protocol=5)
        self._side = side

    def reducer_override(self, thing: Any) -> Any:
        side = self._side
        if isinstance(thing, _CALLABLE):
            if isinstance(thing, types.FunctionType) and _importable(thing):
                return NotImplemented
            return RemoteFunction, (side.keep(thing),)
        if isinstance(thing, type):
            known = may_name(thing.__module__, thing.__qualname__)
            return NotImplemented if known else (as_text, ("class", thing.__qualname__))
        if isinstance(thing, Meta):  # msgspec cannot pickle its own
            return meta, ({name: getattr(thing, name) for name in _META if getattr(thing, name) is not None},)
        cls = type(thing)
        if isinstance(thing, Struct) and side.is_userfile(cls):
            fields = cls.__struct_fields__
            values = tuple(getattr(thing, name) for name in fields)
            return twin, (side.names_of(cls), isinstance(thing, State), fields, values)
        if travels(cls):
            return NotImplemented
        if isinstance(thing, np.ndarray):
            return np.asarray(thing).__reduce_ex__(5)
        return (
            (RemoteFunction, (side.keep(thing),)) if callable(thing) else (as_text, (cls.__qualname__, _short(thing)))
        )


def meta(given: dict[str, Any]) -> Meta:
    return Meta(**given)


def _importable(function: types.FunctionType) -> bool:
    """Tell whether the other side has this very function: one of ours, at the top level of its module."""
    return may_name(function.__module__, function.__qualname__)


def _short(thing: Any) -> str:
    try:
        return repr(thing)[:200]
    except Exception as error:
        return f"a {type(thing).__name__} whose repr raises {type(error).__name__}"


class _ChildUnpickler(pickle.Unpickler):
    def __init__(self, source: io.BytesIO, side: ChildSide):
        super().__init__(source)
        self._side = side

    def persistent_load(self, reference: Any) -> Any:
        side = self._side
        match reference:
            case ("function", number):
                return side.function(number)
            case ("problem", number, parts):
                return side.known_problem(number, parts)
            case ("state", number, parts):
                return side.known_state(number, None if parts is None else _restored(side, *parts))
            case ("struct", names, values):
                return side.own_class(names)(**values)
        raise pickle.UnpicklingError(str(reference)[:80])


def _restored(side: ChildSide, names: Names, values: dict[str, Any]) -> State:
    state: State = side.own_class(names)(**values)
    return state


# On the side of the screen


class Opaque(Struct, frozen=True):
    """Something of the reader's that cannot travel, in words."""

    kind: str
    text: str

    def __repr__(self) -> str:
        return self.text


def as_text(kind: str, text: str) -> Opaque:
    return Opaque(kind, text)


@lru_cache(256)
def _twin_class(names: Names, state: bool, fields: tuple[str, ...]) -> type[Struct]:
    own = [(name, Any) for name in fields if not (state and name in State.__struct_fields__)]
    bases = (State,) if state else None
    return msgspec.defstruct(
        names[1].replace(".", "_").replace("<", "_").replace(">", "_"),
        own,
        bases=bases,
        frozen=True,
        kw_only=True,
        eq=False,
        gc=not state,
        namespace={"__own__": names},
    )


def twin(names: Names, state: bool, fields: tuple[str, ...], values: tuple[Any, ...]) -> Struct:
    """A struct with the fields of one of the reader's."""
    return _twin_class(names, state, fields)(**dict(zip(fields, values)))


class RemoteFunction:
    """A function on the other side: calling it asks for it, once the message that it came with has been read.

    Attributes:
        reference: its number there.
        ask: how it is asked: (function, arguments) -> answer; set by who unpacks it.
        hook: the declared function that this one is or came from, for a person.
    """

    ask: Callable[["RemoteFunction", tuple[Any, ...]], Any]

    def __init__(self, reference: Reference):
        self.reference = reference
        self.hook = self.__name__ = reference.name

    def __call__(self, *arguments: Any) -> Any:
        return self.ask(self, arguments)


class ParentSide:
    """What the side of the screen knows of what the other side holds; begun anew with each process."""

    def __init__(self) -> None:
        self._problems: dict[int, tuple[int, Problem]] = {}
        self._states: OrderedDict[int, tuple[int, State, int]] = OrderedDict()
        self._bytes = 0
        self._next = count()
        self.oldest = 0

    def pack(self, thing: Any) -> bytes:
        """Bytes that `ChildSide.unpack` understands."""
        self._drop_states()
        out = io.BytesIO()
        _ParentPickler(out, self).dump(thing)
        return out.getvalue()

    def problem(self, problem: Problem) -> Any:
        number, sent = self._problems.get(id(problem), (-1, None))
        if sent is problem:
            return "problem", number, None
        number = next(self._next)
        self._problems[id(problem)] = number, problem
        return "problem", number, (problem.data, fields_of(problem.parameters))

    def state(self, state: State, names: Names) -> Any:
        number, sent, _ = self._states.get(id(state), (-1, None, 0))
        if sent is state:
            return "state", number, None
        number, size = next(self._next), size_of(state)
        self._states[id(state)] = number, state, size
        self._bytes += size
        return "state", number, (names, fields_of(state))

    def _drop_states(self) -> None:
        """Let go of the oldest, which the other side is told to drop too."""
        while len(self._states) > _STATES or (self._bytes > _BYTES and len(self._states) > 2):
            _, (number, _, size) = self._states.popitem(last=False)
            self._bytes -= size
            self.oldest = number + 1


def fields_of(thing: Struct) -> dict[str, Any]:
    """The fields of a struct by name."""
    return {name: getattr(thing, name) for name in thing.__struct_fields__}


class _ParentPickler(pickle.Pickler):
    def __init__(self, out: io.BytesIO, side: ParentSide):
        super().__init__(out, protocol=5)
        self._side = side

    def persistent_id(self, thing: Any) -> Any:
        if isinstance(thing, Problem):
            return self._side.problem(thing)
        if isinstance(thing, RemoteFunction):
            return "function", thing.reference.number
        if isinstance(thing, Struct):
            names = getattr(type(thing), "__own__", None)
            if names is not None:
                if isinstance(thing, State):
                    return self._side.state(thing, names)
                return "struct", names, fields_of(thing)
        return None


def unpack(body: bytes, ask: Callable[[RemoteFunction, tuple[Any, ...]], Any] | None = None, hook: str = "") -> Any:
    """Read what `ChildSide.pack` made; functions in it are asked with `ask`, on behalf of `hook` if that is given."""
    reading = _ParentUnpickler(io.BytesIO(body))
    thing = reading.load()
    for function in reading.functions:  # only now: nothing is asked while a message is read
        if ask is not None:
            function.ask = ask
        if hook:
            function.hook = hook
    return thing


class _ParentUnpickler(pickle.Unpickler):
    def __init__(self, source: io.BytesIO):
        super().__init__(source)
        self.functions: list[RemoteFunction] = []

    def find_class(self, module: str, name: str) -> Any:
        if not may_name(module, name):
            raise pickle.UnpicklingError(f"{module}.{name} is nothing that is sent")
        named = super().find_class(module, name)
        if not may_hold(named, module, name):
            raise pickle.UnpicklingError(f"{module}.{name} is nothing that is sent")
        return self._remote_function if named is RemoteFunction else named

    def _remote_function(self, reference: Reference) -> RemoteFunction:
        function = RemoteFunction(reference)
        self.functions.append(function)
        return function
