"""Opening a session replays it bit for bit, and says where it does not."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Add, Branches, Change, Opening, Recipe, Remove, Timeline, find, names, read_session
from algorithms.core.state import same
from algorithms.saving.session import session_of, write_session
from algorithms.saving.session.capture import digested_steps
from tests.saving.session.kept import FAITHFUL, changed, changed_again, forked, kept, refusal, runs


def test_every_branch_is_had_again_bit_for_bit(tmp_path: Path) -> None:
    tree = forked()
    kept(tree, tmp_path / "lesson.json")
    opening = Opening(tmp_path / "lesson.json")
    assert opening.work()
    assert opening.differences == []
    assert [b.name for b in opening.branches.all] == [b.name for b in tree.all]
    for was, now in zip(tree.all, opening.branches.all):
        assert (now.begin, now.at, len(now.timeline)) == (was.begin, was.at, len(was.timeline))
        assert (now.parent.name if now.parent else "") == (was.parent.name if was.parent else "")
        for t in range(len(was.timeline)):
            assert same(was.timeline.at(t).state, now.timeline.at(t).state)


def test_saved_again_it_is_the_same(tmp_path: Path) -> None:
    tree = forked()
    path = tmp_path / "lesson.json"
    more: dict[str, Any] = {"breakpoints": ["moved == 0"], "view": {"speed": 3, "limits": {"a": [0.1, 0.2]}}}
    first = kept(tree, path, shown=(tree.all[2], 6), cursors={"first run": 3}, **more)
    content = path.read_bytes()
    opening = Opening(path)
    opening.work()
    session = opening.session
    hand = opening.branch(session.cursor.branch)
    cursors = {branch.name: branch.cursor for branch in session.branches}
    again = session_of(opening.branches, opening.source, path, shown=(hand, session.cursor.t), cursors=cursors, **more)
    assert again == first
    write_session(again, path, overwrite=True)
    assert path.read_bytes() == content


def test_it_is_replayed_a_little_at_a_time(tmp_path: Path) -> None:
    source = Recipe(name="blobs").with_(n=200, margin=0.01)
    tree = Branches(Timeline(find("perceptron"), source, {"eta": 0.5, "epochs": 200}))
    tree.root.timeline.advance(2_000)
    kept(tree, tmp_path / "long.json", source)
    opening = Opening(tmp_path / "long.json")
    seen = [opening.progress]
    while not opening.work(0.001):
        seen.append(opening.progress)
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert opening.progress == 1.0
    assert opening.differences == []
    assert opening.branches.root.timeline.last == tree.root.timeline.last


def test_parameters_keep_their_last_bit_and_infinity(tmp_path: Path) -> None:
    source = Recipe(name="blobs").with_(margin=0.3, scale=True, hold_out=0.25)
    tree = Branches(Timeline(find("perceptron"), source, {"eta": 0.1 + 0.2}))
    tree.root.timeline.advance(10)
    tree.fork(tree.root, 3, Change(parameters={"eta": 1 / 3})).timeline.advance(5)
    kept(tree, tmp_path / "a.json", source)
    opening = Opening(tmp_path / "a.json")
    opening.work()
    assert opening.source == source
    assert [b.timeline.parameters["eta"] for b in opening.branches.all] == [0.1 + 0.2, 1 / 3]
    assert opening.branches.all[1].change == tree.all[1].change


def test_edits_of_the_data_are_made_again(tmp_path: Path) -> None:
    tree = runs()
    edits = (Add((1.1, 0.1 + 0.2)), Remove(0))
    tree.fork(tree.root, 4, Change(edits=edits)).timeline.run()
    kept(tree, tmp_path / "a.json")
    opening = Opening(tmp_path / "a.json")
    opening.work()
    assert opening.differences == []
    one = opening.branches.all[1]
    assert one.change.edits == edits
    np.testing.assert_array_equal(one.timeline.data.X, tree.all[1].timeline.data.X)


def test_the_first_step_that_differs_is_named(tmp_path: Path) -> None:
    tree = forked()
    path = tmp_path / "lesson.json"
    kept(tree, path)

    def nudged(plain: dict[str, Any]) -> None:
        for step in plain["states"]["pulled apart"][2:]:
            means = step["fields"]["means"]
            means["digest"] = "0" * 16
            means["numbers"][0] = np.nextafter(means["numbers"][0], 100)

    opening = Opening(changed(path, nudged))
    opening.work()
    (found,) = opening.differences
    steps = [step.t for step in opening.session.states["pulled apart"]]
    assert (found.branch, found.t) == ("pulled apart", steps[2])
    assert f"step {steps[2]} is the first that is not as it was saved" in found.words
    assert "means holds" in found.words
    assert "rounding" in found.words


def test_the_first_step_is_named_where_the_file_knows_every_step(tmp_path: Path) -> None:
    source = Recipe(name="blobs").with_(margin=0.3)
    tree = Branches(Timeline(find("perceptron"), source))
    tree.root.timeline.advance(400)
    path = tmp_path / "a.json"
    session = kept(tree, path, source)
    steps = [step.t for step in session.states["first run"]]
    last = steps[-1]
    t = next(t for t in range(steps[5] + 2, last) if t not in steps)
    after = next(step for step in steps if step > t)

    def drifted(plain: dict[str, Any], every: bool) -> None:
        """As if everything from step t on had been another."""
        trace = "".join(plain["traces"]["first run"])
        changed = "".join(f"{(int(trace[i : i + 4], 16) + 1) % 65536:04x}" for i in range(0, len(trace), 4))
        rows = trace[: 4 * t] + changed[4 * t :]
        plain["traces"]["first run"] = [rows[i : i + 64] for i in range(0, len(rows), 64)] if every else []
        for step in plain["states"]["first run"]:
            if step["t"] >= t:
                step["fields"]["w"]["numbers"][0] += 1.0
                step["fields"]["w"]["digest"] = "0" * 16

    opening = Opening(changed(path, lambda plain: drifted(plain, True)))
    opening.work()
    (found,) = opening.differences
    assert found.t == t
    assert found.words.startswith(f"step {t} is the first that is not as it was saved; at step {after} w holds ")
    opening = Opening(changed_again(path, lambda plain: drifted(plain, False)))
    opening.work()
    (found,) = opening.differences
    assert found.t == after
    assert f"step {after} is not as it was saved, and step {max(s for s in steps if s < t)} still is: w" in found.words


def test_a_run_that_ends_before_what_was_saved_differs(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    kept(runs(), path)

    def longer(plain: dict[str, Any]) -> None:
        plain["states"]["first run"].append({"t": 5000, "fields": {}})

    opening = Opening(changed(path, longer))
    opening.work()
    (found,) = opening.differences
    assert found.t == 5000
    assert "the run ends at step" in found.words


def test_a_run_that_goes_on_after_its_end_differs(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    tree = Branches(Timeline(find("lloyd"), FAITHFUL, {"k": 3}))
    tree.root.timeline.advance(3)
    kept(tree, path)
    opening = Opening(changed(path, lambda plain: plain["branches"][0].update(ended=True)))
    opening.work()
    (found,) = opening.differences
    assert "had ended at step 2" in found.words


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ({"at": 4000}, "cannot be forked"),
        ({"change": {"parameters": {"k": 9}}}, "k cannot be changed"),
        ({"change": {"parameters": {"speed": 9}}}, "no parameter 'speed'"),
        ({"change": {"parameters": {"seed": {"a": 1}}}}, "no value of a parameter"),
        ({"change": {"state": {"nothing": 3}}}, "no field 'nothing'"),
        ({"change": {"state": {"means": [[1.0, 2.0], [3.0]]}}}, "no value of a state"),
        ({"change": {"state": {"means": [[1.0, 2.0]]}}}, "shape (3, 2)"),
        ({"change": {"state": {"means": "import os"}}}, "no value of a state"),
        ({"change": {"state": {"means": {"dtype": "object", "shape": [1], "values": [0]}}}}, "no value of a state"),
        ({"change": {"state": {"means": {"dtype": "int64", "shape": [10**9, 10**9], "values": [0]}}}}, "no value"),
        ({"change": {"state": {"moved": "all"}}}, "no value of a state"),
        ({"change": {"state": {"moved": 1.5}}}, "no value of a state"),
        ({"change": {"state": {"t": 3}}}, "no field 't'"),
        ({"change": {"edits": [{"type": "remove", "row": 10**15}]}}, "there is no row"),
        ({"change": {"edits": [{"type": "remove", "row": -1}]}}, "there is no row"),
        ({"change": {"edits": [{"type": "add", "at": [1.0]}]}}, "2 finite numbers"),
        ({"change": {"edits": [{"type": "run", "at": [1.0]}]}}, "damaged"),
    ],
)
def test_a_fork_that_cannot_be_made_is_refused(tmp_path: Path, at: dict[str, Any], words: str) -> None:
    path = tmp_path / "a.json"
    kept(runs(), path)
    one = {"name": "other", "parent": "first run", "at": 4} | at
    assert words in refusal(changed(path, lambda plain: plain["branches"].append(one)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"algorithm": "lloid"}, "Did you mean lloyd?"),
        ({"algorithm": "os.system"}, "there is no algorithm"),
        ({"parameters": {"k": 0}}, "k = 0 will not do"),
        ({"parameters": {"k": [[[1]]]}}, "no value of a parameter"),
        ({"parameters": {"k": 100_000}}, "will not do"),
        ({"data": {"from": "name", "recipe": {"name": "no such"}}}, "does not say"),
        ({"data": {"from": "name", "recipe": {"name": "../faithful"}}}, "does not say"),
        ({"data": {"from": "name", "recipe": {"name": "faithful", "made": [["n", 3]]}}}, "takes no 'made'"),
        ({"data": {"from": "name", "recipe": {"name": "faithful", "self": 3}}}, "does not say"),
        ({"data": {"from": "name", "recipe": {"name": "faithful", "scale": "often"}}}, "scale will not do"),
        ({"data": {"from": "name", "recipe": {"name": "blobs", "n": 10**12}}}, "n = "),
        ({"data": {"from": "name", "recipe": {}}}, "does not say"),
        ({"data": {"from": "rows", "name": "a", "X": [[1.0], [1.0, 2.0]], "features": ["x"]}}, "not all of"),
        ({"data": {"from": "rows", "name": "a", "X": [[1.0]] * 5, "features": ["x", "y"]}}, "feature names"),
        ({"data": {"from": "rows", "name": "a", "X": [[1.0]] * 5, "features": ["x"], "kind": "class"}}, "target"),
        ({"data": {"from": "rows", "name": "a", "X": [[1.0]] * 5, "features": ["x"], "centre": [1.0]}}, "scaled"),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    path = tmp_path / "a.json"
    kept(runs(), path)
    assert words in refusal(changed(path, lambda plain: plain.update(changes)))


@pytest.mark.parametrize(("begin", "last"), [(0, 0), (0, 1), (3, 22), (5, 1_000_000), (0, 10**9)])
def test_both_ends_and_a_few_between_are_noted(begin: int, last: int) -> None:
    steps = digested_steps(begin, last, [last, begin + 1, last + 5, begin - 1])
    assert steps[0] == begin
    assert steps[-1] == last
    assert steps == sorted(set(steps))
    assert len(steps) <= 26
    assert len(digested_steps(0, 10**6, range(10**6))) == 64


def test_every_algorithm_is_had_again(tmp_path: Path) -> None:

    for name in names():
        algorithm = find(name)
        source = algorithm.datasets[0]
        tree = Branches(Timeline(algorithm, source))
        tree.root.timeline.advance(12)
        tree.fork(tree.root, min(5, tree.root.timeline.last - 1), Change()).timeline.advance(4)
        path = tmp_path / f"{name}.json"
        session = kept(tree, path, source)
        opening = Opening(path)
        opening.work()
        assert opening.differences == []
        assert all(opening.compared[branch.name] == len(session.states[branch.name]) for branch in session.branches)
        assert read_session(path).algorithm == name
