"""Made data: seeded generators whose truth is known, so that what an algorithm finds can be held against it."""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.parameters import Parameter, Parameters
from algorithms.data.columns import Rows

N = Annotated[int, Meta(ge=2, le=100_000, description="rows")]
D = Annotated[int, Meta(ge=1, le=100, description="features")]
K = Annotated[int, Meta(ge=2, le=20, description="classes")]
Noise = Annotated[float, Meta(ge=0, le=100, description="standard deviation of the noise")]
Seed = Annotated[int, Meta(ge=0, le=2**32 - 1, description="seed of the random numbers")]

_FACES = ("tails", "heads")
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
_APART = 4.0  # between neighbouring means, in standard deviations: a row in fifty is on the wrong side


def blobs(
    *,
    n: N = 200,
    d: D = 2,
    k: K = 2,
    margin: Annotated[float, Meta(ge=0, le=100, description="of two classes, the largest that there is")] = 0.0,
    spread: Annotated[float, Meta(gt=0, le=100, description="standard deviation within a class")] = 1.0,
    seed: Seed = 0,
) -> Rows:
    """Make round clouds, one a class, neighbours four deviations apart on a ring (on a line for one feature).

    With a margin: no row is closer to the hyperplane direction·x = 0 than that, and the last two rows face each
    other across it at exactly that distance, so no hyperplane does better, with or without a bias.
    """
    if margin > 0 and k != 2:
        raise Refused(f"a margin lies between two classes; k is {k}.")
    _check_enough(n, k)
    rng = np.random.default_rng((seed, 0))
    y = _shuffled(np.arange(n) % k, rng)
    if margin == 0:
        means = _ring(k, d, spread, rng)
        X = means[y] + spread * rng.standard_normal((n, d))
        return _classes(X, y, k, {"means": means, "spread": spread})
    direction = _unit(rng.standard_normal(d))
    y[-2:] = 0, 1  # the pair that faces each other
    signs = np.where(y == 1, 1.0, -1.0)
    X = spread * rng.standard_normal((n, d))
    along = X @ direction
    away = margin + np.abs(along + 2.0 * spread)  # what would fall inside the margin is folded back out of it
    X += np.outer(signs * away - along, direction)
    aside = X[-2] - (X[-2] @ direction) * direction
    X[-2], X[-1] = aside - margin * direction, aside + margin * direction
    return _classes(X, y, 2, {"direction": direction, "offset": 0.0, "margin": margin})


def rings(
    *,
    n: N = 200,
    noise: Noise = 0.08,
    inner: Annotated[float, Meta(gt=0, lt=2, description="radius of the inner circle; the outer one's is 2")] = 1.0,
    seed: Seed = 0,
) -> Rows:
    """Make two classes on circles about the origin, of radius 1, or another that is asked for, and 2."""
    rng = np.random.default_rng((seed, 0))
    y = _shuffled(np.arange(n) % 2, rng)
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    circle = np.where(y == 1, 2.0, inner)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    X = circle + noise * rng.standard_normal((n, 2))
    return _classes(X, y, 2, {"radii": (inner, 2.0), "noise": noise, "without_noise": circle}, ("inner", "outer"))


def moons(*, n: N = 200, noise: Noise = 0.1, seed: Seed = 0) -> Rows:
    """Make two half circles of radius 1 that reach into each other."""
    rng = np.random.default_rng((seed, 0))
    y = _shuffled(np.arange(n) % 2, rng)
    angle = rng.uniform(0.0, np.pi, n)
    sign = 1.0 - 2.0 * y  # the lower one is the upper one turned about (1/2, 1/4)
    arcs = np.column_stack([0.5 + sign * (np.cos(angle) - 0.5), 0.25 + sign * (np.sin(angle) - 0.25)])
    X = arcs + noise * rng.standard_normal((n, 2))
    return _classes(X, y, 2, {"noise": noise, "without_noise": arcs}, ("upper", "lower"))


