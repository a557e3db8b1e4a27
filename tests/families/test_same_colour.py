"""What is on the stage and in a curve under two names has one colour in both."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from algorithms import find, names
from algorithms.conformance.notation import named_in
from algorithms.core import Contours, Ellipse, Hyperplane, Path, Paths, Segments, Trail
from algorithms.playback.runs.loaded_run import LoadedRun

# of an algorithm: its curve, and what the same thing is called in a panel
SAME = {
    "stochastic_gradient": {
        "training loss": "last",
        "loss of the average": "averaged",
        "excess": "last",
        "excess of the average": "averaged",
        "distance": "last",
        "distance of the average": "averaged",
    },
    "ridge": {"bias²": "bias²", "variance": "variance", "MSE": "their sum, MSE"},
    "random_forest": {"correlation": "correlation ρ", "strength": "strength s"},
    "majority_vote": {"a voter": "a voter", "rounds, odd n": "rounds", "chance, odd n": "majority wrong"},
    "decision_tree": {"training error": "training", "held-out error": "held out"},
    "linear_feasibility": {"margin": "lowest level", "‖z‖": "level of z"},
    "nearest_hulls": {"half distance": "p - q"},
    "kernel_matrix": {"λ₁ above 0": "λ > 0", "λ₁ below 0": "λ < 0"},
    "gradient_boosting": {"training loss": "mean loss"},
    "full_joint": {"naive Bayes, training": "naive Bayes expects"},
    "exhaustive_clustering": {"least so far": "least"},
    "cross_validation": {"training error": "training", "fold error": "each fold", "least mean error": "least"},
    "gaussian_mean": {"MLE": "MLE", "posterior mean": "posterior mean"},
    "dual_ascent": {"p*": "p*", "α₁": "α₁", "α₂": "α₂", "α₃": "α₃"},
}
_LINES = (Contours, Ellipse, Hyperplane, Path, Paths, Segments, Trail)
_LOOKED_AT = (0, 1, 2, 3, 20, 60, 119)


def tones_of(name: str) -> Iterator[tuple[str, Any]]:
    """Each name in the panels of the run that opens, with its tone."""
    algorithm = find(name).with_defaults(**find(name).settings[0])
    problem = algorithm.problem(algorithm.datasets[0].load() if algorithm.needs.data else None)
    states = [None, *islice(algorithm.start(problem), max(_LOOKED_AT))]
    for i in sorted({min(i, len(states) - 2) for i in _LOOKED_AT}):
        for panel in algorithm.scene(problem, states[i], states[i + 1]).panels:
            yield from (named for mark in panel.marks for named in named_in(mark))


@pytest.mark.parametrize("name", SAME)
def test_a_curve_has_the_colour_of_the_same_thing_on_the_stage(name: str) -> None:
    tones: dict[str, set[Any]] = {}
    for said, tone in tones_of(name):
        tones.setdefault(said, set()).add(tone)
    curves = {curve.name: curve.tone for curve in find(name).curves}
    assert {curve: {curves[curve]} for curve in SAME[name]} == {c: tones.get(said) for c, said in SAME[name].items()}


@pytest.mark.parametrize("name", ["lasso_coordinate_descent", "lasso_ista", "lasso_irls", "lasso_subgradient"])
def test_a_path_has_the_colour_of_what_went_it(name: str) -> None:
    tones = dict(tones_of(name))
    assert tones["path of w"] == tones["w"]


@pytest.mark.parametrize("name", names())
def test_no_two_lines_of_a_panel_have_one_colour_and_two_names(name: str) -> None:
    run = LoadedRun.usual(find(name)).timeline()
    states = [None, *islice(run.algorithm.start(run.problem), 21)]
    for t in {min(t, len(states) - 2) for t in (1, 2, 3, 20)}:
        for panel in run.algorithm.scene(run.problem, states[t], states[t + 1]).panels:
            of_tone: dict[Any, set[str]] = {}
            for mark in panel.marks:
                for said, tone in named_in(mark) if isinstance(mark, _LINES) else ():
                    of_tone.setdefault(tone, set()).add(said)
            assert all(len(said) == 1 for said in of_tone.values()), (t, panel.title, of_tone)


def test_curves_of_one_chart_have_a_colour_each() -> None:
    for name in ("bagging", "random_forest"):
        own = [curve.tone for curve in find(name).curves if curve.group == "error" and curve.tone is not None]
        assert len(set(own)) == len(own)
