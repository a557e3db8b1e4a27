"""Runs to be kept, and what is done to their files."""

import json
from pathlib import Path
from typing import Any

import pytest

from algorithms import Branches, Change, Opening, Recipe, Refused, Timeline, find
from algorithms.core.dataset import Source
from algorithms.saving.session import Session, session_of, write_session

FAITHFUL = Recipe(name="faithful")


def runs(source: Source = FAITHFUL, **parameters: Any) -> Branches:
    return Branches(Timeline(find("lloyd"), source, {"k": 3} | parameters).run())


def forked() -> Branches:
    """A run, a fork of another state, a fork of that, and a second one of the first."""
    tree = runs()
    first = tree.root
    moved = first.timeline.at(first.timeline.nearest_entry(5)).state.means + 0.1
    one = tree.fork(first, 5, Change(state={"means": moved}))
    one.timeline.run()
    again = one.timeline.at(one.timeline.nearest_entry(7)).state.means * 1.5
    tree.fork(one, 7, Change(state={"means": again}), "pulled apart").timeline.run()
    tree.fork(first, 2, Change()).timeline.advance(2)
    return tree


def kept(tree: Branches, path: Path, source: Source | None = FAITHFUL, **more: Any) -> Session:
    session = session_of(tree, source, path, **more)
    write_session(session, path, overwrite=True)
    return session


def changed(path: Path, change: Any) -> Path:
    """The file edited by hand."""
    plain = json.loads(path.read_text())
    del plain["check"]
    change(plain)
    path.write_text(json.dumps(plain))
    return path


def changed_again(path: Path, change: Any) -> Path:
    """The file, edited by hand before, edited again."""
    plain = json.loads(path.read_text())
    change(plain)
    path.write_text(json.dumps(plain))
    return path


def refusal(path: Path, algorithm: Any = None) -> str:
    with pytest.raises(Refused) as refused:
        Opening(path, algorithm).work()
    said = str(refused.value)
    assert said.isprintable()
    assert "\n" not in said
    return said
