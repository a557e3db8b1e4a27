"""What can be stepped through: generator functions, functions that return a generator, classes and objects to iterate.

Where the yields stand is found without a run: in the function, in that whose result it returns, or in `__iter__`.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import FunctionType, GeneratorType, ModuleType
from typing import Any

import numpy as np

from algorithms.core.errors import Refused

_DEEPEST = 5  # functions that return what another returns
_NO_STEPS = (str, bytes, list, tuple, dict, set, frozenset, range, np.ndarray, ModuleType)


def steppable(name: str, thing: Any, module: str) -> Callable[..., Any] | None:
    """Make a function of a thing that gives an iterator when it is called; None of what cannot be stepped through.

    Args:
        name, module: what it is called, and where it stands.
    """
    if inspect.isgeneratorfunction(thing) and isinstance(thing, FunctionType):
        return thing
    if isinstance(thing, FunctionType):
        return thing if yields_of(thing) is not None or _says_so(thing) else None
    if isinstance(thing, partial):
        return None if yields_of(thing.func) is None else _function(name, module, thing, thing, thing.func)
    if isinstance(thing, type):
        return (
            _function(name, module, thing, thing, vars(thing).get("__init__")) if yields_of(thing) is not None else None
        )
    if isinstance(thing, _NO_STEPS) or not hasattr(type(thing), "__iter__"):
        return None
    return _function(name, module, _once_or_again(name, thing), thing, None)


def _once_or_again(name: str, thing: Iterable[Any]) -> Callable[[], Iterator[Any]]:
    begun: list[bool] = []

    def start() -> Iterator[Any]:
        steps = iter(thing)
        if steps is thing and begun:
            raise Refused(f"{name} is an iterator that has begun: it cannot be started over.")
        begun.append(True)
        return steps

    return start


def _function(name: str, module: str, call: Callable[..., Any], thing: Any, annotated: Any) -> Callable[..., Any]:
    """Make a function of something that is called like one; its source is that of the thing."""

    def run(*given: Any, **named: Any) -> Any:
        return call(*given, **named)

    run.__name__, run.__module__, run.__doc__ = name, module, inspect.getdoc(thing)
    run.__signature__ = inspect.signature(call)  # type: ignore[attr-defined]
    run.__annotations__ = dict(getattr(annotated, "__annotations__", {}))
    run.__wrapped__ = thing if annotated is not None else type(thing)  # type: ignore[attr-defined]
    if isinstance(thing, GeneratorType):
        run.__wrapped__ = thing  # type: ignore[attr-defined]
    return run


def yields_of(thing: Any, deep: int = 0) -> Any:
    """Find what holds the yields of a thing: a function or a code object; None where that cannot be seen."""
    while hasattr(thing, "__wrapped__") or isinstance(thing, partial):
        thing = thing.func if isinstance(thing, partial) else thing.__wrapped__
    if isinstance(thing, GeneratorType):
        return thing.gi_code
    if inspect.isgeneratorfunction(thing):
        return getattr(thing, "__func__", thing)
    if isinstance(thing, type):
        names = [name for name in ("__iter__", "__next__") if isinstance(getattr(thing, name, None), FunctionType)]
        methods = [getattr(thing, name) for name in names]
        return next(filter(inspect.isgeneratorfunction, methods), methods[-1] if methods else None)
    if not isinstance(thing, FunctionType) or deep > _DEEPEST:
        return None
    found = (yields_of(of, deep + 1) for of in _returned(thing))
    return next((each for each in found if each is not None), None)


def _says_so(function: FunctionType) -> bool:
    """Tell whether it is annotated as one that returns an iterator."""
    hint = function.__annotations__.get("return", "")
    text = hint if isinstance(hint, str) else f"{getattr(hint, '__module__', '')}.{getattr(hint, '__name__', hint)}"
    return any(kind in text for kind in ("Iterator", "Iterable", "Generator"))


def _returned(function: FunctionType) -> Iterator[Any]:
    """List what a function calls in its `return`s, as far as its names tell."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return
    inner = {name: node for node in ast.walk(tree) for name in (_defined(node),) if name}
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
            called = node.value
            while isinstance(called.func, ast.Name) and called.func.id == "iter" and called.args:
                if not isinstance(called.args[0], ast.Call):
                    break
                called = called.args[0]
            of = _named(called.func, function)
            if of is not None:
                yield of
            elif isinstance(called.func, ast.Name) and called.func.id in inner:
                yield from _codes(function, called.func.id)


def _defined(node: ast.AST) -> str:
    return node.name if isinstance(node, ast.FunctionDef) else ""


def _codes(function: FunctionType, name: str) -> Iterator[Any]:
    """Make a function of one that is defined within another, for its source alone."""
    for constant in function.__code__.co_consts:
        if inspect.iscode(constant) and constant.co_name == name and not constant.co_freevars:
            yield FunctionType(constant, function.__globals__, name)


def _named(expression: ast.expr, function: FunctionType) -> Any:
    """Look up a name, an attribute of one, or a method of what a class makes."""
    match expression:
        case ast.Name(id=name):
            return function.__globals__.get(name)
        case ast.Attribute(value=ast.Call(func=ast.Name(id=name)), attr=method):
            owner = function.__globals__.get(name)
            return getattr(owner, method, None) if isinstance(owner, type) else None
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            return getattr(function.__globals__.get(name), attribute, None)
    return None
