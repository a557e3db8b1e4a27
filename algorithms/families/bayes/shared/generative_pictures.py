"""Panels of generative classifiers: what is likely where, features by class, and what each says of a row."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import Array, Bars, Dataset, DragHandles, Ellipse, Labels, Matrix, Panel, Points, Region, columns
from algorithms.core.scene import Mark
from algorithms.families.bayes.shared.binary import are_binary
from algorithms.families.bayes.shared.generative import Bernoulli, Gaussians, Linear, posterior
from algorithms.toolbox.gaussian import as_matrices
from algorithms.toolbox.panels.clusters import OUTLINES, who
from algorithms.toolbox.panels.row_words import says_scores

_BARS = 12  # features that have bars at most
_CLASSES = 5  # with a column of their own
_TOLD = 4  # features that a row has, in a sentence
_SEEN = 0.01  # of the rows' spread: an outline less wide is a dot
_SAYING = 8  # features that say most of a row


def posterior_stage(
    data: Dataset,
    rows: Points,
    of: Bernoulli | Gaussians,
    features_at: Callable[[Array], Array],
    begun: bool,
    moved: Callable[[Any, int, Array], Any] | None = None,
) -> Panel:
    """Tint the plane by P(c | x), colours mixed; with densities, the Gaussian of each class met.

    Args:
        rows: the rows as they are to be marked.
        features_at: (m, d) places -> what the model sees of them.
        begun: whether any row is counted.
        moved: (state, c, to) -> the state with the mean of a class at `to`, where it can be dragged.
    """

    def shares(at: Array) -> Array:
        return np.asarray(posterior(of.scores(features_at(at))).T)

    tint = Region(score=shares, mixed=True, check=data.X)
    rows = replace(rows, says=says_scores(data, shares, "P")) if begun else rows
    outlines: tuple[Mark, ...] = ()
    if isinstance(of, Gaussians):
        met, shift = np.flatnonzero(of.share > 0).tolist(), features_at(np.zeros((1, data.d)))[0]
        matrices = as_matrices(of.covariances, data.d)
        wide = [c for c in met if matrices[c].diagonal().max() > (_SEEN * data.X.std(axis=0).max()) ** 2]
        outlines = tuple(
            Ellipse(mean=of.means[c] - shift, covariance=matrices[c], tone=c, name=OUTLINES if c == wide[0] else "")
            for c in wide
        )
        if moved is not None and met:
            names, at = tuple(data.classes[c] for c in met), of.means[met] - shift
            grips = DragHandles(
                at=at,
                moved=lambda state, i, to: moved(state, met[i], to),
                names=tuple(f"the mean of {n}" for n in names),
            )
            outlines = (*outlines, Labels(at=at, texts=names, tones=tuple(met)), grips)
    marks = (*((tint,) if begun else ()), rows, *outlines)
    return Panel(title="P(class | x), colours mixed", space="data", marks=marks, note="large: counted")


def shares_of_features(data: Dataset, of: Bernoulli | Gaussians, added: float) -> tuple[Panel, ...]:
    """Draw how often each feature is 1 in each class, a bar each; where they are few and there are two classes.

    Args:
        added: what was added to the ones and to the zeros, which the bars say of themselves.
    """
    if not isinstance(of, Bernoulli) or len(data.classes) != 2 or data.d > _BARS:
        return ()
    p = np.where(of.share[:, None] > 0, of.p, 0.0)
    bars = Bars(
        heights=np.column_stack([p.T, np.zeros(data.d)]).ravel()[:-1],  # one of no height between two features
        names=tuple(name for feature in data.features for name in (feature, "", ""))[:-1],
        tones=tuple(tone for _ in range(data.d) for tone in (0, 1, 0))[:-1],
        meanings=tuple((c, f"P(1 | {name})") for c, name in enumerate(data.classes)),
    )
    return (
        Panel(
            title="how often each is 1, by class",
            marks=(bars,),
            axes=("feature", f"(ones + {added:g})/(rows + {2 * added:g})" if added else "of the rows counted"),
            limits=((-0.5, 3 * data.d - 1.5), (0.0, 1.0)),
        ),
    )


def chances(
    data: Dataset, of: Bernoulli | Gaussians, linear: Linear | None, centre: Array, own: int
) -> tuple[Panel, ...]:
    """List by feature the chance of a 1, or mean and deviation, in each class, and w of two; one class as an image.

    Args:
        own: the class that is shown where rows are images.
        linear: W, b of the log probabilities, None where they are not linear.
        centre: (d,) what numbers were counted about.
    """
    heads: dict[str, object] = {"feature": data.features}
    for c, name in enumerate(data.classes[:_CLASSES]):
        if isinstance(of, Bernoulli):
            heads[f"P(1|{name})"] = of.p[c]
        else:
            means, deviations = data.original(of.means[c] + centre), _deviations(of, c) * data.spread
            heads[name] = [f"{m:.4g} ± {s:.2g}" for m, s in zip(means, deviations)] if of.share[c] else [None] * data.d
    if linear is not None and len(data.classes) == 2:
        heads[f"w for {data.classes[1]}"] = linear[0][1] - linear[0][0]
    title = "chances" if isinstance(of, Bernoulli) else "mean ± deviation"
    table = columns(title, heads)
    if data.image is None:
        return (table,)
    binary = isinstance(of, Bernoulli)
    values = (of.p if isinstance(of, Bernoulli) else of.means + centre)[own].reshape(data.image)
    image = Matrix(values=values, scale=(0.0, 1.0) if binary else None)
    title = f"{'P(1 | ' if binary else 'mean of '}{data.classes[own]}{')' if binary else ''} as an image"
    return (Panel(title=title[:40], marks=(image,)), table)


def _deviations(of: Gaussians, c: int) -> Array:
    variances = of.covariances[c]
    return np.asarray(np.sqrt(variances if variances.ndim == 1 else variances.diagonal()))


def evidence(data: Dataset, x: Array, own: int, of: Bernoulli | Gaussians) -> tuple[Panel, ...]:
    """List what the features say for a row's own class against the likeliest other, those that say most first.

    Of two classes it is what they say for the second one, as its w does.

    Args:
        x: (d,) the row as it is counted.
        own: its class.
    """
    score = of.scores(x[None])[:, 0]
    score[own] = -np.inf
    if np.isneginf(score).all():
        return ()
    other = int(score.argmax())
    one, against = (1, 0) if len(data.classes) == 2 else (own, other)
    with np.errstate(invalid="ignore"):
        parts = of.parts(x)
        said = parts[one] - parts[against]
    order = np.argsort(-np.abs(np.nan_to_num(said)), kind="stable")[:_SAYING]
    heads = {
        "feature": [data.features[j] for j in order],
        "is": (x if isinstance(of, Bernoulli) else data.original(x + data.X.mean(axis=0)))[order],
        f"for {data.classes[one]}": said[order],
    }
    note = f"ln P(x|{data.classes[one]})/P(x|{data.classes[against]})"
    return (columns("evidence of the row", heads, note=note),)


def in_words(data: Dataset, row: int) -> str:
    """Describe a row; one of 0 and 1 without a name by what it has: "free, money"."""
    if data.names or data.map is not None or data.scaled or not data.once(are_binary):
        return who(data, row)
    there = [name for name, has in zip(data.features, data.X[row]) if has]
    return (", ".join(there[:_TOLD]) + (", ..." if len(there) > _TOLD else "")) or "none of the features"
