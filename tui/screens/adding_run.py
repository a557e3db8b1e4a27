"""Putting a further run beside others: where there are as many as there can be, which one gives its place."""

from collections.abc import Callable, Sequence

from textual.app import App
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static

from algorithms.playback.comparison.compared_run import LETTERS, MOST, ComparedRun, distinct
from tui.screens.asking import Dialog
from tui.widgets.options import Line, Options, chosen


class GivePlace(Dialog[int]):
    """Offers the runs that are compared, and gives the one that another is to replace."""

    heading = "Which run gives its place?"
    hint = "↑ ↓ choose   enter puts the other one there   esc leaves it"

    def __init__(self, compared: Sequence[ComparedRun], run: ComparedRun):
        super().__init__()
        *self._compared, self._new = distinct([*compared, run])

    def body(self) -> list[Widget]:
        words = f"{MOST} runs stand beside each other at most. What comes in is: {self._new}."
        lines = (f"{letter}  {name}" for letter, name in zip(LETTERS, self._compared))
        return [
            Static(Content(words), classes="words"),
            Options(*(Line(line, i) for i, line in enumerate(lines)), id="others"),
        ]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(chosen(event))


class RunsThere(Dialog[ComparedRun]):
    """Lists all runs that there are, those that are compared with their letters; gives one.

    Args:
        runs: all runs.
        compared: those that are compared.
    """

    heading = "Runs"
    hint = "↑ ↓ choose   enter puts it in, or in hand   esc leaves it"

    def __init__(self, runs: Sequence[ComparedRun], compared: Sequence[ComparedRun]):
        super().__init__()
        self._runs = tuple(runs)
        self._letters = {id(run.timeline): letter for letter, run in zip(LETTERS, compared)}

    def body(self) -> list[Widget]:
        lines = [
            f"{self._letters.get(id(run.timeline), ' ')}  {name}" for run, name in zip(self._runs, distinct(self._runs))
        ]
        listed = Options(*(Line(line, run) for line, run in zip(lines, self._runs)), id="others")
        if len(self._letters) < len(self._runs):
            return [listed]
        words = "All runs there are stand beside each other: f forks the one in hand, C makes others."
        return [Static(Content(words), classes="words"), listed]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(chosen(event))


def add_run(
    app: App[None], compared: Sequence[ComparedRun], run: ComparedRun, then: Callable[[list[ComparedRun], int], None]
) -> None:
    """Put a run beside others and go on with all of them and its place; asks where there is none free."""
    runs = list(compared)
    there = next((i for i, each in enumerate(runs) if each.timeline is run.timeline), None)
    if there is not None:
        then(runs, there)
    elif len(runs) < MOST:
        then([*runs, run], len(runs))
    else:

        def replaced(place: int | None) -> None:
            if place is not None:
                then([*runs[:place], run, *runs[place + 1 :]], place)

        app.push_screen(GivePlace(runs, run), replaced)
