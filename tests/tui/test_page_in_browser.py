"""A page in a real browser: it shows each step as the terminal does, both ways, says nothing and asks for nothing.

Skipped where there is no Chromium (`apt-get install chromium`).
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.patience import PATIENCE, Patience
from tests.tui.browser import Browser, program
from tests.tui.page import document, forked_page, hostile, screens, text, tiny, written
from tui import show

pytestmark = pytest.mark.skipif(program() is None, reason="there is no Chromium here: apt-get install chromium")

STEP = "run.steps[t][0]"
# the text of the screen as the page has it to be selected; what is drawn by hand is blank in it
LINES = "[...layer.children].map((line) => line.textContent.trimEnd())"
SETTLED = "layer.childElementCount === run.size[1]"
# how far the lines of the text end from where their cells do, in cells, at the worst
DRIFT = """Math.max(...[...layer.children].filter((line) => line.textContent.trim()).map((line) => {
  const range = document.createRange(), isWide = (c) => c.offsetWidth * devicePixelRatio > 1.5 * w;
  const wide = [...line.children].filter(isWide);
  range.selectNodeContents(line);
  const cells = [...line.textContent].length + wide.length;
  return Math.abs(range.getBoundingClientRect().width * devicePixelRatio / w - cells); }))"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny descent, 40 steps, a kick every fifth."""
    folder = tmp_path_factory.mktemp("page")
    written(folder, tiny(steps=40))
    return folder / "page.html"


@pytest.fixture
def tab(browser: Browser, page: Path) -> Iterator[Browser]:
    """The page, opened; in the end it has asked for nothing but itself, and nothing was reported."""
    browser.open(page)
    yield browser
    asked = [h["params"]["request"]["url"] for h in browser.heard if h["method"] == "Network.requestWillBeSent"]
    assert [url for url in asked if not url.startswith(page.as_uri())] == []
    assert [h for h in browser.heard if h["method"] != "Network.requestWillBeSent"] == []


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        ("ArrowRight ArrowRight ArrowRight ArrowLeft", 2),
        ("ArrowLeft", 0),
        ("l l h", 1),
        ("End", 40),
        ("End ArrowRight", 40),
        ("$ 0", 0),
        ("End Home", 0),
        ("n", 5),
        ("n n Shift+N", 5),
        ("Shift+N", 0),
        ("End n", 40),
        ("Shift+ArrowRight Shift+ArrowRight", 10),
        ("End Shift+ArrowLeft Shift+ArrowLeft", 30),
        ("g 1 7 Enter ArrowRight", 18),
        ("g 9 9 9 Enter", 40),
    ],
)
def test_keys_go_to_steps(tab: Browser, keys: str, step: int) -> None:
    tab.press(*keys.split())
    assert tab.value(STEP) == step
    assert tab.value("byId('at').value") == str(step)
    assert tab.value("byId('where').textContent").startswith(f"step {step} of 40, iteration ")


def test_it_plays_at_the_speed_that_is_asked_for_and_pauses(tab: Browser) -> None:
    tab.press("+", "+", "+")
    assert tab.value("byId('speed').value") == "60"
    tab.press(" ")
    assert tab.value("byId('play').textContent") == "pause"
    assert tab.value("byId('sentence').getAttribute('aria-live')") == "off", "else it is read out at every step"
    tab.until(f"{STEP} >= 3")
    tab.press("ArrowLeft")
    assert tab.value("!playing && byId('play').textContent === 'play'")
    tab.press(" ")
    tab.until(f"{STEP} === 40 && !playing")
    tab.press("-", " ")
    tab.until(f"{STEP} < 40")
    tab.press(" ")
    assert tab.value("!playing && byId('speed').value === '25'")


def test_the_slider_goes_to_steps(tab: Browser) -> None:
    left, top, wide, high = rectangle(tab, "byId('at')")
    tab.drag(top + high / 2, left + 8, left + wide / 4, left + wide / 2)
    middle = tab.value(STEP)
    assert abs(middle - 20) <= 2
    tab.press("ArrowRight")
    assert tab.value(STEP) == middle + 1, "the slider is in hand, and an arrow is still one step"
    said = tab.value("byId('at').getAttribute('aria-valuetext')")
    assert said == tab.value("byId('where').textContent")


def test_phases_and_events_are_marked_over_the_slider(tab: Browser) -> None:
    assert tab.value("run.steps.filter((s) => s[3].length).map((s) => s[0])") == list(range(5, 41, 5))
    marked = pixels(tab, "byId('marks')")
    at = {t: round(8 + t * (marked.shape[1] - 16) / 40) for t in (0, 1, 5, 6)}
    phases = {t: tuple(marked[7, x]) for t, x in at.items()}
    assert phases[1] == phases[6], "one colour for a phase"
    assert len({phases[t] for t in (0, 1, 5)}) == 3
    assert marked[2, at[5], 3] > 0, "a stroke for an event"
    assert marked[2, at[6], 3] == 0


