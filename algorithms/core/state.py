"""State: everything the next iteration depends on, besides the data and the parameters."""

import re
from functools import cache
from itertools import zip_longest
from sys import getsizeof
from typing import Annotated, Any, Self, TypeVar, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import force_setattr, replace
from numpy import asarray, flatnonzero, full, ndarray

from algorithms.core.arrays import FROZEN, KIND, Array, frozen
from algorithms.core.errors import Refused

_PLAIN = {"tuple", "int", "float", "bool", "str", "None", "NoneType"}  # the words of annotations without arrays
_FREE = frozenset((int, float, bool, str, type(None)))  # kinds of values in which no array can be
_OBJECT, _HEADER = 160, 112  # bytes of a state with its numbers, and of an array without them, near enough


class Along:
    """What the axes of an array field run along: `alpha: Annotated[Array, Along("n")]` has an entry a row of the data.

    "n" is the rows of the data and "d" its features; another axis has any name, or "" for none. Of a field without it
    no axis is taken for rows by its length.
    """

    __slots__ = ("axes",)

    def __init__(self, *axes: str):
        self.axes = axes


class Row:
    """Marks a field that names a row of the data, or is an array of such: `row: Annotated[int, Row] = -1`; -1 is none.

    At a fork in which rows come or go it names the same row where that is now, -1 if it is gone; `adapt` is given the
    state with it, and says only what is the algorithm's own.
    """


def _notes(kind: type) -> dict[str, tuple[Any, ...]]:
    try:
        hints = get_type_hints(kind, include_extras=True)
    except NameError:  # of a reader's file that names types it has not imported: it says nothing of its fields
        return {}
    return {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}


@cache
def axes_of(kind: type) -> dict[str, tuple[str, ...]]:
    """Read what the axes of a state's fields run along, by field; only fields that say so are in it."""
    return {name: note.axes for name, notes in _notes(kind).items() for note in notes if isinstance(note, Along)}


@cache
def fields_of_rows(kind: type) -> tuple[str, ...]:
    """List the fields of a state that name rows."""
    return tuple(name for name, notes in _notes(kind).items() if Row in notes)


class _ArrayFields(dict[type, tuple[str, ...]]):
    """The fields of a class that may hold arrays, by their annotation; found when first asked for."""

    def __missing__(self, cls: type) -> tuple[str, ...]:
        notes: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            own = getattr(base, "__annotations__", {})
            notes.update({n: note.__origin__ if get_origin(note) is Annotated else note for n, note in own.items()})
        self[cls] = tuple(n for n in cls.__struct_fields__ if not _is_plain(str(notes[n])))  # type: ignore[attr-defined]
        return self[cls]


def _is_plain(note: str) -> bool:
    """Tell of an annotation whether it leaves no room for arrays: numbers and texts, also in tuples."""
    words = set(re.findall(r"\w+", note)) - {"class"}
    return bool(words - {"tuple"}) and words <= _PLAIN


_array_fields = _ArrayFields()


