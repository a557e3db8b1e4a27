"""A lesson as one page for browsers: its moments, each with the steps that lead to it, its text and its question."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from algorithms.core.text import clean
from algorithms.lectures.lessons import Lesson, Moment
from algorithms.playback.cursor.player import Player
from algorithms.playback.lessons.played import Played, played
from algorithms.playback.lessons.saying import command_of, right, said
from algorithms.playback.runs.place import place
from algorithms.saving.files import write_in_parts
from tui.app import IterscopeApp
from tui.export.page import Rows, Spoken, Step, page_of
from tui.headless import check_size, painted_by
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen

SIZE = (100, 36)
_BEFORE = 24  # steps that lead to a moment
_AFTER = 48  # steps of those that its answer takes; of more, some
_LONGEST = 4_000  # characters of a paragraph


def write_lesson(
    lesson: Lesson,
    path: str | Path,
    *,
    size: tuple[int, int] = SIZE,
    overwrite: bool = False,
    watch: Callable[[float], object] = lambda share: None,
) -> None:
    """Write a lesson as a page.

    Raises:
        Misread: when a run has no answer to what is written.
        Refused: when the file cannot be written.
    """

    def write(file: BinaryIO) -> Iterator[float]:
        file.write(asyncio.run(paint_lesson(lesson, size, watch)))
        yield 1.0

    for share in write_in_parts(Path(path), write, overwrite=overwrite):
        watch(share)


async def paint_lesson(lesson: Lesson, size: tuple[int, int], watch: Callable[[float], object]) -> bytes:
    """Paint each moment of a lesson; returns its page."""
    check_size(size)
    moments: list[dict[str, Any]] = []
    for index, moment in enumerate(lesson.moments):
        watch(index / len(lesson.moments))
        shown = played(lesson, index)
        words = _words_of(lesson, index, shown)
        rows, spoken = None, Spoken()
        player = Player(shown.branches.root.timeline)
        player.stay_behind()  # from the first tick on: what it computed before the moment is stood at would be drawn
        app = IterscopeApp(shown.loaded, player, front=shown.front)
        async with painted_by(app, size, partial(_stand_at, shown)) as screen:
            counts = []
            for steps in _parts_of(screen, moment, shown):
                counts.append(0)
                for step in steps():
                    rows = rows or Rows(step.dark.glyphs.shape)
                    rows.add(step.dark, step.light)
                    spoken.add(step.words)
                    counts[-1] += 1
                    await asyncio.sleep(0)
        assert rows is not None
        at = {"at": counts[0] - 1, "until": counts[0] - 1 if moment.ask else None}
        moments.append({"name": str(index + 1)} | rows.packed() | spoken.packed() | words | at)
    document = {"title": clean(lesson.title), "unit": "step", "runs": moments}
    return page_of(document, lesson=True)


def _stand_at(shown: Played, screen: StageScreen) -> None:
    """Have the screen show the run of a moment, with its forks and those beside it, and nothing that comes after it."""
    screen.session.take(shown.loaded, shown.branches, shown.branch, shown.t)
    screen.player.looks_ahead = False
    screen.player.stay_behind()
    if shown.beside:
        screen.compare_with(shown.beside)


def _parts_of(
    screen: StageScreen | CompareScreen, moment: Moment, shown: Played
) -> tuple[Callable[[], Iterator[Step]], ...]:
    """Give what paints the steps that lead to a moment, then what paints those to its answer: that is run, and drawn,
    once all that comes before is painted."""
    if isinstance(screen, CompareScreen):
        return (partial(_together, screen, shown),)
    before = range(max(shown.t - _BEFORE, 0), shown.t + 1)

    def after() -> Iterator[Step]:
        if moment.ask is not None:
            end = place(shown.run, moment.ask.go.rest, shown.t)
            count = min(_AFTER, end - shown.t)
            some = np.unique(np.linspace(shown.t, end, count + 1).round().astype(int))[1:].tolist()
            yield from _painted(screen, some)

    return partial(_painted, screen, before), after


def _together(screen: CompareScreen, shown: Played) -> Iterator[Step]:
    """Paint the steps of all runs that lead to a moment."""
    screen.put_in_front(shown.front)
    last = max(shown.at(run.timeline) for run in shown.compared)
    ((_, steps),) = screen.runs_of_page(max(last - _BEFORE, 0), last)
    yield from (step for _, step in steps() if step is not None)


def _painted(screen: StageScreen, steps: Sequence[int]) -> Iterator[Step]:
    """Paint steps in both looks; all of them once before, so that axes have the room that they come to take."""
    player, run = screen.player, screen.player.timeline
    if steps:  # charts and timeline reach as far in all of them
        player.approach(player.t, steps[-1])
        player.cancel()
    for t in steps:
        screen.paint_step(run.at(t))
    for t in steps:
        frame = run.at(t)
        dark, light = screen.in_both_looks(partial(screen.paint_step, frame))
        yield Step(dark, light, screen.words_of(frame))


def _words_of(lesson: Lesson, index: int, shown: Played) -> dict[str, Any]:
    """Say what stands beside the screen, in plain values; numbers are those of the run."""
    moment, asked = lesson.moments[index], None
    if moment.ask is not None:
        ask, answer = moment.ask, right(lesson, moment.ask, played(lesson, index, answered=True))
        number = None
        if ask.number is not None and answer.number is not None:
            number = {"value": answer.number, "text": f"{answer.number:.6g}", "within": ask.number.within}
        asked = {
            "question": _plain(ask.question),
            "choices": [{"words": _plain(one.words), "reply": _plain(one.reply)} for one in ask.choices],
            "right": answer.choice,
            "number": number,
            "why": _plain(ask.why.replace("**", "")),
        }
    return {
        "heading": _plain(moment.title),
        "command": _plain(command_of(moment)),
        "paragraphs": [
            *(
                [[piece.kind, _plain(piece.text)] for piece in said(lesson, paragraph, shown)]
                for paragraph in moment.paragraphs
            ),
            *([["said", _plain(line)]] for line in shown.besides()),
        ],
        "ask": asked,
    }


def _plain(text: str) -> str:
    return clean(text, _LONGEST)
