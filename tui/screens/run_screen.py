"""RunScreen: what the stage and the comparison have in common: a session, its notices, the clock, and the keys."""

from asyncio import gather
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, cast

from msgspec import Struct
from textual import events
from textual.binding import Binding, BindingType
from textual.worker import WorkerState

from algorithms.core import Algorithm
from algorithms.playback.cursor.player import Player
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession
from tui.keymap import mapped
from tui.look import printed
from tui.screens.explaining import Explaining
from tui.sections.signs import Letter, OnScreen, letters_of
from tui.terminal.containment import Contained
from tui.terminal.inside import name_bindings
from tui.widgets.too_small import LEAST

if TYPE_CHECKING:
    from algorithms.saving.session import Opening

FRAMES = 30  # pictures a second, at most
STILL = 0.25  # seconds without a step after which coarse pictures are made fine
# The state that a message tells of: its worker may have come further when the message is read, and a thread that is
# taken to have ended twice is joined by another at the same run.
FINISHED = (WorkerState.CANCELLED, WorkerState.ERROR, WorkerState.SUCCESS)
T = TypeVar("T")
_MOVES = ("step", "iteration", "event", "seek", "start", "last")  # the actions that go to another step


class Cursor(Protocol):
    """What keys move: the cursor of one run, or of several together."""

    def step(self, by: int) -> None:
        """Go so many steps on or back."""

    def iteration(self, forward: bool) -> None:
        """Go to the next iteration, or the one before."""

    def faster(self, by: int) -> None:
        """Play faster, or slower."""


class Host(Protocol):
    """An app that shows other things in place of the stage."""

    def browse(self, algorithm: Algorithm) -> None:
        """Show the catalogue, with an algorithm chosen."""

    def watch_run(self, opened: LoadedRun) -> None:
        """Show a run in place of the one that was watched."""

    def open_session(self, opening: "Opening") -> None:
        """Show a session in place of this one."""

    def keep_moment(self, moment: str, loaded: LoadedRun) -> str:
        """Keep a moment in the file of the lesson that is written; what to tell of it, or a `Refused`."""


class Worked(Struct, frozen=True, eq=False):
    """Report what a thread did for a player: whether it stepped or grew, and a picture, made for so much room."""

    player: Player
    stepped: bool
    grew: bool
    picture: Picture | None
    room: tuple[int, int]


