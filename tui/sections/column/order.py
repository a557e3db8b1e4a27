"""The order of the panels beside the stage: one that is not there at a step keeps its place, so that tabs keep their
numbers."""

from algorithms.core import Table
from algorithms.core.resolve import ResolvedPanel
from tui.sections.column.tab_names import tab_name

Beside = tuple[tuple[str, ResolvedPanel | Table], ...]
_NOTHING = Table(columns=("",), rows=())


class PanelOrder:
    """Keeps the places of the panels that were there so far, as long as the stage shows the same panel."""

    def __init__(self) -> None:
        self._stage = ""
        self._places: list[str] = []

    def filled(self, stage: str, beside: Beside) -> Beside:
        """Put an empty table where a panel is not there at this step.

        One that is new takes the place of one between the same two that is not there, or a place of its own.
        """
        titles = [title for title, _ in beside]
        if titles == self._places and tab_name(stage) == self._stage:
            return beside
        keys = [tab_name(title) for title in titles]
        places = self._merged(keys)
        if tab_name(stage) != self._stage or len(places) == len(titles) or len(set(keys)) < len(keys):
            self._stage, self._places = tab_name(stage), titles
            return beside
        there = {tab_name(title): (title, shown) for title, shown in beside}
        self._places = [there[key][0] if key in there else title for key, title in places]
        return tuple(there.get(key, (title, _NOTHING)) for key, title in places)

    def _merged(self, keys: list[str]) -> list[tuple[str, str]]:
        """Merge what is there into the places, as (key, title last seen); anew where the order is another."""
        known = [tab_name(title) for title in self._places]
        places: list[tuple[str, str]] = []
        taken = 0  # places that were gone through
        for i, key in enumerate(keys):
            if key in known[taken:]:
                at = known.index(key, taken)
                places += [(known[j], self._places[j]) for j in range(taken, at)]
                taken = at
            elif key in known:
                return [(each, each) for each in keys]
            else:
                after = next((known.index(each, taken) for each in keys[i + 1 :] if each in known[taken:]), len(known))
                if taken == after:
                    places.append((key, key))
                    continue
            places.append((key, key))
            taken += 1
        return places + [(known[j], self._places[j]) for j in range(taken, len(known))]
