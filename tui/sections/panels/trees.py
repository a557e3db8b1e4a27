"""A tree as an outline: a line a node, subtrees closed where there is no room for all."""

from algorithms.core import Tree
from algorithms.core.resolve import ResolvedPanel
from tui.paint.canvas import Canvas, fitted
from tui.paint.palette import Palette, glyph_of
from tui.paint.text import typeset

_OPEN, _CLOSED, _LEAF = "▾", "▸", " "


def paint_tree(canvas: Canvas, tree: Tree, closed: frozenset[int], palette: Palette) -> list[int | None]:
    """Paint the outline; gives back the node of each row, so that a click can open or close it.

    `closed` are the nodes that a person closed (or opened, if they would have been closed by themselves).
    """
    children = children_of(tree)
    shut = _shut(tree, children, closed, canvas.rows)
    lines = _outline(children, shut)
    first = _first(lines, tree.marked, canvas.rows)
    shown: list[int | None] = []
    for row, (node, stem) in enumerate(lines[first : first + canvas.rows]):
        marked = node in tree.marked
        if marked:
            canvas.ground[row, :] = palette.selected
        column = canvas.text(1, row, stem, palette.line)
        sign = _LEAF if not children[node] else _CLOSED if node in shut else _OPEN
        column = canvas.text(column, row, sign + " ", palette.dim)
        tone = tree.tones[node] if tree.tones else None
        if tone is not None:
            column = canvas.text(column, row, glyph_of(tone) + " ", palette.tone(tone))
        hidden = f"  ({_below(children, node)} nodes)" if sign == _CLOSED else ""
        text = fitted(typeset(tree.texts[node]) + hidden, canvas.columns - column - 1)
        canvas.text(column, row, text, palette.accent if marked else palette.ink, bold=marked)
        shown.append(node)
    return shown + [None] * (canvas.rows - len(shown))


def tree_of(flat: ResolvedPanel) -> Tree | None:
    """Find the tree that a panel shows, if it shows one."""
    return next((mark for mark in flat.marks if isinstance(mark, Tree)), None)


def children_of(tree: Tree) -> list[list[int]]:
    """List the children of each node, in their order."""
    children: list[list[int]] = [[] for _ in tree.texts]
    for node, parent in enumerate(tree.parents.tolist()):
        if parent >= 0:
            children[parent].append(node)
    return children


def _shut(tree: Tree, children: list[list[int]], closed: frozenset[int], rows: int) -> set[int]:
    """Choose the closed nodes: the deepest without marked ones until the outline fits, then a person's changes."""
    parents = tree.parents.tolist()
    kept: set[int] = set()
    for node in tree.marked:
        while node >= 0:
            kept.add(node)
            node = parents[node]
    depth = [0] * len(parents)
    for node, parent in enumerate(parents):
        depth[node] = depth[parent] + 1 if parent >= 0 else 0
    shut: set[int] = set()
    inner = [node for node in range(len(parents)) if children[node] and node not in kept]
    for node in sorted(inner, key=lambda n: (-depth[n], -n)):
        if len(_outline(children, shut)) <= rows:
            break
        shut.add(node)
    return shut ^ {node for node in closed if node < len(parents) and children[node]}


def _outline(children: list[list[int]], shut: set[int]) -> list[tuple[int, str]]:
    """List (node, stem) of every node in sight, from the root down."""
    lines: list[tuple[int, str]] = []
    waiting: list[tuple[int, str, str]] = [(0, "", "")] if children else []
    while waiting:
        node, stem, below = waiting.pop()
        lines.append((node, stem))
        if node not in shut:
            kids = children[node]
            for i in range(len(kids) - 1, -1, -1):
                last = i == len(kids) - 1
                waiting.append((kids[i], below + ("╰ " if last else "├ "), below + ("  " if last else "│ ")))
    return lines


def _first(lines: list[tuple[int, str]], marked: tuple[int, ...], rows: int) -> int:
    """Choose the first line to show, so that a marked node is in sight."""
    at = next((i for i, (node, _) in enumerate(lines) if node in marked), 0)
    return min(max(at - rows // 2, 0), max(len(lines) - rows, 0))


def _below(children: list[list[int]], node: int) -> int:
    """Count the nodes under a node."""
    waiting, count = list(children[node]), 0
    while waiting:
        count += 1
        waiting.extend(children[waiting.pop()])
    return count
