"""Worked examples: the small sets of rows on which lectures and books show what a method does, their truth known."""

from typing import Annotated

import numpy as np
from msgspec import Meta

from algorithms.core.errors import Refused
from algorithms.data.columns import Rows
from algorithms.data.making import N, Noise, Seed, numbered, shuffled, with_classes

_CHANCES = {  # of each word in a spam, and in another email; the last is so rare that training may never see it
    "free": (0.6, 0.1),
    "prize": (0.4, 0.02),
    "money": (0.5, 0.15),
    "click": (0.45, 0.2),
    "meeting": (0.1, 0.5),
    "report": (0.05, 0.4),
    "lunch": (0.1, 0.3),
    "unicorn": (0.03, 0.03),
}
_TABLES = (  # chances of 000, 001, 010, ..., 111 in a row of class 0, and in one of class 1
    (0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0),
    (0.1, 0.01, 0.02, 0.03, 0.04, 0.5, 0.2, 0.1),
)
_DRAWS = 3  # not 0 or 1, which order the rows that are held out, and those of an epoch: labels may not follow them


def four_points(
    *,
    off: Annotated[
        float, Meta(ge=-100, le=100, description="how far a fifth row is off the line; 0: there is none")
    ] = 0.0,
) -> Rows:
    """Put four rows on the line through the origin along (1, 2), and perhaps a fifth beside it."""
    X = np.array([[-7.0, -14.0], [2.5, 5.0], [0.5, 1.0], [0.0, 0.0]])
    direction = np.array([1.0, 2.0]) / np.sqrt(5.0)
    if off:
        X = np.vstack([X, off * np.array([-2.0, 1.0]) / np.sqrt(5.0)])
    return Rows(X, numbered(2), truth={"direction": direction})


def square(*, side: Annotated[float, Meta(gt=0, le=1000, description="length of a side")] = 2.0) -> Rows:
    """Put four rows on the corners of a square about the origin, of class + on its right side.

    All lie on the margin, w = (2/side, 0), and two of them are enough to carry it.
    """
    X = side / 2 * np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    return with_classes(X, np.array([1, 1, 0, 0]), 2, {"direction": np.array([1.0, 0.0])}, ("-", "+"))


def leverage(
    *,
    n: Annotated[int, Meta(ge=1, le=10_000, description="rows of each class at its place, ±1")] = 9,
    far: Annotated[float, Meta(gt=0, le=10_000, description="how far out the row on the wrong side is")] = 100.0,
) -> Rows:
    """Put n rows of + at 1 and n of - at -1, and one row of each class far out on the side of the other.

    By the sign of x two rows are wrong, and nobody does better; who minds how far out they are, can be wrong on all
    the others.
    """
    x = np.array([*[1.0, -1.0] * n, far, -far])
    y = np.array([*[1, 0] * n, 0, 1])
    return with_classes(x[:, None], y, 2, {"fewest_wrong": 2}, ("-", "+"))


def decoys() -> Rows:
    """Take 11 rows of four bits, whose class is whether the first two differ: a question about either gains nothing,
    and one about the others does. The smallest tree has 4 leaves."""
    rows = ["0000", "0001", "0100", "0101", "0111", "1000", "1001", "1011", "1100", "1101", "1110"]
    X = np.array([[float(bit) for bit in row] for row in rows])
    y = (X[:, 0] != X[:, 1]).astype(np.int64)
    return with_classes(X, y, 2, {"leaves": 4}, ("same", "different"))


def three_points(
    *,
    height: Annotated[float, Meta(ge=-10, le=10, description="of the third point, at (-1, height)")] = 0.5,
) -> Rows:
    """Put three points where no hyperplane through the origin separates them strictly: (0, 1) and (0, -1) are of one
    class, (-1, height) of the other."""
    X = np.array([[0.0, 1.0], [0.0, -1.0], [-1.0, height]])
    return with_classes(X, np.array([1, 1, 0]), 2, {"weakly_separated_by": (1.0, 0.0)}, ("-", "+"))


def xor(*, n: N = 100, noise: Noise = 0.2, seed: Seed = 0) -> Rows:
    """Make clouds about (±1, ±1), whose class is whether the signs differ; n = 4, noise = 0: the corners."""
    rng = np.random.default_rng((seed, 0))
    corner = shuffled(np.arange(n) % 4, rng)
    places = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]])[corner]
    X = places + noise * rng.standard_normal((n, 2))
    return with_classes(X, corner % 2, 2, {"noise": noise, "without_noise": places}, ("same", "different"))


def conjunction(
    *,
    n: N = 60,
    d: Annotated[int, Meta(ge=4, le=100, description="features, all but the first four irrelevant")] = 6,
    terms: Annotated[int, Meta(ge=1, le=2, description="1: x1 and x3; 2: or else x2 and x4")] = 1,
    seed: Seed = 0,
) -> Rows:
    """Draw features of 0 and 1, and a class that is true where x1 and x3 are (2 terms: or x2 and x4)."""
    X = np.random.default_rng((seed, 0)).integers(0, 2, (n, d)).astype(float)
    pairs = ((0, 2), (1, 3))[:terms]
    y = np.any([X[:, i] * X[:, j] == 1 for i, j in pairs], axis=0).astype(np.int64)
    if y.min() == y.max():
        raise Refused(f"all {n} rows are of one class; take more, or another seed.")
    return with_classes(X, y, 2, {"pairs": pairs}, ("false", "true"))


