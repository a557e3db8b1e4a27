"""The rules that keep the house: each is broken here, in a copy, by a planted file, and names it."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from algorithms import names
from algorithms.core.catalogue import Twins, walked
from tests.imports import imported, state_takers
from tests.patience import LONG

ROOT = Path(__file__).parents[1]
TESTS = sorted((ROOT / "tests").rglob("*.py"))

# Algorithms whose helpers still import their State. An entry is taken out when it is no longer so; none is put in.
STILL_TAKE_THE_STATE: set[str] = set()

Plant = Callable[[str, str], Path]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the two packages and their rules."""
    for package in ("algorithms", "tui"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "*.csv"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.fixture
def plant(house: Path) -> Plant:
    """Write a file into the copy; its folders become packages."""

    def written(path: str, code: str = "") -> Path:
        file = house / path
        file.parent.mkdir(parents=True, exist_ok=True)
        for folder in file.relative_to(house).parents:
            (house / folder / "__init__.py").touch()
        file.write_text(code)
        return file

    return written


def broken_rules(house: Path) -> tuple[list[str], str]:
    """The names of the rules that are broken, and all that import-linter says, on one line."""
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--config", "pyproject.toml", "--no-cache"],
        cwd=house,
        env=os.environ | {"PYTHONPATH": str(house), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    rules = re.findall(r"^(.*) BROKEN$", done.stdout, re.M)
    assert (done.returncode != 0) == bool(rules), done.stdout + done.stderr
    assert re.search(r"Contracts: \d+ kept", done.stdout), done.stdout + done.stderr
    return rules, " ".join(done.stdout.split())


def test_the_house_as_it_is_breaks_no_rule(house: Path) -> None:
    rules, page = broken_rules(house)
    assert rules == [], page


PLANTED = {  # path: code, the rule that it breaks, what is named
    "algorithms/families/planted/neighbour.py": (
        "from algorithms.families.clustering import lloyd\n",
        "no family imports another",
        "algorithms.families.planted.neighbour -> algorithms.families.clustering.lloyd",
    ),
    "algorithms/families/planted/printer.py": (
        "def shown():\n    import rich\n",
        "no family knows how a run is kept, watched or printed",
        "algorithms.families.planted.printer -> rich",
    ),
    "algorithms/families/planted/keeper.py": (
        "from algorithms.saving.session import session_of\n",
        "no family knows how a run is kept, watched or printed",
        "algorithms.families.planted.keeper -> algorithms.saving.session",
    ),
    "algorithms/planted/__init__.py": (
        "",
        "every room has its place",
        "not listed as layers: - algorithms.planted",
    ),
}


def test_planted_imports_and_a_package_beside_the_rooms_are_caught_by_name(house: Path, plant: Plant) -> None:
    for path, (code, _, _) in PLANTED.items():
        plant(path, code)
    rules, page = broken_rules(house)
    for path, (_, rule, named) in PLANTED.items():
        assert any(name.startswith(rule) for name in rules), f"{path}: {page}"
        assert named in page, path


def test_the_catalogue_does_not_see_a_package_beside_the_families(house: Path, plant: Plant) -> None:
    plant("algorithms/planted/room.py", "raise RuntimeError('it was imported')\n")
    done = subprocess.run(
        [sys.executable, "-m", "algorithms", "list"],
        cwd=house,
        env=os.environ | {"PYTHONPATH": str(house)},
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert done.returncode == 0, done.stderr
    assert "perceptron" in done.stdout
    assert "planted" not in done.stdout


def test_two_files_of_one_name_are_refused_with_both_paths(house: Path, plant: Plant) -> None:
    plant("algorithms/families/trees/lloyd.py", "")
    with pytest.raises(Twins) as refused:
        walked(house / "algorithms/families", "algorithms.families")
    assert "algorithms/families/trees/lloyd" in str(refused.value)
    assert "algorithms/families/clustering/lloyd" in str(refused.value)


def test_no_more_helpers_take_the_state_than_did() -> None:
    takers = state_takers(ROOT)
    said = f"helpers take arrays or a struct of their own, not their algorithm's module: {takers}"
    assert set(takers) == STILL_TAKE_THE_STATE, said


@pytest.mark.parametrize(
    "code",
    [
        "from algorithms.families.reduction.pca.algorithm import PCAState\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .algorithm import PCAState\n",
        "def sides():\n    from . import algorithm\n",
        "import algorithms.families.reduction.pca.algorithm as own\n",
        "from algorithms.families.reduction.pca import ALGORITHM\n",
    ],
    ids=["by_its_name", "for_its_type_alone", "inside_a_function", "as_a_module", "through_its_package"],
)
def test_a_helper_that_takes_the_state_is_caught_by_name(house: Path, plant: Plant, code: str) -> None:
    assert "reduction/pca" not in state_takers(house)
    plant("algorithms/families/reduction/pca/planted.py", code)
    assert state_takers(house)["reduction/pca"] == ["planted.py"]


def test_a_helper_may_take_another_helper(house: Path, plant: Plant) -> None:
    plant("algorithms/families/reduction/pca/planted.py", "")
    plant("algorithms/families/reduction/pca/other.py", "from . import planted\n")
    assert "reduction/pca" not in state_takers(house)


def test_no_test_module_is_imported_by_another() -> None:
    """What two test modules share is in a module that is no test, and in `conftest.py`."""
    worth_parsing = re.compile(r"^\s*(from|import)\b.*\btest_", re.M)
    borrowed = [
        f"{file.relative_to(ROOT)} imports {name}"
        for file in TESTS
        if worth_parsing.search(file.read_text(encoding="utf-8"))
        for name in imported(file, ROOT)
        if name.startswith("tests.") and any(part.startswith("test_") for part in name.split(".")[1:-1])
    ]
    assert borrowed == []


def test_every_process_beside_a_test_is_ended_with_it() -> None:
    """`tests.process.started` and `tests.terminal.pseudo.Pseudo` end theirs; nothing else begins one."""
    here = {
        "tests/process.py",
        "tests/terminal/pseudo.py",
        "tests/bench/screen.py",
        "tests/test_house.py",
        "tests/userfile/test_process.py",
        "tests/hands/watched.py",  # the child that is left behind on purpose, which the walker has to find
    }
    begun = re.compile(r"\bPopen\((?!\))|pexpect\.spawn\(|(?<!with )(?<!as mark, )\bstarted\(|os\.fork\(")
    offenders = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in TESTS
        if str(file.relative_to(ROOT)) not in here
        for line in file.read_text(encoding="utf-8").splitlines()
        if begun.search(line) and not line.strip().startswith("return started(")
    ]
    assert offenders == []


def test_what_the_catalogue_finds_is_what_stands_in_the_families() -> None:
    families = ROOT / "algorithms/families"
    files = {f.stem for f in families.glob("*/*.py")} | {f.parent.name for f in families.glob("*/*/__init__.py")}
    assert set(names()) == {name for name in files if not name.startswith("_") and name != "shared"}


def test_the_workflow_runs_what_a_person_runs() -> None:
    workflow = (ROOT / ".github/workflows/ci.yml").read_text()
    assert re.search(r"^      - run: \.ci/run$", workflow, re.M)
    assert all(name in workflow for name in ("ubuntu-latest", "macos-latest", '"3.11"', '"3.12"', '"3.13"', '"3.14"'))
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert "--resolution lowest-direct" in script.read_text()


def test_the_wheel_puts_the_demos_where_the_guide_says() -> None:
    """`.ci/run` builds the wheel and gives the guides' commands there."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert settings["shared-data"] == {"demos": "share/iterscope/demos"}
    assert "`cd .venv/share/iterscope`" in (ROOT / "algorithms/GUIDE.md").read_text()


def test_nothing_else_stands_at_the_top_level() -> None:
    """What is left there by a walk or a notebook comes with the next commit otherwise."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode or not listed.stdout:
        pytest.skip("this is no checkout")
    names_there = {line.split("/")[0] for line in listed.stdout.splitlines()}
    folders = {".ci", ".github", "algorithms", "demos", "tests", "tui"}
    files = {".gitignore", "CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md", "pyproject.toml"}
    assert names_there == folders | files
