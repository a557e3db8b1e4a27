"""What a run says of its end counts in what the screen counts: a step is a state, an iteration the algorithm's own."""

import re

import pytest

from algorithms import find
from tests.chosen import chosen

BOUNDED = [name for name in chosen() if any(p.name == "steps" and p.type is int for p in find(name).parameters)]


@pytest.mark.parametrize("name", BOUNDED)
def test_a_run_that_is_cut_off_names_the_step_or_the_iteration_that_was_the_last(name: str) -> None:
    algorithm = find(name)
    data = algorithm.datasets[0].load() if algorithm.needs.data else None
    run = algorithm.start(algorithm.problem(data, None, {**algorithm.settings[0], "steps": 3}))
    last = None
    while True:
        try:
            last = next(run)
        except StopIteration as end:
            reason = str(end.value)
            break
    assert last is not None
    for unit, number in re.findall(r"(step|iteration) (\d+) was the last", reason):
        assert int(number) == {"step": last.t, "iteration": last.iteration}[unit], reason
    if "last step" in reason or re.match(r"\d+ steps?,", reason):
        assert last.t == last.iteration, reason
