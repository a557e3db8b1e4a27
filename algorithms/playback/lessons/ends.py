"""Ends: many runs like that of a moment, over a parameter, and what they came to."""

from functools import cached_property

from algorithms.core import Refused
from algorithms.core.parameters import as_typed
from algorithms.core.text import counted
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.sweeps.request import SweepRequest, request
from algorithms.playback.sweeps.swept_runs import SweptRuns
from algorithms.sweeping import Columns, Plan, Sweep

_MOST = 200  # runs: they are made while one waits
_TOLD = 12  # runs that have a line each


class Ends:
    """The runs of a sweep that were made here, one after the other, when they are first asked for.

    Attributes:
        asked: what was asked for.
    """

    def __init__(self, asked: SweepRequest):
        self.asked = asked

    @cached_property
    def swept(self) -> SweptRuns:
        """Get the runs, all of them made."""
        return SweptRuns(self.asked, _MadeHere(self.asked.plan))

    @property
    def made(self) -> bool:
        """Tell whether the runs were made already."""
        return "swept" in vars(self)

    def number(self, curve: str, value: str) -> float:
        """Give the last value of a curve in the run of a value.

        Raises:
            Refused: where there is none.
        """
        asked, columns = self.asked, self.swept.columns
        places = [i for i in range(len(asked.plan)) if _same(asked.plan.parameters(i)[asked.over], value)]
        if not places:
            raise Refused(f"no run of the sweep has {asked.over} {value}")
        name = curve.strip('"')
        if name == "steps":
            return float(columns.steps[places[0]])
        if name not in columns.values:
            raise Refused(f"a sweep has no {curve}; it has steps, {', '.join(columns.values)}")
        return float(columns.values[name][places[0]])

    def faults(self) -> list[str]:
        """List the runs that failed, or have nothing to show, a sentence each."""
        swept = self.swept
        shown = set(swept.groups.places.tolist())
        return [swept.words(i) for i in range(len(swept.columns)) if swept.columns.failed[i] or i not in shown]

    def lines(self) -> list[str]:
        """Say what the runs came to: each of a few, all of many in one line."""
        swept, count = self.swept, len(self.asked.plan)
        if count <= _TOLD:
            return [f"{self.asked.curve}, {swept.words(i)}" for i in range(count)]
        return [f"{self.asked.curve} over {self.asked.over}, {counted(count, 'run')}: {swept.summary}"]


def ends_of(text: str, like: LoadedRun, curve: str) -> Ends:
    """Ask for the runs of an instruction: "eta 0.1 0.5 1", "seed 0:40".

    Args:
        curve: what is looked at of each; the first one if "".

    Raises:
        Refused: for values that will not do, or too many.
    """
    over, *values = text.split()
    if not values:
        raise Refused(f"over which values of {over}? as in sweep {over} 0.1 0.5 1")
    if not like.algorithm.curves:
        raise Refused(f"{like.algorithm.title} has no curve whose ends could be shown")
    parting = ";" if any("," in value for value in values) else ","
    asked = request(like, over, parting.join(values), 1, curve or like.algorithm.curves[0].name)
    if len(asked.plan) > _MOST:
        raise Refused(f"{counted(len(asked.plan), 'run')} are more than a lesson makes: {_MOST} at most")
    return Ends(asked)


def _same(value: object, text: str) -> bool:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(text) == value
        except ValueError:
            return False
    return as_typed(value) == text


class _MadeHere:
    """Runs that are made in this process, before anything is shown of them."""

    def __init__(self, plan: Plan):
        self.columns, self.running, self.refused = Columns(len(plan)), False, ""
        for run in Sweep(plan, jobs=1):
            self.columns.add(run.outcome)
        self._came = self.columns.done

    def take(self) -> int:
        """Have all of them come at the first look."""
        came, self._came = self._came, 0
        return came

    def cancel(self) -> None:
        """There is nothing to be given up."""