class State(Struct, frozen=True, kw_only=True, eq=False, gc=False):
    """One moment of a run. Subclasses add the algorithm's own fields.

    A state is complete: with the data and the parameters it determines all that follows. Arrays that
    come in are owned and read-only from then on, so states can be kept, shared and compared.

    Attributes:
        t: how many states came before this one.
        iteration: the algorithm's own outer loop (epoch, round, sweep).
        phase: what made this state; one of the declaration's phases.
    """

    t: int = 0
    iteration: int = 0
    phase: str = "start"

    def __post_init__(self) -> None:
        for name in _array_fields[type(self)]:
            value = getattr(self, name)
            if type(value) is ndarray:
                kind = value.flags.num & KIND
                if kind == FROZEN:  # as most are: what did not change is shared
                    continue
                if kind == KIND:  # new and nobody else's: what `frozen` would do, without a call of it
                    value.setflags(False)  # type: ignore[call-arg]
                    continue
                owned: Any = frozen(value)
            elif type(value) is tuple:
                owned = _frozen_tuple(value)
            elif isinstance(value, Struct):
                owned = _frozen_struct(value)
            else:
                continue
            if owned is not value:
                force_setattr(self, name, owned)

    # The slash spares a comparison of every keyword with the two names before it: 120 ns a state.
    def after(self, phase: str, /, **changes: Any) -> Self:
        """Make the next state: one later, made by `phase`, with `changes`; what did not change is shared."""
        changes["t"] = self.t + 1
        changes["phase"] = phase
        return replace(self, **changes)

    def parts(self) -> dict[str, Any]:
        """Get the algorithm's own fields by name."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name not in State.__struct_fields__}

    def get(self, name: str) -> Any:
        """Get one of them, None where this state has none of that name."""
        return getattr(self, name, None)

    def is_nan(self, name: str) -> bool:
        """Tell whether a number of that name is there and is nan, which is not the same as not being measured."""
        return False

    def replaced(self, **fields: Any) -> Self:
        """Give the same moment with other fields; a list becomes an array of the kind that was there.

        Raises:
            Refused: for a field that there is not, or for `t`, `iteration` or `phase`.
        """
        own = self.parts()
        for name, value in fields.items():
            if name not in own:
                raise Refused(f"a {type(self).__name__} has no field {name!r} to replace; it has {', '.join(own)}.")
            held = own[name]
            if isinstance(held, ndarray):
                try:
                    fields[name] = asarray(value, held.dtype)
                except (TypeError, ValueError) as error:
                    raise Refused(f"{name} holds {held.dtype} numbers: {str(error).rstrip('.')}.") from None
        return replace(self, **fields)


S = TypeVar("S", bound=State)


def with_rows(state: S, rows: Array) -> S:
    """Give the state with its rows named as they are now: rows (n,) says of each which it was, -1 for a new one."""
    held = {name: asarray(getattr(state, name)) for name in fields_of_rows(type(state))}
    if not held:
        return state
    stayed = flatnonzero(rows >= 0)
    now = full(2 + max(int(was.max(initial=-1)) for was in (rows, *held.values())), -1)  # the last is that of row -1
    now[rows[stayed]] = stayed
    follows = {name: now[was].astype(was.dtype) if was.ndim else int(now[was]) for name, was in held.items()}
    return replace(state, **follows)


def _frozen(value: Any) -> Any:
    """Freeze the arrays of a value, also in tuples and structs inside it; itself where there was nothing to do."""
    if type(value) is ndarray:
        return frozen(value)
    if type(value) is tuple:
        return _frozen_tuple(value)
    if isinstance(value, Struct):
        return _frozen_struct(value)
    return value


def _frozen_tuple(value: tuple[Any, ...]) -> tuple[Any, ...]:
    for v in value:
        if type(v) not in _FREE and _frozen(v) is not v:
            return tuple(map(_frozen, value))
    return value


def _frozen_struct(value: Struct) -> Struct:
    """Freeze as the others; a struct is not changed but made anew, for others may hold it."""
    changed = {}
    for name in value.__struct_fields__:
        v = getattr(value, name)
        if type(v) is ndarray and v.flags.num & KIND == FROZEN or type(v) in _FREE:
            continue
        if (owned := _frozen(v)) is not v:
            changed[name] = owned
    return replace(value, **changed) if changed else value


def size_of(state: State, before: State | None = None) -> int:
    """Bytes that a state takes beyond what it shares with the one before, near enough."""
    total = _OBJECT
    for name in _array_fields[type(state)]:
        value, shared = getattr(state, name), getattr(before, name, None)
        if value is not shared:
            total += value.nbytes + _HEADER if type(value) is ndarray else _size(value, shared)
    return total


def _size(value: Any, shared: Any) -> int:
    if value is shared:
        return 0
    if isinstance(value, ndarray):
        return int(value.nbytes) + _HEADER
    if isinstance(value, tuple):
        others = shared[: len(value)] if isinstance(shared, tuple) else ()
        return getsizeof(value) + sum(_size(mine, other) for mine, other in zip_longest(value, others))
    if isinstance(value, Struct):
        parts = value.__struct_fields__
        return getsizeof(value) + sum(_size(getattr(value, n), getattr(shared, n, None)) for n in parts)
    return getsizeof(value)


def same(a: Any, b: Any) -> bool:
    """Equal bit for bit: arrays by dtype, shape and bytes, floats by their bits, tuples and structs part by part."""
    if type(a) is not type(b):
        return False
    if isinstance(a, ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Struct):
        return all(same(getattr(a, n), getattr(b, n)) for n in a.__struct_fields__)
    if isinstance(a, float):
        return bool(a.hex() == b.hex())  # 0.0 is not -0.0, and NaN is NaN
    return bool(a == b)
