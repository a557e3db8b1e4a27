"""What a recording says, record by record: the header, a step, the end."""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace

from algorithms.core.algorithm import Algorithm
from algorithms.core.contrast import Contrast
from algorithms.core.curves import Curve, Variable
from algorithms.core.dataset import Dataset, FeatureMap, NoData
from algorithms.core.errors import Refused
from algorithms.core.problem import Problem
from algorithms.core.theorems import Relation, Sides, Status, Theorem, Verdict
from algorithms.data.maps import MOST_NUMBERS, Bumps, Monomials
from algorithms.data.recipe import Recipe
from algorithms.saving.runlog.logfile import Damaged
from algorithms.saving.runlog.pack import Packer, Raw, Unpacker
from algorithms.saving.runlog.settings import recordable

LARGEST_DATA = 32 << 20  # bytes of rows that are recorded with the run
_Few = Meta(max_length=1000)


class RowsRecord(Struct, frozen=True, kw_only=True):
    """A Dataset: its rows where they are not too many, else how to find the same ones.

    Attributes:
        X, y: None where the rows are too many.
        recipe: how it was made, where it is made by name.
        map: the feature map of the rows, which are recorded as they were before it.
        digest: of the rows, by which the same ones are known.
    """

    name: str
    digest: bytes
    X: Raw | None = None
    y: Raw | None = None
    kind: Literal["none", "class", "number"] = "none"
    features: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    target: str = ""
    centre: Raw | None = None
    spread: Raw | None = None
    truth: dict[str, Any] = {}
    image: tuple[int, int] | None = None
    recipe: Recipe | None = None
    held_out: "RowsRecord | None" = None
    names: tuple[str, ...] = ()
    map: "MonomialsRecord | BumpsRecord | None" = None

    @classmethod
    def of(cls, data: Dataset) -> "RowsRecord":
        if data.map is not None:
            return replace(cls.of(data.inputs), digest=_digest(data), recipe=_recipe(data), map=_map_record(data.map))
        size = data.X.nbytes + (0 if data.y is None else data.y.nbytes)
        fits = size <= LARGEST_DATA
        packer = Packer()
        return cls(
            name=data.name,
            digest=_digest(data),
            X=Raw.of(data.X) if fits else None,
            y=Raw.of(data.y) if fits and data.y is not None else None,
            kind=data.kind,
            features=data.features,
            classes=data.classes,
            target=data.target,
            centre=Raw.of(data.centre) if data.scaled else None,
            spread=Raw.of(data.spread) if data.scaled else None,
            truth={name: _inline(packer, value) for name, value in data.truth.items()} if fits else {},
            image=data.image,
            recipe=_recipe(data),
            names=data.names if fits else (),
            held_out=RowsRecord.of(data.held_out) if data.held_out is not None and fits else None,
        )

    def dataset(self) -> Dataset | None:
        """Make the Dataset; None when its rows are not in the recording, nor known by name on this machine.

        Raises:
            Refused, Damaged: when it is none.
        """
        if self.X is None:
            return self._by_name()
        if self.X.shape == (0, 0) or (self.name == NoData.name and self.X.shape == (1, 1)):  # (1, 1) in older files
            return Dataset.none
        data = self._inputs()
        return data if self.map is None else data.mapped(self.map.feature_map(data), source=self.recipe)

    def _inputs(self) -> Dataset:
        """List the rows that are recorded."""
        assert self.X is not None
        return Dataset(
            self.X.array(),
            None if self.y is None else self._target(self.y),
            name=self.name,
            kind=None if self.y is None else self.kind,
            features=self.features,
            classes=self.classes,
            target=self.target,
            centre=None if self.centre is None else self.centre.array(),
            spread=None if self.spread is None else self.spread.array(),
            truth=Unpacker(_no_array).step(self.truth),
            image=self.image,
            held_out=None if self.held_out is None else self.held_out.dataset(),
            source=self.recipe if self.map is None else None,
            names=self.names,
        )

    def _target(self, y: Raw) -> Any:
        codes = y.array()
        if self.kind == "class" and (codes.dtype.kind != "i" or codes.min() < 0 or codes.max() >= len(self.classes)):
            raise Damaged("its rows are of classes that are not there")
        return codes

    def _by_name(self) -> Dataset | None:
        """Find a data set of ours, if it is what it was; a file is not looked for, whatever the recording says."""
        if self.recipe is None or self.recipe.about is None:
            return None
        data = self.recipe.load()
        return data if _digest(data) == self.digest else None


