"""`python -m algorithms diverge`: what it prints, and its exit status."""

from pathlib import Path

import pytest

import algorithms.__main__ as program

STUDENTS = str(Path(__file__).parents[2] / "demos" / "kmeans_of_a_student.py")


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
