"""What README.md and the two guides show does what they say."""

import importlib.util
import pickle
import re
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from algorithms import Branches, Refused, Timeline, conditions, datasets, find, load, names
from algorithms.__main__ import main as headless
from algorithms.core.state import same
from algorithms.playback.runs.request import read
from algorithms.saving.runlog import LoggedRun
from algorithms.saving.session import session_of, write_session
from tests.documents import COMMANDS, DOCUMENTS, README, ROOT, SCREEN, SCRIPTS, code, few_moments

BLOCKS = code(SCRIPTS)


def module(code: str, folder: Path, name: str) -> ModuleType:
    """The code as a file of its own, since an algorithm shows its source."""
    file = folder / f"{name}.py"
    file.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_use_without_a_screen_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    use, *_ = BLOCKS
    module(use, tmp_path, "headless")
    shown = capsys.readouterr().out
    assert "a whole pass without a mistake" in shown
    assert "holds" in shown
    assert "fails" not in shown


def test_the_use_in_a_notebook_runs_and_prints_what_stands_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, *uses = BLOCKS[:3]
    monkeypatch.chdir(tmp_path)
    for use in uses:
        module(use, tmp_path, "notebook")
    beside = re.findall(r"^print\(.*\)  # (.*)$", "".join(uses), re.M)
    assert {file.name for file in tmp_path.iterdir()} >= {"objective.pdf", "step.pdf"}
    assert capsys.readouterr().out.splitlines() == beside != []


def test_the_algorithm_it_adds_runs_and_keeps_its_theorem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, running_mean = BLOCKS
    made = module(running_mean, tmp_path, "running_mean")
    monkeypatch.setitem(sys.modules, "running_mean", made)
    data = made.faithful.load()
    run = Timeline(made.ALGORITHM, data, {"rows": 60}).run()
    assert not run.stopped.failed, run.stopped.details
    assert len(run) == 60
    np.testing.assert_allclose(run.at(59).state.mean, data.X[:60].mean(axis=0))
    verdicts = [verdict for t in range(60) for verdict in run.verdicts(run.at(t))]
    assert {verdict.status for verdict in verdicts} == {"holds"}
    resumed = made.ALGORITHM(data, rows=60, state=pickle.loads(pickle.dumps(run.at(30).state)))
    assert same(next(resumed), run.at(31).state)
    frame = run.at(7)
    assert made.ALGORITHM.explain(run.problem, frame.before, frame.state).startswith("Row 7 (eruptions ")
    assert made.ALGORITHM.scene(run.problem, frame.before, frame.state).panels


def test_the_first_page_shows_a_generator_and_a_run_that_do_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    descent, *_, use = code(README)
    (tmp_path / "mine.py").write_text(descent, encoding="utf-8")
    run = Timeline(load(str(tmp_path / "mine.py")), datasets.load("faithful"))
    run.advance(9)
    losses = [run.at(t).state.get("loss") for t in range(1, 9)]
    assert losses == sorted(losses, reverse=True)
    assert len(descent.strip().splitlines()) <= 8
    module(use, tmp_path, "first_page")
    assert capsys.readouterr().out.splitlines() == re.findall(r"^print\(.*\)  # (.*)$", use, re.M) != []


ELSEWHERE = {
    "sklearn": """
from sklearn.linear_model import SGDClassifier
X = np.random.default_rng(0).normal(size=(60, 2))
y = (X[:, 0] > X[:, 1]).astype(int)
""",
    "scipy": "from scipy.optimize import minimize, rosen\n",
    "torch": """
import torch
X = torch.randn(60, 2)
y = X @ torch.tensor([[1.0], [-2.0]])
model, criterion = torch.nn.Linear(2, 1), torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
""",
    "jax": """
import jax
w = jax.numpy.zeros(3)
loss = lambda w: ((w - jax.numpy.array([1.0, -2.0, 0.5])) ** 2).sum()
""",
}


