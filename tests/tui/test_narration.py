"""The lines below the stage: a notice is the answer to a key, so it is the last thing to be cut."""

import pytest
from textual.app import App, ComposeResult

from tests.tui.pilot import text, until
from tui.widgets.narration import Narration

LONG = "They differ first at step 9: w[0] is 0.57523 in the one, 0.3174 in the other, and so do many more of them."


class Shown(App[None]):
    def compose(self) -> ComposeResult:
        yield Narration(id="narration")


@pytest.mark.parametrize(("notice", "words"), [("saved", True), (LONG, False), (LONG * 3, False)])
async def test_a_notice_has_all_the_lines_where_it_needs_them(notice: str, words: bool) -> None:
    async with Shown().run_test(size=(80, 24)) as pilot:
        narration = pilot.app.screen.query_one(Narration)
        narration.show("step", "what a step is", "Row 3 moves.", notice=notice)
        await until(pilot, lambda: notice[:30] in text(pilot, "#narration"))
        shown = " ".join(text(pilot, "#narration").split())
        assert ("Row 3 moves." in shown) is words
        assert "step" in shown
        if notice == LONG * 3:
            assert shown.endswith("…")
        else:
            assert notice in shown
