"""The stage and the comparison are made of parts; no part may take another's place by a name."""

import ast
import inspect
from collections import Counter

import pytest

from tui.screens.compare import CompareScreen
from tui.screens.compare.base import CompareBase
from tui.screens.run_screen import RunScreen
from tui.screens.stage import StageScreen
from tui.screens.stage.base import StageBase

SCREENS = pytest.mark.parametrize(("screen", "base"), [(StageScreen, StageBase), (CompareScreen, CompareBase)])


@SCREENS
def test_no_two_parts_have_a_name_in_common(screen: type[RunScreen], base: type[RunScreen]) -> None:
    """But for those of the base, which a part may go on from."""
    parts = [part for part in screen.__mro__ if issubclass(part, base) and part not in (base, screen)]
    names = Counter(name for part in parts for name in vars(part) if not hasattr(base, name))
    assert [name for name, times in names.items() if times > 1] == []


@SCREENS
def test_no_two_parts_have_a_key_in_common(screen: type[RunScreen], base: type[RunScreen]) -> None:
    parts = [part for part in screen.__mro__ if issubclass(part, RunScreen)]
    keys = Counter(key for part in parts for b in vars(part).get("BINDINGS", ()) for key in b.key.split(","))
    assert [key for key, times in keys.items() if times > 1] == []


def bodies(base: type[RunScreen], screen: type[RunScreen]) -> dict[str, set[str]]:
    """Collect what the methods of a screen's own parts do, by name; without their docstrings."""
    found: dict[str, set[str]] = {}
    for part in (part for part in screen.__mro__ if issubclass(part, base)):
        for method in ast.walk(ast.parse(inspect.getsource(part))):
            if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                docstring = ast.get_docstring(method) is not None
                body = "\n".join(ast.unparse(statement) for statement in method.body[docstring:])
                found.setdefault(method.name, set()).add(body)
    return found


def test_what_both_screens_do_alike_is_a_part_of_both() -> None:
    stage, compare = bodies(StageBase, StageScreen), bodies(CompareBase, CompareScreen)
    alike = {name for name in stage if stage[name] & compare.get(name, set()) - {""}}
    assert alike == set(), "it belongs to a part in tui/screens that both have"
