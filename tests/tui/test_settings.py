"""What one has set is there on the next start, whichever app wrote it; nothing else depends on it."""

import json
from pathlib import Path
from threading import Thread

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Select

from algorithms import find
from algorithms.playback.cursor.player import SPEEDS
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import read
from tests.tui.pilot import at, stage, text, until
from tui.__main__ import _app
from tui.app import IterscopeApp
from tui.last_run import in_words, last_run, words_of
from tui.settings import Remembered, settings_file
from tui.widgets.column import Column
from tui.widgets.stage import Stage

WORDS = "--data blobs:n=40,margin=0.5 --scale -p epochs=7"


def written() -> dict[str, object]:
    content = json.loads(settings_file().read_text())
    assert isinstance(content, dict)
    return content


def note(**changes: object) -> None:
    settings = Remembered(settings_file())
    settings.note(**changes)
    settings.close()


def note_run(name: str, words: str | None) -> None:
    settings = Remembered(settings_file())
    settings.note_run(name, words)
    settings.close()


def remembering(name: str | None = "perceptron") -> IterscopeApp:
    return IterscopeApp(LoadedRun.usual(find(name)) if name else None, settings=Remembered(settings_file()))


# The file


def test_what_is_noted_is_there_next_time_and_what_is_usual_again_is_not() -> None:
    note(theme="light", source=0, tab=2)
    assert Remembered(settings_file()).settings.theme == "light"
    assert written() == {"theme": "light", "source": 0, "tab": 2}
    note(theme=None, tab=None)
    assert written() == {"source": 0}


@pytest.mark.parametrize("pace", range(len(SPEEDS)))
def test_every_speed_comes_back(pace: int) -> None:
    settings = Remembered(settings_file())
    settings.note_pace(pace)
    settings.close()
    assert Remembered(settings_file()).pace == pace


def test_two_apps_at_once_lose_nothing() -> None:
    def runs(first: int) -> None:
        settings = Remembered(settings_file())
        for i in range(first, first + 20):
            settings.note_run(f"algorithm {i}", "-p k=1")
            settings.close()

    both = [Thread(target=runs, args=(first,)) for first in (0, 100)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert len(Remembered(settings_file()).settings.runs) == 40


def test_what_a_newer_iterscope_wrote_stays() -> None:
    note(theme="light")
    settings_file().write_text('{"theme": "light", "later": [1]}')
    note(source=3)
    assert written() == {"theme": "light", "later": [1], "source": 3}


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"theme": "blue"}', '{"runs": {"lloyd": 3}}', "[" * 100_000])
def test_a_damaged_file_is_told_and_kept_aside(damaged: str) -> None:
    note(theme="light")
    settings_file().write_text(damaged)
    settings = Remembered(settings_file())
    assert settings.settings.theme is None
    assert settings.trouble == "settings.json is damaged and kept as settings.damaged.json: all is as at first."
    assert settings_file().with_name("settings.damaged.json").read_text() == damaged
    note(theme="light")
    assert written() == {"theme": "light"}


def test_a_second_damaged_file_does_not_replace_the_first() -> None:
    note(theme="light")
    for words in ("first", "second"):
        settings_file().write_text(words)
        Remembered(settings_file())
    kept = [path.read_text() for path in sorted(settings_file().parent.glob("settings.damaged*"))]
    assert sorted(kept) == ["first", "second"]


def test_where_nothing_can_be_written_nothing_is_remembered() -> None:
    settings_file().parent.parent.mkdir(parents=True)
    settings_file().parent.write_text("a file in the way")
    note(theme="light")
    assert Remembered(settings_file()).settings.theme is None


def test_without_a_file_nothing_is_read_or_written() -> None:
    settings = Remembered()
    settings.note(theme="light")
    settings.close()
    assert settings.settings.theme is None
    assert not settings_file().exists()


# A run as words


def test_a_run_is_written_as_words_and_read_again() -> None:
    loaded = last_run(find("perceptron"), WORDS)
    words = words_of(loaded)
    assert words is not None
    again = last_run(find("perceptron"), words)
    assert (again.recipe, in_words(again)) == (loaded.recipe, in_words(loaded))
    assert in_words(again) == "on blobs, epochs 7"
    assert words_of(LoadedRun.usual(find("perceptron"))) is None


def test_a_file_is_remembered_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.csv").write_text("a,b,c\n" + "".join(f"{i},{i * i},{'yn'[i % 2]}\n" for i in range(9)))
    words = words_of(last_run(find("perceptron"), "--data own.csv"))
    assert words == f"--data {tmp_path / 'own.csv'}"


# The screen


def about(pilot: Pilot[None]) -> str:
    """What the catalogue says of the current algorithm, "" before it is there."""
    return text(pilot, "#about") if pilot.app.screen.query("#about") else ""


async def test_keys_are_remembered() -> None:
    async with remembering().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("plus", "s", "2")
        await pilot.pause()
        pilot.app.action_look()  # type: ignore[attr-defined]
        rows = stage(pilot)._source_rows
    assert written() == {"speed": SPEEDS[3], "source": rows, "tab": 2, "theme": "light"}
    async with remembering("lloyd").run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        assert (stage(pilot).player.pace, stage(pilot)._source_rows) == (3, rows)
        assert stage(pilot).query_one(Column).section == 2
        assert pilot.app.theme == "iterscope-light"


