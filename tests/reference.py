"""The reference of what is public, made from its docstrings, and checked for links that lead nowhere.

python -m tests.reference FOLDER
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pdoc

import algorithms
import tui

MODULES = (
    "algorithms",
    "algorithms.core",
    "algorithms.data",
    "algorithms.lectures.lessons",
    "algorithms.saving.runlog",
    "algorithms.saving.session",
    "algorithms.sweeping",
    "algorithms.timeline.branches",
    "algorithms.timeline.conditions",
    "algorithms.timeline.divergence",
    "algorithms.timeline.run_so_far",  # what a Timeline has of its steps so far
    "tui",
)


def write(folder: Path) -> None:
    """Write the pages."""
    for module, names in ((algorithms, algorithms.__all__), (tui, tui.__all__)):
        vars(module).update({name: getattr(module, name) for name in names})  # what is imported when it is asked for
    pdoc.render.configure(docformat="google", show_source=False, footer_text="iterscope")
    pdoc.pdoc(*MODULES, output_directory=folder)


def nowhere(folder: Path) -> Iterator[str]:
    """Yield each link between the pages that leads to no page, or to no place in it."""
    pages = {page: page.read_text(encoding="utf-8") for page in folder.resolve().rglob("*.html")}
    places = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in pages.items()}
    for page, text in pages.items():
        for link in re.findall(r'<a[^>]*\shref="([^"$]+)"', text):  # $ is of the search's script
            path, _, place = unquote(link).partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            target = (page.parent / path).resolve() if path else page
            if target not in pages or place and place not in places[target]:
                yield f"{page.relative_to(folder.resolve())}: {link}"


def main(folder: str = "reference") -> int:
    """Write the pages and say which links lead nowhere; returns the exit status."""
    write(Path(folder))
    found = sorted(set(nowhere(Path(folder))))
    print(*found, f"{folder}/index.html", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
