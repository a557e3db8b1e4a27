"""Play an animation back as another terminal would."""

import json
from collections.abc import Iterator
from typing import Any

import pyte


def played(recording: bytes) -> Iterator[tuple[float, list[str], Any]]:
    """The moments of an asciinema recording, what another terminal shows then, and the colour of its second cell."""
    first, *events = [json.loads(line) for line in recording.decode().splitlines()]
    assert first["version"] == 2
    screen = pyte.Screen(first["width"], first["height"])
    stream = pyte.Stream(screen)
    for seconds, kind, data in events:
        if kind == "m":
            continue
        assert kind == "o"
        stream.feed(data)
        yield seconds, [line.rstrip() for line in screen.display], screen.buffer[0][1].fg
