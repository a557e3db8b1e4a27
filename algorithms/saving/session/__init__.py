"""Sessions: what is being watched, written down in a file from which it is replayed. It holds no code and runs none."""

from algorithms.saving.session.capture import default_name, session_of
from algorithms.saving.session.opening import Mismatch, Opening
from algorithms.saving.session.schema import Session, read_session, write_session

__all__ = ["Mismatch", "Opening", "Session", "default_name", "read_session", "session_of", "write_session"]
