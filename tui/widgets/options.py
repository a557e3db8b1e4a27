"""Lists that can be paged through at any size and at any moment.

Textual's page keys raise while a list has no lines: where there is no room for one, and between a change of its options
and the next layout.
"""

from contextlib import suppress

from textual.widgets import OptionList


class Options(OptionList):
    """A list of options."""

    def action_page_down(self) -> None:
        with suppress(KeyError):
            super().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        with suppress(KeyError):
            super().action_page_up()  # type: ignore[no-untyped-call]
