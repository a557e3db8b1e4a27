"""The lines below the stage: a notice is the answer to a key, so it is the last thing to be cut."""

import pytest
from textual.app import App, ComposeResult

from tests.tui.pilot import text, until
from tui.paint.text import hung, typeset
from tui.widgets.narration import Narration, in_sentences

LONG = "They differ first at step 9: w[0] is 0.57523 in the one, 0.3174 in the other, and so do many more of them."


PAIR = (  # of the SMO on moons: 213 characters, four lines of 72
    "Row 79 (x1 -0.9163, x2 0.03122) asks for b >= -0.00392, row 38 (x1 0.005258, x2 0.9649) for b <= -0.00627: "
    "both cannot be. α goes 0.028 → 0.0265 and 0.224 → 0.225; now both ask for the same b. W rises by 1.77e-06."
)


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


async def test_a_sentence_of_four_hanging_lines_is_whole_on_three() -> None:
    async with Shown().run_test(size=(80, 24)) as pilot:
        narration = pilot.app.screen.query_one(Narration)
        narration.styles.height = 3
        narration.show("free", "no bound stops the step", PAIR)
        await until(pilot, lambda: "Row 79" in text(pilot, "#narration"))
        await until(pilot, lambda: " ".join(text(pilot, "#narration").split()) == f"free {typeset(PAIR)}")
        assert all(len(line.rstrip()) < 80 for line in text(pilot, "#narration").splitlines())


def test_what_fits_hangs_below_its_beginning_and_what_fits_nowhere_ends_in_an_ellipsis() -> None:
    assert hung("one two three", 6, 15, 3) == [(6, "one two"), (6, "three")]
    assert hung("one two three four", 6, 15, 2) == [(6, "one two"), (1, "three four")]
    assert hung("one two three four five six seven", 6, 15, 2) == [(6, "one two"), (1, "three four f…")]
    assert hung("one two", 6, 12, 1) == [(6, "one…")]
    assert hung("one", 6, 10, 0) == []


def test_of_too_many_sentences_the_whole_ones_are_kept_that_fit() -> None:
    words = "Row 3 is wrong. It moves w. Now f is 0.25. Wrong rows: 6."
    assert in_sentences(words, 6, 40, 2) == [(6, "Row 3 is wrong. It moves w. Now f"), (6, "is 0.25. Wrong rows: 6.")]
    assert in_sentences(words, 6, 32, 2) == [(6, "Row 3 is wrong. It moves"), (6, "w. Now f is 0.25. …")]
    assert in_sentences("One sentence that is long.", 6, 20, 1) == [(6, "One sentence…")]
    assert in_sentences("", 6, 20, 1) == []
