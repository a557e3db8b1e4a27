"""Packages whose names are imported when they are first asked for."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def deferred(
    package: dict[str, Any], modules: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` of a package.

    Args:
        package: its globals.
        modules: the names that it gives, by the module that each is from; one with the module's own name is that.
    """
    sources = {name: module for module, names in modules.items() for name in names}

    def find(name: str) -> Any:
        if name not in sources:
            raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}")
        module = import_module(sources[name])
        found = package[name] = module if module.__name__.endswith(f".{name}") else getattr(module, name)
        return found

    return find, lambda: sorted({*package, *sources})
