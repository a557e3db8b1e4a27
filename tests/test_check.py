"""`python -m tests.check NAME` passes what is right, names what is wrong, and takes a name for exactly what it says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from algorithms.conformance import contract, declaration, scenes
from tests import check
from tests.chosen import VARIABLE, chosen
from tests.documents import SCRIPTS, code
from tests.patience import LONG

ROOT = Path(__file__).parents[1]
CONTRIBUTING = (ROOT / ".github/CONTRIBUTING.md").read_text(encoding="utf-8")
RUNNING_MEAN = code(SCRIPTS)[-1]
WELFORD = "state.mean + (data.X[n - 1] - state.mean) / n"
OWN_TEST = '''"""The running mean is the mean."""

import pytest

from algorithms import datasets, find

WRONG = {"choice": "test_a_row_passed_over_is_noticed", "update": "test_half_the_way_is_noticed"}
MEAN = find("running_mean")


def test_it_ends_at_the_mean() -> None:
    *_, last = MEAN(datasets.load("faithful"), rows=272)
    assert last.mean == pytest.approx(datasets.load("faithful").X.mean(axis=0))


def test_a_row_passed_over_is_noticed() -> None:
    problem = MEAN.problem(datasets.load("faithful"))
    start = next(MEAN.start(problem))
    skipped = start.after("row", mean=(problem.data.X[0] + problem.data.X[2]) / 2, seen=2)
    assert MEAN.theorems[0].verdict(problem, start, skipped).status == "fails"


def test_half_the_way_is_noticed() -> None:
    problem = MEAN.problem(datasets.load("faithful"))
    start, second = [state for state, _ in zip(MEAN.start(problem), range(2))]
    half = second.replaced(mean=(start.mean + second.mean) / 2)
    assert MEAN.theorems[0].verdict(problem, start, half).status == "fails"
'''


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all that a check looks at; what mypy has found out of it serves the next check too."""
    tmp_path = tmp_path_factory.mktemp("house")
    for folder in ("algorithms", "tui", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.fixture
def house(copied: Path) -> Path:
    """The copy, with the algorithm of algorithms/GUIDE.md in its place."""
    (copied / "algorithms/families/clustering/running_mean.py").write_text(RUNNING_MEAN, encoding="utf-8")
    (copied / "tests/families/clustering/test_running_mean.py").write_text(OWN_TEST, encoding="utf-8")
    return copied


def checked(house: Path, name: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tests.check", name],
        cwd=house,
        env=os.environ | {"PYTHONPATH": str(house)},
        capture_output=True,
        text=True,
        timeout=LONG,
    )


def test_the_whole_algorithm_of_the_readme_passes(house: Path) -> None:
    done = checked(house, "running_mean")
    assert done.returncode == 0, done.stdout + done.stderr
    first, *lines = done.stdout.splitlines()
    assert first == "Running mean, algorithms/families/clustering/running_mean.py"
    assert [line.split("  ")[1] for line in lines] == [*check.parts("lloyd")]
    assert all("passed" in line for line in lines)


def test_a_broken_algorithm_is_caught_by_every_part_that_looks_at_it(house: Path) -> None:
    """A step too short, no types, an unused name, two spaces for one, an imported session, a long function, no test."""
    broken = RUNNING_MEAN.replace(WELFORD, WELFORD + " / 2").replace(
        "import numpy as np\n", "import  json\nimport numpy as np\n"
    )
    broken = broken.replace(
        "from algorithms.data import", "from algorithms.saving import session\nfrom algorithms.data import"
    )
    broken = re.sub(r"def exact\(.*?\) -> Sides:", "def exact(problem, before, after):", broken)
    broken += "\n\ndef long() -> None:\n" + "    print()\n" * 70
    assert broken.count("/ 2") == broken.count("def exact(problem, before, after):") == 1
    (house / "algorithms/families/clustering/running_mean.py").write_text(broken, encoding="utf-8")
    (house / "tests/families/clustering/test_running_mean.py").unlink()
    done = checked(house, "running_mean")
    assert done.returncode == 1, done.stdout + done.stderr
    summary = done.stdout[done.stdout.index("Running mean, ") :].splitlines()[1:]
    assert [line.split("  ")[1] for line in summary if "FAILED" in line] == [*check.parts("lloyd"), "own tests"]
    assert "'m is the mean of the rows seen' fails: ‖m - mean‖ = " in done.stdout
    assert "running_mean.py: long has 71 lines" in done.stdout
    assert "Function is missing a type annotation" in done.stdout
    assert "`json` imported but unused" in done.stdout
    assert "algorithms.families is not allowed to import algorithms.saving" in done.stdout
    assert "tests/families/clustering/test_running_mean.py" in done.stdout


def test_an_unknown_name_gets_one_sentence_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(["perceptro"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(
        r"python -m tests\.check: there is no algorithm 'perceptro'; .* Did you mean perceptron\?\n", err
    )


@pytest.mark.parametrize("words", [[], ["--help"], ["lloyd", "pca"]], ids=["none", "an_option", "two"])
def test_anything_but_one_name_gets_one_sentence_and_status_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert check.main(words) == 2
    assert capsys.readouterr().err == "python -m tests.check NAME checks one algorithm; give its name.\n"


def test_a_name_is_that_name_and_no_longer_one_in_which_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "perceptron")
    assert chosen() == ("perceptron",)
    assert [file.name for file in check.own_tests("perceptron")] == ["test_perceptron.py", "test_perceptron_mapped.py"]


def test_its_own_tests_are_those_of_its_name_and_those_that_import_it() -> None:
    own = {file.name for file in check.own_tests("multilayer_perceptron")}
    assert own == {"test_backpropagation.py", "test_multilayer_perceptron.py", "test_network_of_numbers.py"}


def test_hard_numbers_are_those_of_all_and_those_that_speak_of_it() -> None:
    of_all = {"test_door.py", "test_hard_data.py", "test_parameters.py", "test_seeded.py"}
    assert {file.name for file in check.hard_numbers("running_mean")} == of_all
    assert {file.name for file in check.hard_numbers("least_squares")} == {*of_all, "test_rounding.py"}


@pytest.mark.parametrize(
    ("told", "most"),
    [
        ("A title has {} columns", declaration._TITLE),
        ("the rule 5 lines of {}", declaration._RULE),
        ("a line of a proof {}", contract._PROOF),
        ("the title of a panel {}", scenes._TITLE),
        ("an explanation {} letters", scenes._WORDS),
    ],
)
def test_the_notes_for_contributors_tell_how_wide_things_may_be(told: str, most: int) -> None:
    assert told.format(most) in CONTRIBUTING


@pytest.mark.parametrize("table", ["WRONG", "PLANTED", "SILENT"])
def test_the_notes_for_contributors_show_every_table_that_the_check_reads(table: str) -> None:
    read = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests/conformance").glob("*.py"))
    assert {*re.findall(r'getattr\((?:own_test\(algorithm\)|module), "([A-Z]+)"', read)} == {
        "WRONG",
        "PLANTED",
        "SILENT",
    }
    assert f"{table} = {{" in CONTRIBUTING
