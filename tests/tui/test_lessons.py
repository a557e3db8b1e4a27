"""Three lessons for a hall, typed from scratch: each with its command and its few keys, at 120x36."""

import shlex
from collections.abc import Callable
from typing import Any

import numpy as np
from textual.pilot import Pilot

from algorithms.playback.runs.request import read
from tests.tui.pilot import stage, text, until
from tui.app import IterscopeApp
from tui.paint.palette import DARK
from tui.screens.compare import CompareScreen
from tui.widgets.raster import RasterView

SIZE = (120, 36)
BOUND = "perceptron --data blobs:n=40,margin=0.1 --against 'data=blobs margin=0.2'", "r F 2 3 2"
MINIMA = "lloyd --data iris -p k=3 -p seed=7 -p start=rows --against :start=k-means++", "r F"
TOUCH = "gaussian_mixture --data faithful --at 15", "F 2 1"


def lesson(command: str) -> IterscopeApp:
    asked = read("python -m tui", shlex.split(command))
    return IterscopeApp(asked.opened, asked.player, asked.at, asked.theme, against=asked.against)


def cells(pilot: Pilot[None], widget: str) -> tuple[Any, Any]:
    """(rows, columns) of the glyphs of a widget, and of their inks."""
    held = pilot.app.screen.query_one(widget, RasterView).cells
    assert held is not None
    glyphs, styles = held
    return glyphs, styles >> 24 & 0xFFFFFF


def steps(pilot: Pilot[None]) -> list[int]:
    screen = pilot.app.screen
    return [follower.player.t for follower in screen.together.followers] if isinstance(screen, CompareScreen) else []


def line_below(pilot: Pilot[None], lower: int, upper: int, left: int, end: int) -> bool:
    """Whether, in columns of the large chart, all dots of one colour are below those of another; both thick."""
    glyphs, inks = cells(pilot, "#large")
    dots = (glyphs > 0x2800) & (glyphs < 0x2900)
    dots[:, :left] = dots[:, end:] = False
    below, above = dots & (inks == lower), dots & (inks == upper)
    assert below.any()
    assert above.any()
    columns = np.flatnonzero(below.any(axis=0) & above.any(axis=0))
    rows = np.arange(len(dots))[:, None]
    return all(rows[below[:, c]].min() > rows[above[:, c]].max() for c in columns.tolist())


def test_a_lesson_takes_few_keys() -> None:
    assert [len(keys.split()) for _, keys in (BOUND, MINIMA, TOUCH)] == [5, 2, 3]
    assert all(len(command) <= 80 for command, _ in (BOUND, MINIMA, TOUCH))


async def test_the_bound_of_the_perceptron_with_two_margins() -> None:
    command, keys = BOUND
    run, hall, curves, following, digits = keys.split()
    async with lesson(command).run_test(size=SIZE) as pilot:
        await until(pilot, lambda: steps(pilot) == [0, 0])
        await pilot.press(run)
        await until(pilot, lambda: steps(pilot) == [800, 320])
        await pilot.press(hall, curves)
        await until(pilot, lambda: "mistakes m ≤ (R² + 2 margin/η)/γ²" in text(pilot, "#large"))
        legends = text(pilot, "#large")
        assert "m = 42 ≤ ◆ R²/γ² = 1791" in legends  # a margin twice as wide, a quarter of the bound
        assert "m = 17 ≤ ◆ R²/γ² = 467" in legends
        assert legends.count("logarithmic") == 2
        green, pink, yellow, pale = (DARK.classes[tone] for tone in (2, 3, 4, 7))
        assert line_below(pilot, green, pink, 1, 59)
        assert line_below(pilot, green, pink, 61, 119)

        await pilot.press(following)
        await until(pilot, lambda: "η m γ ≤ w·w* ≤ ‖w‖ ≤ √(m(η²R² + 2η margin))" in text(pilot, "#large"))
        legends = text(pilot, "#large")
        assert "η m γ=4.20 ≤ ◆ w·w*=7.28 ≤ ★ ‖w‖=7.30 ≤ ◗ √m η R=27.4" in legends
        assert "η m γ=3.40 ≤ ◆ w·w*=5.42 ≤ ★ ‖w‖=5.51 ≤ ◗ √m η R=17.8" in legends
        for left, end in ((1, 59), (61, 119)):
            assert line_below(pilot, yellow, pale, left, end)

        await pilot.press(digits)
        await until(pilot, lambda: "█" in text(pilot, "#large"))
        assert text(pilot, "#large").count("✓ held wherever it was measured") == 2


async def test_a_bad_minimum_of_k_means_beside_a_better_one_in_matched_colours() -> None:
    command, keys = MINIMA
    async with lesson(command).run_test(size=SIZE) as pilot:
        await until(pilot, lambda: steps(pilot) == [0, 0])
        await pilot.press(*keys.split())
        await until(pilot, lambda: text(pilot, "#keys").strip() == "F leaves" and "78.85" in text(pilot))
        heads = [text(pilot, f"#pane-{i} PaneHeading") for i in (0, 1)]
        assert " A " in heads[0]
        assert "142.75" in heads[0]
        assert " B " in heads[1]
        assert "-44.8 %" in heads[1]
        shapes = [set("●▲■◆") & set(text(pilot, f"#pane-{i} Stage")) for i in (0, 1)]
        assert shapes == [set("●▲■"), set("●▲◆")]  # two of three are those of A, the third is none of them
        in_use = []
        for i in (0, 1):
            glyphs, inks = cells(pilot, f"#pane-{i} Stage")
            in_use.append({shape: set(inks[glyphs == ord(shape)].tolist()) for shape in "●▲"})
        assert all(DARK.classes[tone] in in_use[i][shape] for i in (0, 1) for tone, shape in enumerate("●▲"))
        assert "objective: J = Σ‖x - μ‖²" in text(pilot, "#abreast")


async def test_the_bound_of_em_touches_the_likelihood_after_every_e_step() -> None:
    command, keys = TOUCH
    async with lesson(command).run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "step 15 of 37" in text(pilot, "#header"))
        await pilot.press(*keys.split())
        await until(pilot, lambda: "the sides near step 15" in text(pilot, "#sides"))
        for t in range(15, 20):
            await until(pilot, at_step(pilot, t))
            expects = stage(pilot).player.frame.state.phase == "expect"
            assert expects == (t % 2 == 1)
            glyphs, inks = cells(pilot, "#big")
            signs = np.isin(glyphs, [ord(sign) for sign in "▀▄█"]) & (inks == DARK.good)
            width = np.ptp(np.flatnonzero(signs.any(axis=0))) + 1
            assert (width > 30) == expects  # "=" twice, or "≤" once
            assert ("between them" in text(pilot, "#big")) != expects
            knots = np.argwhere(cells(pilot, "#sides")[0] == ord("="))
            assert len(knots) >= 3
            assert (np.diff(np.sort(knots[:, 1])) >= 4).all()  # at every second step, E's
            await pilot.press("right")
        assert "✓ held wherever it was measured" in text(pilot, "#big")


def at_step(pilot: Pilot[None], t: int) -> Callable[[], bool]:
    return lambda: f"near step {t}" in text(pilot, "#sides") and f"step {t} of" in text(pilot, "#header")
