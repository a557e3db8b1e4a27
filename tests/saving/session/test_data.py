"""The data of a session: found again wherever it goes, other bytes refused, no other file read."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Branches, Dataset, Opening, Recipe, Refused, Timeline, datasets, find
from algorithms.saving.session import session_of
from tests.saving.session.kept import changed, kept, refusal, runs


@pytest.fixture
def people(tmp_path: Path) -> Recipe:
    rows = [f"{20 + i},{60 + i % 7}" for i in range(30)]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "people.csv").write_text("\n".join(["age,weight", *rows]))
    return Recipe(name=str(tmp_path / "data" / "people.csv"))


def test_a_file_is_found_beside_the_session_wherever_they_go(tmp_path: Path, people: Recipe) -> None:
    session = kept(runs(people), tmp_path / "a.json", people)
    assert session.data.recipe["name"] == "data/people.csv"
    elsewhere = tmp_path.rename(tmp_path.with_name(f"{tmp_path.name} moved"))
    opening = Opening(elsewhere / "a.json")
    opening.work()
    assert opening.differences == []
    assert opening.source == Recipe(name=str(elsewhere / "data" / "people.csv"))


def test_other_bytes_are_refused(tmp_path: Path, people: Recipe) -> None:
    kept(runs(people), tmp_path / "a.json", people)
    with open(people.name, "a") as file:
        file.write("\n")
    assert "its bytes are others" in refusal(tmp_path / "a.json")
    os.unlink(people.name)
    assert "there is no file" in refusal(tmp_path / "a.json")


def test_a_file_that_was_edited_under_the_run_is_not_vouched_for(tmp_path: Path, people: Recipe) -> None:
    tree = runs(people)
    with open(people.name, "a") as file:
        file.write("\n99,99")
    with pytest.raises(Refused, match="people.csv has changed since this run began"):
        session_of(tree, people, tmp_path / "a.json")


def test_no_other_file_is_read_through_a_session(tmp_path: Path, people: Recipe) -> None:
    kept(runs(people), tmp_path / "a.json", people)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "secret").write_text("hunter2\n")
    for name in (
        "/proc/self/mem",
        "/proc/kmsg",
        "/etc/shadow",
        "/etc/passwd",
        "/dev/zero",
        "/dev/tty",
        "pipe",
        "secret",
        "/",
        "~",
        "",
        "a\0b",
        3,
        "iris",
    ):
        said = refusal(changed_data(tmp_path / "a.json", name))
        assert "hunter2" not in said
        assert "root:" not in said


def changed_data(path: Path, name: Any) -> Path:
    """The session with another path, and the size of what is there, so that only its bytes tell."""
    again = path.with_name("b.json")
    again.write_bytes(path.read_bytes())
    there = path.parent / str(name).replace("\0", "")
    size = there.stat().st_size if there.exists() else 0
    return changed(again, lambda plain: (plain["data"]["recipe"].update(name=name), plain["data"].update(size=size)))


class Script:
    """Data that a script made."""

    def __init__(self, data: Dataset):
        self.name, self._data = data.name, data

    def load(self) -> Dataset:
        return self._data


def test_data_of_a_script_stand_in_the_session_when_they_are_few(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    few = Dataset(
        rng.normal(size=(40, 2)), np.arange(40) % 2, classes=("a", "b"), name="few", held_out=Dataset([[1, 2]])
    )
    tree = Branches(Timeline(find("perceptron"), few))
    tree.root.timeline.advance(20)
    kept(tree, tmp_path / "a.json", Script(few))
    opening = Opening(tmp_path / "a.json")
    opening.work()
    data = opening.branches.root.timeline.data
    assert opening.differences == []
    assert data.X.tobytes() == few.X.tobytes()
    assert (data.classes, data.name, data.held_out.n) == (few.classes, few.name, 1)
    assert data.y.dtype == few.y.dtype
    many = Dataset(rng.normal(size=(2501, 2)), name="many")
    with pytest.raises(Refused, match="5,002 numbers, too many"):
        session_of(runs(Script(many)), Script(many), tmp_path / "a.json")


def test_datasets_by_name_are_the_same_source(tmp_path: Path) -> None:
    for name in datasets.names():
        recipe = datasets.recipe(name)
        tree = Branches(Timeline(find("pca"), recipe)) if recipe.load().d > 1 else None
        if tree is not None:
            kept(tree, tmp_path / "a.json", recipe)
            assert Opening(tmp_path / "a.json").source == recipe
