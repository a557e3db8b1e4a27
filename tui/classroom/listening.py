"""An address to listen at, and the one by which others reach it."""

import os
import socket

from algorithms.core import Refused

_WAITING = 300  # connections that wait to be taken


def listening(host: str, port: int) -> socket.socket:
    """Listen at an address.

    Raises:
        Refused: where that is not possible.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family, backlog=_WAITING)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror  # a name's are negative
        raise Refused(f"nothing can be shown at {host}:{port}: {why}.") from None


def reached_at(host: str) -> str:
    """Find the address by which others reach this machine where it listens on all of its own."""
    if host in ("0.0.0.0", "::"):
        family, elsewhere = (socket.AF_INET, "192.0.2.1") if host == "0.0.0.0" else (socket.AF_INET6, "2001:db8::1")
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            try:
                asked.connect((elsewhere, 9))  # nothing is sent: it says which way it would go
                host = asked.getsockname()[0]
            except OSError:
                host = socket.gethostname()
    return f"[{host}]" if ":" in host else host
