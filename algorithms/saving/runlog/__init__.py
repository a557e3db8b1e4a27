"""A run in a file, for what cannot be replayed: written as it happens, read and followed without its code."""

from algorithms.saving.runlog.logged_run import LoggedRun, is_recording
from algorithms.saving.runlog.recorder import Recorder

__all__ = ["LoggedRun", "Recorder", "is_recording"]
