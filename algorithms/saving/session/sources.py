"""The data of a session: by name, as a path with the digest of the file's bytes, or row by row when they are few."""

import math
import os
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict, fields

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset, NoData, Source
from algorithms.core.errors import Refused
from algorithms.core.state import same
from algorithms.core.text import printable
from algorithms.data.named import MADE, NAMED
from algorithms.data.recipe import Recipe
from algorithms.saving.files import open_at_most

_BLOCK = 1 << 20  # bytes
MOST_NUMBERS = 5_000  # of data that stand in the session itself

Text = Annotated[str, Meta(max_length=500)]
Row = Annotated[tuple[float, ...], Meta(min_length=1, max_length=MOST_NUMBERS)]


class Named(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="name"):
    """A data set by name: a `Recipe` without what is as usual, the arguments of a made one among the rest."""

    recipe: Annotated[dict[Text, Any], Meta(max_length=100)]


class FromFile(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="file"):
    """A CSV file of the reader's.

    Attributes:
        recipe: as of a named one, with its path as the name: relative to the session's folder when it lies in it.
        digest: blake2b of its bytes.
        size: how many they are.
    """

    recipe: Annotated[dict[Text, Any], Meta(max_length=100)]
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    size: Annotated[int, Meta(ge=0, le=2**40)]


class Nothing(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="nothing"):
    """`Dataset.none`."""


class Embedded(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="from", tag="rows"):
    """A Dataset that was made by a script, as it is; it is a source of itself."""

    name: Text
    X: Annotated[tuple[Row, ...], Meta(min_length=1, max_length=MOST_NUMBERS)]
    features: Annotated[tuple[Text, ...], Meta(max_length=MOST_NUMBERS)]
    kind: Literal["none", "class", "number"] = "none"
    y: Annotated[tuple[float, ...], Meta(max_length=MOST_NUMBERS)] | None = None
    classes: Annotated[tuple[Text, ...], Meta(max_length=MOST_NUMBERS)] = ()
    target: Text = ""
    centre: Row | None = None
    spread: Row | None = None
    image: tuple[Annotated[int, Meta(ge=1, le=MOST_NUMBERS)], Annotated[int, Meta(ge=1, le=MOST_NUMBERS)]] | None = None
    notices: Annotated[tuple[Text, ...], Meta(max_length=20)] = ()
    held_out: "Embedded | None" = None
    names: Annotated[tuple[Text, ...], Meta(max_length=MOST_NUMBERS)] = ()

    def load(self) -> Dataset:
        """Load the Dataset; `Refused` says in a sentence what does not fit together."""
        if self.name == NoData.name and self.X == ((0.0,),):  # so sessions were written before there was `Nothing`
            return Dataset.none
        d = len(self.X[0])
        if d * len(self.X) > MOST_NUMBERS:
            raise Refused(f"{self.name} has more numbers than a session holds ({MOST_NUMBERS:,}).")
        if any(len(row) != d for row in self.X):
            raise Refused(f"the rows of {self.name} are not all of {d} numbers.")
        sides = [len(side) for side in (self.centre, self.spread) if side is not None]
        if sides not in ([], [d, d]):
            raise Refused(f"{self.name} is not scaled by one number a feature.")
        if self.spread is not None and 0.0 in self.spread:
            raise Refused(f"{self.name} is scaled by 0.")
        if (self.kind == "none") != (self.y is None) or (self.kind == "class") != bool(self.classes):
            raise Refused(f"the target of {self.name} is not what it is said to be.")
        if self.kind == "class" and not all(code in range(len(self.classes)) for code in self.y or ()):
            raise Refused(f"{self.name} has rows of a class that it does not have.")
        if self.image is not None and math.prod(self.image) != d:
            raise Refused(f"a row of {self.name} is no picture of {self.image[0]} by {self.image[1]}.")
        return Dataset(
            self.X,
            None if self.y is None else list(self.y),
            name=self.name,
            kind=None if self.kind == "none" else self.kind,
            features=self.features,
            classes=self.classes,
            target=self.target,
            centre=self.centre,
            spread=self.spread,
            image=self.image,
            notices=self.notices,
            held_out=self.held_out.load() if self.held_out is not None else None,
            source=self,
            names=self.names,
        )


Written: TypeAlias = Named | FromFile | Embedded | Nothing


