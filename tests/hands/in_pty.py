"""Walks over the real app in a real pseudo-terminal.

What must hold: it answers to the end, ends as it is asked to, tells of no error of its own, writes nothing into the
file of faults, gives the terminal back, leaves no process and no half of a file, needs no more memory than a small
machine has; and what was not saved is offered again, fork by fork.
"""

import re
import signal
import tempfile
import time
from collections import deque
from itertools import cycle
from pathlib import Path

import msgspec

from algorithms import Refused, read_session
from algorithms.saving.loading import named_algorithm
from tests.hands.actions import Burst, Resize, Walk, key, sequence
from tests.hands.leftovers import end_all, files_left, marked, started_with
from tests.hands.made import Made, replayed
from tests.patience import PATIENCE
from tests.terminal.pseudo import ROOT, Pseudo

QUIET = 1.5  # seconds without output after which all that was sent has been answered
MOST_MEMORY = 1_800  # MB
_BACKLOG = 60.0  # seconds that a walk waits for quiet before it is ended, and for an answer
_LOOKS, _MOSTLY = 40, 0.85  # looks at whether the app's loop waits, and the share of them that means it is idle
_LEFT = 10.0  # seconds that processes have to see that they are not wanted any more
_OF_ITS_OWN = (
    b"error of its own",
    b"Traceback (most recent",
    b"Fatal Python",
    b"Exception ignored",
    b"was never awaited",
)
BY_CHANCE = "its own quit"
_STEERING = re.compile(r"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b\][^\x07]*\x07")
_STATUS = {"keys": 0, **{name: 128 + getattr(signal, f"SIG{name}") for name in ("TERM", "HUP", "INT", "QUIT")}}


class Walked(msgspec.Struct):
    """What became of a walk.

    Attributes:
        failures: what did not hold, a sentence each; of an error with the places it went through.
        ended: how it ended; "its own quit" where the walk came to that by chance, in the palette or by a click.
        offered: whether what was not saved could be opened again.
        memory: MB at most.
    """

    failures: list[str]
    ended: str = ""
    offered: bool = False
    memory: int = 0


def walked(walk: Walk) -> tuple[list[str], str]:
    """Walk in a new folder; gives what did not hold, and a word on how it went.

    Raises:
        Refused: when the walk asks for what cannot be opened.
    """
    with tempfile.TemporaryDirectory() as folder:
        became = play(walk, Path(folder))
    offered = ", offered again" * became.offered
    return became.failures, f"ended by {became.ended}{offered}, {became.memory} MB"


def play(walk: Walk, folder: Path, **environment: str | None) -> Walked:
    """Do it all with a new app in a terminal, everything of which is in the folder."""
    places = {name: folder / name for name in ("home", "state", "tmp", "cwd/of/walk")}
    for place in places.values():
        place.mkdir(parents=True)
    own = [str(ROOT / word) if word.startswith("demos/") else word for word in walk.words]
    with (
        started_with() as mark,
        Pseudo.python(
            "-m", "tests.hands.watched", *own,
            columns=walk.columns, rows=walk.rows, folder=places["cwd/of/walk"], drawn=False,
            HOME=str(places["home"]), XDG_STATE_HOME=str(places["state"]), TMPDIR=str(places["tmp"]),
            WATCHED_MADE=str(folder / "made.json"), WATCHED_ASKED=str(folder / "asked"), PYTHONFAULTHANDLER="1",
            PYTEST_CURRENT_TEST=None, ITERSCOPE_STRICT=None, **environment,
        ) as terminal,
    ):  # fmt: skip
        became = Terminal(terminal, walk).played()
        became.failures += _left_running(mark)
    if became.ended == BY_CHANCE and not (folder / "asked").exists():
        became.failures.append("it ended, which nothing had asked for")
    became.failures += _left_behind(places)
    if not became.failures:
        _offered(became, places["cwd/of/walk"], folder / "made.json")
    return became


