"""Who uses what: each tool stands in the lowest room that all of its users are in or below."""

from collections.abc import Iterator
from pathlib import Path

from tests.imports import imported

SHARED = "shared"


def modules(root: Path) -> dict[str, Path]:
    """List the modules of `algorithms` by their dotted names; packages by the names of their folders."""
    found = {}
    for file in sorted((root / "algorithms").rglob("*.py")):
        parts = file.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def loads(root: Path, files: dict[str, Path]) -> dict[str, set[str]]:
    """List which modules each module imports by itself."""
    return {
        module: {used for name in imported(file, root) if (used := _module_of(name, files)) and used != module}
        for module, file in files.items()
    }


def _module_of(name: str, files: dict[str, Path]) -> str:
    """Find the module that a dotted name is in; "" for one that is none of ours."""
    while name not in files and "." in name:
        name = name.rpartition(".")[0]
    return name if name in files else ""


def algorithm_of(module: str) -> str:
    """Name the algorithm that a module is or belongs to, "family/name"; "" for what is a tool of several."""
    parts = module.split(".")
    in_family = len(parts) >= 4 and parts[1] == "families" and parts[3] != SHARED
    return f"{parts[2]}/{parts[3]}" if in_family else ""


def is_tool(module: str) -> bool:
    """Tell whether a module is a tool: of the toolbox, or of what a family shares."""
    parts = module.split(".")
    return parts[1:2] == ["toolbox"] or parts[3:4] == [SHARED]


def users(files: dict[str, Path], used: dict[str, set[str]]) -> dict[str, set[str]]:
    """Find the algorithms that use each tool, themselves or through other tools."""
    found: dict[str, set[str]] = {
        module: set() for module, file in files.items() if is_tool(module) and file.name != "__init__.py"
    }
    for module in files:
        if algorithm := algorithm_of(module):
            for tool in _reached(module, used):
                found.get(tool, set()).add(algorithm)
    return found


def _reached(module: str, used: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    ahead = [module]
    while ahead:
        new = {tool for tool in used[ahead.pop()] if is_tool(tool)} - reached
        reached |= new
        ahead += new
    return reached


def misplaced(root: Path) -> Iterator[str]:
    """Name each tool that stands in another room than its users ask for, and the move."""
    files = modules(root)
    used = loads(root, files)
    for tool, algorithms in users(files, used).items():
        families = {algorithm.partition("/")[0] for algorithm in algorithms}
        if not algorithms:
            yield f"{tool} is used by no algorithm: it goes"
        elif len(algorithms) == 1:
            only = min(algorithms)
            yield f"{tool} serves {only} alone: it belongs beside it, in algorithms/families/{only}/"
        elif len(families) == 1 and tool.startswith("algorithms.toolbox"):
            yield f"{tool} serves {min(families)} alone: it belongs into algorithms/families/{min(families)}/{SHARED}/"
    for module, imports in used.items():
        for other in sorted(imports):
            if is_tool(module) and algorithm_of(other):
                yield f"{module} imports {other}, which is an algorithm's own: a tool imports none"
            elif algorithm_of(module) and algorithm_of(other) not in ("", algorithm_of(module)):
                yield f"{module} imports {other}: what two algorithms use belongs into {SHARED}/ of their family"
