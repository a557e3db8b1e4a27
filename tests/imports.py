"""Read the imports of source files without running them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_HELD_IN = ("body", "orelse", "finalbody", "handlers", "cases")  # where a statement holds others


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement of a source, nested ones too; a tenth of its nodes."""
    ahead = [tree]
    while ahead:
        node = ahead.pop()
        yield node
        for field in _HELD_IN:
            if isinstance(held := getattr(node, field, None), list):  # that of a lambda is an expression
                ahead += held


def imported(file: Path, root: Path) -> Iterator[str]:
    """Every dotted name that a file imports, wherever in it, under TYPE_CHECKING too.

    Args:
        file: a Python file.
        root: the folder that dotted names begin at.
    """
    package = file.relative_to(root).with_suffix("").parts[:-1]
    for level, within, names in read(file.read_text(encoding="utf-8"))[0]:
        above = package[: len(package) - level + 1] if level else ()
        module = "".join(f"{part}." for part in (*above, *within))
        yield from (f"{module}{name}" for name in names)


@cache
def read(text: str) -> tuple[list[tuple[int, list[str], list[str]]], list[tuple[str, int]]]:
    """What a file imports and defines; a text is parsed once, for all rules and for all copies of the house.

    Returns:
        Of each import how many folders up it goes, the parts of the module it imports from (none of `import x`) and
        what it names; and the functions and methods, nested ones too, with their lines from the `def` on.
    """
    imports: list[tuple[int, list[str], list[str]]] = []
    functions: list[tuple[str, int]] = []
    for node in statements(ast.parse(text)):
        if isinstance(node, ast.Import):
            imports.append((0, [], [alias.name for alias in node.names]))
        elif isinstance(node, ast.ImportFrom):
            within = node.module.split(".") if node.module else []
            imports.append((node.level, within, [alias.name for alias in node.names]))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append((node.name, (node.end_lineno or node.lineno) - node.lineno + 1))
    return imports, functions


def state_takers(root: Path) -> dict[str, list[str]]:
    """The helper modules that import their algorithm's own module, by algorithm.

    Such a helper and its algorithm import each other, if only for the type of the State.

    Args:
        root: the folder that holds the package `algorithms`.

    Returns:
        "family/algorithm" and the names of its helpers that do so.
    """
    takers: dict[str, list[str]] = {}
    for algorithm in sorted((root / "algorithms/families").glob("*/*/algorithm.py")):
        folder = algorithm.parent
        package = ".".join(folder.relative_to(root).parts)
        for helper in sorted(folder.rglob("*.py")):
            if helper not in (algorithm, folder / "__init__.py") and any(
                name == package
                or name in (f"{package}.ALGORITHM", f"{package}.algorithm")
                or name.startswith(f"{package}.algorithm.")
                for name in imported(helper, root)
            ):
                takers.setdefault(f"{folder.parent.name}/{folder.name}", []).append(helper.name)
    return takers
