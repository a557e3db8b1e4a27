"""NPZ: arrays by name in one file, without pickle, under names that stay in the folder they are unpacked in."""

import re
import zipfile
from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np

from algorithms.core.arrays import Array

_BAD = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|\ud800-\udfff]')
_LONGEST = 100


def write_archive(file: BinaryIO, arrays: Iterable[tuple[str, Array]]) -> None:
    """Write the arrays so that `np.load(file, allow_pickle=False)` has them; a second one of a name is numbered."""
    taken: set[str] = set()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays:
            member = _unique(member_name(name), taken)
            entry = zipfile.ZipInfo(f"{member}.npy", (1980, 1, 1, 0, 0, 0))  # equal arrays make equal files
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as into:
                np.lib.format.write_array(into, np.asanyarray(array), allow_pickle=False)


def member_name(name: str) -> str:
    """The name with nothing in it that leads to another folder.

    >>> member_name("../‖w‖/2")
    '_‖w‖_2'
    """
    return _BAD.sub("_", name).lstrip(".").strip()[:_LONGEST] or "unnamed"


def _unique(name: str, taken: set[str]) -> str:
    number, unique = 1, name
    while unique.casefold() in taken:  # some file systems do not tell T1 from t1
        number += 1
        unique = f"{name} ({number})"
    taken.add(unique.casefold())
    return unique


def parts(name: str, value: Any) -> Iterable[tuple[str, Array]]:
    """The arrays that a value is made of, with names: its parts' after a dot; nothing for None."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufcSU":
        yield name, value
    elif isinstance(value, bool | int | float | complex | np.generic) and not _too_large(value):
        yield name, np.asarray(value)
    elif isinstance(value, tuple | list):
        for i, part in enumerate(value):
            yield from parts(f"{name}.{i}", part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from parts(f"{name}.{key}", part)
    elif hasattr(value, "__struct_fields__"):
        for key in value.__struct_fields__:
            yield from parts(f"{name}.{key}", getattr(value, key))
    elif value is not None:
        yield name, np.array(str(value).encode("utf-8", "replace").decode())


def _too_large(value: Any) -> bool:
    return isinstance(value, int) and not -(1 << 63) <= value < 1 << 63
