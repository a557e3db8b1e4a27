"""A field to type in that shows nothing that steers a terminal, whoever put it there: a default, a name, a paste."""

from textual.widgets import Input

from algorithms.core.text import clean

_LONGEST = 4096  # characters


class Field(Input):
    """Textual's Input, whose value goes through the one door for text as it comes."""

    def validate_value(self, value: str) -> str:
        """Called by Textual with every value before it is set."""
        return clean(value, _LONGEST)
