"""Values as msgpack knows them, and back: numbers and texts as they are, arrays by reference, no names of classes.

A struct, and what stands in a tuple, is a part. One that comes again has a record of its own from then on, which steps
speak of by its number; parts whose numbers are evenly apart are spoken of together.
"""

import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from math import prod
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array, frozen
from algorithms.core.errors import Refused
from algorithms.saving.runlog.logfile import MOST, Damaged, Kind

_INLINE = 256  # bytes of an array that stands in its step; larger ones have records of their own, each once
_WORTH_PACKING = 1024  # bytes
_SAMPLE, _WORTH = 128, 0.7  # numbers that are tried first, and the share of their bytes that must do
_VAIN, _AGAIN = 8, 32  # arrays of a place in a row that did not pack: after so many every so-manieth is tried
_KNOWN = 4096  # arrays that are recognised when they come again
_AT_HAND = 64 << 20  # bytes of arrays that a reader keeps
_KINDS = "biufc"  # of numbers; never objects
_DEPTH = 16
_SMALL = 24  # bytes of a part that is written again each time
_MOST_PARTS = 1 << 20  # in a step
_SAFE_INT = 1 << 63


class Raw(Struct, frozen=True, array_like=True):
    """An array's bytes.

    Attributes:
        dtype: as NumPy writes it, "<f8".
        raw: its bytes in C order; when `packed`, the first bytes of all numbers, then the second and so on, deflated.
    """

    dtype: str
    shape: tuple[int, ...]
    raw: bytes
    packed: bool = False

    @classmethod
    def of(cls, array: Array, packing: bool = True) -> "Raw":
        """Take an array's bytes, packed where that is worth it; `packing` says whether that is tried."""
        raw = array.tobytes()
        if packing and len(raw) > _WORTH_PACKING:
            size = array.dtype.itemsize
            if _packs(raw[: _SAMPLE * size], size):
                return cls(array.dtype.str, array.shape, _packed(raw, size), True)
        return cls(array.dtype.str, array.shape, raw)

    def array(self) -> Array:
        """Make the array, read-only; `Damaged` when the bytes are not those of such an array."""
        try:
            kind = np.dtype(self.dtype)
        except (TypeError, ValueError, SyntaxError):
            raise Damaged(f"numbers of the kind {self.dtype[:20]!r} are not known") from None
        if kind.kind not in _KINDS or kind.itemsize > 32 or kind.shape:
            raise Damaged(f"numbers of the kind {self.dtype[:20]!r} are none")
        size = prod(self.shape) * kind.itemsize
        if len(self.shape) > 32 or min(self.shape, default=0) < 0 or size > MOST:
            raise Damaged(f"an array of {'×'.join(map(str, self.shape[:8]))} is too large")
        raw = self.raw
        if self.packed:
            unpacking = zlib.decompressobj()
            try:
                shuffled = unpacking.decompress(raw, size + 1)  # no more, whatever it would swell to
            except zlib.error:
                raise Damaged("an array does not unpack") from None
            if len(shuffled) == size:
                raw = np.frombuffer(shuffled, np.uint8).reshape(kind.itemsize, -1).T.tobytes()
        if len(raw) != size:
            raise Damaged(f"an array of {size:,} bytes has {len(raw):,}")
        return frozen(np.frombuffer(raw, kind).reshape(self.shape))


def _packed(raw: bytes, size: int) -> bytes:
    """Deflated, after the bytes of numbers of that size were put together by their place in them."""
    return zlib.compress(np.frombuffer(raw, np.uint8).reshape(-1, size).T.tobytes(), 1)


def _packs(sample: bytes, size: int) -> bool:
    """Tell whether numbers like these take far less room packed; measurements seldom do, and packing takes long."""
    return len(_packed(sample, size)) < _WORTH * len(sample)


class _Part(Struct):
    """A part of a state as it was packed, with its number once it has come again."""

    value: Any
    body: bytes
    number: int | None = None


