"""Values as msgpack knows them, and back: numbers and texts as they are, arrays by reference, no names of classes."""

import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import blake2b
from math import prod
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array, frozen
from algorithms.core.errors import Refused
from algorithms.saving.runlog.logfile import MOST, Damaged

_INLINE = 256  # bytes of an array that stands in its step; larger ones have records of their own, each once
_WORTH_PACKING = 1024  # bytes
_SAMPLE, _WORTH = 128, 0.7  # numbers that are tried first, and the share of their bytes that must do
_KNOWN = 4096  # arrays that are recognised when they come again
_AT_HAND = 64 << 20  # bytes of arrays that a reader keeps
_KINDS = "biufc"  # of numbers; never objects
_DEPTH = 16
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
    def of(cls, array: Array) -> "Raw":
        raw = array.tobytes()
        if len(raw) > _WORTH_PACKING:
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


class Packer:
    """Makes values fit for msgpack; large arrays are set aside to be added before what speaks of them, each once."""

    def __init__(self) -> None:
        self.new: list[bytes] = []  # bodies of records of arrays that are not on the tape yet
        self._count = 0
        self._known: OrderedDict[bytes, int] = OrderedDict()
        self._last: dict[str, tuple[Array, int]] = {}
        self._room = MOST

    def step(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Write the parts of a step by name; `Refused` when they are too large to be recorded."""
        self._room = MOST
        return {name: self.value(value, name) for name, value in fields.items()}

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
            self.new.append(msgspec.msgpack.encode(Raw.of(array)))
            number = self._known[key] = self._count
            self._count += 1
            if len(self._known) > _KNOWN:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(key)
        self._last[place] = (array, number)
        return {"@": number}


class Unpacker:
    """Values as they were.

    Args:
        fetch: (number) -> the body of the record of that array.
    """

    def __init__(self, fetch: Callable[[int], bytes]):
        self._fetch = fetch
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
            return tuple(self.value(part, depth + 1) for part in packed)
        if type(packed) is dict and len(packed) == 1:
            ((tag, inner),) = packed.items()
            match tag, inner:
                case "@", int(number):
                    return self._array(number)
                case "=", list():
                    return self._counted(_checked(inner).array())
                case "#", dict():
                    return {str(name): self.value(part, depth + 1) for name, part in inner.items()}
                case "int", str(digits) if len(digits) < 4000 and digits.lstrip("-").isdecimal():
                    return int(digits)
                case "other", str(words):
                    return words
        raise Damaged("a value of a kind that is not written")

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
