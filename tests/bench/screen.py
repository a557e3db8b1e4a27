"""The screen in a real pseudo-terminal: first paint, from key to last byte, pictures a second while it plays."""

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import mkdtemp

import pexpect

from tests.bench.row import Figures, Result, below

SIZE = (50, 160)
DATA = "blobs:n=1000,margin=0.01"
_STEP = re.compile(rb"step ([\d,]+) ")  # what comes behind it may be sent apart
_PAINTED = b"\x1b[0m\x1b[1;1H"  # how each picture ends
_QUIET = 0.12  # seconds without a byte after which a key has been answered
_LONG = (
    ("kernel_pca", "--data", "blobs:n=2000"),
    ("gaussian_mixture", "--data", "blobs:n=100000"),
    ("adaboost", "--data", "moons:n=20000"),
    ("choose_k", "--data", "blobs:n=20000"),
)
_BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("step 0 of none")

Bare().run()
"""
_UNASKED = 0.04  # the same of what comes unasked, while a run is computed
_STILL = 1.0  # the same of many keys, of which not each is drawn


class Terminal:
    """The app on 1,000 points in a pseudo-terminal that reads and forgets."""

    def __init__(self, *words: str, size: tuple[int, int] = SIZE, code: str = ""):
        nothing = mkdtemp(prefix="iterscope-bench-")  # remembered, nor rescued: no dialog is first
        env = dict(os.environ, TERM="xterm-256color", COLORTERM="truecolor", PYTHONPATH=os.getcwd())
        env |= dict.fromkeys(("XDG_STATE_HOME", "XDG_CONFIG_HOME"), nothing)
        self.started = time.monotonic()
        self.child = pexpect.spawn(
            sys.executable,
            ["-c", code] if code else ["-m", "tui", *words],
            dimensions=size,
            cwd=nothing,
            env=env,
            encoding=None,
            echo=False,
        )
        self.child.delaybeforesend = None

    def read(self, seconds: float) -> bytes:
        """What comes within so long."""
        found, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                found += self.child.read_nonblocking(1 << 16, 0.005)
            except pexpect.TIMEOUT:
                continue
        return found

    def first_paint(self) -> float:
        """Seconds to the first picture of the run."""
        found = b""
        while not _STEP.search(found):
            found += self.read(0.01)
        return time.monotonic() - self.started

    def latency(self, key: bytes, times: int = 50) -> list[float]:
        """Milliseconds from a key to the last byte that it brings, sorted."""
        taken = []
        for _ in range(times):
            self.read(0.03)
            pressed = last = time.monotonic()
            self.child.send(key)
            while time.monotonic() - last < _QUIET:
                try:
                    self.child.read_nonblocking(1 << 16, 0.005)
                    last = time.monotonic()
                except pexpect.TIMEOUT:
                    continue
            taken.append((last - pressed) * 1e3)
        return sorted(taken)

    def heard(self, key: bytes) -> float:
        """Milliseconds from a key to the first byte that it brings, after a moment in which none came."""
        still = time.monotonic()
        while time.monotonic() - still < _UNASKED:
            if self.read(0.005):
                still = time.monotonic()
        pressed = time.monotonic()
        self.child.send(key)
        while time.monotonic() - pressed < 5:
            try:
                self.child.read_nonblocking(1 << 16, 0.001)
                break
            except pexpect.TIMEOUT:
                continue
        return (time.monotonic() - pressed) * 1e3

    def burst(self, keys: bytes) -> float:
        """Milliseconds from keys that come in one read to the last byte that they bring."""
        self.read(0.5)
        pressed = last = time.monotonic()
        self.child.send(keys)
        while time.monotonic() - last < _STILL:
            try:
                self.child.read_nonblocking(1 << 16, 0.005)
                last = time.monotonic()
            except pexpect.TIMEOUT:
                continue
        return (last - pressed) * 1e3

    def pictures(self, seconds: float = 4.0) -> tuple[float, float]:
        """Pictures a second while it plays at 150 steps a second, each of another one, and KB a second."""
        for key in (b"+", b"+", b"+", b"+", b" "):
            self.child.send(key)
            self.read(0.1)
        self.read(0.5)
        found = self.read(seconds)
        self.child.send(b" ")
        return found.count(_PAINTED) / seconds, len(found) / seconds / 1024


def screen() -> Iterator[Result]:
    terminal = Terminal("perceptron", "--data", DATA, "-p", "epochs=1000", "-p", "eta=0.001")
    try:
        yield below("first paint of a run", terminal.first_paint(), 0.6, "s", 2)
        terminal.read(2.5)  # the run is computed ahead meanwhile
        for name, key in (("on", b"\x1b[C"), ("back", b"\x1b[D")):
            taken = terminal.latency(key)
            alone = statistics.median(taken)
            yield below(f"a step {name}, key to last byte, median", alone, 25, "ms")
            yield below(f"a step {name}, key to last byte, p95", taken[int(0.95 * (len(taken) - 1))], 50, "ms")
        each = terminal.burst(b"\x1b[C\x1b[D" * 100) / 200
        yield below("a step of 200 in one read, of the time of one alone", each / alone, 0.3, "", 2)
        shown, bytes_ = terminal.pictures()
        yield Result("pictures a second of 30 asked for", f"{shown:.1f}", ">= 28", shown >= 28)
        yield Result("written while it plays", f"{bytes_:.0f} KB/s")
    finally:
        terminal.child.close(force=True)


def _cpu(pid: int) -> float:
    """Seconds of the processor that a process has had; Linux tells."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as told:
        fields = told.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start() -> Iterator[Result]:
    """The processor's time to the first picture against that of bare Textual, and of help against NumPy's import."""
    pairs: list[tuple[float, float]] = []
    for _ in range(5):
        ours, bare = Terminal("perceptron"), Terminal(code=_BARE)
        taken = []
        for terminal in (ours, bare):
            terminal.first_paint()
            taken.append(_cpu(terminal.child.pid))
            terminal.child.close(force=True)
        pairs.append((taken[0], taken[1]))
    yield below("the first picture, of bare Textual's", statistics.median(a / b for a, b in pairs), 2.0, "times")
    large = Terminal("kernel_pca", "--data", "blobs:n=1000")
    large.first_paint()
    yield below("kernel PCA on 1,000 rows, the first picture", _cpu(large.child.pid), 2.0, "s", 2)
    large.child.close(force=True)
    for module in ("tui", "algorithms"):
        pairs = [(_ended("-m", module, "--help"), _ended("-c", "import numpy")) for _ in range(9)]
        found = statistics.median(a / b for a, b in pairs)
        yield below(f"python -m {module} --help, of NumPy's import", found, 1.5, "times")


