"""What an algorithm file is made of: states, the declaration, theorems, scenes, data."""

from typing import TYPE_CHECKING

from algorithms.deferred import deferred

if TYPE_CHECKING:
    from algorithms.core.algorithm import Algorithm as Algorithm, FromStart as FromStart, Needs as Needs, Run as Run
    from algorithms.core.arrays import Array as Array
    from algorithms.core.asks import Ask as Ask
    from algorithms.core.contrast import Contrast as Contrast
    from algorithms.core.curves import Curve as Curve, Event as Event, Variable as Variable
    from algorithms.core.dataset import Dataset as Dataset, Origin as Origin, Source as Source
    from algorithms.core.edits import (
        Add as Add,
        Edit as Edit,
        Label as Label,
        Move as Move,
        Remove as Remove,
        edited as edited,
    )
    from algorithms.core.errors import Refused as Refused
    from algorithms.core.expectation import Expectation as Expectation
    from algorithms.core.parameters import Meta as Meta, Parameter as Parameter, Seed as Seed
    from algorithms.core.problem import Problem as Problem, kept as kept, kept_by as kept_by, once as once
    from algorithms.core.scene import (
        Arrow as Arrow,
        Band as Band,
        Bars as Bars,
        Contours as Contours,
        Cursor as Cursor,
        DragHandles as DragHandles,
        Ellipse as Ellipse,
        ErrorBars as ErrorBars,
        GhostTrail as GhostTrail,
        Hyperplane as Hyperplane,
        Labels as Labels,
        Mark as Mark,
        Matrix as Matrix,
        Panel as Panel,
        Path as Path,
        Paths as Paths,
        Points as Points,
        Region as Region,
        Scene as Scene,
        Segments as Segments,
        Table as Table,
        Trail as Trail,
        Tree as Tree,
        Units as Units,
    )
    from algorithms.core.state import Along as Along, Row as Row, State as State
    from algorithms.core.tables import columns as columns, numbers as numbers
    from algorithms.core.theorems import (
        Answer as Answer,
        DoesNotApply as DoesNotApply,
        Sides as Sides,
        Theorem as Theorem,
        Undecided as Undecided,
        Verdict as Verdict,
        theorem as theorem,
        through as through,
    )
    from algorithms.core.words import Words as Words

# imported when first asked for: a refusal or a help needs neither NumPy nor most of this
_MODULES = {
    "algorithms.core.algorithm": (
        "Algorithm",
        "FromStart",
        "Needs",
        "Run",
    ),
    "algorithms.core.arrays": ("Array",),
    "algorithms.core.asks": ("Ask",),
    "algorithms.core.contrast": ("Contrast",),
    "algorithms.core.curves": (
        "Curve",
        "Event",
        "Variable",
    ),
    "algorithms.core.dataset": (
        "Dataset",
        "Origin",
        "Source",
    ),
    "algorithms.core.edits": (
        "Add",
        "Edit",
        "Label",
        "Move",
        "Remove",
        "edited",
    ),
    "algorithms.core.errors": ("Refused",),
    "algorithms.core.expectation": ("Expectation",),
    "algorithms.core.parameters": (
        "Meta",
        "Parameter",
        "Seed",
    ),
    "algorithms.core.problem": (
        "Problem",
        "kept",
        "kept_by",
        "once",
    ),
    "algorithms.core.scene": (
        "Arrow",
        "Band",
        "Bars",
        "Contours",
        "Cursor",
        "DragHandles",
        "Ellipse",
        "ErrorBars",
        "GhostTrail",
        "Hyperplane",
        "Labels",
        "Mark",
        "Matrix",
        "Panel",
        "Path",
        "Paths",
        "Points",
        "Region",
        "Scene",
        "Segments",
        "Table",
        "Trail",
        "Tree",
        "Units",
    ),
    "algorithms.core.state": (
        "Along",
        "Row",
        "State",
    ),
    "algorithms.core.tables": (
        "columns",
        "numbers",
    ),
    "algorithms.core.theorems": (
        "Answer",
        "DoesNotApply",
        "Sides",
        "Theorem",
        "Undecided",
        "Verdict",
        "theorem",
        "through",
    ),
    "algorithms.core.words": ("Words",),
}
__all__ = [name for names in _MODULES.values() for name in names]  # noqa: PLE0605

if not TYPE_CHECKING:
    __getattr__, __dir__ = deferred(globals(), _MODULES)
