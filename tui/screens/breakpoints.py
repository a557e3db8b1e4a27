"""The breakpoints: conditions typed with completion and checked as they are typed, and the list of them."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from algorithms.core.text import clean
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.timeline import Timeline, conditions
from tui.paint.canvas import fitted, width_of
from tui.screens.asking import Dialog
from tui.widgets.field import Field
from tui.widgets.options import Line, Options, chosen

_WORD, _ABOUT = 30, 36  # columns of a completion and of what it is
_FOUND_BY = {
    "log": "found at once",
    "curve": "found by replaying the run and measuring",
    "states": "found by replaying the run",
}


class Breakpoints(Dialog[None]):
    """Lists the breakpoints and takes new ones; the list that is given is changed in place.

    Args:
        stops: the breakpoints.
        run: what they are for.
        changed: called after every change.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "switch", "on or off"),
        Binding("delete,d", "remove", "remove"),
    ]
    heading = "Stop where"
    hint = "enter adds  tab completes  ↓ list: space on/off, d removes  esc done"

    def __init__(self, stops: list[Breakpoint], run: Timeline, changed: Callable[[], None]):
        super().__init__()
        self._stops, self._run, self._changed = stops, run, changed
        self._state = run.at(run.last).state
        self._offered: list[conditions.Completion] = []

    def body(self) -> list[Widget]:
        example = "row 17 moves" if self._run.data else "iteration 5"
        return [
            Field(id="condition", placeholder=f"{example}, a theorem fails, t > 100 and ..."),
            Static("", classes="caret"),
            Options(id="offers", classes="offers"),
            Static(Content("breakpoints"), classes="words dim"),
            Options(id="stops"),
        ]

    def on_mount(self) -> None:
        self.query_one("#offers", OptionList).can_focus = False
        self._list(0)
        self._check("")

    # What is being typed

    def on_input_changed(self, event: Input.Changed) -> None:
        self._check(event.value)

    def _check(self, text: str) -> None:
        """Say how it reads so far, and how it could go on."""
        run = self._run
        self._offered = conditions.completions(text, run.algorithm, run.data, self._state)
        self.query_one("#offers", Options).fill([Line(_line(offer), offer) for offer in self._offered])
        caret = self.query_one(".caret", Static)
        try:
            condition = conditions.parse(text, run.algorithm, run.data, self._state)
        except conditions.Unreadable as refusal:
            begun = self._begun(refusal, text)
            caret.update(Content(_pointed(refusal, text, begun)))
            caret.set_class(not begun, "wrong")
        else:
            caret.update(Content(f"\n✓ {_FOUND_BY[condition.needs]}"))
            caret.remove_class("wrong")
        self.complain("")

    def _begun(self, refusal: conditions.Unreadable, text: str) -> bool:
        """Tell whether what cannot be read only wants to be typed on."""
        return refusal.unfinished or (bool(self._offered) and refusal.end >= len(text.rstrip()))

    def on_key(self, event: events.Key) -> None:
        """Complete on tab in the field, and on the arrows choose among what is offered, then go to the list."""
        if self.focused is None or self.focused.id != "condition":
            if event.key == "up" and self.query_one("#stops", OptionList).highlighted in (0, None):
                event.stop()
                self.query_one("#condition", Input).focus()
            return
        offers = self.query_one("#offers", OptionList)
        at = offers.highlighted
        if event.key == "tab":  # it never leaves the field: what is typed next would be taken for the list's keys
            event.stop()
            event.prevent_default()
            if self._offered:
                self._complete(self._offered[at or 0])
        elif event.key == "down":
            event.stop()
            if at is not None and at + 1 < len(self._offered) and self.query_one("#condition", Input).value:
                offers.highlighted = at + 1
            elif self._stops:
                self.query_one("#stops", OptionList).focus()
        elif event.key == "up" and at:
            event.stop()
            offers.highlighted = at - 1

    def _complete(self, offer: conditions.Completion) -> None:
        field = self.query_one("#condition", Input)
        field.value = offer.text
        field.cursor_position = len(field.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        run = self._run
        if not event.value.strip():
            self.dismiss(None)
            return
        try:
            condition = conditions.parse(event.value, run.algorithm, run.data, self._state)
        except conditions.Unreadable as refusal:
            if self._begun(refusal, event.value) and not refusal.unfinished:  # a name that is half typed
                self._complete(self._offered[self.query_one("#offers", OptionList).highlighted or 0])
            else:  # what is wrong stands under the place where it is
                self.complain("It is not added: it is no condition yet.")
            return
        if all(stop.text != condition.text for stop in self._stops):
            self._stops.append(Breakpoint(condition.text))
            self._changed()
        event.input.value = ""
        self._list(len(self._stops) - 1)

    # The list

    def _list(self, highlighted: int) -> None:
        listed = self.query_one("#stops", Options)
        listed.fill([Line(self._line_of(stop), stop) for stop in self._stops], highlighted)
        listed.display = bool(self._stops)
        words = (
            "breakpoints" if self._stops else "no breakpoints yet; playing and r stop at them, ] and [ go to the next"
        )
        self.query_one(".words", Static).update(Content(words))

    def _line_of(self, stop: Breakpoint) -> str:
        line = f"{'●' if stop.on else '○'} {'on ' if stop.on else 'off'}  {clean(stop.text)}"
        try:
            conditions.parse(stop.text, self._run.algorithm, self._run.data, self._state)
        except conditions.Unreadable as refusal:
            line += f"   not in this run: {clean(refusal.reason)}"
        return line

    @property
    def _chosen(self) -> int | None:
        listed = self.query_one("#stops", OptionList)
        return listed.highlighted if listed.has_focus else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list.id == "stops":
            self._switch(chosen(event))
        else:  # one that was offered was clicked
            self._complete(chosen(event))
            self.query_one("#condition", Input).focus()

    def action_switch(self) -> None:
        if self._chosen is not None:
            self._switch(self._stops[self._chosen])

    def _switch(self, stop: Breakpoint) -> None:
        if stop in self._stops:  # else it was removed meanwhile
            stop.on = not stop.on
            self._after_change(self._stops.index(stop))

    def action_remove(self) -> None:
        if self._chosen is not None:
            at = self._chosen
            del self._stops[at]
            self._after_change(at)

    def _after_change(self, at: int) -> None:
        self._changed()
        self._list(at)
        if not self._stops:
            self.query_one("#condition", Input).focus()


def _line(offer: conditions.Completion) -> str:
    word = fitted(clean(offer.word), _WORD)
    return f"{word}{' ' * (_WORD - width_of(word))}  {fitted(clean(offer.about), _ABOUT)}"


def _pointed(refusal: conditions.Unreadable, text: str, begun: bool) -> str:
    """Say what is wrong, under the place where it is; of what is only begun, what it wants."""
    if not text.strip():
        return "\ntype what is to hold, or choose"
    if begun:
        return f"\n{clean(refusal.reason) if refusal.unfinished else 'tab or enter goes on with what is chosen'}"
    return f"{refusal.caret}\n{clean(refusal.reason)}"
