"""The app: its look, its screens, and everything by name."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.screen import Screen

from algorithms.core import Algorithm, Refused
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.in_front import InFront
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.timeline import Timeline
from tui.commands import AlgorithmCommands, LectureCommands
from tui.keymap import NAME, read_keymap, template
from tui.look import commands_of, theme_of, variables_of
from tui.paint.palette import DARK, LIGHT
from tui.rescue import Rescue
from tui.screens.browser import Browser
from tui.screens.run_screen import RunScreen
from tui.screens.stage import StageScreen
from tui.sessions import leave, offer_rescued, open_session, show
from tui.settings import Look, Remembered
from tui.terminal.clean import safe
from tui.terminal.containment import Contained

if TYPE_CHECKING:
    from algorithms.lectures.lessons import Lesson
    from algorithms.playback.lessons.reader import Reader
    from algorithms.saving.session import Opening
    from tui.classroom.broadcast import Broadcast
    from tui.lessons import Written

_MOST_TOLD = 4  # lines of the reader's keys with which something is wrong
_LOOK = 0.25  # seconds between two looks at whether there is something to be rescued


class IterscopeApp(Contained[None]):
    """Opens on a run, or on the catalogue when none was asked for."""

    TITLE = "iterscope"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[Any]] = Contained.COMMANDS | {AlgorithmCommands, LectureCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "quit", "quit", priority=True),
        Binding("pagedown", "moment(1)", priority=True),  # of a lesson, wherever one has wandered
        Binding("pageup", "moment(-1)", priority=True),
    ]

    def __init__(
        self,
        opened: LoadedRun | None = None,
        player: Player | None = None,
        at: int = 0,
        look: str | None = None,
        ascii_alone: bool = False,
        session: "Opening | None" = None,
        against: Sequence[Timeline | ComparedRun] = (),
        rescue: Rescue | None = None,
        front: InFront | None = None,
        lesson: "Lesson | None" = None,
        lessons: bool = False,
        whole: bool = True,
        notes: bool = False,
        broadcast: "Broadcast | None" = None,
        settings: Remembered | None = None,
        **kwargs: object,
    ):
        super().__init__(**kwargs)
        self._opened, self._player, self._at = opened, player, at
        self._session, self._against, self._rescue = session, against, rescue
        self.whole = whole  # whether runs of the catalogue are shown whole, or as far as one has been
        self._front, self._lesson, self._lessons, self._notes = front, lesson, lessons, notes
        self._broadcast = broadcast  # to a class
        self.reader: Reader | None = None  # of the lesson that is gone through
        self._written: Written | None = None  # the lesson that is written by doing
        self.ascii_alone = ascii_alone  # for the driver
        self.by_lecture, self.statement = False, ""  # which list one chose from last, and which statement there
        for palette in (DARK, LIGHT):
            self.register_theme(theme_of(palette))
        self.settings = settings or Remembered()
        self.own_keys: dict[str, str] = {}
        self._key_troubles: list[str] = []
        if self.settings.path is not None and (file := self.settings.path.with_name(NAME)).exists():
            self.own_keys, self._key_troubles = read_keymap(file, self.screens_with_keys(), self.usual_keys())
            self.set_keymap(self.own_keys)
        self._begin_with(f"iterscope-{look or self.settings.settings.theme or 'dark'}")

    def _begin_with(self, theme: str) -> None:
        """Have a theme from the start; one that is chosen later has Textual parse all style sheets again."""
        self.set_reactive(IterscopeApp.theme, theme)
        self.set_class(self.current_theme.dark, "-dark-mode", update=False)
        self.set_class(not self.current_theme.dark, "-light-mode", update=False)
        self.add_class(f"-theme-{theme}", update=False)
        self.stylesheet.set_variables(self.get_css_variables())

    def on_mount(self) -> None:
        if self._session is not None:
            self.open_session(self._session)
        elif self._lesson is not None and self._notes:
            from tui.screens.notes import NotesScreen

            self.push_screen(NotesScreen(self._lesson))
        elif self._lesson is not None:
            self.open_lesson(self._lesson)
        elif self._opened is None:
            from tui.screens.catalogue import CatalogueScreen

            self.push_screen(CatalogueScreen())
            if self._lessons:
                self.list_lessons()
        else:
            self.watch_run(self._opened, self._at, self._player, self._against, front=self._front)
        if self.settings.trouble:
            self.notify(self.settings.trouble, title="settings", severity="warning", timeout=15, markup=False)
        if self._key_troubles:
            told = self._key_troubles[:_MOST_TOLD]
            more = len(self._key_troubles) - len(told)
            told += [f"and {more} more lines"] if more else []
            words = "\n".join(safe(trouble).plain for trouble in told)
            self.notify(words, title="keys", severity="warning", timeout=15, markup=False)
        if self._rescue is not None:
            self.set_interval(_LOOK, partial(self._rescue.look, self))
            if self._session is None:
                offer_rescued(self, self._rescue, self._opened)
        if self._broadcast is not None:
            from tui.classroom.looking import Onlooker

            self._broadcast.start()
            Onlooker(self, self._broadcast.show)
            self.tell_link()

    def tell_link(self) -> None:
        """Show the link of the class, and how many look on."""
        if self._broadcast is not None:
            seen = f"{self._broadcast.viewers} look on" if self._broadcast.viewers else "ctrl+p, link, shows it again"
            self.notify(f"{self._broadcast.link}\n{seen}", title="a class follows at", timeout=15, markup=False)

    def on_unmount(self) -> None:
        """End the processes of readers' files: what still refers to them may not be garbage for long."""
        if self._broadcast is not None:
            self._broadcast.stop()
        process = sys.modules.get("algorithms.userfile.process")
        if process is not None:
            process.end_children()
        self._leave_lesson()
        self.settings.close()

    def keep_unsaved(self) -> str:
        """Write what is not saved to a file, when the app ends otherwise than in order; returns what to tell of it.

        It may be called from any thread, and when nothing of the app works any more.
        """
        return "" if self._rescue is None else self._rescue.write()

    def exit(self, result: None = None, return_code: int = 0, message: Any = None) -> None:
        if return_code and self._rescue is not None:
            with suppress(Exception):  # whatever state the app is in, it ends
                self._rescue.look(self)
        super().exit(result, return_code, message)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give Textual's own themes the colours that ours add."""
        return variables_of(DARK)

    def watch_run(
        self,
        opened: LoadedRun,
        at: int = 0,
        player: Player | None = None,
        against: Sequence[Timeline | ComparedRun] = (),
        statement: str = "",
        front: InFront | None = None,
        told: str = "",
    ) -> None:
        """Show a run at a step, or beside others, in place of the one that was watched; its forks are asked about. That
        of a statement of the lectures has it below, and in front what it names.

        Args:
            front: what else is to be in front.
            told: what is told of it at first, after what there is to tell of its data.
        """

        def start() -> None:
            stage = StageScreen(opened, at, player, self.whole or opened.own)
            stage.front = front
            stage.remember_in(self.settings)
            if told:
                stage.session.tell(" ".join(filter(None, [stage.session.notice, f"{told}."])))
            if statement:
                from algorithms.lectures import named

                stage.statement = named(statement)
            show(self, stage)
            if against:
                stage.compare_with(against)

        for screen in self.screen_stack:
            if isinstance(screen, StageScreen):
                screen.unless_forks(start)
                return
        start()

    def open_session(self, opening: "Opening") -> None:
        """Replay a session and show it in place of what was watched."""
        open_session(self, opening, lambda stage: stage.session.show_whole(True) if self.whole else None)

    # Lessons

    def open_lesson(self, lesson: "Lesson") -> None:
        """Begin a lesson, in place of what was watched."""
        from algorithms.playback.lessons.reader import Reader

        self._leave_lesson()
        self.reader = Reader(lesson)
        self.show_moment()

    def _leave_lesson(self) -> None:
        """End the notes in another terminal with the lesson that they are of."""
        if self.reader is not None:
            from tui.notes import forget_place

            forget_place(self.reader.lesson)

    def list_lessons(self) -> None:
        """Offer the lessons of the course."""
        from tui.screens.lessons import ChooseLesson

        def chosen(lesson: "Lesson | None") -> None:
            if lesson is not None:
                self.open_lesson(lesson)

        self.push_screen(ChooseLesson(self.reader.lesson.name if self.reader else ""), chosen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the keys of moments to the screens where no lesson is gone through, and to lists to choose from."""
        if action == "moment" and (self.reader is None or isinstance(self.screen, Browser)):
            return False
        return super().check_action(action, parameters)

    def action_moment(self, by: int) -> None:
        """Go to the next moment of the lesson, or the one before, from wherever one has wandered."""
        if self.reader is not None:
            self.read_lesson_again()
            self.reader.go(by)
            self.show_moment()

    def read_lesson_again(self) -> bool:
        """Read the file of the lesson again where it was written meanwhile; whether it was."""
        from tui.lessons import read_again

        try:
            return self.reader is not None and read_again(self.reader)
        except Refused as refusal:
            self.notify(safe(refusal).plain, title="not read again", severity="error", markup=False)
            return False

    def keep_moment(self, moment: str, loaded: LoadedRun) -> str:
        """Keep a moment in the file of the lesson that is written; returns what to tell."""
        from tui.lessons import Written

        self._written = self._written or Written()
        return self._written.keep(moment, loaded, self.reader)

    def show_moment(self) -> None:
        """Show the moment that the reader is at, or tell why it cannot be."""
        from tui.notes import note_place
        from tui.screens.asking import closed
        from tui.screens.lesson import LessonScreen
        from tui.terminal.guard import elsewhere

        assert self.reader is not None
        there = next((each for each in self.screen_stack if isinstance(each, LessonScreen)), None)
        try:
            if there is None or there.reader is not self.reader:
                show(self, LessonScreen(self.reader))
            else:
                while self.screen is not there:
                    closed(self.screen)
                there.show_moment()
            if not elsewhere():
                note_place(self.reader.lesson, self.reader.index)
        except Refused as refusal:
            self.notify(safe(refusal).plain, title="not shown", severity="error", markup=False)

    async def action_quit(self) -> None:
        """End, once what is not saved has been asked about."""
        leave(self)

    def browse(self, algorithm: Algorithm) -> None:
        """Show the list that one chose from last over the run: its algorithm the current one, or the statement."""
        if self.by_lecture:
            self.browse_lectures()
        else:
            self.browse_algorithms(algorithm.name)

    def browse_algorithms(self, name: str = "") -> None:
        """Show the algorithms by family, over the run or in place of the lectures."""
        from tui.screens.catalogue import CatalogueScreen

        self._browse(CatalogueScreen(name))

    def browse_lectures(self, statement: str = "", shown_by: str = "") -> None:
        """Show what the lectures state, over the run or in place of the algorithms."""
        from tui.screens.lectures import LecturesScreen

        self._browse(LecturesScreen(statement or self.statement, shown_by))

    def _browse(self, browser: Browser) -> None:
        if isinstance(self.screen, Browser):
            self.switch_screen(browser)
        else:
            self.push_screen(browser)

    def action_look(self) -> None:
        """Change from dark to light and back."""
        look: Look = "light" if self.current_theme.dark else "dark"
        self.theme = f"iterscope-{look}"
        self.settings.note(theme=look)

    def screens_with_keys(self) -> dict[str, list[Binding]]:
        """List the screens whose keys can be others, each with what can be pressed there."""
        from tui.screens.compare import CompareScreen
        from tui.screens.lesson import LessonScreen

        screens: dict[str, type[RunScreen]] = {
            "a run": StageScreen,
            "a comparison": CompareScreen,
            "a lesson": LessonScreen,
        }
        return {name: screen.usual_bindings() for name, screen in screens.items()}

    def usual_keys(self) -> list[Binding]:
        """List the keys of every screen, which stay as they are."""
        return [*Binding.make_bindings(self.BINDINGS), Binding(self.COMMAND_PALETTE_BINDING, "command_palette")]

    def action_own_keys(self) -> None:
        """Tell where keys of one's own are written; where there is no such file yet, make one that changes nothing."""
        from algorithms.saving.files import write_whole

        assert self.settings.path is not None
        file = self.settings.path.with_name(NAME)
        try:
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(file, template(self.screens_with_keys()), overwrite=False)
        except (OSError, Refused) as error:
            self.notify(safe(error).plain, title="not written", severity="error", markup=False)
            return
        told = f"{safe(str(file)).plain}\nnames every action with its keys; what you change holds from the next start"
        self.notify(told, title="keys of your own", timeout=15, markup=False)

    def action_command_palette(self) -> None:
        """Offer everything by name."""
        from tui.commands import Commands

        if self.use_command_palette and not CommandPalette.is_open(self):  # type: ignore[arg-type]
            self.push_screen(Commands())

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Yield every key's action by name, and the look."""
        yield from commands_of(screen)
        yield SystemCommand("Dark or light", "change the look", self.action_look)
        if self.settings.path is not None:
            yield SystemCommand("Keys of your own", "where they are written, and that file", self.action_own_keys)
        if self._broadcast is not None:
            yield SystemCommand("Link of the class", "show it again, and how many look on", self.tell_link)