def written(source: Source | None, data: Dataset, folder: Path) -> Written:
    """Write the data as they stand in a session that is in this folder.

    Raises:
        Refused: when a file cannot be read, or data that only a script can make are too many.
    """
    if not data:
        return Nothing()
    if isinstance(source, Recipe):
        recipe = _plain_recipe(source)
        if source.name in NAMED:
            return Named(recipe)
        size, digest = _digest(source.name)
        if not _same_rows(source.load(), data):
            raise Refused(f"{source.label} has changed since this run began: save the session once the run is on it.")
        return FromFile(recipe | {"name": _relative(Path(source.name), folder)}, digest, size)
    if data.map is not None:
        raise Refused(f"{data.name} was mapped by a script: a session holds it when the map is in its recipe (--map).")
    numbers = _count(data)
    if numbers > MOST_NUMBERS:
        raise Refused(
            f"{data.name} was made by a script and has {numbers:,} numbers, too many for a session ({MOST_NUMBERS:,}): "
            "save it as a CSV file and open that with --data."
        )
    return _embedded(data)


def source_of(data: Written, folder: Path, session: str) -> Source:
    """Read the source of a session's data, checked; the session is in this folder and called so.

    Raises:
        Refused: for a file that is not there, not plain, or holds other bytes than when it was saved.
    """
    if isinstance(data, Nothing):
        return NoData()
    if isinstance(data, Embedded):
        return data
    given = dict(data.recipe)
    name = given.pop("name", None)
    if not isinstance(name, str) or "self" in given or (name in NAMED) == isinstance(data, FromFile):
        raise Refused(f"{session} is damaged: it does not say what its data are.")
    if isinstance(data, FromFile):
        path = Path(os.path.normpath(folder / name))
        if _digest(path, data.size) != (data.size, data.digest):
            raise Refused(f"{path} is not the file that {session} was saved with: its bytes are others.")
        name = str(path)
    return Recipe(name=name).with_(**given)


def _same_rows(now: Dataset, then: Dataset) -> bool:
    return now is then or (same(now.X, then.X) and same(now.y, then.y))


def _plain_recipe(recipe: Recipe) -> dict[str, Any]:
    """Say what differs from the usual, by name; the arguments of a made set beside the rest, as `with_` takes them."""
    usual = Recipe(name=recipe.name)
    names = [field.name for field in fields(Recipe) if field.name != "made"]
    plain = {name: value for name, value in asdict(recipe).items() if name in names and value != getattr(usual, name)}
    own = dict(recipe.made) if recipe.name in MADE else {}
    return {"name": recipe.name, **plain, **own}


def _relative(path: Path, folder: Path) -> str:
    whole, base = Path(os.path.abspath(path)), Path(os.path.abspath(folder))
    return whole.relative_to(base).as_posix() if whole.is_relative_to(base) else str(whole)


def _digest(path: str | Path, size: int | None = None) -> tuple[int, str]:
    """Count the bytes of a file and digest them; of one that does not have `size` of them no byte is read."""
    digest = blake2b(digest_size=16)
    with open_at_most(path, "a table") as file:
        there = os.fstat(file.fileno()).st_size
        if size is not None and there != size:
            return there, ""
        try:
            while block := file.read(_BLOCK):
                digest.update(block)
        except OSError as error:
            raise Refused(f"{path} cannot be read: {error.strerror}.") from None
    return there, digest.hexdigest()


def _count(data: Dataset) -> int:
    own = data.X.size + (0 if data.y is None else data.y.size)
    return int(own) + (_count(data.held_out) if data.held_out is not None else 0)


def _embedded(data: Dataset) -> Embedded:
    return Embedded(
        name=printable(data.name)[:500],
        X=tuple(tuple(row) for row in data.X.tolist()),
        features=_texts(data.features),
        kind=data.kind,
        y=None if data.y is None else _numbers(data.y),
        classes=_texts(data.classes),
        target=printable(data.target),
        centre=_numbers(data.centre) if data.scaled else None,
        spread=_numbers(data.spread) if data.scaled else None,
        image=data.image,
        notices=_texts(data.notices),
        held_out=_embedded(data.held_out) if data.held_out is not None else None,
        names=_texts(data.names),
    )


def _numbers(values: Array) -> tuple[float, ...]:
    return tuple(values.astype(float).tolist())


def _texts(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(printable(text)[:500] for text in texts)
