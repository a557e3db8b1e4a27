"""A run in files that other programs read: the numbers of its steps, and single states."""

from algorithms.export.numbers import SUFFIXES, Taken, numbers
from algorithms.export.state import state_file

__all__ = ["SUFFIXES", "Taken", "numbers", "state_file"]
