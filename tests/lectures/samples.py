"""A few statements for tests: of two lectures, with every kind of place, one by a demo alone and one not to be seen."""

import pytest

from algorithms.lectures import Statement, sections

SAMPLES = (
    Statement(
        id="M35",
        lecture="ml-techniques",
        section="Clustering: Lloyd, convergence",
        says="Reassigning lowers F strictly while a row moves; new means never raise it.",
        run="lloyd --data faithful --scale --at 6",
        theorem=("the objective J never rises", "it falls strictly while a row moves"),
        curve=("objective",),
        tests=("tests/families/clustering/test_lloyd.py::test_a",),
    ),
    Statement(
        id="M139",
        lecture="ml-techniques",
        section="Soft margin, outlier",
        says="One row far out moves the hard margin.",
        demo=("rows_that_may_go.py", "dragged_mean.json"),
    ),
    Statement(
        id="A20",
        lecture="cs446",
        section="Lecture 6: slack, Rem 1.15",
        says="Only rows with α > 0 carry w: " + "so it is, " * 30 + "as the end says.",
        errs="The multipliers need not be the same; only w is. " * 4,
        run="smo --data blobs:n=20,margin=0.3 --at 4 --against dual_coordinate_descent:C=4",
        phase=("prune",),
        panel=("multipliers",),
        table=("margin 1/‖w‖",),
        words=("2 rows",),
        expectation=("the mean",),
        option=("C",),
    ),
    Statement(
        id="A21",
        lecture="cs446",
        section="Lecture 6: slack, Rem 1.16",
        says="The mistakes of a perceptron are bounded.",
        run="perceptron --at 9",
        theorem=("m <= ",),
    ),
    Statement(
        id="A28",
        lecture="cs446",
        section="Lecture 7: many classes, Rem 2.1",
        says="A remark on the course.",
        dropped="it is about the exam.",
    ),
)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Have the lectures state these alone."""
    patch.setattr(sections, "statements", lambda: SAMPLES)
