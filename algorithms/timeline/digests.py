"""Digests: what a state is, in a few characters that are the same on every machine, and how two states differ.

Each field has a digest of its values, written in one way whatever the machine's own is: whole numbers
with 64 bits, every number with its low byte first, one NaN for all. A few of its numbers stand beside it, so that of
a field that differs it can be shown by how much.
"""

import math
import struct
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from algorithms.core.arrays import Array
from algorithms.core.state import State

VERSION = 2  # of how states are digested
NUMBERS = 8  # of a field, kept beside its digest
TRACE = 2  # bytes of a step's trace
_BYTES, _PART = 8, 16
_SHARED = (np.ndarray, Struct, tuple)  # what states share with those before them
_LARGEST = 10**300
_ROUNDING = 1e-9  # of the largest number of a field, up to which a difference is put down to rounding
_CANCELLED = 1e-13  # of the largest number of a state: what is left of such where they cancel
_EXACT = ("int", "unsigned", "bool", "str", "NoneType")  # shapes of what no rounding changes begin so

Number = int | float | str


class FieldDigest(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One field of a state.

    Attributes:
        digest: of its values, as hexadecimal digits.
        shape: what it is: "float64 (3, 2)", "int", "tuple of 4".
        numbers: up to `NUMBERS` of its numbers at even distances; "nan", "inf" and "-inf" in words.
    """

    digest: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
    shape: Annotated[str, Meta(max_length=200)]
    numbers: Annotated[tuple[Number, ...], Meta(max_length=NUMBERS)] = ()


class Difference(Struct, frozen=True):
    """How a state differs from what was saved of it.

    Attributes:
        words: which field does, and by how much.
        rounding: whether no field differs by more than another processor's rounding, as far as was noted.
        apart: by what share of the largest number of the field.
    """

    words: str
    rounding: bool = False
    apart: float = math.inf


class Digester:
    """Digests states one after another, and what one shares with the one before it once.

    Args:
        version: 1 digests all of a state, as sessions of before have it; 2 digests a tuple by the digests of its parts,
            so that what was in the state before need not be gone through again.
    """

    def __init__(self, version: int = VERSION):
        self._by_parts = version > 1
        self._before: dict[int, tuple[Any, bytes]] = {}  # parts of the state before, by id, each with its digest
        self._now: dict[int, tuple[Any, bytes]] = {}

    def of(self, state: State) -> dict[str, FieldDigest]:
        """Digest each field of a state, by name, but for its place in the run."""
        self._before, self._now = self._now, {}
        return {name: self._digest_of(value) for name, value in _parts(state).items()}

    def trace(self, state: State) -> bytes:
        """Hash a state to `TRACE` bytes that tell it from most others: enough to find the first step that differs."""
        self._before, self._now = self._now, {}
        hashed = blake2b(digest_size=TRACE)
        for name, value in _parts(state).items():
            self._feed((name, value), hashed.update)
        return hashed.digest()

    def difference(self, saved: Mapping[str, FieldDigest], state: State, elsewhere: bool = False) -> Difference | None:
        """Describe how a state differs from saved digests, None when it does not: the first field that does by more
        than rounding, else the one that does by most.

        Args:
            elsewhere: whether it was saved on another machine, where numbers that were not noted may be rounded, too.
        """
        now = self.of(state)
        size = max((_size(each) for each in saved.values()), default=0.0)
        most: Difference | None = None
        for name in (*saved, *(name for name in now if name not in saved)):
            if name not in now:
                return Difference(f"{name} is a field of the version that saved it, and none of this one")
            if name not in saved:
                return Difference(f"{name} is a field of this version, and none of the one that saved it")
            if now[name].digest == saved[name].digest:
                continue
            differs = _relation(name, saved[name], now[name], _CANCELLED * size, elsewhere)
            if not differs.rounding:
                return differs
            if most is None or differs.apart > most.apart:
                most = differs
        return most

    def _digest_of(self, value: Any) -> FieldDigest:
        hashed = blake2b(digest_size=_BYTES)
        self._feed(value, hashed.update)
        return FieldDigest(hashed.hexdigest(), _shape(value)[:200], _sample(value))

    def _feed(self, value: Any, add: Callable[[bytes], None]) -> None:
        """Add a value as bytes that tell it from every other."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, np.ndarray):
            add(f"array {_plain_type(value)} {value.shape};".encode())
            add(_bytes_of(value))
        elif isinstance(value, float):
            add(b"float" + struct.pack("<d", math.nan if math.isnan(value) else value))
        elif isinstance(value, tuple | list):
            add(f"tuple {len(value)};".encode())
            for part in value:
                if self._by_parts and isinstance(part, _SHARED):
                    add(self._of_part(part))
                else:
                    self._feed(part, add)
        elif isinstance(value, Struct):
            add(f"{type(value).__name__} {len(value.__struct_fields__)};".encode())
            for name in value.__struct_fields__:
                self._feed(getattr(value, name), add)
        else:
            text = str(value)
            add(f"{type(value).__name__} {len(text)};{text}".encode("utf-8", "surrogatepass"))

    def _of_part(self, part: Any) -> bytes:
        """Digest a part of a state, which nothing changes any more, unless the state before had it."""
        held = self._now.get(id(part)) or self._before.get(id(part))
        if held is None:
            hashed = blake2b(digest_size=_PART)
            self._feed(part, hashed.update)
            held = part, hashed.digest()  # with the part itself, so that no other takes its id
        self._now[id(part)] = held
        return held[1]


def _parts(state: State) -> dict[str, Any]:
    """Collect all of a state but its place in the run."""
    return {"iteration": state.iteration, "phase": state.phase} | state.parts()


def _plain_type(array: Array) -> str:
    """Name the type of an array's numbers, whole ones without the machine's word for them."""
    return {"i": "int", "u": "unsigned", "b": "bool"}.get(array.dtype.kind, array.dtype.name)


def _bytes_of(array: Array) -> bytes:
    kind = array.dtype.kind
    if kind in "iu":
        return np.ascontiguousarray(array, f"<{kind}8").tobytes()
    if kind == "b":
        return array.tobytes()
    if kind in "fc":
        ordered = np.array(array, array.dtype.newbyteorder("<"), order="C")
        ordered[np.isnan(ordered)] = math.nan
        return ordered.tobytes()
    return repr(array.tolist()).encode("utf-8", "surrogatepass")


def _shape(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{_plain_type(value)} {value.shape}"
    if isinstance(value, tuple | list):
        return f"tuple of {len(value)}"
    return type(value).__name__


def _sample(value: Any) -> tuple[Number, ...]:
    numbers: list[int | float] = []
    _numbers(value, numbers)
    if len(numbers) > NUMBERS:
        numbers = [numbers[i * (len(numbers) - 1) // (NUMBERS - 1)] for i in range(NUMBERS)]
    return tuple(x if math.isfinite(x) else str(x) for x in numbers)


def _numbers(value: Any, numbers: list[int | float]) -> None:
    """Collect the numbers of a value, of an array a few at even distances."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "biuf" and value.size:
            some = np.unique(np.arange(NUMBERS) * (value.size - 1) // (NUMBERS - 1))
            numbers.extend(map(_json_number, value.reshape(-1)[some].tolist()))
    elif isinstance(value, np.generic):
        _numbers(value.item(), numbers)
    elif isinstance(value, bool | int | float):
        numbers.append(_json_number(value))
    elif isinstance(value, tuple | list):
        for part in value:
            _numbers(part, numbers)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            _numbers(getattr(value, name), numbers)


def _json_number(x: bool | int | float) -> int | float:
    """Convert a number to one that JSON brings back as it is."""
    if isinstance(x, float):
        return x
    return int(x) if abs(x) < 2**53 else math.copysign(min(abs(x), _LARGEST), x)


def _relation(name: str, saved: FieldDigest, now: FieldDigest, cancelled: float, elsewhere: bool) -> Difference:
    """Describe the change of a field: another shape, or the saved number that is furthest from what it was.

    Args:
        cancelled: by how much numbers may differ whatever their own size is.
    """
    if now.shape != saved.shape:
        return Difference(f"{name} is {now.shape} and was {saved.shape}")
    if len(now.numbers) != len(saved.numbers) or not now.numbers:
        return Difference(f"{name} differs")
    rounded = not saved.shape.startswith(_EXACT)
    pairs = [(_number(was), _number(new)) for was, new in zip(saved.numbers, now.numbers)]
    apart = [_apart(was, new) for was, new in pairs]
    most = max(apart)
    if not most:
        words = f"{name} differs, though not in those of its numbers that were noted"
        signs = any(was.hex() != new.hex() for was, new in pairs)  # 0 and -0
        more = elsewhere and len(saved.numbers) == NUMBERS
        return Difference(
            f"{words}: rounding, as on another processor" if signs or more else words, rounded and (signs or more), 0.0
        )
    was, new = pairs[apart.index(most)]
    if not math.isfinite(most):
        return Difference(f"{name} holds {new:.6g} where {was:.6g} was saved")
    words = f"{name} holds {new:.17g} where {was:.17g} was saved, {most:.1e} of it apart"
    allowed = max(_ROUNDING * _size(saved), cancelled)
    if not rounded or any(abs(was - new) > allowed for was, new in pairs):
        return Difference(words, apart=most)
    return Difference(f"{words}: rounding, as on another processor", True, most)


def _size(field: FieldDigest) -> float:
    """Get the largest of the numbers that were noted of a field of floating point; 0 where there is none."""
    if field.shape.startswith(_EXACT):
        return 0.0
    return max((abs(x) for x in map(_number, field.numbers) if math.isfinite(x)), default=0.0)


def _number(saved: Number) -> float:
    return float(saved)


def _apart(a: float, b: float) -> float:
    """Measure by what share of the larger two numbers differ."""
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.inf
    return abs(a / 2 - b / 2) / max(abs(a) / 2, abs(b) / 2)
