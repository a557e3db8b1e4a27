"""A walk: what hands do to the app, as bytes that a terminal sends, in bursts that arrive in one read.

A walk follows from its seed, and is a value that can be written to a file and played again: in the app's own process
(`in_app`) or in a real pseudo-terminal (`in_pty`).
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.keys import key_to_character
from textual.screen import Screen
from textual.widgets import OptionList

from algorithms import names
from algorithms.lectures.lessons import course
from tui.app import IterscopeApp

SIZES = ((120, 40), (80, 24), (160, 48), (200, 60), (100, 30))
ENDS = ("keys", "keys", "TERM", "TERM", "HUP", "INT", "QUIT")  # or a signal
OWN_FILES = (
    ("demos/kmeans_of_a_student.py", "--data", "iris"),
    ("demos/descent_of_your_own.py",),
    ("demos/running_mean.py",),
)
SAVED = ("--open", "demos/dragged_mean.json")
LESSONS = ("--lessons", *course())
_LEAVING = {"q", "ctrl+q", "ctrl+c", "ctrl+z"}
_ARROWS = {"up": "A", "down": "B", "right": "C", "left": "D"}
_MODIFIED = {"shift": 2, "alt": 3, "ctrl": 5}

# What is pressed again and again, on top of every key that a screen names.
_OFTEN = (
    "right", "right", "right", "left", "up", "down", "up", "down", "space", "n", "f", "f", "i", "p", "d", "tab",
    "E", "ctrl+left", "ctrl+right",
    "enter", "enter", "enter", "escape", "escape", "escape", "backspace", "delete", "pageup", "pagedown", "ctrl+p",
)  # fmt: skip
_TYPED = (
    "t > 5", "mistake", "1_", "k=4", "3", "-1", "999999", "1e308", "nan", "inf", "-0", "18446744073709551616",
    "norm(w) > 2", "row 3 moves", "../../x.csv", "/tmp", "a\u0301\u202e", "日本語", "[/nope]", "[bold]x", "x" * 300,
    "eta = 0.1", "objective < 120", "'", '"', "((((", "means[0,1]", "out.csv", "out.gif", "out.cast", "out.svg",
    "out.html", "s.json", "faithful", "blobs:n=50", "iris", "0.5", "%s%n", "\u2066", "0:30", "1:3", "1e-3:1:log:8",
    "seed", "lloyd", "👩‍👩‍👧‍👦", "\xe9", "50%", "",
)  # fmt: skip
_ODD = (  # replies, halves of sequences, bytes that are no UTF-8
    "\x1b[97:65;2:3u", "\x1b[99999999999u", "\udcff", "\udcff\udcfe", "\x1b[M\x20\udc80\udc90", "\x1b]0;x\x07",
    "\x1b[200~", "\x1b[201~", "\x1bP", "\x1b[?1;2c",
)  # fmt: skip


class Sent(Struct, frozen=True, tag="sent"):
    """What a terminal sends.

    Attributes:
        name: what it is, for people: "right", "click 3,4".
        text: what is sent; a byte that is no UTF-8 is a surrogate.
    """

    name: str
    text: str

    @property
    def sent(self) -> bytes:
        return self.text.encode("utf-8", "surrogateescape")

    def __repr__(self) -> str:
        return self.name


class Resize(Struct, frozen=True, tag="resize"):
    """The terminal has another size."""

    columns: int
    rows: int

    def __repr__(self) -> str:
        return f"{self.columns}x{self.rows}"


Action = Sent | Resize


class Burst(Struct, frozen=True):
    """Actions without a pause between them: what is sent between two sizes comes in one read.

    Attributes:
        pause: seconds until the next.
    """

    actions: tuple[Action, ...]
    pause: float = 0.0

    @property
    def parts(self) -> Iterator[bytes | Resize]:
        """Iterate over what is written at once, and the sizes between."""
        sent = b""
        for action in self.actions:
            if isinstance(action, Resize):
                if sent:
                    yield sent
                sent = b""
                yield action
            else:
                sent += action.sent
        if sent:
            yield sent


class Walk(Struct, frozen=True):
    """What is done to an app from its start to its end.

    Attributes:
        words: of the command line; files are named from the project's folder.
        end: "keys", or the name of a signal without SIG.
    """

    words: tuple[str, ...]
    columns: int
    rows: int
    bursts: tuple[Burst, ...]
    end: str = "keys"

    @property
    def count(self) -> int:
        return sum(len(burst.actions) for burst in self.bursts)

    def __str__(self) -> str:
        return f"{' '.join(self.words) or 'the catalogue'} at {self.columns}x{self.rows}, ended by {self.end}"

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(msgspec.to_builtins(self)))  # of which surrogates come back

    @classmethod
    def read(cls, path: Path) -> "Walk":
        return msgspec.convert(json.loads(path.read_text()), cls)


# What can be done


def key(name: str, times: int = 1) -> Sent:
    """Press a key, by Textual's name of it."""
    return Sent(name if times == 1 else f"{times} times {name}", sequence(name) * times)


def keys(text: str, pause: float = 0.0) -> Burst:
    """Press keys that are named one after another, in one read: "f 3 enter"."""
    return Burst(tuple(key(name) for name in text.split()), pause)


def sequence(name: str) -> str:
    """Find what a terminal sends for a key."""
    modifier, _, arrow = name.rpartition("+")
    if modifier in _MODIFIED and arrow in _ARROWS:
        return f"\x1b[1;{_MODIFIED[modifier]}{_ARROWS[arrow]}"
    if name in _SEQUENCES:
        return _SEQUENCES[name]
    character = _CHARACTERS.get(name) or key_to_character(name)
    if character is None:
        raise ValueError(f"no terminal is known to send anything for {name}.")
    return character


