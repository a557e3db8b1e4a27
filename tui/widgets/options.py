"""A list of options that can be paged through at any size."""

from contextlib import suppress

from textual.widgets import OptionList


class Options(OptionList):
    """Textual's, whose page keys raise where there is no room for a single line."""

    def action_page_down(self) -> None:
        with suppress(KeyError):
            super().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        with suppress(KeyError):
            super().action_page_up()  # type: ignore[no-untyped-call]
