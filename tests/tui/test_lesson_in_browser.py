"""The page of a lesson in a real browser: moments, questions, a handout, and no script but its own.

Skipped where there is no Chromium (`apt-get install chromium`).
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from algorithms.lectures.lessons import read_lesson
from tests.tui.browser import Browser, program
from tests.tui.lesson import LINES, hostile
from tui.lesson_page import write_lesson

pytestmark = pytest.mark.skipif(program() is None, reason="there is no Chromium here: apt-get install chromium")

STEP = "run.steps[t][0]"
TITLE = "byId('lesson').querySelector('h2').textContent"
ASKED = "byId('lesson').querySelector('.ask').textContent"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lesson") / "lines.html"
    write_lesson(read_lesson(LINES, "lines.md"), path, size=(80, 24))
    return path


@pytest.fixture
def tab(browser: Browser, page: Path) -> Iterator[Browser]:
    """The lesson, opened; in the end it has asked for nothing but itself, and nothing was reported."""
    browser.open(page)
    yield browser
    assert quiet(browser, page)


def quiet(browser: Browser, page: Path) -> bool:
    """Whether it has asked for itself alone, and reported nothing."""
    asked = [h["params"]["request"]["url"] for h in browser.heard if h["method"] == "Network.requestWillBeSent"]
    return len(asked) == len(browser.heard) and all(url.startswith(page.as_uri()) for url in asked)


def test_pages_go_through_the_moments_and_a_question_is_told_before_one_goes_on(tab: Browser) -> None:
    assert tab.value(TITLE) == "1  The start"
    tab.press("PageUp")
    assert tab.value(TITLE) == "1  The start"
    tab.press("PageDown")
    assert tab.value(TITLE) == "1  The start"
    assert "2)  no: Each stays.So it ends." in tab.value(ASKED)
    assert tab.value(STEP) == 3
    tab.press("PageDown")
    assert tab.value(TITLE) == "2  A mean is dragged"
    tab.press("PageUp")
    assert (tab.value(TITLE), tab.value(STEP)) == ("1  The start", 2)


def test_what_answers_a_question_is_not_to_be_seen_before(tab: Browser) -> None:
    for keys in (["End"], ["ArrowRight", "ArrowRight"], ["g", "3", "Enter"]):
        tab.press(*keys)
        assert tab.value(STEP) == 2
        assert tab.value("byId('where').textContent").startswith("step 2 of 2")
    assert tab.value("byId('at').max") == "2"


@pytest.mark.parametrize(("key", "verdict"), [("1", "Not so."), ("2", "Right.")])
def test_a_choice_is_answered_by_its_digit(tab: Browser, key: str, verdict: str) -> None:
    tab.press("3")
    assert tab.value("byId('lesson').querySelector('.verdict')") is None, "there is no third answer"
    tab.press(key)
    assert tab.value("byId('lesson').querySelector('.verdict').textContent") == verdict
    assert ("It was no nearer." in tab.value(ASKED)) == (key == "1")
    assert tab.value(STEP) == 3
    tab.press("3")
    assert tab.value(TITLE) == "3  From another start", "once it is answered, digits are moments"


def test_a_choice_is_answered_by_a_click(tab: Browser) -> None:
    tab.value("byId('lesson').querySelectorAll('button')[1].click()")
    assert tab.value("byId('lesson').querySelector('.verdict').textContent") == "Right."


@pytest.mark.parametrize(("typed", "verdict"), [("1", "Right."), ("7", "Not so.")])
def test_a_number_is_answered_in_its_field(tab: Browser, page: Path, typed: str, verdict: str) -> None:
    tab.open(page, "#run=2&step=2")
    assert tab.value(TITLE) == "2  A mean is dragged"
    until = tab.value("run.until")
    tab.value("byId('number').focus()")
    tab.press(typed, "Enter")
    assert tab.value("byId('lesson').querySelector('.verdict').textContent") == verdict
    assert tab.value("t") == tab.value("frames.length - 1") > until


def test_moments_are_links_and_addresses_lead_to_them(tab: Browser, page: Path) -> None:
    links = tab.value("[...byId('lesson').querySelectorAll('a')].map((a) => a.getAttribute('href'))")
    assert [link.partition("&")[0] for link in links] == ["#step=2", "#run=2", "#run=3"]
    x, y = tab.value("(({x, y}) => [x, y])(byId('lesson').querySelectorAll('a')[2].getBoundingClientRect())")
    tab.drag(y + 5, x + 5)
    tab.until(f"{TITLE} === '3  From another start'")
    assert tab.value("byId('lesson').querySelector('[aria-current]').textContent") == "From another start"
    tab.until("location.hash.startsWith('#run=3&step=')")


def test_it_prints_as_a_handout_with_the_answers_at_the_end(tab: Browser) -> None:
    tab.press("1")
    printed = tab.printed()
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") >= 3
    assert tab.value("byId('handout').childElementCount") == 0, "afterwards it is as it was"
    assert tab.value("look === DARK && shown.length > 0")
    tab.value("handout()")
    assert tab.value("[...byId('handout').querySelectorAll('h2')].map((h) => h.textContent)") == [
        "1  The start", "2  A mean is dragged", "3  From another start", "What is right",
    ]  # fmt: skip
    assert tab.value("byId('handout').querySelectorAll('canvas').length") == 3
    before, answers = tab.value(
        "[[...byId('handout').querySelectorAll('section:not(.answers)')].map((s) => s.textContent).join(),"
        " byId('handout').querySelector('.answers').textContent]"
    )
    assert "Does a row move now?1)  yes2)  no" in before
    assert "Each stays." not in before
    assert "2)  no: Each stays." in answers
    assert "right within 0.5" in answers
    tab.value("byId('handout').replaceChildren()")


def test_a_hostile_lesson_runs_no_script(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    write_lesson(read_lesson(hostile(), "hostile.md"), path, size=(80, 24))
    browser.open(path)
    browser.press("2", "PageDown", "PageDown", "PageDown")
    browser.value("handout()")
    assert browser.value(TITLE).startswith("3  ")
    assert browser.value("document.title").startswith("<img src=x onerror=alert(1)> </script>")
    assert browser.value("document.querySelectorAll('img, svg, iframe, script').length") == 2, "the data and its own"
    assert quiet(browser, path)
