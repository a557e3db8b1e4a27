"""Five bugs that somebody planted who had not written iterscope, in programs of theirs: one command names each line."""

from pathlib import Path

import pytest

import algorithms.__main__ as program

_FOREIGN = Path(__file__).parent / "foreign"

# a program, what stands in it and what in place of that, what leads to it in the words of `diverge`
PLANTED = {
    "a rate that decays twice": (
        "decayed_momentum",
        (
            ("eta = step_decay(lr, epoch)", "lr = step_decay(lr, epoch)"),
            ("velocity - eta * grad", "velocity - lr * grad"),
        ),
        ("velocity is computed first of what differs", "B  line 34: velocity = momentum * velocity - lr * grad"),
    ),
    "an update in place that leaks": (
        "variance_reduced",
        (("self.anchor = self.w.copy()", "self.anchor = self.w"),),
        ("correction is computed first of what differs", "B  line 32: self.anchor = self.w"),
    ),
    "a wrong axis": (
        "softmax_by_axis",
        (("scores.max(axis=1,", "scores.max(axis=0,"), ("by full-batch", "by the full batch")),
        ("probs is computed first of what differs", "B  line 22: scores = scores - scores.max(axis=0, keepdims=True)"),
    ),
    "a stale cache": (
        "lasso_residual",
        (
            ("            if new != old:\n", "            beta[j] = new\n            if new != 0:\n"),
            ("(new - old)\n                beta[j] = new\n", "(new - old)\n"),
        ),
        ("rss is computed first of what differs", "B  line 47: if new != 0:"),
    ),
    "a line search that is one off": (
        "bfgs_backtracking",
        (
            (
                "        t *= shrink\n        f_new = rosenbrock(x + t * p)\n",
                "        f_new = rosenbrock(x + t * p)\n        t *= shrink\n",
            ),
        ),
        ("t is computed first of what differs", "B  line 23: f_new = rosenbrock(x + t * p)"),
    ),
}


@pytest.mark.parametrize("bug", PLANTED)
def test_one_command_names_the_line(bug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, changes, named = PLANTED[bug]
    right = _FOREIGN / f"{name}.py"
    text = right.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    wrong = tmp_path / "wrong.py"
    wrong.write_text(text, encoding="utf-8")
    assert program.main(["diverge", str(right), str(wrong)]) == 1
    said = capsys.readouterr().out
    for words in named:
        assert words in said
    assert "full batch" not in said, "a docstring is no line that computes"
