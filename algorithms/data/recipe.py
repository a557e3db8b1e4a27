"""Recipe: a data set written down, from which the same Dataset can be made again."""

from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import asdict, fields, replace

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset, matrix
from algorithms.core.errors import Refused
from algorithms.data.columns import Rows, TargetKind, no_column, rows
from algorithms.data.made import GENERATORS, arguments, checked
from algorithms.data.named import MADE, NAMED, REAL, About
from algorithms.data.table import read
from algorithms.data.text import printable

_CSV = Path(__file__).parent / "csv"


class Recipe(Struct, frozen=True, kw_only=True):
    """How a Dataset is made. Equal recipes share one Dataset.

    Attributes:
        name: one of `datasets.names()`, or the path of a CSV file.
        columns: the features by name, in this order; () for those that suggest themselves.
        target: the target's column, "" for none; None for the data set's own, or the one a file suggests.
        target_kind: whether the target is classes or numbers; "auto" takes text and few whole numbers for classes.
        positive: the class with code 1, held against all others.
        scale: features with mean 0 and standard deviation 1 over the training rows.
        hold_out: the share of the rows kept aside.
        hold_out_seed: which rows those are.
        missing: rows with missing cells are dropped, with a notice, or refused.
        decimal: what stands before the decimals in a file.
        made: the arguments of a generator that are not its defaults.
    """

    name: str
    columns: tuple[str, ...] = ()
    target: str | None = None
    target_kind: TargetKind = "auto"
    positive: str | None = None
    scale: bool = False
    hold_out: Annotated[float, Meta(ge=0, lt=1)] = 0.0
    hold_out_seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0
    missing: Literal["drop", "refuse"] = "drop"
    decimal: Literal[".", ","] = "."
    made: tuple[tuple[str, int | float], ...] = ()

    def with_(self, **changes: Any) -> "Recipe":
        """The recipe with some of it changed; a made set's own arguments are changed in the same way.

        Raises:
            Refused: for a name that is neither, or a value that will not do.

        >>> from algorithms import datasets
        >>> datasets.blobs.with_(margin=0.3, n=50, scale=True).load().n
        50
        """
        own = {p.name for p in arguments(self.name)} if self.name in MADE else set()
        made = dict(self.made) | {key: changes.pop(key) for key in own & changes.keys()}
        if changes.get("positive") is not None:
            changes["positive"] = str(changes["positive"])  # classes may be called 0, 1, 2, ...
        for key in changes:
            if key not in _FIELDS:
                raise Refused(_no_such(self.name, key, (*_FIELDS, *sorted(own))))
        given = asdict(self) | changes | ({"made": checked(self.name, made)} if own else {})
        try:
            return msgspec.convert(given, Recipe)
        except msgspec.ValidationError as error:
            text, _, where = str(error).replace("`", "").partition(" - at $.")
            raise Refused(f"{where.split('[')[0]} will not do: {text[0].lower()}{text[1:]}.") from None

    def load(self) -> Dataset:
        """The Dataset; made once for equal recipes, and again when a file has changed.

        Raises:
            Refused: with a sentence about what is wrong with the file, the names or the values.
        """
        return _load(self, None if self.name in NAMED else _stamp(Path(self.name)))

    @property
    def about(self) -> About | None:
        """What is known of a named data set, None for a file."""
        return NAMED.get(self.name)

    @property
    def label(self) -> str:
        """What it is called on the screen: its name, or that of its file."""
        return self.name if self.name in NAMED else printable(Path(self.name).name)


_FIELDS = tuple(field.name for field in fields(Recipe) if field.name not in ("name", "made"))


def _no_such(name: str, key: str, there_are: tuple[str, ...]) -> str:
    near = get_close_matches(key, there_are, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"{printable(name)} takes no {key!r}; it takes {', '.join(there_are)}.{hint}"


def _stamp(path: Path) -> tuple[str, int, int] | None:
    """What changes when a file does; None when there is none, which reading it will say."""
    try:
        status = path.stat()
        return str(path.resolve()), status.st_mtime_ns, status.st_size
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=32)
def _load(recipe: Recipe, stamp: tuple[str, int, int] | None) -> Dataset:
    found = _rows(recipe)
    if recipe.positive is not None:
        found = _two_classes(found, recipe.positive, recipe.label)
    elif recipe.about and recipe.about.positive and recipe.about.target == found.target:
        found = _two_classes(found, recipe.about.positive, recipe.label)
    training, held = _split(len(found.X), recipe)
    if found.y is not None and found.kind == "class":
        _check_classes(found, training, recipe)
    X = found.X[training]
    centre, spread = _centre_and_spread(matrix(X)) if recipe.scale else (None, None)
    notices = (*found.notices, *(["features are scaled: mean 0, standard deviation 1."] if recipe.scale else []))
    kept_aside = _dataset(recipe, found, held, centre, spread, (), None) if len(held) else None
    return _dataset(recipe, found, training, centre, spread, notices, kept_aside)


