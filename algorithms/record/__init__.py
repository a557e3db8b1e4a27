"""A run over time: kept states, replay, forks."""

from algorithms.record.timeline import Frame, Timeline

__all__ = ["Frame", "Timeline"]
