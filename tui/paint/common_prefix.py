"""Names that begin alike, cut so that what tells them apart stays: "cult…1", "cult…2"."""

from collections.abc import Sequence
from os.path import commonprefix

from tui.paint.canvas import width_of

_KEPT, _ALIKE, _REST = 4, 6, 4  # columns that stay of a common beginning; of one that is cut; of what may follow it


def cut_common_prefix(names: Sequence[str], room: int) -> list[str]:
    """Cut the common beginning of names that are longer than the room for all of them, each with three columns more.

    Names of which the ends tell little, long ones or none, stay as they are.
    """
    if sum(width_of(name) + 3 for name in names) <= room:
        return list(names)
    alike = [name for name in names if _begins_alike(name, names)]
    begin = commonprefix(alike).rstrip("0123456789")
    if len(alike) < 2 or not all(0 < width_of(name[len(begin) :]) <= _REST for name in alike):
        return list(names)
    return [f"{begin[:_KEPT]}…{name[len(begin) :]}" if name in alike else name for name in names]


def _begins_alike(name: str, names: Sequence[str]) -> bool:
    """Tell whether another name begins with as much of it as is worth cutting."""
    return any(len(commonprefix([name, other])) >= _ALIKE for other in names if other != name)
