"""Dataset: the rows an algorithm learns from, and what it may ask of them."""

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array, frozen
from algorithms.core.errors import Refused
from algorithms.core.frames import columns_of, dense, name_of, numbers_of
from algorithms.core.notices import warn_of

Kind = Literal["none", "class", "number"]

T = TypeVar("T")

_KEPT = 4  # values of one function of a data set, for different arguments

LARGEST = 1e150  # in size; the squares of numbers beyond it are none
_ROUNDING = 1e-12  # of the largest of a feature: what comes of taking a mean off and adding it again
_BEYOND = f"beyond {LARGEST:g} in size nothing can be squared: measure it in other units."


class Source(Protocol):
    """Something written down from which a Dataset can be made again (a recipe)."""

    @property
    def name(self) -> str: ...
    def load(self) -> "Dataset": ...


Reader: TypeAlias = Callable[[Any, Any], "Dataset | None"]
_readers: list[Reader] = []  # of what a script may give for data besides arrays


def reads(reader: Reader) -> Reader:
    """Have `Dataset.of` ask a function of (given, y) for the Dataset of what is neither a Dataset nor a recipe."""
    _readers.append(reader)
    return reader


class FeatureMap(Protocol):
    """φ, which makes rows of D features of rows of d."""

    @property
    def title(self) -> str: ...
    def __call__(self, at: Array) -> Array: ...
    def names(self, data: "Dataset") -> tuple[str, ...]: ...


class Origin(Struct, frozen=True, eq=False):
    """What an edited Dataset was made from.

    Attributes:
        parent: the data before.
        rows: (n,) int, for each row the one it was in the parent; -1 for an added one.
    """

    parent: "Dataset"
    rows: Array


