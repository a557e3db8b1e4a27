"""Text files read in blocks: decoded, taken apart into lines, within bounds."""

import codecs
import os
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from algorithms.core.errors import Refused
from algorithms.core.text import counted
from algorithms.data.plain_files import opened_plain
from algorithms.data.progress import Watch

_BLOCK = 1 << 20  # bytes
MOST_LINE = 1 << 25  # characters; a line is in memory as a whole
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class NotUtf8(Exception):
    """The file has bytes that are no UTF-8."""


class TextFile:
    """A text file that can be read from its beginning again and again.

    Only the bytes that it had when it was opened are read, so one that grows comes to an end too.

    Attributes:
        name: what it is called in the sentences.
        size: bytes.
        start: the first four of them.
        is_tsv: whether its name says that tabs separate its columns.
    """

    def __init__(self, path: Path, name: str, watch: Watch):
        self._path, self.name, self._watch = path, name, watch
        file, status = opened_plain(path, name)
        with file:
            self.start = self._read(file, 4)
        self.size = status.st_size
        self._stamp = status.st_size, status.st_mtime_ns
        self._marked = self.start[:2] in _UTF16_MARKS
        self.encoding = "utf-16" if self._marked else "utf-8-sig"

    def read_as_windows_1252(self) -> None:
        """Decode as Windows-1252 from now on; a file that is not UTF-8 most likely is that."""
        self.encoding = "cp1252"

    @property
    def is_tsv(self) -> bool:
        return self.name.lower().endswith((".tsv", ".tab"))

    def head(self, most: int) -> str:
        """Read the first whole lines, one or more, up to about so many characters."""
        text = next(self._blocks(), "")
        end = text.find("\n", most) + 1 or len(text)
        return text[:end]

    def lines(self) -> Iterator[str]:
        """Yield every line with its end.

        Raises:
            NotUtf8: when it has to be read again as something else.
            Refused: when it is no text, has an endless line, or is changed meanwhile.
        """
        blocks: Iterable[Iterable[str]] = (StringIO(block, newline="") for block in self._blocks())
        return chain.from_iterable(blocks)

    def _blocks(self) -> Iterator[str]:
        """Yield the text in pieces that end where a line does."""
        file, _ = opened_plain(self._path, self.name)
        with file:
            decode = codecs.getincrementaldecoder(self.encoding)().decode
            rest, left = "", self.size
            while left:
                raw = self._read(file, min(_BLOCK, left))
                left -= len(raw)
                last = not raw or not left
                text = self._decoded(decode, raw, last)
                if "\0" in text:
                    raise self._not_text()
                if self.encoding == "cp1252" and left + len(raw) == self.size and any(map(_steers, text[:4096])):
                    raise self._not_text()
                rest += text
                end = max(rest.rfind("\n"), rest.rfind("\r", 0, -1)) + 1  # \r at the end may be half of \r\n
                if end:
                    yield rest[:end]
                    rest = rest[end:]
                if len(rest) > MOST_LINE:
                    raise Refused(
                        f"{self.name} has a line of more than {counted(MOST_LINE, 'character')}; no table has."
                    )
                self._watch(1 - left / self.size)
                if last:
                    break
            if rest:
                yield rest
            after = os.fstat(file.fileno())
            if (after.st_size, after.st_mtime_ns) != self._stamp:
                raise Refused(f"{self.name} was changed while it was read; open it again when it is finished.")

    def _read(self, file: BinaryIO, count: int) -> bytes:
        try:
            content: bytes | None = file.read(count)
        except OSError as error:
            raise Refused(f"{self.name} cannot be read to its end: {error.strerror}.") from None
        if content is None:  # a file of the system's own that has nothing to give yet
            raise Refused(f"{self.name} cannot be read to its end: it has nothing to give now.")
        return content

    def _decoded(self, decode: Callable[[bytes, bool], str], raw: bytes, last: bool) -> str:
        try:
            return decode(raw, last)
        except UnicodeDecodeError:
            if self.encoding == "utf-8-sig":
                raise NotUtf8 from None
            if self._marked:
                raise Refused(f"{self.name} begins as UTF-16 but does not go on so; save it as UTF-8.") from None
            raise self._not_text() from None

    def _not_text(self) -> Refused:
        return Refused(f"{self.name} is not a text file; save the table as CSV, in UTF-8.")


def _steers(character: str) -> bool:
    return character < " " and character not in "\t\r\n"
