"""Many runs: the same numbers in one process and in workers, in any order; what fails is a run that says why."""

import math
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from algorithms import Dataset, Refused, Timeline, datasets, find, sweep
from algorithms.sweeping import Plan
from tests.patience import LONG
from tests.sweeping.runs import own_process, to_the_bit
from tests.tiny import TINY

ROWS = {"k": 3, "start": "rows"}


def lloyd(over, **settings):
    return sweep("lloyd", datasets.iris, over=over, **({} if "k" in over else {"k": 3}), start="rows", **settings)


def test_workers_give_what_one_process_gives_to_the_bit():
    over = {"seed": range(12), "k": (2, 3)}
    alone, together = lloyd(over, jobs=1), lloyd(over, jobs=2)
    one = to_the_bit(alone)
    assert one == to_the_bit(together)
    assert len(one) == len(alone) == alone.done == together.done == 24


def test_the_two_minima_of_lloyd_on_irises():
    ends = [run.values["objective"] for run in lloyd({"seed": range(12)}, jobs=1)]
    assert min(ends) == pytest.approx(78.85, abs=0.01)
    assert max(ends) > 142


def test_a_run_is_opened_as_it_was():
    for run in lloyd({"seed": range(3)}, jobs=1):
        timeline = run.open()
        assert timeline.last == run.steps
        assert timeline.stopped.reason == run.reason
        assert timeline.curve("objective")[1][-1].hex() == run.values["objective"].hex()
        assert timeline.parameters["seed"] == run.parameters["seed"]


def test_combinations_change_the_last_parameter_fastest():
    plan = Plan.of("lloyd", datasets.iris, {}, {"k": "2,3", "seed": "0:3"})
    assert [tuple(plan.parameters(i).values()) for i in range(len(plan))] == [
        (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2),
    ]  # fmt: skip


def test_a_run_stops_where_it_is_asked_to():
    (run,) = lloyd({"seed": [0]}, jobs=1, until=2)
    assert (run.steps, run.reason) == (2, "stopped at step 2, as asked")
    assert run.open().last == 2


def test_data_are_drawn_anew_from_their_truth():
    runs = sweep("stochastic_gradient", datasets.line, over={"data.seed": "0:2", "data.noise": "0.5,1"}, jobs=2)
    seen = {tuple(run.parameters.values()): run.values["training loss"] for run in runs}
    assert set(seen) == {(0, 0.5), (0, 1), (1, 0.5), (1, 1)}
    assert len(set(seen.values())) == 4
    own = Timeline(find("stochastic_gradient"), datasets.line.with_(seed=1, noise=1)).run()
    assert own.curve("training loss")[1][-1] == seen[1, 1]


def test_rows_that_no_recipe_makes_go_along():
    X = np.random.default_rng(0).normal(size=(400, 2))
    data = Dataset(X, name="drawn")
    alone = to_the_bit(sweep("lloyd", data, over={"seed": range(4)}, jobs=1, k=4))
    assert alone == to_the_bit(sweep("lloyd", data, over={"seed": range(4)}, jobs=2, k=4))


def test_a_measure_of_ones_own_is_worked_out_where_the_run_is():
    seen = {run.values["process"] for run in lloyd({"seed": range(8)}, jobs=2, measure={"process": own_process})}
    assert seen
    assert os.getpid() not in seen


def test_a_measure_that_raises_is_no_number():
    def broken(problem, state):
        raise KeyError("nothing there")

    (run,) = lloyd({"seed": [0]}, jobs=1, measure={"broken": broken})
    assert math.isnan(run.values["broken"])
    assert run.outcome.troubles == ("broken: KeyError: 'nothing there'",)
    assert not run.failed


def test_what_does_not_go_together_is_a_run_that_failed_and_the_others_come():
    runs = {run.parameters["k"]: run for run in sweep("lloyd", Dataset(np.eye(4)), over={"k": (2, 60)}, jobs=1)}
    assert not runs[2].failed
    assert runs[60].failed
    assert "60" in runs[60].reason


FILE = """
    import os, sys

    def halving(start: float = 8.0, seed: int = 0):
        while start > 1:
            if seed == 1: raise ValueError("one is not halved")
            if seed == 2: sys.exit("enough")
            if seed == 3: os._exit(3)
            yield {"x": start}
            start /= 2
        return "small"
"""


@pytest.fixture
def halving(tmp_path):
    file = tmp_path / "halving.py"
    file.write_text(textwrap.dedent(FILE))
    return str(file)


def test_a_file_of_ones_own_fails_in_words_and_takes_no_other_run_with_it(halving):
    runs = {run.parameters["seed"]: run for run in sweep(halving, over={"seed": "0:6"}, jobs=2)}
    assert sorted(runs) == [0, 1, 2, 3, 4, 5]
    assert runs[1].reason == "ValueError: one is not halved, in line 6"
    assert runs[2].reason == "SystemExit: enough, in line 7"
    assert "its worker ended" in runs[3].reason
    assert [run.failed for run in runs.values()].count(True) == 3
    assert all(runs[seed].values == {"x": 2.0} and runs[seed].reason == "small" for seed in (0, 4, 5))


