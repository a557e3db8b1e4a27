"""A run over time: kept states, replay, forks, and what can be looked for in it."""

from algorithms.timeline.live_run import Frame, Stopped
from algorithms.timeline.timeline import Timeline

__all__ = ["Frame", "Stopped", "Timeline"]
