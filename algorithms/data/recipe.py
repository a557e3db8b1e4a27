"""Recipe: a data set written down, from which the same Dataset can be made again."""

import os
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Literal
from weakref import WeakValueDictionary

import msgspec
import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import asdict, fields, replace

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset, check_cells
from algorithms.core.errors import Refused, did_you_mean
from algorithms.core.text import printable
from algorithms.data import maps
from algorithms.data.columns import Rows, TargetKind, no_column, rows
from algorithms.data.labels import FLIPPED, of_classes, two_classes, with_flipped
from algorithms.data.letters import cells_of, seen, spelt
from algorithms.data.made import GENERATORS, arguments, checked
from algorithms.data.named import MADE, NAMED, REAL, About
from algorithms.data.null_space import map_notices
from algorithms.data.progress import Watch, unwatched
from algorithms.data.sampling import Sample
from algorithms.data.table import Table

_MOST_KEPT = 256 << 20  # bytes of Datasets that nobody has in hand
_AT_ONCE = 64  # columns of which there is a copy
_CSV = Path(__file__).parent / "csv"
_EVEN = ("line", "sine", "coin")  # rows drawn by the very numbers that stream 0 begins with: of these the least
_OWN_STREAM = 4  # would be held out, which are the leftmost rows, or the heads


