"""iterscope without a screen: algorithms as generators of states, and runs that can be taken to any step.

>>> from algorithms import Timeline, datasets, find
>>> states = find("lloyd")(datasets.load("faithful"), k=3)
>>> next(states).phase
'start'
"""

from algorithms.arguments import (
    Parser,
    add_data_flags,
    add_parameter_flag,
    flags_of,
    loaded,
    parameters_from,
    recipe_from,
    recipe_named,
)
from algorithms.core import (
    Algorithm,
    Array,
    Arrow,
    Bars,
    Contours,
    Curve,
    Dataset,
    DoesNotApply,
    Echo,
    Ellipse,
    Event,
    Hyperplane,
    Labels,
    Matrix,
    Meta,
    Needs,
    Panel,
    Parameter,
    Path,
    Points,
    Problem,
    Refused,
    Region,
    Run,
    Scene,
    Segments,
    Sides,
    Source,
    State,
    Table,
    Theorem,
    Trail,
    Tree,
    Undecided,
    Units,
    Verdict,
)
from algorithms.core.catalogue import families, find, names
from algorithms.core.errors import in_words
from algorithms.core.plane import Axis, Plane, features_plane, planes, principal_plane
from algorithms.core.resolve import Faint, Flat, Levels, Past, Tint, View, resolve
from algorithms.core.scene import Mark
from algorithms.data import About, Recipe, datasets
from algorithms.data.progress import Cancelled
from algorithms.data.text import printable
from algorithms.own import is_own, load, named, watched
from algorithms.record import Frame, Timeline
from algorithms.record.hooks import Trouble
from algorithms.record.log import Kind
from algorithms.record.recording import Stopped
from algorithms.record.series import Failure

__all__ = [
    "About",
    "Algorithm",
    "Array",
    "Arrow",
    "Axis",
    "Bars",
    "Cancelled",
    "Contours",
    "Curve",
    "Dataset",
    "DoesNotApply",
    "Echo",
    "Ellipse",
    "Event",
    "Failure",
    "Faint",
    "Flat",
    "Frame",
    "Hyperplane",
    "Kind",
    "Labels",
    "Levels",
    "Mark",
    "Matrix",
    "Meta",
    "Needs",
    "Panel",
    "Parameter",
    "Parser",
    "Past",
    "Path",
    "Plane",
    "Points",
    "Problem",
    "Recipe",
    "Refused",
    "Region",
    "Run",
    "Scene",
    "Segments",
    "Sides",
    "Source",
    "State",
    "Stopped",
    "Table",
    "Theorem",
    "Timeline",
    "Tint",
    "Trail",
    "Tree",
    "Trouble",
    "Undecided",
    "Units",
    "Verdict",
    "View",
    "add_data_flags",
    "add_parameter_flag",
    "datasets",
    "families",
    "features_plane",
    "find",
    "flags_of",
    "in_words",
    "is_own",
    "load",
    "loaded",
    "named",
    "names",
    "parameters_from",
    "planes",
    "principal_plane",
    "printable",
    "recipe_from",
    "recipe_named",
    "resolve",
    "watched",
]
