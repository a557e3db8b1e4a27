"""LoadedRun: what is being watched, checked and ready to run, with the words that name it."""

from collections.abc import Generator
from time import perf_counter
from typing import Any

from msgspec import Struct

from algorithms.core import Algorithm, Dataset, Refused, Source
from algorithms.core.parameters import as_typed
from algorithms.playback.cursor.player import Player
from algorithms.timeline import Timeline

_PATIENCE = 5.0  # seconds that the first step of an edited file is waited for; its process has to begin first


class LoadedRun(Struct, frozen=True, eq=False):
    """An algorithm on data with parameters.

    Attributes:
        parameters: those that were given; the others have their defaults.
        recipe: how the data was made.
        spec: the reader's file or module, or the recording, that it came from; "" for one of the catalogue.
    """

    algorithm: Algorithm
    recipe: Source
    data: Dataset
    parameters: dict[str, Any]
    spec: str = ""

    @classmethod
    def checked(cls, algorithm: Algorithm, recipe: Source, parameters: dict[str, Any], spec: str = "") -> "LoadedRun":
        """Load the data and check that all go together; `Refused` says in a sentence why not."""
        data = recipe.load()
        algorithm.problem(data, None, parameters)
        return cls(algorithm, recipe, data, parameters, spec)

    @classmethod
    def usual(cls, algorithm: Algorithm) -> "LoadedRun":
        """Load an algorithm on the first data set it starts with, or with the first of its settings."""
        return cls.checked(algorithm, algorithm.datasets[0], dict(algorithm.settings[0]))

    @classmethod
    def of_generator(cls, generator: Generator[Any, None, Any]) -> "LoadedRun":
        """Take a generator that the reader has begun, which goes on in this process."""
        from algorithms.userfile import running_algorithm

        return cls.usual(running_algorithm(generator))

    def again(self) -> "LoadedRun":
        """Load the same after the reader's file was edited; `Refused` when it cannot be opened any more."""
        from algorithms.saving.loading import load

        if self.algorithm.recorded:
            return recording(self.spec)
        return LoadedRun.checked(load(self.spec, apart=True), self.recipe, self.parameters, self.spec)

    def timeline(self) -> Timeline:
        """Begin a new run of it."""
        return Timeline(self.algorithm, self.data, self.parameters)

    def parameter_words(self, parameters: Any) -> tuple[str, ...]:
        """List the checked parameters that have an effect, with their values, those that were given first: ("k 3",)."""
        algorithm = self.algorithm
        effective = [p.name for p in algorithm.parameters if not algorithm.changes_nothing(p.name, parameters)]
        names = sorted(effective, key=lambda name: name not in self.parameters)
        return tuple(f"{name} {as_typed(getattr(parameters, name))}" for name in names)


def loaded_again(loaded: LoadedRun, pace: int = 2) -> tuple[LoadedRun, Player]:
    """Load a reader's edited file with a player of a new run.

    Raises:
        Refused: when it cannot be opened any more, or fails before there is a step to show.
    """
    again = loaded.again()
    player = Player(again.timeline(), pace)
    if not again.algorithm.recorded:
        _refuse_without_a_step(player.timeline)
    return again, player


def _refuse_without_a_step(run: Timeline) -> None:
    """Refuse a run that fails before its first step, as far as that shows in a moment."""
    until = perf_counter() + _PATIENCE
    while run.last == 0 and run.stopped is None and perf_counter() < until:
        run.advance(1, until - perf_counter())  # of a file's own process, it asks but for a moment
    stopped = run.stopped
    if stopped is not None and stopped.failed and run.last == 0:
        where = f" in line {stopped.line}" if stopped.line else ""
        raise Refused(f"it fails{where} before its first step: {stopped.reason}")


def recording(path: str) -> LoadedRun:
    """Load a recording, to be followed while it grows; `Refused` says why there is none."""
    from algorithms.saving.runlog import LoggedRun

    recorded = LoggedRun(path, follow=True)
    return LoadedRun.checked(recorded, recorded.datasets[0], {}, path)


def problem_with(algorithm: Algorithm, recipe: Source) -> str:
    """Tell why this algorithm cannot run on that data, "" if it can."""
    try:
        algorithm.check(recipe.load())
    except Refused as refusal:
        return str(refusal)
    return ""
