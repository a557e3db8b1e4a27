"""The sources of two runs beside each other: the lines in hand, that which gives the first difference, what differs."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from os.path import basename

from msgspec import Struct

from algorithms.timeline import Timeline
from algorithms.timeline.computing import line_of
from algorithms.timeline.live_run import Frame

_ALIKE = 0.5  # of the lines: two versions of one program


class FirstField(Struct, frozen=True):
    """What first differs between two of several runs.

    Attributes:
        runs: which of them.
        steps: at which step of each.
        fields: the field as each of them calls it; "" where one ends.
    """

    runs: tuple[int, int]
    steps: tuple[int, int]
    fields: tuple[str, str]

    def of(self, run: int) -> tuple[int, str] | None:
        """Get the step and the field of a run; None of one that it does not speak of."""
        if run not in self.runs or not self.fields[0]:
            return None
        i = self.runs.index(run)
        return self.steps[i], self.fields[i]


class Listing(Struct, frozen=True):
    """The source of a run.

    Attributes:
        name: of the generator and its file.
        first, lines: where it begins in its file, and what is there.
        line: where the run stands.
        given: the first line that gives the field that first differs; 0 where that is not known.
        field: that field.
    """

    name: str
    first: int
    lines: tuple[str, ...]
    line: int
    given: int = 0
    field: str = ""

    @classmethod
    def of(cls, run: Timeline, frame: Frame, apart: tuple[int, str] | None = None) -> "Listing":
        """Read the source of a run that stands at a frame; `apart`: the step and field that first differ in it."""
        file, first, lines = _text(run)
        line, stopped = frame.line, run.stopped
        if stopped is not None and stopped.failed and frame.t == run.last:
            line = stopped.line if first <= stopped.line < first + len(lines) else line  # that which failed
        found = None if apart is None else line_of(run, *apart)
        name = f"{run.algorithm.name}, {basename(file)}" if file else run.algorithm.name
        given = (0, "") if found is None or apart is None else (found[0], apart[1])
        return cls(name, first, lines, line, *given)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Row(Struct, frozen=True):
    """A row of two sources beside each other.

    Attributes:
        places: of the line in each source, counted from 0; None where it has none there.
        same: whether the two are the same.
    """

    places: tuple[int | None, int | None]
    same: bool


@lru_cache(16)
def versions(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[Row, ...] | None:
    """Put the lines of two versions of one program beside each other; None where they are two programs."""
    matcher = SequenceMatcher(None, [line.strip() for line in first], [line.strip() for line in second], False)
    if not first or not second or matcher.ratio() < _ALIKE:
        return None
    rows: list[Row] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        for i in range(max(b - a, d - c)):
            places = (a + i if a + i < b else None, c + i if c + i < d else None)
            rows.append(Row(places, kind == "equal"))
    return tuple(rows)


def parts_apart(one: str, other: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Find the part of two lines that differs: from where to where in each, between what they begin and end with."""
    shorter = min(len(one), len(other))
    begin = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    end = next((i for i in range(shorter - begin) if one[-1 - i] != other[-1 - i]), shorter - begin)
    return (begin, len(one) - end), (begin, len(other) - end)


def beside(hand: int, runs: Sequence[Timeline], known: FirstField | None) -> int | None:
    """Choose the run whose source stands beside that of the run in hand: the one that it differs from, or the next of
    another source; None where all have the same."""
    if known is not None and hand in known.runs:
        other = known.runs[1 - known.runs.index(hand)]
        if runs[other].algorithm is not runs[hand].algorithm and _source(runs[other]) != _source(runs[hand]):
            return other
    order = [i for i in (*range(hand + 1, len(runs)), *range(hand)) if runs[i].algorithm is not runs[hand].algorithm]
    mine = _source(runs[hand]) if order else ()
    return next((i for i in order if _source(runs[i]) != mine), None)


def _source(run: Timeline) -> tuple[str, ...]:
    """Get the lines of a run's source, none where it is not to be had."""
    return _text(run)[2]


def _text(run: Timeline) -> tuple[str, int, tuple[str, ...]]:
    try:
        file, first, lines = run.algorithm.source
    except (OSError, TypeError):
        return "", 1, ()
    return file, first, tuple(lines)
