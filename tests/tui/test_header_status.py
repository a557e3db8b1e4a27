"""How far a run has come, in the header's words."""

import pytest

from algorithms import Timeline
from algorithms.playback.cursor.player import Player
from tests.timeline.toys import DATA, declared, forgetful
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.widgets.header import paint_header, shorter_states, status


def test_the_distance_of_the_kept_steps_is_an_ordinal() -> None:
    algorithm = declared(forgetful, start_only=(), curves=(), theorems=())
    run = Timeline(algorithm, DATA, {"laps": 2_000}, budget=56_000).run()
    assert (run.resumes, run.stride) == (False, 32)
    assert status(Player(run)).endswith("every 32nd kept")


STANDING = "■ 4 steps/s   iteration 7   step 7 of 84, ended"
PLAYING = "▶ 4 steps/s   iteration 7   step 7 of 84, ended"


def line(title: str, data: str, state: str, columns: int, run: str = "") -> str:
    canvas = Canvas(columns, 1, DARK.panel, DARK.ink)
    paint_header(canvas, (title, run, data), ("eta 1", "bias no"), state, state[0] == "▶", DARK)
    return "".join(map(chr, canvas.glyphs[0]))


def test_of_a_run_that_stands_still_the_data_are_named_rather_than_the_speed() -> None:
    player = Player(Timeline(declared(forgetful, start_only=(), curves=(), theorems=()), DATA, {"laps": 20}).run())
    standing = status(player)
    assert "4 steps/s" in standing
    assert "steps/s" not in shorter_states(standing, False)[1]
    player.play()
    assert "4 steps/s" in shorter_states(status(player), True)[1], "of one that plays the speed is wanted"


def test_what_runs_on_what_and_the_step_are_there_at_every_size() -> None:
    titles = ("Multiclass SVM (Crammer and Singer)", "Learning a mean: Gaussian, prior and rows", "Naive Bayes")
    for title in titles:
        for data in ("emails, seed 7, 36 rows held out", "iris, petal_length_cm, petal_width_cm", "tiny"):
            for columns in range(64, 161):
                shown = line(title, data, STANDING, columns)
                assert title.split()[0].rstrip(":") in shown
                assert data.split()[0].rstrip(",") in shown, (title, columns)
                assert shown.rstrip().endswith("step 7 of 84, ended")
                assert "■" not in shown or "■ 4 steps/s" in shown, "a sign alone says nothing"


@pytest.mark.parametrize("columns", [100, 120, 160])
def test_iteration_and_first_parameter_are_there_however_long_the_name_of_the_data(columns: int) -> None:
    data = "prostate, lcavol, lweight, age, lbph, svi, lcp, gleason, pgg45, scaled, 24 rows held out"
    shown = line("Lasso by reweighted least squares", data, STANDING, columns)
    assert "iteration 7" in shown, shown
    assert "eta 1" in shown, shown
    assert "prostate" in shown, shown


def test_rows_held_out_are_named_before_what_else_there_is_to_say_of_the_data() -> None:
    data = "blobs, n 120, k 3, spread 1.5, 30 rows held out"
    shown = line("Multiclass SVM (Crammer and Singer)", data, STANDING, 120)
    assert "  blobs, n 120, k 3…, 30 rows held out  eta 1 " in shown
    assert " blobs…, 30 rows held out  " in line("Multiclass SVM (Crammer and Singer)", data, STANDING, 90)
    assert " wine, 53 rows held out  " in line("Random forest", "wine, 53 rows held out", STANDING, 84)
    assert " wine…  " in line("Random forest", "wine, 53 rows held out", STANDING, 64)


def test_a_title_is_cut_before_its_remark_and_data_after_a_word() -> None:
    shown = line("Multiclass SVM (Crammer and Singer)", "emails, seed 7, 36 rows held out", STANDING, 60)
    assert shown.startswith(" Multiclass SVM  emails…  eta 1  ")
    assert line("Perceptron", "blobs, n 80", PLAYING, 50).endswith("▶   step 7 of 84, ended ")
    assert line("Perceptron", "blobs, n 80", PLAYING, 66).endswith("▶ 4 steps/s   step 7 of 84, ended ")


def test_there_is_room_for_all_where_there_is_room() -> None:
    shown = line("Perceptron", "blobs, n 80", STANDING, 120, run="▸ eta 2")
    assert shown.split() == f"Perceptron ▸ eta 2 blobs, n 80 eta 1 bias no {STANDING}".split()
    assert shorter_states("step 10", False) == ["step 10"]
    assert line("", "blobs", "looking for it, esc stops   step 9", 60).strip().endswith("esc stops   step 9")
