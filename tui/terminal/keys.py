"""Keys as a terminal sends them: bytes that are no UTF-8 and replies that no protocol knows do no harm."""

import os
import re
import selectors
from codecs import getincrementaldecoder
from collections.abc import Iterator
from threading import Event

from textual import events
from textual._xterm_parser import XTermParser
from textual.keys import Keys
from textual.message import Message

_AT_ONCE = 4096  # bytes
_WAIT = 0.1  # seconds between two looks at whether reading is over
_RELEASED = "3"  # the type of a kitty key event
_FIELDS = re.compile(r"\x1b\[([\d:]*);?([\d:]*)(;[\d:]*)?([u~ABCDEFHPQRS])")


class KeyParser(XTermParser):
    """Textual's parser, for all that kitty's protocol allows: alternate keys and the types of events among it."""

    def _parse_extended_key(self, sequence: str) -> list[events.Key] | None:  # type: ignore[override]
        try:
            return super()._parse_extended_key(sequence)
        except (ValueError, OverflowError):  # fields that have parts, or the number of no character
            return self._by_first_parts(sequence) or [events.Key(Keys.Ignore, sequence)]

    def _by_first_parts(self, sequence: str) -> list[events.Key] | None:
        """Parse it without the parts that Textual does not know; None for a key let go, or what is none."""
        fields = _FIELDS.fullmatch(sequence)
        if fields is None:
            return None
        key, modifiers, text, end = fields.groups(default="")
        modifier, _, kind = modifiers.partition(":")
        if kind == _RELEASED:
            return None
        try:
            return super()._parse_extended_key(f"\x1b[{key.partition(':')[0]};{modifier}{text}{end}")
        except (ValueError, OverflowError):
            return None


def read_keys(fileno: int, over: Event, parser: XTermParser) -> Iterator[Message]:
    """Yield what is typed, until reading is over; what is no UTF-8 comes as replacement characters."""
    decode = getincrementaldecoder("utf-8")("replace").decode
    with selectors.SelectSelector() as selector:
        selector.register(fileno, selectors.EVENT_READ)
        while not over.is_set():
            if selector.select(_WAIT):
                text = decode(os.read(fileno, _AT_ONCE))
                if text:  # "" would be the end for the parser
                    yield from parser.feed(text)
            yield from parser.tick()
