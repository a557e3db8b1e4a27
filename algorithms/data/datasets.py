"""Data sets by name: `datasets.load("iris", positive="setosa")`, or `datasets.iris.with_(...)`.

Real ones come with the package, made ones from a seed; anything else that is given as a name is the
path of a file; arrays and DataFrames are loaded by the same rules.
"""

from typing import Any

from algorithms.core.dataset import Dataset
from algorithms.core.errors import Refused
from algorithms.core.notices import warn_of
from algorithms.data.given import loaded
from algorithms.data.named import NAMED, About
from algorithms.data.recipe import Recipe, recipe

__all__ = [
    "About",
    "badges",
    "badges_raw",
    "blobs",
    "breast_cancer",
    "circle",
    "cloud",
    "coin",
    "collinear",
    "conjunction",
    "correlated",
    "davis",
    "decoys",
    "dependent",
    "describe",
    "diabetes",
    "digits",
    "emails",
    "faithful",
    "four_points",
    "gaussian",
    "iris",
    "iris_ratios",
    "joint",
    "leverage",
    "line",
    "load",
    "mixture",
    "moons",
    "names",
    "penguins",
    "prostate",
    "recipe",
    "rectangle",
    "rings",
    "sine",
    "sparse",
    "square",
    "three_points",
    "three_rows",
    "tilt",
    "wine",
    "xor",
]

iris = Recipe(name="iris")
faithful = Recipe(name="faithful")
penguins = Recipe(name="penguins")
digits = Recipe(name="digits")
breast_cancer = Recipe(name="breast_cancer")
wine = Recipe(name="wine")
diabetes = Recipe(name="diabetes")
prostate = Recipe(name="prostate")
davis = Recipe(name="davis")
badges = Recipe(name="badges")
badges_raw = Recipe(name="badges_raw")
iris_ratios = Recipe(name="iris_ratios")

blobs = Recipe(name="blobs")
rings = Recipe(name="rings")
moons = Recipe(name="moons")
line = Recipe(name="line")
sine = Recipe(name="sine")
sparse = Recipe(name="sparse")
mixture = Recipe(name="mixture")
cloud = Recipe(name="cloud")
coin = Recipe(name="coin")
gaussian = Recipe(name="gaussian")
four_points = Recipe(name="four_points")
square = Recipe(name="square")
leverage = Recipe(name="leverage")
decoys = Recipe(name="decoys")
three_points = Recipe(name="three_points")
xor = Recipe(name="xor")
circle = Recipe(name="circle")
conjunction = Recipe(name="conjunction")
tilt = Recipe(name="tilt")
collinear = Recipe(name="collinear")
three_rows = Recipe(name="three_rows")
rectangle = Recipe(name="rectangle")
dependent = Recipe(name="dependent")
correlated = Recipe(name="correlated")
emails = Recipe(name="emails")
joint = Recipe(name="joint")


def names() -> tuple[str, ...]:
    """List every data set that has a name, the real ones first."""
    return tuple(NAMED)


def load(given: Any, y: Any = None, **changes: Any) -> Dataset:
    """Load data: by name, from a file, or those that a script has in hand.

    Args:
        given: the name of a data set or the path of a file; an array (n, d); a DataFrame (pandas, polars), a table of
            Arrow or a sparse matrix, which are read as a file is: names are kept, text and dates are left out and rows
            with missing cells dropped, each with a warning.
        y: (n,) the target, where the data do not hold it.
        changes: how they are prepared, as a Recipe has it: columns, target, positive, scale, hold_out, ...

    Raises:
        Refused: for a name that there is not, with the nearest; for what is wrong with file, names or values.

    >>> from algorithms import datasets
    >>> datasets.load([[1.0, 2.0], [3.0, 5.0], [2.0, 2.0]], ["no", "yes", "no"], scale=True).classes
    ('no', 'yes')
    """
    data = loaded(given, y, **changes)
    warn_of(data.name, data.notices)
    return data


def describe(name: str) -> About:
    """Describe a named data set: title, one line, citation, arguments; `Refused` for a name that is not there."""
    if name not in NAMED:
        raise Refused(f"there is no data set {name!r}; there are {', '.join(NAMED)}.")
    return NAMED[name]