class Recipe(Struct, frozen=True, kw_only=True):
    """How a Dataset is made. Equal recipes share one Dataset.

    Attributes:
        name: one of `datasets.names()`, or the path of a CSV, TSV, NPZ, JSON or Parquet file.
        columns: the features by name, in this order; () for those that suggest themselves.
        target: the target's column, "" for none; None for the data set's own, or the one a file suggests.
        target_kind: whether the target is classes or numbers; "auto" takes text and few whole numbers for classes.
        classes: the classes whose rows are taken; () for all.
        positive: the class with code 1, held against all others.
        scale: features with mean 0 and standard deviation 1 over the training rows.
        hold_out: the share of the rows kept aside.
        hold_out_seed: which rows those are.
        flip: the share of the training rows whose label is turned into another one: mislabelled on purpose. Which they
            are is the truth "flipped"; rows that are held out keep their labels.
        flip_seed: which rows those are.
        missing: rows with missing cells are dropped, with a notice, or refused.
        decimal: what stands before the decimals in a file.
        sample: so many rows, drawn at random before anything else is done; None for all, or for what there is room for.
        sample_seed: which rows those are.
        made: the arguments of a generator that are not its defaults.
        map: features made of the features, after they were scaled: "quadratic", "products", "rbf:20" or "letters:2",
            as `maps` says; "" for none.
        map_seed: which rows are the centres of a map.

    >>> from algorithms import datasets
    >>> two = datasets.iris.with_(classes=("setosa", "virginica"), hold_out=0.25)
    >>> two.load().n, two.load().held_out.n
    (75, 25)
    """

    name: str
    columns: tuple[str, ...] = ()
    target: str | None = None
    target_kind: TargetKind = "auto"
    classes: tuple[str, ...] = ()
    positive: str | None = None
    scale: bool = False
    hold_out: Annotated[float, Meta(ge=0, lt=1)] = 0.0
    hold_out_seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0
    flip: Annotated[float, Meta(ge=0, le=1)] = 0.0
    flip_seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0
    missing: Literal["drop", "refuse"] = "drop"
    decimal: Literal[".", ","] = "."
    sample: Annotated[int, Meta(ge=2, le=10_000_000)] | None = None
    sample_seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0
    made: tuple[tuple[str, int | float | str], ...] = ()
    map: Annotated[str, Meta(max_length=40)] = ""
    map_seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0

    def with_(self, **changes: Any) -> "Recipe":
        """Change some of the recipe; a made set's own arguments are changed in the same way.

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
            recipe = msgspec.convert(given, Recipe)
        except msgspec.ValidationError as error:
            text, _, where = str(error).replace("`", "").partition(" - at $.")
            raise Refused(f"{where.split('[')[0]} will not do: {text[0].lower()}{text[1:]}.") from None
        maps.check(recipe.map)
        return recipe

    def load(self, watch: Watch = unwatched) -> Dataset:
        """Load the Dataset; made once for equal recipes, and again when a file has changed.

        Args:
            watch: called with the share of the file that has been read, 0 to 1, after every block of it; what it
                raises ends the reading and comes out of here.

        Raises:
            Refused: with a sentence about what is wrong with the file, the names or the values.
        """
        key = self, None if self.name in NAMED else _stamp(Path(self.name))
        data = _LOADED.get(key)
        if data is None:
            data = _load(self, watch)
            _LOADED.keep(key, data)
        return data

    def of_table(self, table: Table) -> Dataset:
        """Make a Dataset of a table in hand as `load` makes one of a file; it has no source to be made from again.

        Raises:
            Refused: with a sentence about what is wrong with the table, the names or the values.
        """
        return _load(self, unwatched, table)

    @property
    def about(self) -> About | None:
        """Look up what is known of a named data set, None for a file."""
        return NAMED.get(self.name)

    @property
    def label(self) -> str:
        """Say what it is called on the screen: its name, or that of its file."""
        return self.name if self.name in NAMED else printable(Path(self.name).name)


_FIELDS = tuple(field.name for field in fields(Recipe) if field.name not in ("name", "made"))


def _no_such(name: str, key: str, there_are: tuple[str, ...]) -> str:
    return f"{printable(name)} takes no {key!r}; it takes {', '.join(there_are)}.{did_you_mean(key, there_are)}"


def _stamp(path: Path) -> tuple[str, int, int] | None:
    """Stamp a file: what changes when it does; None when there is none, which reading it will say."""
    try:
        status = path.stat()
        return str(path.resolve()), status.st_mtime_ns, status.st_size
    except (OSError, ValueError):
        return None


class _Loaded:
    """The Datasets that somebody has in hand, and those asked for last, as many as there is room for."""

    def __init__(self) -> None:
        self._alive: WeakValueDictionary[Any, Dataset] = WeakValueDictionary()
        self._last: dict[Any, Dataset] = {}
        self._lock = Lock()

    def get(self, key: Any) -> Dataset | None:
        with self._lock:
            return self._alive.get(key)

    def keep(self, key: Any, data: Dataset) -> None:
        with self._lock:
            self._alive[key] = self._last[key] = data
            room = _MOST_KEPT
            for old in reversed(list(self._last)):
                room -= self._last[old].X.nbytes
                if old != key and room < 0:
                    del self._last[old]


_LOADED = _Loaded()


def _load(recipe: Recipe, watch: Watch, table: Table | None = None) -> Dataset:
    source = recipe if table is None else None
    if recipe.map and maps.letter(recipe.map) is None:
        plain = replace(recipe, map="", map_seed=0)
        inputs = plain.load(watch) if table is None else plain.of_table(table)
        by = maps.fitted(recipe.map, inputs, recipe.map_seed)
        return inputs.mapped(by, source=source, notices=map_notices(inputs, by))
    rows = (
        _rows(recipe, watch)
        if table is None
        else _rows_of(recipe, table.drawn(Sample(recipe.sample, recipe.sample_seed)))
    )
    if recipe.classes:
        rows = of_classes(rows, recipe.classes, recipe.label)
    if recipe.positive is not None:
        rows = two_classes(rows, recipe.positive, recipe.label)
    elif recipe.about and recipe.about.positive and recipe.about.target == rows.target:
        rows = two_classes(rows, recipe.about.positive, recipe.label)
    training, held = _split(len(rows.X), recipe)
    if rows.y is not None and rows.kind == "class":
        _check_classes(rows, training, recipe)
    X = _taken(rows.X, training)
    if recipe.map:
        rows = seen(rows, training)
        X = _taken(rows.X, training)
    if recipe.flip:
        rows = with_flipped(rows, training, recipe.flip, recipe.flip_seed, recipe.label)
    if recipe.scale:
        check_cells(X)
    centre, spread = _centre_and_spread(X) if recipe.scale else (None, None)
    said = "features are scaled: mean 0, standard deviation 1 (axes of features: unscaled)."
    scaled = (said,) if recipe.scale else ()
    notices = (*rows.notices, *scaled)
    kept_aside = _dataset(recipe, rows, held, centre, spread, (), None, source) if len(held) else None
    return _dataset(recipe, rows, training, centre, spread, notices, kept_aside, source)


def _dataset(
    recipe: Recipe,
    rows: Rows,
    which: Array,
    centre: Array | None,
    spread: Array | None,
    notices: tuple[str, ...],
    held_out: Dataset | None,
    source: Recipe | None,
) -> Dataset:
    """Make a Dataset of some of the rows, scaled as the training rows are."""
    X = _taken(rows.X, which)
    if centre is not None and spread is not None:
        X = X - centre
        X /= spread
    return Dataset(
        X,
        None if rows.y is None else _taken(rows.y, which),
        name=f"{recipe.label}, {recipe.map} map" if recipe.map else recipe.label,
        kind=None if rows.y is None else rows.kind,
        features=rows.features,
        classes=rows.classes,
        target=rows.target,
        centre=centre,
        spread=spread,
        truth=_truth(rows, which, scaled=centre is not None),
        notices=notices,
        image=rows.image,
        held_out=held_out,
        source=source,
        names=tuple(rows.names[i] for i in which.tolist()) if rows.names else (),
    )


def _truth(rows: Rows, which: Array, scaled: bool) -> dict[str, Any]:
    """Keep what is known of rows as they were made, which nothing says of scaled ones, and which labels were turned."""
    known = {} if scaled else dict(rows.truth)
    if FLIPPED in rows.truth:
        known[FLIPPED] = rows.truth[FLIPPED][which]
    return known


def _rows(recipe: Recipe, watch: Watch) -> Rows:
    if recipe.name in MADE:
        return _made(recipe)
    from algorithms.data.files import read  # with what knows of archives, which made data do without

    sample = Sample(recipe.sample, recipe.sample_seed)
    about = REAL.get(recipe.name)
    if about is None:
        return _rows_of(recipe, read(_file(recipe.name), recipe.decimal, sample, watch))
    table = read(_CSV / f"{recipe.name}.csv", sample=sample)
    target = about.target if recipe.target is None else recipe.target
    table, columns, names = _spelt(recipe, table, target)
    columns = columns or tuple(c for c in about.columns if c != target)
    kind = recipe.target_kind
    if kind == "auto" and target == about.target and about.kind != "none":
        kind = about.kind
    table_rows = rows(
        table,
        name=recipe.name,
        columns=columns,
        target=target,
        kind=kind,
        missing=recipe.missing,
        names=names,
    )
    pixels = table_rows.features == tuple(c for c in table.names if c != about.target)
    return replace(table_rows, image=about.image if pixels else None)


def _rows_of(recipe: Recipe, table: Table) -> Rows:
    """Choose features and target of a reader's own table."""
    table, columns, names = _spelt(recipe, table, recipe.target)
    return rows(
        table,
        name=recipe.label,
        columns=columns,
        target=recipe.target,
        kind=recipe.target_kind,
        missing=recipe.missing,
        decimal=recipe.decimal,
        names=names,
    )