_CHARACTERS = {"plus": "+", "minus": "-", "slash": "/", "equals_sign": "="}
_SEQUENCES: dict[str, str] = {"escape": "\x1b", "enter": "\r", "tab": "\t", "backspace": "\x7f", "space": " "}
for _sent, _names in ANSI_SEQUENCES_KEYS.items():
    if isinstance(_names, tuple) and len(_names) == 1:
        _SEQUENCES.setdefault(str(getattr(_names[0], "value", _names[0])), _sent)


def typed(text: str) -> Sent:
    return Sent(f"typed {text[:40]!r}", text)


def pasted(text: str) -> Sent:
    return Sent(f"pasted {text[:40]!r}", f"\x1b[200~{text}\x1b[201~")


def click(x: int, y: int, button: int = 0) -> Sent:
    """Press a button of the mouse at a cell, counted from 1, and let it go; buttons 64 and 65 are the wheel."""
    up = f"\x1b[<{button};{x};{y}m" if button < 64 else ""
    return Sent(f"click {x},{y}" + f" with {button}" * bool(button), f"\x1b[<{button};{x};{y}M{up}")


def drag(x: int, y: int, to_x: int, to_y: int) -> Sent:
    places = [((x + to_x) // 2, to_y), (to_x, to_y)]
    moves = "".join(f"\x1b[<32;{column};{row}M" for column, row in places)
    return Sent(f"drag {x},{y} to {to_x},{to_y}", f"\x1b[<0;{x};{y}M{moves}\x1b[<0;{to_x};{to_y}m")


def hover(x: int, y: int) -> Sent:
    return Sent(f"hover {x},{y}", f"\x1b[<35;{x};{y}M")


# Random walks


def keys_of_screens() -> list[str]:
    """List every key that a screen, a dialog or a list of ours names, but those that leave the app."""
    found = {
        name.strip()
        for each in (IterscopeApp, *_derived(Screen), *_derived(OptionList))
        if each.__module__.startswith("tui.")
        for binding in vars(each).get("BINDINGS", ())
        for name in (binding[0] if isinstance(binding, tuple) else binding.key).split(",")
    }
    return sorted(found - _LEAVING)


def _derived(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from _derived(each)


def walk(seed: int, actions: int) -> Walk:
    """Draw a walk: all algorithms in turn, one in five beside others; some over the lists, files of a reader's own,
    lessons."""
    rng = random.Random(seed)
    every = names()
    columns, rows = rng.choice(SIZES)
    bursts: list[Burst] = []
    words: tuple[str, ...] = (every[seed % len(every)],)
    drawn = rng.random()
    if drawn < 0.22:
        words += ("--against", rng.choice([":seed=3", rng.choice(every), rng.choice(every)]))
    elif drawn < 0.32:
        words = ()
        bursts += [keys("tab", 0.5)] * rng.randint(0, 1)  # the lectures
    elif drawn < 0.38:
        words = rng.choice(OWN_FILES)
    elif drawn < 0.41:
        words = SAVED
    elif drawn < 0.5:
        lesson = rng.choice(LESSONS)
        words = (lesson,) if lesson.startswith("--") else ("--lesson", lesson)
    if words and rng.random() < 0.1:
        words += ("--ascii",)
    bursts += random_bursts(rng, actions, columns, rows)
    return Walk(words, columns, rows, tuple(bursts), rng.choice(ENDS))


def random_walk(seed: int, actions: int) -> Walk:
    """Draw a walk over an app that is made by a test."""
    return Walk((), 120, 40, tuple(random_bursts(random.Random(seed), actions, 120, 40)))


def random_bursts(rng: random.Random, actions: int, columns: int, rows: int) -> Iterator[Burst]:
    """Draw so many actions, mostly one at a time and some as one read."""
    drawn = _drawn(rng, (*keys_of_screens(), *_OFTEN, *_OFTEN), columns, rows)
    while actions > 0:
        count = min(rng.choice((1, 1, 2, 3, 5)), actions)
        actions -= count
        yield Burst(tuple(next(drawn) for _ in range(count)), rng.choice((0.005, 0.02, 0.06)))


def _drawn(rng: random.Random, own: Sequence[str], columns: int, rows: int) -> Iterator[Action]:
    size = Resize(columns, rows)

    def at() -> tuple[int, int]:
        return rng.randint(1, size.columns), rng.randint(1, size.rows)

    def resized() -> Resize:
        nonlocal size
        size = Resize(*rng.choice([(rng.randint(1, 220), rng.randint(1, 65)), *SIZES[:4]]))
        return size

    makers: list[tuple[int, Callable[[], Action]]] = [
        (640, lambda: key(rng.choice(own))),
        (90, lambda: click(*at(), button=rng.choice((0, 0, 0, 2, 64, 65, 1)))),
        (60, lambda: drag(*at(), *at())),
        (110, lambda: typed(rng.choice(_TYPED) + rng.choice(("", "\r", "\t\r")))),
        (20, lambda: pasted(f"{rng.choice(_TYPED)}\n{rng.choice(_TYPED)}")),
        (20, lambda: key(rng.choice(own), rng.randint(5, 30))),
        (15, resized),
        (5, lambda: Sent("odd bytes", rng.choice(_ODD))),
        (40, lambda: hover(*at())),
        (10, lambda: Sent("forked", f"{sequence('escape') * 2}llf{rng.choice('234')}\r")),
        (10, lambda: Sent("breakpoint", f"{sequence('escape') * 2}bt > {rng.randint(1, 50)}\r{sequence('escape')}")),
    ]
    while True:
        yield rng.choices([make for _, make in makers], [weight for weight, _ in makers])[0]()
