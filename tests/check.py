"""Check one algorithm: conformance, hard numbers, its own tests, its rooms, its types, its lint and its imports.

python -m tests.check NAME

Ends with status 0 when all of it passes, 1 when anything does not, 2 when there is no such algorithm.
"""

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from algorithms import Refused, find
from algorithms.core.catalogue import modules
from tests.chosen import VARIABLE
from tests.imports import imported

ROOT = Path(__file__).parents[1]
OVER_ALL = (
    "tests/conformance/test_conformance.py",
    "tests/families/test_ends.py",
    "tests/test_rooms.py",
    "tests/test_house.py::test_no_more_helpers_take_the_state_than_did",
)
_SAID = 40  # lines of a part that failed, the last ones
_COMPLAINTS = 40


@dataclass(frozen=True)
class Outcome:
    """How one part of the check went."""

    part: str
    passed: bool
    output: str
    seconds: float


def source_of(name: str) -> Path:
    """The file of an algorithm, or its folder when it has one."""
    spec = importlib.util.find_spec(modules()[name])
    assert spec is not None
    assert spec.origin is not None
    file = Path(spec.origin)
    return file.parent if file.name == "__init__.py" else file


def own_tests(name: str) -> list[Path]:
    """The test modules beside those of its family that bear its name or import it."""
    module = modules()[name]
    folder = ROOT / "tests/families" / module.split(".")[2]
    return [
        file
        for file in sorted(folder.rglob("test_*.py"))
        if file.stem == f"test_{name}" or any(f"{used}.".startswith(f"{module}.") for used in imported(file, ROOT))
    ]


def hard_numbers(name: str) -> list[Path]:
    """The modules of hard numbers that run over what is chosen, or speak of the algorithm by its name."""
    files = sorted((ROOT / "tests/numbers").glob("test_*.py"))
    return [file for file in files if any(word in file.read_text("utf-8") for word in ("chosen()", f'"{name}"'))]


def parts(name: str) -> dict[str, list[str]]:
    """The command of each part of the check."""
    source, own = str(source_of(name)), [str(file) for file in own_tests(name)]
    numbers = [str(file) for file in hard_numbers(name)]
    tests = ["pytest", "-n", "2", "-p", "no:cacheprovider", "--no-header"]
    return {
        "conformance, hard numbers, own tests": [*tests, *OVER_ALL, *numbers, *own],
        "types": ["mypy", f"--cache-dir=.mypy_cache/{name}", source],  # its own: two that write one cache crash
        "lint": ["ruff", "check", source, *own],
        "format": ["ruff", "format", "--check", source, *own],
        "imports": ["importlinter"],
    }


def outcome(part: str, command: Sequence[str], environment: dict[str, str]) -> Outcome:
    began = time.monotonic()
    if command == ["importlinter"]:  # which is not run as a module
        command = ["-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"]
    else:
        command = ["-m", *command]
    done = subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True)
    return Outcome(part, done.returncode == 0, done.stdout + done.stderr, time.monotonic() - began)


def check(name: str) -> list[Outcome]:
    """Run every part, side by side."""
    environment = os.environ | {VARIABLE: name}
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda each: outcome(*each, environment), parts(name).items()))
    if not own_tests(name):
        family = modules()[name].split(".")[2]
        missing = f"it has no tests of its own; they belong into tests/families/{family}/test_{name}.py\n"
        outcomes.append(Outcome("own tests", False, missing, 0.0))
    return outcomes


def essence(output: str) -> list[str]:
    """What is wrong first, each complaint once, then the end of what the tool printed."""
    lines = output.splitlines()
    complaints = dict.fromkeys(line for line in lines if line.startswith("E ") and "Error: " in line)
    return [*list(complaints)[:_COMPLAINTS], *lines[-_SAID:]]


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("python -m tests.check NAME checks one algorithm; give its name.", file=sys.stderr)
        return 2
    try:
        algorithm = find(arguments[0])
    except Refused as refusal:
        print(f"python -m tests.check: {refusal}", file=sys.stderr)
        return 2
    outcomes = check(arguments[0])
    for failed in (outcome for outcome in outcomes if not outcome.passed):
        print(f"--- {failed.part}", *essence(failed.output), "", sep="\n")
    print(f"{algorithm.title}, {source_of(arguments[0]).relative_to(ROOT)}")
    for each in outcomes:
        print(f"  {each.part:<38}{'passed' if each.passed else 'FAILED'}{each.seconds:8.1f} s")
    return 0 if all(each.passed for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
