"""Until the first picture stands: ctrl+c ends the process at once, with the status of an interrupt and no word; and
nothing looks for garbage.

As in `algorithms.starting`, which is not imported here: NumPy would come with it.
"""

import atexit
import gc
import os
import sys
from _signal import SIG_IGN, SIGINT, default_int_handler, getsignal, signal  # type: ignore[import-not-found]  # built in: at once


def _end(*_: object) -> None:
    """End the process: the terminal is as it was."""
    os._exit(130)


def settled() -> None:
    """Look for garbage from now on, and not among what was made on the way to the first picture."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def prepare_steps() -> None:
    """Import what nearly every run needs for a step and not for its first picture: `np.unique` looks whether an array
    is a masked one."""
    import numpy.ma  # noqa: F401


_named = ("-m", __package__) in zip((word[:1] + word[-1:] for word in sys.orig_argv), sys.orig_argv[1:])
_command = os.path.basename(sys.argv[0]).partition(".")[0] == "iterscope" if sys.argv else False
if ((sys.argv[:1] == ["-m"] and _named) or _command) and getsignal(SIGINT) is default_int_handler:
    gc.disable()  # until the first picture: what is made on the way to it stays
    signal(SIGINT, _end)
    atexit.register(signal, SIGINT, SIG_IGN)  # on the way out there is nothing left to be interrupted
