"""Functions of the plane: their gradients and Hessians by differences, and all that is claimed of each."""

from typing import get_args

import numpy as np
import pytest
from scipy.optimize import rosen, rosen_der, rosen_hess

from algorithms.toolbox.functions import FUNCTIONS, FunctionName

EVERY = pytest.mark.parametrize("name", FUNCTIONS)
PLACES = np.random.default_rng(0).uniform(-3, 3, (200, 2))


def test_every_name_has_a_function():
    assert get_args(FunctionName) == tuple(FUNCTIONS)


@EVERY
def test_many_places_at_once_are_as_one_by_one(name):
    f, grid = FUNCTIONS[name], PLACES.reshape(10, 20, 2)
    assert f.value(grid).shape == (10, 20)
    assert f.gradient(grid).shape == (10, 20, 2)
    assert f.value(PLACES) == pytest.approx(np.array([f.value(at) for at in PLACES]))
    assert f.gradient(PLACES) == pytest.approx(np.array([f.gradient(at) for at in PLACES]))


@EVERY
def test_gradient_and_hessian_are_those_of_differences(name):
    f, h = FUNCTIONS[name], 1e-5
    for at in PLACES:
        if name == "huber" and abs(np.linalg.norm(at) - 1) < 1e-3:  # where it bends
            continue
        steps = h * np.eye(2)
        slopes = [(f.value(at + step) - f.value(at - step)) / (2 * h) for step in steps]
        bends = [(f.gradient(at + step) - f.gradient(at - step)) / (2 * h) for step in steps]
        assert f.gradient(at) == pytest.approx(np.array(slopes), rel=1e-5, abs=1e-6)
        assert f.hessian(at) == pytest.approx(np.array(bends), rel=1e-5, abs=1e-5)


@EVERY
def test_minima_saddles_and_maxima_are_what_they_are_called(name):
    f = FUNCTIONS[name]
    for place in f.minima:
        assert f.gradient(np.array(place)) == pytest.approx(np.zeros(2), abs=1e-12)
        assert f.curvatures(np.array(place))[0].min() > 0
        assert f.value(np.array(place)) >= f.lowest
    for place in f.saddles:
        assert f.gradient(np.array(place)) == pytest.approx(np.zeros(2), abs=1e-12)
        assert np.prod(f.curvatures(np.array(place))[0]) < 0
    for place in f.maxima:
        assert f.gradient(np.array(place)) == pytest.approx(np.zeros(2), abs=1e-12)
        assert f.curvatures(np.array(place))[0].max() < 0
    assert f.minima or f.lowest is None
    assert f.lowest is None or f.value(PLACES).min() >= f.lowest


@EVERY
def test_no_curvature_exceeds_L_and_convex_ones_never_curve_down(name):
    f = FUNCTIONS[name]
    curvatures = np.array([f.curvatures(at)[0] for at in (*PLACES, *(0.01 * PLACES), *(1e3 * PLACES))])
    largest = np.abs(curvatures).max()
    if f.L is None:
        assert largest > 1e5
    else:
        assert largest == pytest.approx(f.L)
    assert f.convex == (curvatures.min() > -1e-9)
    assert f.quadratic == bool(np.ptp(curvatures, axis=0).max() == 0)


@EVERY
def test_the_directions_are_the_hessians_and_the_steepest_comes_first(name):
    f = FUNCTIONS[name]
    for at in PLACES[:20]:
        curvatures, directions = f.curvatures(at)
        assert abs(curvatures[0]) >= abs(curvatures[1])
        assert f.hessian(at) @ directions.T == pytest.approx(directions.T * curvatures, abs=1e-9)


@EVERY
def test_the_window_shows_the_minima_and_saddles(name):
    f = FUNCTIONS[name]
    (left, right), (bottom, top) = f.window
    for x, y in (*f.minima, *f.saddles):
        assert left < x < right
        assert bottom < y < top


def test_the_nearest_minimum():
    wells = FUNCTIONS["two wells"]
    assert wells.nearest_minimum(np.array([-3.0, 1.0])).tolist() == [-1, 0]
    assert wells.nearest_minimum(np.array([2.0, 1.0])).tolist() == [1.5, 0]
    assert FUNCTIONS["saddle"].nearest_minimum(np.zeros(2)) is None


def test_rosenbrock_is_scipys():
    f = FUNCTIONS["rosenbrock"]
    for at in PLACES:
        assert f.value(at) == pytest.approx(rosen(at))
        assert f.gradient(at) == pytest.approx(rosen_der(at))
        assert f.hessian(at) == pytest.approx(rosen_hess(at))
