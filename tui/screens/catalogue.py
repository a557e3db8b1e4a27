"""The catalogue: where to begin, lessons, families in course order; what is typed finds; the current one plays."""

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.timer import Timer
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from algorithms.core.catalogue import BEGIN, about_family, by_family, find, in_course, names
from algorithms.core.errors import Refused
from algorithms.core.search import occurs, ranked
from algorithms.core.text import clean
from algorithms.lectures.lessons import Lesson, course, lesson_named
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import requested
from tui.answers import Score, in_words, lesson_scores, score_of
from tui.paint.canvas import fitted
from tui.paint.text import typeset, wrapped
from tui.screens import browser
from tui.screens.browser import Browser
from tui.sections.signs import Letter
from tui.widgets.about import About

if TYPE_CHECKING:
    from algorithms.userfile.plugins import Plugin

_LECTURES = ("tab", "lectures", "lectures")
_OPEN = ("→ ←", "open, close", "open(True)")
_BEGIN, _LESSON, _FAMILY, _PLUGIN = "begin ", "lesson ", "family ", "plugin "  # begin ids of all but those in a family
_LOOK = 0.05  # seconds between two algorithms that are looked at for what may come after which


class CatalogueScreen(Browser):
    """Where to begin, and families that open; or what matches what is typed. The current one at the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "watch", "watch the current algorithm; open or close a family"),
        Binding("right", "open(True)", "open the current family", priority=True),
        Binding("left", "open(False)", "close it", priority=True),
        Binding("tab", "lectures", "what the lectures state, by lecture and section"),
        Binding("delete", "forget", "forget how the current algorithm was run last: it begins as it comes"),
        Binding(
            "slash", "start_filter", "find by title, family, theorem, data or a word of the field; any letter begins it"
        ),
    ]
    KEYS = (
        browser.CHOOSE,
        browser.WATCH,
        browser.FILTER,
        _LECTURES,
        browser.QUIT,
        _OPEN,
        browser.BACK,
        browser.BY_NAME,
        browser.HELP,
    )
    KEYS_FILTERING = (browser.CHOOSE, browser.WATCH, browser.NO_FILTER, _LECTURES, browser.BY_NAME, browser.HELP)

    def __init__(self, current: str = ""):
        super().__init__(current)
        self._opened: set[str] = set()
        self._lessons = {name: lesson_named(name) for name in course()}
        self._unseen = [*names()]  # algorithms that were not asked yet what is met before them
        self._looking: Timer | None = None
        self._plugins: tuple[Plugin, ...] = ()  # none until they were looked for

    def about(self) -> About:
        return About(id="about")

    def on_mount(self) -> None:
        self.host.by_lecture = False
        self._looking = self.set_interval(_LOOK, self._look)
        self.run_worker(self._find_plugins, thread=True, name="plugins")

    def _find_plugins(self) -> None:
        """Look for the algorithms of other distributions, which takes longer than a first picture may."""
        from algorithms.userfile.plugins import plugins

        self._plugins = plugins()
        if self._plugins:
            self.app.call_from_thread(self._list)

    @property
    def total(self) -> int:
        return len(names()) + len(self._lessons) + len(self._plugins)

    # The list

    def options(self, query: str, room: int) -> list[Option]:
        if query:
            matching = [Option(_indented(find(name).title, room), id=name) for name in ranked(query)]
            lessons = [one for one in self._course_lessons(room) if one.id and occurs(query, str(one.prompt))]
            if query.isdecimal():  # as a lesson is numbered: that one first
                return [*sorted(lessons, key=lambda one: str(one.prompt).split()[0] != query), *matching]
            return [*matching, *lessons, *self._others(room, query)]
        if self._chosen in names():
            self._opened.add(find(self._chosen).family)
        return [*_beginning(room), *self._course_lessons(room), *self._course(room), *self._others(room)]

    def _course_lessons(self, room: int) -> Iterator[Option]:
        """List the lessons that there are, numbered."""
        if self._lessons:
            yield _heading("Lessons", room)
        for number, (name, lesson) in enumerate(self._lessons.items(), start=1):
            yield Option(_indented(f"{number:2} {clean(lesson.title)}", room), id=_LESSON + name)

    def _course(self, room: int) -> Iterator[Option]:
        """List the families, and below those that are open their algorithms from the first to the special."""
        yield _heading(f"All {len(names())} in course order", room)
        for family, members in by_family().items():
            is_open = family in self._opened
            title = fitted(f"  {'▾' if is_open else '▸'} {about_family(family)[0]}", room - 3)
            line = Content.assemble(f"{title:<{room - 3}}", (f"{len(members):>3}", "$dim"))
            yield Option(line, id=_FAMILY + family)
            if is_open:
                yield from (Option(_indented(find(name).title, room, 6), id=name) for name in in_course(family))

    def _others(self, room: int, query: str = "") -> Iterator[Option]:
        """List the algorithms of other distributions, below the name of each."""
        matching = (one for one in self._plugins if occurs(query, f"{one.name} {one.distribution}".replace("_", " ")))
        for distribution, members in groupby(matching, key=lambda one: one.distribution):
            if not query:
                yield _heading(clean(f"From {distribution}", room), room)
            for one in members:
                yield Option(_indented(clean(one.name.replace("_", " "), room), room), id=_PLUGIN + one.name)

    def first(self, matching: Sequence[str], query: str, current: str) -> str:
        named = _named(current)
        return next((one for one in (current, named) if one in matching and not query), matching[0])

    def describe(self, chosen: str, query: str) -> None:
        about = self.query_one(About)
        if chosen.startswith(_FAMILY):
            about.show_family(_named(chosen))
        elif chosen.startswith(_LESSON):
            lesson = self._lessons[_named(chosen)]
            about.show_lesson(lesson, in_words(lesson_scores().get(lesson.file, Score())))
        elif chosen.startswith(_PLUGIN):
            one = self._plugin(chosen)
            about.tell(f"{one.distribution} has it, in {one.spec}: enter opens it, in a process of its own.", one.name)
        else:
            name = _named(chosen)
            about.show(find(name), query, self._after(name), in_words(score_of(name)), self._last_time(name))

    def describe_none(self, query: str) -> None:
        self.query_one(About).tell(f"No algorithm says {query!r} of itself; esc lists them all.")

    def _after(self, name: str) -> list[str]:
        """List those that may come after an algorithm, once all have been asked."""
        return [] if self._unseen else [other for other in ranked("") if name in find(other).after]

    def _look(self) -> None:
        """Ask the next algorithm what is met before it: all at once would hold the first picture back."""
        if self._unseen:
            find(self._unseen.pop(0))
            return
        if self._looking is not None:
            self._looking.stop()
        if self.current:
            self.describe(self.current, self._query or "")

    def letters_now(self) -> Iterator[Letter]:
        if self._algorithm:
            for letter, (words, _) in find(self._algorithm).symbols.items():
                yield letter, partial(typeset, words)

    @property
    def _algorithm(self) -> str:
        """Get the name of the current algorithm, "" where a family or a lesson is current, or nothing."""
        return "" if self.current.startswith((_FAMILY, _LESSON, _PLUGIN)) else _named(self.current)

    def _plugin(self, entry: str) -> "Plugin":
        return next(one for one in self._plugins if one.name == _named(entry))

    # Keys

    def show_preview(self, chosen: str) -> None:
        family = _named(chosen) if chosen.startswith(_FAMILY) else ""
        if chosen.startswith(_LESSON):
            self.preview.show(_first_run(self._lessons[_named(chosen)]))
            return
        if chosen.startswith(_PLUGIN):
            self.preview.clear()
            return
        self.preview.show(self._run_of(in_course(family)[0] if family else _named(chosen))[0])

    def open_entry(self, chosen: str) -> None:
        if chosen.startswith(_FAMILY):
            self.action_open(_named(chosen) not in self._opened)
        elif chosen.startswith(_LESSON):
            self.host.open_lesson(self._lessons[_named(chosen)])
        elif chosen.startswith(_PLUGIN):
            spec = self._plugin(chosen).spec
            self._wait_no_more()  # what is said of it then stays
            self.query_one(About).tell(f"{spec} is being opened.", _named(chosen))
            self.run_worker(lambda: self._open_plugin(spec), thread=True, name="open", exclusive=True)
        elif chosen:
            loaded, told = self._run_of(_named(chosen))
            self.host.watch_run(loaded, told=told)

    # As last time

    def _run_of(self, name: str) -> tuple[LoadedRun, str]:
        """Load an algorithm as it was run last, with what to tell of that; where that cannot be, as it comes."""
        words = self.host.settings.settings.runs.get(name)
        if words is None:
            return LoadedRun.usual(find(name)), ""
        from tui import last_run

        try:
            loaded = last_run.last_run(find(name), words)
        except Refused as refusal:
            return LoadedRun.usual(find(name)), clean(f"as it comes, not as last time: {refusal}")
        return loaded, f"as last time, {last_run.in_words(loaded)}; a, then del, has it as it comes"

    def _last_time(self, name: str) -> str:
        """Say how an algorithm was run last, "" where it was as it comes."""
        words = self.host.settings.settings.runs.get(name)
        return clean(f"as last time: {words}; del: as it comes") if words else ""

    def action_forget(self) -> None:
        """Have the current algorithm begin as it comes."""
        if self._algorithm:
            self.host.settings.note_run(self._algorithm, None)
            self.describe(self.current, self._query or "")
            self._preview_soon(self.current)

    def _open_plugin(self, spec: str) -> None:
        """Open an algorithm of another distribution, or say in its place why it cannot be."""
        try:
            opened = requested([spec]).opened
            assert opened is not None
        except Refused as refusal:
            self.app.call_from_thread(self.preview.tell, clean(refusal))
        else:
            self.app.call_from_thread(self.host.watch_run, opened)

    def action_open(self, opened: bool) -> None:
        """Open the current family, or close it, also from among its algorithms."""
        if self._query is not None or not self.current or self.current.startswith((_BEGIN, _LESSON, _PLUGIN)):
            return
        name = _named(self.current)
        family = name if self.current.startswith(_FAMILY) else find(name).family
        if opened == (family in self._opened):
            return
        self._opened ^= {family}
        self._chosen = _FAMILY + family
        self._list()
        if opened:
            self.query_one("#names", OptionList).scroll_to_highlight(top=True)

    def action_lectures(self) -> None:
        """List what the lectures state instead, from what the current algorithm shows on."""
        self.host.browse_lectures(shown_by=self._algorithm)


def _named(entry: str) -> str:
    """Get the algorithm, the lesson or the family that an id stands for."""
    return entry.rpartition(" ")[2]


def _first_run(lesson: Lesson) -> LoadedRun:
    """Read the run with which a lesson begins."""
    runs = (one.rest for moment in lesson.moments for one in moment.instructions if one.word == "run")
    opened = requested(shlex.split(next(runs))).opened
    assert opened is not None
    return opened


def _beginning(room: int) -> Iterator[Option]:
    """List the six to begin with, with what one will see in each where a line has room for it."""
    yield _heading("Begin here", room)
    for name in BEGIN:
        lines = [_indented(find(name).title, room)]
        if room >= browser.NAMES[1]:
            lines += [Content.styled(f"    {line}", "$dim-in-hand") for line in wrapped(find(name).point, room - 4)]
        yield Option(Content("\n").join(lines), id=_BEGIN + name)


def _heading(text: str, room: int) -> Option:
    return Option(Content.styled(fitted(text, room), "bold $foreground"), disabled=True)


def _indented(title: str, room: int, columns: int = 2) -> Content:
    """Cut a title to so many columns, its indent included."""
    return Content(fitted(" " * columns + title, room))
