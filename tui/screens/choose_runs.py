"""Which runs to hold against each other: those there are, and new ones with something changed."""

from collections.abc import Sequence

from msgspec import Struct
from textual.containers import Horizontal
from textual.content import Content
from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from algorithms.core import Refused
from algorithms.core.catalogue import names
from algorithms.core.text import clean
from algorithms.data import datasets
from algorithms.playback.comparison.compared_run import MOST, ComparedRun, distinct
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.data_words import data_words
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from tui.screens.asking import Dialog
from tui.widgets.field import Field
from tui.widgets.options import Options

_FIELDS = ("algorithm", "data", "parameters")


class Candidate(Struct, eq=False):
    """A run that may take part; `chosen` when it does."""

    entrant: ComparedRun
    chosen: bool


class ChooseRuns(Dialog[list[ComparedRun]]):
    """Offers the runs there are and makes others; the run in hand is always one of them.

    Args:
        opened: what the new ones are like but for what is typed.
        entrants: the runs there are, the one in hand first.
        chosen: how many of these take part to begin with.
    """

    heading = "Compare"
    hint = "enter adds what is typed, or begins   space: in or out   esc leaves it"

    def __init__(self, opened: LoadedRun, entrants: Sequence[ComparedRun], chosen: int = 2):
        super().__init__()
        self._opened = opened
        self._candidates = [Candidate(entrant, i < chosen) for i, entrant in enumerate(entrants)]

    def body(self) -> list[Widget]:
        words = (
            "What is to stand beside the run in hand? Name what differs: an algorithm, data (as in blobs margin=0.5) "
            "or parameters."
        )
        suggested = {"algorithm": names(), "data": datasets.names()}
        in_hand = self._candidates[0].entrant.timeline.problem
        values = ", ".join(self._opened.parameter_words(in_hand.parameters))
        now = {
            "algorithm": f"the same: {self._opened.algorithm.name}",
            "data": f"the same: {data_words(in_hand.data, self._opened.algorithm)}",
            "parameters": f"name=value, ...; now {values}",
        }
        rows: list[Widget] = [Static(Content(words), classes="words"), Options(*self._options(), id="entrants")]
        for name in _FIELDS:
            suggester = SuggestFromList(suggested[name]) if name in suggested else None
            field = Field(id=f"r-{name}", placeholder=clean(now[name]), suggester=suggester)
            rows.append(Horizontal(Label(Content(name)), field, classes="field wide"))
        return rows

    def on_mount(self) -> None:
        self.query_one("#r-algorithm", Input).focus()

    def _options(self) -> list[Option]:
        runs = [candidate.entrant for candidate in self._candidates]
        words = distinct(runs) if len(runs) > 1 else [clean(runs[0].timeline.algorithm.title)]
        marks = ["■" if candidate.chosen else "□" for candidate in self._candidates]
        lines = [f"{mark} {text}" for mark, text in zip(marks, words)]
        lines[0] += "  (the run in hand)"
        return [Option(Content(line)) for line in lines]

    def _show(self, highlighted: int | None = None) -> None:
        listed = self.query_one("#entrants", OptionList)
        listed.clear_options().add_options(self._options())
        listed.highlighted = highlighted
        self.complain("")

    # Choosing

    def key_space(self) -> None:
        """Let the run in the list take part, or not."""
        listed = self.query_one("#entrants", OptionList)
        at = listed.highlighted
        if listed.has_focus and at is not None:
            self._toggle(at)

    def _toggle(self, at: int) -> None:
        candidate = self._candidates[at]
        if at == 0:
            self.complain("the run in hand always takes part.")
        elif not candidate.chosen and self._full:
            self.complain(f"{MOST} runs at most: take one out with space first.")
        else:
            candidate.chosen = not candidate.chosen
            self._show(at)

    @property
    def _full(self) -> bool:
        return sum(candidate.chosen for candidate in self._candidates) >= MOST

    def on_option_list_option_selected(self, _event: OptionList.OptionSelected) -> None:
        self._begin()

    def on_input_submitted(self) -> None:
        fields = {name: self.query_one(f"#r-{name}", Input).value.strip() for name in _FIELDS}
        if not any(fields.values()):
            self._begin()
            return
        if self._full:
            self.complain(f"{MOST} runs at most: take one out with space in the list.")
            return
        self.complain("")
        self.run_worker(lambda: self._make(fields), thread=True, name="make", exclusive=True)

    def _make(self, fields: dict[str, str]) -> None:
        """Make it in a thread: a file of one's own can take long to be loaded, and to yield its first state."""
        try:
            loaded = variant(self._opened, **fields)
            run = ComparedRun("", Player(loaded.timeline()).timeline, loaded)
        except Refused as refusal:
            self.app.call_from_thread(self.complain, clean(refusal))
            return
        self.app.call_from_thread(self._made, run)

    def _made(self, run: ComparedRun) -> None:
        if not self.is_live:
            return
        self._candidates.append(Candidate(run, True))
        for name in _FIELDS:
            self.query_one(f"#r-{name}", Input).value = ""
        self._show()

    def _begin(self) -> None:
        chosen = [candidate.entrant for candidate in self._candidates if candidate.chosen]
        if len(chosen) < 2:
            self.complain("a second run is needed: name another algorithm, other data or other parameters.")
        else:
            self.dismiss(chosen)
