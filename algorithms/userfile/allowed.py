"""Allow-list: the classes and functions that a message from a reader's process may name.

A pickle can call whatever it names. So the process with the screen looks every name up here: values, arrays, types,
and the structs of this library. Whatever else a reader's file makes is sent as its text.
"""

from types import FunctionType
from typing import Any

import numpy as np

_OURS = ("core", "data", "toolbox", "families")  # packages of algorithms whose classes and functions are values
_OF_THE_WIRE = {
    "PlainState", "Description", "Script", "Takes", "Argument", "View", "Opaque", "Reference", "RemoteFunction", "twin",
    "as_text", "meta",
}  # fmt: skip
_VALUES = {
    "builtins": {
        "bool", "int", "float", "complex", "str", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset",
        "slice", "range", "type", "object", "Ellipsis", "NotImplemented", "NoneType",
    },
    "collections": {"OrderedDict", "deque", "defaultdict", "Counter"},
    "datetime": {"date", "datetime", "time", "timedelta", "timezone"},
    "decimal": {"Decimal"},
    "fractions": {"Fraction"},
    "types": {"GenericAlias", "NoneType", "EllipsisType"},
    "typing": {"Annotated", "Any", "Literal", "Optional", "Union"},
    "operator": {"getitem", "or_"},
    "functools": {"reduce"},
    "msgspec.utils": {"rebuild"},
    "numpy": {"ndarray", "dtype"},
    "numpy.core.multiarray": {"_reconstruct", "scalar"},
    "numpy.core.numeric": {"_frombuffer"},
}  # fmt: skip


def may_name(module: str, name: str) -> bool:
    """Tell whether a message may speak of what has this name in that module."""
    package = ".".join(part.lstrip("_") for part in module.split("."))  # numpy._core is numpy.core, _operator operator
    if name in _VALUES.get(package, ()) or (package == "numpy" and _is_scalar(getattr(np, name, None))):
        return True
    parts = module.split(".")
    if parts[:2] == ["algorithms", "userfile"]:
        return name in _OF_THE_WIRE
    return parts[0] == "algorithms" and len(parts) > 1 and parts[1] in _OURS and "<" not in name


def may_hold(thing: Any, module: str, name: str) -> bool:
    """Tell whether what stands under that name is a class or function made there, and not imported there."""
    if not module.startswith("algorithms."):
        return True
    own = isinstance(thing, type | FunctionType)
    return own and thing.__module__ == module and thing.__qualname__ == name


def travels(cls: type) -> bool:
    """Tell whether an object of this class is known on the other side; if not, its text is sent."""
    if cls.__module__ in ("builtins", "types", "typing"):  # those pickle by themselves, or say that they cannot be
        return True
    return cls is np.ndarray or issubclass(cls, np.generic | np.dtype) or may_name(cls.__module__, cls.__qualname__)


def _is_scalar(thing: Any) -> bool:
    return isinstance(thing, type) and issubclass(thing, np.generic)
