"""A lesson on the screen: its moments by keys, from wherever one has wandered; its questions; both layouts."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from algorithms.lectures.lessons import Lesson, course, lesson_named, read_lesson
from algorithms.playback.lessons.checking import faults
from algorithms.playback.lessons.played import Played, played
from algorithms.playback.lessons.reader import Reader
from algorithms.playback.runs.request import read
from algorithms.timeline import Timeline
from tests.tui.lesson import LINES
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.screens.compare import CompareScreen
from tui.screens.lesson import LessonScreen
from tui.screens.lessons import ChooseLesson
from tui.screens.theorem import TheoremScreen
from tui.widgets.lesson_text import LessonText

SIZES = [(160, 48), (120, 36), (100, 30), (80, 24)]


def app(lesson: str = LINES) -> IterscopeApp:
    return IterscopeApp(lesson=read_lesson(lesson, "lines.md"))


def shown(pilot: Pilot[None]) -> LessonScreen:
    screen = pilot.app.screen
    assert isinstance(screen, LessonScreen)
    return screen


def words(pilot: Pilot[None]) -> str:
    """What the text says, on one line."""
    lines = text(pilot, "#lesson").replace("│", " ")
    return " ".join(lines.split())


async def reads(pilot: Pilot[None], *parts: str) -> None:
    await until(pilot, lambda: bool(pilot.app.screen.query("#lesson")) and all(p in words(pilot) for p in parts))


@pytest.mark.parametrize("size", SIZES)
async def test_a_question_is_answered_by_its_key_and_then_the_step_is_taken(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        await reads(pilot, "J is 16.00. Stuck soon.", "Does a row move now?", "1 yes", "2 no", "1 of 3")
        assert shown(pilot).player.t == 2
        assert "never rises" not in text(pilot)
        await pilot.press("1")
        await reads(pilot, "✗ 1 yes", "It was no nearer.", "✓ 2 no", "Each stays.", "So it ends.")
        assert shown(pilot).player.t == 3
        assert "holds here" in words(pilot) or size[0] < 100


async def test_what_comes_is_not_on_the_screen_before_it_is_answered() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await reads(pilot, "Does a row move now?")
        assert "A mean is dragged" not in words(pilot)
        await pilot.pause(0.5)
        assert shown(pilot).player.timeline.last == 2
        for key in ("right", "space", "r", "end", "n", "f", "p"):
            await pilot.press(key)
        await pilot.pause(0.2)
        assert shown(pilot).player.t == 2
        assert shown(pilot).player.timeline.last == 2
        await pilot.press("left", "left")
        await until(pilot, lambda: shown(pilot).player.t == 0)
        await pilot.press("right", "right", "right")
        await until(pilot, lambda: shown(pilot).player.t == 2)
        await pilot.press("5")
        await until(pilot, lambda: "the answers are 1 to 2" in shown(pilot).session.notice)
        await pilot.press("enter")
        await reads(pilot, "✓ 2 no", "A mean is dragged")
        assert "✗" not in words(pilot)
        assert "you" not in words(pilot)


async def test_moments_go_both_ways_and_an_answer_stays() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await reads(pilot, "Does a row move now?")
        await pilot.press("pagedown")  # as a clicker has it: the answer first
        await reads(pilot, "✓ 2 no")
        await pilot.press("pagedown")
        await reads(pilot, "2 A mean is dragged", "What will J be at the end?")
        assert shown(pilot).player.frame.state.means.tolist() == [[2.0, 0.0], [0.25, 1.0]]
        await pilot.press("pageup")
        await reads(pilot, "1 The start", "✓ 2 no")
        assert (shown(pilot).player.t, len(shown(pilot).session.branches.all)) == (3, 1)
        await pilot.press("pageup")
        await reads(pilot, "1 The start")


async def test_the_run_goes_on_where_it_stands_and_is_made_anew_where_it_went_elsewhere() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await reads(pilot, "Does a row move now?")
        run = shown(pilot).session.branches.root.timeline
        await pilot.press("2")
        await reads(pilot, "So it ends")
        await pilot.press("pagedown")
        await reads(pilot, "A mean is dragged")
        assert shown(pilot).session.branches.root.timeline is run
        further = run.last
        await pilot.press("pageup")
        await reads(pilot, "So it ends")
        again = shown(pilot).session.branches.root.timeline
        assert again is not run
        assert again.last == further == shown(pilot).player.t
        again.advance()  # as a reader does who plays it on
        await pilot.press("pagedown")
        await reads(pilot, "A mean is dragged")
        assert shown(pilot).session.branches.root.timeline is not again


async def test_a_number_is_typed_and_right_within_its_distance() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await reads(pilot, "Does a row move now?")
        await pilot.press("2", "pagedown")
        await reads(pilot, "What will J be at the end?")
        await pilot.press(*"1.2", "enter")
        await reads(pilot, "✓ you: 1.2", "it is 1")
        assert shown(pilot).player.timeline.stopped is not None
        await pilot.press("pagedown")
        await reads(pilot, "It ends at 1.")


@pytest.mark.parametrize(("typed", "said"), [("7", ("✗ you: 7", "it is 1")), ("", ("it is 1",))])
async def test_a_wrong_number_or_none_is_told(typed: str, said: tuple[str, ...]) -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await reads(pilot, "Does a row move now?")
        await pilot.press("2", "pagedown")
        await reads(pilot, "What will J be at the end?")
        await pilot.press("x", "enter")
        await until(pilot, lambda: "x is no number" in shown(pilot).session.notice)
        await pilot.press("backspace", *typed, "enter")
        await reads(pilot, *said)


async def test_the_next_moment_comes_from_wherever_one_has_wandered() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await reads(pilot, "Does a row move now?")
        await pilot.press("2")
        await reads(pilot, "✓ 2 no")
        await pilot.press("left", "f")
        await until(pilot, lambda: pilot.app.screen is not None and not isinstance(pilot.app.screen, LessonScreen))
        await pilot.press("escape", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        await pilot.press("pagedown")
        await reads(pilot, "2 A mean is dragged")
        pilot.app.watch_run(shown(pilot).loaded)  # type: ignore[attr-defined]
        await until(pilot, lambda: not isinstance(pilot.app.screen, LessonScreen))
        await pilot.press("pageup")
        await reads(pilot, "1 The start", "✓ 2 no")


async def test_the_next_moment_leaves_a_form_whose_run_is_seen_and_a_comparison() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await reads(pilot, "Does a row move now?")
        await pilot.press("2")
        await reads(pilot, "✓ 2 no")
        stage = shown(pilot)
        await pilot.press("f", *"4")  # k = 4 is seen behind the form
        await until(pilot, lambda: stage._tried is not None)
        await pilot.press("pagedown")
        await reads(pilot, "2 A mean is dragged")
        assert stage._tried is None
        assert stage.player is stage.session.player
        await pilot.press("enter")
        await reads(pilot, "2 A mean is dragged", "J ")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await pilot.press("pageup")
        await reads(pilot, "1 The start")
        await pilot.pause(0.2)
        assert stage.session.side_by_side.together is None
        assert stage.session.side_by_side.sessions == [stage.session]


@pytest.mark.parametrize("size", SIZES)
async def test_the_hall_has_no_text_but_the_question(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        await reads(pilot, "Does a row move now?")
        await pilot.press("F")
        await until(pilot, lambda: shown(pilot).lecturing)
        assert "never rises" not in text(pilot)
        await reads(pilot, "1 yes", "2 no")
        assert "1 of 3" in text(pilot, "#keys")
        await pilot.press("2")
        await until(pilot, lambda: "never rises" in text(pilot, "#big"))
        assert not shown(pilot).query_one("#reading").display
        assert shown(pilot).lecturing
        await pilot.press("F")
        await reads(pilot, "✓ 2 no")


async def test_leaving_asks_nothing_though_a_lesson_has_forks() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await reads(pilot, "Does a row move now?")
        await pilot.press("2", "pagedown")
        await reads(pilot, "2 A mean is dragged")
        assert len(shown(pilot).session.branches.all) == 2
        assert shown(pilot).session.unsaved == ""


async def test_the_list_of_lessons_begins_one() -> None:
    async with IterscopeApp(lessons=True).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, ChooseLesson))
        await pilot.press("enter")
        first = lesson_named(course()[0])
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        await reads(pilot, f"1 of {len(first.moments)}")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChooseLesson))
        await pilot.press("escape")
        await reads(pilot, f"1 of {len(first.moments)}")


async def test_a_moment_that_cannot_be_had_is_told_and_the_one_before_stays() -> None:
    async with app(LINES.replace("edit means[1,0]", "edit means[7,0]")).run_test(size=(120, 36)) as pilot:
        await reads(pilot, "Does a row move now?")
        await pilot.press("2")
        await reads(pilot, "✓ 2 no")
        await pilot.press("pagedown")
        await until(pilot, lambda: any("means has no such entry" in str(n.message) for n in pilot.app._notifications))
        await reads(pilot, "1 The start")


def test_a_command_line_names_a_lesson(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.md"
    file.write_text(LINES, "utf-8")
    assert (lesson := read("iterscope", ["--lesson", str(file)]).lesson) is not None
    assert lesson.title == "Two lines"
    assert read("iterscope", ["--lessons"]).lessons
    for wrong, said in ((["--lesson", "nothing"], "there is no lesson"), (["lloyd", "--lesson", "em"], "its own runs")):
        with pytest.raises(SystemExit):
            read("iterscope", wrong)
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", course())
async def test_what_a_lesson_says_is_so_and_all_on_the_screen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shown at each size where more is said than at the moments before: what takes fewer rows has room there too. The
    screen has the runs that were checked, each made once."""
    lesson = lesson_named(name)
    longest = max(lesson.moments, key=lambda moment: len(str(moment.paragraphs)))
    checked: dict[tuple[int, bool], Played] = {}
    most: dict[tuple[object, ...], tuple[int, int, int]] = {}  # columns of the text, its rows, and letters of the title

    def kept(lesson: Lesson, index: int, answered: bool = False, **how: Any) -> Played:
        shown = played(lesson, index, answered=answered, **how)
        return shown if how.get("turned") else checked.setdefault((index, answered), shown)

    monkeypatch.setattr("algorithms.playback.lessons.checking.played", kept)
    assert list(faults(lesson)) == []
    again = "algorithms.playback.lessons.reader.played"
    monkeypatch.setattr(again, lambda lesson, index, answered, **how: checked[index, answered])
    monkeypatch.setattr(Timeline, "veil", lambda run, after: None)  # a moment shows what the next one goes on from
    async with IterscopeApp(lesson=lesson).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        reader: Reader = pilot.app.reader  # type: ignore[attr-defined]
        for _ in range(len(lesson.moments) + sum(moment.ask is not None for moment in lesson.moments)):
            here, title = pilot.app.size, reader.moment.title
            await reads(pilot, f"{reader.index + 1} of {len(lesson.moments)}")
            await pilot.pause()  # runs side by side, or a sweep, come over the run
            roomy = [(120, 36)] if reader.moment is longest else []  # where there is more room than at 100x30
            for size in sorted([(100, 30), (80, 24), *roomy], key=lambda size: size != here):
                screen = pilot.app.screen
                kind = type(screen), reader.asking is not None and reader.asking.number is not None, size
                columns, rows, letters = most.get(kind, (0, 0, 0))
                wanted = screen.query_one(LessonText).rows_for(columns) if columns else 1
                if size != here and wanted <= rows and len(title) <= letters:
                    continue
                await pilot.resize_terminal(*size)
                await until(pilot, lambda: pilot.app.screen.query_one("#keys").region.bottom == size[1])  # noqa: B023
                await until(pilot, lambda: _whole(pilot))
                assert title in words(pilot)  # nowhere cut
                view = pilot.app.screen.query_one(LessonText)
                rows = max(rows, view.rows_for(view.size.width))
                most[kind] = view.size.width, rows, max(letters, len(title))
            await pilot.press("pagedown")


def _whole(pilot: Pilot[None]) -> bool:
    """Whether the text has the rows that it wants."""
    view = pilot.app.screen.query_one("#lesson")  # of the run, of runs side by side or of a sweep
    return view.size.height >= view.rows_for(view.size.width)  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", SIZES)
async def test_a_hall_reads_the_reply_to_a_wrong_answer_until_the_run_goes_on(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        await reads(pilot, "Does a row move now?")
        await pilot.press("F")
        await until(pilot, lambda: shown(pilot).lecturing)
        await pilot.press("1")
        await reads(pilot, "✗ 1 yes", "It was no nearer.", "✓ 2 no", "Each stays.")
        await until(pilot, lambda: bool(shown(pilot).query_one("#reading").display) and _whole(pilot))
        assert not shown(pilot).query_one("#big").display
        await pilot.press("left")
        await until(pilot, lambda: not shown(pilot).query_one("#reading").display)
        await until(pilot, lambda: "never rises" in text(pilot, "#big"))
        await pilot.press("right")
        await until(pilot, lambda: bool(shown(pilot).query_one("#reading").display))
        await pilot.press("pagedown")
        await reads(pilot, "2 A mean is dragged", "What will J be at the end?")
