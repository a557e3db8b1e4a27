"""Runs that end as few do: each reason that no usual run returns, or late, with rows and parameters that bring it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from algorithms import Dataset, find
from algorithms.data import iris, moons
from tests.numbers.cases import CASES, dataset

Case = tuple[Dataset | None, Mapping[str, Any]]


def rows(X: list[float], y: list[float], kind: str = "class") -> Dataset:
    """Rows of one feature."""
    targets = np.array(y, int if kind == "class" else float)
    return Dataset(np.array(X)[:, None], targets, name="rows", classes=("a", "b") if kind == "class" else ())


def hard(name: str, case: str, **given: Any) -> Case:
    """One of the data sets that are hard on numbers."""
    return dataset(CASES[case](), find(name).needs), given


def without_rows(**given: Any) -> Case:
    return None, given


ALIKE = rows([1.8e-6, -5e-6, -6e-7, -4e-7], [0, 0, 0, 1])  # to a kernel with a large constant
APART = rows([0.0, 1.0, 2.0, 3.0], [0, 0, 1, 1])
OPPOSED = rows([0.0, 0.0, 1.0, 1.0], [0, 1, 0, 1])
PAIRS = rows([0.0, 0.0, 1.0, 1.0], [0, 0, 1, 1])
ON_A_LINE = Dataset(np.outer(np.arange(9.0), [1.0, 2.0]), name="rows on a line")
MOONS = moons.with_(n=40).load()

RARE: Mapping[str, tuple[Case, ...]] = {
    "adaboost": ((APART, {}), (OPPOSED, {})),
    "bagging": ((MOONS, {"base": "stump"}), (MOONS, {"base": "least squares"})),
    "dual_ascent": (without_rows(problem="slack"), without_rows(problem="half-planes", eta=100.0)),
    "gradient_boosting": (
        (APART, {"loss": "exponential"}),
        (rows([0.0, 0.0, 1.0, 1.0], [1.0, -1.0, 1.0, -1.0], "number"), {}),
    ),
    "k_means_plus_plus": ((PAIRS, {"k": 3}),),
    "kernel_logistic": ((MOONS, {"eta_L": 100.0}),),
    "kernel_regression": (hard("kernel_regression", "of_size_1e+20", kernel="linear"),),
    "logistic_newton": (hard("logistic_newton", "of_size_1e+08", start="wrong way"),),
    "logistic_regression": ((MOONS, {"eta_L": 100.0, "penalty": 1e6}),),
    "softmax_regression": (
        (iris.with_(sample=30).load(), {"eta_L": 100.0, "penalty": 1e6}),
        (iris.with_(sample=30).load(), {"steps": 1}),
        hard("softmax_regression", "columns_of_sizes_that_multiply", method="newton", penalty=0.0, start="drawn"),
    ),
    "spectral_clustering": ((MOONS, {"sweeps": 1}),),
    "surrogate_losses": ((MOONS, {"loss": "squared", "eta": 100.0}),),
    "newton": (without_rows(function="huber", damped=False),),
    "pegasos": ((MOONS, {"loss": "squared hinge", "project": False, "lam": 1e-5}),),
    "smo": (
        (MOONS, {"kernel": "linear", "margin": "hard"}),
        *(
            (ALIKE, {"kernel": "polynomial", "margin": "hard", "gamma": 1.0, "constant": 1e4, "degree": d})
            for d in (3, 6)
        ),
    ),
    "choose_k": (hard("choose_k", "one_feature_all_equal"),),
    "multilayer_perceptron": ((iris.with_(sample=30).load(), {"loss": "squared", "eta": 100.0}),),
    "gram_pca": ((ON_A_LINE, {}),),
}

# Guards that no run of many thousands drawn came to: what is left to gain has always been told from nothing before.
UNMET: Mapping[str, tuple[str, ...]] = {
    "linear_feasibility": ("what is left is lost in rounding: …",),
    "nearest_hulls": ("what is left is lost in rounding: …",),
    "smo": ("m - M = …, and what is left to gain is lost in rounding",),
    "lbfgs": ("no step meets both conditions: what tells them apart is lost in rounding",),
    "newton": ("x goes away without end", "no step lowers f by what g·d promises: it is lost in rounding"),
}
