"""Reader: a lesson being gone through: the moment one is at, and what one answered."""

from msgspec import Struct
from msgspec.structs import replace

from algorithms.lectures.lessons import Ask, Lesson, Moment
from algorithms.playback.lessons.knob import Knob
from algorithms.playback.lessons.played import Played, played
from algorithms.playback.lessons.saying import Right, right


class Answer(Struct, frozen=True):
    """An answer, and what was right.

    Attributes:
        choice, number: what was answered; None for both where one had it told.
        right: what was right.
        correct: whether it was answered so.
    """

    right: Right
    choice: int | None = None
    number: float | None = None
    correct: bool = False


class Reader:
    """Goes through a lesson.

    Attributes:
        lesson: which.
        index: the moment one is at, from 0.
        answers: what was answered, by moment.
        knob: what can be turned at the moment, as it was shown last; None where nothing can.
    """

    def __init__(self, lesson: Lesson):
        self.lesson, self.index = lesson, 0
        self.answers: dict[int, Answer] = {}
        self.knob: Knob | None = None
        self._turned: tuple[str, float] | None = None  # by the knob
        self._after: tuple[int, Played] | None = None  # what an answer was asked of, until it is shown

    @property
    def moment(self) -> Moment:
        return self.lesson.moments[self.index]

    @property
    def asking(self) -> Ask | None:
        """Get the question that stands, None where there is none or it was answered."""
        return None if self.index in self.answers else self.moment.ask

    def play(self, on: Played | None = None) -> Played:
        """Run to the moment one is at, past its question where that was answered.

        Args:
            on: what is shown and will be no more: where its run leads there, it goes on.

        Raises:
            Misread: where that cannot be had.
        """
        after, self._after = self._after, None
        if after is not None and after[0] == self.index:
            shown = after[1]
        else:
            shown = played(self.lesson, self.index, answered=self.index in self.answers, turned=self._turned, on=on)
        if self._turned is None or self.knob is None:
            self.knob = shown.knob
        return shown

    def turn(self, by: int) -> bool:
        """Turn the knob of the moment on, or back, for the next time that it is played; whether it goes so far.

        Raises:
            Misread: where the run with the other value cannot be had; the knob stays.
        """
        knob = self.knob
        value = None if knob is None else knob.beside(by)
        if knob is None or value is None:
            return False
        turned = (knob.name, value)
        self._after = self.index, played(self.lesson, self.index, answered=self.index in self.answers, turned=turned)
        self._turned, self.knob = turned, replace(knob, value=value)
        return True

    def _turn_back(self) -> None:
        self._turned = self.knob = self._after = None

    def take(self, lesson: Lesson, index: int | None = None) -> None:
        """Go on with a lesson as its file is now, at a moment, or at the one that one was at; answers to questions that
        are still there stay."""
        asks = [moment.ask for moment in self.lesson.moments]
        given = {ask.question: self.answers[i] for i, ask in enumerate(asks) if ask is not None and i in self.answers}
        self.lesson, self._after = lesson, None
        self._turn_back()
        self.index = min(self.index if index is None else index, len(lesson.moments) - 1)
        self.answers = {
            i: given[moment.ask.question]
            for i, moment in enumerate(lesson.moments)
            if moment.ask is not None and moment.ask.question in given
        }

    def go(self, by: int) -> bool:
        """Go to the next moment, or the one before; whether there is one. On past a question, it is told first."""
        if by > 0 and self.asking is not None:
            self.answer()
            return True
        self._turn_back()
        to = min(max(self.index + by, 0), len(self.lesson.moments) - 1)
        gone, self.index = to != self.index, to
        return gone

    def answer(self, choice: int | None = None, number: float | None = None, on: Played | None = None) -> Answer:
        """Answer the question that stands, or with neither have it told.

        Args:
            on: as `play` takes it.

        Raises:
            Misread: where the run has no answer.
        """
        ask = self.asking
        assert ask is not None
        after = played(self.lesson, self.index, answered=True, on=on)
        answer = right(self.lesson, ask, after)
        self._after = self.index, after
        if answer.number is not None and ask.number is not None and number is not None:
            correct = abs(number - answer.number) <= ask.number.within
        else:
            correct = choice is not None and choice == answer.choice
        self.answers[self.index] = Answer(answer, choice, number, correct)
        return self.answers[self.index]
