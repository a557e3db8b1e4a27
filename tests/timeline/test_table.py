"""The numbers of a run and of a sweep as arrays by name; how far long work has come, by callbacks and by tqdm."""

import sys
from importlib.machinery import ModuleSpec
from io import StringIO
from typing import Any

import numpy as np
import pytest

from algorithms import Refused, Timeline, export_numbers, sweep
from algorithms.timeline.table import Table


def lloyd() -> Timeline:
    return Timeline("lloyd", "faithful", {"k": 3}).run()


def test_a_table_has_the_columns_of_an_export(tmp_path):
    run = lloyd()
    table = run.table()
    with np.load(export_numbers(tmp_path / "run.npz", run), allow_pickle=False) as held:
        assert [held[name].tolist() for name in held.files][:3] == [
            table[n].tolist() for n in ("t", "iteration", "phase")
        ]
        for name, column in table.items():
            np.testing.assert_array_equal(held[name.replace("/", "_")], column)
    assert table["t"].tolist() == list(range(9))
    assert table.rows == 9
    assert table["objective"][3] == run.values(run[3])[0]
    assert np.isnan(table["objective"][0])
    assert set(table["T1"]) >= {"holds"}


def test_a_table_tells_how_far_it_is_and_is_ended_by_what_is_raised():
    told: list[float] = []
    lloyd().table(told.append)
    assert told == pytest.approx([i / 9 for i in range(1, 10)])

    def enough(share: float) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        lloyd().table(enough)


def test_a_table_is_a_line_a_dataframe_and_a_piece_of_markup():
    pandas = pytest.importorskip("pandas")
    table = lloyd().table()
    assert repr(table).startswith("<Table of 9 rows: t, iteration, phase, objective, ")
    frame = table.dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(table)
    assert frame.phase.tolist() == table["phase"].tolist()
    hostile = Table({"<b>": np.arange(40), "x": np.array(["<script>"] * 40)})
    markup = hostile._repr_html_()
    assert "<script>" not in markup
    assert "<b>" not in markup
    assert markup.count("<tr>") == 1 + 13, "the first six rows, a gap and the last six"
    assert markup.endswith("40 rows")


def test_without_pandas_a_sentence_says_what_to_do(monkeypatch):
    without(monkeypatch, "pandas")
    with pytest.raises(Refused, match="pandas, which is not installed: pip install pandas; the arrays are here"):
        lloyd().table().dataframe()


def without(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    from importlib import util

    usual = util.find_spec

    def find(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == missing else usual(name, package)

    for module in ("algorithms.timeline.table", "algorithms.core.painter"):
        monkeypatch.setattr(sys.modules[module], "find_spec", find)


def test_a_figure_without_matplotlib_is_refused_in_a_sentence(monkeypatch):
    without(monkeypatch, "matplotlib")
    run = lloyd()
    for figure in (run.figure, run[2].figure):
        with pytest.raises(Refused, match=r"matplotlib, which is not installed: pip install 'iterscope\[paper\]'"):
            figure()


def test_an_unthinned_curve_has_every_step():
    run = Timeline("gradient_descent", None, {"eta": 1e-5, "steps": 5_000})
    run.advance(4_400)
    (thin, _), (t, values) = run.curve("objective"), run.curve("objective", unthinned=True)
    assert len(thin) < len(t) == len(run) == 4_400
    assert t.tolist() == list(range(4_400))
    assert values[4321] == run.values(run[4321])[0]


def test_a_sweep_is_a_table_by_place():
    ends = sweep("lloyd", "iris", over={"seed": range(3), "k": [2, 3]}, jobs=1)
    table = ends.table()
    assert table["seed"].tolist() == [0, 0, 1, 1, 2, 2]
    assert table["k"].tolist() == [2, 3] * 3
    runs = sorted(ends, key=lambda run: run.place)
    assert table["objective"].tolist() == [run.values["objective"] for run in runs]
    assert table["steps"].tolist() == [run.steps for run in runs]
    assert table["reason"].tolist() == [run.reason for run in runs]
    assert not table["failed"].any()


def test_a_run_that_fails_in_a_sweep_has_a_row():
    table = sweep("lloyd", "rectangle", over={"k": [2, 100]}, jobs=1).table()
    assert table["failed"].tolist() == [False, True]
    assert np.isnan(table["objective"][1])


def test_a_sweep_tells_how_far_it_is():
    told: list[float] = []
    for _ in sweep("lloyd", "iris", over={"seed": range(4)}, jobs=1, progress=told.append):
        pass
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_a_run_tells_how_far_it_is_and_keeps_its_steps_when_it_is_ended():
    told: list[int] = []
    run = Timeline("lloyd", "faithful", {"k": 3}).run(told.append)
    assert told[-1] == run.last == 8

    def enough(last: int) -> None:
        raise KeyboardInterrupt

    endless = Timeline("perceptron", None, {"epochs": 100_000})
    with pytest.raises(KeyboardInterrupt):
        endless.run(enough)
    assert endless.stopped is None or endless.last > 0


def test_tqdm_shows_a_sweep_and_a_run():
    tqdm: Any = pytest.importorskip("tqdm").tqdm
    for work, total in (
        (sweep("lloyd", "iris", over={"seed": range(4)}, jobs=1), 4),
        (Timeline("lloyd", "faithful", {"k": 3}).going(5), 5),
    ):
        out = StringIO()
        assert sum(1 for _ in tqdm(work, file=out, mininterval=0)) == total
        assert f"{total}/{total}" in out.getvalue()
    run = Timeline("lloyd", "faithful", {"k": 3})
    out = StringIO()
    assert [frame.t for frame in tqdm(run.going(), file=out, mininterval=0)] == list(range(9))
    assert "9it" in out.getvalue(), "to the end, of which nobody knows how far it is"
    assert run.stopped is not None
    assert list(run.going(3)) == []
