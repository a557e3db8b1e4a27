"""Which lesson to go through."""

from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.lectures.lessons import Lesson, course, lesson_named
from tui.answers import in_words, lesson_scores
from tui.screens.asking import Dialog
from tui.widgets.options import Options


class ChooseLesson(Dialog[Lesson]):
    """Offers the lessons of the course in their order.

    Args:
        current: the name of the one that is gone through, "" for none.
    """

    heading = "Lessons"
    hint = "↑ ↓ enter begins one   pgdn, pgup then go through its moments   esc leaves it"

    def __init__(self, current: str = ""):
        super().__init__()
        self._current = current

    def body(self) -> list[Widget]:
        lessons = [lesson_named(name) for name in course()]
        options, scores = [], lesson_scores()
        for number, lesson in enumerate(lessons, start=1):
            minutes = f", {lesson.minutes} minutes" if lesson.minutes else ""
            score = f", {in_words(scores[lesson.file])}" if lesson.file in scores else ""
            options.append(Option(Content(clean(f"{number:2}  {lesson.title}{minutes}{score}")), id=lesson.name))
        offered = Options(*options, id="lessons")
        offered.highlighted = next((i for i, one in enumerate(lessons) if one.name == self._current), 0)
        return [offered]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        try:
            self.dismiss(lesson_named(str(event.option.id)))
        except Refused as refusal:
            self.complain(clean(refusal))
