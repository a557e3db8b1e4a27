"""Where a generator computes what it yields: the line of each field, and which of several comes first in a step.

A step goes from one yield to the next. So, in a loop, what stands below the yield comes before what stands above it.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from algorithms.timeline.timeline import Timeline

_NOWHERE = 1 << 30  # the place of what is computed elsewhere: behind all that is computed here
_BEFORE = -(1 << 20)  # added to the lines before a loop, which come first
_AS_IT_IS = {"float", "int", "list", "tuple", "array", "asarray", "copy", "deepcopy", "item", "tolist", "round"}
_MAKERS = {"dict", "after", "replace", "replaced", "_replace"}  # calls whose keywords name fields


def line_of(run: Timeline, t: int, field: str) -> tuple[int, str] | None:
    """Find the first line that gives a field at step t, with its text; None where none is seen."""
    source = _source(run)
    if source is None:
        return None
    first, text = source
    _, line = _placed(_computed(text, first, run.kind(t).line), field)
    lines = text.split("\n")
    return (line, lines[line - first].strip()) if 0 <= line - first < len(lines) else None


def lines_apart(
    runs: tuple[Timeline, Timeline], steps: tuple[int, int], fields: tuple[str, str]
) -> tuple[tuple[int, str] | None, tuple[int, str] | None]:
    """Find the line that gives a field in each of two runs: of several the first that is not the same in both."""
    one, other = (line_of(run, t, field) for run, t, field in zip(runs, steps, fields))
    if one is not None and other is not None and one[1] == other[1]:
        every = [lines_of(run, t, field) for run, t, field in zip(runs, steps, fields)]
        return next(((a, b) for a, b in zip(*every) if a[1] != b[1]), (one, other))
    return one, other


def lines_of(run: Timeline, t: int, field: str) -> list[tuple[int, str]]:
    """List the lines that give a field or change it: those of the step, then those before its loop."""
    source = _source(run)
    if source is None:
        return []
    first, text = source
    lines = text.split("\n")
    return [(line, lines[line - first].strip()) for line in _giving(text, first, run.kind(t).line, field)]


@lru_cache(64)
def _giving(text: str, first: int, at: int, field: str) -> tuple[int, ...]:
    tree = _parsed(text)
    if tree is None:
        return ()
    here = at - first + 1
    begin, end = _loop(tree, here)
    names = {field, field.rpartition(".")[2], field.partition(".")[0]}
    variables = {of for name, of, _ in _renamed(tree) if name in names and of} or names
    lines = {line for name, line in _given(tree) if name in variables}
    lines |= {line for name, of, line in _renamed(tree) if name in names and not of}
    step = sorted((line for line in lines if begin <= line <= end), key=lambda line: (line <= here, line))
    return tuple(line + first - 1 for line in (*step, *sorted(line for line in lines if not begin <= line <= end)))


def in_order(run: Timeline, t: int, fields: Iterable[str]) -> list[str]:
    """Sort fields by where in step t they are computed; as they are given where the source does not tell."""
    source = _source(run)
    if source is None:
        return list(fields)
    computed = _computed(source[1], source[0], run.kind(t).line)
    return sorted(fields, key=lambda field: _placed(computed, field)[0])


def _source(run: Timeline) -> tuple[int, str] | None:
    try:
        _, first, lines = run.algorithm.source
    except (OSError, TypeError):
        return None
    return (first, "\n".join(lines)) if lines else None


_Places = dict[str, tuple[int, int]]  # by name: where in the step, and the line


def _placed(computed: _Places, field: str) -> tuple[int, int]:
    names = (field, field.rpartition(".")[2], field.partition(".")[0])
    return next((computed[name] for name in names if name in computed), (_NOWHERE, 0))


@lru_cache(64)
def _computed(text: str, first: int, at: int) -> _Places:
    """Place every name of a generator's source in the step that ends with the yield at a line."""
    tree = _parsed(text)
    if tree is None:
        return {}
    here = at - first + 1
    begin, end = _loop(tree, here)

    def place(line: int) -> int:
        if begin <= line <= end:
            return line - here - 1 if line > here else line - here + end - begin
        return line + _BEFORE if line <= here else _NOWHERE - 1

    best: dict[str, tuple[int, int]] = {}
    for name, line in _given(tree):
        known, new = best.get(name), (place(line), line)
        inside = begin <= line <= end
        if known is None or (inside and (not begin <= known[1] <= end or new < known)):
            best[name] = new
        elif not inside and not begin <= known[1] <= end and known < new < (0, 0):
            best[name] = new  # the last one before
    renamed: dict[str, tuple[int, int]] = {}
    for name, of, line in _renamed(tree):  # the nearest to the yield, of those that a name has
        new = (place(line), line)
        if name not in renamed or renamed[name] < new < (_NOWHERE - 1, 0):
            renamed[name] = new
            best[name] = best[of] if of in best and of != name else best.get(name, new) if of else new
    return {name: (where, line + first - 1) for name, (where, line) in best.items()}


def _parsed(text: str) -> ast.AST | None:
    lines = text.split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    try:
        return ast.parse("\n".join(line[indent:] for line in lines))
    except SyntaxError:
        return None


def _loop(tree: ast.AST, here: int) -> tuple[int, int]:
    """Find the first and last line of the innermost loop around a line; (0, 0) where there is none."""
    around = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.For | ast.While)
    ]
    return max(((a, b) for a, b in around if a <= here <= b), default=(0, 0))


def _given(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """List the names that statements give a value to, or change, each with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets):
                pass
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.For(target=target):
                targets = [target]
            case ast.NamedExpr(target=target):
                targets = [target]
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=changed))):  # w.sort(), path.append(...)
                targets = [changed]
            case ast.keyword(arg="out", value=changed):
                targets = [changed]
            case _:
                continue
        for target in targets:
            for name in _names(target):
                yield name, target.lineno


def _names(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _names(part)
        case ast.Starred(value=inner) | ast.Subscript(value=inner):
            yield from _names(inner)
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                yield str(target.slice.value)  # state["w"] = ...
        case ast.Attribute(attr=name):
            yield name
            yield ast.unparse(target)
        case ast.Name(id=name):
            yield name


def _renamed(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    """List what is yielded under a name: the name, the variable that it is ("" for an expression), and the line."""
    within = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Yield) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        pairs: list[tuple[Any, ast.expr]] = []
        if isinstance(node, ast.Dict):
            pairs = [(key.value, value) for key, value in zip(node.keys, node.values) if isinstance(key, ast.Constant)]
        elif isinstance(node, ast.Call) and (id(node) in within or _makes(node)):
            pairs = [(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg and keyword.arg != "out"]
        elif isinstance(node, ast.Yield) and node.value is not None:
            parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            pairs = [(ast.unparse(part), part) for part in parts if not isinstance(part, ast.Name | ast.Dict)]
        for name, value in pairs:
            yield str(name), _variable(value), value.lineno


def _makes(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    return name in _MAKERS or name[:1].isupper()


def _variable(value: ast.expr) -> str:
    """Name the variable that an expression is, or a copy or a part of; "" for what is computed."""
    while True:
        match value:
            case ast.Name(id=name):
                return name
            case ast.Attribute(value=ast.Name(), attr=name):
                return name
            case ast.Subscript(value=inner) | ast.Call(func=ast.Attribute(value=inner, attr="copy"), args=[]):
                value = inner
            case (
                ast.Call(func=ast.Name(id=name), args=[inner]) | ast.Call(func=ast.Attribute(attr=name), args=[inner])
            ) if name in _AS_IT_IS:
                value = inner
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in _AS_IT_IS:
                value = inner
            case _:
                return ""
