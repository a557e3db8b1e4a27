"""Key e in the comparison: all runs, step by step, as one page for browsers."""

import asyncio
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from textual.widgets import Input, OptionList

from algorithms import Opening
from tests.tui.compare.pilot import at, clusterings, screen, tinies, tiny, worked_out
from tests.tui.page import document, screens, without_keys
from tests.tui.pilot import text, until
from tui.headless import write_page
from tui.screens.compare import CompareScreen
from tui.screens.export import ExportDialog


async def test_all_runs_step_together_in_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = tinies(tiny(eta=0.3, steps=4), steps=8)
    app.console = Console(color_system="truecolor", force_terminal=True)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await worked_out(pilot)
        await pilot.press("end")
        await until(pilot, at(pilot, 8, 4))
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        listed = app.screen.query_one("#kinds", OptionList)
        listed.highlighted = 3
        await pilot.pause()
        for field, value in (("#file", "both.html"), ("#first", "3"), ("#last", "6")):
            app.screen.query_one(field, Input).value = value
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen) and "written: both" in text(pilot, "#stories"))
        held = document((tmp_path / "both.html").read_bytes())
        assert held["unit"] == "step"
        assert [step[0] for step in held["steps"]] == [3, 4, 5, 6]
        assert [[held["events"][event] for event in step[3]] for step in held["steps"]] == [[], [], ["A: a kick"], []]
        said = [held["sentences"][step[4]] for step in held["steps"]]
        assert said[0] == "A, step 3: x is 2.048 now. B, step 3: x is 0.256 now."
        assert said[3].endswith("B, step 4: The end: 4 steps. x is 0.102 now.")
        statements = [held["statements"][statement] for statement, _ in held["verdicts"]]
        assert {name[:3] for name in statements} == {"A, ", "B, "}
        await pilot.press("home", "right", "right", "right")
        await until(pilot, at(pilot, 3, 3))
        screen(pilot).session.forget_notice()
        cells = without_keys(screen(pilot))
        glyphs, styles = screens(held)[0][0]
        np.testing.assert_array_equal(glyphs, cells.glyphs[:-1])
        np.testing.assert_array_equal(styles, cells.styles[:-1])


async def test_a_session_that_compares_is_a_page_of_the_comparison(tmp_path: Path) -> None:
    saved, path = tmp_path / "both.json", tmp_path / "both.html"
    async with clusterings().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await worked_out(pilot)  # of a session there is what it had
        await pilot.press(*["right"] * 4)
        await until(pilot, at(pilot, 4, 4))
        screen(pilot).note_look()
        assert screen(pilot).session.save(saved, {})
    last = await asyncio.to_thread(write_page, Opening(saved), path, steps=12, size=(80, 24))
    held = document(path.read_bytes())
    assert last == 12, "the second run goes on where the first has ended"
    assert [step[0] for step in held["steps"]] == list(range(13))
    said = held["sentences"][held["steps"][3][4]]
    assert said.startswith("A, step 3: ")
    assert " B, step 3: " in said
    assert "Gaussian mixture" in held["title"]
