"""The command line: what it opens, and what it says of names and values that will not do."""

import subprocess
import sys
from pathlib import Path

import pytest

from algorithms import Recorder, find, names
from algorithms.playback.runs.in_front import InFront
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import read

ROOT = Path(__file__).parents[2]


def opened(*words: str) -> LoadedRun:
    request = read("iterscope", words).opened
    assert request is not None
    return request


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that is said."""
    with pytest.raises(SystemExit) as ended:
        read("iterscope", words)
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("iterscope: ")
    return said.err


def test_a_run_is_read_with_values_of_their_types() -> None:
    run = opened("perceptron", "--data", "iris", "--positive", "setosa", "-p", "eta=0.5", "-p", "epochs=7")
    assert run.algorithm is find("perceptron")
    assert run.data.classes == ("not setosa", "setosa")
    assert run.parameters == {"eta": 0.5, "epochs": 7}
    assert isinstance(run.parameters["epochs"], int)


def test_the_name_may_stand_anywhere_and_the_rest_is_the_algorithms_own() -> None:
    run = opened("--data", "blobs", "perceptron")
    assert run.data.name == "blobs"
    assert run.parameters == {}


def test_a_step_and_a_theme_are_read() -> None:
    assert read("iterscope", ["perceptron", "--data", "blobs"]).at == 0
    assert read("iterscope", ["perceptron", "--data", "blobs", "--at", "9"]).at == 9
    assert read("iterscope", ["--theme", "light"]).theme == "light"


def test_a_run_is_seen_so_far_unless_it_is_asked_for_whole() -> None:
    assert not read("iterscope", ["lloyd"]).whole
    assert read("iterscope", ["lloyd", "--whole"]).whole
    assert read("iterscope", ["--whole"]).whole


def test_runs_to_stand_against_are_read() -> None:
    against = read("iterscope", ["lloyd", "--data", "faithful", "-p", "k=4", "--against", "gaussian_mixture"]).against
    runs = [each.timeline for each in against]
    assert [(run.algorithm.name, run.parameters["k"], run.data.name) for run in runs] == [
        ("gaussian_mixture", 4, "faithful")
    ]
    assert against[0].opened.recipe.name == "faithful"
    against = read("iterscope", ["perceptron", "--against", ":eta=0.1,epochs=7", "--against", "perceptron"]).against
    assert [each.timeline.parameters["eta"] for each in against] == [0.1, 1.0]
    assert against[0].timeline.parameters["epochs"] == 7


def test_what_cannot_stand_against_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "faithful has no target" in refusal(capsys, "lloyd", "--data", "faithful", "--against", "perceptron")
    assert "must be a whole number" in refusal(capsys, "lloyd", "--against", ":k=x")
    assert "3 times" in refusal(capsys, "lloyd", *["--against", ":k=2"] * 4)
    assert "name the algorithm" in refusal(capsys, "--against", "lloyd")


def test_other_data_stand_against_by_what_differs() -> None:
    asked = ["data=blobs margin=0.5, eta=2", "data=iris positive=setosa scale=yes", "pegasos: data=moons noise=0.2"]
    flags = [word for text in asked for word in ("--against", text)]
    request = read("iterscope", ["perceptron", "-p", "epochs=7", *flags])
    assert request.opened is not None
    assert request.opened.data.n == 60
    margin, iris, moons = (each.timeline for each in request.against)
    assert dict(margin.data.source.made) == {"n": 60, "margin": 0.5}  # of the same name: what is not named stays
    assert (margin.parameters["eta"], margin.parameters["epochs"]) == (2.0, 7)
    assert iris.data.classes == ("not setosa", "setosa")
    assert iris.data.scaled
    assert (moons.algorithm.name, moons.data.name) == ("pegasos", "moons")
    assert dict(moons.data.source.made)["noise"] == 0.2
    few = read("iterscope", ["lloyd", "--against", "data=blobs:margin=0.5 n=30, k=2"]).against[0].timeline
    assert (few.data.n, few.parameters["k"]) == (30, 2)
    columns = (
        read("iterscope", ["lloyd", "--against", "data=iris columns=petal_length_cm,petal_width_cm"])
        .against[0]
        .timeline
    )
    assert columns.data.features == ("petal_length_cm", "petal_width_cm")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("data=moonz", "Did you mean moons?"),
        ("data=moons noize=3", "Did you mean noise?"),
        ("data=moons noise=x", "it must be a number"),
        ("data=moons noise=", "noise has no value"),
        ("data=iris scale=3", "scale is yes or no"),
        ("data=iris hold-out=x", "--hold-out takes a number"),
        ("data=, k=3", "data= names no data"),
        ("lloyd: k=3, data=/nowhere.csv", "there is no file '/nowhere.csv'"),
    ],
)
def test_data_that_cannot_stand_against_are_said(text: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert why in refusal(capsys, "lloyd", "--against", text)


def test_no_name_is_the_catalogue() -> None:
    assert read("iterscope", []).opened is None


def test_a_wrong_algorithm_names_the_nearest_and_where_all_are(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "perceptrn")
    assert f"`python -m algorithms list` names the {len(names())}" in said
    assert said.endswith("Did you mean perceptron?\n")
    assert len(said) < 200


def test_a_wrong_parameter_names_the_right_ones(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "perceptron", "--data", "blobs", "-p", "speed=1")
    assert "'speed'" in said
    assert ", ".join(parameter.name for parameter in find("perceptron").parameters) in said


@pytest.mark.parametrize("value", ["-1", "nan", "often", ""])
def test_a_wrong_value_names_what_is_allowed(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    eta = next(parameter for parameter in find("perceptron").parameters if parameter.name == "eta")
    assert eta.bounds in refusal(capsys, "perceptron", "--data", "blobs", "-p", f"eta={value}")


def test_a_wrong_data_set_names_the_right_ones(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "perceptron", "--data", "irsi")
    assert "faithful" in said
    assert "Did you mean iris?" in said


def test_data_without_the_target_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no target" in refusal(capsys, "perceptron", "--data", "faithful")


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "people.csv" in refusal(capsys, "perceptron", "--data", "people.csv")


@pytest.mark.parametrize("step", ["-1", "first", "1.5", "", "²"])
def test_a_place_that_will_not_do_is_refused(step: str, capsys: pytest.CaptureFixture[str]) -> None:
    refusal(capsys, "perceptron", "--data", "blobs", f"--at={step}")


@pytest.mark.parametrize("words", [("--theme", "blue"), ("--speed", "3"), ("perceptron", "lloyd")])
def test_other_mistakes_are_one_sentence_too(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    refusal(capsys, *words)


@pytest.mark.parametrize("words", [("--data", "iris"), ("-p", "k=3"), ("--at", "3"), ("--scale",)])
def test_what_belongs_to_a_run_needs_an_algorithm(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert "perceptron" in refusal(capsys, *words)


def test_text_from_a_file_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evil.csv"
    file.write_text("a,b,\x1b]2;title\x07\n1,2,x\n2,1,y\n")
    said = refusal(capsys, "perceptron", "--data", str(file), "--target", "nothing")
    assert "\x1b" not in said
    assert "\x07" not in said


def run_tui(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tui", *words], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def test_help_and_version_need_no_terminal() -> None:
    shown = run_tui("--help")
    assert shown.returncode == 0
    assert shown.stdout.startswith("usage: python -m tui ")
    assert "an algorithm, or your own" in shown.stdout
    assert run_tui("--version").stdout.startswith("iterscope ")


def test_a_mistake_is_told_before_the_terminal_is_looked_at() -> None:
    said = run_tui("perceptrn")
    assert said.returncode == 2
    assert said.stderr.startswith("python -m tui: there is no algorithm 'perceptrn'")


def test_without_a_terminal_the_command_to_use_names_the_algorithm() -> None:
    said = run_tui("perceptron", "--data", "blobs")
    assert said.returncode == 2
    assert "`python -m algorithms run perceptron`" in said.stderr


@pytest.mark.parametrize(
    ("code", "not_wanted"),
    [
        ("import tui.__main__", {"numpy", "textual", "msgspec"}),
        ("import algorithms.playback.runs.request", {"textual"}),
    ],
)
def test_what_is_heavy_comes_in_when_it_is_needed(code: str, not_wanted: set[str]) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], cwd=ROOT, capture_output=True, text=True
    )
    assert shown.returncode == 0, shown.stderr
    assert not not_wanted & set(shown.stdout.split())


def test_a_recording_is_opened_by_its_own_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.log"
    with Recorder(path, title="mine", parameters={"k": 3}) as recorder:
        recorder.write(1.5)
    run = opened("--follow", str(path))
    assert run.algorithm.title == "mine (recorded)"
    assert run.parameter_words(run.timeline().problem.parameters) == ("k 3",)
    assert read("iterscope", ["--follow", str(path), "--at", "4"]).at == 4
    assert "no file" in refusal(capsys, "--follow", str(tmp_path / "none.log"))
    assert "it takes the name of a file, not ''" in refusal(capsys, "--follow", "")
    assert "no recording" in refusal(capsys, "--follow", __file__)
    assert "a directory" in refusal(capsys, "--follow", str(tmp_path))
    assert "no algorithm beside it" in refusal(capsys, "lloyd", "--follow", str(path))
    assert "with it" in refusal(capsys, "--follow", str(path), "--data", "iris")
    assert "with it" in refusal(capsys, "--follow", str(path), "-p", "k=4")


def test_a_place_is_a_step_the_end_or_where_something_first_holds() -> None:
    words = ["lloyd", "--data", "rectangle", "-p", "k=2", "-p", "start=rows", "-p", "seed=3", "--at"]
    places = {text: read("iterscope", [*words, text]).at for text in ("end", "first update", "objective < 20", "99")}
    assert places == {"end": 4, "first update": 2, "objective < 20": 2, "99": 99}


def test_what_is_in_front_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    request = read("iterscope", ["lloyd", "--theorem", "Never RISES", "--chart", "rows moved", "--hall"])
    assert request.front == InFront(0, "rows moved", hall=True)
    assert read("iterscope", ["lloyd"]).front == InFront()
    assert "has no curve 'loss'; there are: objective, rows moved" in refusal(capsys, "lloyd", "--chart", "loss")
    assert "do not go with --against" in refusal(capsys, "lloyd", "--hall", "--against", ":k=2")
    assert "name the algorithm" in refusal(capsys, "--hall")
    assert "it never comes to 'objective < 1': the run ends at step" in refusal(
        capsys, "lloyd", "--at", "objective < 1"
    )
