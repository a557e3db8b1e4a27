"""What a plain function takes: its data, its target, and its parameters.

The rule: the first argument without a default is the data, unless its annotation is a number, a text or a truth
value, or its name is that of a setting (n, k, steps, eta, max_iter). It is handed the rows as an array, or the whole
Dataset when it is named `data` or `dataset` or annotated so. A second argument without a default named y, t, label(s),
target(s) or classes is the target. All the others are parameters: an annotation or the default gives the type.
"""

import inspect
import types
from ast import literal_eval
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import Struct

from algorithms.core.errors import Refused

_WHOLE = {"data", "dataset"}
_TARGETS = {"y", "t", "label", "labels", "target", "targets", "classes"}
_SETTINGS = {
    "n", "k", "m", "p", "q", "c", "i", "j", "steps", "step", "iterations", "iters", "epochs", "epoch", "rounds",
    "sweeps", "turns", "times", "count", "size", "length", "depth", "seed", "rng", "eta", "lr", "rate",
    "alpha", "beta", "gamma",
    "delta", "eps", "epsilon", "lam", "lambda_", "mu", "sigma", "rho", "tau", "theta", "momentum", "temperature", "tol",
    "tolerance", "clusters", "components", "degree", "order", "start", "stop", "limit", "verbose", "name",
}  # fmt: skip
_SETTING_BEGINS = ("n_", "num_", "max_", "min_", "learning_", "step_", "batch_", "random_")
_PLAIN: dict[Any, str] = {int: "int", float: "float", bool: "bool", str: "str"}


class Argument(Struct, frozen=True):
    """One parameter: `type` is its type, Any where it may be anything; `needed` when it has no default."""

    name: str
    type: Any
    default: Any = None
    needed: bool = False


class Takes(Struct, frozen=True):
    """What a function is to be called with.

    Attributes:
        data: how it is handed the data: "rows", "rows and target", "dataset", "dataset and target" or "nothing".
        names: of the arguments that are the data and the target.
        parameters: the others that can be set.
    """

    data: str
    names: tuple[str, ...]
    parameters: tuple[Argument, ...]

    def call(self, function: Callable[..., Any], data: Any, values: Mapping[str, Any]) -> Any:
        """Call the function."""
        given: dict[str, Any] = dict(values)
        handed = [data if self.data.startswith("dataset") else data.X.copy()] if self.names else []
        if len(self.names) > 1:
            handed.append(None if data.y is None else data.y.copy())
        signature = inspect.signature(function)
        kinds = signature.parameters
        positional: list[Any] = []
        for name, value in zip(self.names, handed):
            given[name] = value
        for name, parameter in kinds.items():  # those that cannot be named come by position
            if parameter.kind is parameter.POSITIONAL_ONLY and name in given:
                positional.append(given.pop(name))
        return function(*positional, **given)


def takes(function: Callable[..., Any]) -> Takes:
    """Read from a function what its arguments are."""
    try:
        hints = inspect.get_annotations(function, eval_str=True)
    except Exception:  # a name that is not there: the defaults have to do
        hints = {}
    places: list[str] = []
    whole = False
    parameters: list[Argument] = []
    for name, p in inspect.signature(function).parameters.items():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        bare = p.default is p.empty
        hint = hints.get(name, Any)
        kind = _type(hint, p.default)
        if bare and not places and not parameters and kind is Any and not _is_setting(name):
            places.append(name)
            whole = name in _WHOLE or getattr(hint, "__name__", "") == "Dataset"
        elif bare and len(places) == 1 and name in _TARGETS:
            places.append(name)
        elif bare:
            parameters.append(Argument(name, kind, None, True))
        elif kind is not Any:  # a function, an array: its default stands
            parameters.append(Argument(name, kind, p.default))
    data = ("dataset" if whole else "rows") if places else "nothing"
    if len(places) == 2:
        data += " and target"
    return Takes(data, tuple(places), tuple(parameters))


def _is_setting(name: str) -> bool:
    """Tell whether an argument of this name is a setting, and no rows."""
    return name in _SETTINGS or name.lower().startswith(_SETTING_BEGINS)


def stand_in(name: str, arguments: Iterable[tuple[str, Any, Any]]) -> Callable[..., Any]:
    """Make a function with these keyword-only arguments (name, annotation, default), from which parameters are read
    like those of any algorithm."""

    def parameters() -> None: ...

    given = list(arguments)
    parameters.__name__ = name
    parameters.__annotations__ = {argument: hint for argument, hint, _ in given}
    parameters.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(argument, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
            for argument, hint, default in given
        ]
    )
    return parameters


def complete(arguments: tuple[Argument, ...], given: Mapping[str, Any], title: str) -> dict[str, Any]:
    """Complete the parameters given, those that may be anything read as Python has them.

    Raises:
        Refused: when one is missing.
    """
    values = dict(given)
    for argument in arguments:
        if not argument.needed:
            continue
        if values.get(argument.name) is None:
            raise Refused(f"{title} has no default for {argument.name}: give it with -p {argument.name}=...")
        values[argument.name] = _read(argument, values[argument.name])
    return values


def _read(argument: Argument, value: Any) -> Any:
    if isinstance(value, str) and argument.type is not str:
        with suppress(ValueError, SyntaxError):
            value = literal_eval(value)
    if argument.type in (int, float) and (isinstance(value, str) or argument.type(value) != value):
        kind = "whole number" if argument.type is int else "number"
        raise Refused(f"{argument.name} = {value!r} will not do: it is a {kind}.")
    return argument.type(value) if argument.type in _PLAIN else value


def _type(hint: Any, default: Any) -> Any:
    """int, float, bool, str, a Literal or a tuple of such; Any where neither annotation nor default tells."""
    bare = default is inspect.Parameter.empty
    if get_origin(hint) is Annotated and not bare:
        return hint if _type(get_args(hint)[0], default) is not Any else Any
    if get_origin(hint) in (Union, types.UnionType):
        hint = next((a for a in get_args(hint) if a is not type(None)), Any)
    if hint in _PLAIN or get_origin(hint) is Literal:
        if default is None:
            return Any
        return float if hint is float else hint
    if bare:
        return Any
    if type(default) in _PLAIN:
        return type(default)
    if type(default) is tuple and default and type(default[0]) in _PLAIN:
        return tuple[type(default[0]), ...]  # type: ignore[misc]
    return Any
