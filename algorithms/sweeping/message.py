"""What the process that makes a sweep beside a screen says: outcomes, a few at a time, and why there are no more."""

import struct
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from algorithms.sweeping.outcome import Outcome

PATIENCE = 3.0  # seconds that the process may take to end its workers
_HEAD = struct.Struct("!I")


class Message(Struct, frozen=True):
    """Outcomes that have come, or the last word.

    Attributes:
        refused: why no more will come, "" when all have.
    """

    outcomes: tuple[Outcome, ...] = ()
    ended: bool = False
    refused: str = ""


_decoder = msgspec.msgpack.Decoder(Message)


def write(to: BinaryIO, message: Message) -> None:
    """Write a message; numbers and texts only, so that it can be read whatever the runs do."""
    body = msgspec.msgpack.encode(message)
    to.write(_HEAD.pack(len(body)) + body)
    to.flush()


def read(of: Any) -> Message | None:
    """Read the next message, None when the other side has ended."""
    head = of.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (length,) = _HEAD.unpack(head)
    body = of.read(length)
    return _decoder.decode(body) if len(body) == length else None
