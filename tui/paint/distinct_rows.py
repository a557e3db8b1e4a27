"""Rows of marks in one column: none hides another, and none stands more than a row off its line."""

from collections.abc import Sequence

_HIDDEN = 100.0  # what a mark that is left out costs; one that is moved costs 4 at most


def distinct_rows(places: Sequence[float], rows: int) -> list[int | None]:
    """Choose a row for each place, in their order and each a row off at most; None where all of those are taken.

    Args:
        places: in rows from the head, rising.
        rows: how many there are.
    """
    best: dict[int, tuple[float, list[int | None]]] = {-1: (0.0, [])}  # the cheapest choice for each last row
    for place in places:
        line = min(round(place), rows - 1)
        cheapest: dict[int, tuple[float, list[int | None]]] = {}
        for last, (cost, chosen) in best.items():
            near = [row for row in (line, line - 1, line + 1) if last < row < rows]
            for row, price in [(None, _HIDDEN), *((row, _price(row, place, line)) for row in near)]:
                end = last if row is None else row
                if end not in cheapest or cost + price < cheapest[end][0] - 1e-9:
                    cheapest[end] = cost + price, [*chosen, row]
        best = cheapest
    return min(best.values(), key=lambda choice: choice[0])[1]


def _price(row: int, place: float, line: int) -> float:
    """Weigh how far a row is from a place; on its line a mark costs nothing."""
    return 0.0 if row == line else 1.0 + abs(row - place)