def line(
    *,
    n: N = 100,
    slope: Annotated[float, Meta(ge=-1000, le=1000, description="slope of the true line")] = 2.0,
    intercept: Annotated[float, Meta(ge=-1000, le=1000, description="its height at x = 0")] = 1.0,
    noise: Noise = 0.5,
    seed: Seed = 0,
) -> Rows:
    """Make y = slope x + intercept + noise, with x even over [-2, 2]."""
    rng = np.random.default_rng((seed, 0))
    x = rng.uniform(-2.0, 2.0, n)
    y = slope * x + intercept + noise * rng.standard_normal(n)
    truth = {"slope": slope, "intercept": intercept, "noise": noise}
    return Rows(x[:, None], ("x",), y, "number", target="y", truth=truth)


def sine(
    *,
    n: N = 40,
    waves: Annotated[float, Meta(ge=0, le=100, description="how often it goes up and down")] = 1.0,
    noise: Noise = 0.3,
    seed: Seed = 0,
) -> Rows:
    """Make y = sin(π waves x) + noise, with x even over [-1, 1]."""
    rng = np.random.default_rng((seed, 0))
    x = rng.uniform(-1.0, 1.0, n)
    y = np.sin(np.pi * waves * x) + noise * rng.standard_normal(n)
    return Rows(x[:, None], ("x",), y, "number", target="y", truth={"waves": waves, "noise": noise})


def sparse(
    *,
    n: N = 60,
    d: D = 8,
    relevant: Annotated[int, Meta(ge=1, le=100, description="features, the last ones, whose coefficient is not 0")] = 3,
    correlation: Annotated[float, Meta(ge=0, le=0.999, description="between any two features")] = 0.5,
    noise: Noise = 0.5,
    seed: Seed = 0,
) -> Rows:
    """Make y = 1 + w·x + noise, where w is 0 but for the last few, which are 2 down to 1 with signs in turn.

    The features are normal with variance 1, and so alike that those without a part in y seem to have one.
    """
    if relevant > d:
        raise Refused(f"{relevant} relevant features do not fit into {d}.")
    rng = np.random.default_rng((seed, 0))
    w = np.zeros(d)
    w[d - relevant :] = np.linspace(2.0, 1.0, relevant) * np.where(np.arange(relevant) % 2, -1.0, 1.0)
    alike, own = rng.standard_normal((n, 1)), rng.standard_normal((n, d))
    X = np.sqrt(correlation) * alike + np.sqrt(1.0 - correlation) * own
    y = 1.0 + X @ w + noise * rng.standard_normal(n)
    return Rows(X, _numbered(d), y, "number", target="y", truth={"w": w, "noise": noise})


def mixture(*, n: N = 300, d: D = 2, k: K = 3, seed: Seed = 0) -> Rows:
    """Draw from k Gaussians with weights, means and covariances of their own; the target is the component."""
    _check_enough(n, k)
    rng = np.random.default_rng((seed, 0))
    weights = rng.dirichlet(np.full(k, 10.0))
    means = _ring(k, d, 1.0, rng)
    roots = np.stack([_frame(d, d, rng) * rng.uniform(0.4, 1.4, d) for _ in range(k)])  # of the covariances
    y = _shuffled(np.repeat(np.arange(k), 1 + rng.multinomial(n - k, weights)), rng)
    X = rng.standard_normal((n, d))
    for j in range(k):
        X[y == j] = means[j] + X[y == j] @ roots[j].T
    covariances = roots @ roots.transpose(0, 2, 1)
    truth = {"weights": weights, "means": means, "covariances": covariances}
    return _classes(X, y, k, truth, target="component")


def cloud(
    *,
    n: N = 200,
    d: D = 3,
    rank: Annotated[int, Meta(ge=1, le=100, description="dimensions of the flat space it lies in")] = 2,
    noise: Noise = 0.1,
    seed: Seed = 0,
) -> Rows:
    """Make a Gaussian cloud in a flat of `rank` dimensions, away from the origin, with round noise about it."""
    if rank > d:
        raise Refused(f"a flat of {rank} dimensions does not fit into {d} features.")
    rng = np.random.default_rng((seed, 0))
    basis = _frame(d, rank, rng).T  # (rank, d)
    deviations = 3.0 * 0.6 ** np.arange(rank)
    mean = rng.uniform(1.0, 4.0, d)
    X = mean + (rng.standard_normal((n, rank)) * deviations) @ basis + noise * rng.standard_normal((n, d))
    truth = {"mean": mean, "basis": basis, "deviations": deviations, "noise": noise}
    return Rows(X, _numbered(d), truth=truth)


