"""What an algorithm file is made of: states, the declaration, theorems, scenes, data."""

from algorithms.core.algorithm import Algorithm, Curve, Event, Needs, Run
from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset, Origin, Source
from algorithms.core.edits import Add, Edit, Label, Move, Remove, edited
from algorithms.core.errors import Refused
from algorithms.core.parameters import Meta, Parameter
from algorithms.core.problem import Problem
from algorithms.core.scene import (
    Arrow,
    Bars,
    Contours,
    DragHandles,
    Ellipse,
    GhostTrail,
    Hyperplane,
    Labels,
    Matrix,
    Panel,
    Path,
    Points,
    Region,
    Scene,
    Segments,
    Table,
    Trail,
    Tree,
    Units,
)
from algorithms.core.state import State
from algorithms.core.theorem import DoesNotApply, Sides, Theorem, Undecided, Verdict

__all__ = [
    "Add",
    "Algorithm",
    "Array",
    "Arrow",
    "Bars",
    "Contours",
    "Curve",
    "Dataset",
    "DoesNotApply",
    "GhostTrail",
    "Edit",
    "Ellipse",
    "Event",
    "DragHandles",
    "Hyperplane",
    "Label",
    "Labels",
    "Matrix",
    "Meta",
    "Move",
    "Needs",
    "Origin",
    "Panel",
    "Parameter",
    "Path",
    "Points",
    "Problem",
    "Refused",
    "Region",
    "Remove",
    "Run",
    "Scene",
    "Segments",
    "Sides",
    "Source",
    "State",
    "Table",
    "Theorem",
    "Trail",
    "Tree",
    "Undecided",
    "Units",
    "Verdict",
    "edited",
]
