"""Which number to go back to the last change of."""

from textual import events
from textual.widget import Widget
from textual.widgets import Input, OptionList

from algorithms.core.text import clean
from algorithms.timeline import Frame, Timeline, conditions
from algorithms.timeline.changed_fields import changed_fields, formatted
from tui.paint.canvas import fitted, width_of
from tui.paint.ticks import number
from tui.screens.asking import Dialog
from tui.widgets.field import Field
from tui.widgets.options import Line, Options, chosen

_NAME, _VALUE = 28, 18


class LastChange(Dialog[conditions.Condition]):
    """Offers every field and curve with its value, and takes an entry or anything computed of them; gives the
    condition that it changes."""

    heading = "When did this last change?"
    hint = "↑ ↓ choose   enter goes back to it   esc leaves it"

    def __init__(self, run: Timeline, frame: Frame):
        super().__init__()
        self._run, self._state = run, frame.state
        changed = {d.field for d in changed_fields(frame.before, frame.state)}
        values = {name: formatted(value) for name, value in frame.state.parts().items()}
        for curve, value in zip(run.algorithm.curves, run.values(frame)):
            if curve.name not in values and value == value:
                values[curve.name] = number(value)
        self._all = [(name, value, name in changed) for name, value in values.items()]
        self._shown = self._all

    def body(self) -> list[Widget]:
        return [
            Field(id="what", placeholder="a name to choose by, or an entry such as means[0,1], or norm(w)"),
            Options(id="values", classes="values"),
        ]

    def on_mount(self) -> None:
        self.query_one("#values", OptionList).can_focus = False
        self._list()

    def _list(self) -> None:
        self.query_one("#values", Options).fill([Line(_line(*row), row[0]) for row in self._shown])

    def on_input_changed(self, event: Input.Changed) -> None:
        typed = event.value.strip().lower()
        self._shown = [row for row in self._all if typed in row[0].lower()]
        self.complain("")
        self._list()

    def on_key(self, event: events.Key) -> None:
        listed = self.query_one("#values", OptionList)
        if event.key in ("up", "down") and self._shown:
            event.stop()
            at = (listed.highlighted or 0) + (1 if event.key == "down" else -1)
            listed.highlighted = min(max(at, 0), len(self._shown) - 1)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._take(conditions.quoted(chosen(event)))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        listed = self.query_one("#values", OptionList)
        if self._shown:
            self._take(conditions.quoted(self._shown[listed.highlighted or 0][0]))
        else:
            self._take(event.value)

    def _take(self, what: str) -> None:
        run = self._run
        try:
            self.dismiss(conditions.parse(f"{what} changes", run.algorithm, run.data, self._state))
        except conditions.Unreadable as refusal:
            self.complain(clean(refusal))


def _line(name: str, value: str, changed: bool) -> str:
    cells = [fitted(clean(name), _NAME), fitted(clean(value), _VALUE)]
    padded = [cell + " " * (width - width_of(cell)) for cell, width in zip(cells, (_NAME, _VALUE))]
    return "  ".join([*padded, "changes here" if changed else ""])
