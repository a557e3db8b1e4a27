"""How long a test waits for a thing before it gives up."""

from time import monotonic

PATIENCE = 120.0  # seconds for what comes at once on a machine at rest; one that is busy may give a tenth of itself
LONG = 300.0  # seconds for all that a program has to do, from its start to its end


class Patience:
    """So many seconds, of which those between two looks count for one at most: the machine may have stood still."""

    def __init__(self, seconds: float) -> None:
        self._left, self._looked = seconds, monotonic()

    @property
    def over(self) -> bool:
        """Look whether it is used up."""
        now = monotonic()
        self._left, self._looked = self._left - min(now - self._looked, 1.0), now
        return self._left < 0
