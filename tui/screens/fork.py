"""The form of a fork: what is to differ in a second run that begins at a step of this one."""

from typing import Any

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, Static

from algorithms.core.text import clean
from algorithms.timeline import Timeline
from algorithms.timeline.branches import Branch, Branches, Change
from tui.screens.form_preview import FormPreview
from tui.screens.parameters import ParameterForm
from tui.widgets.field import Field


class Fork(ParameterForm[tuple[Change, str]]):
    """Asks which parameters are to have other values from a step on, and how the run is to be called.

    Args:
        branches: the runs there are.
        branch: the one to be forked.
        at: a step it has come to.
        preview: where the fork is seen, if it is.
    """

    hint = f"{ParameterForm.turns}   enter starts the run   esc leaves it"

    def __init__(self, branches: Branches, branch: Branch, at: int, preview: FormPreview | None = None):
        run = branch.timeline
        self._begin = run.nearest_entry(at)
        self._branches, self._at, self._run = branches, at, run
        problem, algorithm = run.problem_at(self._begin), run.algorithm
        locked = frozenset(p.name for p in algorithm.parameters if p.start_only)
        super().__init__(algorithm, problem.data, problem.parameters, preview, locked)
        self.heading = f"Fork at step {self._begin:,}"

    def body(self) -> list[Widget]:
        return [Static(Content(self._words()), classes="words"), *super().body()]

    def more_cells(self) -> list[Widget]:
        name = Field(id="name", placeholder="by what differs", compact=True)
        return [Horizontal(Label(Content("name")), name, classes="field")]

    def _words(self) -> str:
        begin = self._begin
        words = f"A second run goes on from the state of step {begin:,}; the one in hand stays."
        if begin != self._at:
            here, there = (clean(self._run.kind(t).phase) for t in (self._at, begin))
            words += f" After {here} (step {self._at:,}) no change is sound: it begins at the last {there} before."
        if any(theorem.about == "run" for theorem in self._algorithm.theorems):
            words += " Theorems about a whole run fall silent in it."
        if self._locked:
            fixed = [p.name for p in self._algorithm.parameters if p.name in self._locked]
            settle = "it settles" if len(fixed) == 1 else "they settle"
            words += f" Fixed, as {settle} how a run starts: {', '.join(fixed)}."
        return words

    def result(self, differing: dict[str, Any]) -> tuple[Change, str]:
        name = self.query_one("#name", Input).value.strip()
        if name:
            self._branches.check_name(name)
        return Change(parameters=differing), name

    def take(self) -> None:
        result = self.check()
        if result is not None and not result[0].parameters:
            self.complain("Nothing differs yet: give a parameter another value.")
        elif result is not None:
            self.dismiss(result)


def why_no_fork(run: Timeline) -> str:
    """Tell why a run cannot be forked, "" where it can."""
    if not run.resumes:
        return "no fork: this run keeps what it goes on from to itself; a generator that takes a state has forks"
    return "" if run.algorithm.parameters else "no fork: this algorithm has no parameters that could be changed"