def _ended(*words: str) -> float:
    """Seconds of the processor that a process has had from its begin to its end."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def heard() -> Iterator[Result]:
    """Keys while what takes long is computed: help is opened and left."""
    for words in _LONG:
        terminal = Terminal(*words, size=(48, 160))
        terminal.first_paint()
        taken = [terminal.heard(key) for _ in range(10) for key in (b"?", b"?")]
        terminal.child.close(force=True)
        what = " ".join(words)
        yield below(f"{what}: key to first byte, median", statistics.median(taken), 50, "ms")
        yield below(f"{what}: key to first byte, slowest of 20", max(taken), 150, "ms")


def four() -> Iterator[Result]:
    """Four runs beside each other."""
    words = ("perceptron", "--data", DATA, "-p", "epochs=1000", "-p", "eta=0.001")
    others = [word for eta in (1, 0.1, 0.01) for word in ("--against", f":eta={eta}")]
    terminal = Terminal(*words, *others, size=(48, 160))
    try:
        terminal.first_paint()
        terminal.read(4.0)  # the runs are computed ahead meanwhile
        shown, bytes_ = terminal.pictures()
        yield Result("pictures a second of 30 asked for", f"{shown:.1f}", ">= 28", shown >= 28)
        yield Result("written while they play", f"{bytes_:.0f} KB/s")
    finally:
        terminal.child.close(force=True)


def compare() -> Iterator[Result]:
    """Two perceptrons with different step sizes, as the stage above and beside each other."""
    words = ("perceptron", "--data", DATA, "-p", "epochs=1000", "-p", "eta=0.001")
    terminal = Terminal(*words, "--against", ":eta=1", size=(48, 160))
    try:
        yield Result("first paint of both", f"{terminal.first_paint():.2f} s")
        terminal.read(2.5)  # the runs are computed ahead meanwhile
        taken = terminal.latency(b"\x1b[C")
        yield Result("a step of both, key to last byte, median", f"{statistics.median(taken):.1f} ms")
        shown, bytes_ = terminal.pictures()
        yield Result("pictures a second of 30 asked for", f"{shown:.1f}", ">= 20", shown >= 20)
        yield Result("written while they play", f"{bytes_:.0f} KB/s")
    finally:
        terminal.child.close(force=True)


SCREEN = (
    Figures("screen, 160x50 with 1,000 points", screen),
    Figures("start, in processor time", start),
    Figures("keys while something long is computed", heard),
    Figures("compare, two runs of 1,000 points at 160x48", compare),
    Figures("compare, four runs of 1,000 points at 160x48", four),
)