class Terminal:
    """Does a walk in a terminal and holds what can be seen there."""

    def __init__(self, terminal: Pseudo, walk: Walk):
        self.terminal, self.walk = terminal, walk
        self._became = Walked([], walk.end)
        self._closed = False
        self._last = time.monotonic()  # that something came

    def played(self) -> Walked:
        """Start, walk, end; returns what became of it."""
        self._started()
        for i, burst in enumerate(self.walk.bursts):
            if self._closed:
                break
            self._do(burst)
            if i % 20 == 19:
                self._quiet(0.15, 20.0)
        if not self._closed:
            self._answers()
        self._became.memory = _peak(self.terminal.child.pid)
        if self._became.memory > MOST_MEMORY:
            self._fails(f"{self._became.memory} MB of memory")
        if self._closed:
            self._became.ended = BY_CHANCE
        else:
            self._end()
        self._over()
        return self._became

    def _fails(self, sentence: str) -> None:
        self._became.failures.append(sentence)

    def _pump(self, seconds: float) -> None:
        """Read for so long."""
        end = time.monotonic() + seconds
        while not self._closed and (rest := end - time.monotonic()) > 0:
            came = self.terminal.pump(min(rest, 0.05))
            if came is None:
                self._closed = True
            elif came:
                self._last = time.monotonic()

    def _send(self, sent: bytes) -> None:
        try:
            self.terminal.child.send(sent)
        except OSError:
            self._closed = True

    def _do(self, burst: Burst) -> None:
        for part in burst.parts:
            if isinstance(part, Resize):
                try:
                    self.terminal.resize(part.columns, part.rows)
                except OSError:
                    self._closed = True
            else:
                self._send(part)
        self._pump(burst.pause)

    def _quiet(self, seconds: float, most: float) -> None:
        """Wait until all that was sent is answered: nothing has come for so long, or the loop mostly waits.

        A run that plays, or the preview of one, never is quiet.
        """
        end = time.monotonic() + most
        waits: deque[bool] = deque(maxlen=_LOOKS)
        while not self._closed and time.monotonic() - self._last < seconds and time.monotonic() < end:
            self._pump(0.05)
            waits.append(_waits(self.terminal.child.pid))
            if sum(waits) >= _MOSTLY * _LOOKS:
                break

    def _started(self) -> None:
        end = time.monotonic() + PATIENCE
        while not self._closed and len(self.terminal.raw) < 3000 and time.monotonic() < end:
            self._pump(0.05)
        self._quiet(0.5, PATIENCE)
        if self._closed and self.terminal.status() == 2 and b"\x1b[?1049h" not in self.terminal.raw:
            raise Refused(self._told().strip())

    def _answers(self) -> None:
        """Wait for quiet, close what is open, and hold that a key is answered."""
        self._quiet(QUIET, _BACKLOG)
        self._do(Burst((Resize(120, 40),), 0.2))
        self._send(b"\x1b[201~")  # a paste that was never over
        for _ in range(3):
            self._do(Burst((key("escape"),), 0.3))
        self._quiet(QUIET, _BACKLOG)
        came = len(self.terminal.raw)
        end, again = time.monotonic() + _BACKLOG, 0.0
        asked = cycle(("question_mark", "escape"))  # a list to choose from has no help, and is left
        while not self._closed and len(self.terminal.raw) < came + 20 and time.monotonic() < end:
            if time.monotonic() > again:  # in one read with the escape before it would be another key
                self._send(key(next(asked)).text.encode())
                again = time.monotonic() + _BACKLOG / 3
            self._pump(0.1)
        if not self._closed and len(self.terminal.raw) < came + 20:
            self._fails(f"nothing is answered within {_BACKLOG:g} s")
        self._do(Burst((key("escape"),), 0.5))
        self._quiet(QUIET, _BACKLOG)

    def _end(self) -> None:
        """End it, by keys (what is not saved is asked about, once) or by a signal."""
        if self.walk.end != "keys":
            self.terminal.signal(getattr(signal, f"SIG{self.walk.end}"))
            return
        for _ in range(2):
            self._send(sequence("ctrl+q").encode())
            self._pump(0.5)
            self._quiet(QUIET, _BACKLOG)

    def _over(self) -> None:
        """Wait for the end, and hold what it said and what the terminal is like."""
        terminal = self.terminal
        try:
            status = terminal.status()
        except AssertionError as error:
            self._fails(f"{str(error).partition(chr(10))[0]} {self._frames()}")
            return
        wanted = 0 if self._became.ended == BY_CHANCE else _STATUS[self._became.ended]
        if status != wanted:
            self._fails(f"status {status}, not {wanted}; {self._told()[-300:]}")
        if left := terminal.left_on():
            self._fails(f"left on in the terminal: {', '.join(left)}")
        if any(words in terminal.raw for words in _OF_ITS_OWN):
            self._fails(f"an error of its own: {self._told()[-2500:]}")

    def _frames(self) -> str:
        """What it printed last, and where each of its threads is."""
        self.terminal.signal(signal.SIGUSR1)
        self._pump(2.0)
        return _STEERING.sub("", bytes(self.terminal.raw[-6000:]).decode("utf-8", "replace"))

    def _told(self) -> str:
        """What was printed after the screen."""
        raw = bytes(self.terminal.raw)
        return _STEERING.sub("", raw[max(raw.rfind(b"\x1b[?1049l"), 0) :].decode("utf-8", "replace"))


def _waits(process: int) -> bool:
    """Tell whether its main thread waits for something; False where that cannot be asked."""
    try:
        status = Path(f"/proc/{process}/task/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(") ")[2][0] == "S"


def _peak(process: int) -> int:
    """Read the most memory that it ever had, in MB; 0 where that cannot be asked."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) // 1024 if found else 0


def _left_running(mark: str) -> list[str]:
    end = time.monotonic() + _LEFT
    while (left := marked(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    end_all(left)
    return [f"processes are left: {left}"] if left else []


def _left_behind(places: dict[str, Path]) -> list[str]:
    """Look for faults that were contained, and for files that nobody asked for."""
    faults = [path.read_text() for path in places["state"].rglob("faults.txt") if path.stat().st_size]
    failures = [f"faults were contained: {'; '.join(faults)[:4000]}"] if faults else []
    for name, place in places.items():
        left = [str(each) for each in place.rglob("*")] if name in ("home", "tmp") else files_left(place)
        if left and name != "state":
            failures.append(f"files are left in {name}: {left[:5]}")
    return failures


def _offered(became: Walked, folder: Path, made_file: Path) -> None:
    """Open what was rescued and compare it with what was made, which was written down when it was rescued."""
    files = sorted(folder.glob("*.rescued.json"))
    made = msgspec.json.decode(made_file.read_bytes(), type=Made) if made_file.exists() else Made()
    if made.refusal:
        return
    if bool(made.unsaved) != bool(files):
        became.failures.append(f"{made.unsaved or 'nothing is unsaved'}, but rescued are {[f.name for f in files]}")
    if not made.unsaved or not files:
        return
    newest = max(files, key=lambda path: path.stat().st_mtime_ns)
    try:
        spec = read_session(newest).spec
        opening = replayed(newest, named_algorithm(spec, apart=False) if spec else None)
    except Refused as refusal:
        became.failures.append(f"what was rescued cannot be opened: {refusal}")
        return
    if lost := made.lost(Made.opened(opening)):
        became.failures.append(f"what was rescued is not what was there: {lost}")
    became.offered = True
