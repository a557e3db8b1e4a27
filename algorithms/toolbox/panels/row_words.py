"""What is said of a row that is looked at: its margin, its scores, its shares, its mean, those who vote on it.

Each gives back what `Points.says` asks: a row's number -> a clause or two. Nothing is worked out before it is asked.
"""

from collections.abc import Callable

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.toolbox.activations import sigmoid
from algorithms.toolbox.distances import squared_distances
from algorithms.toolbox.neighbours import Rows
from algorithms.toolbox.subscripts import subscript
from algorithms.toolbox.trees import Nodes, leaf_of

_MOST = 3  # classes, components or neighbours that are named

Says = Callable[[int], str]


def _side(z: float) -> str:
    """Name the side that a y f is on; what is not a number is on none."""
    return "right" if z > 0 else "wrong" if z < 0 else "on the boundary" if z == 0 else "undecided"


def says_margin(z: Array, name: str = "y f") -> Says:
    """Say the margin of a row and whether it is right; `z` is (n,)."""

    def says(row: int) -> str:
        return f"{name} {z[row]:.4g}: {_side(z[row])}"

    return says


def says_chance(data: Dataset, z: Array) -> Says:
    """Say the chance 1/(1 + e^(-f)) of class 1 by its name, and whether that is right; `z` is (n,) y f."""

    def says(row: int) -> str:
        p = float(sigmoid(data.signs[[row]] * z[[row]])[0])
        return f"P({data.classes[1]}) {p:.4g}: {_side(z[row])}"

    return says


def says_cost(z: Array, cost: Array) -> Says:
    """Say the margin of a row, what that costs, and whether it is right; both are (n,)."""

    def says(row: int) -> str:
        return f"z {z[row]:.4g} costs {cost[row]:.4g}: {_side(z[row])}"

    return says


def says_fit(y: Array, f: Array | Callable[[int], float]) -> Says:
    """Say what is predicted for a row, and how far its target is from that; (n,) both, or a row's number -> f."""

    def says(row: int) -> str:
        fit = float(f(row) if callable(f) else f[row])
        return f"f {fit:.4g}, y - f {float(y[row]) - fit:.4g}"

    return says


def says_scores(data: Dataset, scores: Callable[[Array], Array], name: str) -> Says:
    """Say the greatest scores of a row, and whether its own class has the greatest: (1, d) -> (1, K)."""

    def says(row: int) -> str:
        of, own = scores(data.X[[row]])[0], int(np.asarray(data.y)[row])
        order = np.argsort(-of, kind="stable")[:_MOST].tolist()
        best = np.flatnonzero(of == of.max()).tolist()
        side = "wrong" if own not in best else "right" if len(best) == 1 else "tied"
        side = "undecided" if np.isnan(of).any() else side
        return f"{name} " + ", ".join(f"{data.classes[k]} {of[k]:.4g}" for k in order) + f": {side}"

    return says


def says_function(data: Dataset, f: Callable[[Array], Array]) -> Says:
    """Say y f of a row, of a function of places: (1, d) -> (1,)."""

    def says(row: int) -> str:
        z = float(data.signs[row] * f(data.X[[row]])[0])
        return f"y f {z:.4g}: {_side(z)}"

    return says


def says_claims(data: Dataset, claims: Callable[[Array], Array]) -> Says:
    """Say which classes claim a row: (1, d) -> (1, K) bool."""

    def says(row: int) -> str:
        names = [data.classes[k] for k in np.flatnonzero(claims(data.X[[row]])[0]).tolist()]
        return f"claimed by {' and '.join(names[:_MOST])}" if names else "claimed by no class"

    return says


def says_shares(shares: Array, name: str) -> Says:
    """Say how much of a row each component has, of (n, k); the greatest first."""

    def says(row: int) -> str:
        order = np.argsort(-shares[row], kind="stable")[:_MOST].tolist()
        return ", ".join(f"{shares[row, j]:.4g} of {name} {j}" for j in order)

    return says


def says_mean(X: Array, means: Array, labels: Array) -> Says:
    """Say the cluster of a row, how far its mean is, and how far the next one."""
    return says_distances(lambda row: squared_distances(X[[row]], means)[0], labels)


def says_distances(squared: Callable[[int], Array], labels: Array) -> Says:
    """Say the cluster of a row and the distances of two means: row -> (k,) squared distances."""

    def says(row: int) -> str:
        of = squared(row)
        return said_of_cluster(np.arange(len(of)), of, int(labels[row]))

    return says


def said_of_cluster(clusters: Array, squared: Array, own: int) -> str:
    """Say how far the mean of a row's own cluster is, and the next one.

    Args:
        clusters: (k,) those that have a mean.
        squared: (k,) distances to these.
    """
    apart = np.sqrt(np.maximum(squared, 0.0)).tolist()
    away = dict(zip(clusters.tolist(), apart))
    others = [j for j in sorted(away, key=away.__getitem__) if j != own][:1]
    next_mean = "".join(f", {away[j]:.4g} from that of {j}" for j in others)
    return f"cluster {own}: {away[own]:.4g} from its mean{next_mean}"


def says_neighbours(data: Dataset, among: Rows, units: Array, k: int) -> Says:
    """Say which k other rows are nearest to a row, with class and distance, and whether their vote is right.

    Args:
        among: the rows in the units that distances are measured in.
        units: (d,) what features are divided by for that.
    """

    def says(row: int) -> str:
        place, y = data.X[[row]] / units, np.asarray(data.y)
        others = [i for i in among.nearest(place, min(k + 1, data.n))[0].tolist() if i != row][:k]
        apart = np.sqrt(squared_distances(among.X[others], place)[:, 0])
        named = [f"row {i} ({data.classes[int(y[i])]}) at {d:.4g}" for i, d in zip(others, apart)]
        winner = int(np.bincount(y[others].astype(int), minlength=len(data.classes)).argmax())
        side = "right" if winner == int(y[row]) else "wrong"
        return f"nearest: {', '.join(named[:_MOST])}{' ...' if k > _MOST else ''}: {side}"

    return says


def says_leaf(data: Dataset, tree: Nodes) -> Says:
    """Say the leaf of a row, what it votes for, and with how many of its rows."""

    def says(row: int) -> str:
        node = int(leaf_of(tree, data.X[[row]])[0])
        of = tree.counts[node]
        vote = int(of.argmax())
        side = "right" if vote == int(np.asarray(data.y)[row]) else "wrong"
        return f"leaf {node}, {data.classes[vote]} by {of[vote]:,.0f} of {of.sum():,.0f} rows: {side}"

    return says


def said_of_coordinates(z: Array, lengths: tuple[float, float] | None = None) -> str:
    """Say the last of a row's (c,) coordinates along components.

    Args:
        lengths: of what these leave of the row, and of the row.
    """
    first = max(len(z) - _MOST, 0)
    named = ", ".join(f"z{subscript(first + j + 1)} {value:.4g}" for j, value in enumerate(z[first:].tolist()))
    return named if lengths is None else f"{named}; of its length {lengths[1]:.4g} is left {lengths[0]:.4g}"


def says_residual(residual: Array, fitted: Callable[[int], float] | None) -> Says:
    """Say what of (n,) is left of a row to be fitted, and what the newest tree says to it, once there is one."""

    def says(row: int) -> str:
        tree = "" if fitted is None else f", h {fitted(row):.4g}"
        return f"r {residual[row]:.4g}{tree}"

    return says
