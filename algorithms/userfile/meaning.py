"""What the name of a field says of it: a counter, a loss, a coefficient, a place, a tour; and with which it is held."""

import re
from functools import lru_cache

ROUNDS = (
    "iteration",
    "epoch",
    "round",
    "sweep",
    "generation",
    "gen",
    "episode",
    "n_iter",
)  # count what is gone through again
_COUNTERS = {
    *ROUNDS, "i", "j", "t", "it", "iter", "iters", "nit", "nfev", "njev", "step", "steps", "batch", "idx", "index",
    "count", "counter",
}  # fmt: skip
_ASIDE = {  # what tells apart the same thing on other rows
    "train", "training", "tr", "val", "valid", "validation", "test", "testing", "dev", "held", "holdout", "out", "oob",
    "eval",
}  # fmt: skip
_COEFFICIENTS = {
    "coef", "coefs", "coefficient", "coefficients", "w", "weight", "weights", "beta", "betas", "theta", "grad", "grads",
    "gradient", "gradients", "momentum", "velocity", "m", "v", "cov", "covariance", "precision", "kernel", "components",
}  # fmt: skip
_PLACES = {
    "coords", "coordinates", "walkers", "walker", "positions", "position", "pos", "particles", "points", "samples",
    "chain", "swarm", "ensemble", "cities", "places", "centres", "centers", "centroids", "means", "mu", "prototypes",
    "nodes", "simplex", "embedding",
}  # fmt: skip
_TOURS = {"tour", "tours", "cycle", "circuit", "route", "trip", "path"}
LOSSES = {
    "loss", "cost", "objective", "error", "energy", "nll", "inertia", "deviance", "risk", "rss", "sse", "mse", "rmse",
    "perplexity", "distortion",
}  # fmt: skip
GAINS = {"likelihood", "loglikelihood", "loglik", "elbo", "evidence"}  # they are to rise
_QUANTITIES = LOSSES | GAINS | _COUNTERS - {"i", "j", "t"} | {
    "acc", "accuracy", "score", "lr", "rate", "eta", "norm", "f1", "auc", "time", "temperature", "best", "mean", "min",
    "max", "total", "delta", "err", "residual", "seed", "step",
}  # fmt: skip


@lru_cache(1024)
def words_of(name: str) -> tuple[str, ...]:
    """Part a name in its words: valLoss, val_loss and val.loss are two."""
    return tuple(re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()))


def is_counter(name: str, value: object) -> bool:
    """Tell whether it counts steps or what is gone through, and says nothing of how the run goes."""
    return type(value) is int and _last(name) in _COUNTERS


def is_round(name: str) -> bool:
    """Tell from its name whether a whole number says what is gone through again."""
    return _last(name) in ROUNDS


def _last(name: str) -> str:
    return name.rpartition(".")[2].strip("_").lower()


def stem_of(name: str) -> str | None:
    """Give what a number is, on whichever rows: "loss" of val_loss; None where it does not say of which rows it is."""
    words = words_of(name)
    rest = tuple(word for word in words if word not in _ASIDE)
    return " ".join(rest) if len(rest) < len(words) else None


def plain_stem(name: str) -> str:
    """Give the words of a name as a stem has them."""
    return " ".join(words_of(name))


def is_quantity(name: str) -> bool:
    """Tell whether a name says what is measured, and is none of many entries of one kind."""
    return bool(set(words_of(name)) & _QUANTITIES)


def is_coefficient(name: str) -> bool:
    return bool(set(words_of(name)) & _COEFFICIENTS)


def is_place(name: str) -> bool:
    return bool(set(words_of(name)) & _PLACES)


def is_tour(name: str) -> bool:
    return bool(set(words_of(name)) & _TOURS)


def to_fall(name: str) -> int:
    """Tell from its name whether it is to fall, 1, or to rise, -1; 0 where the name does not say."""
    words = set(words_of(name))
    if words & GAINS:
        return 1 if words & {"neg", "negative", "minus"} else -1
    return 1 if words & LOSSES else 0
