"""All checks of one algorithm, one after another, as who writes it sees them."""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from algorithms import Algorithm, Dataset, Recipe
from algorithms.conformance import ON_ALL_DATA, ON_ITSELF, ON_MANY_RUNS, ON_STATES, ON_WHAT_IS_SHOWN
from algorithms.conformance.samples import thinned, with_settings


class Outcome(Struct, frozen=True):
    """How one check went.

    Attributes:
        check: what every algorithm keeps to, in a sentence.
        on: the data, "" where it is about the declaration or all of the data.
        wrong: what is wrong, "" where nothing is.
    """

    check: str
    on: str
    wrong: str


def checked(algorithm: Algorithm) -> Iterator[Outcome]:
    """Make every check, and yield how it went.

    Its file may name what no run of it can show: `SILENT = {statement: why}` for theorems without numbers all along the
    run that opens, and `PLANTED = {statement: what breaks it}` for those that no small change of a state breaks.
    """
    yield from (_outcome(partial(check, algorithm), check, "") for check in ON_ITSELF)
    data = [source.load() for source in algorithm.datasets] if algorithm.needs.data else [Dataset.none]
    rows = [data[0], *map(thinned, data[1:])]
    for each, one in with_settings(algorithm, rows):
        yield from (_outcome(partial(check, each, one), check, one.name) for check in (*ON_STATES, *ON_WHAT_IS_SHOWN))
    each, one = with_settings(algorithm, [thinned(data[0])])[0]
    yield from (_outcome(partial(check, each, one), check, one.name) for check in ON_MANY_RUNS)
    held_out = [source.with_(hold_out=0.25).load() for source in algorithm.datasets[:1] if isinstance(source, Recipe)]
    besides = _besides(algorithm)
    for check in ON_ALL_DATA:
        yield _outcome(
            partial(check, algorithm, [*rows, *held_out], **besides.get(check.__name__, {})), check, "all of its data"
        )


def _besides(algorithm: Algorithm) -> Mapping[str, Mapping[str, Any]]:
    """Get what its file says of single checks, by their names."""
    said = vars(sys.modules.get(algorithm.run.__module__, sys))
    return {
        "check_can_fail": {"planted": said.get("PLANTED", {})},
        "check_theorems_speak": {"silent": said.get("SILENT", {})},
    }


def _outcome(make: Callable[[], object], check: Callable[..., object], on: str) -> Outcome:
    keeps = (check.__doc__ or check.__name__).strip().split("\n")[0]
    try:
        make()
    except AssertionError as wrong:
        return Outcome(keeps, on, str(wrong) or "it does not hold")
    except Exception as error:  # what the algorithm itself raises is one more thing that is wrong with it
        return Outcome(keeps, on, f"it raised {type(error).__name__}: {error}")
    return Outcome(keeps, on, "")
