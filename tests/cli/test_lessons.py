"""`python -m algorithms lessons`, `lesson NAME`, `lesson FILE --check`."""

from pathlib import Path

import pytest

import algorithms.__main__ as program
from algorithms.lectures.lessons import course

SMALL = """---
title: Two lines
---

## The start

```moment
run lloyd --data rectangle -p k=2 -p start=rows -p seed=3
go end
```

J ends at {objective = 16}.
"""


def test_the_course_is_listed_a_line_a_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["lessons"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == list(course())


def test_a_lesson_is_printed_with_the_numbers_of_its_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.md"
    file.write_text(SMALL.replace("16}", "15}"), "utf-8")
    assert program.main(["lesson", str(file)]) == 0
    assert "J ends at 16." in capsys.readouterr().out


def test_the_check_fails_where_a_number_is_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.md"
    file.write_text(SMALL, "utf-8")
    assert program.main(["lesson", str(file), "--check"]) == 0
    assert capsys.readouterr().out == f"{file}: 1 moment, and all of it is so.\n"
    file.write_text(SMALL.replace("16}", "15}"), "utf-8")
    assert program.main(["lesson", str(file), "--check"]) == 1
    assert capsys.readouterr().out == f"{file}, line 12: objective is 16, not 15.\n"


def test_what_is_no_lesson_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["lesson", "nothing"]) == 2
    assert "there is no lesson 'nothing'" in capsys.readouterr().err
    file = tmp_path / "two.md"
    file.write_text(SMALL.replace("go end", "go away we go"), "utf-8")
    assert program.main(["lesson", str(file)]) == 2
    assert f"{file}, line 9: go away we go" in capsys.readouterr().err


def test_a_lesson_is_written_as_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "two.md", tmp_path / "two.html"
    file.write_text(SMALL, "utf-8")
    words = ["lesson", str(file), "--size", "80x24", "--to", str(page)]
    assert program.main(words) == 0
    assert capsys.readouterr().out == f"1 moment of 'Two lines' is in {page}; any browser opens it.\n"
    assert b'<aside id="lesson"' in page.read_bytes()
    assert program.main(words) == 2
    assert "is there already" in capsys.readouterr().err
    assert program.main([*words, "--overwrite"]) == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--to", "a.pdf"), "a.pdf does not end in .html"),
        (("--to", "a.html", "--check"), "one after the other"),
        (("--size", "80x24"), "--size and --overwrite are of a page"),
        (("--to", "a.html", "--size", "9x9"), "a page of 9x9 cells will not do"),
    ],
)
def test_what_a_page_cannot_be_is_refused(
    words: tuple[str, ...],
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert program.main(["lesson", "perceptron", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
