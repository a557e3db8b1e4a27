"""Asked before told: a question about the next step, an answer, and then the step."""

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widget import Widget

from algorithms.core import Ask, Refused
from algorithms.core.text import clean
from tui.screens.stage.trying import Trying
from tui.sections.key_groups import LOOKING, MOVING
from tui.widgets.column import Column
from tui.widgets.header import Header
from tui.widgets.stage import Stage

if TYPE_CHECKING:
    from textual.widgets import Input

    from algorithms.playback.asks.quiz import Quiz

_ALWAYS = frozenset(("ask", "ask_again", "cancel", "help", "lecture", "noop"))
_TOLD = (_ALWAYS | MOVING | LOOKING) - {
    "breakpoints",
    "veil",
}  # what goes on while an answer is told: all that changes nothing
_NONE = ("n", "none", "-")  # typed for no row


class Asking(Trying):
    """Asked before told. While a question stands the run goes no further than the step in hand, wherever it had been:
    what is on the screen is a run that has not come further."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("P", "ask", "be asked about the next step"),
        Binding("A", "ask_again", "the question again, on other data"),
    ]
    AUTO_FOCUS = ""  # the field of an answer has the keys where one is typed, and not before
    quiz: "Quiz | None" = None
    _heading = ""

    @property
    def asked(self) -> Ask | None:
        """Get the question that stands."""
        return self.quiz.ask if self.quiz is not None and self.quiz.told is None else None

    # What is asked

    def action_ask(self) -> None:
        """Ask about the next step; while a question stands, ask another."""
        self.pause()
        self.when_there(self._ask_next)

    def _ask_next(self) -> None:
        from algorithms.playback.asks.quiz import Quiz

        try:
            if self.quiz is None:
                self.put_by()
                self.quiz = Quiz(self.session)
                self._mount()
            else:
                self.quiz.next()
        except Refused as refusal:
            self.refuse(clean(refusal))
            return
        self._show_quiz()

    def action_ask_again(self) -> None:
        """Ask the same on other data."""
        if self.quiz is None:
            self.refuse("P asks about the next step; then A asks the same on other data")
            return
        try:
            self.quiz.again()
        except Refused as refusal:
            self.refuse(clean(refusal))
            return
        self._show_quiz()

    def _answer(self, given: float | None = None) -> None:
        """Take the step, and tell whether it was right."""
        from tui.answers import note

        assert self.quiz is not None
        try:
            told = self.quiz.answer(given)
        except Refused as refusal:
            self.refuse(clean(refusal))
            return
        if given is not None:
            note(self.loaded.algorithm.name, self.quiz.ask.question, told.correct)
        self._show_quiz()

    def action_cancel(self) -> None:
        """Leave the questions, else stop what goes on."""
        if self.quiz is None:
            super().action_cancel()
        else:
            self.end_quiz()

    def end_quiz(self) -> None:
        """Show the run there is again, at the step that one was asked up to."""
        if self.quiz is None:
            return
        quiz, self.quiz = self.quiz, None
        self.query_one(Header).mode = ""
        self.try_out(None)
        if quiz.own:
            self.player.seek(quiz.t)
        self._lay_out_quiz()
        self.act()

    def tell(self, text: str) -> None:
        """Tell a sentence where it is seen: of the run that is asked about."""
        if self.quiz is None:
            super().tell(text)
        else:
            self.quiz.session.tell(text)

    # How it is shown

    def _mount(self) -> None:
        from tui.widgets.question import Guess, Question

        if not self.query("#question"):
            self.mount(Question(id="question"), Guess(id="guess"), before="#keys")

    def _show_quiz(self) -> None:
        from tui.answers import in_words, score_of
        from tui.widgets.question import Question

        assert self.quiz is not None
        self.quiz.session.forget_notice()  # why a key before this one did nothing
        self.try_out(self.quiz.session)
        self.query_one(Header).mode = "asked"
        score = in_words(score_of(self.loaded.algorithm.name))
        heading = "before the next step" if self.quiz.told is None else "so it was"
        heading = f"{heading}   {score} so far" if score else heading
        self.query_one("#question", Question).show(self.quiz.ask, self.quiz.told, heading)
        self._lay_out_quiz()
        self.query_one(Column).bring_forward((), self.quiz.curves, ())
        self.redraw()

    def _lay_out_quiz(self) -> None:
        """Make room for the question, in the place of source and track, and a field where the answer is typed."""
        stage, field = self.query_one(Stage), self._field
        stage.names_only = self.asked is not None  # what is said of a row may answer it
        stage.pick(None)
        typed = self.asked is not None and self.asked.kind != "choice"
        if field is not None:
            field.display, field.value = typed, ""
            field.placeholder = "a row, or n for none; a click on the stage takes one" if self._of_rows else "a number"
        if typed and field is not None:
            field.focus()
        else:
            self.set_focus(None)
        self.on_resize()

    @property
    def _of_rows(self) -> bool:
        return self.asked is not None and self.asked.kind == "row"

    @property
    def _field(self) -> "Input | None":
        from tui.widgets.question import Guess

        return self.query_one("#guess", Guess) if self.query("#guess") else None

    def on_resize(self) -> None:
        super().on_resize()
        shown: Widget | None = next(iter(self.query("#question")), None)
        if shown is None:
            return
        from tui.widgets.question import Question

        on = self.quiz is not None
        question = self.query_one("#question", Question)
        question.display = on
        question.styles.height = question.rows_for(self.size.width)
        self.query_one(Column).lecture = self.has_class("lecture") or self.asked is not None  # one chart, no theorems
        self.query_one("#source").styles.display = self.query_one("#track").styles.display = "none" if on else None

    # Keys and clicks

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow, while a question stands, what neither answers it nor makes the run another."""
        allowed = _ALWAYS if self.asked is not None else _TOLD
        kept = self.quiz is not None and not action.startswith("app.") and action not in allowed
        return not kept and super().check_action(action, parameters)

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        if self.quiz is None:
            keys = super().key_line()
            return keys if self.loaded.algorithm.asks else tuple(key for key in keys if key[2] != "ask")
        if self.quiz.told is not None:
            return (("P", "another", "ask"), ("A", "on other data", "ask_again"), *_STEPS, *_LEAVE)
        return (("enter", "tell me", "noop"), ("P", "another", "ask"), *_LEAVE)

    def action_noop(self) -> None:
        """Do nothing: a word of the lowest line that is no action."""

    def on_key(self, event: events.Key) -> None:
        """Take an answer by its key."""
        asked = self.asked
        if asked is None or asked.kind != "choice" or self.has_class("small"):
            return
        from tui.sections.question import keys_of

        keys = keys_of(asked)
        key = event.key
        if not asked.choices and key in ("1", "2"):
            key = keys[int(key) - 1]
        if key in keys:
            self._answer(keys.index(key))
        elif key == "enter":
            self._answer()
        else:
            return
        event.stop()
        event.prevent_default()

    def on_input_submitted(self, event: "Input.Submitted") -> None:
        """Take an answer that was typed; nothing is to be told."""
        asked = self.asked
        if asked is None or event.input.id != "guess":
            return
        text = event.value.strip().replace(",", "")
        if self._of_rows and text in _NONE:
            self._answer(-1)
            return
        try:
            self._answer(float(text.removeprefix("row ")) if text else None)
        except ValueError:
            self.refuse(f"{clean(event.value)} is no {'row' if self._of_rows else 'number'}")

    def on_stage_picked(self, message: Stage.Picked) -> None:
        """Take the row that was clicked for the answer that is typed."""
        field = self._field
        if self._of_rows and field is not None and message.row is not None:
            field.value = str(message.row)
            field.cursor_position = len(field.value)


_STEPS = (("→", "step", "step(1)"), ("←", "back", "step(-1)"))
_LEAVE = (("esc", "done", "cancel"), ("?", "keys", "help"))
