"""`python -m algorithms diverge`: what it prints, and its exit status."""

from pathlib import Path

import pytest

import algorithms.__main__ as program

STUDENTS = str(Path(__file__).parents[2] / "demos" / "kmeans_of_a_student.py")


PLANTED = """import numpy as np


def mine(lr=0.5, cache={}):
    w = np.ones(3)
    rate = lr
    best = w.copy()
    for t in range(4):
        rate = lr * 0.9**t
        w *= rate
        P = np.exp(np.outer(w, w[:2]))
        P /= P.sum(axis=1, keepdims=True)
        best += (w - best) / (t + 1)
        tries = 0
        half = 1.0
        kept = dict(cache) if t == 0 else kept
        key = (t, 2)
        kept.setdefault(key, t * 10.0)
        while half > 0.3:
            tries += 1
            half = 0.5**tries
        yield {"rate": rate, "w": w, "P": P, "best": best, "column": kept[key], "half": half, "tries": tries}
"""


def diverge(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = program.main(["diverge", *words])
    said = capsys.readouterr()
    return status, said.out + said.err


def test_the_same_twice_is_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = diverge(capsys, "lloyd", "lloyd", "--data", "iris", "-p", "k=3")
    assert status == 0
    assert "compared: step with step; means, labels, sums, counts, moved" in said
    assert "They agree in all" in said


def test_another_parameter_makes_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = diverge(
        capsys, "lloyd", "lloyd", "--data", "iris", "-p", "k=3", "--set-a", "seed=0", "--set-b", "seed=1"
    )
    assert status == 1
    assert "They differ first at step 0 (start): means[0,0] is" in said
    assert "means[0,0]  5.7" in said


def test_a_students_own_against_ours(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--data", "faithful", "-p", "k=3", "--match", "centres=means,labels,cost=objective", "--start", "means")
    status, said = diverge(capsys, f"{STUDENTS}:kmeans", "lloyd", *words)
    assert "each state of the phase assign with the other; centres = means, labels, cost = objective" in said
    assert "They agree in all" in said
    assert status == 0
    status, said = diverge(capsys, f"{STUDENTS}:kmeans", "lloyd", *words, "--by", "update")
    assert status == 1
    assert "They differ first at step 1 of kmeans and 2 of lloyd (step, update): centres[0,0]" in said


def recorded(path: Path, *words: str) -> str:
    assert program.main(["run", *words, "--record", str(path)]) == 0
    return str(path)


def test_two_recordings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one, same, other = (
        recorded(tmp_path / f"{i}.log", "lloyd", "--data", "iris", "-p", "k=3", "-p", f"seed={seed}")
        for i, seed in enumerate((0, 0, 1))
    )
    capsys.readouterr()
    status, text = diverge(capsys, one, same)
    assert (status, "They agree in all" in text) == (0, True)
    status, text = diverge(capsys, one, other)
    assert status == 1
    assert "They differ first at step 0 (start): means[0,0] is" in text
    for words, sentence in (
        (("-p", "k=4"), "takes a parameter 'k'"),
        (("--data", "faithful"), "two recordings have their data with them"),
        (("--set-a", "k=4"), "its parameters cannot be changed"),
    ):
        status, text = diverge(capsys, one, other, *words)
        assert status == 2
        assert sentence in text


@pytest.mark.parametrize("recording_first", [True, False])
def test_a_recording_and_an_algorithm(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, recording_first: bool
) -> None:
    """The algorithm has the data and the parameters of the recording, where it is given none."""
    log = recorded(tmp_path / "a.log", "lloyd", "--data", "iris", "-p", "k=4", "-p", "seed=2")
    capsys.readouterr()
    pair = (log, "lloyd") if recording_first else ("lloyd", log)
    status, text = diverge(capsys, *pair)
    assert "They agree in all" in text
    assert status == 0
    assert diverge(capsys, *pair, "-p", "seed=3")[0] == 1
    assert diverge(capsys, *pair, "--data", "iris", "--no-scale", "--columns", "petal_length_cm,petal_width_cm")[0] == 1


def test_a_recording_of_a_students_own_against_the_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = recorded(tmp_path / "a.log", f"{STUDENTS}:kmeans", "--data", "faithful", "-p", "k=3")
    capsys.readouterr()
    status, text = diverge(capsys, log, f"{STUDENTS}:kmeans")
    assert "They agree in all" in text
    assert status == 0


def test_so_many_states_and_no_more(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("perceptron", "perceptron", "--data", "iris", "--positive", "setosa", "--set-b", "eta=0.5")
    status, text = diverge(capsys, *words, "--steps", "1")
    assert status == 0
    assert "They agree in the one state that was compared." in text
    assert diverge(capsys, *words, "--steps", "400")[0] == 1
    assert diverge(capsys, *words, "--match", "mistakes")[0] == 0
    assert diverge(capsys, *words, "--tolerance", "1000")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("lloyd", "lloyd", "-p", "eta=3"), "neither k-means, Lloyd's algorithm nor k-means, Lloyd's algorithm takes"),
        (("lloyd", "lloyd", "--set-b", "k"), "'k' is not name=value, as in --set-b k=3."),
        (("lloyd", "lloyd", "--match", "means="), "'means=' does not say which field is which"),
        (("lloyd", "lloyd", "--match", "mean"), "A has no 'mean'; it has means, labels"),
        (("lloyd", "lloyd", "--by", "fly"), "not by 'fly'"),
        (("lloyd", "lloyd", "--start", "centres"), "begins without a field 'centres'"),
        ((STUDENTS, "lloyd", "--data", "iris", "--start", "centres"), "begins without a field 'centres'; it has means"),
        (
            ("lloyd", STUDENTS, "--data", "iris", "--match", "means=centres", "--start", "centres"),
            "cannot be taken up from a state: name it first",
        ),
        (("lloyd", "nobody"), "nobody"),
    ],
)
def test_what_cannot_be_done_is_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    status, told = diverge(capsys, *words)
    assert status == 2
    assert said in told
    assert told.count("\n") == 1