def _spelt(recipe: Recipe, table: Table, target: str | None) -> tuple[Table, tuple[str, ...], Sequence[str]]:
    """Give table, features and names of the rows: with a letters map, the letters of a text column."""
    place = maps.letter(recipe.map) if recipe.map else None
    if place is None:
        return table, recipe.columns, ()
    table, text = spelt(table, place, recipe.columns, target, recipe.label)
    return table, tuple(c.name for c in table.columns if c.name.startswith(f"letter {place} is ")), cells_of(text)


def _file(name: str) -> Path:
    """Take a name for the path of a file; a bare word that is no file is more likely a misspelt name."""
    path = Path(name)
    try:
        known = path.suffix != "" or path.name != name or os.path.exists(path)
    except (OSError, ValueError):
        known = False
    if not known:
        there = f"there are {', '.join(NAMED)}, or give the path of a file."
        raise Refused(f"there is no data set {name[:80]!r}; {there}{did_you_mean(name, NAMED, 0.5)}")
    return path


def _made(recipe: Recipe) -> Rows:
    if recipe.map:
        raise Refused(f"{recipe.name} is made of numbers, so there are no letters to take.")
    if recipe.sample is not None:
        raise Refused(f"{recipe.name} is made, so it takes no sample; it takes n, the number of rows.")
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


