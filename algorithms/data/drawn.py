"""Drawn data: seeded generators whose truth is known, so that what an algorithm finds can be held against it."""

from typing import Annotated

import numpy as np
from msgspec import Meta

from algorithms.core.errors import Refused
from algorithms.data.columns import Rows
from algorithms.data.making import (
    D,
    K,
    N,
    Noise,
    Seed,
    check_enough,
    frame,
    numbered,
    ring,
    shuffled,
    unit,
    with_classes,
)

_FACES = ("tails", "heads")


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
    check_enough(n, k)
    rng = np.random.default_rng((seed, 0))
    y = shuffled(np.arange(n) % k, rng)
    if margin == 0:
        means = ring(k, d, spread, rng)
        X = means[y] + spread * rng.standard_normal((n, d))
        return with_classes(X, y, k, {"means": means, "spread": spread})
    direction = unit(rng.standard_normal(d))
    y[-2:] = 0, 1  # the pair that faces each other
    signs = np.where(y == 1, 1.0, -1.0)
    X = spread * rng.standard_normal((n, d))
    along = X @ direction
    away = margin + np.abs(along + 2.0 * spread)  # what would fall inside the margin is folded back out of it
    X += np.outer(signs * away - along, direction)
    aside = X[-2] - (X[-2] @ direction) * direction
    X[-2], X[-1] = aside - margin * direction, aside + margin * direction
    return with_classes(X, y, 2, {"direction": direction, "offset": 0.0, "margin": margin})


def rings(
    *,
    n: N = 200,
    noise: Noise = 0.08,
    inner: Annotated[float, Meta(gt=0, lt=2, description="radius of the inner circle; the outer one's is 2")] = 1.0,
    seed: Seed = 0,
) -> Rows:
    """Make two classes on circles about the origin, of radius 1, or another that is asked for, and 2."""
    rng = np.random.default_rng((seed, 0))
    y = shuffled(np.arange(n) % 2, rng)
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    circle = np.where(y == 1, 2.0, inner)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    X = circle + noise * rng.standard_normal((n, 2))
    return with_classes(X, y, 2, {"radii": (inner, 2.0), "noise": noise, "without_noise": circle}, ("inner", "outer"))


def moons(*, n: N = 200, noise: Noise = 0.1, seed: Seed = 0) -> Rows:
    """Make two half circles of radius 1 that reach into each other."""
    rng = np.random.default_rng((seed, 0))
    y = shuffled(np.arange(n) % 2, rng)
    angle = rng.uniform(0.0, np.pi, n)
    sign = 1.0 - 2.0 * y  # the lower one is the upper one turned about (1/2, 1/4)
    arcs = np.column_stack([0.5 + sign * (np.cos(angle) - 0.5), 0.25 + sign * (np.sin(angle) - 0.25)])
    X = arcs + noise * rng.standard_normal((n, 2))
    return with_classes(X, y, 2, {"noise": noise, "without_noise": arcs}, ("upper", "lower"))


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
    return Rows(X, numbered(d), y, "number", target="y", truth={"w": w, "noise": noise})


def mixture(*, n: N = 300, d: D = 2, k: K = 3, seed: Seed = 0) -> Rows:
    """Draw from k Gaussians with weights, means and covariances of their own; the target is the component."""
    check_enough(n, k)
    rng = np.random.default_rng((seed, 0))
    weights = rng.dirichlet(np.full(k, 10.0))
    means = ring(k, d, 1.0, rng)
    roots = np.stack([frame(d, d, rng) * rng.uniform(0.4, 1.4, d) for _ in range(k)])  # of the covariances
    y = shuffled(np.repeat(np.arange(k), 1 + rng.multinomial(n - k, weights)), rng)
    X = rng.standard_normal((n, d))
    for j in range(k):
        X[y == j] = means[j] + X[y == j] @ roots[j].T
    covariances = roots @ roots.transpose(0, 2, 1)
    truth = {"weights": weights, "means": means, "covariances": covariances}
    return with_classes(X, y, k, truth, target="component")


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
    basis = frame(d, rank, rng).T  # (rank, d)
    deviations = 3.0 * 0.6 ** np.arange(rank)
    mean = rng.uniform(1.0, 4.0, d)
    X = mean + (rng.standard_normal((n, rank)) * deviations) @ basis + noise * rng.standard_normal((n, d))
    truth = {"mean": mean, "basis": basis, "deviations": deviations, "noise": noise}
    return Rows(X, numbered(d), truth=truth)


def coin(
    *,
    n: N = 100,
    p: Annotated[float, Meta(ge=0, le=1, description="chance of heads")] = 0.6,
    faces: Annotated[
        str,
        Meta(max_length=10_000, pattern="^[01]*$", description="tosses of your own in place of n drawn ones, as 1011"),
    ] = "",
    seed: Seed = 0,
) -> Rows:
    """Toss a coin, tails or heads; the one feature is the number of the toss, from 0."""
    drawn = (np.random.default_rng((seed, 0)).random(n) < p).astype(np.int64)
    y = np.array([int(face) for face in faces]) if faces else drawn
    truth = {"faces": faces} if faces else {"p": p}
    if y.min() == y.max():
        toss = "give both faces" if faces else "toss more often, or take another seed"
        raise Refused(f"all {len(y)} tosses are {_FACES[y[0]]}; {toss}.")
    return Rows(np.arange(float(len(y)))[:, None], ("toss",), y, "class", _FACES, "face", truth)


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
    y = shuffled((np.arange(n) >= min(round(inside * n), n - 1)).astype(np.int64), rng)
    angle, depth = rng.uniform(0.0, 2.0 * np.pi, n), 0.7 * np.sqrt(rng.random(n))
    away = radius * np.where(y == 1, 1.0, depth)
    X = np.array([a, b]) + away[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    X += noise * rng.standard_normal((n, 2))
    truth = {"centre": (a, b), "radius": radius, "noise": noise}
    if y.all():
        return Rows(X, numbered(2), truth=truth)
    return with_classes(X, y, 2, truth, ("inside", "circle"))


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
    return Rows(X, numbered(d), y, "number", target="y", truth=truth)


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
    check_enough(n, k)
    rng = np.random.default_rng((seed, 0))
    y = shuffled(np.arange(n) % k, rng)
    means = apart * (np.arange(k) - (k - 1) / 2)[:, None] * np.sqrt([0.5, 0.5])
    noise = spread * rng.standard_normal((n, 2))
    for j in range(k):
        noise[y == j] -= (1 - off) * noise[y == j].mean(axis=0)
    return with_classes(means[y] + noise, y, k, {"means": means, "spread": spread})