@pytest.mark.parametrize("library", ELSEWHERE)
def test_what_runs_elsewhere_is_recorded_in_the_lines_of_the_first_page(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(library)
    example = code(README)[1:-1][list(ELSEWHERE).index(library)]
    assert len([line for line in example.splitlines() if line.strip()]) <= 5
    monkeypatch.chdir(tmp_path)
    before = f"import numpy as np\nfrom algorithms import Recorder\n{ELSEWHERE[library]}"
    module(before + example, tmp_path, "elsewhere")
    (log,) = tmp_path.glob("*.log")
    recorded = LoggedRun(log)
    run = Timeline(recorded, recorded.datasets[0].load()).run()
    assert len(run) > 20
    assert run.stopped is not None
    assert run.stopped.reason == "no more was recorded"
    first, last = (run.at(t).state for t in (1, run.last))
    for name in {"loss", "f"} & set(last.parts()):
        assert last.parts()[name] < first.parts()[name]
    assert not [name for name, value in last.parts().items() if isinstance(value, str)]  # all are numbers to it


def test_the_first_page_is_a_page() -> None:
    assert len(README.split()) <= 1200


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_somewhere(name: str) -> None:
    """To a file, and to a heading in it; a guide begins with links to all of its own."""
    for words, path, anchor in re.findall(r"\[([^\]]*)\]\(([^)#]*)(?:#([^)]*))?\)", DOCUMENTS[name]):
        file = ROOT / name if not path else (ROOT / name).parent / path
        assert file.exists(), f"{name}: {words}"
        assert not anchor or anchor in headings(file.read_text(encoding="utf-8")), f"{name}: {words}"
    if name != "README.md":
        own = re.findall(r"^- \[.*\]\(#(.*)\)$", DOCUMENTS[name], re.M)
        assert own == headings(DOCUMENTS[name])


def headings(document: str) -> list[str]:
    """The anchors of a document's sections, as those who show Markdown make them."""
    found = re.findall(r"^## (.*)$", document, re.M)
    return [re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in found]


def test_a_generator_of_ones_own_runs(tmp_path: Path) -> None:
    *_, kmeans, _, _ = BLOCKS
    (tmp_path / "mine.py").write_text(kmeans, encoding="utf-8")
    run = Timeline(load(str(tmp_path / "mine.py")), datasets.load("iris"), {"k": "2"})
    run.advance(9)
    assert run.at(8).state.get("centres").shape == (2, 4)
    assert set(run.at(8).state.get("labels").tolist()) == {0, 1}


def test_what_it_records_can_be_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, recorder, _ = BLOCKS
    monkeypatch.chdir(tmp_path)
    module(recorder, tmp_path, "recorder")
    for name, steps in (("descent.log", 41), ("by-hand.log", 10)):
        recorded = LoggedRun(tmp_path / name)
        run = Timeline(recorded, recorded.datasets[0]).run()
        assert len(run) == steps
        assert run.data.n == 100
    assert run.at(9).state.get("w").shape == (2,)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a person's own that the documents speak of."""
    folder = tmp_path_factory.mktemp("people")
    (folder / "mine.py").write_text(code(README)[0], encoding="utf-8")
    rows = [f"{20 + i},{60 + i % 7},{'yes' if i % 3 else 'no'},{i}" for i in range(30)]
    (folder / "people.csv").write_text("\n".join(["age,weight,smoker,id", *rows]))
    runs = Branches(Timeline(find("perceptron"), datasets.blobs).run())
    write_session(session_of(runs, datasets.blobs, folder / "lesson.json"), folder / "lesson.json")
    (folder / "demos").symlink_to(ROOT / "demos")
    assert headless(["run", "lloyd", "-p", "k=3", "--record", str(folder / "run.log")]) == 0
    return folder


@pytest.fixture
def people(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with those files, which a test may change."""
    shutil.copytree(files, tmp_path, symlinks=True, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("python -m tui")])
def test_every_command_that_opens_the_screen_is_understood(command: str) -> None:
    words = shlex.split(command)[3:]
    if words == ["--help"]:
        return
    request = read("python -m tui", words)
    without = "--open" in words or "--lesson" in words or "--lessons" in words
    assert (request.opened is None) == (not words or without)
    assert (request.session is None) == ("--open" not in words)


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("python -m algorithms")])
def test_every_command_without_a_screen_runs(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--record" in command:
        Path("run.log").unlink()
    monkeypatch.setattr("algorithms.playback.lessons.command.lesson_named", few_moments)
    assert headless(of_few_steps(shlex.split(command)[3:])) == 0
    assert capsys.readouterr().out


def of_few_steps(words: list[str]) -> list[str]:
    """A page is painted step by step; the last word of what it is told counts."""
    return [*words, "--steps", "5"] if words[0] == "export" and words[-1].endswith(".html") else words


def test_the_tests_are_run_by_one_command() -> None:
    """`.ci/run` looks for it in this form."""
    assert len(re.findall(r"^python3 -m venv .* -m pytest$", README, re.M)) == 1


def test_every_condition_it_shows_is_read_for_some_algorithm() -> None:
    (block,) = re.findall(r"^```\n(mistake  .*?)^```$", SCREEN, re.M | re.S)
    for line in block.splitlines():
        condition = re.split(r"   +", line)[0]
        assert any(is_read(condition, name) for name in names()), condition


def is_read(condition: str, name: str) -> bool:
    algorithm = find(name)
    try:
        conditions.parse(condition, algorithm, algorithm.datasets[0].load())
    except Refused:
        return False
    return True
