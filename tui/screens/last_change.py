"""Which number to go back to the last change of."""

from algorithms.timeline import conditions
from tui.screens.value_of_state import ValueOfState


class LastChange(ValueOfState[conditions.Condition]):
    """Asks for a value; gives the condition that it changes."""

    heading = "When did this last change?"
    hint = "↑ ↓ choose   enter goes back to it   esc leaves it"

    def read(self, what: str) -> conditions.Condition:
        run = self.run_in_hand
        return conditions.parse(f"{what} changes", run.algorithm, run.data, self.frame.state)