def coin(
    *,
    n: N = 100,
    p: Annotated[float, Meta(ge=0, le=1, description="chance of heads")] = 0.6,
    seed: Seed = 0,
) -> Rows:
    """Toss a coin, tails or heads; the one feature is the number of the toss, from 0."""
    rng = np.random.default_rng((seed, 0))
    y = (rng.random(n) < p).astype(np.int64)
    if y.min() == y.max():
        raise Refused(f"all {n} tosses are {_FACES[y[0]]}; toss more often, or take another seed.")
    return Rows(np.arange(float(n))[:, None], ("toss",), y, "class", _FACES, "face", {"p": p})


def gaussian(
    *,
    n: N = 40,
    mean: Annotated[float, Meta(ge=-1000, le=1000, description="μ, from which they are drawn")] = 2.0,
    deviation: Annotated[float, Meta(gt=0, le=1000, description="σ, their standard deviation")] = 1.0,
    seed: Seed = 0,
) -> Rows:
    """Draw numbers from one Gaussian."""
    x = mean + deviation * np.random.default_rng((seed, 0)).standard_normal(n)
    return Rows(x[:, None], ("x",), truth={"mean": mean, "deviation": deviation})


def three_points(
    *,
    height: Annotated[float, Meta(ge=-10, le=10, description="of the third point, at (-1, height)")] = 0.5,
) -> Rows:
    """Put three points where no hyperplane through the origin separates them strictly: (0, 1) and (0, -1) are of one
    class, (-1, height) of the other."""
    X = np.array([[0.0, 1.0], [0.0, -1.0], [-1.0, height]])
    return _classes(X, np.array([1, 1, 0]), 2, {"weakly_separated_by": (1.0, 0.0)}, ("-", "+"))


def xor(*, n: N = 100, noise: Noise = 0.2, seed: Seed = 0) -> Rows:
    """Make clouds about (±1, ±1), whose class is whether the signs differ; n = 4, noise = 0: the corners."""
    rng = np.random.default_rng((seed, 0))
    corner = _shuffled(np.arange(n) % 4, rng)
    places = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]])[corner]
    X = places + noise * rng.standard_normal((n, 2))
    return _classes(X, corner % 2, 2, {"noise": noise, "without_noise": places}, ("same", "different"))