def test_a_tolerance_is_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        program.main(["diverge", "lloyd", "lloyd", "--tolerance", "nan"])
    assert ended.value.code == 2
    assert "it takes a number from 0 on, not 'nan'" in capsys.readouterr().err


ADAM = """
import numpy as np

def adam(X, lr=0.1):
    w = np.zeros(X.shape[1])
    m, v = np.zeros_like(w), np.zeros_like(w)
    for t in range(1, 20):
        g = X.T @ (X @ w - 1) / len(X)
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        w = w - lr * m / (1 - 0.9**t) / (np.sqrt(np.abs(v)) + 1e-8)
        yield {"loss": ((X @ w - 1) ** 2).mean(), "w": w, "second_moment": v, "m": m}
"""


def two(folder: Path, right: str, *changes: tuple[str, str]) -> tuple[str, str]:
    wrong = right
    for old, new in changes:
        assert old in wrong
        wrong = wrong.replace(old, new)
    (folder / "mine.py").write_text(wrong)
    (folder / "right.py").write_text(right)
    return str(folder / "mine.py"), str(folder / "right.py")


def table(said: str) -> list[list[str]]:
    lines = said.split("in which they are computed:\n")[1].splitlines()[1:]
    return [line.split() for line in lines if line.startswith("  ")][:4]


def test_the_table_leads_with_the_field_that_is_computed_first(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pair = two(tmp_path, ADAM, ("0.001 * g**2", "0.002 * g**2"))
    status, said = diverge(capsys, *pair, "--data", "iris")
    assert status == 1
    assert [row[0] for row in table(said)] == ["second_moment", "w", "loss", "m"]
    assert table(said)[0][1:3] == ["step", "1"]
    assert table(said)[3][1:3] == ["step", "2"], "the mean of the gradients is the same at the first step"
    assert "They differ first at step 1 (step): second_moment[0] is" in said
    assert "second_moment is computed first of what differs:\n  A  line 10: v = 0.999 * v + 0.002 * g**2\n" in said
    assert "  B  line 10: v = 0.999 * v + 0.001 * g**2\n" in said


def test_a_field_that_agrees_is_said_to_agree(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pair = two(tmp_path, ADAM, ("((X @ w - 1) ** 2).mean()", "((X @ w - 1) ** 2).sum()"))
    _, said = diverge(capsys, *pair, "--data", "iris")
    assert [row[:2] for row in table(said)] == [["loss", "step"], *([n, "agrees"] for n in ("m", "second_moment", "w"))]


def test_the_largest_difference_and_where_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    walk = "import numpy as np\n\ndef walk():\n    for t in range(3):\n        w = np.arange(5.0)\n        yield w\n"
    pair = two(tmp_path, walk, ("        yield", "        w[1] += 1e-3\n        w[3] += 0.5\n        yield"))
    _, said = diverge(capsys, *pair)
    assert table(said)[0] == ["w", "step", "1", "2", "of", "5", "0.5", "[3]"]


def test_names_that_differ_in_signs_alone_are_held_together(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pair = two(tmp_path, ADAM, ('"second_moment"', '"secondMoment"'), ('"m"', '"self.m"'), ('"w"', '"w_"'))
    status, said = diverge(capsys, *pair, "--data", "iris")
    assert "step with step; loss, w_ = w, secondMoment = second_moment, self.m = m\n" in said
    assert status == 0


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("rate = lr * 0.9**t", "rate = rate * 0.9**t", 9),  # decays twice
        ("best = w.copy()", "best = w", 7),  # changed in place
        ("P /= P.sum(axis=1", "P /= P.sum(axis=0", 12),  # the wrong axis
        ("key = (t, 2)", "key = t % 2", 17),  # a stale cache
        ("half = 0.5**tries", "half = 0.5 ** (tries + 1)", 21),  # off by one in a line search
    ],
)
def test_a_planted_bug_is_found_by_one_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, right: str, wrong: str, line: int
) -> None:
    assert PLANTED.count(right) == 1
    (tmp_path / "right.py").write_text(PLANTED)
    (tmp_path / "wrong.py").write_text(PLANTED.replace(right, wrong))
    status, text = diverge(capsys, str(tmp_path / "right.py"), str(tmp_path / "wrong.py"))
    assert status == 1
    code = PLANTED.replace(right, wrong).splitlines()[line - 1].strip()
    assert f"B  line {line}: {code}\n" in text
