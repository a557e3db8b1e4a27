"""What is missing for a release: says nothing, with status 0, where a tag of this version could be set.

python -m tests.release           what is missing, a line each; status 1 where anything is
python -m tests.release v1.0.0    the same, and whether that tag is this version's
python -m tests.release --notes   what CHANGELOG.md says of this version: the text of the release
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_MOST_WORDS = 1200  # of README
_HAS = ("authors", "keywords", "classifiers", "urls", "license", "requires-python")
_PEOPLE = ("SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "PULL_REQUEST_TEMPLATE.md", "ISSUE_TEMPLATE")
_HEADING = re.compile(r"^## (.*)$", re.M)


def missing(root: Path = ROOT, tag: str = "") -> Iterator[str]:
    """Yield a sentence for each thing without which no tag should be set."""
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = project["version"]
    if tag and tag != f"v{version}":
        yield f"the tag {tag} is not v{version}, the version of pyproject.toml."
    yield from (f"pyproject.toml: project.{name} is not there." for name in _HAS if not project.get(name))
    yield from _of_changes(root, version)
    yield from _of_citation(root, version)
    yield from _of_documents(root)
    yield from _of_data(root)
    yield from (f".github/{name} is not there." for name in _PEOPLE if not (root / ".github" / name).exists())
    yield from _of_pythons(root, project)


def notes(root: Path = ROOT) -> str:
    """Get what the newest version's part of CHANGELOG.md says, without its heading."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    return _HEADING.split(text)[2].strip()


def _of_changes(root: Path, version: str) -> Iterator[str]:
    headings = _HEADING.findall((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if not headings or not re.fullmatch(rf"{re.escape(version)} \(\d{{4}}-\d{{2}}-\d{{2}}\)", headings[0]):
        found = headings[0] if headings else "nothing"
        yield f"CHANGELOG.md begins with {found!r}: it has to be '{version} (YEAR-MONTH-DAY)'."
    elif len(notes(root)) < 100:
        yield f"CHANGELOG.md says next to nothing of {version}."


def _of_citation(root: Path, version: str) -> Iterator[str]:
    path = root / "CITATION.cff"
    if not path.exists():
        yield "CITATION.cff is not there."
        return
    given = dict(re.findall(r"^([a-z-]+): (.+)$", path.read_text(encoding="utf-8"), re.M))
    if given.get("version") != version:
        yield f"CITATION.cff is of version {given.get('version')}, pyproject.toml of {version}."
    dated = re.findall(r"\((\d{4}-\d{2}-\d{2})\)", "".join(_HEADING.findall((root / "CHANGELOG.md").read_text())[:1]))
    if given.get("date-released", "").strip("\"'") not in dated:
        yield "CITATION.cff: date-released is not the day that CHANGELOG.md gives."


def _of_documents(root: Path) -> Iterator[str]:
    words = len((root / "README.md").read_text(encoding="utf-8").split())
    if words > _MOST_WORDS:
        yield f"README.md has {words:,} words: {_MOST_WORDS:,} at most."
    for name in ("tui/GUIDE.md", "algorithms/GUIDE.md", "algorithms/LECTURES.md", "LICENSE"):
        if not (root / name).exists():
            yield f"{name} is not there."


def _of_data(root: Path) -> Iterator[str]:
    """Each set has its own source and terms; those of a package that it was taken from are not its own."""
    folder = root / "algorithms/data/csv"
    rows = re.findall(r"^\| ([\w.]+\.csv) \|(.*)\|$", (folder / "SOURCES.md").read_text(encoding="utf-8"), re.M)
    named = {name: cells.split("|") for name, cells in rows}
    for path in sorted(folder.glob("*.csv")):
        cells = named.get(path.name)
        if cells is None:
            yield f"SOURCES.md has no line for {path.name}."
        elif not re.search(r"\d{4}", cells[2]):
            yield f"SOURCES.md: {path.name} has no source with its year."
        elif not re.match(r" (CC0|CC BY|facts: |as \w)", cells[3]):
            yield f"SOURCES.md: {path.name} has no terms of its own: {cells[3].strip() or 'nothing is said'}."


def _of_pythons(root: Path, project: dict[str, Any]) -> Iterator[str]:
    workflow = (root / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    tried = set(re.findall(r'"(3\.\d+)"', workflow))
    stated = set(re.findall(r":: (3\.\d+)", " ".join(project.get("classifiers", ()))))
    for version in sorted(stated - tried):
        yield f"pyproject.toml says Python {version}, which the workflow does not try."
    if not (root / ".github/workflows/release.yml").exists():
        yield ".github/workflows/release.yml is not there."


def main(words: Sequence[str]) -> int:
    """Say what is missing, or print the release's text; returns the exit status."""
    if list(words) == ["--notes"]:
        print(notes())
        return 0
    found = list(missing(tag=words[0] if words else ""))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