def _split(n: int, recipe: Recipe) -> tuple[Array, Array]:
    """Split into training rows and those held out, each in the order they came in."""
    if recipe.hold_out == 0:
        test = recipe.about.test_rows if recipe.about and recipe.sample is None and not recipe.classes else 0
        return np.arange(n - test), np.arange(n - test, n)
    held = max(1, round(n * recipe.hold_out))
    if n - held < 2:
        raise Refused(f"holding {held} of {n} rows out leaves too few to learn from; two are needed.")
    stream = _OWN_STREAM if recipe.name in _EVEN else 0
    order = np.random.default_rng((recipe.hold_out_seed, stream)).random(n).argsort()
    return np.sort(order[held:]), np.sort(order[:held])


def _taken(array: Array, which: Array) -> Array:
    """Take some of the rows; the array itself, not a copy, when that is all of them."""
    return array if len(which) == len(array) else array[which]


def _check_classes(rows: Rows, training: Array, recipe: Recipe) -> None:
    assert rows.y is not None
    there = np.bincount(rows.y[training], minlength=len(rows.classes))
    if not there.all():
        lost = rows.classes[int(there.argmin())]
        raise Refused(f"every row of class {lost} is held out; hold out fewer, or take another seed for them.")


def _centre_and_spread(X: Array) -> tuple[Array, Array]:
    """Measure the mean and standard deviation of each column; a constant one is only centred.

    The largest number is taken out first, as a power of two, so that no square overflows or vanishes.
    """
    spread = np.empty(X.shape[1])
    for first in range(0, len(spread), _AT_ONCE):
        columns = X[:, first : first + _AT_ONCE]
        size = np.exp2(np.frexp(np.abs(columns).max(axis=0))[1])
        spread[first : first + _AT_ONCE] = size * (columns / size).std(axis=0)
    constant = X.max(axis=0) == X.min(axis=0)
    return X.mean(axis=0), np.where(constant | (spread == 0), 1.0, spread)


def recipe(name: str, **changes: Any) -> Recipe:
    """Make the recipe of a named data set or of a file."""
    return Recipe(name=name).with_(**changes)


def recipe_named(text: str) -> Recipe:
    """Read a name, a made set's name with its own arguments, or a path."""
    name, colon, own = text.partition(":")
    if not colon or name not in NAMED:
        return Recipe(name=text)
    if name not in MADE:
        raise Refused(f"{name} is not made, so it takes no arguments after a colon.")
    pairs = (name_and_value(part, f"--data {name}:seed=1") for part in own.split(",") if part.strip())
    return Recipe(name=name).with_(**dict(pairs))


def name_and_value(text: str, example: str) -> tuple[str, str]:
    """Part "name=value"; `Refused`, with the example, where it is none."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise Refused(f"{text!r} is not name=value, as in {example}.")
    return name.strip(), value.strip()