def circle(
    *,
    n: N = 100,
    inside: Annotated[
        float, Meta(ge=0, le=0.9, description="share of the rows inside; with 0 there are no classes")
    ] = 0.5,
    a: Annotated[float, Meta(ge=-100, le=100, description="the centre, across")] = 1.0,
    b: Annotated[float, Meta(ge=-100, le=100, description="the centre, up")] = 2.0,
    radius: Annotated[float, Meta(gt=0, le=100, description="radius of the circle")] = 3.0,
    noise: Noise = 0.0,
    seed: Seed = 0,
) -> Rows:
    """Put rows on a circle about (a, b), and others that fill a disc in it of 0.7 times its radius."""
    rng = np.random.default_rng((seed, 0))
    y = _shuffled((np.arange(n) >= min(round(inside * n), n - 1)).astype(np.int64), rng)
    angle, depth = rng.uniform(0.0, 2.0 * np.pi, n), 0.7 * np.sqrt(rng.random(n))
    away = radius * np.where(y == 1, 1.0, depth)
    X = np.array([a, b]) + away[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    X += noise * rng.standard_normal((n, 2))
    truth = {"centre": (a, b), "radius": radius, "noise": noise}
    if y.all():
        return Rows(X, _numbered(2), truth=truth)
    return _classes(X, y, 2, truth, ("inside", "circle"))


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
    return _classes(X, y, 2, {"pairs": pairs}, ("false", "true"))


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
    return _classes(X, y, 2, {"direction": np.array([1.0, 0.0]), "offset": 0.0}, ("-", "+"))


def collinear(
    *,
    n: N = 150,
    k: Annotated[int, Meta(ge=3, le=20, description="classes")] = 3,
    apart: Annotated[float, Meta(gt=0, le=100, description="between neighbouring means")] = 4.0,
    spread: Annotated[float, Meta(gt=0, le=100, description="standard deviation within a class")] = 0.5,
    off: Annotated[float, Meta(ge=0, le=1, description="0: the rows' means too lie exactly there; 1: as drawn")] = 0.0,
    seed: Seed = 0,
) -> Rows:
    """Make round clouds, one a class, whose means lie on a diagonal of the plane at equal distances."""
    _check_enough(n, k)
    rng = np.random.default_rng((seed, 0))
    y = _shuffled(np.arange(n) % k, rng)
    means = apart * (np.arange(k) - (k - 1) / 2)[:, None] * np.sqrt([0.5, 0.5])
    noise = spread * rng.standard_normal((n, 2))
    for j in range(k):
        noise[y == j] -= (1 - off) * noise[y == j].mean(axis=0)
    return _classes(means[y] + noise, y, k, {"means": means, "spread": spread})


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
    return Rows(corners, _numbered(2), truth={"least": min(1.0, width**2)})


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


def correlated(
    *,
    n: N = 30,
    d: D = 6,
    correlation: Annotated[float, Meta(ge=0, lt=1, description="between any two features")] = 0.9,
    noise: Noise = 1.0,
    seed: Seed = 0,
) -> Rows:
    """Draw features that go together, and y = w·x + noise, with w even over [-1, 1]."""
    rng = np.random.default_rng((seed, 0))
    shared = np.sqrt(correlation) * rng.standard_normal((n, 1))
    X = shared + np.sqrt(1 - correlation) * rng.standard_normal((n, d))
    w = rng.uniform(-1.0, 1.0, d)
    y = X @ w + noise * rng.standard_normal(n)
    truth = {"w": w, "intercept": 0.0, "noise": noise}
    return Rows(X, _numbered(d), y, "number", target="y", truth=truth)


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


_ALL: tuple[Callable[..., Rows], ...] = (
    blobs,
    rings,
    moons,
    line,
    sine,
    sparse,
    mixture,
    cloud,
    coin,
    gaussian,
    three_points,
    xor,
    circle,
    conjunction,
    tilt,
    collinear,
    three_rows,
    rectangle,
    dependent,
    correlated,
    emails,
    joint,
)
GENERATORS: dict[str, Callable[..., Rows]] = {f.__name__: f for f in _ALL}
_PARAMETERS = {name: Parameters(f) for name, f in GENERATORS.items()}


def arguments(name: str) -> tuple[Parameter, ...]:
    """List a generator's arguments, with bounds, help and defaults."""
    return _PARAMETERS[name].all


def checked(name: str, given: dict[str, Any]) -> tuple[tuple[str, int | float], ...]:
    """Check a generator's arguments, and keep those that are not its defaults; `Refused` says what will not do."""
    values: Struct = _PARAMETERS[name].convert(given)
    return tuple((p.name, getattr(values, p.name)) for p in arguments(name) if getattr(values, p.name) != p.default)


def _classes(
    X: Array,
    y: Array,
    k: int,
    truth: dict[str, Any],
    names: tuple[str, ...] = (),
    target: str = "class",
) -> Rows:
    letters = names or tuple(chr(ord("a") + j) for j in range(k))
    return Rows(X, _numbered(X.shape[1]), y.astype(np.int64), "class", letters, target, truth)


def _check_enough(n: int, k: int) -> None:
    if n < k:
        raise Refused(f"{k} classes need {k} rows or more; n is {n}.")


def _numbered(d: int) -> tuple[str, ...]:
    return tuple(f"x{j + 1}" for j in range(d))


def _shuffled(y: Array, rng: np.random.Generator) -> Array:
    return np.asarray(y[rng.random(len(y)).argsort()])


def _unit(v: Array) -> Array:
    return np.asarray(v / np.linalg.norm(v))


def _frame(d: int, m: int, rng: np.random.Generator) -> Array:
    """Draw (d, m) orthonormal columns in a random position."""
    return np.asarray(np.linalg.qr(rng.standard_normal((d, m)))[0])


def _ring(k: int, d: int, spread: float, rng: np.random.Generator) -> Array:
    """Place (k, d) means, neighbours four deviations apart: on a circle about the origin, or on a line."""
    if d == 1:
        return _APART * spread * (np.arange(k) - (k - 1) / 2)[:, None]
    radius = _APART * spread / (2.0 * np.sin(np.pi / k))
    angle = rng.uniform(0.0, 2.0 * np.pi) + 2.0 * np.pi * np.arange(k) / k
    circle = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return np.asarray(circle @ _frame(d, 2, rng).T)
