"""The sources of two runs beside each other: the lines in hand, and that which gives the first difference."""

from collections.abc import Sequence
from os.path import basename

from msgspec import Struct

from algorithms.timeline import Timeline
from algorithms.timeline.computing import lines_apart
from algorithms.timeline.live_run import Frame
from algorithms.timeline.source_texts import Text, text_of, texts_of


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

    def lines(self, runs: Sequence[Timeline]) -> dict[int, tuple[int, str]]:
        """Find the line that gives the field in each of the two, and what the field is called there."""
        if not self.fields[0]:
            return {}
        one, other = self.runs
        found = lines_apart((runs[one], runs[other]), self.steps, self.fields)
        return {run: (line[0], field) for run, line, field in zip(self.runs, found, self.fields) if line is not None}


class Listing(Struct, frozen=True):
    """The source of a run.

    Attributes:
        name: of the generator and its file.
        first, lines: where it begins in its file, and what is there.
        line: where the run stands.
        given: the line that gives the field which first differs; 0 where that is not known.
        field: that field.
    """

    name: str
    first: int
    lines: tuple[str, ...]
    line: int
    given: int = 0
    field: str = ""

    @classmethod
    def of(cls, run: Timeline, frame: Frame, text: Text, given: tuple[int, str] = (0, "")) -> "Listing":
        """List the source of a run that stands at a frame."""
        line, stopped = frame.line, run.stopped
        if stopped is not None and stopped.failed and frame.t == run.last:
            line = stopped.line if text.first <= stopped.line < text.first + len(text.lines) else line
        name = f"{run.algorithm.name}, {basename(text.file)}" if text.file else run.algorithm.name
        return cls(name, text.first, text.lines, line, *given)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def beside(hand: int, runs: Sequence[Timeline], known: FirstField | None) -> int | None:
    """Choose the run whose source stands beside that of the run in hand: the one that it differs from, or the next of
    another source; None where all have the same."""
    order = [*range(hand + 1, len(runs)), *range(hand)]
    if known is not None and hand in known.runs:
        order.insert(0, known.runs[1 - known.runs.index(hand)])
    return next((i for i in order if _differ(runs[hand], runs[i])), None)


def _differ(one: Timeline, other: Timeline) -> bool:
    if one.algorithm is other.algorithm:
        return False
    mine, theirs = texts_of(one, other)
    return mine.lines != theirs.lines


def listed(
    hand: int, other: int | None, runs: Sequence[Timeline], frames: Sequence[Frame], known: FirstField | None
) -> tuple[tuple[int, Listing], ...]:
    """List the source of the run in hand, and that of the other which stands beside it, in their order."""
    if other is None:
        return ((hand, Listing.of(runs[hand], frames[hand], text_of(runs[hand]))),)
    pair = sorted((hand, other))
    given = known.lines(runs) if known is not None and set(known.runs) == {hand, other} else {}
    texts = texts_of(runs[pair[0]], runs[pair[1]])
    return tuple((i, Listing.of(runs[i], frames[i], text, given.get(i, (0, "")))) for i, text in zip(pair, texts))