def test_an_address_leads_to_its_step_and_follows_the_cursor(tab: Browser, page: Path) -> None:
    tab.open(page, "#step=37")
    assert tab.value(STEP) == 37
    tab.press("ArrowRight")
    tab.until("location.hash === '#step=38'")
    tab.value("void (location.hash = '#step=5')")
    tab.until(f"{STEP} === 5")
    for none in ("#step=-4", "#step=1e99", "#step=%3Cscript%3E", "#<img src=x onerror=alert(1)>"):
        tab.value(f"void (location.hash = {none!r})")
        time.sleep(0.05)
        assert tab.value(STEP) == 5
    tab.value("void (location.hash = '#step=999999999')")
    tab.until(f"{STEP} === 40")


def test_its_text_is_that_of_the_terminal_and_can_be_selected(tab: Browser, page: Path) -> None:
    """Cell by cell, in the frames that the script unpacks, and line by line in what can be selected."""
    held = document(page.read_bytes())
    for t, (dark, _) in enumerate(screens(held)):
        assert tab.value(
            f"frames[{t}].map((row) => String.fromCodePoint(...row.glyphs.filter(Boolean)).trimEnd())"
        ) == text(dark)
    tab.press("n", "ArrowRight")
    tab.until(SETTLED)
    shown = tab.value(LINES)
    terminal = text(screens(held)[6][0])
    handmade = set(tab.value(f"[...{sorted(set(''.join(terminal)))!r}].filter((c) => drawerOf(c.codePointAt(0)))"))
    assert shown == ["".join(" " if c in handmade else c for c in line).rstrip() for line in terminal]
    assert "step 6 of 40" in shown[0]
    left, top, wide, high = rectangle(tab, "layer.firstChild")
    tab.drag(top + high / 2, left + 1, left + wide / 2, left + wide - 1)
    assert tab.value("getSelection().toString()").strip() == shown[0].strip()


def test_text_lies_on_its_cells_at_any_zoom(tab: Browser) -> None:
    for ratio in (1.0, 1.25, 1.5, 2.0, 3.0):
        tab.resize(ratio=ratio)
        tab.until(
            f"devicePixelRatio === {ratio} && {SETTLED}"
            " && Math.abs(parseFloat(canvas.style.width) * devicePixelRatio - canvas.width) < 0.5"
        )
        assert tab.value(DRIFT) < 0.01


def test_what_is_heard_is_what_the_step_says(tab: Browser) -> None:
    tab.press("n")
    assert tab.value("byId('sentence').textContent") == "step 5 of 40, iteration 1: kick, a kick. x is 1.311 now."
    assert tab.value("[...byId('theorems').children].map((item) => item.textContent)") == [
        "f never rises for η ≤ 1: holds: f = 1.718 ≤ before = 2.684"
    ]
    assert tab.value("document.title") == "Tiny descent, two rows"
    assert tab.value("[canvas, layer].every((e) => e.getAttribute('aria-hidden') === 'true')")


