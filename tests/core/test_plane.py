"""A plane shows data of any size, and of what a feature map made of it, the features that it was made of."""

import numpy as np

from algorithms import Dataset
from algorithms.core.plane import planes
from algorithms.core.resolve import View, resolve
from algorithms.core.scene import Contours, Panel, Path


def test_without_rows_there_is_one_empty_plane_on_which_nothing_fails():
    (plane,) = planes(Dataset.none)
    assert plane.whole
    assert plane.project(Dataset.none.X).shape == (0, 2)
    assert plane.lift(np.zeros((5, 2))).shape == (5, 0)
    own = Panel(
        title="f",
        space="own",
        marks=(Path(at=np.eye(2)), Contours(height=lambda at: at[:, :1] ** 2, levels=(1.0,))),
    )
    path, levels = resolve(own, plane, View(-1, 1, -1, 1, 4, 4)).marks
    assert np.array_equal(path.at, np.eye(2))
    assert levels.height.shape == (4, 4)
