"""What happens in a run of one's own can be gone to: a nan, an explosion, a warning, a loss that rises."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Timeline, load
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.request import requested
from algorithms.saving.runlog import LoggedRun, Recorder
from algorithms.timeline import conditions
from algorithms.userfile.happenings import RESTART
from algorithms.userfile.in_process import plain_algorithm
from tests.tui.pilot import at, until
from tests.userfile.runs import on
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK

DECLARED = """
from algorithms import Algorithm
from algorithms.core import Event, Needs, Scene, State


class Counted(State, frozen=True, kw_only=True):
    x: int


def mine(data, state=None, *, until: int = 5):
    if state is None:
        state = Counted(x=0)
        yield state
    while state.x < until:
        state = state.after("step", x=state.x + 1)
        yield state


ALGORITHM = Algorithm(
    mine,
    title="mine",
    summary="counts",
    rule="x <- x + 1",
    needs=Needs(rows=0),
    phases={"start": "none", "step": "one more"},
    events=(
        Event("late", lambda before, after: after.x > 3, wrong=True),
        Event("even", lambda before, after: after.x % 2 == 0, anew="another x"),
    ),
    scene=lambda problem, before, after: Scene(()),
    explain=lambda problem, before, after: f"x is {after.x}.",
)
"""


def run_of(function: Callable[..., Any]) -> Timeline:
    return Timeline(plain_algorithm(function), Dataset.none, {}).run()


def gone_to(run: Timeline) -> list[int]:
    """Where `n` goes, from the start on."""
    player, places = Player(run), [0]
    while True:
        player.event(True)
        player.work(1.0)
        if player.t == places[-1] or player.t == run.last and player.t not in run.gone_wrong():
            return places[1:]
        places.append(player.t)


def losses(*values: float) -> Callable[[], Iterator[Any]]:
    def mine() -> Iterator[Any]:
        for value in values:
            yield {"loss": value, "log_likelihood": -value, "accuracy": value}

    return mine


def test_the_step_at_which_a_field_becomes_nan_is_an_event_and_each_time_that_it_does() -> None:
    def mine() -> Iterator[Any]:
        for t in range(12):
            yield {"w": np.array([1.0, np.nan if t in (4, 5, 8) else 2.0]), "x": 1.0}

    run = run_of(mine)
    assert gone_to(run) == run.gone_wrong() == [5, 9]
    assert "Note: w becomes nan." in run.algorithm.explain(run.problem, run.at(4).state, run.at(5).state)
    assert run.algorithm.notices == ["the first nan is at step 5, in w"]


def test_a_field_that_grows_by_ten_orders_is_an_event_once() -> None:
    def mine() -> Iterator[Any]:
        x = 0.0
        for _ in range(30):
            yield {"x": x, "w": np.array([-x, 0.0]), "steps": 10 ** int(x > 1e9)}
            x = 10 * x or 0.25

    run = run_of(mine)
    assert run.gone_wrong() == [13]
    assert run.algorithm.notices[0] == "an explosion at step 13: x has grown from 0.25 to 2.5e+10"
    assert "w has grown" in run.algorithm.notices[1]


def test_what_becomes_infinite_has_exploded_and_what_grows_from_rounding_has_not() -> None:
    def mine() -> Iterator[Any]:
        for t in range(5):
            yield {"x": 1.0 if t < 3 else np.inf, "residual": 1e-17 if t < 2 else 0.5}

    run = run_of(mine)
    assert run.gone_wrong() == [4]


def test_a_loss_that_was_falling_and_rises_is_an_event_and_so_is_a_likelihood_that_falls() -> None:
    run = run_of(losses(9.0, 8.0, 7.0, 6.0, 6.5, 5.0, 4.0, 3.0, 3.0, 3.1))
    assert run.gone_wrong() == [5, 10]
    assert run.algorithm.notices == ["loss rises first at step 5", "log_likelihood falls first at step 5"]
    assert "loss rises from 6 to 6.5; log_likelihood falls" in run.algorithm.explain(
        run.problem, run.at(4).state, run.at(5).state
    )


def test_a_loss_that_rises_from_the_first_step_on_is_one_event_and_rounding_none() -> None:
    assert run_of(losses(1.0, 2.0, 4.0, 8.0)).gone_wrong() == [2]
    assert run_of(losses(1.0, 0.5, 0.25, 0.25 + 1e-14)).gone_wrong() == []


def test_of_a_noisy_loss_few_rises_count() -> None:
    noise = np.random.default_rng(0).normal(size=400)
    run = run_of(losses(*(5.0 * 0.99 ** np.arange(400) + noise)))
    assert 1 <= len(run.gone_wrong()) <= 4


def test_a_warning_is_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    def mine() -> Iterator[Any]:
        for t in range(4):
            if t == 2:
                warnings.warn("too steep", RuntimeWarning, stacklevel=1)
            yield float(t)

    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("default")
        run = run_of(mine)
    assert [str(each.message) for each in shown] == ["too steep"], "it is shown nevertheless"
    assert run.gone_wrong() == [3]
    (notice,) = run.algorithm.notices
    assert notice.startswith("a warning at step 3: RuntimeWarning: too steep (test_happenings.py, line ")


def test_what_a_declaration_calls_wrong_is_so_in_a_process_of_its_own_and_in_a_recording(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(DECLARED)
    algorithm = load(str(tmp_path / "mine.py"), apart=True)
    assert [(e.name, e.wrong, e.anew) for e in algorithm.events] == [("late", True, ""), ("even", False, "another x")]
    run = on(Timeline(algorithm, Dataset.none))
    assert run.gone_wrong() == [4, 5]
    recorder = Recorder.of(tmp_path / "run.log", algorithm, run.problem)
    for t in range(len(run)):
        recorder.keep(run.at(t).before, run.at(t).state, run.kind(t).line)
    recorder.end("it has ended")
    recorded = LoggedRun(tmp_path / "run.log")
    assert [(e.name, e.wrong, e.anew) for e in recorded.events] == [("late", True, ""), ("even", False, "another x")]
    assert Timeline(recorded, recorded.datasets[0]).run().gone_wrong() == [4, 5]


def test_in_a_process_of_its_own_too(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n\ndef mine():\n    for i in range(5):\n        yield float(np.log(np.float64(3 - i)))\n"
    )
    algorithm = load(str(tmp_path / "mine.py"), apart=True)
    run = on(Timeline(algorithm, algorithm.datasets[0]))
    assert run.gone_wrong() == [4, 5]
    assert [what for t in (4, 5) for what, _ in run.at(t).state.happened] == [  # type: ignore[attr-defined]
        "a warning", "an explosion", "a warning", "a new nan"
    ]  # fmt: skip


def test_what_is_yielded_as_event_or_phase_is_one(tmp_path: Path) -> None:
    def mine() -> Iterator[Any]:
        for t in range(6):
            yield {"x": t, "phase": "warm-up" if t < 3 else "descent", "event": "restart" if t == 4 else ""}

    run = run_of(mine)
    assert run.next_event(0) == 5
    assert run.gone_wrong() == []
    assert [run.kind(t).phase for t in range(7)] == ["start", *["warm-up"] * 3, *["descent"] * 3]
    assert "descent" in run.algorithm.phases
    found = conditions.parse("descent", run.algorithm, run.data, run.at(1).state)
    search = conditions.Search(run, found, 0)
    search.work(5.0)
    assert search.match == 4


def test_a_recording_has_them_however_it_is_read(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.log") as recorder:
        for value in [4.0, 3.0, 2.0, 1.0, 1.5, np.nan, 1.0]:
            recorder.write({"loss": value, "phase": "learn"})
    recorded = LoggedRun(tmp_path / "run.log")
    run = Timeline(recorded, recorded.datasets[0], {}, budget=1).run()
    assert run.gone_wrong() == [4, 5]
    assert run.resumes
    assert run.at(4).state.happened == (("a rising loss", "loss rises from 1 to 1.5"),)  # type: ignore[attr-defined]
    assert run.kind(3).phase == "learn"


def test_a_recording_of_a_run_has_its_warnings(tmp_path: Path) -> None:
    def mine() -> Iterator[Any]:
        yield 1.0
        warnings.warn("too steep", RuntimeWarning, stacklevel=1)
        yield 2.0

    with warnings.catch_warnings(record=True):
        warnings.simplefilter("default")
        list(Recorder(tmp_path / "run.log").over(mine()))
    recorded = LoggedRun(tmp_path / "run.log")
    run = Timeline(recorded, recorded.datasets[0], {}).run()
    assert run.gone_wrong() == [2]
    assert "too steep" in recorded.notices[0]


@pytest.mark.parametrize("apart", [False, True])
def test_a_recording_of_a_file_has_the_events_of_its_run(tmp_path: Path, apart: bool) -> None:
    (tmp_path / "mine.py").write_text(
        "def mine():\n    for x in (4.0, 3.0, 2.0, 1.0, 1.5, float('nan')):\n        yield {'loss': x}\n"
    )
    algorithm = load(str(tmp_path / "mine.py"), apart=apart)
    run = on(Timeline(algorithm, algorithm.datasets[0]))
    recorder = Recorder.of(tmp_path / "run.log", algorithm, run.problem)
    for t in range(len(run)):
        recorder.keep(run.at(t).before, run.at(t).state, run.kind(t).line)
    recorder.end("it has ended")
    recorded = LoggedRun(tmp_path / "run.log")
    assert [(event.name, event.wrong) for event in recorded.events] == [
        *((e.name, e.wrong) for e in algorithm.events),
        (RESTART, False),
    ]
    again = Timeline(recorded, recorded.datasets[0]).run()
    assert again.gone_wrong() == run.gone_wrong() == [5, 6]
    assert gone_to(again) == [5, 6]


def test_a_mark_stands_on_the_timeline(monkeypatch: pytest.MonkeyPatch) -> None:
    from tui.widgets.track import Track

    track = Track()
    monkeypatch.setattr(Track, "size", property(lambda self: type("Size", (), {"width": 60, "height": 2})()))
    monkeypatch.setattr(Track, "palette", property(lambda self: DARK))
    player = Player(run_of(losses(9.0, 8.0, 7.0, 6.0, 6.5, 5.0, 4.0, 3.0, 2.0, 1.0)))
    track._player = player
    canvas = Canvas(60, 2, DARK.panel, DARK.ink)
    track.paint(canvas)
    column = 2 + round(5 / player.range * 55)
    assert "!" in "".join(map(chr, canvas.glyphs[0, column - 1 : column + 2]))


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_a_key_runs_on_to_what_goes_wrong_and_back(size: tuple[int, int], tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    values = "9.0, 8.0, 7.0, 6.0, 6.5, 5.0, 4.0, 3.0, 2.0, 1.0, float('nan'), 0.5"
    file.write_text(f"def mine():\n    for value in ({values}):\n        yield {{'loss': value}}\n")
    async with IterscopeApp(requested([str(file)]).opened).run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        for key, t in (("right_square_bracket", 5), ("right_square_bracket", 11), ("left_square_bracket", 5)):
            await pilot.press(key)
            await until(pilot, at(pilot, t))
