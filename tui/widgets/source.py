"""The algorithm's own source, with the statements of this step marked."""

import ast
from collections.abc import Sequence
from functools import lru_cache

from tui.paint.canvas import Canvas, fitted
from tui.widgets.raster import RasterView


@lru_cache(64)
def block_of(source: str, first: int, line: int) -> tuple[int, int]:
    """(first, last) line of the statements that end in the yield at `line`, in the file's numbering.

    They are those before the yield in its own list of statements, back to the loop, branch or other
    yield before them.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return line, line
    at = line - first + 1
    best = (line, line)
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if not isinstance(body, list):
                continue
            for i, statement in enumerate(body):
                end = statement.end_lineno or statement.lineno
                if isinstance(statement, ast.Expr) and statement.lineno <= at <= end:
                    start = i
                    while start > 0 and isinstance(body[start - 1], ast.Assign | ast.AugAssign | ast.AnnAssign):
                        start -= 1
                    best = (body[start].lineno + first - 1, end + first - 1)
    return best


def first_seen(start: int, end: int, first: int, last: int, rows: int) -> int:
    """Choose the first of so many lines that are seen of those from `first` to `last`, so that the statements from
    `start` to `end` are among them, with room to spare in the middle."""
    top = min(max(end - rows + 1, first), start) if end - start < rows else end - rows + 1
    if rows > end - start + 4:
        top = (start + end - rows) // 2 + 1
    return max(min(top, last - rows + 1), first)


class Source(RasterView):
    """A window of the generator's source around the current line."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._lines: list[str] = []
        self._first, self._line = 1, 0

    def show(self, first: int, lines: list[str], line: int) -> None:
        if (first, line, lines) != (self._first, self._line, self._lines):
            self._first, self._lines, self._line = first, lines, line
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.panel)
        if not self._lines:
            return
        text = "\n".join(self._lines)
        start, end = block_of(text, self._first, self._line)
        last = self._first + len(self._lines) - 1
        top = first_seen(start, end, self._first, last, canvas.rows)
        spare = common_indent(self._lines[top - self._first : top - self._first + canvas.rows])
        for row in range(canvas.rows):
            number = top + row
            if number > last:
                break
            inside, current = start <= number <= end, number == self._line
            if current:
                canvas.ground[row, :] = palette.selected
            canvas.text(1, row, f"{number:>4}", palette.dim if inside else palette.faint)
            canvas.text(6, row, "▸" if current else "│" if inside else " ", palette.accent)
            code = self._lines[number - self._first][spare:]
            canvas.text(8, row, fitted(code, canvas.columns - 9), palette.ink if inside else palette.dim)


def common_indent(lines: Sequence[str]) -> int:
    """Count the blanks that all lines begin with."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return min(indents, default=0)
