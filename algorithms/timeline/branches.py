"""Branches: a run and the runs forked from it, as a tree with names."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.edits import Add, Edit, Label, Move, Remove, edited
from algorithms.core.errors import Refused
from algorithms.core.painter import painter
from algorithms.core.parameters import as_typed
from algorithms.timeline.timeline import Timeline

FIRST = "first run"  # the root's name, until it is given another
LONGEST = 60  # characters of a name
_EDITS = {Add: "added", Move: "moved", Remove: "removed", Label: "labelled anew"}


class Change(Struct, frozen=True):
    """What a fork changed.

    Attributes:
        parameters: by name, those that differ from the run it was forked from.
        edits: to the data of the run it was forked from, in the order they were made.
        state: fields of the state it begins with that were replaced, by name.

    >>> from algorithms import Branches, Change, Timeline
    >>> runs = Branches(Timeline("perceptron", "blobs").run())
    >>> runs.fork(runs.root, 8, Change(parameters={"eta": 0.1})).name
    'eta 1 -> 0.1 at 8'
    """

    parameters: dict[str, Any] = {}
    edits: tuple[Edit, ...] = ()
    state: dict[str, Any] = {}


class Branch:
    """One run of the tree.

    Attributes:
        name: unique in its tree.
        parent: the run it was forked from, which recorded the step it begins at; None for the first.
        at: the step at which the fork was asked for.
        begin: the step at which it begins, at or before `at`; 0 for the first run.
        change: what differs from the parent.
        timeline: the run itself; what was before `begin` is the parent's.
        children: the runs forked from it, the oldest first.
    """

    def __init__(self, name: str, parent: "Branch | None", at: int, change: Change, timeline: Timeline):
        self.name, self.parent, self.at, self.change, self.timeline = name, parent, at, change, timeline
        self.children: list[Branch] = []

    @property
    def begin(self) -> int:
        return self.timeline.begin

    @property
    def path(self) -> list["Branch"]:
        """Get the runs that it is made of, from the first to itself."""
        return [*self.parent.path, self] if self.parent else [self]

    @property
    def differs(self) -> str:
        """Say what differs from its parent, in words: "eta 1 -> 0.1, means set"; "" when nothing does."""
        return ", ".join(_differences(self.change, self.parent.timeline.parameters)) if self.parent else ""

    def tree(self) -> Iterator["Branch"]:
        """Iterate over this run and all its forks, each before its own forks."""
        yield self
        for child in self.children:
            yield from child.tree()

    def owner(self, t: int) -> "Branch":
        """Find the run that recorded position t of this one: itself, or one that it was forked from."""
        owner = self
        while t < owner.begin and owner.parent is not None:
            owner = owner.parent
        return owner

    def __repr__(self) -> str:
        return f"<Branch {self.name!r} from step {self.begin}>"


class Branches:
    """A first run and all that was forked from it.

    Args:
        timeline: the first run, which is no fork.

    Attributes:
        root: the first run.

    >>> from algorithms import Branches, Change, Timeline, datasets, find
    >>> runs = Branches(Timeline(find("perceptron"), datasets.load("iris", positive="setosa")).run())
    >>> runs.fork(runs.root, 1, Change(parameters={"eta": 0.1})).name
    'eta 1 -> 0.1 at 1'
    """

    def __init__(self, timeline: Timeline):
        self.root = Branch(FIRST, None, 0, Change(), timeline)

    def _repr_html_(self) -> str | None:
        """Show every run, for a notebook."""
        return painter().html_of(self)  # type: ignore[no-any-return]

    @property
    def all(self) -> list[Branch]:
        """List every run, a parent before its children."""
        return list(self.root.tree())

    def fork(self, branch: Branch, at: int, change: Change, name: str = "") -> Branch:
        """Fork a second run from the state that `branch` has at `at`.

        It begins at the nearest step at or before `at` after which a change is sound, or afresh (see
        `Timeline.fork`). Its parent is the run that recorded that step: `branch`, or one that it was forked
        from; edits are to that run's data. Without a name it is called by what differs, as "eta 1 -> 0.1 at 37".

        Raises:
            Refused: for what `Timeline.fork` refuses, and for a name that is taken or will not do.
            IndexError: beyond what has been run.
        """
        begin = branch.timeline.nearest_entry(at)
        parent = branch.owner(begin)
        if name:
            self.check_name(name)
        was = parent.timeline.parameters
        state = parent.timeline.at(begin).state.replaced(**change.state) if change.state else None
        data = edited(parent.timeline.data, change.edits)
        timeline = parent.timeline.fork(begin, state=state, data=data, **change.parameters)
        now = timeline.parameters
        change = replace(change, parameters={n: now[n] for n in change.parameters if now[n] != was[n]})
        made = Branch(
            name or self._unique(named(change, was, "afresh" if timeline.from_start else f"at {begin}")),
            parent,
            at,
            change,
            timeline,
        )
        parent.children.append(made)
        return made

    def remake(self, branch: Branch, change: Change) -> Branch:
        """Replace a fork by a run from the same step with another change; its own forks go.

        A name that was given to it stays. `Refused` as for `fork`; then the fork stays as it was.
        """
        parent = branch.parent
        if parent is None:
            raise Refused("the first run is no fork: there is nothing it was changed by.")
        where = "afresh" if branch.timeline.from_start else f"at {branch.begin}"
        by_itself = branch.name.startswith(named(branch.change, parent.timeline.parameters, where))
        place = parent.children.index(branch)
        del parent.children[place]
        try:
            made = self.fork(parent, branch.at, change, "" if by_itself else branch.name)
        except Refused:
            parent.children.insert(place, branch)
            raise
        parent.children.remove(made)
        parent.children.insert(place, made)
        return made

    def rename(self, branch: Branch, name: str) -> None:
        """Give a run another name; `Refused` when it is taken or will not do."""
        if name != branch.name:
            self.check_name(name)
            branch.name = name

    def delete(self, branch: Branch) -> None:
        """Delete a run and all its forks; `Refused` for the first one."""
        if branch.parent is None:
            raise Refused("the first run cannot be deleted: the others begin from it.")
        branch.parent.children.remove(branch)

    def check_name(self, name: str) -> None:
        """Refuse a name that is taken, or that cannot be shown in a line."""
        if not name.strip() or not name.isprintable() or len(name) > LONGEST:
            raise Refused(f"{name[:LONGEST]!r} will not do as a name: 1 to {LONGEST} characters, none of them control.")
        if any(branch.name == name for branch in self.all):
            raise Refused(f"there is a run called {name!r} already: another name would do.")

    def _unique(self, name: str) -> str:
        taken = {branch.name for branch in self.all}
        number, made = 1, name
        while made in taken:
            number += 1
            made = f"{name} ({number})"
        return made


def named(change: Change, was: Mapping[str, Any], where: str) -> str:
    """Name a fork by what it changed: "eta 1 -> 0.1 at 37".

    Args:
        was: the parameters of the run it is forked from.
        where: "at 37", or "afresh".
    """
    parts = _differences(change, was)
    room = LONGEST - len(where) - len("  (99)")
    shown = next((n for n in range(len(parts), 0, -1) if len(_joined(parts, n)) <= room), 0)
    return f"{_joined(parts, shown) if parts else 'again'} {where}"


def _differences(change: Change, was: Mapping[str, Any]) -> list[str]:
    """Say each of a change, in an order of its own: a file does not keep that in which it was made."""
    asked = change.parameters
    parts = [f"{name} {as_typed(old)} -> {as_typed(asked[name])}" for name, old in was.items() if name in asked]
    if change.edits:
        parts.append(_edits_in_words(change.edits))
    return [*parts, *(f"{name} set" for name in sorted(change.state))]


def _edits_in_words(edits: tuple[Edit, ...]) -> str:
    """Describe edits in a few words: "row added", "row 5 moved", "3 rows added, 1 moved"."""
    if len(edits) == 1:
        row = "" if isinstance(edits[0], Add) else f" {edits[0].row}"
        return f"row{row} {_EDITS[type(edits[0])]}"
    kinds = [type(edit) for edit in edits]
    counts = [(kinds.count(kind), does) for kind, does in _EDITS.items() if kind in kinds]
    (first, does), *rest = counts
    return ", ".join([f"{first} row{'s' * (first > 1)} {does}", *(f"{count} {does}" for count, does in rest)])


def _joined(parts: list[str], shown: int) -> str:
    """Join the first so many parts, and count the rest."""
    more = len(parts) - shown
    if not shown:
        return "a change" if more == 1 else f"{more} changes"
    return ", ".join(parts[:shown]) + (f" and {more} more" if more else "")
