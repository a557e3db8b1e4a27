"""Parameters, read from a generator's signature: type, bounds, help and default in one place."""

import inspect
import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
from msgspec import Meta, Struct

from algorithms.core.errors import Refused, did_you_mean

__all__ = ["Meta", "Parameter", "Parameters", "Seed", "as_typed"]

Seed: TypeAlias = Annotated[int, Meta(ge=0, le=2**32 - 1, description="seed of the random numbers")]


class Parameter(Struct, frozen=True):
    """One keyword-only argument of a generator, as a form or a command line shows it.

    Of a tuple, `least` and `most` bound each of its numbers, and `lengths` how many there are. `words` may stand in
    place of a number: "automatic".
    """

    name: str
    type: Any
    default: Any
    help: str
    least: float | None
    most: float | None
    open_least: bool
    open_most: bool
    choices: tuple[Any, ...]
    start_only: bool
    lengths: tuple[int, int] | None = None
    words: tuple[str, ...] = ()

    @property
    def bounds(self) -> str:
        """Say what is allowed, in words: "0 < eta <= 100", "one of a, b", "true or false"."""
        if self.choices:
            return "one of " + ", ".join(map(str, self.choices))
        if self.type is bool:
            return "true or false"
        left = "" if self.least is None else f"{_short(self.least)} {'<' if self.open_least else '<='} "
        right = "" if self.most is None else f" {'<' if self.open_most else '<='} {_short(self.most)}"
        if self.lengths is not None:
            fewest, most = self.lengths
            count = str(most) if fewest == most else f"{fewest} to {most}"
            return f"{count} of them, {left}each{right}"
        return " or ".join([f"{left}{self.name}{right}", *self.words])


def _short(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"


def as_typed(value: Any) -> str:
    """Write a parameter's value as a person types it, from which the same value is read."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    if isinstance(value, tuple):
        return ",".join(map(as_typed, value))
    return str(value)


class Parameters:
    """The parameters of one algorithm: what they are, and how values from anywhere become them."""

    def __init__(
        self, function: Callable[..., Any], start_only: tuple[str, ...] = (), defaults: Mapping[str, Any] = {}
    ):
        hints = get_type_hints(function, include_extras=True)
        signature = inspect.signature(function).parameters.values()
        keyword_only = [
            p.replace(default=defaults.get(p.name, p.default)) for p in signature if p.kind is p.KEYWORD_ONLY
        ]
        self.all = tuple(_parameter(p.name, hints[p.name], p.default, p.name in start_only) for p in keyword_only)
        self.struct: type[Struct] = msgspec.defstruct(
            "Parameters",
            [(p.name, hints[p.name], p.default) for p in keyword_only],
            frozen=True,
            kw_only=True,
            forbid_unknown_fields=True,
        )
        self.convert({p.name: p.default for p in keyword_only})

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.all)

    def convert(self, values: Mapping[str, Any]) -> Any:
        """Values as typed, saved or passed, as a checked struct; `Refused` says in a sentence what is wrong."""
        for name in values:
            if name not in self.names:
                raise Refused(_no_such(name, self.names))
        plain = {p.name: _plain(values[p.name], p.type) for p in self.all if p.name in values}
        try:
            return msgspec.convert(plain, self.struct, strict=False)
        except msgspec.ValidationError:
            raise Refused(self._why(plain, values)) from None

    def _why(self, plain: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Name the first parameter that msgspec will not take, with its bounds."""
        for p in self.all:
            if p.name in plain:
                try:
                    msgspec.convert({p.name: plain[p.name]}, self.struct, strict=False)
                except msgspec.ValidationError:
                    return f"{p.name} = {given[p.name]!r} will not do: it must be {_wanted(p)}."
        return "these parameters will not do together."


def _wanted(p: Parameter) -> str:
    """Say what a parameter takes, in words: "a whole number, 1 <= k <= 100"."""
    if p.choices or p.type is bool:
        return p.bounds
    several = (
        "whole numbers" if get_origin(p.type) is tuple and _unwrapped(get_args(p.type)[0])[0] is int else "numbers"
    )
    kind = {int: "a whole number", float: "a number", str: "text"}.get(p.type, f"{several} with commas between")
    return f"{kind}, {p.bounds}" if p.bounds != p.name else kind


def _several(kind: Any) -> str:
    whole = _unwrapped(get_args(kind)[0])[0] is int
    return f"{'whole numbers' if whole else 'numbers'} with commas between"


def _no_such(name: str, names: tuple[str, ...]) -> str:
    if not names:
        return f"there is no parameter {name!r}: this algorithm has none."
    return f"there is no parameter {name!r}; there are {', '.join(names)}.{did_you_mean(name, names)}"


def _plain(value: Any, kind: Any) -> Any:
    """NumPy scalars unwrapped; "8,4" for a tuple; "inf" for a float; a float that is whole for an int."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        value = value.strip()
        if get_origin(kind) is tuple:
            return tuple(part.strip() for part in value.split(",") if part.strip())
        if kind is float and value.lower() in ("inf", "+inf", "infinity", "∞"):
            return float("inf")
        if kind is bool and value.lower() in ("yes", "on", "no", "off"):
            return value.lower() in ("yes", "on")
    return value


def _parameter(name: str, hint: Any, default: Any, start_only: bool) -> Parameter:
    kind, meta = _unwrapped(hint)
    description, lengths = meta.description or "", None
    if get_origin(kind) is tuple and meta.max_length is not None:
        lengths = (meta.min_length or 0, meta.max_length)
        meta = _unwrapped(get_args(kind)[0])[1]
    least = meta.ge if meta.ge is not None else meta.gt
    most = meta.le if meta.le is not None else meta.lt
    return Parameter(
        name=name,
        type=kind,
        default=default,
        help=description,
        least=least,
        most=most,
        open_least=meta.gt is not None,
        open_most=meta.lt is not None,
        choices=get_args(kind) if get_origin(kind) is Literal else (),
        start_only=start_only,
        lengths=lengths,
        words=_words(hint),
    )


def _unwrapped(hint: Any) -> tuple[Any, Meta]:
    """Give a type without its annotations or None, and what was annotated; of two annotations the later one counts."""
    kind: Any = hint
    metas: tuple[Meta, ...] = ()
    if _words(hint):
        kind = hint = next(part for part in get_args(hint) if get_origin(part) is not Literal)
    if get_origin(hint) is Annotated:
        kind, *rest = get_args(hint)
        metas = tuple(m for m in rest if isinstance(m, Meta))
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(k for k in get_args(kind) if k is not type(None))
    return kind, _merged(metas)


def _words(hint: Any) -> tuple[Any, ...]:
    """List the words of a number that may be one too: of `Annotated[float, ...] | Literal["automatic"]`."""
    if get_origin(hint) not in (Union, types.UnionType):
        return ()
    return tuple(word for part in get_args(hint) if get_origin(part) is Literal for word in get_args(part))


def _merged(metas: tuple[Meta, ...]) -> Meta:
    if len(metas) <= 1:
        return metas[0] if metas else Meta()
    names = ("gt", "ge", "lt", "le", "min_length", "max_length", "description")
    return Meta(**{name: getattr(m, name) for m in metas for name in names if getattr(m, name) is not None})
