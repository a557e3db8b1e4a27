"""Ctrl+c while `python -m algorithms` starts: the process ends at once, with the status of an interrupt and no word.

What is being imported would raise KeyboardInterrupt, with a traceback, before there is anybody to catch it. This is the
first that runs of ours; before it Python itself is interrupted, with a traceback that nothing here can keep back.
"""

import atexit
import os
import sys
from _signal import SIG_IGN, SIGINT, default_int_handler, getsignal, signal  # type: ignore[import-not-found]  # built in: at once


def _end(*_: object) -> None:
    """End the process: nothing has begun that would have to be ended in order."""
    os._exit(130)


_named = ("-m", __package__) in zip((word[:1] + word[-1:] for word in sys.orig_argv), sys.orig_argv[1:])
if sys.argv[:1] == ["-m"] and _named and getsignal(SIGINT) is default_int_handler:  # not where it is to be ignored
    signal(SIGINT, _end)
    atexit.register(signal, SIGINT, SIG_IGN)  # on the way out there is nothing left to be interrupted
