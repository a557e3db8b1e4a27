"""Start a process for a test, and end it with the test, however that ends."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def started(*command: str, **options: Any) -> Iterator["subprocess.Popen[Any]"]:
    """Run a command beside the test; killed and waited for when the block is left.

    `with subprocess.Popen(...)` waits for the process to end by itself: one that hangs takes the next test with it.
    """
    with subprocess.Popen(list(command), **options) as process:
        try:
            yield process
        finally:
            process.kill()
