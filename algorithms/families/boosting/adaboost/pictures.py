"""What there is to see of AdaBoost: the rows by weight in the vote, and how a stump's weight in it comes about."""

from math import log

import numpy as np

from algorithms.core import Array, Cursor, Panel, Path, Points, Region
from algorithms.core.scene import Mark, Tone
from algorithms.families.boosting.adaboost.rounds import Rounds
from algorithms.families.boosting.shared.stumps_pictures import line, stump_table
from algorithms.toolbox.panels.margins import margin_bars
from algorithms.toolbox.panels.row_words import says_margin

_PLACES = 161  # of a curve
_STEEPEST = 2.5  # α that is drawn, of z = .987
_TOP = 2.0  # of Z
_RINGED = {"find": "the stump is wrong", "weigh": "the vote turned", "reweight": "the heaviest"}  # by phase


def panels(now: Rounds, phase: str, ringed: Array, features: tuple[int, int] | None) -> tuple[Panel, ...]:
    """Show the rows and the vote, the margins, how α comes about in the phases that are about it, and the stumps.

    Args:
        ringed: (n,) bool, what this step is about.
        features: the two on which the vote is seen best.
    """
    shown = [stage(now, phase, ringed, features), margin_bars(now.margins, "y f / Σ|α|")]
    if phase == "find":
        shown.append(alpha_over_z(now))
    if phase == "weigh":
        shown.append(z_over_alpha(now))
    return (*shown, stump_table(now.data, now.votes, now.errors, phase in ("find", "weigh")))


def stage(now: Rounds, phase: str, ringed: Array, features: tuple[int, int] | None) -> Panel:
    """Draw the rows by weight, the last stump's threshold, and the sides of the vote."""
    data, votes, total = now.data, now.votes, now.total or 1.0
    # At the start a row has a quarter of the full size, so that it can grow; later the heaviest has all of it.
    size = now.weights / max(float(now.weights.max()), 4.0 / data.n)
    crossed = now.wrong & (len(now.alphas) > 0)  # no vote has not said anything yet
    said = says_margin(now.margins, "y f / Σ|α|")
    rows = Points(at=data.X, classes=data.y, weights=size, ringed=ringed, crossed=crossed, says=said)
    alone = len(votes.features) == len(votes.alphas) == 1  # the vote changes where its stump does: one line, the true
    border = () if alone else (0.0,)
    tint = (
        (Region(score=lambda places: votes(places) / total, check=data.X, name="the vote", lines=border),)
        if len(votes.alphas)
        else ()
    )
    newest = "the vote, one stump" if alone else "the newest stump"
    threshold = (line(data, votes.stump(-1), newest),) if len(votes.features) else ()
    return Panel(
        title="rows by weight, and the vote",
        space="data",
        marks=(*tint, *threshold, rows),
        features=features,
        note=_signs(crossed, ringed, phase) if data.d == 2 else "",  # a slice says how true it is
    )


def _signs(crossed: Array, ringed: Array, phase: str) -> str:
    """Say what the signs of rows mean, "yellow: the stump is wrong, hollow: the vote is wrong": the legend has a word
    for hollow ones, so that yellow comes first, which stays where there is room for one."""
    hollow = "hollow: the vote is wrong" if crossed.any() else ""
    yellow = f"yellow: {_RINGED[phase]}" if ringed.any() else ""
    return ", ".join(filter(None, (yellow, hollow)))


def alpha_over_z(now: Rounds) -> Panel:
    """Draw α = ½ ln((1 + z)/(1 - z)) with the stump that was found: 0 for a coin toss, odd in z."""
    end = float(np.tanh(_STEEPEST))
    z = np.linspace(-end, end, _PLACES)
    here = min(max(now.z, -end), end)
    place = np.array([[here, np.arctanh(here)]])
    shown = f"{np.arctanh(now.z):.3g}" if abs(now.z) < 1 else "infinite"
    marks = (
        Path(at=np.array([[-1.0, 0.0], [1.0, 0.0]]), tone="muted", name="a coin toss"),
        Path(at=np.column_stack([z, np.arctanh(z)]), tone="ink", name="½ ln((1 + z)/(1 - z))"),
        Points(at=place, tone="accent", rows=False, names=("the stump",)),
    )
    return Panel(
        title="α over z",
        marks=marks,
        axes=("z", "α"),
        limits=((-1.0, 1.0), (-_STEEPEST, _STEEPEST)),
        note=f"z = {now.z:.3g}: α = {shown}",
    )


def z_over_alpha(now: Rounds) -> Panel:
    """Draw Z(α) = Σ D e^(-α y h), in its two parts, of right and of wrong rows, with its least at the stump's α."""
    alpha, right = float(now.alphas[-1]), now.right > 0
    reach = 2.0 if abs(alpha) < 1.8 else 1.2 * abs(alpha)
    along = np.linspace(-reach / 2, reach, _PLACES) * (1 if alpha >= 0 else -1)
    parts = [float(now.weights[side].sum()) * np.exp(sign * along) for side, sign in ((right, -1), (~right, 1))]
    drawn = [np.where(height > 1.05 * _TOP, np.nan, height) for height in (*parts, sum(parts))]
    lines: tuple[tuple[Tone, str], ...] = (("muted", "right rows"), ("wrong", "wrong rows"), ("ink", "Z(α), both"))
    marks: list[Mark] = [
        Path(at=np.column_stack([along, height]), tone=tone, name=name)
        for height, (tone, name) in zip(drawn, lines, strict=True)
    ]
    marks.append(Cursor(x=alpha, tone="accent", name="α"))
    least = float(now.normaliser(alpha))
    return Panel(
        title="Z over α",
        marks=tuple(marks),
        axes=("α", "Z"),
        limits=((float(along.min()), float(along.max())), (0.0, _TOP)),
        note=f"least at {alpha:.3g}: {least:.3g}" if 0 < now.error < 1 else "falls for ever",
    )


def half_log(error: float, alpha: float) -> str:
    """ "½ ln(1.415 / 0.585) = 0.442": with as many digits as it takes for what is printed to be true."""
    for digits in range(3, 18):
        right, wrong = f"{2 - 2 * error:.{digits}g}", f"{2 * error:.{digits}g}"
        if not float(right):
            return f"{alpha:.3g}"
        if f"{log(float(right) / float(wrong)) / 2:.3g}" == f"{alpha:.3g}":
            break
    return f"½ ln({right} / {wrong}) = {alpha:.3g}"
