"""The timeline gives any state back, however little it may keep."""

import numpy as np

from algorithms import Algorithm, Dataset, Timeline
from algorithms.core.state import same
from tests.conformance.runs import STATES, described, difference, ensure, recorded, spread


def check_timeline(algorithm: Algorithm, data: Dataset) -> None:
    """Equal to the run at any index, with a tiny budget and with all it needs."""
    truth = recorded(algorithm, data)
    for budget in (1, 1 << 40):
        run = Timeline(algorithm, data, budget=budget)
        while len(run) < STATES and not run.stopped:
            run.advance(min(50, STATES - len(run)))
        ensure(not run.troubles, f"a hook raised: {[t.what + ': ' + t.error for t in run.troubles]}")
        ensure(not (run.stopped and run.stopped.failed), f"the run failed: {run.stopped and run.stopped.reason}")
        ensure(len(run) == len(truth.states), f"it recorded {len(run)} states of {len(truth.states)}")
        n = len(run)
        back = range(n - 1, max(n - 12, -1), -1)
        places = [*back, *np.random.default_rng(0).permutation(spread(n, 25)).tolist()]
        for t in places:
            frame = run.at(t)
            ensure(run.resumes, f"a replay to step {t} did not give what the run gave")
            ensure(
                same(frame.state, truth.states[t]),
                f"given back: {described(frame.state)}, {difference(truth.states[t], frame.state)}",
            )
            before = frame.before
            ensure((before is None) == (t == 0), f"the frame at {t} has no state before it")
            ensure(before is None or same(before, truth.states[t - 1]), f"before {t} stands another state")
            ensure(run.kind(t).phase == truth.states[t].phase, f"step {t} is noted as {run.kind(t).phase}")
