"""The lecturer's screen in a real browser: as it changes, a step back by oneself, and back to the lecturer.

Skipped where there is no Chromium (`apt-get install chromium`).
"""

from collections.abc import Iterator

import pytest

from tests.classroom.viewer import screen
from tests.text.hostile import PAYLOADS
from tests.tui.browser import Browser, program
from tests.tui.page import FOR_BROWSERS
from tui.classroom.broadcast import Broadcast

pytestmark = pytest.mark.skipif(program() is None, reason="there is no Chromium here: apt-get install chromium")

TEXT = "frames[t].map((row) => String.fromCodePoint(...row.glyphs.filter(Boolean)).trimEnd()).join('\\n').trimEnd()"
LINES = "[...layer.children].map((line) => line.textContent.trimEnd()).join('\\n').trimEnd()"
WHERE = "byId('where').textContent"


@pytest.fixture
def lecture() -> Iterator[Broadcast]:
    """A broadcast that shows its first step."""
    made = Broadcast("127.0.0.1", 0)
    made.start()
    made.show(screen("step 0"), "1 0")
    yield made
    made.stop()


@pytest.fixture
def tab(browser: Browser, lecture: Broadcast) -> Iterator[Browser]:
    """The page at the link; in the end nothing was reported, and it asked for nothing but its screens."""
    browser.resize()
    browser.ask("Page.navigate", url="about:blank")
    browser.heard.clear()
    browser.ask("Page.navigate", url=lecture.link)
    browser.until("document.readyState === 'complete' && typeof shown !== 'undefined' && shown.length > 0")
    yield browser
    asked = [h["params"]["request"]["url"] for h in browser.heard if h["method"] == "Network.requestWillBeSent"]
    assert set(asked) <= {lecture.link, f"{lecture.link}screens"}
    assert [h for h in browser.heard if h["method"] != "Network.requestWillBeSent"] == []
    browser.ask("Page.navigate", url="about:blank")


def go_on(tab: Browser, lecture: Broadcast, first: int, last: int) -> None:
    """Show some steps, each once the page has the one before, and each in two pictures."""
    for step in range(first, last + 1):
        for words in ("", " with its curves"):
            lecture.show(screen(f"step {step}{words}"), f"1 {step}")
            tab.until(f"frames.at(-1)[0].glyphs.length && places.at(-1) === '1 {step}'")
        tab.until(f"frames.length === {2 * step + 1}")


def test_it_goes_with_the_lecturer_cell_by_cell(tab: Browser, lecture: Broadcast) -> None:
    for i in range(1, 6):
        shown = screen(f"step {i}", "●▲■ ─│ 宽字符", ink=0xFF00FF - i, size=(40 + i, 8))
        lecture.show(shown, f"1 {i}")
        tab.until(f"places.at(-1) === '1 {i}' && t === frames.length - 1 && run.size[0] === {40 + i}")
        assert tab.value(TEXT) == shown.text.rstrip()
        assert tab.value("canvas.width") == tab.value("w * run.size[0]")
        style = int(shown.styles[0, 0])
        inks = [f"#{style >> 24 & 0xFFFFFF:06x}", f"#{style & 0xFFFFFF:06x}"]
        assert tab.value("run.palette[frames[t][0].styles[0]]")[:2] == inks
    tab.until(f"{LINES}.startsWith('step 5\\n')")
    assert tab.value(WHERE) == "With the lecturer."


def test_a_step_back_by_oneself_and_to_the_lecturer_again(tab: Browser, lecture: Broadcast) -> None:
    go_on(tab, lecture, 1, 5)
    tab.press("ArrowLeft", "ArrowLeft")
    assert tab.value(TEXT) == "step 3 with its curves", "a step's last picture"
    assert tab.value(WHERE) == "2 steps back."
    go_on(tab, lecture, 6, 7)
    assert tab.value(TEXT) == "step 3 with its curves", "it stays while the lecturer goes on"
    assert tab.value(WHERE) == "4 steps back."
    tab.press("Shift+ArrowLeft")
    assert tab.value(TEXT) == "step 3"
    tab.press("ArrowRight")
    assert tab.value(TEXT) == "step 4 with its curves"
    tab.press("End")
    assert tab.value(TEXT) == "step 7 with its curves"
    go_on(tab, lecture, 8, 8)
    tab.until(f"{TEXT} === 'step 8 with its curves'")
    assert tab.value(WHERE) == "With the lecturer."
    tab.press("Home")
    assert tab.value(TEXT) == "step 0"
    tab.press("ArrowLeft")
    assert tab.value(TEXT) == "step 0"
    tab.press(*["ArrowRight"] * 9)
    assert tab.value(WHERE) == "With the lecturer.", "on past the newest is with the lecturer"