class Dataset:
    """n rows of d features, with or without a target; nothing in it ever changes.

    Attributes:
        name: what it is called on the screen.
        X: (n, d) float64 features, as the algorithm sees them (scaled, if `scaled`).
        y: (n,) class codes 0..k-1 (int64), numbers (float64), or None.
        kind: what `y` is: "class", "number" or "none".
        features: the d feature names.
        classes: the class names by code; for two classes, code 1 is the positive one.
        target: the target's name, "" without one.
        centre, spread: (d,) what was taken off and divided by when the features were scaled.
        truth: for made data, what is known of it (say margin, direction, means).
        notices: what a person should be told of how the data was made (rows dropped, say).
        image: (height, width) when a row is a picture.
        held_out: rows kept aside to measure on, or None.
        source: the recipe it was made by, or None.
        origin: what it was edited from, or None.
        names: what the rows are called, () where they have numbers only.
        map: the feature map that made X, or None.
        inputs: the data that were mapped; this Dataset itself where there is no map.

    A Dataset is true when it has rows: all have some but `Dataset.none`, which an algorithm without rows runs on.

    >>> from algorithms import datasets
    >>> iris = datasets.load("iris")
    >>> iris.X.shape, iris.classes, iris.features[0]
    ((150, 4), ('setosa', 'versicolor', 'virginica'), 'sepal_length_cm')
    """

    none: ClassVar["Dataset"]

    def __init__(
        self,
        X: Any,
        y: Any = None,
        *,
        name: str = "data",
        kind: Kind | None = None,
        features: tuple[str, ...] = (),
        classes: tuple[str, ...] = (),
        target: str = "",
        centre: Any = None,
        spread: Any = None,
        truth: dict[str, Any] | None = None,
        notices: tuple[str, ...] = (),
        image: tuple[int, int] | None = None,
        held_out: "Dataset | None" = None,
        source: Source | None = None,
        origin: Origin | None = None,
        names: tuple[str, ...] = (),
        map: FeatureMap | None = None,
        inputs: "Dataset | None" = None,
    ):
        columns = columns_of(X)
        self.X = _matrix(X if columns is None else numbers_of(columns))
        n, d = self.X.shape
        self.features = (
            tuple(features) or tuple(column for column, _ in columns or ()) or tuple(f"x{j + 1}" for j in range(d))
        )
        if len(self.features) != d:
            raise Refused(f"{len(self.features)} feature names for {d} columns of X; there must be one each.")
        self.y, self.kind, self.classes = _targets(y, n, kind, tuple(classes))
        self.name, self.target = name, target or ("" if y is None else name_of(y))
        self.scaled = centre is not None
        self.centre = frozen(np.zeros(d) if centre is None else np.array(centre, float))
        self.spread = frozen(np.ones(d) if spread is None else np.array(spread, float))
        self.truth = dict(truth or {})
        self.notices, self.image, self.held_out, self.source = tuple(notices), image, held_out, source
        self.origin, self.names = origin, tuple(names)
        self.map, self._inputs = map, inputs
        self._once: dict[Callable[..., Any], OrderedDict[tuple[Any, ...], Any]] = {}
        if len(self.names) not in (0, n):
            raise Refused(f"{len(self.names)} names for {n} rows; there must be one each, or none.")

    def once(self, compute: Callable[..., T], *arguments: Any) -> T:
        """Work out `compute(data, *arguments)` the first time it is asked for; what a generator and its hooks share.

        It is kept with the data and dies with them, the last few arguments of each function.

        Args:
            arguments: hashable, and all that it depends on besides the data.
        """
        held = self._once.setdefault(compute, OrderedDict())
        if arguments not in held:
            held[arguments] = compute(self, *arguments)
            if len(held) > _KEPT:
                held.popitem(last=False)
        held.move_to_end(arguments)
        return held[arguments]  # type: ignore[no-any-return]

    @classmethod
    def of(cls, X: Any, y: Any = None) -> "Dataset":
        """Take data in any form in which a script has them.

        A Dataset is taken as it is; a recipe, or the name of a data set or a file, is loaded; an array (n, d), with y
        (n,) or as a pair (X, y), becomes a Dataset; a DataFrame is read as a file is: its columns of text and its dates
        are left out, rows with missing cells dropped, each with a warning.

        Raises:
            Refused: a sentence that says what is wrong with it.
        """
        if y is None and _is_pair(X):
            X, y = X
        if isinstance(X, Dataset):
            if y is not None:
                raise Refused("y was given twice: the Dataset already holds its target.")
            return X
        for reader in _readers:
            data = reader(X, y)
            if data is not None:
                warn_of(data.name, data.notices)
                return data
        return cls(X, y)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what it is made of, without what was worked out of it."""
        state = vars(self).copy()
        for name in ("_once", "signs", "_rows_by_place"):
            state.pop(name, None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _once={})
        for array in (self.X, self.y, self.centre, self.spread):
            if array is not None and array.flags.writeable:  # which a pickle forgets
                frozen(array)

    def __bool__(self) -> bool:
        return self.n > 0

    @property
    def n(self) -> int:
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        return int(self.X.shape[1])

    @property
    def inputs(self) -> "Dataset":
        return self if self._inputs is None else self._inputs

    @property
    def words(self) -> str:
        """Say what it is and how it was prepared: "faithful, scaled, quadratic map, 54 rows held out"."""
        words = [self.name]
        if self.inputs.scaled:
            words.append("scaled")
        if self.map is not None:
            words.append(self.map.title)
        if self.held_out is not None:
            words.append(f"{self.held_out.n} rows held out")
        if self.origin is not None:
            words.append("edited")
        return ", ".join(words)

    def mapped(
        self,
        by: FeatureMap,
        *,
        source: Source | None = None,
        notices: tuple[str, ...] = (),
        origin: Origin | None = None,
    ) -> "Dataset":
        """Map the features; rows held out are mapped by the same map."""
        return Dataset(
            by(self.X),
            self.y,
            name=self.name,
            kind=None if self.kind == "none" else self.kind,
            features=by.names(self),
            classes=self.classes,
            target=self.target,
            notices=(*self.notices, *notices),
            held_out=None if self.held_out is None else self.held_out.mapped(by),
            source=source,
            origin=origin,
            names=self.names,
            map=by,
            inputs=self,
        )

    def preimages(self, at: Array) -> Array:
        """Find (m, D) places of the algorithm's space among `inputs`, (m, d): those of rows, here or before an edit.

        NaN for a place that no row has: few places of φ's space are φ of anything.
        """
        if self.map is None:
            return at
        if at is self.X:
            return self.inputs.X
        places = np.full((len(at), self.inputs.d), np.nan)
        if len(at) == self.n:  # row by row, as far as rounding
            same = (np.abs(at - self.X) <= _ROUNDING * np.abs(self.X).max(axis=0)).all(axis=1)
            places[same] = self.inputs.X[same]
        unknown = np.isnan(places).any(axis=1)
        for i, key in zip(np.flatnonzero(unknown), _keys(at[unknown])):
            places[i] = self._rows_by_place.get(key, np.nan)
        unknown = np.isnan(places).any(axis=1)
        if self.origin is not None and unknown.any():
            places[unknown] = self.origin.parent.preimages(at[unknown])
        return places

    @cached_property
    def _rows_by_place(self) -> dict[bytes, Array]:
        aside = self.held_out
        rows = {} if aside is None else dict(zip(_keys(aside.X), aside.inputs.X))
        return rows | dict(zip(_keys(self.X), self.inputs.X))

    @cached_property
    def signs(self) -> Array:
        """(n,) float64: +1 for class code 1, -1 for class code 0."""
        if self.y is None or len(self.classes) != 2:
            raise Refused(f"{self.name} has no two classes to tell apart.")
        return frozen(np.where(self.y == 1, 1.0, -1.0))

    def original(self, at: Array) -> Array:
        """Convert points of the algorithm's space to the units the data came in; shape kept."""
        return np.asarray(at * self.spread + self.centre)

    def who(self, i: int) -> str:
        """Begin a sentence with a row: "Row 17 (eruptions 1.97, waiting 56)"."""
        return f"Row {i} ({self.row(i)})"

    def row(self, i: int, most: int = 2) -> str:
        """Name a row for a person, or give it in its own units: "eruptions 1.97, waiting 56"."""
        if self.names and self.names[i]:
            return self.names[i]
        if self.map is not None:
            return self.inputs.row(i, most)
        values = self.original(self.X[i])
        shown = [f"{self.features[j]} {values[j]:.4g}" for j in range(min(self.d, most))]
        return ", ".join(shown) + (", ..." if self.d > most else "")