@pytest.mark.parametrize(
    ("size", "rows"), [((160, 48), [7, 22, 0, 7]), ((80, 24), [0, 6, 0, 6]), ((80, 28), [0, 6, 10, 0])]
)
async def test_the_source_has_more_rows_and_none_and_the_usual_ones_in_turn(
    size: tuple[int, int], rows: list[int]
) -> None:
    async with remembering().run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        for number, expected in enumerate(rows):
            await until(pilot, lambda expected=expected: stage(pilot).query_one("#source").size.height == expected)  # type: ignore[misc]
            await pilot.press("s") if number < len(rows) - 1 else None


async def test_where_no_source_is_shown_none_is_chosen_unseen() -> None:
    async with remembering().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("F", "s")
        await until(pilot, lambda: "the source has no room in a hall" in text(pilot))
        await pilot.press("F")
        await until(pilot, lambda: stage(pilot).query_one("#source").size.height == 4)
    assert not settings_file().exists()


async def test_rows_of_the_source_that_were_chosen_in_a_large_terminal_leave_the_stage_room_in_a_small_one() -> None:
    note(source=28)
    async with remembering().run_test(size=(80, 24)) as pilot:
        await until(pilot, at(pilot, 0))
        await until(pilot, lambda: stage(pilot).query_one("#source").size.height == 6)
        assert stage(pilot).query_one(Stage).size.height >= 8


async def test_what_was_in_front_in_a_small_terminal_hides_nothing_in_a_large_one() -> None:
    note(tab=2)
    async with remembering().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        assert stage(pilot).query_one(Column).section == 0


async def choose_scaled(pilot: Pilot[None]) -> None:
    await pilot.press("d")
    await until(pilot, lambda: bool(pilot.app.screen.query("#d-scale")))
    select = pilot.app.screen.query_one("#d-scale", Select)
    select.value = not select.value
    pilot.app.screen.query_one("#recipes", OptionList).focus()
    await pilot.press("enter")
    await until(pilot, at(pilot, 0))


async def test_the_catalogue_opens_the_data_that_were_chosen_and_del_has_them_as_they_come() -> None:
    async with remembering().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await choose_scaled(pilot)
        chosen = stage(pilot).loaded.recipe
    assert chosen != LoadedRun.usual(find("perceptron")).recipe
    app = remembering(None)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: bool(pilot.app.screen.query("#about")))
        app.browse_algorithms("perceptron")
        await until(pilot, lambda: "as last time: --data" in about(pilot))
        await pilot.press("enter")
        await until(pilot, at(pilot, 0))
        assert stage(pilot).loaded.recipe == chosen
        assert "as last time, on " in stage(pilot).session.notice
        await pilot.press("a")
        await until(pilot, lambda: "as last time" in about(pilot))
        await pilot.press("delete")
        await until(pilot, lambda: "as last time" not in about(pilot) and bool(about(pilot)))
        await pilot.press("enter")
        await until(pilot, at(pilot, 0))
        assert stage(pilot).loaded.recipe == LoadedRun.usual(find("perceptron")).recipe
    assert written() == {}


async def test_data_that_are_gone_are_told_and_the_run_is_as_it_comes(tmp_path: Path) -> None:
    note_run("perceptron", f"--data {tmp_path / 'gone.csv'}")
    app = remembering(None)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: bool(pilot.app.screen.query("#about")))
        app.browse_algorithms("perceptron")
        await until(pilot, lambda: "as last time: --data" in about(pilot))
        await pilot.press("enter")
        await until(pilot, at(pilot, 0))
        assert "as it comes, not as last time: " in stage(pilot).session.notice


async def test_a_damaged_file_is_a_notice() -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("{")
    async with remembering().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        assert "kept as settings.damaged.json" in next(iter(pilot.app._notifications)).message


# Who does without


def test_words_win_and_clean_leaves_all_aside() -> None:
    note(theme="light", speed="most")
    assert _app(None).theme == "iterscope-light"
    assert _app(read("tui", ["perceptron"])).theme == "iterscope-light"
    assert _app(read("tui", ["perceptron", "--theme", "dark"])).theme == "iterscope-dark"
    clean = _app(read("tui", ["perceptron", "--clean"]))
    assert (clean.theme, clean.settings.path) == ("iterscope-dark", None)


async def test_a_name_on_the_command_line_opens_it_as_it_comes() -> None:
    note_run("perceptron", WORDS)
    async with _app(read("tui", ["perceptron", "--whole"])).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        assert stage(pilot).loaded.recipe == LoadedRun.usual(find("perceptron")).recipe


def test_visitors_have_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    note(theme="light")
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert _app(None).settings.path is None


async def test_a_lesson_neither_begins_with_settings_nor_changes_them() -> None:
    note(speed="most", tab=2)
    async with _app(read("tui", ["--lesson", "em"])).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: bool(pilot.app.screen.query("#lesson")))
        assert stage(pilot).player.pace == 2
        assert stage(pilot).query_one(Column).section != 2
        await pilot.press("plus")
        assert stage(pilot).remembered.path is None
    assert written() == {"speed": "most", "tab": 2}


def test_an_app_that_is_told_of_none_has_none() -> None:
    note(theme="light")
    assert IterscopeApp().theme == "iterscope-dark"
