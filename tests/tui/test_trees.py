"""A tree's outline: all of it where there is room, the marked nodes always, subtrees closed and opened by hand."""

import numpy as np

from algorithms.core import Tree
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.sections.panels.trees import paint_tree

#       0
#     1   2
#    3 4 5 6
TREE = Tree(parents=np.array([-1, 0, 0, 1, 1, 2, 2]), texts=tuple("ABCDEFG"), marked=(6,))


def painted(rows: int, closed: frozenset[int] = frozenset()) -> tuple[str, list[int | None]]:
    canvas = Canvas(24, rows, DARK.panel, DARK.ink)
    nodes = paint_tree(canvas, TREE, closed, DARK)
    return "\n".join("".join(map(chr, row)) for row in canvas.glyphs), nodes


def test_every_node_has_a_line_in_order() -> None:
    text, nodes = painted(8)
    assert nodes == [0, 1, 3, 4, 2, 5, 6, None]
    assert all(letter in text for letter in "ABCDEFG")


def test_without_room_a_subtree_away_from_the_marked_node_is_closed() -> None:
    text, nodes = painted(5)
    assert nodes == [0, 1, 2, 5, 6]
    assert "B  (2 nodes)" in text


def test_a_node_closed_by_hand_hides_what_is_under_it() -> None:
    text, nodes = painted(8, frozenset({2}))
    assert nodes[:5] == [0, 1, 3, 4, 2]
    assert "G" not in text


def test_what_closed_by_itself_can_be_opened() -> None:
    text, nodes = painted(5, frozenset({1}))
    assert "(2 nodes)" not in text
    assert 6 in nodes
