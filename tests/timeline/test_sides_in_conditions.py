"""Sides of theorems in conditions and values."""

import pytest

from algorithms import Timeline, conditions
from algorithms.core.search import theorem_named
from algorithms.timeline.conditions.moment import moment_at

RUN = Timeline("gaussian_mixture", "faithful", {"k": 2}).run()
NEVER_FALLS = 'side 2 of "the log-likelihood never falls"'


def of(text: str, t: int, run: Timeline = RUN) -> object:
    moment = moment_at(run, t)
    assert moment is not None
    return conditions.parsed_value(text, run, fields=False).of(moment)


def test_a_side_is_what_the_theorem_says_of_the_step() -> None:
    verdict = RUN.verdicts(RUN.at(3))[theorem_named(RUN.algorithm, "the log-likelihood never falls")]
    assert verdict.sides is not None
    assert of(NEVER_FALLS, 3) == verdict.sides.values[1]
    assert of('side 1 of "The log-likelihood NEVER falls" + 1', 3) == verdict.sides.values[0] + 1
    assert of('side 3 of "never falls"', 3) is None  # there are two
    assert of(NEVER_FALLS, 0) is None  # it compares with the step before


def test_a_side_is_compared_with_the_step_before() -> None:
    rises = conditions.parse(f"{NEVER_FALLS} rises", RUN)
    measured = {t: of(NEVER_FALLS, t) for t in range(1, 8)}
    assert [t for t in range(2, 8) if rises.holds(RUN, t)] == [t for t in range(2, 8) if measured[t] > measured[t - 1]]  # type: ignore[operator]
    assert any(rises.holds(RUN, t) for t in range(2, 8))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('side 0 of "never falls"', "sides are counted from 1"),
        ("side 1 of falls", "a theorem is wanted in quotes"),
        ('side 1 of "no such"', "has no theorem with 'no such' in it; there are: the log-likelihood never falls;"),
        ('side 1 of "after"', "theorems of Gaussian mixture"),
        ("log_likelihood", "there is no 'log_likelihood'"),  # after an M step it is still that of E
        ('"mean log-likelihood" 3', "'3' does not go on from here"),
    ],
)
def test_what_is_no_value_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(conditions.Unreadable, match="character") as refused:
        conditions.parsed_value(text, RUN, fields=False)
    assert said in str(refused.value)
