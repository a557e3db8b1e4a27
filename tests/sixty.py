"""A catalogue of sixty algorithms: ours under the names and in the families that a course has."""

import copy
import sys
from types import ModuleType

import pytest

from algorithms.core import catalogue
from algorithms.core.algorithm import Algorithm

COURSE = {
    "linear": ("perceptron", "pocket", "winnow", "logistic_regression", "linear_discriminant", "passive_aggressive"),
    "regression": ("stochastic_gradient", "least_squares", "ridge", "lasso", "huber", "gaussian_process"),
    "selection": ("forward_selection", "matching_pursuit", "least_angle", "cross_validation"),
    "estimation": ("beta_bernoulli", "robust_mean", "kalman_filter", "metropolis"),
    "online": ("weighted_majority", "hedge", "exp3", "ucb"),
    "svm": ("smo", "pegasos", "one_class", "dual_coordinate_descent"),
    "kernels": ("kernel_perceptron", "kernel_pca", "random_features"),
    "duality": ("dual_ascent", "augmented_lagrangian", "admm"),
    "optimisers": ("gradient_descent", "momentum", "nesterov", "adam", "newton", "quasi_newton"),
    "neighbours": ("nearest_neighbours", "condensed_neighbours"),
    "bayes": ("naive_bayes", "gibbs_sampler"),
    "trees": ("decision_tree", "bagging", "random_forest"),
    "ensembles": ("majority_vote",),
    "boosting": ("adaboost", "gradient_boosting", "logit_boost"),
    "neural": ("multilayer_perceptron", "autoencoder", "restricted_boltzmann_machine"),
    "clustering": ("lloyd", "k_medoids", "mean_shift"),
    "mixtures": ("gaussian_mixture", "bernoulli_mixture"),
    "reduction": ("pca",),
}


def plant(patch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Have the catalogue find sixty algorithms; returns their names."""
    ours = [catalogue.find(name) for name in catalogue.names()]
    modules: dict[str, str] = {}
    for family, members in COURSE.items():
        for name in members:
            like = next((one for one in ours if one.name == name), ours[len(modules) % len(ours)])
            module = ModuleType(f"algorithms.families.{family}.{name}")
            module.ALGORITHM = _renamed(like, name, module.__name__)  # type: ignore[attr-defined]
            patch.setitem(sys.modules, module.__name__, module)
            modules[name] = module.__name__
            patch.setattr(like, "after", tuple(other for other in like.after if other in sum(COURSE.values(), ())))
    patch.setattr(catalogue, "modules", lambda: modules)
    assert len(modules) == 60
    return tuple(modules)


def _renamed(like: Algorithm, name: str, module: str) -> Algorithm:
    if like.name == name:
        return like

    class Renamed(Algorithm):
        name = property(lambda self: name)  # type: ignore[assignment]
        family = property(lambda self: module.split(".")[2])  # type: ignore[assignment]

    planted = copy.copy(like)
    planted.__class__ = Renamed
    planted.title = name.replace("_", " ").capitalize()
    planted.also, planted.after = (), ()  # which are the other's
    return planted
