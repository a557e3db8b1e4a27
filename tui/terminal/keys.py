"""Keys as a terminal sends them: bytes that are no UTF-8 and replies that no protocol knows do no harm."""

import os
import re
import selectors
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import suppress
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

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> list[events.Key]:
        unknown = False
        keys: list[events.Key] = []
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
        except (ValueError, OverflowError):  # fields that have parts, or the number of no character
            unknown = True
        if unknown or (not keys and _FIELDS.fullmatch(sequence)):  # older versions read no parts at all
            return self._by_first_parts(sequence) or [events.Key(Keys.Ignore, sequence)]
        return keys

    def _by_first_parts(self, sequence: str) -> list[events.Key]:
        """Parse it without the parts that Textual does not know; nothing for a key let go, or what is none."""
        fields = _FIELDS.fullmatch(sequence)
        if fields is None:
            return []
        key, modifiers, text, end = fields.groups(default="")
        modifier, _, kind = modifiers.partition(":")
        if kind == _RELEASED:
            return []
        plain = f"\x1b[{key.partition(':')[0]};{modifier}"
        for known in (f"{plain}{text}{end}", f"{plain}{end}"):  # older versions read no text either
            with suppress(ValueError, OverflowError):
                if keys := list(super()._sequence_to_key_events(known)):
                    return keys
        return []


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
