"""Over what the run in hand is to be made many times, how often, and which of its curves is looked at."""

from textual import events
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Select, Static

from algorithms.core import Refused
from algorithms.core.text import clean, counted
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.sweeps.request import SweepRequest, is_seed, request, seed_beside, sweepable, usual_values
from tui.screens.asking import Dialog
from tui.widgets.field import Field

_EACH = 20  # runs of a value, to begin with


class AskSweep(Dialog[SweepRequest]):
    """Asks for a sweep; everything in it has a value to begin with, so that enter alone begins one.

    Args:
        loaded: the run that all are to be like.
    """

    heading = "Many runs"
    hint = "tab next   enter begins them   esc leaves it"

    def __init__(self, loaded: LoadedRun):
        super().__init__()
        self._loaded, self._names = loaded, list(sweepable(loaded))

    def body(self) -> list[Widget]:
        over = self._names[0]
        curves = [(clean(curve.name), curve.name) for curve in self._loaded.algorithm.curves]
        names = [(name, name) for name in self._names]
        rows: list[tuple[str, Widget, str]] = [
            ("over", Select(names, value=over, allow_blank=False, id="over", compact=True), ""),
            ("values", Field(usual_values(self._loaded, over), id="values"), "0:1000, 1e-3:1:log:20, or 2,3,4"),
            ("runs of each", Field("1", id="each"), ""),
            ("curve", Select(curves, allow_blank=False, id="curve", compact=True), "the last value of each run"),
        ]
        words = "The run in hand is made many times, each from its start, while you go on with this one."
        return [
            Static(Content(words), classes="said"),
            *(
                Horizontal(
                    Label(Content(name)),
                    field,
                    Static(Content(help_words), classes="help", id=f"help-{field.id}"),
                    classes="field",
                )
                for name, field, help_words in rows
            ),
        ]

    def on_mount(self) -> None:
        self._suggest(self._names[0])
        self.query_one("#values", Input).focus()

    def on_select_changed(self, event: Select.Changed) -> None:
        if event.select.id == "over":
            self._suggest(str(event.value))

    def _suggest(self, over: str) -> None:
        """Put in values that suggest themselves for what is swept over."""
        seed = seed_beside(self._loaded, over)
        self.query_one("#values", Input).value = usual_values(self._loaded, over)
        each = self.query_one("#each", Input)
        each.value, each.disabled = (str(_EACH), False) if seed else ("1", True)
        none = "each seed is one run" if is_seed(over) else "nothing in them is drawn at random"
        self.query_one("#help-each", Static).update(Content(f"with {seed} 0, 1, 2, ..." if seed else none))
        self._check()

    def on_input_changed(self) -> None:
        self._check()

    def _check(self) -> SweepRequest | None:
        try:
            asked = self._asked()
        except Refused as refusal:
            self.complain(clean(refusal))
            self.query_one(".hint", Static).update(Content(self.hint))
            return None
        self.complain("")
        self.query_one(".hint", Static).update(Content(f"{self.hint}   {counted(len(asked.plan), 'run')}"))
        return asked

    def _asked(self) -> SweepRequest:
        each = self.query_one("#each", Input).value.strip().replace(",", "")
        if not (each.isascii() and each.isdigit() and 0 < int(each) < 10**9):
            raise Refused("runs of each are a whole number from 1 on.")
        over, curve = (str(self.query_one(f"#{name}", Select).value) for name in ("over", "curve"))
        return request(self._loaded, over, self.query_one("#values", Input).value, int(each), curve)

    def _take(self) -> None:
        asked = self._check()
        if asked is not None:
            self.dismiss(asked)

    def on_input_submitted(self) -> None:
        self._take()

    def key_enter(self, event: events.Key) -> None:
        """Enter on a closed choice takes it too; on an open one it chooses."""
        if not isinstance(self.focused, Input | OptionList):
            event.stop()  # or it would be for the screen below as well, once this one is closed
            self._take()