def tilt(
    *,
    far: Annotated[int, Meta(ge=0, le=10_000, description="rows of the far cluster, which is of class +")] = 20,
    across: Annotated[float, Meta(ge=-1000, le=1000, description="the middle of the far cluster, across")] = 8.0,
    up: Annotated[float, Meta(ge=-1000, le=1000, description="the middle of the far cluster, up")] = -8.0,
    spread: Annotated[float, Meta(ge=0, le=100, description="standard deviation within the far cluster")] = 0.6,
    seed: Seed = 0,
) -> Rows:
    """Put two classes on grids of 15 about (-1, 0) and (1, 0), the classes in turn, and after them a cluster far out.

    The boundary x1 = 0 is right about all of them, with a margin of 0.5 to the grids.
    """
    grid = np.array([[x, y] for y in range(-2, 3) for x in (-0.5, 0.0, 0.5)])
    pairs = np.stack([grid - [1.0, 0.0], grid + [1.0, 0.0]], axis=1).reshape(-1, 2)
    noise = np.random.default_rng((seed, 0)).standard_normal((far, 2))
    X = np.concatenate([pairs, np.array([across, up]) + spread * noise])
    y = np.concatenate([np.arange(len(pairs)) % 2, np.ones(far, np.int64)])
    return with_classes(X, y, 2, {"direction": np.array([1.0, 0.0]), "offset": 0.0}, ("-", "+"))


def three_rows(
    *,
    off: Annotated[float, Meta(ge=-100, le=100, description="how far y is off the line, in (1, -2, 1)")] = 1.0,
) -> Rows:
    """Put three rows about the line y = 1 + x: as columns, 1 and x span a plane in R³, and y stands off it.

    y = (1, 2, 3) + off (1, -2, 1), of which the first lies in the plane and the second is at right angles to it.
    """
    y = np.array([1.0, 2.0, 3.0]) + off * np.array([1.0, -2.0, 1.0])
    truth = {"fitted": np.array([1.0, 2.0, 3.0]), "off": off}
    return Rows(np.array([[0.0], [1.0], [2.0]]), ("x",), y, "number", target="y", truth=truth)


def rectangle(
    *, width: Annotated[float, Meta(gt=0, le=1000, description="how far apart the two pairs lie")] = 4.0
) -> Rows:
    """Put four rows on the corners of a rectangle of height 1: two pairs to an eye, and to k-means also two lines.

    From (0, 0) and (0, 1) Lloyd's algorithm ends with the lines, width²; the pairs have 1.
    """
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [width, 0.0], [width, 1.0]])
    return Rows(corners, numbered(2), truth={"least": min(1.0, width**2)})


def dependent(*, n: N = 30, noise: Noise = 0.0, seed: Seed = 0) -> Rows:
    """Make a third feature that is the sum of 2 of the first and 3 of the second, and y = 3 height + 4 weight + noise.

    (3, 4, 0), (1, 1, 1) and (0, -1/2, 3/2) all fit alike; (3, 1, 9)/7 is the shortest that does.
    """
    rng = np.random.default_rng((seed, 0))
    X = rng.standard_normal((n, 2))
    y = X @ [3.0, 4.0] + noise * rng.standard_normal(n)
    names = ("height", "weight", "2 height + 3 weight")
    truth = {"w": np.array([3.0, 4.0, 0.0]), "intercept": 0.0, "noise": noise}
    return Rows(np.column_stack([X, X @ [2.0, 3.0]]), names, y, "number", target="y", truth=truth)


def emails(
    *,
    n: N = 120,
    p: Annotated[float, Meta(gt=0, lt=1, description="share of spam")] = 0.4,
    seed: Seed = 0,
) -> Rows:
    """Draw emails as the naive story has it: the label by a coin, then each of eight words for itself, given the label.

    A row says of each word whether it is there. The last word is rare: with some held out, training may lack it.
    """
    rng = np.random.default_rng((seed, _DRAWS))
    y = (rng.random(n) < p).astype(np.int64)
    if y.min() == y.max():
        raise Refused(f"all {n} emails are of one class; draw more, or take another seed.")
    chances = np.array([*_CHANCES.values()]).T[::-1]
    X = (rng.random((n, len(_CHANCES))) < chances[y]).astype(float)
    truth = {"p": p, "chances": chances}
    return Rows(X, tuple(_CHANCES), y, "class", ("email", "spam"), "label", truth)


def joint(
    *,
    n: N = 80,
    p: Annotated[float, Meta(gt=0, lt=1, description="share of class 1")] = 0.5,
    seed: Seed = 0,
) -> Rows:
    """Draw three words from a whole table a class: in class 0 it is 011 or 100, in class 1 the eight chances differ.

    In class 0 each word is there in half of the rows, but no two words are independent of each other.
    """
    rng = np.random.default_rng((seed, _DRAWS))
    y = (rng.random(n) < p).astype(np.int64)
    if y.min() == y.max():
        raise Refused(f"all {n} rows are of one class; draw more, or take another seed.")
    tables = np.array(_TABLES)
    cells = (rng.random((n, 1)) > tables.cumsum(axis=1)[y][:, :-1]).sum(axis=1)
    X = (cells[:, None] >> np.array([2, 1, 0]) & 1).astype(float)
    return Rows(X, ("w1", "w2", "w3"), y, "class", ("0", "1"), "class", {"p": p, "tables": tables})
