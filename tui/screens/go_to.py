"""Which step to go to."""

from textual.widget import Widget
from textual.widgets import Input

from tui.screens.asking import Dialog
from tui.widgets.field import Field


class GoTo(Dialog[int]):
    """Asks for a step: a number, one from here (+20, -5), or a share of the run so far (50%)."""

    heading = "Go to step"

    def __init__(self, here: int, last: int, ended: bool = False):
        super().__init__()
        self._here, self._last, self._ended = here, last, ended

    def body(self) -> list[Widget]:
        steps = f"0 to {self._last:,}" + ("" if self._ended else " so far; beyond runs on")
        return [Field(placeholder=f"{steps}; +20, -5, 50%", id="step")]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        t = step_of(event.value, self._here, self._last)
        if t is None:
            self.complain(f"{event.value.strip()!r} is no step: a number such as 120, +20, -5 or 50% would do.")
        else:
            self.dismiss(t)


def step_of(text: str, here: int, last: int) -> int | None:
    """Read the step that was typed, None when it is not one."""
    text = text.strip().replace(",", "").replace("_", "")
    number = text.rstrip("%").lstrip("+-")
    if not number.isascii() or not number.isdigit() or len(number) > 12:
        return None
    value = int(number)
    if text.endswith("%"):
        return min(value, 100) * last // 100 if text[0].isdigit() else None
    if text[0] in "+-":
        return max(here + (value if text[0] == "+" else -value), 0)
    return value
