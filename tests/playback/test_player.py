"""The player: the cursor goes where it is asked to, forwards and back, and the clock moves it."""

import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from algorithms import Timeline, load
from algorithms.playback.cursor import player as module
from algorithms.playback.cursor.player import AHEAD_STEPS, SPEEDS, Goal, Player, beyond
from tests.tiny import TINY, Rows, tiny


def player(**parameters: Any) -> Player:
    return Player(Timeline(TINY, Rows().load(), parameters))


def worked(p: Player, times: int = 200) -> Player:
    for _ in range(times):
        if p.goal is None:
            break
        p.work(0.05)
    assert p.goal is None
    return p


def test_it_opens_on_the_first_step() -> None:
    assert player().t == 0


def test_steps_on_and_back() -> None:
    p = player()
    for _ in range(3):
        p.step(1)
        worked(p)
    assert p.t == 3
    p.step(-1)
    assert worked(p).t == 2
    assert p.frame.before is not None
    assert p.frame.before.t == 1


def test_back_from_the_first_step_stays_there() -> None:
    p = player()
    p.step(-1)
    assert worked(p).t == 0


def test_beyond_the_end_is_the_end() -> None:
    p = player(steps=12)
    p.seek(99)
    assert worked(p).t == 12
    assert p.at_end


def test_a_key_pressed_while_a_step_is_about_to_be_shown_counts() -> None:
    p = player()
    key = Thread(target=p.step, args=(1,))
    show = p._show

    def shown_while_a_key_is_pressed(frame: Any) -> bool:
        if not key.ident:
            key.start()
            key.join(0.2)  # as far as it comes
        return show(frame)

    p._show = shown_while_a_key_is_pressed  # type: ignore[method-assign]
    p.step(1)
    while not p.work(0.05):
        pass
    key.join()
    assert worked(p).t == 2


def test_a_key_pressed_while_a_step_is_being_made_counts() -> None:
    p = player()

    def found_while_a_key_is_pressed(run: Timeline) -> int | None:
        if len(run) < 3:
            return None
        p.seek(4)
        return 2

    p.goal = Goal("step 2", found_while_a_key_is_pressed, 2)
    while p.t != 2:
        p.work(1)
    assert worked(p).t == 4


def test_the_step_of_another_run_is_met_or_told_to_be_missing() -> None:
    p = player(steps=7)
    p.meet(5)
    assert (worked(p).t, p.notice) == (5, "")
    p.meet(9)
    assert (worked(p).t, p.notice) == (7, "step 9 is not there: this run ends at step 7")


def test_iterations() -> None:
    p = player()
    p.iteration(True)
    assert worked(p).t == 5
    p.step(2)
    worked(p)
    p.iteration(False)
    assert worked(p).t == 5
    p.iteration(False)
    assert worked(p).t == 0


def test_events_on_and_back() -> None:
    p = player()
    p.event(True)
    assert worked(p).t == 5
    p.event(True)
    assert worked(p).t == 10
    p.event(False)
    assert worked(p).t == 5
    p.event(False)
    assert p.t == 5
    assert "no marked event" in p.notice


def test_where_there_is_no_further_event_it_stays_and_says_so() -> None:
    p = player(steps=7)
    p.event(True)
    worked(p)
    p.event(True)
    assert worked(p).t == 5
    assert p.notice == "no marked event comes after step 5; the run ends at step 7"


def test_the_clock_moves_the_cursor_by_its_speed() -> None:
    p = player(steps=100)
    p.play()
    assert p.speed == 4
    p.tick(0.24)
    assert p.t == 0
    p.tick(0.02)
    assert p.t == 1
    p.tick(0.25)
    assert p.t == 2


def test_playing_ends_at_the_end_and_starts_over() -> None:
    p = player(steps=3)
    p.faster(3)
    p.play()
    for _ in range(20):
        p.tick(0.2)
    assert p.at_end
    assert not p.playing
    p.play()
    worked(p)
    assert p.t == 0
    assert p.playing


def test_as_fast_as_it_goes_comes_to_the_end() -> None:
    p = player(steps=5000)
    p.faster(len(SPEEDS))
    p.play()
    for _ in range(500):
        p.tick(0.03)
        if not p.playing:
            break
    assert p.t == 5000