class MonomialsRecord(Struct, frozen=True, tag="monomials"):
    """`Monomials`."""

    title: str
    factors: tuple[tuple[int, ...], ...]

    def feature_map(self, data: Dataset) -> FeatureMap:
        """Make the map of these rows; `Damaged` when it is none."""
        if not all(0 <= j < data.d for factors in self.factors for j in factors):
            raise Damaged("its feature map is of features that are not there")
        if not 0 < data.n * len(self.factors) <= MOST_NUMBERS:
            raise Damaged("its feature map makes nothing, or too much")
        return Monomials(self.title, self.factors)


class BumpsRecord(Struct, frozen=True, tag="bumps"):
    """`Bumps`."""

    title: str
    centres: Raw
    width: float
    constant: bool = False

    def feature_map(self, data: Dataset) -> FeatureMap:
        """Make the map of these rows; `Damaged` when it is none."""
        centres = self.centres.array()
        if centres.ndim != 2 or centres.shape[1] != data.d or centres.dtype.kind != "f" or not self.width > 0:
            raise Damaged("its feature map has no centres among its features")
        if not 0 < data.n * len(centres) <= MOST_NUMBERS:
            raise Damaged("its feature map makes nothing, or too much")
        return Bumps(self.title, centres, self.width, self.constant)


class CurveRecord(Struct, frozen=True):
    """What a Curve declares.

    Attributes:
        along: the curve that it is drawn along, "" for the step; its name on the axis, and whether that is logarithmic.
    """

    name: str
    formula: str = ""
    chart: str = ""
    phases: tuple[str, ...] = ()
    log: bool = False
    along: str = ""
    letter: str = ""
    log_along: bool = False

    @classmethod
    def of(cls, curve: Curve, problem: Problem) -> "CurveRecord":
        """What a curve says of itself on a problem."""
        plain = cls(curve.name, curve.formula, curve.chart, curve.phases, curve.log)
        if curve.variable is None:
            return plain
        letter, log = curve.variable.axis(problem)
        return replace(plain, along=curve.variable.name, letter=letter, log_along=log)

    def curve(self, measure: Callable[[str], Callable[[Problem, Any], float]]) -> Curve:
        """The curve again, with what measures one by its name."""
        curve = Curve(self.name, measure(self.name), self.formula, self.chart, self.phases, self.log)
        if not self.along:
            return curve
        of = Variable(self.along, measure(self.along), lambda problem: self.letter, lambda problem: self.log_along)
        return replace(curve, along=of)


class TheoremRecord(Struct, frozen=True):
    """What a Theorem declares; what it rests on is not recorded, for that would have to be asked again."""

    statement: str
    source: str
    about: Literal["state", "step", "run"]
    phases: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    along: str = ""

    @classmethod
    def of(cls, theorem: Theorem) -> "TheoremRecord":
        return cls(theorem.statement, theorem.source, theorem.about, theorem.phases, theorem.proof, theorem.along)


class Header(Struct, frozen=True, kw_only=True):
    """What a recording begins with.

    Attributes:
        name: of the generator.
        catalogue: whether that is the name of one of ours.
        fields: those of the states, where they are declared; () for whatever a plain generator yields.
        wrong: for each event whether it is a sign that something is wrong; not after the last one given.
        anew: which problem each event begins, in the order of the events; "" for none, and after the last one given.
        contrast, in_hall: what is large in a hall.
        first, lines: the source of the generator; no lines where it was not to be had.
        view: how the fields of an undeclared run are shown, where that was said.
    """

    title: str
    name: str
    summary: str = ""
    rule: str = ""
    about: str = ""
    catalogue: bool = False
    fields: Annotated[tuple[str, ...], _Few] = ()
    parameters: dict[str, Any] = {}
    phases: dict[str, str] = {}
    events: Annotated[tuple[tuple[str, str], ...], _Few] = ()
    curves: Annotated[tuple[CurveRecord, ...], _Few] = ()
    theorems: Annotated[tuple[TheoremRecord, ...], _Few] = ()
    anew: Annotated[tuple[str, ...], _Few] = ()
    wrong: Annotated[tuple[bool, ...], _Few] = ()
    contrast: Contrast | None = None
    in_hall: str = ""
    references: tuple[str, ...] = ()
    file: str = ""
    first: int = 1
    lines: tuple[str, ...] = ()
    data: RowsRecord | None = None
    view: dict[str, str] = {}

    @classmethod
    def of(cls, algorithm: Algorithm, problem: Problem, fields: tuple[str, ...], catalogue: bool) -> "Header":
        """Write down what a declaration says; `fields` are () for a plain generator, whose curves are its numbers."""
        path, first, lines = algorithm.source
        file = Path(path).name  # whoever is given the recording need not know where it was made
        parameters = {p.name: getattr(problem.parameters, p.name) for p in algorithm.parameters}
        packer = Packer()
        return cls(
            title=algorithm.title,
            name=algorithm.name,
            summary=algorithm.summary.replace(path, file),
            rule=algorithm.rule,
            about=algorithm.about,
            catalogue=catalogue,
            fields=fields,
            parameters={name: packer.value(value) for name, value in recordable(parameters).items()},
            phases=algorithm.phases,
            events=tuple((event.name, event.phase) for event in algorithm.events),
            curves=tuple(CurveRecord.of(curve, problem) for curve in algorithm.curves) if fields else (),
            theorems=tuple(map(TheoremRecord.of, algorithm.theorems)),
            anew=tuple(event.anew for event in algorithm.events),
            wrong=tuple(event.wrong for event in algorithm.events),
            contrast=algorithm.contrast,
            in_hall=algorithm.in_hall,
            references=algorithm.references,
            file=file,
            first=first,
            lines=tuple(lines),
            data=RowsRecord.of(problem.data),
        )

    def values(self) -> dict[str, Any]:
        """Read the parameters by name; what is no parameter is its text."""
        return recordable(Unpacker(_no_array).step(self.parameters))


