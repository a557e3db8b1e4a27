"""Sessions that keep a comparison: with the runs from elsewhere, as they stood; what cannot be meant is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from algorithms import Change, Opening, Refused, datasets, find, read_session
from algorithms.__main__ import main
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession
from algorithms.playback.runs.variant import variant
from algorithms.saving.session import write_session
from algorithms.saving.session.schema import Session, session_bytes, session_in

LOOK = {"zoomed": {"components at 1 and 2 deviations": [1.5, 4.5, 50.0, 90.0]}}


def compared(parameters: str = "k=2") -> RunSession:
    """Compare a fork of k-means on iris and a mixture on faithful, 5 steps on."""
    runs = RunSession(LoadedRun.checked(find("lloyd"), datasets.recipe("iris"), {"k": 3}), 2)
    runs.fork(2, Change(parameters={"sweeps": 5}), "short")
    other = variant(runs.loaded, "gaussian_mixture", "faithful", parameters)
    together = runs.compare([runs.candidates[0], ComparedRun("", other.timeline(), other)])
    together.seek(5)
    together.work(1.0)
    for follower in together.followers:
        follower.run.run()  # how far ahead they are known is else a matter of time, and which states are noted of that
    runs.side_by_side.note(1, {"view": "chart"}, [{}, LOOK])
    return runs


def saved(path: Path, runs: RunSession) -> Path:
    assert runs.save(path, {})
    return path


def opened(path: Path) -> RunSession:
    opening = Opening(path)
    while not opening.work(0.01):
        assert 0 <= opening.progress <= 1
    assert opening.differences == []
    again = RunSession(LoadedRun.checked(opening.algorithm, opening.source, {}))
    again.resume(opening)
    return again


def test_a_comparison_is_had_again_with_the_runs_from_elsewhere(tmp_path: Path) -> None:
    path = saved(tmp_path / "both.json", compared())
    again = opened(path)
    runs = again.compared_last
    assert [(run.timeline.algorithm.name, run.timeline.data.name) for run in runs] == [
        ("lloyd", "iris"),
        ("gaussian_mixture", "faithful"),
    ]
    assert [run.timeline.parameters.get("sweeps") for run in runs][0] == 5
    together = again.compare(runs)
    assert [follower.player.t for follower in together.followers] == [5, 5]
    last_view = again.side_by_side.last_view
    assert last_view is not None
    assert (again.side_by_side.hand, last_view.screen, last_view.looks) == (1, {"view": "chart"}, ({}, LOOK))
    assert again.side_by_side.sessions[1].loaded.recipe.name == "faithful"
    assert again.unsaved == ""
    written, kept = again.file.written(again, path, {}), read_session(path)
    assert written.compared == kept.compared
    assert [each.states for each in written.beside] == [each.states for each in kept.beside]


def test_without_a_comparison_the_file_is_of_the_form_before(tmp_path: Path) -> None:
    runs = RunSession(LoadedRun.checked(find("lloyd"), datasets.recipe("iris"), {"k": 3}), 2)
    assert runs.save(tmp_path / "one.json", {})
    plain = json.loads((tmp_path / "one.json").read_text())
    assert plain["version"] == 2
    assert not {"compared", "beside"} & plain.keys()


def test_what_no_session_can_hold_is_left_out_and_told(tmp_path: Path) -> None:
    runs = compared()
    mine = tmp_path / "mine.py"
    mine.write_text("def counting(data):\n    for i in range(9):\n        yield {'i': i}\n")
    own = variant(runs.loaded, str(mine))
    runs.compare([*runs.compared_last, ComparedRun("", own.timeline(), own)])
    runs.side_by_side.note(2, {}, [])
    path = saved(tmp_path / "two.json", runs)
    assert "two.json; " in runs.notice
    assert "is not in it: it is of another file of your own" in runs.notice
    kept = read_session(path)
    assert kept.compared is not None
    assert ([run.session for run in kept.compared.runs], kept.compared.hand) == ([0, 1], 0)
    assert len(kept.beside) == 1


def test_a_run_that_gave_its_place_to_another_is_not_in_the_file(tmp_path: Path) -> None:
    runs = RunSession(LoadedRun.checked(find("lloyd"), datasets.recipe("iris"), {"k": 3}))
    other, another = (variant(runs.loaded, parameters=f"k={k}") for k in (4, 5))
    runs.compare([*runs.candidates, ComparedRun("", other.timeline(), other)])
    runs.compare([ComparedRun("", another.timeline(), another), runs.compared_last[1]])
    runs.side_by_side.note(0, {}, [])
    kept = read_session(saved(tmp_path / "both.json", runs))
    assert [each.parameters["k"] for each in (kept, *kept.beside)] == [4, 5]
    assert [run.timeline.parameters["k"] for run in opened(tmp_path / "both.json").compared_last] == [5, 4]


def test_replayed_without_a_screen_all_its_runs_are_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path / "both.json", compared())
    assert main(["replay", str(path)]) == 0
    told = capsys.readouterr().out
    assert "short: steps 2 to" in told
    assert f"{find('gaussian_mixture').title}, first run: steps 0 to" in told

    session = read_session(path)
    (beside,) = session.beside
    step = beside.states["first run"][0]
    field = {name: replace(digest, digest="0" * len(digest.digest)) for name, digest in step.fields.items()}
    states = {"first run": (replace(step, fields=field), *beside.states["first run"][1:])}
    changed = replace(session, beside=(replace(beside, states=states),), check="")
    (tmp_path / "changed.json").write_bytes(session_bytes(changed))
    assert main(["replay", str(tmp_path / "changed.json")]) == 1
    opening = Opening(tmp_path / "changed.json")
    assert opening.work()
    assert [one.branch for one in opening.differences] == [f"{find('gaussian_mixture').title}, first run"]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return read_session(saved(tmp_path_factory.mktemp("session") / "both.json", compared()))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"runs": [0, 0]}, "a run that it does not have, or one with itself"),
        ({"runs": [0, 5]}, "a run that it does not have"),
        ({"hand": 3}, "the run in hand is none of those"),
        ({"along": -1.0}, "along"),
        ({"aligned": "mood"}, "aligned"),
        ({"beside": "twice"}, "has a comparison of its own"),
        ({"look": {"a": [0] * 20_000}}, "more values than there can be"),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else "",
)
def test_a_comparison_that_cannot_be_meant_is_refused(session: Session, changes: dict[str, Any], words: str) -> None:
    plain = json.loads(session_bytes(session))
    plain.pop("check")
    kept = plain["compared"]
    for name, value in changes.items():
        if name == "runs":
            kept["runs"] = [kept["runs"][0] | {"session": i} for i in value]
        elif name == "beside":
            plain["beside"][0]["compared"] = {"runs": [{"session": 0, "branch": "first run"}] * 2}
        elif name == "look":
            kept["runs"][0]["look"] = value
        else:
            kept[name] = value
    with pytest.raises(Refused, match=words):
        session_in(json.dumps(plain).encode(), "both.json")


def test_a_place_that_is_a_whole_number_is_read_again(tmp_path: Path) -> None:
    kept = read_session(saved(tmp_path / "both.json", compared()))
    assert kept.compared is not None
    for place in (3, 3.5):
        path = write_session(
            replace(kept, compared=replace(kept.compared, along=place, within=2)),
            tmp_path / "again.json",
            overwrite=True,
        )
        again = read_session(path).compared
        assert again is not None
        assert (again.along, again.within) == (place, 2)


def test_a_place_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    kept = read_session(saved(tmp_path / "both.json", compared()))
    assert kept.compared is not None
    with pytest.raises(Refused, match="cannot be written down"):
        write_session(replace(kept, compared=replace(kept.compared, along=1e22)), tmp_path / "again.json")
    assert not (tmp_path / "again.json").exists()
