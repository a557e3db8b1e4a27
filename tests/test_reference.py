"""The reference has all that is public, and no link in it leads nowhere."""

import re
from pathlib import Path

import pytest

import algorithms
import tui
from tests import reference


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference")
    reference.write(folder)
    return folder


def test_all_that_is_public_is_in_it(pages: Path) -> None:
    for name, public in (("algorithms", algorithms.__all__), ("tui", tui.__all__)):
        shown = set(re.findall(r'<section id="(\w+)"', (pages / f"{name}.html").read_text()))
        assert set(public) - {"conditions", "datasets"} <= shown  # modules, with pages of their own
    assert (pages / "algorithms/timeline/conditions.html").exists()
    assert 'id="Timeline.at"' in (pages / "algorithms.html").read_text()


def test_no_link_leads_nowhere_and_one_that_does_is_named(pages: Path) -> None:
    assert list(reference.nowhere(pages)) == []
    page = pages / "tui.html"
    page.write_text(page.read_text().replace("</body>", '<a class="x" href="algorithms.html#Tmeline">a</a></body>'))
    assert list(reference.nowhere(pages)) == ["tui.html: algorithms.html#Tmeline"]