def test_each_cell_has_its_ground_in_both_looks(tab: Browser, page: Path) -> None:
    """Where a cell shows a blank, its pixels are the ground that the terminal has there."""
    for light in (False, True):
        tab.open(page, "#step=6", light=light)
        glyphs, styles = screens(document(page.read_bytes()))[6][light]
        w, h = tab.value("[w, h]")
        drawn = pixels(tab, "canvas")
        assert drawn.shape[:2] == (glyphs.shape[0] * h, glyphs.shape[1] * w)
        middles = drawn[h // 2 :: h, w // 2 :: w].astype(int)
        grounds = middles[..., 0] << 16 | middles[..., 1] << 8 | middles[..., 2]
        blank = glyphs == ord(" ")
        assert blank.sum() > 500
        np.testing.assert_array_equal(grounds[blank], (styles & 0xFFFFFF)[blank])
        marks = np.isin(glyphs, [ord(c) for c in "─│╭●▲⠒"])
        assert marks.any()
        for row, column in np.argwhere(marks):
            ground = styles[row, column] & 0xFFFFFF
            cell = drawn[row * h : (row + 1) * h, column * w : (column + 1) * w, :3].reshape(-1, 3).astype(int)
            assert ((cell[:, 0] << 16 | cell[:, 1] << 8 | cell[:, 2]) != ground).any()


def test_the_look_follows_the_system_while_it_is_open(tab: Browser) -> None:
    dark = pixels(tab, "canvas")[1, 1].astype(int).sum()
    tab.media(light=True)
    tab.until("look === LIGHT")
    assert pixels(tab, "canvas")[1, 1].astype(int).sum() > dark


def test_it_prints_the_step_on_one_sheet_in_the_light(tab: Browser) -> None:
    tab.press("ArrowRight")
    printed = tab.printed()
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") == 1
    assert tab.value("look === DARK && canvas.style.width !== '' && shown.length > 0"), "afterwards it is as it was"


async def test_runs_are_shown_one_at_a_time(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = await forked_page(tmp_path, monkeypatch)
    held = [document(path.read_bytes(), which) for which in (0, 1)]
    browser.open(path, "#step=7")
    assert browser.value("[...byId('runs').children].map((b) => b.textContent)") == [one["name"] for one in held]
    shown = "frames[t].map((row) => String.fromCodePoint(...row.glyphs.filter(Boolean)).trimEnd())"
    assert browser.value(shown) == text(screens(held[0])[7][0])
    browser.press("2")
    assert browser.value(STEP) == 7, "the same step of the other"
    assert browser.value(shown) == text(screens(held[1])[7][0])
    browser.until("location.hash === '#run=2&step=7'")
    browser.press("End")
    assert browser.value(STEP) == held[1]["steps"][-1][0]
    left, top, wide, high = rectangle(browser, "byId('runs').firstChild")
    browser.drag(top + high / 2, left + wide / 2)
    assert browser.value("[...byId('runs').children].map((b) => b.getAttribute('aria-pressed'))") == ["true", "false"]
    browser.value("void (location.hash = '#run=2&step=6')")
    browser.until(f"{STEP} === 6 && run === all.runs[1]")
    assert [h for h in browser.heard if h["method"] != "Network.requestWillBeSent"] == []


def test_hostile_words_run_nothing(browser: Browser, tmp_path: Path) -> None:
    written(tmp_path, hostile(), steps=6)
    path = tmp_path / "page.html"
    browser.open(path)
    browser.press("ArrowRight", "ArrowRight", "End")
    browser.until(SETTLED)
    assert browser.value("document.title").startswith("<img src=x onerror=alert(1)> </script>")
    assert browser.value("document.querySelectorAll('img, svg, script').length") == 2, "the data and the page's own"
    assert [h for h in browser.heard if h["method"] != "Network.requestWillBeSent"] == []
    assert len([h for h in browser.heard if h["method"] == "Network.requestWillBeSent"]) == 1


def test_a_cell_of_a_notebook_is_stepped_and_runs_nothing_else(browser: Browser, tmp_path: Path) -> None:
    run = hostile().timeline()
    run.advance(5)
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><p>before</p>{show(run, size=(80, 24))._repr_html_()}", encoding="utf-8")
    browser.media(light=False)
    browser.resize()
    browser.ask("Page.navigate", url="about:blank")
    browser.heard.clear()
    browser.ask("Page.navigate", url=path.as_uri())
    browser.until("document.readyState === 'complete' && document.querySelector('iframe') !== null")
    pictures = [browser.picture()]
    patience = Patience(PATIENCE)
    while len(set(pictures)) < 3:  # blank, drawn, and after a step
        assert not patience.over, "the cell shows nothing, or does not step"
        browser.drag(300, 400)
        browser.press("ArrowRight")
        time.sleep(0.1)
        pictures.append(browser.picture())
    assert browser.value("document.querySelector('iframe').contentDocument") is None, "the notebook is out of its reach"
    assert [h for h in browser.heard if h["method"] != "Network.requestWillBeSent"] == []
    assert len([h for h in browser.heard if h["method"] == "Network.requestWillBeSent"]) == 1


@pytest.mark.parametrize(
    "hole",
    [
        "document.body.innerHTML = '<b>'",
        "document.body.insertAdjacentHTML('beforeend', '<i>')",
        "document.write('x')",
        "document.createElement('script').textContent = '1'",
        "setTimeout('1')",
    ],
)
def test_a_hole_that_is_planted_is_refused_and_reported(browser: Browser, page: Path, hole: str) -> None:
    browser.open(page)
    assert browser.value(f"(() => {{ try {{ {hole}; }} catch (e) {{ return e.name; }} }})()") == "TypeError"
    assert refused(browser) == {"require-trusted-types-for"}


def test_a_request_that_is_planted_is_refused_and_reported(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.value("fetch('http://localhost:9/').catch(() => 0)")
    browser.value(
        "new Promise((r) => { const i = new Image(); i.onerror = r; i.src = 'http://localhost:9/'; }).then(() => 0)"
    )
    assert refused(browser) == {"connect-src", "img-src"}


def refused(browser: Browser) -> set[str]:
    """What the browser's own report says that the policy has refused."""
    issues = [h["params"]["issue"]["details"] for h in browser.heard if h["method"] == "Audits.issueAdded"]
    return {details["contentSecurityPolicyIssueDetails"]["violatedDirective"] for details in issues}


def rectangle(tab: Browser, element: str) -> Any:
    return tab.value(f"(({{x, y, width, height}}) => [x, y, width, height])({element}.getBoundingClientRect())")


def pixels(tab: Browser, element: str) -> Any:
    """What a canvas shows, (height, width, 4); read from a copy, since the browser warns of one that is read."""
    code = """((of) => {
      const copy = new OffscreenCanvas(of.width, of.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(of, 0, 0);
      return [of.height, of.width, [...copy.getImageData(0, 0, of.width, of.height).data].join()];
    })"""
    height, width, data = tab.value(f"{code}({element})")
    return np.array(data.split(","), np.uint8).reshape(height, width, 4)
