"""Data asked for in words: "moons noise=0.2", "iris positive=virginica scale=no"."""

import re
from argparse import Namespace
from typing import Any

from algorithms.core import Refused
from algorithms.core.dataset import Source
from algorithms.data.recipe import Recipe, recipe_named

_MADE_IN = frozenset(("name", "made"))  # fields of a recipe that no word names
_YES = {"yes": True, "true": True, "no": False, "false": False}


def data_asked(text: str, like: Source | None = None) -> Source:
    """Read data by name or file, and what is not as usual about them, as the data flags call it, in words after it.

    Args:
        like: the data of the run that is varied: of the same name, they keep what the words do not name.

    Raises:
        Refused: for names and values that will not do.
    """
    from algorithms.cli.arguments import recipe_from

    name, *words = re.split(r"\s+(?=[\w-]+\s*=)", text.strip())
    recipe = like if isinstance(like, Recipe) and like.name == name else recipe_named(name)
    flags: dict[str, Any] = {}
    own: dict[str, str] = {}
    for word in words:
        key, _, value = word.partition("=")
        key, value = key.strip().replace("-", "_"), value.strip()
        if not value:
            raise Refused(f"{key} has no value: write it as in {name} {key}=1.")
        if key in Recipe.__struct_fields__ and key not in _MADE_IN:
            flags[key] = _yes(value) if key == "scale" else value
        else:
            own[key] = value
    return recipe_from(Namespace(**flags), recipe.with_(**own) if own else recipe)


def _yes(value: str) -> bool:
    if value.lower() not in _YES:
        raise Refused(f"scale is yes or no, not {value!r}.")
    return _YES[value.lower()]
