"""Plain files, opened so that nothing that is named for one can hang or flood who reads it."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from algorithms.core.errors import Refused
from algorithms.core.system import OWN, WAITS_FOR_NOTHING

_INSTEAD = {
    stat.S_IFDIR: "a directory, not a file",
    stat.S_IFIFO: "a pipe; save what comes out of it to a file first",
    stat.S_IFSOCK: "a socket, not a file",
    stat.S_IFCHR: "a device, not a file",
    stat.S_IFBLK: "a device, not a file",
}


def opened_plain(path: Path, name: str) -> tuple[BinaryIO, os.stat_result]:
    """Open a plain file for reading, with its status.

    Folders, pipes, sockets and devices are refused without a byte of them being read, links that lead in a circle too.

    Args:
        name: what it is called in the sentences.

    Raises:
        Refused: when it is not there, is not a plain file or may not be read.
    """
    try:
        _check_plain(path.stat(), name)  # opening alone makes some devices do something
        number = os.open(path, os.O_RDONLY | WAITS_FOR_NOTHING | OWN)
        file = os.fdopen(number, "rb") if stat.S_ISREG(os.fstat(number).st_mode) else None
        if file is None:  # it became something else meanwhile
            os.close(number)
            raise Refused(f"{name} is not a plain file.")
        return file, os.fstat(number)
    except FileNotFoundError:
        raise Refused(f"there is no file {str(path)!r}.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(f"{name} cannot be read: {reason[:1].lower()}{reason[1:]}.") from None


def _check_plain(status: os.stat_result, name: str) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    raise Refused(f"{name} is {_INSTEAD.get(stat.S_IFMT(status.st_mode), 'not a plain file')}.")
