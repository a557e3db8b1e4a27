"""An axis along rows that come one by one: long enough for those that have come, not for all that ever will."""

_FEWEST = 20


def rows_shown(come: int, n: int) -> int:
    """Choose how many of n rows an axis is for when `come` are there: 20, then twice as many when it is full."""
    shown = _FEWEST
    while shown <= come:
        shown *= 2
    return min(shown, n)
