"""A run in files that other programs read: the numbers of its steps, and single states."""

from algorithms.saving.export.numbers import export_numbers, numbers_in_parts
from algorithms.saving.export.state import export_state

__all__ = ["export_numbers", "export_state", "numbers_in_parts"]
