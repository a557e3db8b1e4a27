"""Sessions: what is being watched, written down in a file from which it is replayed. It holds no code and runs none."""

from algorithms.saving.session.capture import default_name, session_of, together
from algorithms.saving.session.opening import Mismatch, Opening, ReplayedRuns
from algorithms.saving.session.schema import Session, read_session, write_session

__all__ = [
    "Mismatch",
    "Opening",
    "ReplayedRuns",
    "Session",
    "default_name",
    "read_session",
    "session_of",
    "together",
    "write_session",
]
