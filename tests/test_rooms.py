"""Every tool stands beside its one user, in what its family shares or in the toolbox; no algorithm grows on."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.imports import statements
from tests.rooms import algorithm_of, misplaced, modules

ROOT = Path(__file__).parent.parent
LINES, FILES = 1_315, 9  # of an algorithm, at most; today's largest: gradient boosting, and bias and variance
LINES_OF_A_FILE = 500
LINES_OF_A_FUNCTION = 65  # from its `def`, generators included: what a page shows at once


def test_every_tool_is_in_the_room_of_its_users() -> None:
    found = list(misplaced(ROOT))
    assert not found, "; ".join(found)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Two algorithms of one family, one of another, and tools in their rooms."""
    for name, text in {
        "families/trees/stump.py": "from algorithms.families.trees.shared.splits import split\n"
        "from algorithms.toolbox.sizes import size\n",
        "families/trees/forest/algorithm.py": "from algorithms.families.trees.shared import splits\n"
        "from algorithms.families.trees.forest.bags import bag\n",
        "families/trees/forest/bags.py": "",
        "families/trees/shared/__init__.py": "",
        "families/trees/shared/splits.py": "",
        "families/linear/perceptron.py": "from algorithms.toolbox import sizes\n",
        "toolbox/__init__.py": "",
        "toolbox/sizes.py": "",
    }.items():
        file = tmp_path / "algorithms" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert list(misplaced(tmp_path)) == []
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("families/linear/perceptron.py", "", "toolbox.sizes serves trees/stump alone: it belongs beside it"),
        ("families/trees/forest/algorithm.py", "", "shared.splits serves trees/stump alone: it belongs beside it"),
        ("toolbox/new.py", "", "toolbox.new is used by no algorithm: it goes"),
        ("families/trees/stump.py", "import algorithms.families.trees.forest.bags\n", "belongs into shared/"),
        ("toolbox/sizes.py", "from algorithms.families.linear import perceptron\n", "a tool imports none"),
    ],
)
def test_a_tool_in_another_room_is_told_with_its_move(house: Path, name: str, text: str, said: str) -> None:
    (house / "algorithms" / name).write_text(text)
    assert any(said in each for each in misplaced(house))


def test_what_one_family_alone_uses_leaves_the_toolbox(house: Path) -> None:
    (house / "algorithms/families/linear/perceptron.py").write_text("")
    (house / "algorithms/families/trees/forest/algorithm.py").write_text(
        "from algorithms.families.trees.shared import splits\nfrom algorithms.toolbox import sizes\n"
    )
    said = "algorithms.toolbox.sizes serves trees alone: it belongs into algorithms/families/trees/shared/"
    assert list(misplaced(house)) == [said]


def test_no_algorithm_and_no_file_grows_beyond_the_largest_of_today() -> None:
    lines: dict[str, list[int]] = {}
    for module, file in modules(ROOT).items():
        count = len(file.read_text(encoding="utf-8").splitlines())
        assert count <= LINES_OF_A_FILE, f"{file.relative_to(ROOT)} has {count} lines; {LINES_OF_A_FILE} are allowed"
        if (algorithm := algorithm_of(module)) and file.name != "__init__.py":
            lines.setdefault(algorithm, []).append(count)
    for algorithm, counts in lines.items():
        assert sum(counts) <= LINES, f"{algorithm} has {sum(counts)} lines; {LINES} are allowed"
        assert len(counts) <= FILES, f"{algorithm} has {len(counts)} files; {FILES} are allowed"


def functions(file: Path) -> Iterator[tuple[str, int]]:
    """List the functions and methods of a file, nested ones too, with their lines from the `def` on."""
    for node in statements(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def too_long(root: Path) -> list[str]:
    """List the functions that are longer than a page."""
    files = [file for room in ("algorithms", "tui") for file in sorted((root / room).rglob("*.py"))]
    return [
        f"{file.relative_to(root)}: {name} has {lines} lines"
        for file in files
        for name, lines in functions(file)
        if lines > LINES_OF_A_FUNCTION
    ]


def test_no_function_is_longer_than_a_page() -> None:
    found = too_long(ROOT)
    assert not found, f"{'; '.join(found)}: {LINES_OF_A_FUNCTION} are a page"


def test_a_function_that_is_longer_than_a_page_is_named(house: Path) -> None:
    body = "    x = 1\n" * LINES_OF_A_FUNCTION
    (house / "algorithms/toolbox/sizes.py").write_text(
        f"class Sizes:\n    def of(self):\n{body.replace('    ', '        ')}"
    )
    assert too_long(house) == ["algorithms/toolbox/sizes.py: of has 66 lines"]
    (house / "algorithms/toolbox/sizes.py").write_text(f"async def of():\n{body[: -len('    x = 1') - 1]}")
    assert too_long(house) == []