class RunScreen(Explaining[None]):
    """Shows a session while its runs go on.

    Attributes:
        session: the runs.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "all keys"),
        Binding("q", "app.quit", "quit"),
    ]

    def __init__(self, session: RunSession):
        super().__init__()
        name_bindings(self)
        self.session = session
        self._ticked = self._moved = 0.0
        self._refusal = ""
        self._ticking = False

    # Keys

    @property
    def own_keys(self) -> Mapping[str, str]:
        """Get the keys that the reader has given actions, by action."""
        return getattr(self.app, "own_keys", {})

    @property
    def all_bindings(self) -> list[Binding]:
        """List the keys that do something, with the reader's own."""
        return mapped(self.usual_bindings(), self.own_keys)

    @classmethod
    def usual_bindings(cls) -> list[Binding]:
        """List the keys that do something, in the order of the parts; help and quit come last."""
        screen, *parts = [part for part in cls.__mro__ if issubclass(part, RunScreen)]
        return [
            b
            for part in (*parts[:-1], screen, RunScreen)
            for b in vars(part).get("BINDINGS", ())
            if isinstance(b, Binding) and b.description
        ]

    @property
    def keys_in_place(self) -> tuple[tuple[str, str], ...]:
        """Pair each usual key with the reader's own that does the same, as they are shown."""
        if not self.own_keys:
            return ()
        usual = ((key, bound.action) for bound in self.usual_bindings() for key in bound.key.split(","))
        own = self.own_keys
        return tuple((printed(key), printed(own[does].split(",")[0])) for key, does in usual if does in own)

    def moves_with(self, key: str) -> bool:
        """Tell whether a key goes to another step and does nothing else."""
        bound = (binding for binding in self.all_bindings if key in binding.key.split(","))
        return any(binding.action.partition("(")[0] in _MOVES for binding in bound)

    def catch_up(self) -> None:
        """Draw with the room that there is now, after steps that were not drawn."""
        self.redraw(moving=True)

    def redraw(self, moving: bool = False) -> None:
        """Draw the current step; in a hurry where it is one of many."""
        raise NotImplementedError

    def action_help(self) -> None:
        from tui.screens.help import Help

        file = getattr(getattr(self.app, "settings", None), "path", None)
        kept = str(file.parent) if file is not None else ""
        self.app.push_screen(Help(self.all_bindings, self.keys_of_mode(), self.signs_now(), kept))

    def keys_of_mode(self) -> tuple[tuple[str, str], ...]:
        """List further keys, of a mode that is on, with what they do."""
        return ()

    def signs_now(self) -> OnScreen:
        """Say what the signs of what is shown stand for."""
        raise NotImplementedError

    def letters_now(self) -> Iterator[Letter]:
        player = self.player_in_hand
        frame = player.frame
        return letters_of(player.timeline.algorithm, player.timeline.problem_at(frame.t), frame.before, frame.state)

    def action_algorithms(self) -> None:
        """Show the catalogue, with the algorithm of the run in hand chosen."""
        self.pause()
        self.host.browse(self.session_in_hand.loaded.algorithm)

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        """List what the bottom line shows."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow nothing but help and leaving in too small a terminal: what cannot be seen should not happen."""
        seen = not self.has_class("small") or action in ("help", "leave")
        return seen and super().check_action(action, parameters)

    def measure(self) -> bool:
        """Tell the style sheet whether the terminal is too small; whether it is."""
        width, height = self.size
        small = width < LEAST[0] or height < LEAST[1]
        self.set_class(small, "small")
        return small

    # The clock

    def on_mount(self) -> None:
        self.measure()  # the size may have been told before there was a screen to measure
        self._moved = perf_counter()

    def on_screen_resume(self) -> None:
        """Start the clock, which stands while another screen is in front: each tick would have both painted whole."""
        self.wind()
        if not self._ticking:
            self._ticking = True
            self.set_timer(1 / FRAMES, self._tick)

    def _tick(self) -> None:
        """Let the runs go on, and do so again in time: an interval timer would leave out every second late one."""
        self._ticking = self.app.screen is self
        if not self._ticking:
            return
        now = perf_counter()
        elapsed, self._ticked = now - self._ticked, now
        try:
            if self.is_live:
                self.go_on(elapsed)
        finally:
            self.set_timer(max(1 / FRAMES - (perf_counter() - now), 0.002), self._tick)

    def wind(self) -> None:
        """Count time from now on, for runs that begin to play."""
        self._ticked = perf_counter()

    def go_on(self, elapsed: float) -> None:
        """Let the runs go on for so many seconds."""
        raise NotImplementedError

    def stands_still(self) -> bool:
        """Tell whether no step has come for a while, so that there is time for a fine picture."""
        return perf_counter() - self._moved > STILL

    # The cursor

    @property
    def cursor(self) -> Cursor:
        """Get what keys move."""
        raise NotImplementedError

    def act(self) -> None:
        """Do at once what was asked, so that a key is answered within a frame."""
        raise NotImplementedError

    def show_where(self) -> None:
        """Show what changes with the cursor besides the stage."""
        raise NotImplementedError

    # The run in hand

    @property
    def player_in_hand(self) -> Player:
        """Get the clock and cursor of the run in hand."""
        raise NotImplementedError

    @property
    def session_in_hand(self) -> RunSession:
        """Get the session that the run in hand is one of."""
        return self.session

    @property
    def on_page(self) -> bool:
        """Tell whether what is painted is for a page, where no key can be pressed."""
        return isinstance(self.app, Contained) and self.app.on_page

    @property
    def host(self) -> Host:
        """Get the app, for what only it can do."""
        return cast(Host, self.app)

    def is_recording(self) -> bool:
        """Tell whether the run in hand was recorded; then tell that nothing in it can be changed."""
        recorded = self.session_in_hand.recorded
        if recorded:
            self.tell("a recording is what it is: nothing in it can be changed, and it is in its file already")
        return recorded

    def pause(self) -> None:
        """Stop what goes on, for a dialog."""
        raise NotImplementedError

    def when_free(self, act: Callable[[], None]) -> None:
        """Do what needs the runs for itself, when no thread works on them any more."""
        raise NotImplementedError

    def view_now(self) -> dict[str, Any]:
        """Describe how one run is shown, in plain values."""
        raise NotImplementedError

    # The audience of the session

    def tell(self, text: str) -> None:
        """Tell a sentence in place of the one before; "" ends that."""
        self.session.tell(text)

    def refuse(self, why: str) -> None:
        """Tell why a key does nothing, until the next one; "" where it did something."""
        self._refusal = why
        if why:
            self.tell(why)

    def on_key(self, event: events.Key) -> None:
        """End what was told of the key before, which did nothing."""
        refusal, self._refusal = self._refusal, ""
        if refusal and self.session.notice == refusal:
            self.session.forget_notice()
            self.show_notice()

    def show_notice(self) -> None:
        """Show the notice of the session, which is another one."""
        raise NotImplementedError

    def note_look(self) -> None:
        """Note how runs beside each other are looked at, where they are."""

    async def wait_for_threads(self) -> None:
        """Wait until all work has ended; that which was cancelled, or has failed, is no longer waited for."""
        await gather(*(worker.wait() for worker in self.workers), return_exceptions=True)

    def aside(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        """Work in a thread, then go on with what came of it."""
        self.run_worker(lambda: self.app.call_from_thread(then, work()), thread=True, name="aside")