def test_a_worker_that_is_killed_loses_no_run():
    over = {"seed": range(60)}
    whole, killed = {}, 0
    for run in lloyd(over, jobs=2, measure={"process": own_process}):
        whole |= to_the_bit([run], "process")
        if len(whole) in (5, 25):
            killed += 1
            os.kill(int(run.values["process"]), signal.SIGKILL)
    assert killed == 2
    assert whole == to_the_bit(lloyd(over, jobs=1))


def test_leaving_half_way_ends_the_workers():
    runs = iter(lloyd({"seed": range(10_000)}, jobs=2, measure={"process": own_process}))
    processes = {int(next(runs).values["process"]) for _ in range(6)}
    runs.close()
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@pytest.mark.parametrize(
    ("over", "settings", "words"),
    [
        ({"q": [1]}, {}, "there is no parameter 'q'; there are k, start, seed, sweeps"),
        ({"k": [0]}, {}, "k = 0 will not do: it must be a whole number, 1 <= k <= 100"),
        ({"k": [2], "seed": [0]}, {"k": 3}, "k is fixed at 3 and swept over, too"),
        ({}, {}, "say what to sweep over"),
        ({"data.q": [1]}, {}, "iris takes no 'q'"),
        ({"scale": [True]}, {}, r"Of the data it is data\.scale"),
        ({"seed": [1]}, {"jobs": 0}, "jobs = 0 will not do"),
    ],
)
def test_wrong_words_are_refused_before_the_first_run(over, settings, words):
    with pytest.raises(Refused, match=words):
        sweep("lloyd", datasets.iris, over=over, **settings)


def test_an_algorithm_that_no_other_process_finds_is_refused():
    own = TINY.with_defaults()
    assert len(list(sweep(own, over={"eta": [0.1]}, jobs=1))) == 1
    with pytest.raises(Refused, match="another process cannot find"):
        list(sweep(own, over={"eta": [0.1, 0.2]}, jobs=2))


def test_a_declaration_at_the_top_of_a_module_is_found_by_its_name():
    alone, together = (sweep(TINY, over={"eta": [0.1, 0.2]}, jobs=jobs) for jobs in (1, 2))
    assert to_the_bit(alone) == to_the_bit(together)


def test_joblib_and_dask_are_not_imported_before_there_is_a_sweep():
    code = "import sys, algorithms, algorithms.__main__; print(sorted({'joblib', 'distributed'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert done.stdout == "[]\n"


def test_curves_are_kept_when_asked_for_the_same_in_workers():
    over = {"seed": range(3)}
    alone = {run.place: run for run in lloyd(over, jobs=1, curves=["objective"])}
    together = {run.place: run for run in lloyd(over, jobs=2, curves=("objective",))}
    for place, run in alone.items():
        t, values = run.curve("objective")
        assert [c.tobytes() for c in (t, values)] == [c.tobytes() for c in together[place].curve("objective")]
        whole = run.open().curve("objective")
        assert [c.tolist() for c in whole] == [t.tolist(), values.tolist()]  # a short run has all of it
        assert values[-1].hex() == run.values["objective"].hex()
        with pytest.raises(Refused, match="no kept curve 'rows moved'; there is objective"):
            run.curve("rows moved")
    (every,) = lloyd({"seed": [0]}, jobs=1, curves=True)
    assert set(every.outcome.curves) == {curve.name for curve in find("lloyd").curves}
    (none,) = lloyd({"seed": [0]}, jobs=1)
    assert none.outcome.curves == {}


def test_curves_of_a_long_run_are_few_and_end_with_its_last_step():
    (run,) = sweep("gradient_descent", over={"eta": [1e-5]}, steps=5_000, jobs=1, curves="objective")
    t, values = run.curve("objective")
    assert 64 < len(t) < 1_000
    assert t[-1] == run.steps
    assert len(t) == len(values) == len(set(t.tolist()))


def test_a_curve_that_there_is_not_is_refused_before_the_first_run():
    with pytest.raises(Refused, match=r"no curve 'objectiv'.*Did you mean objective\?"):
        lloyd({"seed": [0]}, curves=["objectiv"])


def test_a_generators_own_numbers_are_kept(tmp_path):
    (tmp_path / "mine.py").write_text("def mine(n=3):\n    for i in range(n):\n        yield {'loss': i / n}\n")
    runs = list(sweep(str(tmp_path / "mine.py"), over={"n": [2, 4]}, jobs=1, curves=True))
    assert [run.curve("loss")[1].tolist() for run in runs] == [[0.0, 0.5], [0.0, 0.25, 0.5, 0.75]]
