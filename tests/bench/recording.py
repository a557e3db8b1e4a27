"""What a state costs over a bare loop, and what the timeline costs over the states."""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tests.bench.ratio import ratio
from tests.bench.row import Figures, Result, below

_STEPS = 20_000
_RECORDED = 200_000
_LONG = 1_000_000
_MANY = 270_000


def bare_perceptron(z: Any, steps: int) -> Iterator[int]:
    """The mathematics of the perceptron and its counters, yielding a number a row."""
    n, w = len(z), z[0] * 0.0
    row, epoch, mistakes, clean = -1, 0, 0, 0
    for t in range(steps):
        row = (row + 1) % n
        epoch += row == 0
        if z[row] @ w <= 0:
            w = w + z[row]
            mistakes, clean = mistakes + 1, 0
        else:
            clean += 1
        yield t


def state_perceptron(z: Any, steps: int) -> Iterator[Any]:
    """The same with a state a row."""
    from algorithms.families.linear.perceptron.algorithm import PerceptronState

    n, state = len(z), PerceptronState(w=z[0] * 0.0)
    for _ in range(steps):
        row = (state.row + 1) % n
        epoch = state.iteration + (row == 0)
        if z[row] @ state.w <= 0:
            state = state.after(
                "mistake", w=state.w + z[row], row=row, iteration=epoch, mistakes=state.mistakes + 1, clean=0
            )
        else:
            state = state.after("correct", row=row, iteration=epoch, clean=state.clean + 1)
        yield state


def _rows() -> Any:
    """Two classes that no line separates, so that every second row or so is a mistake."""
    import numpy as np

    from algorithms import Dataset

    rng = np.random.default_rng(0)
    return Dataset(rng.normal(size=(1000, 2)), rng.integers(0, 2, 1000), name="noise")


def _drain(run: Any, steps: int) -> None:
    for _ in islice(run, steps):
        pass


def states() -> Iterator[Result]:
    """A state over the bare loop; half of the rows are mistakes, and bring an array."""
    from algorithms.families.linear.perceptron.algorithm import signed_rows

    z = signed_rows(_rows(), True)
    found = ratio(
        lambda: _drain(state_perceptron(z, _STEPS), _STEPS), lambda: _drain(bare_perceptron(z, _STEPS), _STEPS)
    )
    yield Result("the bare loop, a row", f"{found.theirs / _STEPS * 1e6:.3g} µs")
    yield below("a state over it", found.over / _STEPS * 1e6, 1.3, "µs")


def timeline_over_states() -> Iterator[Result]:
    """Recording over draining the generator, without curves or theorems, which cost what they cost."""
    from algorithms import Timeline, find

    perceptron, data = find("perceptron"), _rows()
    bare = _without_hooks(perceptron)
    found = ratio(
        lambda: Timeline(bare, data, {"epochs": 100_000}).advance(_RECORDED),
        lambda: _drain(perceptron(data, epochs=100_000), _RECORDED),
    )
    yield Result("the perceptron's own steps, a state a row", f"{found.theirs / _RECORDED * 1e6:.3g} µs")
    yield below("the timeline over it, a step", found.over / _RECORDED * 1e6, 2.0, "µs")


def _without_hooks(algorithm: Any) -> Any:
    import copy

    bare = copy.copy(algorithm)
    bare.curves, bare.theorems = (), ()
    return bare


