"""What is imported before it is needed is waited for at every start."""

import subprocess
import sys

import pytest

import algorithms

_LATER = {
    "algorithms": ("numpy", "algorithms.core"),
    "algorithms.playback.runs.request, tui.app": (
        "tui.screens.compare",
        "tui.screens.theorem",
        "tui.screens.catalogue",
        "tui.screens.sweep",
        "tui.export",
        "algorithms.sweeping",
        "algorithms.userfile",
        "algorithms.saving.runlog",
        "algorithms.saving.session",
        "importlib.metadata",
    ),
}


_NOT_FOR_HELP = (
    "algorithms.timeline",
    "algorithms.userfile",
    "algorithms.saving.runlog",
    "multiprocessing",
    "numpy",
)


_STEPS = """
import asyncio, sys
from algorithms import find
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import at, until
from tui.app import IterscopeApp

async def imported(name):
    async with IterscopeApp(LoadedRun.usual(find(name))).run_test(size=(110, 34)) as pilot:
        await until(pilot, at(pilot, 0))
        await until(pilot, lambda: hasattr(sys.modules.get("numpy.ma"), "extras"))  # in a moment that no key waits for
        there = set(sys.modules)
        for t in (1, 2, 3):
            await pilot.press("right")
            await until(pilot, at(pilot, t))
        return {module for module in set(sys.modules) - there if module.startswith(("algorithms", "tui", "numpy"))}

"""


def _printed(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("module", _LATER)
def test_what_is_used_later_is_imported_later(module: str) -> None:
    assert _printed(f"import sys, {module}; print(*(name for name in {_LATER[module]!r} if name in sys.modules))") == ""


@pytest.mark.parametrize("room", ["algorithms", "tui"])
def test_help_imports_nothing_that_runs(room: str) -> None:
    code = (
        f"import atexit, sys; from {room}.__main__ import main;"
        "atexit.register(lambda: print('loaded:', *sys.modules)); main(['--help'])"
    )
    loaded = _printed(code).rpartition("loaded:")[2].split()
    assert "argparse" in loaded
    assert not set(_NOT_FOR_HELP) & set(loaded)


def test_opening_one_algorithm_imports_none_of_the_others() -> None:
    code = "import sys, algorithms; algorithms.find('pegasos'); print(*sys.modules)"
    opened = {name.split(".")[3] for name in _printed(code).split() if name.count(".") >= 3 and ".families." in name}
    assert "pegasos" in opened
    assert opened <= {"pegasos", "shared"}


@pytest.mark.parametrize("name", ["logistic_regression", "bias_variance"])
def test_a_step_imports_nothing(name: str) -> None:
    assert _printed(f"{_STEPS}print(asyncio.run(imported({name!r})))") == "set()"


def test_every_public_name_is_there_and_no_other() -> None:
    for name in algorithms.__all__:
        assert getattr(algorithms, name).__name__.rpartition(".")[2] == name or name in ("datasets", "conditions")
    assert set(algorithms.__all__) <= set(dir(algorithms))
    with pytest.raises(AttributeError, match="module 'algorithms' has no attribute 'nothing'"):
        _ = algorithms.nothing  # type: ignore[attr-defined]


def test_public_names_are_the_same_to_a_type_checker() -> None:
    import ast
    import inspect

    tree = ast.parse(inspect.getsource(algorithms))
    typed = next(node for node in tree.body if isinstance(node, ast.If))
    names = {(node.module, name.name) for node in typed.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert {name for _, name in names} == set(algorithms.__all__)


def test_the_collector_sleeps_until_the_first_picture() -> None:
    code = (
        "import gc, sys; sys.orig_argv[1:] = ['-m', 'tui']; sys.argv[:] = ['-m'];"
        "import tui.starting; print(gc.isenabled()); tui.starting.settled();"
        "print(gc.isenabled(), gc.get_freeze_count() > 0)"
    )
    assert _printed(code).split() == ["False", "True", "True"]
