"""LECTURES.md is what the statements say, and Markdown shows it as it is."""

import re

import pytest

from algorithms.lectures import Statement, sections
from tests.lectures.document import DOCUMENT, document


def test_the_document_is_made_of_the_statements() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "it is another: python -m tests.lectures --write"


def test_what_markdown_would_take_for_its_own_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Statement(
        id="A20",
        lecture="cs446",
        section="Lecture 6: slack, Rem 1.15",
        says="|w·x| <= 2 * 3 * 4, α_i and <b>; [0, 1] costs $2",
        errs="It says | for <=.",
        run="smo --data blobs:n=4 --at 3",
        theorem=("‖w‖² = Σα",),
        demo=("rows_that_may_go.py",),
    )
    monkeypatch.setattr(sections, "statements", lambda: (one,))
    row = next(line for line in document().splitlines() if line.startswith("| A20"))
    cells = re.split(r"(?<!\\)\|", row)[1:-1]
    assert [cell.strip() for cell in cells] == [
        "A20",
        r"Rem 1.15: \|w·x\| <= 2 \* 3 \* 4, α_i and \<b>; \[0, 1\] costs \$2",
        "`python -m tui smo --data blobs:n=4 --at 3`<br>`python demos/rows_that_may_go.py`",
        'theorem "‖w‖² = Σα"',
        r"It says \| for <=.",
    ]
    assert "### Lecture 6: slack\n" in document()
    assert "(`cs446`, 1 statement)" in document()
