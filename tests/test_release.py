"""The check before a release names what is missing, and a release's text is what users read of it."""

import re
import shutil
from pathlib import Path

import pytest

from tests import release
from tests.documents import ROOT

NEEDED = (
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE",
    "tui/GUIDE.md",
    "algorithms/GUIDE.md",
    "algorithms/LECTURES.md",
)
SOURCES = "algorithms/data/csv/SOURCES.md"


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """All that the check looks at, as on the day of a release."""
    for name in NEEDED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name in (".github", "algorithms/data/csv"):
        shutil.copytree(ROOT / name, tmp_path / name)
    changes = "# Changelog\n\n## 1.0.0 (2027-01-31)\n\n" + "- What is new to users, in words of theirs.\n" * 5
    (tmp_path / "CHANGELOG.md").write_text(changes + "\n## 0.1.0\n\nThe first one.\n")
    citation = re.sub(r"date-released: .*", "date-released: 2027-01-31", (tmp_path / "CITATION.cff").read_text())
    (tmp_path / "CITATION.cff").write_text(citation)
    return tmp_path


def test_nothing_is_said_where_a_tag_could_be_set(ready: Path) -> None:
    assert list(release.missing(ready, "v1.0.0")) == []
    assert release.notes(ready).startswith("- What is new to users")
    assert "The first one" not in release.notes(ready)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("pyproject.toml", 'version = "1.0.0"', 'version = "1.0.1"', "CITATION.cff is of version 1.0.0"),
        ("pyproject.toml", "keywords = ", "words = ", "project.keywords is not there"),
        ("pyproject.toml", ":: 3.13", ":: 3.99", "says Python 3.99, which the workflow does not try"),
        ("CHANGELOG.md", "1.0.0 (2027-01-31)", "Unreleased", "CHANGELOG.md begins with 'Unreleased'"),
        ("CHANGELOG.md", "2027-01-31", "2027-02-01", "date-released is not the day"),
        ("README.md", "# iterscope", "word " * 1200, "1,200 at most"),
        (SOURCES, "| wine.csv |", "| vine.csv |", "no line for wine.csv"),
        (SOURCES, "CC0", "via a wheel (MIT)", "penguins.csv has no terms of its own: via a wheel (MIT)"),
        (SOURCES, "Fisher (1936)", "Fisher", "iris.csv has no source with its year"),
    ],
)
def test_what_is_missing_is_named(ready: Path, file: str, old: str, new: str, said: str) -> None:
    path = ready / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert any(said in sentence for sentence in release.missing(ready)), list(release.missing(ready))


@pytest.mark.parametrize(
    "name", [".github/SECURITY.md", "CITATION.cff", "tui/GUIDE.md", ".github/workflows/release.yml"]
)
def test_a_file_that_is_not_there_is_named(ready: Path, name: str) -> None:
    (ready / name).unlink()
    assert any(Path(name).name in sentence for sentence in release.missing(ready))


def test_another_tag_is_refused(ready: Path) -> None:
    assert any("the tag v2.0.0 is not v1.0.0" in sentence for sentence in release.missing(ready, "v2.0.0"))


def test_a_tag_could_be_set_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(release.missing()) == []
    assert release.main([]) == 0
    assert capsys.readouterr().out == ""
