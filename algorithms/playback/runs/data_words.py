"""The words that name data: what they are called, what of their recipe is not as usual, what tells them apart."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.core import Algorithm, Dataset
from algorithms.core.parameters import as_typed
from algorithms.core.text import clean
from algorithms.data.made import arguments
from algorithms.data.named import MADE, NAMED
from algorithms.data.recipe import Recipe

_FEW = 3  # columns that are named one by one


def data_words(data: Dataset, algorithm: Algorithm | None = None) -> str:
    """Name data with what is not as usual: "faithful, scaled", "blobs, n 60, margin 0.1".

    Args:
        algorithm: where it starts with the same data in another way, that is told too: "faithful, unscaled".
    """
    recipe, choices = _recipe(data), _choices(data)
    bare = _chosen_by(Recipe(name=recipe.name) if recipe else None)
    starts = (each for each in (algorithm.datasets if algorithm else ()) if isinstance(each, Recipe))
    first = _chosen_by(next((each for each in starts if recipe and each.name == recipe.name), None)) | {"edited": False}
    usual = first if len(first) > len(_chosen_by(None)) else bare
    return _named(data, [name for name, value in choices.items() if value != bare[name] or value != usual[name]])


def telling_words(several: Sequence[Dataset]) -> list[str]:
    """Name each of several data sets with what tells it from the others; "" for each where all are the same."""
    if all(same_data(several[0], other) for other in several[1:]):
        return [""] * len(several)
    return [_telling(data, [other for other in several if other.name == data.name]) for data in several]


def why_no_plane(data: Dataset) -> str:
    """Tell why there is no plane to choose on data of one feature or of none."""
    return "there is one feature: no plane to choose" if data else "there are no data: no plane to choose"


def _telling(data: Dataset, alike: Sequence[Dataset]) -> str:
    """Name a data set with what tells it from those of the same name, itself included."""
    if all(same_data(data, other) for other in alike):
        return data_words(data)
    choices = [_choices(other) for other in alike]
    differing = [name for name, value in _choices(data).items() if any(c.get(name, value) != value for c in choices)]
    if differing:
        return _named(data, differing)
    kinds = [other for i, other in enumerate(alike) if not any(same_data(other, before) for before in alike[:i])]
    which = next(i for i, kind in enumerate(kinds, 1) if same_data(kind, data))
    rows = f"{data.n:,} rows" if any(other.n != data.n for other in alike) else f"rows of their own ({which})"
    return f"{data.name}, {rows}"


def same_data(a: Dataset, b: Dataset) -> bool:
    """Tell whether two data sets hold the same rows under the same name."""
    if a is b:
        return True
    targets = np.array_equal(a.y, b.y) if a.y is not None and b.y is not None else a.y is b.y
    return a.name == b.name and targets and np.array_equal(a.X, b.X) and np.array_equal(a.centre, b.centre)


def _recipe(data: Dataset) -> Recipe | None:
    """Find the recipe that data were made by, before they were edited."""
    while data.origin is not None:
        data = data.origin.parent
    return data.source if isinstance(data.source, Recipe) else None


def _choices(data: Dataset) -> dict[str, Any]:
    """List what was chosen of data, by name."""
    recipe = _recipe(data)
    chosen = _chosen_by(recipe)
    if recipe is None:
        mapped = data.map.title if data.map is not None else ""
        chosen |= {
            "scale": data.inputs.scaled,
            "map": (mapped, 0),
            "hold_out": (data.held_out.n if data.held_out else 0, 0),
        }
    return chosen | {"edited": data.origin is not None}


def _chosen_by(recipe: Recipe | None) -> dict[str, Any]:
    """List what a recipe chooses, by name; a made set's own arguments first."""
    every = {"scale": False, "map": ("", 0), "hold_out": (0, 0), "edited": False}
    if recipe is None:
        return every
    given = dict(recipe.made)
    made = {p.name: given.get(p.name, p.default) for p in arguments(recipe.name)} if recipe.name in MADE else {}
    return made | every | {
        "file": "" if recipe.name in NAMED else recipe.name,
        "sample": (recipe.sample, recipe.sample_seed),
        "columns": recipe.columns,
        "target": recipe.target,
        "classes": recipe.classes,
        "positive": recipe.positive,
        "missing": recipe.missing,
        "scale": recipe.scale,
        "map": (recipe.map, recipe.map_seed),
        "hold_out": (recipe.hold_out, recipe.hold_out_seed),
        "flip": (recipe.flip, recipe.flip_seed),
    }  # fmt: skip


def _named(data: Dataset, names: Iterable[str]) -> str:
    """Name data with some of its choices."""
    choices = _choices(data)
    words = {name: _in_words(name, choices[name], data) for name in names}
    name = words.pop("file", data.name)
    added = (word for word in words.values() if not name.endswith(f", {word}"))  # of letters the name has the map
    return clean(", ".join([name, *added]))  # columns and classes may be of a file


def _in_words(name: str, value: Any, data: Dataset) -> str:
    """Say what was chosen in words: "unscaled", "margin 0.1", "45 rows held out"."""
    match name:
        case "file":
            return "/".join(Path(value).parts[-2:])
        case "scale":
            return "scaled" if value else "unscaled"
        case "edited":
            return "edited" if value else "unedited"
        case "map":
            return f"{value[0].removesuffix(' map')} map{_seed(value[1])}" if value[0] else "no map"
        case "hold_out":
            held = data.held_out
            return f"{held.n} rows held out{_seed(value[1])}" if held is not None else "no rows held out"
        case "sample":
            return f"sample of {value[0]:,}{_seed(value[1])}" if value[0] else "no sample"
        case "columns":
            return _columns(value)
        case "target":
            return "usual target" if value is None else f"target {value}" if value else "no target"
        case "classes":
            return " and ".join(value) if value else "all classes"
        case "flip":
            return f"{value[0]:g} of the labels turned{_seed(value[1])}" if value[0] else "no labels turned"
        case "positive":
            return f"{value} or not" if value is not None else "all classes"
        case "missing":
            return "missing cells dropped" if value == "drop" else "missing cells refused"
        case _:
            return f"{name} {as_typed(value)}"


def _columns(columns: tuple[str, ...]) -> str:
    if not columns:
        return "usual columns"
    return ", ".join(columns) if len(columns) <= _FEW else f"{len(columns)} columns"


def _seed(seed: int) -> str:
    return f" (seed {seed})" if seed else ""
