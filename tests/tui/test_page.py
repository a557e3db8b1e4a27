"""A run as a page for browsers: what is packed in it is what the terminal shows, and nothing of it is markup."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp
from rich.console import Console
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, OptionList

from algorithms import Refused, datasets, find
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.examples import examples
from tests.text.hostile import STEERS
from tests.tiny import Rows
from tests.tui.page import SIZE, document, forked_page, hostile, screens, text, tiny, without_keys, written
from tests.tui.pilot import at, stage, text as text_on, until, worked_out
from tests.tui.slow import SLOW
from tui.app import IterscopeApp
from tui.export.page import Step, Words, page
from tui.headless import write_page
from tui.paint.cells import Cells
from tui.screens.export import KINDS, ExportDialog
from tui.screens.stage import StageScreen

# Packing

_glyphs = st.sampled_from([ord(" "), ord("a"), ord("●"), ord("⠿"), ord("▀"), 0xFFFD, 0x1F642])
_styles = st.sampled_from([0xFF0000 << 24, (1 << 48) | 0x00FF00, 7])
_steps = st.tuples(
    hnp.arrays(np.uint32, (4, 9), elements=_glyphs),
    hnp.arrays(np.int64, (4, 9), elements=_styles),
    hnp.arrays(np.int64, (4, 9), elements=_styles),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 7)), max_size=4),
)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(_steps, min_size=1, max_size=5))
def test_what_is_packed_is_what_there_was(drawn: list[Any]) -> None:
    steps = []
    for t, (glyphs, dark, light, wide) in enumerate(drawn):
        light = light & ~(1 << 48) | dark & 1 << 48  # bold in both or in none
        for row, column in wide:
            if 0 not in glyphs[row, max(column - 1, 0) : column + 3]:
                glyphs[row, column : column + 2] = ord("語"), 0
        steps.append(Step(Cells(glyphs, dark), Cells(glyphs, light), Words(t, 0, "", (), "", ())))
    file = BytesIO()
    shares = list(page([("a", lambda: ((t / 5, step) for t, step in enumerate(steps)))], "t")(file))
    assert len(shares) == len(steps)
    found = screens(document(file.getvalue()))
    assert len(found) == len(steps)
    for step, looks in zip(steps, found):
        for cells, (glyphs, styles) in zip((step.dark, step.light), looks):
            np.testing.assert_array_equal(glyphs, cells.glyphs)
            np.testing.assert_array_equal(styles, cells.styles)


def test_a_terminal_that_changes_its_size_meanwhile_is_said() -> None:
    def cells(rows: int) -> Cells:
        return Cells(np.full((rows, 5), ord("a"), np.uint32), np.zeros((rows, 5), np.int64))

    said = Words(0, 0, "", (), "", ())
    steps = [(0.5, Step(cells(3), cells(3), said)), (1.0, Step(cells(2), cells(2), said))]
    with pytest.raises(Refused, match="changed its size"):
        list(page([("a", lambda: iter(steps))], "t")(BytesIO()))


# What the terminal shows


async def test_a_page_shows_what_the_terminal_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the dark and in the light, at every step, with all its colours; but for the row of keys, which are others."""
    monkeypatch.chdir(tmp_path)
    for look in ("dark", "light"):
        app = IterscopeApp(tiny(steps=6), look=look)
        app.console = Console(color_system="truecolor", force_terminal=True)
        async with app.run_test(size=SIZE) as pilot:
            await worked_out(pilot)
            for t in (*range(7), 3):  # tables keep the rows that they had at the steps that were seen
                await seen(pilot, t)
            if look == "dark":
                await pilot.press("e", "end", "up", "up")
                await pilot.press("enter")
                await until(
                    pilot,
                    lambda: bool(pilot.app.screen.query("#narration")) and "written: " in text_on(pilot, "#narration"),
                )
                assert stage(pilot).player.t == 3, "the screen is where it was"
                assert app.theme == "iterscope-dark"
                held = document((tmp_path / "tiny-two-rows.html").read_bytes())
                shown = screens(held)
                assert [step[0] for step in held["steps"]] == [0, 1, 2, 3]
            for t in range(4):
                cells = await seen(pilot, t)
                glyphs, styles = shown[t][look == "light"]
                np.testing.assert_array_equal(glyphs, cells.glyphs[:-1])
                np.testing.assert_array_equal(styles, cells.styles[:-1])


