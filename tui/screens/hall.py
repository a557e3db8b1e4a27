"""For a hall: that the screen is laid out so, and the keys that its lowest line then shows."""

from tui.screens.run_screen import RunScreen

_KEYS = (("F", "leaves", "lecture"),)


class Hall(RunScreen):
    """Knows whether the screen is laid out to be read from the last row."""

    @property
    def lecturing(self) -> bool:
        """Tell whether the screen is laid out for a hall."""
        return self.has_class("lecture")

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        return _KEYS if self.lecturing else super().key_line()
