"""Runs of SMO that its tests share."""

from algorithms import Timeline, find
from algorithms.core import Dataset
from algorithms.data import blobs, moons
from algorithms.toolbox.kernels import kernel_in_use
from tests.families.ends import end_of

SMO = find("smo")
SIGNS = ("-", "+")
TWO = Dataset([[1.0], [-1.0]], [1, 0], classes=SIGNS)
XOR = Dataset([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]], [0, 0, 1, 1], classes=SIGNS)
MOONS, BLOBS = moons.load(), blobs.with_(n=60, margin=0.5).load()
OVERLAPPING = blobs.with_(n=80).load()


def problem_of(data, **parameters):
    """Without pruning, unless it is asked for: most of what is tested is the run on all rows."""
    return SMO.problem(data, None, {"prune": False, **parameters})


def states_of(data, **parameters):
    return list(SMO.start(problem_of(data, **parameters)))


def solved(data, **parameters):
    """The problem, the last state and the reason why it is the last."""
    problem = problem_of(data, **parameters)
    return problem, *end_of(SMO.start(problem))


def run_of(data, **parameters):
    return Timeline(SMO, data, {"prune": False, **parameters}).run()


def fresh_of(problem, state):
    data = problem.data
    return data.signs - kernel_in_use(problem)(data.X, data.X) @ (state.alpha * data.signs)