async def test_a_page_has_no_keys_that_do_nothing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As "1 curves", "x: 1 of 4", "Try next: T ..." and how fast it plays do; the terminal has them again."""
    monkeypatch.chdir(tmp_path)
    run = LoadedRun.checked(find("lloyd"), datasets.faithful, {"k": 3})
    async with IterscopeApp(run).run_test(size=(120, 36)) as pilot:
        await pilot.press("end")
        await until(pilot, lambda: "Try next: T" in text_on(pilot, "#narration"))
        live = stage(pilot).cells_now().text
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExportDialog))
        pilot.app.screen.query_one("#kinds", OptionList).highlighted = [kind.suffix for kind in KINDS].index(".html")
        await pilot.pause()
        pilot.app.screen.query_one("#file", Input).value = "lloyd.html"
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / "lloyd.html").exists() and stage_is_back(pilot))
        (dark, light) = screens(document((tmp_path / "lloyd.html").read_bytes()))[-1]
        page = "\n".join(text(dark))
        for words, without in (("1 curves", "curves"), ("x: 1 of 2", "1 of 2"), ("4 steps/s", "iteration"), ("U ", "")):
            assert words in live
            assert words not in page
            assert without in page
        assert "Try next" not in page
        assert find("lloyd").leaves_open.split()[0] in page
        await until(pilot, lambda: "4 steps/s" in text_on(pilot, "#header"))
        assert "1 curves" in stage(pilot).cells_now().text


def stage_is_back(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, StageScreen)


async def seen(pilot: Pilot[None], t: int) -> Cells:
    """The cells of the terminal at a step, without the keys that it writes."""
    screen = stage(pilot)
    screen.player.seek(t)
    screen.act()
    screen.session.forget_notice()
    screen.redraw()
    await until(pilot, at(pilot, t))
    return without_keys(screen)


async def test_a_page_has_the_forks_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = (await forked_page(tmp_path, monkeypatch)).read_bytes()
    held = [document(made, which) for which in (0, 1)]
    assert [one["name"] for one in held] == ["first run", "larger steps"]
    assert [[step[0] for step in one["steps"]] for one in held] == [list(range(11)), list(range(13))]
    sentences = [[one["sentences"][step[4]] for step in one["steps"]] for one in held]
    assert sentences[0][:6] == sentences[1][:6]
    assert sentences[0][6] == "x is 1.049 now."
    assert sentences[1][6] == "x is 0.524 now."
    assert all("larger steps" in "\n".join(text(dark)) for dark, _ in screens(held[1]))


def test_a_page_has_the_words_of_each_step(tmp_path: Path) -> None:
    held = document(written(tmp_path, tiny(steps=7)))
    steps = held["steps"]
    assert [(t, iteration) for t, iteration, *_ in steps] == [(t, int(t >= 5)) for t in range(8)]
    assert [held["phases"][step[2]] for step in steps] == ["start", *["step"] * 4, "kick", "step", "step"]
    assert [[held["events"][event] for event in step[3]] for step in steps] == [[]] * 5 + [["a kick"]] + [[]] * 2
    assert held["sentences"][steps[1][4]] == "x is 3.200 now."
    assert held["sentences"][steps[7][4]] == "The end: 7 steps. x is 0.839 now."
    statement, stands = held["verdicts"][steps[1][5][0]]
    assert held["statements"][statement] == "f never rises for η ≤ 1"
    assert stands == "holds: f = 10.24 ≤ before = 16"
    assert held["title"] == "Tiny descent, two rows"


@pytest.mark.parametrize("name", ["gradient_descent", "gaussian_mixture"])
async def test_nothing_but_what_happens_moves_as_one_steps(name: str) -> None:
    """Axes and tables have the room at the first step that they come to need: seen again, each step is as it was."""
    app = IterscopeApp(LoadedRun.usual(find(name)))
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, StageScreen) and app.screen.player.timeline.last >= 8)
        await app.push_screen(Screen())  # behind it the clock of the run stands
        screen = app.screen_stack[-2]
        assert isinstance(screen, StageScreen)
        ((_, steps),) = screen.runs_of_page(0, 8)
        first, again = ([step for _, step in steps() if step] for _ in range(2))
        assert len(first) == 9
        assert [step.dark.text for step in first] == [step.dark.text for step in again]
        for step in first:  # the page has them once
            np.testing.assert_array_equal(step.dark.glyphs, step.light.glyphs)


def test_a_terminal_of_few_colours_gives_a_page_with_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = {"TERM": "xterm", "COLORTERM": ""}, {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    pages = []
    for names in (few, many):
        for name, value in names.items():
            monkeypatch.setenv(name, value)
        pages.append(written(tmp_path, tiny(steps=3)))
    assert pages[0] == pages[1]


def test_a_run_that_is_made_in_a_thread_is_a_page_too(tmp_path: Path) -> None:
    held = document(written(tmp_path, LoadedRun.checked(SLOW, Rows(), {}), steps=5))
    assert [held["sentences"][step[4]] for step in held["steps"]][4:] == ["x is 1.638 now.", "x is 1.311 now."]
    assert ["step 5 of 5" in text(dark)[0] for dark, _ in screens(held)] == [False] * 5 + [True]


# What it may not do


def test_hostile_words_are_text_and_nothing_else(tmp_path: Path) -> None:
    usual, made = written(tmp_path, tiny(steps=3)), written(tmp_path, hostile(), steps=6)
    held = document(made)
    assert b"<" not in made.partition(b'id="data">')[2].partition(b"</script>")[0]
    frames = [re.sub(rb'(id="data">)[^<]*', rb"\1", each) for each in (usual, made)]
    assert frames[0] == frames[1], "but for what is packed, all pages are the same"
    assert "<img src=x onerror=alert(1)> </script>" in held["title"]
    said = [held["title"], *held["sentences"], *held["phases"], *held["events"], *held["statements"]]
    said += [stands for _, stands in held["verdicts"]]
    said += ["\n".join(text(dark)).replace("\n", " ") for dark, _ in screens(held)]
    assert not [words for words in said if STEERS.search(words)]


def test_the_policy_lets_nothing_in(tmp_path: Path) -> None:
    made = written(tmp_path, tiny(steps=1)).decode()
    policy = re.search('Content-Security-Policy" content="([^"]*)"', made)
    assert policy is not None
    kinds = dict(part.split(" ", 1) for part in policy[1].split("; "))
    assert kinds.pop("script-src").startswith("'sha256-")
    assert kinds.pop("style-src").startswith("'sha256-")
    assert kinds == {
        "default-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


# Sizes and refusals


@pytest.mark.parametrize(("name", "n", "each"), [("perceptron", 30, 250), ("multilayer_perceptron", 15, 1300)])
def test_a_page_is_small(tmp_path: Path, name: str, n: int, each: int) -> None:
    """Most of it is the first screen; steps add what changes."""
    run = LoadedRun.usual(find(name))
    short, long = (len(written(tmp_path, run, steps=steps, size=(120, 36))) for steps in (1, n + 1))
    assert short < 45_000
    assert long - short < n * each


@pytest.mark.soak
@pytest.mark.parametrize("name", ["multilayer_perceptron", "stochastic_gradient", "logistic_regression"])
def test_a_thousand_steps_are_at_most_six_hundred_kilobytes(tmp_path: Path, name: str) -> None:
    assert len(written(tmp_path, LoadedRun.usual(find(name)), steps=999, size=(120, 36))) < 600_000


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"steps": 1000}, "1,000 steps at most"),
        ({"size": (79, 24)}, "79x24 cells will not do: it takes 80x24 to"),
        ({"size": (120, 1000)}, "120x1000 cells will not do"),
    ],
)
def test_what_is_too_large_is_refused(tmp_path: Path, given: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused, match=said):
        written(tmp_path, tiny(), **given)
    assert list(tmp_path.iterdir()) == []


def test_a_page_that_is_there_is_not_replaced_unasked(tmp_path: Path) -> None:
    path = tmp_path / "mine.html"
    path.write_text("mine")
    with pytest.raises(Refused, match="is there already"):
        write_page(tiny(), path, steps=2)
    assert path.read_text() == "mine"
