"""The timeline gives any state back, however little it may keep."""

import numpy as np

from algorithms import Algorithm, Dataset, Timeline
from algorithms.conformance.runs import STATES, ensure, ensure_same, recorded, spread, without_measures
from algorithms.core.state import same

_MEASURED = 40  # states whose hooks the timeline asks: other checks ask them at all states, and in a long run


def check_timeline(algorithm: Algorithm, data: Dataset) -> None:
    """Equal to the run at any index, with a tiny budget and with all it needs."""
    truth = recorded(algorithm, data)
    for each, most, budget in ((without_measures(algorithm), STATES, 1), (algorithm, _MEASURED, 1 << 40)):
        run = Timeline(each, data, budget=budget)
        while len(run) < most and not run.stopped:
            run.advance(min(50, most - len(run)))
        ensure(not run.troubles, f"a hook raised: {[t.what + ': ' + t.error for t in run.troubles]}")
        ensure(not (run.stopped and run.stopped.failed), f"the run failed: {run.stopped and run.stopped.reason}")
        states = truth.states[:most]
        ensure(len(run) == len(states), f"it recorded {len(run)} states of {len(states)}")
        n = len(run)
        back = range(n - 1, max(n - 12, -1), -1)
        places = [*back, *np.random.default_rng(0).permutation(spread(n, 25)).tolist()]
        for t in places:
            frame = run.at(t)
            ensure(run.resumes, f"a replay to step {t} did not give what the run gave")
            ensure_same(truth.states[t], frame.state, "given back: ")
            before = frame.before
            ensure((before is None) == (t == 0), f"the frame at {t} has no state before it")
            ensure(before is None or same(before, truth.states[t - 1]), f"before {t} stands another state")
            ensure(run.kind(t).phase == truth.states[t].phase, f"step {t} is noted as {run.kind(t).phase}")
