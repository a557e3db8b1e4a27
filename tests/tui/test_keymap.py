"""Keys of the reader's own: they do what the file says, the screen shows them, and what cannot be taken is told."""

from pathlib import Path

import pytest

from algorithms import find
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import read
from tests.tui.pilot import at, stage, text, until
from tui.__main__ import _app
from tui.app import IterscopeApp
from tui.keymap import NAME, mapped, read_keymap, template
from tui.settings import Remembered, settings_file


def keys_file(content: str) -> Path:
    file = settings_file().with_name(NAME)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    return file


def app() -> IterscopeApp:
    return IterscopeApp(LoadedRun.usual(find("lloyd")), settings=Remembered(settings_file()))


def troubles_of(content: str) -> tuple[dict[str, str], list[str]]:
    some = app()
    return read_keymap(keys_file(content), some.screens_with_keys(), some.usual_keys())


async def test_an_own_key_does_it_the_usual_one_no_more_and_the_bottom_line_and_help_show_it() -> None:
    keys_file('"step(1)" = "J"\n"step(-1)" = "E,ctrl+e"\n')
    async with app().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("J", "J", "J")
        await until(pilot, at(pilot, 3))
        await pilot.press("E", "ctrl+e")
        await until(pilot, at(pilot, 1))
        await pilot.press("right", "l", "n")  # n goes to the next event, so that the press before it was looked at
        await until(pilot, lambda: stage(pilot).player.t > 1)
        assert stage(pilot).player.t == stage(pilot).player.timeline.next_event(1)
        keys = text(pilot, "#keys")
        assert "J step" in keys
        assert "E back" in keys
        assert "→ step" not in keys
        await pilot.press("question_mark")
        await until(pilot, lambda: "what is on the screen" in text(pilot))
        await pilot.press("pagedown")
        await until(pilot, lambda: "J E" in text(pilot))


async def test_hints_in_the_frame_name_the_readers_own_keys() -> None:
    keys_file('"chart" = "f5"\n"table" = "J"\n')
    run = LoadedRun.usual(find("gaussian_mixture"))
    async with IterscopeApp(run, settings=Remembered(settings_file())).run_test(size=(160, 48)) as pilot:
        await until(pilot, lambda: "1 of" in text(pilot, "#side"))
        side = text(pilot, "#side")
        assert "f5: 1 of 2" in side
        assert "J: 1 of" in side
        assert "x: 1 of" not in side
        assert "t: 1 of" not in side


async def test_in_a_comparison_too() -> None:
    keys_file('"step(1)" = "J"\n')
    run = LoadedRun.usual(find("lloyd"))
    async with IterscopeApp(run, against=[run.timeline()], settings=Remembered(settings_file())).run_test(
        size=(160, 48)
    ) as pilot:
        await until(pilot, lambda: "aligned by" in text(pilot))
        await pilot.press("J", "J")
        await until(pilot, lambda: "step 2" in text(pilot))
        assert "J step" in text(pilot, "#keys")


def test_what_gives_its_key_away_can_have_another() -> None:
    own, troubles = troubles_of('fork = "n"\n"event(True)" = "f"\n')
    assert (own, troubles) == ({"fork": "n", "event(True)": "f"}, [])


def test_a_sign_is_a_key() -> None:
    assert troubles_of('fork = "?"\nhelp = "f1"\n') == ({"fork": "question_mark", "help": "f1"}, [])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('fork = "n"', "fork keeps its keys: of a run, 'n' is 'to the next event' (event(True))"),
        ('fork = "ctrl+q"', "'ctrl+q' is 'quit' (quit)"),
        ('fork = "ctrl+p"', "'ctrl+p' is 'command_palette'"),
        ('frok = "J"', "there is no action 'frok'; near it: fork"),
        ('fork = "jj"', "fork: there is no key 'jj'"),
        ('fork = "control+j"', "fork: there is no key 'control+j'"),
        ('fork = ""', "fork takes its keys as a text"),
        ("fork = 3", "fork takes its keys as a text"),
    ],
)
def test_what_cannot_be_taken_is_told_and_left_aside(line: str, told: str) -> None:
    own, (trouble,) = troubles_of(f'{line}\n"step(1)" = "J"\n')
    assert own == {"step(1)": "J"}
    assert trouble.startswith("keys.toml: ")
    assert told in trouble


