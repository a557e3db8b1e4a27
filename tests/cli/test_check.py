"""`python -m algorithms check FILE`: what all algorithms keep to, for who writes one elsewhere."""

from collections.abc import Callable
from pathlib import Path

import pytest

from algorithms.__main__ import main
from tests.documents import ROOT, SCRIPTS, code

RUNNING_MEAN = (ROOT / "demos/running_mean.py").read_text(encoding="utf-8")


@pytest.fixture
def checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], tuple[int, str]]:
    def check(text: str) -> tuple[int, str]:
        (tmp_path / "mine.py").write_text(text, encoding="utf-8")
        status = main(["check", str(tmp_path / "mine.py")])
        out, err = capsys.readouterr()
        return status, out + err

    return check


@pytest.mark.parametrize("text", [RUNNING_MEAN, code(SCRIPTS)[-1]])
def test_what_is_right_passes(checked: Callable[[str], tuple[int, str]], text: str) -> None:
    status, said = checked(text)
    assert said.splitlines()[-1].endswith("checks passed, 0 did not.")
    assert status == 0


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        (
            "(data.X[n - 1] - state.mean) / n",
            "(data.X[n - 1] - state.mean) / 2",
            "'m is the mean of the rows seen' fails",
        ),
        ('"x": ("the row that comes", None),', "", "x is not explained in `symbols`"),
        ('return f"Row {after.t}', 'return f"Row {1 / 0}', "ZeroDivisionError"),
        ('state = state.after("row",', 'state = state.after("rows",', "rows"),
        ("1e-12 * longest", "1e12 * longest", "a theorem that cannot fail shows nothing"),
    ],
)
def test_what_is_wrong_is_said(checked: Callable[[str], tuple[int, str]], right: str, wrong: str, said: str) -> None:
    assert right in RUNNING_MEAN
    status, out = checked(RUNNING_MEAN.replace(right, wrong))
    assert status == 1
    assert said in out
    assert "✗ " in out


def test_the_file_may_say_what_breaks_a_theorem_that_no_small_change_does(
    checked: Callable[[str], tuple[int, str]],
) -> None:
    loose = RUNNING_MEAN.replace("1e-12 * longest", "1e12 * longest")
    status, out = checked(loose + '\nPLANTED = {"m is the mean of the rows seen": "a mean of 1e30"}\n')
    assert "cannot fail" not in out
    assert status == 0


def test_one_of_ours_and_a_bare_generator_are_not_what_it_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "lloyd"]) == 2
    assert "python -m tests.check" in capsys.readouterr().err
    assert main(["check", str(ROOT / "demos/kmeans_of_a_student.py")]) == 2
    assert "no ALGORITHM" in capsys.readouterr().err