def test_a_long_jump_takes_several_turns_and_can_be_given_up() -> None:
    p = player(steps=100_000)
    p.seek(100_000)
    p.work(0.0)
    assert p.goal is not None
    assert p.progress is not None
    assert 0 <= p.progress < 1
    assert p.cancel()
    assert p.goal is None
    assert p.t == 0


def test_a_short_run_is_computed_ahead_of_the_cursor() -> None:
    p = player(steps=100_000)
    for _ in range(300):
        p.tick(0.0)
    assert len(p.timeline) == AHEAD_STEPS
    assert p.t == 0


def test_how_far_a_run_is_computed_ahead_is_not_for_what_runs_beside_it_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AHEAD_SECONDS", 0.5)
    monkeypatch.setattr(module, "AHEAD_STEPS", 500)
    p = player(steps=100_000)
    advance = p.timeline.advance

    def when_others_let_it(steps: float, seconds: float, *, later: bool) -> int:
        time.sleep(0.06)
        return advance(min(steps, 25), seconds, later=later)

    monkeypatch.setattr(p.timeline, "advance", when_others_let_it)
    for _ in range(200):  # at once on a quiet machine; by the clock 8 steps of these would be all
        if len(p.timeline) == 500:
            break
        p.tick(0.0)
    assert len(p.timeline) == 500


def test_a_step_that_raises_leaves_what_was_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(data: Any, state: Any = None, **parameters: Any) -> Any:
        for later in tiny(data, state, **parameters):
            if later.t == 4:
                raise ZeroDivisionError("no way")
            yield later

    monkeypatch.setattr(TINY, "run", broken)
    p = player()
    p.seek(9)
    worked(p)
    assert p.t == 3
    assert p.timeline.stopped is not None
    assert p.timeline.stopped.failed
    p.step(-1)
    assert worked(p).t == 2


@pytest.mark.parametrize(
    ("t", "end"), [(0, 20), (19, 20), (20, 50), (60, 100), (990, 1000), (1000, 1500), (1999, 2000), (2700, 3000)]
)
def test_the_range_is_a_round_number_with_room(t: int, end: int) -> None:
    assert beyond(t) == end


def test_running_a_slow_run_to_its_end_shows_how_far_it_has_come(tmp_path: Path) -> None:
    path = tmp_path / "slow.py"
    path.write_text("import time\n\ndef mine():\n    for i in range(30):\n        time.sleep(0.01)\n        yield i\n")
    algorithm = load(str(path), apart=True)
    player = Player(Timeline(algorithm, algorithm.datasets[0], {}))
    player.to_end()
    on_the_way: set[int] = set()
    while player.goal is not None:
        player.tick(0.03, 0.02)
        on_the_way.add(player.t)
    assert player.t == player.timeline.last == 30
    assert len(on_the_way) > 3


def hidden(**parameters: object) -> Player:
    p = player(**parameters)
    p.show_as_seen()
    return p


def test_a_run_that_is_seen_so_far_is_not_computed_further() -> None:
    p = hidden(steps=200)
    assert not p.wants_work
    p.step(1)
    assert worked(p).t == p.seen == p.timeline.last == 1
    assert p.range == p.open_range == 10


def test_what_was_computed_on_the_way_to_an_event_is_not_seen() -> None:
    p = hidden(steps=200)
    p.event(True)
    assert worked(p).t == p.seen == 5
    p.step(-2)
    assert (worked(p).t, p.seen) == (3, 5)


def test_where_nothing_is_found_one_has_seen_no_more() -> None:
    p = hidden(steps=18)
    p.step(16)
    worked(p)
    p.event(True)
    assert p.work(10.0), "what was drawn on the way is taken back"
    assert p.t == p.seen == p.timeline.last == 16
    assert p.notice == "no marked event comes after step 16; the run ends at step 18"


def test_all_of_a_run_is_seen_at_its_end_or_when_it_is_asked_for() -> None:
    p = hidden(steps=20)
    p.to_end()
    assert (worked(p).t, p.seen, p.range) == (20, None, 20)
    p.seek(4)
    worked(p)
    p.hide_what_comes()
    assert (p.seen, p.range, p.timeline.stopped) == (4, 10, None)
    p.show_whole()
    assert (p.seen, p.timeline.last) == (None, 20)