class Packer:
    """Makes values fit for msgpack; large arrays and parts are set aside to be added before what speaks of them, once.

    Args:
        arrays, parts: so many are on the tape already.

    Attributes:
        new: records of arrays and parts that are not on the tape yet.
    """

    def __init__(self, arrays: int = 0, parts: int = 0) -> None:
        self.new: list[tuple[Kind, bytes]] = []
        self._arrays, self._parts = arrays, parts
        self._known: OrderedDict[bytes, int] = OrderedDict()
        self._known_parts: OrderedDict[bytes, _Part] = OrderedDict()
        self._last: dict[str, tuple[Array, int]] = {}
        self._vain: dict[str, int] = {}  # how many arrays of a place in a row were not worth packing
        self._before: dict[int, _Part] = {}  # parts of the step before, by id
        self._now: dict[int, _Part] = {}
        self._room = MOST

    def step(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Write the parts of a step by name; `Refused` when they are too large to be recorded."""
        self._room = MOST
        self._before, self._now = self._now, {}
        return {n: value if type(value) is float else self._field(value, n) for n, value in fields.items()}

    def _field(self, value: Any, place: str) -> Any:
        if isinstance(value, tuple):
            return _together([self._held(part) or self._part(part, f"{place}.{i}") for i, part in enumerate(value)])
        return self._held(value) or self._part(value, place) if isinstance(value, Struct) else self.value(value, place)

    def _held(self, value: Any) -> Any:
        """Speak of a part of the step before by its number; None where it had no such one."""
        part = self._now.get(id(value)) or self._before.get(id(value))
        if part is None:
            return None
        self._now[id(value)] = part
        return self._spoken(part)

    def _part(self, value: Any, place: str) -> Any:
        """A value as it is the first time, and by a number from when an equal one comes again."""
        packed = self.value(value, place)
        if not isinstance(value, np.ndarray | Struct | tuple):
            return packed
        body = msgspec.msgpack.encode(packed)
        if len(body) <= _SMALL:
            return packed
        key = blake2b(body, digest_size=16).digest()
        part = self._known_parts.get(key)
        known = part is not None
        if part is None:
            part = self._remembered(key, _Part(value, body))
        if _settled(value):
            self._now[id(value)] = part if part.value is value else _Part(value, body, self._spoken(part)["&"])
        return self._spoken(part) if known else packed

    def _spoken(self, part: _Part) -> dict[str, int]:
        if part.number is None:
            part.number = self._parts
            self._parts += 1
            self.new.append((Kind.PART, part.body))
        return {"&": part.number}

    def _remembered(self, key: bytes, part: _Part) -> _Part:
        self._known_parts[key] = part
        if len(self._known_parts) > _KNOWN:
            self._known_parts.popitem(last=False)
        return part

    def value(self, value: Any, place: str = "") -> Any:
        """Read the value in msgpack's own kinds: {"@": n} is the n-th array, {"#": ...} named parts.

        Args:
            place: where it stands; an array that does not change is known there without being looked at.
        """
        if value is None or type(value) in (bool, float, str):
            return value.encode("utf-8", "replace").decode() if type(value) is str else value
        if type(value) is int:
            return value if -_SAFE_INT <= value < _SAFE_INT else {"int": str(value)}
        if isinstance(value, np.generic):
            return self.value(value.item(), place)
        if isinstance(value, np.ndarray):
            return self._array(value, place)
        if isinstance(value, tuple | list):
            return [self.value(part, f"{place}.{i}") for i, part in enumerate(value)]
        if isinstance(value, Struct):
            value = {name: getattr(value, name) for name in value.__struct_fields__}
        if isinstance(value, Mapping):
            return {"#": {str(name): self.value(part, f"{place}.{name}") for name, part in value.items()}}
        return {"other": f"({type(value).__name__})"}

    def _array(self, array: Array, place: str) -> Any:
        if array.dtype.kind not in _KINDS:
            return {"other": f"({array.dtype} array)"}
        self._room -= array.nbytes
        if self._room < 0:
            raise Refused(f"a step with more than {MOST >> 20} MiB of arrays is too large to be recorded.")
        if array.nbytes <= _INLINE:
            return {"=": Raw.of(array)}
        last = self._last.get(place)
        if last is not None and last[0] is array and not array.flags.writeable:
            return {"@": last[1]}
        digest = blake2b(f"{array.dtype.str}{array.shape}".encode(), digest_size=16)
        digest.update(np.ascontiguousarray(array).data)
        key = digest.digest()
        number = self._known.get(key)
        if number is None:
            self.new.append((Kind.ARRAY, msgspec.msgpack.encode(self._raw(array, place))))
            number = self._known[key] = self._arrays
            self._arrays += 1
            if len(self._known) > _KNOWN:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(key)
        self._last[place] = (array, number)
        return {"@": number}

    def _raw(self, array: Array, place: str) -> Raw:
        """Take its bytes; whether they pack is tried now and then where it was in vain, for trying is most of it."""
        vain = self._vain.get(place, 0)
        raw = Raw.of(array, vain < _VAIN or vain % _AGAIN == 0)
        self._vain[place] = 0 if raw.packed else vain + 1
        return raw


def _settled(value: Any) -> bool:
    """Tell whether nothing can change a value any more, so that the same one needs no second look."""
    if isinstance(value, np.ndarray):
        return not value.flags.writeable
    if isinstance(value, tuple):
        return all(map(_settled, value))
    if isinstance(value, Struct):
        return value.__struct_config__.frozen and all(_settled(getattr(value, n)) for n in value.__struct_fields__)
    return value is None or isinstance(value, bool | int | float | str | np.generic)


def _together(packed: list[Any]) -> list[Any]:
    """Speak of parts whose numbers are evenly apart by the first, how many there are, and how far apart."""
    spoken: list[Any] = []
    run: list[int] = []
    for value in packed:
        number = value.get("&") if type(value) is dict else None
        if number is not None and len(run) == 3 and (run[1] == 1 or number == run[0] + run[1] * run[2]):
            run[1:] = [run[1] + 1, number - run[0] if run[1] == 1 else run[2]]
            continue
        run = [] if number is None else [number, 1, 1]
        spoken.append(value if number is None else {"..": run})
    return spoken


class Unpacker:
    """Values as they were.

    Args:
        fetch: (number) -> the body of the record of that array.
        fetch_part: (number) -> the body of the record of that part.
    """

    def __init__(self, fetch: Callable[[int], bytes], fetch_part: Callable[[int], bytes] | None = None):
        self._fetch, self._fetch_part = fetch, fetch_part
        self._parts: OrderedDict[int, tuple[Any, int]] = OrderedDict()  # each with the bytes of its arrays
        self._part_bytes = 0
        self._held: OrderedDict[int, Array] = OrderedDict()
        self._bytes = 0
        self._room = MOST

    def step(self, packed: Mapping[str, Any]) -> dict[str, Any]:
        """Read the parts of a step by name.

        Raises:
            Damaged: when one is none that is written, or together they are too large.
        """
        self._room = MOST
        return {str(name): self.value(part) for name, part in packed.items()}

    def value(self, packed: Any, depth: int = 0) -> Any:
        """Read the value; lists come as tuples, named parts as a dict.

        Raises:
            Damaged: when it is none that is written.
        """
        if packed is None or type(packed) in (bool, int, float, str):
            return packed
        if depth > _DEPTH:
            raise Damaged("values are nested too deep")
        if type(packed) is list:
            return tuple(self._each(packed, depth + 1))
        if type(packed) is dict and len(packed) == 1:
            ((tag, inner),) = packed.items()
            match tag, inner:
                case "@", int(number):
                    return self._array(number)
                case "&", int(number) if depth <= 1:
                    return self._part(number)
                case "=", list():
                    return self._counted(_checked(inner).array())
                case "#", dict():
                    return {str(name): self.value(part, depth + 1) for name, part in inner.items()}
                case "int", str(digits) if len(digits) < 4000 and digits.lstrip("-").isdecimal():
                    return int(digits)
                case "other", str(words):
                    return words
        raise Damaged("a value of a kind that is not written")

    def _each(self, packed: list[Any], depth: int) -> Iterator[Any]:
        """The values of a tuple, those that are spoken of together one by one."""
        for part in packed:
            match part:
                case {"..": [int(first), int(count), int(apart)]} if depth == 1 and 0 < count <= _MOST_PARTS:
                    yield from (self._part(first + i * apart) for i in range(count))
                case _:
                    yield self.value(part, depth)

    def _part(self, number: int) -> Any:
        """A part that several steps have; in it no other part is spoken of."""
        if self._fetch_part is None:
            raise Damaged("it speaks of a part that cannot be there")
        held = self._parts.get(number)
        if held is None:
            room, self._room = self._room, MOST  # what steps share is not all of one of them
            try:
                packed = msgspec.msgpack.decode(self._fetch_part(number))
            except (msgspec.MsgspecError, RecursionError) as error:
                raise Damaged(f"a part that is none: {error}") from None
            held = self._parts[number] = self.value(packed, 2), MOST - self._room
            self._room = room
            self._part_bytes += held[1]
            while len(self._parts) > 1 and (self._part_bytes > _AT_HAND or len(self._parts) > _MOST_PARTS):
                self._part_bytes -= self._parts.popitem(last=False)[1][1]
        return held[0]

    def _array(self, number: int) -> Array:
        held = self._held.get(number)
        if held is None:
            held = _decoded(self._fetch(number)).array()
            self._held[number] = held
            self._bytes += held.nbytes
            while self._bytes > _AT_HAND and len(self._held) > 1:
                self._bytes -= self._held.popitem(last=False)[1].nbytes
        else:
            self._held.move_to_end(number)
        return self._counted(held)

    def _counted(self, array: Array) -> Array:
        self._room -= array.nbytes
        if self._room < 0:
            raise Damaged("its arrays are too large together")
        return array


def _checked(inner: Any) -> Raw:
    try:
        return msgspec.convert(inner, Raw)
    except msgspec.ValidationError as error:
        raise Damaged(f"an array that is none: {error}") from None


def _decoded(body: bytes) -> Raw:
    try:
        return msgspec.msgpack.decode(body, type=Raw)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Damaged(f"an array that is none: {error}") from None