def _keys(at: Array) -> list[bytes]:
    """Key each row by its bytes, so that equal rows are known."""
    return [row.tobytes() for row in np.asarray(at, float) + 0.0]  # -0.0 is 0.0


def _is_pair(given: Any) -> bool:
    """Tell whether it is (X, y), and not two rows."""
    if not isinstance(given, tuple) or len(given) != 2:
        return False
    try:
        return np.ndim(given[0]) == 2 and np.ndim(given[1]) == 1
    except ValueError:  # rows of unequal length
        return False


def _matrix(X: Any) -> Array:
    """Convert to (n, d) float64, read-only; `Refused` names the first cell that cannot be calculated with."""
    X = dense(X)
    try:
        given = np.array(X, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise Refused(f"X is not a table of numbers: {str(error).rstrip('.')}.") from None
    if given.ndim == 1:
        given = given.reshape(-1, 1)
    if given.ndim != 2 or 0 in given.shape:
        raise Refused(f"X has shape {np.shape(X)}; it must be rows by features, at least one of each.")
    check_cells(given)
    return frozen(given)


def check_cells(given: Array) -> None:
    """Refuse a table with a cell that cannot be calculated with."""
    bad = np.argwhere(~np.isfinite(given))
    if len(bad):
        i, j = bad[0]
        raise Refused(f"X holds {given[i, j]} at row {i}, column {j}; every cell must be a finite number.")
    if max(float(given.max()), -float(given.min())) > LARGEST:
        i, j = np.argwhere(np.abs(given) > LARGEST)[0]
        raise Refused(f"X holds {given[i, j]:.3g} at row {i}, column {j}; {_BEYOND}")


def _targets(y: Any, n: int, kind: Kind | None, classes: tuple[str, ...]) -> tuple[Array | None, Kind, tuple[str, ...]]:
    if y is None:
        return None, "none", ()
    given = np.asarray(y)
    if given.shape != (n,):
        raise Refused(f"y has shape {given.shape} for {n} rows; it must be one value a row.")
    if classes:
        return frozen(given.astype(np.int64)), "class", classes
    if kind is None:
        kind = "number" if given.dtype.kind == "f" and not np.array_equal(given, np.sign(given)) else "class"
    if kind == "number":
        numbers = given.astype(np.float64)
        if not np.isfinite(numbers).all():
            raise Refused(f"y holds {numbers[~np.isfinite(numbers)][0]}; every target must be finite.")
        if np.abs(numbers).max() > LARGEST:
            raise Refused(f"y holds {numbers[np.abs(numbers) > LARGEST][0]:.3g}; {_BEYOND}")
        return frozen(numbers), "number", ()
    try:
        names, codes = np.unique(given, return_inverse=True)
    except TypeError:
        raise Refused(
            "y holds values of kinds that cannot be told apart: name every class by text or by a number."
        ) from None
    if len(names) < 2:
        raise Refused(f"y holds one class only ({names[0]}); there must be two or more.")
    return frozen(codes.astype(np.int64)), "class", tuple(map(str, names))


class NoData:
    """The source of `Dataset.none`."""

    name = "no data"

    def load(self) -> Dataset:
        return Dataset.none


def _without_rows() -> Dataset:
    """Empty a Dataset of one row: a table of a person's must never be empty, so `Dataset` itself refuses it."""
    none = Dataset([[0.0]], name=NoData.name, source=NoData())
    none.X, none.features = frozen(np.zeros((0, 0))), ()
    none.centre, none.spread = frozen(np.zeros(0)), frozen(np.ones(0))
    return none


Dataset.none = _without_rows()
