"""A run over time: kept states, replay, forks, and what can be looked for in it."""

from algorithms.record.recording import Frame, Stopped
from algorithms.record.timeline import Timeline

__all__ = ["Frame", "Stopped", "Timeline"]