def _dataset(
    recipe: Recipe,
    found: Rows,
    which: Array,
    centre: Array | None,
    spread: Array | None,
    notices: tuple[str, ...],
    held_out: Dataset | None,
) -> Dataset:
    """Some of the rows as a Dataset, scaled as the training rows are."""
    X = found.X[which]
    if centre is not None and spread is not None:
        X = (X - centre) / spread
    return Dataset(
        X,
        None if found.y is None else found.y[which],
        name=recipe.label,
        kind=None if found.y is None else found.kind,
        features=found.features,
        classes=found.classes,
        target=found.target,
        centre=centre,
        spread=spread,
        truth=found.truth if centre is None else {},  # it speaks of the rows as they were made
        notices=notices,
        image=found.image,
        held_out=held_out,
        source=recipe,
    )


def _rows(recipe: Recipe) -> Rows:
    if recipe.name in MADE:
        return _made(recipe)
    about = REAL.get(recipe.name)
    if about is None:
        return rows(
            read(_file(recipe.name), recipe.decimal),
            name=recipe.label,
            columns=recipe.columns,
            target=recipe.target,
            kind=recipe.target_kind,
            missing=recipe.missing,
            decimal=recipe.decimal,
        )
    table = read(_CSV / f"{recipe.name}.csv")
    target = about.target if recipe.target is None else recipe.target
    columns = recipe.columns or tuple(c for c in about.columns if c != target)
    kind = recipe.target_kind
    if kind == "auto" and target == about.target and about.kind != "none":
        kind = about.kind
    found = rows(
        table,
        name=recipe.name,
        columns=columns,
        target=target,
        kind=kind,
        missing=recipe.missing,
    )
    pixels = found.features == tuple(c for c in table.names if c != about.target)
    return replace(found, image=about.image if pixels else None)


def _file(name: str) -> Path:
    """The path of a file; a bare word that is no file is more likely a misspelt name."""
    path = Path(name)
    try:
        known = path.suffix != "" or path.name != name or path.exists()
    except (OSError, ValueError):
        known = False
    if not known:
        near = get_close_matches(name, NAMED, n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise Refused(
            f"there is no data set {name[:80]!r}; there are {', '.join(NAMED)}, or give the path of a CSV file.{hint}"
        )
    return path


def _made(recipe: Recipe) -> Rows:
    made = GENERATORS[recipe.name](**dict(checked(recipe.name, dict(recipe.made))))
    features, target = made.features, made.target
    if recipe.target is not None and recipe.target != target:
        if recipe.target:
            raise no_column(recipe.name, recipe.target, [*features, *([target] if target else [])])
        made = replace(made, y=None, kind="none", classes=(), target="")
    if recipe.target_kind not in ("auto", made.kind) and made.y is not None:
        raise Refused(f"the target of {recipe.name} is a {made.kind}, not a {recipe.target_kind}.")
    if not recipe.columns:
        return made
    for wanted in recipe.columns:
        if wanted not in features:
            raise no_column(recipe.name, wanted, features)
    chosen = [features.index(c) for c in recipe.columns]
    return replace(made, X=made.X[:, chosen], features=recipe.columns, truth={})


def _two_classes(found: Rows, positive: str, name: str) -> Rows:
    """The positive class as code 1, and all the others as code 0."""
    if found.kind != "class" or found.y is None:
        raise Refused(f"{name} has no classes, so {positive!r} cannot be the positive one.")
    if positive not in found.classes:
        raise Refused(f"{found.target} of {name} is never {positive!r}; it is {', '.join(found.classes)}.")
    code = found.classes.index(positive)
    other = found.classes[1 - code] if len(found.classes) == 2 else f"not {positive}"
    return replace(found, y=(found.y == code).astype(np.int64), classes=(other, positive))


def _split(n: int, recipe: Recipe) -> tuple[Array, Array]:
    """The training rows and those held out, each in the order they came in."""
    if recipe.hold_out == 0:
        return np.arange(n), np.arange(0)
    held = max(1, round(n * recipe.hold_out))
    if n - held < 2:
        raise Refused(f"holding {held} of {n} rows out leaves too few to learn from; two are needed.")
    order = np.random.default_rng((recipe.hold_out_seed, 0)).random(n).argsort()
    return np.sort(order[held:]), np.sort(order[:held])


def _check_classes(found: Rows, training: Array, recipe: Recipe) -> None:
    assert found.y is not None
    there = np.bincount(found.y[training], minlength=len(found.classes))
    if not there.all():
        lost = found.classes[int(there.argmin())]
        raise Refused(f"every row of class {lost} is held out; hold out fewer, or take another seed for them.")


def _centre_and_spread(X: Array) -> tuple[Array, Array]:
    """The mean and standard deviation of each column; a constant one is only centred.

    The largest number is taken out first, as a power of two, so that no square overflows or vanishes.
    """
    size = np.exp2(np.frexp(np.abs(X).max(axis=0))[1])
    spread = size * (X / size).std(axis=0)
    constant = X.max(axis=0) == X.min(axis=0)
    return X.mean(axis=0), np.where(constant | (spread == 0), 1.0, spread)


def recipe(name: str, **changes: Any) -> Recipe:
    """The recipe of a named data set or of a CSV file."""
    return Recipe(name=name).with_(**changes)
