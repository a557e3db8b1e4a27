"""What is remembered from one start to the next: the look, the speed, what is in front, and how each algorithm of the
catalogue was run last, as words of a command line. It holds no data: a file of one's own is there by its path.
"""

import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from algorithms.core import Refused
from algorithms.core.system import OWN
from algorithms.playback.cursor.player import SPEEDS

_MOST_BYTES = 1 << 20
_MOST_ASIDE = 9  # damaged files that are kept
_LEAVING = 1.0  # seconds that the end waits for a disk that is busy
_USUAL_PACE = 2
Look = Literal["dark", "light"]


class Settings(Struct, frozen=True):
    """What the file holds.

    Attributes:
        theme: the look, None for the usual one.
        speed: steps a second; "most" for all it can.
        source: rows of the source below the stage, None for the usual ones.
        tab: the section in front where there is room for one: 1 curves, 2 theorems, 0 the first that there is.
        alone: the section that is shown alone where there is room for all, 0 for none.
        runs: by the name of an algorithm, the words after it on a command line.
    """

    theme: Look | None = None
    speed: Annotated[float, Meta(ge=0)] | Literal["most"] | None = None
    source: Annotated[int, Meta(ge=0, le=100)] | None = None
    tab: Annotated[int, Meta(ge=0, le=2)] = 0
    alone: Annotated[int, Meta(ge=0, le=2)] = 0
    runs: dict[str, Annotated[str, Meta(max_length=10_000)]] = {}


class Remembered:
    """The settings in force; what is changed is written by a thread, so that no key waits for a disk.

    Args:
        path: the file; None where nothing is to be read or written.

    Attributes:
        trouble: what is to be told of the file, "" where all is well.
    """

    def __init__(self, path: Path | None = None):
        self.path, self.trouble = path, ""
        self._now: dict[str, Any] = {}
        self._changes: dict[str, Any] = {}  # not written yet: None where something is forgotten
        self._lock = Lock()
        self._writer: Thread | None = None
        if path is not None:
            self._now, aside = _read(path)
            if aside:
                self.trouble = f"{path.name} is damaged and kept as {aside}: all is as at first."
        self.settings = msgspec.convert(self._now, Settings)

    @property
    def pace(self) -> int:
        """Get which of SPEEDS runs begin with: the fastest that is not faster than was chosen last."""
        speed = self.settings.speed
        if speed is None:
            return _USUAL_PACE
        wanted = math.inf if speed == "most" else speed
        return max((pace for pace, each in enumerate(SPEEDS) if each <= wanted), default=0)

    def note_pace(self, pace: int) -> None:
        """Remember a speed by the steps a second."""
        self.note(speed=None if pace == _USUAL_PACE else "most" if math.isinf(SPEEDS[pace]) else SPEEDS[pace])

    def note(self, **changes: Any) -> None:
        """Remember what was changed; None has it as usual again."""
        self._change(changes)

    def note_run(self, algorithm: str, words: str | None) -> None:
        """Remember how an algorithm was run last, None to forget it."""
        self._change({f"runs/{algorithm}": words})

    def _change(self, changes: dict[str, Any]) -> None:
        if self.path is None:
            return
        with self._lock:
            merged = _merged(self._now, changes)
            if merged == self._now:
                return
            self._now, self.settings = merged, msgspec.convert(merged, Settings)
            self._changes |= changes
            if self._writer is None:
                self._writer = Thread(target=self._write, name="settings", daemon=True)
                self._writer.start()

    def _write(self) -> None:
        """Write until nothing is left to be written. Where that cannot be it is not remembered, and nothing else is
        the worse for it."""
        while True:
            with self._lock:
                changes, self._changes = self._changes, {}
                if not changes or self.path is None:
                    self._writer = None
                    return
            with suppress(OSError, Refused):
                _write(self.path, changes)

    def close(self) -> None:
        """Wait until all is written, but not for ever."""
        writer = self._writer
        if writer is not None:
            writer.join(_LEAVING)


def settings_file() -> Path:
    """Find the file that settings are kept in, in the platform's folder for the state of programs."""
    from platformdirs import user_state_path

    return user_state_path("iterscope", appauthor=False) / "settings.json"


def _read(path: Path) -> tuple[dict[str, Any], str]:
    """Read what is there; a damaged file is put aside, and its new name told."""
    if not path.exists():
        return {}, ""
    from algorithms.saving.files import read_plain

    try:
        content = json.loads(read_plain(path, "a file of settings", _MOST_BYTES))
        msgspec.convert(content, Settings)
    except Refused:
        return {}, ""
    except (ValueError, RecursionError):
        return {}, _put_aside(path)
    return content, ""


def _put_aside(path: Path) -> str:
    names = [path.with_name(f"settings.damaged{'' if i == 1 else f'-{i}'}.json") for i in range(1, _MOST_ASIDE + 1)]
    free = next((name for name in names if not name.exists()), names[-1])
    with suppress(OSError):  # another app was faster
        path.replace(free)
    return free.name


def _merged(now: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Change what is there; what a newer iterscope wrote beside it stays."""
    merged = now | {"runs": dict(now.get("runs", {}))}
    for name, value in changes.items():
        group, _, key = name.partition("/")
        target, key = (merged["runs"], key) if key else (merged, group)
        if value is None:
            target.pop(key, None)
        else:
            target[key] = value
    return merged if merged["runs"] else {name: value for name, value in merged.items() if name != "runs"}


def _write(path: Path, changes: dict[str, Any]) -> None:
    """Change the file as it is by now, whoever wrote it."""
    from algorithms.saving.files import write_whole

    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone(path.with_suffix(".lock")):
        content = json.dumps(_merged(_read(path)[0], changes), ensure_ascii=False, indent=1)
        write_whole(path, f"{content}\n", overwrite=True)
        path.chmod(0o600)  # it names files of a person


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Have the file to oneself while another app would change it, too."""
    try:
        import fcntl
    except ImportError:  # on Windows
        yield
        return
    number = os.open(path, os.O_WRONLY | os.O_CREAT | OWN, 0o600)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)  # the system ends it with the process
        yield
    finally:
        os.close(number)
