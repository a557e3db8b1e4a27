"""LessonScreen: a moment of a lesson, with its text beside a smaller stage, or below it; and the same for a hall."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from algorithms.core import Refused, Verdict
from algorithms.core.text import clean
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.playback.lessons.played import Played
from algorithms.playback.lessons.reader import Reader
from algorithms.playback.lessons.saying import Piece, said, sentence_at
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.sweeps.swept_runs import SweptRuns
from tui.screens.lesson_beside import MOMENTS, LessonComparison, LessonSweep, Told
from tui.screens.stage import StageScreen
from tui.screens.sweep import SweepScreen
from tui.widgets.big_theorem import BigTheorem
from tui.widgets.column import Column
from tui.widgets.field import Field
from tui.widgets.lesson_text import LessonText
from tui.widgets.narration import Narration
from tui.widgets.sides_chart import SidesChart
from tui.widgets.source import Source
from tui.widgets.stage import Stage
from tui.widgets.track import Track

_WIDE = 100  # columns from which on the text stands beside the stage
_TEXT = (44, 50, 120)  # columns of the text; the second from so many columns of the screen on
_LEAST_STAGE = 10  # rows that the stage keeps above the text
_READING = (("→", "step", "step(1)"), ("←", "back", "step(-1)"), ("enter", "theorem", "open_theorem"))
_ANSWERING = (("enter", "tell me", "open_theorem"), ("←", "look back", "step(-1)"))
_ALWAYS = (("F", "hall", "lecture"), ("esc", "lessons", "cancel"), ("?", "keys", "help"))
# What a standing question allows: all else would take its step, or make the run another
_WHILE_ASKED = frozenset(("step", "section", "open_theorem", "lecture", "help", "cancel"))


class LessonScreen(StageScreen):
    """Shows the moment that a reader is at; the keys of a run do what they do, and the next moment begins anew."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "app.moment(1)", "the next moment of the lesson"),
        Binding("pageup", "app.moment(-1)", "the moment before"),
        Binding("up", "turn(1)", "turn what the moment lets one turn, and begin anew"),
        Binding("down", "turn(-1)", "turn it back"),
        Binding("shift+pagedown", "scroll_table(1)", "further rows of the table"),
        Binding("shift+pageup", "scroll_table(-1)", "earlier rows of the table"),
        Binding("escape", "cancel", "stop, or the list of lessons"),
    ]

    AUTO_FOCUS = ""  # the field of an answer has the keys where a number is asked for, and not before

    def __init__(self, reader: Reader):
        shown = reader.play()
        super().__init__(shown.loaded, player=Player(shown.branches.root.timeline), whole=False)
        self.reader = reader
        self.follows = (*self.follows, self.tell_moment)
        self._said: list[list[Piece]] = []
        self._sentence = ""
        self._asked_at = 0
        self._replied = False  # as it was laid out last
        self._columns, self._rows = 0, 0  # of the text, as it was laid out last, and the rows that it wants
        self._of_runs = {bound.action.partition("(")[0] for bound in self.all_bindings} - _WHILE_ASKED
        self._stand_at(shown)

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if isinstance(widget, Stage):
                with Vertical(id="reading"):
                    yield LessonText(id="lesson")
                    yield Field(id="answer", placeholder="your number")
            yield widget

    # The moment

    def show_moment(self) -> None:
        """Show the moment that the reader is at now, wherever one has wandered."""
        shown = self.reader.play(self._goes_on)
        self.session.when_free(lambda: self._show_moment(shown))

    @property
    def _goes_on(self) -> Played | None:
        """Get what is shown, whose run may go on to the next moment.

        Not while others work on it or look at it; nor in a lesson of one's own, which may fail on the way: then what is
        shown stays as it is.
        """
        kept = self.session.access.busy or self.quiz is not None or self.reader.lesson.own
        return None if kept else self._shown

    def _show_moment(self, shown: Played) -> None:
        self.end_quiz()
        self._stand_at(shown)
        self.query_one(Column).start_over()
        self._ask()
        self.on_resize()
        self.redraw()
        self._show_besides()

    def _show_besides(self) -> None:
        """Show over the run what the moment has beside it."""
        shown = self._shown
        if shown.beside:
            self._compare([*self.session.candidates[:1], *shown.beside])
        elif shown.ends is not None:
            self.show_runs_made(shown.ends.swept if shown.ends.made else SweptRuns(shown.ends.asked))

    @property
    def _told(self) -> Told:
        return Told(self.reader, self._said, self._shown.front, self._shown.ended)

    def _open(self, runs: Sequence[ComparedRun]) -> None:
        if self._shown.beside:
            self.app.push_screen(LessonComparison(self.session, runs, self._told))
        else:
            super()._open(runs)

    def screen_of(self, swept: SweptRuns) -> SweepScreen:
        if self._shown.ends is not None and swept.asked.plan is self._shown.ends.asked.plan:
            return LessonSweep(swept, self.player.timeline, self._told)
        return super().screen_of(swept)

    def action_turn(self, by: int) -> None:
        """Turn the knob of the moment: its run begins anew with the next value, or the one before."""
        try:
            turned = self.reader.turn(by)
        except Refused as refusal:
            self.refuse(clean(refusal))
            return
        knob = self.reader.knob
        if turned:
            self.show_moment()
        elif knob is not None:
            self.refuse(f"{knob.name} is turned from {knob.ends[0]} to {knob.ends[1]} here, and no further")

    def _stand_at(self, shown: Played) -> None:
        """Take over the runs of a moment, and what is said of it."""
        lesson = self.reader.lesson
        self._shown, self._swept = shown, None
        self._end_sweep()
        self.session.whole = False
        self.session.show_to(self)
        self.session.take(shown.loaded, shown.branches, shown.branch, shown.t)
        self._said = [said(lesson, paragraph, shown) for paragraph in self.reader.moment.paragraphs]
        self._sentence, self._asked_at = sentence_at(shown, shown.t), shown.t
        self._chosen, self._theorem, self._chosen_theorem, self._drawn = False, 0, None, False
        self._front_theorem = shown.front.theorem
        self.front = shown.front

    def tell_moment(self, picture: Picture, before: Picture | None) -> None:
        """Tell what is said of the moment beside the picture."""
        stated = picture.verdicts
        verdict: Verdict | None = None
        at_home = self.session.loaded.algorithm is self.player.timeline.algorithm and self.player.t == self._asked_at
        if self._front_theorem is not None and self._front_theorem < len(stated) and at_home:
            verdict = stated[self._front_theorem]
        text = self.query_one(LessonText)
        text.show(self.reader, self._said, self._sentence, verdict)
        rows = text.rows_for(self._columns)
        if (rows, self._replies) != (self._rows, self._replied):
            self._rows, self._replied = rows, self._replies
            self.on_resize()

    def on_mount(self) -> None:
        self.query_one(Column).one_chart = True
        self._ask()
        self._show_besides()

    # A question

    def _ask(self) -> None:
        """Have a field for the answer where it is a number."""
        ask, field = self.reader.asking, self.query_one("#answer", Field)
        field.display = ask is not None and ask.number is not None
        field.value = ""
        if field.display:
            field.focus()
        else:
            self.set_focus(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow, while a question stands, what neither answers it nor makes the run another."""
        kept = self.reader.asking is not None and action in self._of_runs
        kept = kept or action == "turn" and self.reader.knob is None
        return not kept and super().check_action(action, parameters)

    def action_step(self, by: int) -> None:
        """Step; not past a question that stands."""
        if by > 0 and self.reader.asking is not None and self.player.t >= self._asked_at:
            self.refuse("answer first; enter tells")
            return
        super().action_step(by)

    def action_section(self, section: int) -> None:
        """Answer a question that stands, or go to a section."""
        ask = self.reader.asking
        if ask is None:
            super().action_section(section)
        elif section <= len(ask.choices):
            self._answered(choice=section - 1)
        else:
            self.refuse(f"the answers are 1 to {len(ask.choices)}; enter tells")

    def action_open_theorem(self, index: int | None = None) -> None:
        """Open a theorem; while a question stands, tell its answer."""
        if self.reader.asking is None:
            super().action_open_theorem(index)
        else:
            self._answered()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take a number for an answer; nothing is to be told without."""
        if self.reader.asking is None:
            return
        text = event.value.strip().replace(",", "")
        try:
            number = float(text) if text else None
        except ValueError:
            self.refuse(f"{clean(event.value)} is no number")
            return
        self._answered(number=number)

    def _answered(self, choice: int | None = None, number: float | None = None) -> None:
        from tui.answers import note_lesson

        ask = self.reader.asking
        try:
            answer = self.reader.answer(choice, number, self._goes_on)
            self.show_moment()
        except Refused as refusal:
            self.tell(clean(refusal))
            return
        if ask is not None and (choice is not None or number is not None):
            note_lesson(self.reader.lesson.file, ask.question, answer.correct)

    def action_keep_moment(self) -> None:
        """Keep what is on the screen; in a lesson of one's own after this moment, and be there."""
        super().action_keep_moment()
        told = self.session.notice
        if self.reader.lesson.own:
            self.app.show_moment()  # type: ignore[attr-defined]
        self.app.notify(told, title="a moment", markup=False)  # where a lesson is read no words are below the stage

    def action_reload(self) -> None:
        """Read the lesson's file again."""
        if not self.reader.lesson.own:
            self.refuse("ctrl+r reads a lesson of your own again; this one is of the course")
        elif self.app.read_lesson_again():  # type: ignore[attr-defined]
            self.app.show_moment()  # type: ignore[attr-defined]
        else:
            self.refuse("its file is as it was read")

    def action_cancel(self) -> None:
        """Leave the questions of the algorithm, or stop what goes on, else list the lessons."""
        if self.quiz is not None:
            self.end_quiz()
        elif self.player.cancel():
            self.redraw()
        else:
            self.app.list_lessons()  # type: ignore[attr-defined]

    # The layouts

    @property
    def states_large(self) -> bool:
        return super().states_large and self.reader.asking is None and not self._replies

    @property
    def _replies(self) -> bool:
        """Tell whether the hall reads the reply to a wrong answer, in place of the theorem, until the run goes on."""
        answer = self.reader.answers.get(self.reader.index)
        wrong = answer is not None and not answer.correct and (answer.choice is not None or answer.number is not None)
        return self.lecturing and wrong and self.player.t == self._asked_at

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        ask = self.reader.asking
        if self.quiz is not None:
            return super().key_line()
        knob = self.reader.knob
        turns = (("↑ ↓", f"turn {knob.name}", "turn(1)"),) if knob is not None and ask is None else ()
        if self.lecturing:
            where = ("", f"{self.reader.index + 1} of {len(self.reader.lesson.moments)}", "noop")
            return (*MOMENTS, where, *turns, *super().key_line())
        if ask is None:
            return (*MOMENTS, *turns, *_READING, *_ALWAYS)
        keys = (" ".join(str(i + 1) for i in range(len(ask.choices))), "answer", "noop")
        return (*((keys,) if ask.choices else ()), *_ANSWERING, *MOMENTS[1:], *_ALWAYS)

    def on_resize(self, event: events.Resize | None = None) -> None:
        super().on_resize()
        if event is not None:  # else Textual has the sizes of the stage's own layout set after these
            event.prevent_default()
            self.call_next(self._on_resize, event)  # its own, which lays all out in the new size
        width, height = self.size
        beside = width >= _WIDE and not self.lecturing
        asked = self.reader.asking is not None
        reading, body = self.query_one("#reading"), self.query_one("#body")
        quizzed = self.asked is not None  # by the algorithm: what the lesson says may answer that
        told = asked or self._replies
        reading.display = (not self.lecturing or told) and not quizzed
        reading.styles.dock = "left" if beside else "bottom"
        columns = (_TEXT[1] if width >= _TEXT[2] else _TEXT[0]) if beside else width
        reading.styles.width = self._columns = columns
        rows = self._rows + self.query_one("#answer").display
        reading.styles.height = "100%" if beside else max(min(rows, height - 2 - _LEAST_STAGE), 5)
        body.styles.layout = "vertical" if beside else "horizontal"
        self._share_out(beside, width)
        self.query_one(Column).lecture = self.lecturing or asked or quizzed  # one chart, no tabs: digits are answers
        self.query_one(Source).display = False
        self.query_one(Narration).display = (self.lecturing and not told) or self.quiz is not None
        self.query_one(BigTheorem).display = self.states_large
        self.query_one(Track).display = beside

    def _share_out(self, beside: bool, width: int) -> None:
        """Put stage and chart one above the other beside the text, else beside each other."""
        self.query_one(Stage).styles.height = "5fr" if beside else "1fr"
        for view in (self.query_one(Column), self.query_one(SidesChart)):
            view.styles.height = "4fr" if beside else "1fr"
            view.styles.width = "100%" if beside else round(width * 0.48)
