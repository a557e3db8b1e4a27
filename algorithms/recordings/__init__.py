"""A run in a file, for what cannot be replayed: written as it happens, read and followed without its code."""

from algorithms.recordings.recorded import Recorded, is_recording
from algorithms.recordings.recorder import Recorder

__all__ = ["Recorded", "Recorder", "is_recording"]
