"""InFront: what of a run is in front, by names."""

from msgspec import Struct

from algorithms.core import Algorithm, Refused
from algorithms.core.search import theorem_named


class InFront(Struct, frozen=True):
    """What is in front.

    Attributes:
        theorem: the number of the theorem in hand, None for that which the screen chooses.
        chart: a curve in the chart, "" for that which the screen chooses.
        hall: whether the screen is laid out for a hall.
        sides: whether the chart is of the theorem's sides.
    """

    theorem: int | None = None
    chart: str = ""
    hall: bool = False
    sides: bool = False


def in_front(algorithm: Algorithm, theorem: str = "", chart: str = "", *, hall: bool = False) -> InFront:
    """Put in front what words name: words of a theorem's statement, the name of a curve.

    Raises:
        Refused: when there is none such, or more than one.
    """
    curves = [curve.name for curve in algorithm.curves]
    if chart and chart not in curves:
        raise Refused(f"{algorithm.title} has no curve {chart!r}; there are: {', '.join(curves) or 'none'}.")
    return InFront(theorem_named(algorithm, theorem) if theorem else None, chart, hall)
