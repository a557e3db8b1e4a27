"""Notes of an opened theorem: letters, what it rests on, what the step did, the proof, the other theorems."""

from algorithms.core.text import clean
from algorithms.core.words import point_of
from algorithms.playback.theorems.page import HypothesisNow, SymbolNow, TheoremPage
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import cut, typeset, wrapped
from tui.paint.ticks import number

_SIGN = {"holds": "✓", "fails": "✗", "undecided": "?", "expected": "E"}
_FEW_ROWS = 40  # of a page
_WORDS = 1_000  # characters of an explanation, at most
_VALUE = 9  # columns of a letter's value
_MET = {True: "✓", False: "–", None: "?"}


def heading(canvas: Canvas, row: int, words: str, palette: Palette, note: str = "") -> None:
    """Write a heading with a line after it, and a note at its end."""
    words = fitted(words, canvas.columns)
    canvas.text(0, row, words, palette.dim)
    end = canvas.columns - (width_of(note) + 1 if note else 0)
    canvas.text(width_of(words) + 1, row, "─" * max(end - width_of(words) - 1, 0), palette.line)
    if note and end > width_of(words):
        canvas.text(end + 1, row, note, palette.dim)


def paint_symbols(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint what the letters of the theorem mean, with their values now; returns the rows used."""
    symbols = [symbol for symbol in page.symbols if symbol.occurs]
    return _paint_letters(canvas, "what the letters mean", symbols, palette)


def paint_other_symbols(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint what the letters mean that other theorems have; returns the rows used."""
    symbols = [symbol for symbol in page.symbols if not symbol.occurs]
    return _paint_letters(canvas, "letters of the other theorems", symbols, palette)


def _paint_letters(canvas: Canvas, words: str, symbols: list[SymbolNow], palette: Palette) -> int:
    if not symbols:
        return 0
    both = any(symbol.before is not None for symbol in symbols)
    heading(canvas, 0, words, palette, f"{'before':>{_VALUE}} {'after':>{_VALUE}}" if both else "now")
    width = max(width_of(symbol.letter) for symbol in symbols) + 2
    row = 1
    for symbol in symbols:
        now = "" if symbol.value is None else number(symbol.value)
        before = "" if symbol.before is None else number(symbol.before)
        was = f"{before:>{_VALUE}} " if both and now and before != now else ""  # what stays is written once
        value = f"{was}{now:>{_VALUE}}" if was else now
        canvas.text(0, row, clean(symbol.letter), palette.ink)
        column = canvas.text(canvas.columns - width_of(value), row, was, palette.dim)
        canvas.text(column, row, value.removeprefix(was), palette.ink, bold=True)
        for line in wrapped(typeset(clean(symbol.meaning)), canvas.columns - width - width_of(value) - 1):
            canvas.text(width, row, line, palette.dim)
            row += 1
    return row


def letter_words(symbol: SymbolNow) -> str:
    """Say what a letter means, with its values before the step and after."""
    values = [number(value) for value in (symbol.before, symbol.value) if value is not None]
    return typeset(clean(symbol.meaning)) + (f": {' → '.join(dict.fromkeys(values))}" if values else "")


def paint_hypotheses(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint what it rests on, each with its tick; returns the rows used."""
    if not page.hypotheses:
        return 0
    heading(canvas, 0, "it holds when", palette)
    row = 1
    inks = {True: palette.good, False: palette.faint, None: palette.dim}
    for rest in page.hypotheses:
        canvas.text(0, row, _MET[rest.met], inks[rest.met], bold=True)
        for line in wrapped(_words(rest), canvas.columns - 2):
            canvas.text(2, row, line, palette.ink if rest.met else palette.dim)
            row += 1
    return row


def _words(rest: HypothesisNow) -> str:
    return typeset(clean(f"{rest.words}: {rest.why}" if rest.why else rest.words))


def paint_step(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint what happened in the step, or its point alone, cut where there is no more room; returns the rows used."""
    room, point = canvas.rows - 1, point_of(page.words)
    lines = wrapped(typeset(clean(page.words, _WORDS)), canvas.columns)
    if len(lines) > room and point:
        lines = wrapped(typeset(clean(point, _WORDS)), canvas.columns)
    if page.so_far is None or not lines or room < 1:  # what holds on average speaks of no step
        return 0
    heading(canvas, 0, f"step {page.t:,}: {clean(page.phase)}", palette)
    if len(lines) > room:
        lines = [*lines[: room - 1], fitted(f"{lines[room - 1]} {lines[room]}", canvas.columns)]
    for row, line in enumerate(lines, start=1):
        canvas.text(0, row, line, palette.ink)
    return len(lines) + 1


def listed(page: TheoremPage, rows: int) -> range:
    """Choose the theorems that are listed in so many rows: the opened one in their middle."""
    rows = min(rows, page.count)
    first = min(max(page.number - 1 - rows // 2, 0), page.count - rows)
    return range(first, first + rows)


def paint_list(canvas: Canvas, page: TheoremPage, shown: range, palette: Palette) -> None:
    """Paint the theorems by number, how each stands at the step, and the opened one marked; one that is silent as it
    stood when it spoke last, dim, with that step."""
    average = any(verdict.status == "expected" for verdict in page.verdicts)
    words = (
        "the theorems" if len(shown) == page.count else f"theorems {shown[0] + 1} to {shown[-1] + 1} of {page.count}"
    )
    heading(canvas, 0, words, palette, "E: on average" if average else "")
    digits = len(str(page.count))
    for row, i in enumerate(shown, start=1):
        verdict, here = page.verdicts[i], i == page.number - 1
        sign, last = _SIGN.get(verdict.status, "–"), page.spoke_last(i) if verdict.status == "does not apply" else None
        ink = {"✓": palette.good, "✗": palette.wrong, "E": palette.accent}.get(sign, palette.faint)
        note = ""
        if last is not None:
            sign, note = "✓" if last.held else "✗", f"at step {last.t:,}"
            ink = palette.dim if last.held else palette.wrong
            canvas.text(canvas.columns - width_of(note), row, note, palette.dim)
        canvas.text(0, row, "▸" if here else " ", palette.accent)
        canvas.text(2, row, f"{i + 1:>{digits}}", palette.accent if here else palette.dim)
        canvas.text(3 + digits, row, sign, ink)
        words = cut(
            typeset(clean(verdict.theorem.statement)), canvas.columns - digits - 5 - (width_of(note) + 1 if note else 0)
        )
        canvas.text(5 + digits, row, words, palette.ink if here else palette.dim)


def source_line(page: TheoremPage, columns: int, rows: int) -> str:
    """Name the source, and after it the statements of the lectures that it shows where there is room for both; of a
    page of few rows by their numbers alone."""
    source = f"source: {clean(page.theorem.source)}"
    numbers = ", ".join(statement.partition(" (")[0] for statement in page.lectures)
    shorter = [f"lectures: {numbers}"] if rows < _FEW_ROWS else []
    for lectures in (_lectures(page), *shorter):
        if page.lectures and width_of(f"{source}   {lectures}") <= columns:
            return f"{source}   {lectures}"
    return fitted(source, columns)


def _lectures(page: TheoremPage) -> str:
    return f"lectures: {', '.join(page.lectures)}"


def proof_rows(page: TheoremPage, columns: int, below: str) -> list[tuple[str, str]]:
    """Lay out the proof, a numbered link after the other, then the statements of the lectures that it shows, unless
    they stand in the line below."""
    rows: list[tuple[str, str]] = []
    for i, link in enumerate(page.theorem.proof, start=1):
        lines = wrapped(typeset(clean(link)), columns - 3)
        rows += [(str(i) if j == 0 else "", line) for j, line in enumerate(lines)]
    if page.lectures and "lectures: " not in below:
        rows += [("·", line) for line in wrapped(_lectures(page), columns - 3)]
    return rows


def paint_proof(canvas: Canvas, rows: list[tuple[str, str]], palette: Palette) -> int:
    """Paint the proof as it was laid out; returns the rows used."""
    if not rows:
        return 0
    heading(canvas, 0, "the proof", palette)
    ink = palette.ink
    for row, (mark, line) in enumerate(rows, start=1):
        ink = palette.dim if mark == "·" else ink
        canvas.text(0, row, mark if mark != "·" else "", palette.accent)
        canvas.text(2, row, line, ink)
    return len(rows) + 1
