"""Hands on keys and mouse: whatever they do, the app answers, shows the run's states and leaves nothing behind."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual import events

from algorithms import Refused, find
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import against
from algorithms.saving import session as saved
from algorithms.saving.session import Session, session_of
from algorithms.timeline import Timeline
from tests.hands import in_app, in_pty
from tests.hands.__main__ import main
from tests.hands.actions import Burst, Resize, Walk, key, keys, keys_of_screens, random_walk, sequence, typed, walk
from tests.hands.in_app import Found, play, shortest
from tests.hands.leftovers import end_all, files_left, marked, started_with
from tests.process import started
from tests.tiny import TINY, Rows
from tui.app import IterscopeApp
from tui.rescue import Rescue
from tui.screens.stage import StageScreen
from tui.terminal.keys import KeyParser

WALKS = int(os.environ.get("ITERSCOPE_WALKS", "20"))
FORKED = (Burst((key("right", 5),), 0.3), keys("f", 0.5), Burst((typed("3\r"),), 0.5), keys("r", 0.3))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def app_of(name: str) -> IterscopeApp:
    rescue = Rescue(Path.cwd())
    if name == "compare":
        opened = LoadedRun.usual(find("lloyd"))
        others = ("gaussian_mixture", ":k=2", ":seed=3")
        return IterscopeApp(opened, against=[against(opened, other).timeline() for other in others], rescue=rescue)
    opened = LoadedRun.usual(find(name)) if name != "tiny" else LoadedRun.checked(TINY, Rows(), {})
    return IterscopeApp(opened, rescue=rescue)


async def walked(name: str, seed: int, actions: int) -> None:
    """Walk over one app, and tell the shortest walk that fails."""
    long = random_walk(seed, actions)
    try:
        await play(lambda: app_of(name), long)
    except Found as found:
        few = await shortest(lambda: app_of(name), long, most=in_app.PATIENCE)
        raise AssertionError(f"{found}; a shorter walk that fails is {few.bursts}") from found


# Walks


@pytest.mark.parametrize("name", ["tiny", "perceptron", "compare"])
async def test_a_walk_over_the_whole_app(name: str) -> None:
    await walked(name, seed=1, actions=120)


@pytest.mark.parametrize("seed", [3, 5])
async def test_a_walk_as_a_command_line_begins_it(seed: int) -> None:
    drawn = walk(seed, 80)
    await play(lambda: in_app.opened(drawn), drawn)


@pytest.mark.parametrize("seed", [1, 4])
def test_a_walk_in_a_terminal(seed: int, folder: Path) -> None:
    became = in_pty.play(walk(seed, 80), folder)
    assert became.failures == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(WALKS))
@pytest.mark.parametrize("name", ["tiny", "lloyd", "multilayer_perceptron", "decision_tree", "smo", "compare"])
async def test_longer_walks(name: str, seed: int) -> None:
    await walked(name, seed=1000 + seed, actions=1000)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(WALKS))
async def test_walks_over_all_algorithms(seed: int) -> None:
    drawn = walk(2000 + seed, 500)
    try:
        app = in_app.opened(drawn)
    except Refused as refusal:
        pytest.skip(str(refusal))
    await play(lambda: app, drawn)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(WALKS))
def test_walks_in_a_terminal_over_all_algorithms(seed: int, folder: Path) -> None:
    try:
        became = in_pty.play(walk(3000 + seed, 300), folder)
    except Refused as refusal:
        pytest.skip(str(refusal))
    assert became.failures == []


# What a walk is made of


def test_a_terminal_sends_what_the_app_reads_as_the_keys_of_its_screens() -> None:
    named = keys_of_screens()
    assert {"right", "shift+right", "alt+left", "f", "R", "ctrl+s", "question_mark"} <= set(named)
    assert not {"q", "ctrl+q"} & set(named)
    for name in named:
        parser = KeyParser(False)
        read = [event for event in (*parser.feed(sequence(name)), *parser.tick()) if isinstance(event, events.Key)]
        if name != "escape":  # which may be the beginning of more, until time has passed
            assert [name in (event.key, event.character) for event in read] == [True], f"{name} is read as {read}"


def test_a_walk_follows_from_its_seed_and_comes_back_from_a_file(folder: Path) -> None:
    walks = [walk(seed, 300) for seed in range(60)]
    assert walks == [walk(seed, 300) for seed in range(60)]
    for each in walks:
        each.write(folder / "walk.json")
        assert Walk.read(folder / "walk.json") == each
    assert len({words[0] for words in (each.words for each in walks) if words}) > 40
    for word in ("--against", "--lesson"):
        assert any(word in each.words for each in walks)
    pressed = {str(action) for each in walks for burst in each.bursts for action in burst.actions}
    assert pressed > {"R", "F", "E", "ctrl+p", "escape"}


def test_what_is_sent_between_two_sizes_is_one_read() -> None:
    burst = Burst((key("y"), key("z"), Resize(4, 1), key("escape")))
    assert list(burst.parts) == [b"yz", Resize(4, 1), b"\x1b"]


# What a walk has to find


async def test_a_walk_that_fails_is_found_and_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: StageScreen) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(StageScreen, "action_fit", broken)
    long = Walk((), 120, 40, (keys("right", 0.1), keys("w", 0.1), *[keys("left", 0.1)] * 4))
    with pytest.raises(Found, match="planted"):
        await play(lambda: app_of("tiny"), long)
    assert (await shortest(lambda: app_of("tiny"), long)).bursts == (keys("w", 0.1),)


async def test_an_app_that_does_not_answer_is_found_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(self: StageScreen) -> None:
        while True:
            pass

    monkeypatch.setattr(StageScreen, "action_fit", endless)
    monkeypatch.setattr(in_app, "PATIENCE", 1.0)
    with pytest.raises(Found, match=r"no answer within 1 seconds.*test_hands.endless"):
        await play(lambda: app_of("tiny"), Walk((), 120, 40, (keys("w"),)))


async def test_a_state_that_is_not_the_timelines_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: StageScreen) -> None:
        at = Timeline.at
        monkeypatch.setattr(Timeline, "at", lambda run, t: at(run, max(t - 1, 0)))

    monkeypatch.setattr(StageScreen, "action_fit", wrong)
    with pytest.raises(Found, match="is not"):
        await play(lambda: app_of("tiny"), Walk((), 120, 40, (keys("right right right", 0.3), keys("w", 0.3))))


async def test_a_fork_that_is_not_in_what_was_rescued_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    forked = Walk((), 120, 40, FORKED)
    await play(lambda: app_of("lloyd"), forked)
    look = Rescue.look
    monkeypatch.setattr(Rescue, "look", lambda self, app: None)
    with pytest.raises(Found, match="1 fork is not saved., but None is offered"):
        await play(lambda: app_of("lloyd"), forked)
    monkeypatch.setattr(Rescue, "look", look)
    monkeypatch.setattr(saved, "session_of", earlier)
    with pytest.raises(Found, match="what was rescued is not what was there: trees was"):
        await play(lambda: app_of("lloyd"), forked)


def earlier(*given: Any, **options: Any) -> Session:
    """Describe runs with each fork a step before where it was made."""
    session = session_of(*given, **options)
    return replace(session, branches=tuple(replace(each, at=max(each.at - 1, 0)) for each in session.branches))


async def test_a_process_or_half_of_a_file_that_is_left_is_found(folder: Path) -> None:
    with started_with() as mark, started("sleep", "600") as process:  # in the environment that is marked
        while not marked(mark):  # a process has its environment a moment after it was started
            await asyncio.sleep(0.01)
        assert [number for number, _ in marked(mark)] == [process.pid]
        end_all(marked(mark))
        assert process.wait() == -9
        assert marked(mark) == []
    (folder / "sub").mkdir()
    (folder / "sub" / ".x.part").touch()
    assert files_left(folder) == ["sub/.x.part"]


def test_a_command_line_tells_of_each_walk_and_keeps_those_that_fail(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[Walk] = []

    def walked(walk: Walk) -> tuple[list[str], str]:
        done.append(walk)
        return (["a fault: planted"], "found") if len(done) == 2 else ([], "holds")

    monkeypatch.setattr(in_pty, "walked", walked)
    assert main(["pty", "0", "4", "10"]) == 1
    assert done == [walk(seed, 10) for seed in range(4)]
    told = capsys.readouterr().out
    assert "pty-1: " in told
    assert "FAILS a fault: planted" in told
    assert "4 walks (0 more could not be opened), 40 actions, 1 failing" in told
    assert [path.name for path in sorted(folder.glob("walks/*"))] == ["pty-1.json", "pty-1.txt"]
    assert main(["replay", "walks/pty-1.json"]) == 0
    assert done[4:] == [walk(1, 10)] * 3


@pytest.mark.parametrize(
    ("planted", "failures"),
    [
        ("raises", ["ValueError"]),
        ("leaves", ["processes are left", "files are left in cwd", "left on in the terminal: all of the mouse"]),
        ("ends", ["it ended, which nothing had asked for"]),
        ("forgets", ["1 fork is not saved., but rescued are []"]),
    ],
)
def test_a_walk_in_a_terminal_finds_what_is_planted(planted: str, failures: list[str], folder: Path) -> None:
    few = Walk(("lloyd",), 120, 40, (keys("w", 0.5), *FORKED), "TERM")
    became = in_pty.play(few, folder, WATCHED_PLANTED=planted)
    for failure in failures:
        assert any(failure in each for each in became.failures), (failure, became)


@pytest.mark.parametrize("end", ["keys", "TERM", "HUP", "INT", "QUIT"])
def test_a_walk_in_a_terminal_that_holds_offers_its_fork_again(end: str, folder: Path) -> None:
    became = in_pty.play(replace(Walk(("lloyd",), 120, 40, FORKED), end=end), folder)
    assert became.failures == []
    assert became.ended == end
    assert became.offered == (end != "keys")
