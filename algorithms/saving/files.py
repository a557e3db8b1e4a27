"""Files: written whole or not at all, never over another unasked; opened only when they are plain files."""

import atexit
import errno
import os
import re
import stat
import tempfile
import unicodedata
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NoReturn

from algorithms.core.errors import Refused
from algorithms.core.system import OWN, give_mode
from algorithms.data.plain_files import opened_plain

_LONGEST_NAME = 120  # bytes of a file name made of a text; file systems take 255 with what is put around it
_unfinished: set[str] = set()  # files that are being written
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES}


class Exists(Refused):
    """A file of that name is there, and overwriting it was not asked for."""


def file_name(text: str, suffix: str = "") -> str:
    """Make a name for a file of any text: letters, digits, dots, dashes and underscores, in one folder.

    >>> file_name("../k-means: iris (k=3)", ".csv")
    'k-means-iris-k-3.csv'
    """
    kept = "".join(c if c.isalnum() or c in "._-" else " " for c in unicodedata.normalize("NFC", text))
    name = re.sub("-[.-]*", "-", "-".join(kept.split())).strip("._-")
    room = _LONGEST_NAME - len(suffix.encode())
    return (name.encode()[:room].decode(errors="ignore").rstrip("._-") or "unnamed") + suffix


def write_whole(
    path: str | Path, content: bytes | str | Callable[[BinaryIO], None], *, overwrite: bool = False
) -> Path:
    """Write a file as a whole: until it is complete and on the disk, what was there before stays as it was.

    Args:
        path: where; a link is followed.
        content: its bytes, its text (UTF-8), or what writes them to an open file; when that raises, nothing is left.
        overwrite: whether a file that is there may be replaced.

    Raises:
        Exists: when it is there and may not be replaced.
        Refused: when it cannot be written, with the reason.
    """

    def whole(file: BinaryIO) -> Iterator[float]:
        if callable(content):
            content(file)
        else:
            file.write(content.encode() if isinstance(content, str) else content)
        yield 1.0

    for _ in write_in_parts(path, whole, overwrite=overwrite):
        pass
    return Path(path)


def write_in_parts(
    path: str | Path, content: Callable[[BinaryIO], Iterator[float]], *, overwrite: bool = False
) -> Generator[float, None, None]:
    """Write a file that takes long: `content` writes a part whenever it is asked, and yields how much is done, 0 to 1.

    Closing the iterator before its end gives the file up: nothing is left of it.
    """
    path = Path(path)
    try:
        target = Path(os.path.realpath(path))
        mode = _may_be_written(path, target, overwrite)
        number, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=target.parent)
        _unfinished.add(name)
        try:
            with os.fdopen(number, "wb") as file:
                yield from content(file)
                file.flush()
                give_mode(file.fileno(), mode)
                os.fsync(file.fileno())
            _put(name, target, overwrite)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(name)
            raise
        finally:
            _unfinished.discard(name)
    except FileExistsError:
        raise _exists(path) from None
    except (OSError, UnicodeEncodeError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        _refuse(path, "written", error)
    with suppress(OSError):  # not every file system can be asked to keep a folder
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@atexit.register
def drop_unfinished() -> None:
    """Delete what is half written: the process ends, and not all that is being written may be told so."""
    for name in tuple(_unfinished):
        with suppress(OSError):
            os.unlink(name)


def create_file(path: str | Path, *, overwrite: bool = False) -> BinaryIO:
    """Create a new file, open to be written bit by bit, unbuffered; for what has to be read while it grows.

    Raises:
        Exists: when it is there and may not be replaced.
        Refused: when it cannot be made, with the reason.
    """
    path = Path(path)
    try:
        target = Path(os.path.realpath(path))
        mode = _may_be_written(path, target, overwrite)
        if overwrite:
            with suppress(FileNotFoundError):
                os.unlink(target)  # who reads the old one goes on reading it
        number = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OWN, mode)
        return os.fdopen(number, "wb", buffering=0)
    except FileExistsError:
        raise _exists(path) from None
    except (OSError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        _refuse(path, "written", error)


def open_at_most(path: str | Path, kind: str, most: int | None = None) -> BinaryIO:
    """Open a plain file for reading, of so many bytes at most.

    Args:
        kind: what it is to be, for the sentence: "a recording".

    Raises:
        Refused: when it is not there, not plain, or too large.
    """
    file, status = opened_plain(Path(path), str(path))
    if most is not None and status.st_size > most:
        file.close()
        raise Refused(f"{path} has {status.st_size:,} bytes; {kind} has {most:,} at most.")
    return file


def read_plain(path: str | Path, kind: str, most: int) -> bytes:
    """Read all of a plain file; refused as in `open_at_most`."""
    with open_at_most(path, kind, most) as file:
        try:
            content = file.read(most + 1)
        except OSError as error:
            _refuse(Path(path), "read", error)
    if len(content) > most:  # it has grown meanwhile
        raise Refused(f"{path} has more than {most:,} bytes; {kind} has {most:,} at most.")
    return content


def _may_be_written(path: Path, target: Path, overwrite: bool) -> int:
    """Find the mode that the file is to have; `Refused` when what stands there is not to be replaced."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        if not target.parent.is_dir():
            raise Refused(f"{path} cannot be written: there is no folder {path.parent}.") from None
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
    if stat.S_ISDIR(status.st_mode):
        raise Refused(f"{path} cannot be written: it is a folder.")
    if not stat.S_ISREG(status.st_mode):
        raise Refused(f"{path} cannot be written: it is no plain file.")
    if not overwrite:
        raise _exists(path)
    return stat.S_IMODE(status.st_mode)


def _put(name: str, target: Path, overwrite: bool) -> None:
    """Give the finished file its name; `FileExistsError` when another has taken it meanwhile."""
    if not overwrite:
        try:
            os.link(name, target)  # unlike a renaming, it never replaces what is there
            os.unlink(name)
            return
        except FileExistsError:
            raise
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    os.replace(name, target)


def _exists(path: Path) -> Exists:
    return Exists(f"{path} is there already: choose another name, or overwrite it (--overwrite, or overwrite=True).")


def _refuse(path: Path, done: str, error: Exception) -> NoReturn:
    reason = getattr(error, "strerror", None) or str(error)
    raise Refused(f"{path} cannot be {done}: {reason[:1].lower()}{reason[1:]}.") from None