class VerdictRecord(Struct, frozen=True, array_like=True):
    """A theorem's verdict at a step; of its sides, in order, the names and the values."""

    status: Status
    why: str = ""
    relation: Relation = "<="
    slack: float = 0.0
    names: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    size: float | None = None

    @classmethod
    def of(cls, verdict: Verdict) -> "VerdictRecord":
        sides = verdict.sides
        if sides is None:
            return cls(verdict.status, verdict.why)
        return cls(verdict.status, verdict.why, sides.relation, sides.slack, sides.names, sides.values, sides.size)

    @property
    def sides(self) -> Sides | None:
        if len(self.names) < 2 or len(self.names) != len(self.values):
            return None
        return Sides(*zip(self.names, self.values), relation=self.relation, size=self.size, slack=self.slack)


class StepRecord(Struct, frozen=True, array_like=True):
    """One step.

    Attributes:
        t: how many there were before it.
        line: of the source.
        fields: the parts of the state by name, packed.
        frame: (name, short text) of the generator's local variables.
        remark: what is to be said of how it was yielded.
        curves: the value of each curve that has one.
        events: whether each happened.
        words: those of `explain`.
        point: the sentence of them that says most, "" where none is marked.
        warned: the warning that was raised on the way to it.
    """

    t: int
    iteration: int
    phase: str
    line: int
    fields: dict[str, Any]
    frame: tuple[tuple[str, str], ...] = ()
    remark: str = ""
    curves: dict[str, float] = {}
    events: tuple[bool, ...] = ()
    verdicts: tuple[VerdictRecord, ...] = ()
    words: str = ""
    point: str = ""
    warned: str = ""


class EndRecord(Struct, frozen=True, array_like=True):
    """Why there is no next step; `details`, the traceback, when it failed."""

    reason: str
    line: int = 0
    details: str = ""


class SeamRecord(Struct, frozen=True, array_like=True):
    """That the recording goes on, after a restart.

    Attributes:
        words: what was different then, "" for nothing.
    """

    words: str = ""


def _recipe(data: Dataset) -> Recipe | None:
    return data.source if isinstance(data.source, Recipe) and data.source.about is not None else None


def _map_record(by: FeatureMap) -> MonomialsRecord | BumpsRecord:
    """Write down a map as it is recorded.

    Raises:
        Refused: for a map of a script's own.
    """
    match by:
        case Monomials():
            return MonomialsRecord(by.title, by.factors)
        case Bumps():
            return BumpsRecord(by.title, Raw.of(by.centres), by.width, by.constant)
    raise Refused(f"the {by.title} is of a script's own, and cannot be recorded: map the rows, and record those.")


def _digest(data: Dataset) -> bytes:
    digest = blake2b(str(data.X.shape).encode(), digest_size=16)
    for column in (data.X, data.y):
        if column is not None:
            digest.update(np.ascontiguousarray(column).data)
    return digest.digest()


def _inline(packer: Packer, value: Any) -> Any:
    """Write down what is known of made data; a large array stands in the header itself."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        return {"=": Raw.of(value)}
    if isinstance(value, tuple | list):
        return [_inline(packer, part) for part in value]
    if isinstance(value, Struct):
        value = {name: getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {"#": {str(name): _inline(packer, part) for name, part in value.items()}}
    return packer.value(value)


def _no_array(number: int) -> bytes:
    raise Damaged("it speaks of an array that cannot be there")
