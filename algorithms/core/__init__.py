"""What an algorithm file is made of: states, the declaration, theorems, scenes, data."""

from algorithms.core.algorithm import Algorithm, FromStart, Needs, Run
from algorithms.core.arrays import Array
from algorithms.core.asks import Ask
from algorithms.core.contrast import Contrast
from algorithms.core.curves import Curve, Event, Variable
from algorithms.core.dataset import Dataset, Origin, Source
from algorithms.core.edits import Add, Edit, Label, Move, Remove, edited
from algorithms.core.errors import Refused
from algorithms.core.expectation import Expectation
from algorithms.core.parameters import Meta, Parameter, Seed
from algorithms.core.problem import Problem, kept, once
from algorithms.core.scene import (
    Arrow,
    Band,
    Bars,
    Contours,
    Cursor,
    DragHandles,
    Ellipse,
    ErrorBars,
    GhostTrail,
    Hyperplane,
    Labels,
    Mark,
    Matrix,
    Panel,
    Path,
    Paths,
    Points,
    Region,
    Scene,
    Segments,
    Table,
    Trail,
    Tree,
    Units,
)
from algorithms.core.state import Along, Row, State
from algorithms.core.tables import columns, numbers
from algorithms.core.theorem import Answer, DoesNotApply, Sides, Theorem, Undecided, Verdict, theorem, through
from algorithms.core.words import Words

__all__ = [
    "Add",
    "Algorithm",
    "Seed",
    "FromStart",
    "Answer",
    "Along",
    "Array",
    "Arrow",
    "Ask",
    "Band",
    "Bars",
    "Contours",
    "Contrast",
    "Cursor",
    "Curve",
    "Dataset",
    "DoesNotApply",
    "GhostTrail",
    "Edit",
    "Ellipse",
    "ErrorBars",
    "Event",
    "Expectation",
    "DragHandles",
    "Hyperplane",
    "Label",
    "Labels",
    "Mark",
    "Matrix",
    "Meta",
    "Move",
    "Needs",
    "Origin",
    "Panel",
    "Parameter",
    "Path",
    "Paths",
    "Points",
    "Problem",
    "Refused",
    "Row",
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
    "Variable",
    "Verdict",
    "Words",
    "columns",
    "edited",
    "kept",
    "numbers",
    "once",
    "theorem",
    "through",
]