def test_its_buttons_do_the_same(tab: Browser, lecture: Broadcast) -> None:
    go_on(tab, lecture, 1, 3)
    tab.value("byId('back').click()")
    assert tab.value(TEXT) == "step 2 with its curves"
    assert tab.value("byId('live').disabled") is False
    tab.value("byId('back').click()")
    tab.value("byId('on').click()")
    assert tab.value(TEXT) == "step 2 with its curves"
    tab.value("byId('live').click()")
    assert tab.value(f"[{WHERE}, byId('live').disabled]") == ["With the lecturer.", True]


def test_the_canvas_shows_what_is_gone_back_to(tab: Browser, lecture: Broadcast) -> None:
    lecture.show(screen("x" * 200, "y" * 200, size=(200, 20)), "1 1")
    tab.until("run.size[0] === 200 && shown.length === 20")
    tab.press("ArrowLeft")
    tab.until("run.size[0] === 40 && shown.length === 6 && shown.every((row, r) => row === frames[t][r])")
    assert tab.value("canvas.height") == tab.value("6 * h")


def test_hostile_words_run_nothing(tab: Browser, lecture: Broadcast) -> None:
    for i, words in enumerate((*PAYLOADS, *FOR_BROWSERS)):
        lecture.show(screen(f"{i}", words, size=(120, 4)), words)
        tab.until(f"{TEXT}.startsWith('{i}\\n') || {TEXT} === '{i}'")
    tab.until("layer.childElementCount === 4")
    assert tab.value("document.querySelectorAll('img, svg').length") == 0
    assert tab.value("document.querySelectorAll('script').length") == 1


def test_an_end_is_told_and_what_came_can_still_be_gone_through(browser: Browser, lecture: Broadcast) -> None:
    browser.ask("Page.navigate", url=lecture.link)
    browser.until("typeof shown !== 'undefined' && shown.length > 0")
    go_on(browser, lecture, 1, 2)
    lecture.stop()
    browser.until(f"{WHERE}.includes('not reached')")
    browser.press("ArrowLeft")
    assert browser.value(TEXT) == "step 1 with its curves"
    browser.ask("Page.navigate", url="about:blank")


def test_so_many_screens_are_kept_and_no_more(tab: Browser, lecture: Broadcast) -> None:
    tab.value("void (function () { for (let i = 0; i < MOST + 5; i++) take({ whole: false, place: `x${i}`, "
              "size: run.size, rows: [] }); })()")  # fmt: skip
    assert tab.value("[frames.length, places.length, sizes.length, t]") == [2000, 2000, 2000, 1999]
    tab.press("Home")
    assert tab.value("places[t]") == "x5"
    tab.value("take({ whole: false, place: 'last', size: run.size, rows: [] })")
    assert tab.value("[places[t], t]") == ["x6", 0]


@pytest.mark.parametrize(
    ("hole", "directive"),
    [
        ("document.body.innerHTML = '<b>'", "require-trusted-types-for"),
        ("fetch('http://localhost:9/').catch(() => 0)", "connect-src"),
        ("(new Image()).src = 'http://localhost:9/'", "img-src"),
    ],
)
def test_a_hole_that_is_planted_is_refused(browser: Browser, lecture: Broadcast, hole: str, directive: str) -> None:
    browser.ask("Page.navigate", url=lecture.link)
    browser.until("typeof shown !== 'undefined' && shown.length > 0")
    browser.heard.clear()
    browser.value(f"(() => {{ try {{ {hole}; }} catch {{}} }})()")
    browser.until("true")
    issues = [h["params"]["issue"]["details"] for h in browser.heard if h["method"] == "Audits.issueAdded"]
    assert {i["contentSecurityPolicyIssueDetails"]["violatedDirective"] for i in issues} == {directive}
    browser.ask("Page.navigate", url="about:blank")