def to_a_file() -> Iterator[Result]:
    """What it costs to record a state to a file, and to read it; a state a row, half of them with a new array."""
    import tempfile

    import numpy as np

    from algorithms import Recorder, Timeline, find
    from algorithms.families.linear.perceptron.algorithm import signed_rows
    from algorithms.saving.runlog import LoggedRun

    steps = _STEPS // 4
    z, data = signed_rows(_rows(), True), _rows()
    states = list(state_perceptron(z, steps))
    wide = [{"t": t, "w": row} for t, row in enumerate(np.random.default_rng(0).random((steps // 10, 2_000)))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.log"

        def written(things: Any) -> None:
            with Recorder(path, overwrite=True) as recorder:
                for thing in things:
                    recorder.write(thing)

        def kept() -> None:
            perceptron = find("perceptron")
            bare = _without_hooks(perceptron)
            with Recorder.of(path, bare, perceptron.problem(data), overwrite=True) as recorder:
                for before, state in zip([None, *states], states):
                    recorder.keep(before, state, 1)

        def read() -> None:
            recorded = LoggedRun(path)
            Timeline(recorded, recorded.datasets[0]).run()

        draw = np.random.default_rng(0)
        ten, vectors = draw.random((steps, 10)), draw.random((steps, 200))

        def ten_yielded() -> Iterator[Any]:
            for row in ten:
                a, b, c, d, e, f, g, h, i, j = row.tolist()
                yield {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "g": g, "h": h, "i": i, "j": j}

        def vector_yielded() -> Iterator[Any]:
            for t, w in enumerate(vectors):
                yield {"t": t, "w": w}

        def over(yields: Any) -> None:
            _drain(Recorder(path, overwrite=True).over(yields()), steps + 1)

        def microseconds(work: Any) -> float:
            return ratio(work, lambda: None).ours / steps * 1e6

        for what, yields, wrote, target in (
            ("ten floats", ten_yielded, 25, 40),
            ("a vector of 200", vector_yielded, 60, 90),
        ):
            spent = microseconds(partial(written, list(yields())))
            yield below(f"a step of {what} written", spent, wrote, "µs")
            yield below("the same `over` a generator", microseconds(partial(over, yields)), target, "µs")
        for what, work, count in (
            ("a state of one's own written", lambda: written(states), steps),
            ("one with 2,000 new numbers written", lambda: written(wide), len(wide)),
            ("a state of an algorithm written, without its curves and theorems", kept, steps),
            ("the same read into a timeline", read, steps),
        ):
            seconds = ratio(work, work).ours
            yield Result(what, f"{seconds / count * 1e6:.3g} µs, {path.stat().st_size / count:,.0f} bytes")


def large_file() -> Iterator[Result]:
    """A recording of 500 MB: opened, and any step of it gone to before the others were looked at."""
    import random
    import tempfile
    from statistics import median
    from time import perf_counter

    import numpy as np

    from algorithms import Recorder, Timeline
    from algorithms.saving.runlog import LoggedRun

    vectors = np.random.default_rng(0).random((1000, 200))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.log"
        with Recorder(path) as recorder:
            for t in range(_MANY):
                recorder.write({"loss": 1 / (t + 1), "w": vectors[t % 1000] * (1 + t / 7)})
        began = perf_counter()
        recorded = LoggedRun(path)
        run: Timeline[Any] = Timeline(recorded, recorded.datasets[0])
        run.advance(1)
        run.leap()
        opened = (perf_counter() - began) * 1e3
        draw, taken = random.Random(0), []
        for t in (draw.randrange(_MANY) for _ in range(500)):
            began = perf_counter()
            frame = run.at(t)
            taken.append((perf_counter() - began) * 1e3)
            assert frame.state.get("loss") == 1 / (t + 1)
        yield Result("bytes", f"{path.stat().st_size / 1e6:,.0f} MB")
        yield Result("opened, its length known", f"{opened:.3g} ms, {len(run):,} steps")
        yield below("any step, median", median(taken), 100, "ms")
        yield below("any step, slowest of 500", max(taken), 100, "ms")


def long_run() -> Iterator[Result]:
    """A million steps of the perceptron in a process of its own."""
    command = [sys.executable, "-c", "from tests.bench.recording import long_run_here; long_run_here()"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = json.loads(said)
    yield Result(f"{_LONG:,} steps recorded, with curves and theorems", f"{found['seconds']:.3g} s")
    yield below("the process at its largest", found["megabytes"], 256, "MB")
    yield Result("kept states", f"{found['kept']:,}")
    yield below("any step back, median", found["seek_median"], 50, "ms")
    yield below("any step back, slowest of 1,000", found["seek_worst"], 50, "ms")
    yield below("one step back, median", found["back_median"], 1, "ms")
    yield below("one step back, slowest of 5,000", found["back_worst"], 50, "ms")
    yield Result("steps looked at, equal bit for bit", "yes" if found["equal"] else "no", "yes", found["equal"])


def long_run_here() -> None:
    """Measure in this process, and print what was found as JSON."""
    import random
    from statistics import median
    from time import perf_counter

    from algorithms import Timeline, find
    from algorithms.core.state import same

    perceptron, data = find("perceptron"), _rows()
    run = Timeline(perceptron, data, {"epochs": 100_000})
    began = perf_counter()
    run.advance(_LONG)
    seconds = perf_counter() - began
    draw = random.Random(0)
    places = [draw.randrange(_LONG) for _ in range(1000)]

    def timed(t: int) -> float:
        start = perf_counter()
        run.at(t)
        return (perf_counter() - start) * 1e3

    seeks = [timed(t) for t in places]
    back = [timed(t) for t in range(600_000, 595_000, -1)]
    wanted = set(places)
    truth = perceptron(data, epochs=100_000)
    equal = all(same(state, run.at(t).state) for t, state in enumerate(islice(truth, _LONG)) if t in wanted)
    print(
        json.dumps(
            {
                "seconds": seconds,
                "megabytes": _peak(),
                "kept": run.kept,
                "seek_median": median(seeks),
                "seek_worst": max(seeks),
                "back_median": median(back),
                "back_worst": max(back),
                "equal": equal,
            }
        )
    )


def searching() -> Iterator[Result]:
    """A million recorded steps searched for what never holds, backwards over forwards."""
    from algorithms import Timeline, conditions, find

    perceptron, data = find("perceptron"), _rows()
    run = Timeline(_without_hooks(perceptron), data, {"epochs": 100_000})
    run.advance(_LONG)
    for what, text in (("the log", "mistake and correct"), ("the states", "mistakes < 0")):
        condition = conditions.parse(text, perceptron, data)
        found = ratio(
            lambda c=condition: conditions.Search(run, c, run.last, forward=False).work(),  # type: ignore[misc]
            lambda c=condition: conditions.Search(run, c, 0).work(limit=run.last),  # type: ignore[misc]
        )
        yield Result(f"{_LONG:,} steps forwards, by {what}", f"{found.theirs:.3g} s")
        yield below(f"backwards over forwards, by {what}", found.value, 1.5, "times")


def _peak() -> float:
    """The most memory that this process has had, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # what `getrusage` tells there may be the parent's
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 2**10
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


RECORDING = (
    Figures("what a state costs", states),
    Figures("what the timeline costs", timeline_over_states),
    Figures("what a recording in a file costs", to_a_file),
    Figures("a recording of 500 MB", large_file),
    Figures("a timeline of a million steps", long_run),
    Figures("searching a million steps", searching),
)
