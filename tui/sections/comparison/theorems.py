"""Both sides of each theorem in several runs, as rows of a table; of one that is silent what it said last, and when."""

from collections.abc import Sequence

from algorithms.core import Sides, Verdict
from algorithms.core.text import clean
from algorithms.core.theorems import NOT_NOW
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.comparison.earlier import Spoken
from algorithms.playback.pictures.viewer import Picture
from tui.paint.text import typeset
from tui.paint.ticks import number
from tui.sections.comparison.rows import DIGITS, Cell, Row
from tui.sections.theorems.relations import SIGN, names_of, values_of

_SIDE, _REST = 7, 27  # columns of a side, and of the name and the mark beside it


def theorem_rows(pictures: Sequence[Picture], spoken: Sequence[Sequence[Spoken | None]], columns: int) -> list[Row]:
    """List the theorems of all runs: a row each where two sides of two runs have room, else a row a side."""
    statements = dict.fromkeys(verdict.theorem.statement for p in pictures for verdict in p.verdicts)
    if not statements:
        return []
    rows = [Row("theorems, both sides", section=True, mark=_summary(pictures))]
    for statement in statements:
        of_each = [_Said.of(picture, said, statement) for picture, said in zip(pictures, spoken)]
        known = next((said.sides for said in of_each if said.sides is not None), None)
        if known is None:
            rows.append(Row(f"{typeset(statement)}: silent so far", spread=True))
        elif len(pictures) == 2 and _fit(len(known.values), columns):
            rows.append(_in_one_row(known, of_each))
        else:
            rows += _a_row_a_side(known, of_each)
        rows += _reasons(of_each)
    return rows


def _fit(sides: int, columns: int) -> bool:
    """Tell whether so many sides of two runs have room in a row."""
    return 2 * (_SIDE * sides + 3 * (sides - 1) + 2) + _REST <= columns


class _Said:
    """What a theorem says of one run: its sides, and the step of an earlier one that they are of.

    Attributes:
        verdict: None where the run has no such theorem.
        sides: those of the step that is shown, or those it had last.
        t: the step of the latter, None if it speaks now.
        failed: the first step at which it did not hold.
    """

    def __init__(self, verdict: Verdict | None, spoken: Spoken | None, failed: int | None):
        now = None if verdict is None else verdict.sides
        self.verdict, self.failed = verdict, failed
        self.sides = now if now is not None or spoken is None else spoken.sides
        self.t = None if now is not None or spoken is None else spoken.t

    @classmethod
    def of(cls, picture: Picture, spoken: Sequence[Spoken | None], statement: str) -> "_Said":
        for i, verdict in enumerate(picture.verdicts):
            if verdict.theorem.statement == statement:
                return cls(verdict, spoken[i] if i < len(spoken) else None, picture.failed.get(statement))
        return cls(None, None, None)

    @property
    def why(self) -> str:
        """Say in few words why it is silent; "" where it speaks, and where it speaks of other steps alone."""
        verdict = self.verdict
        if verdict is None or verdict.sides is not None or verdict.why == NOT_NOW:
            return ""
        return typeset(clean(verdict.why)).split(": ")[0].rstrip(".")  # what follows is shown where it is opened

    @property
    def fails(self) -> bool:
        return self.verdict is not None and self.verdict.status == "fails"


def _in_one_row(known: Sides, of_each: Sequence[_Said]) -> Row:
    name = f" {SIGN[known.relation]} ".join(names_of(known))
    cells = tuple(Cell("–") if said.sides is None else Cell(_pair(said.sides), said.t is None) for said in of_each)
    return Row(name, cells, mark=_mark(of_each), wide=True)


def _a_row_a_side(known: Sides, of_each: Sequence[_Said]) -> list[Row]:
    rows = []
    for k, name in enumerate(names_of(known)):
        sign = f" {SIGN[known.relation]}" if k < len(known.names) - 1 else ""
        cells = []
        for said in of_each:
            values = () if said.sides is None else _values(said.sides)
            cells.append(Cell(values[k], said.t is None) if k < len(values) else Cell("–"))
        rows.append(Row(name + sign, tuple(cells), mark=_mark(of_each, short=True) if k == 0 else Cell("")))
    if any(said.t is not None for said in of_each):
        cells = [Cell("now" if said.sides else "–") if said.t is None else Cell(f"{said.t:,}") for said in of_each]
        rows.append(Row("  last at step", tuple(cells)))
    return rows


def _reasons(of_each: Sequence[_Said]) -> list[Row]:
    """Say why a theorem is silent, and in which runs, where it knows more than that it speaks of other steps."""
    of_reason: dict[str, str] = {}
    for letter, said in zip(LETTERS, of_each):
        if said.why:
            of_reason[said.why] = of_reason.get(said.why, "") + letter
    stating = sum(said.verdict is not None for said in of_each)
    words = (("silent" if len(letters) == stating else ", ".join(letters), why) for why, letters in of_reason.items())
    return [Row(f"  {who}: {why}", spread=True) for who, why in words]


def _values(sides: Sides) -> tuple[str, ...]:
    """Write the values; with more digits where sides that differ would look the same."""
    values = values_of(sides)
    usual = [number(v, DIGITS) for v in values]
    if sides.relation == "==":
        return tuple(usual)
    for digits in (DIGITS, DIGITS + 2):
        shown = [number(v, digits) for v in values]
        if len(set(shown)) == len(set(values)):
            return tuple(shown)
    return tuple(usual)


def _pair(sides: Sides) -> str:
    return f" {SIGN[sides.relation]} ".join(_values(sides))


def _mark(of_each: Sequence[_Said], short: bool = False) -> Cell:
    """Say how a theorem stands in all runs, or when it spoke last."""
    for letter, said in zip(LETTERS, of_each):
        if said.failed is not None:
            return Cell("✗" if short else f"{letter} ✗" if said.fails else f"{letter} ✗ {said.failed:,}", ink="wrong")
    steps = [said.t for said in of_each if said.t is not None]
    if not steps:
        return Cell("✓", ink="good")
    return Cell("" if short else "at " + ", ".join(f"{t:,}" for t in dict.fromkeys(steps)))


def _summary(pictures: Sequence[Picture]) -> Cell:
    """Say how all theorems stand: "all that speak hold"."""
    verdicts = [verdict for picture in pictures for verdict in picture.verdicts]
    fail = sum(verdict.status == "fails" for verdict in verdicts)
    earlier = min((t for picture in pictures for t in picture.failed.values()), default=None)
    if fail:
        return Cell(f"{fail} FAIL" if fail > 1 else "1 FAILS", ink="wrong")
    if earlier is not None:
        return Cell(f"one failed at step {earlier:,}", ink="wrong")
    return Cell("all that speak hold", ink="good") if any(v.sides is not None for v in verdicts) else Cell("all silent")