def test_two_actions_do_not_share_a_key_of_the_file() -> None:
    own, troubles = troubles_of('fork = "J"\nedit = "J"\n')
    assert own == {}
    assert [trouble.partition(": of")[0] for trouble in troubles] == [
        "keys.toml: fork keeps its keys",
        "keys.toml: edit keeps its keys",
    ]


@pytest.mark.parametrize(
    "content",
    ['"event(True)" = "f"\nfork = "f1"\n', 'fork = "n"\n"event(True)" = "N"\n"event(False)" = "i"\n'],
)
def test_keys_of_one_whose_own_line_is_left_aside_are_not_given_away(content: str) -> None:
    some = app()
    own, troubles = troubles_of(content)
    assert own == {}
    assert len(troubles) == content.count("\n")
    for bound in some.screens_with_keys().values():
        assert mapped(bound, own) == bound


def test_a_key_of_lessons_is_not_given_away() -> None:
    own, (trouble,) = troubles_of('fork = "up"\n')
    assert own == {}
    assert "of a lesson, 'up' is" in trouble


async def test_of_many_troubles_a_few_are_told_and_how_many_more() -> None:
    keys_file("".join(f'frok{i} = "J"\n' for i in range(30)))
    async with app().run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: any("and 26 more lines" in n.message for n in pilot.app._notifications))
        assert len(pilot.app._notifications) == 1


@pytest.mark.parametrize("content", ["fork = ", "a b", "[[[", '"step(1)" = "J"\n"step(1)" = "l"'])
def test_what_is_no_toml_is_told_with_its_place(content: str) -> None:
    own, (trouble,) = troubles_of(content)
    assert own == {}
    assert "keys.toml is no TOML, so all keys are as usual" in trouble
    assert "line" in trouble or "end of document" in trouble


def test_bytes_that_are_no_text_are_told() -> None:
    some = app()
    file = keys_file("")
    file.write_bytes(b"\xff\xfe\x00")
    own, (trouble,) = read_keymap(file, some.screens_with_keys(), some.usual_keys())
    assert own == {}
    assert "as usual" in trouble


async def test_troubles_are_told_on_the_screen() -> None:
    keys_file('frok = "J"\n')
    async with app().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await until(pilot, lambda: any("no action 'frok'" in n.message for n in pilot.app._notifications))


async def test_clean_leaves_them_alone() -> None:
    keys_file('"step(1)" = "J"\n')
    async with _app(read("test", ["lloyd", "--clean"])).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "step 0" in text(pilot, "#header"))
        await pilot.press("J", "right")
        await until(pilot, lambda: stage(pilot).player.t > 0)
        assert stage(pilot).player.t == 1
        assert "→ step" in text(pilot, "#keys")


def test_the_file_to_begin_with_changes_nothing_and_each_of_its_lines_can_be_taken() -> None:
    content = template(app().screens_with_keys())
    assert troubles_of(content) == ({}, [])
    taken_as_they_are = "".join(line.removeprefix("# ") + "\n" for line in content.splitlines() if ' = "' in line)
    own, troubles = troubles_of(taken_as_they_are)
    assert len(own) > 50
    assert troubles == []


async def test_the_palette_makes_that_file_and_tells_where() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        pilot.app.action_own_keys()  # type: ignore[attr-defined]
        file = settings_file().with_name(NAME)
        assert "next event" in file.read_text(encoding="utf-8")
        await until(pilot, lambda: any(f"{file}\n" in told.message for told in pilot.app._notifications))
        file.write_text("# mine\n", encoding="utf-8")
        pilot.app.action_own_keys()  # type: ignore[attr-defined]
        assert file.read_text(encoding="utf-8") == "# mine\n"
