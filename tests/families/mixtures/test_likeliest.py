"""The event of a Gaussian mixture, by which a question is answered: a row's likeliest component changes."""

from itertools import pairwise

from algorithms import find
from algorithms.data import iris

MIXTURE = find("gaussian_mixture")


def test_a_row_s_likeliest_component_changes_where_its_greatest_share_is_another_s() -> None:
    (event,) = [event for event in MIXTURE.events if event.name == "a row's likeliest component changes"]
    states = list(MIXTURE(iris.load(), k=4, iterations=30))
    said, seen = [], []
    for before, after in pairwise(states):
        said.append(event.happened(before, after))
        first = after.iteration == 1 or after.phase != "expect"  # where there are no shares to be others than before
        own = (state.responsibilities.argmax(axis=1) for state in (before, after))
        seen.append(not first and bool((next(own) != next(own)).any()))
    assert said == seen
    assert 0 < sum(said) < sum(state.phase == "expect" for state in states) - 1
