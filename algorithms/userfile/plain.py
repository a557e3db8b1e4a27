"""A plain generator function as an Algorithm: what it can declare is read from its signature, source and yields."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct

from algorithms.core.algorithm import Algorithm, Needs
from algorithms.core.dataset import Dataset, NoData, Source
from algorithms.core.errors import Refused
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.data.recipe import Recipe
from algorithms.userfile.happenings import EVENTS, Happenings
from algorithms.userfile.numbers import YieldedNumbers, field_with_nan
from algorithms.userfile.scene import explain, scene
from algorithms.userfile.signature import Takes, complete, stand_in
from algorithms.userfile.state import START, STEP, PlainState
from algorithms.userfile.steps import Script
from algorithms.userfile.view import NO_VIEW, View

_LOOKED_AT = 20  # steps after which what VIEW names should have been yielded
S = TypeVar("S", bound=State)
Start = Callable[[Dataset, dict[str, Any]], Iterator[PlainState]]


class Description(Struct, frozen=True):
    """A generator function in words and types, as one process can send it to another."""

    name: str
    about: str
    script: Script
    takes: Takes
    view: View = NO_VIEW


class PlainAlgorithm(Algorithm):
    """A generator function of the reader's; its curves are found as it yields numbers.

    Args:
        described: what it is.
        start: (data, parameters) -> the states of a new run.
        data: what it starts with, if not what suits its arguments.

    Attributes:
        notices: what a person should be told of how it behaves, each once.
        view: how its fields are shown.
    """

    def __init__(self, description: Description, start: Start, data: Source | None = None):
        takes = description.takes
        summary = description.about.strip().split("\n\n")[0].replace("\n", " ")
        super().__init__(
            stand_in(description.name, ((a.name, Any if a.needed else a.type, a.default) for a in takes.parameters)),
            title=description.name,
            summary=summary or f"{description.name}, from {description.script.file}",
            rule="",
            needs=Needs(rows=0),
            phases={START: "called; it has yielded nothing yet", STEP: "what it yielded"},
            scene=partial(scene, view=description.view),
            explain=partial(explain, view=description.view),
            events=EVENTS,
            datasets=(data or usual_data(takes),),
        )
        self.description = description
        self.notices: list[str] = []
        self._begin = start
        self.view = description.view
        self._numbers = YieldedNumbers(self.view)
        self.yielded = self._numbers.fields

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what is known of it; its code is not."""
        return _unpickled, (self.description, self.datasets[0], self.yielded, self.notices)

    @property
    def name(self) -> str:
        return self.description.name

    @property
    def family(self) -> str:
        return "own"

    @property
    def about(self) -> str:
        return self.description.about

    resumes = False  # what it keeps in its own variables cannot be had again

    @property
    def source(self) -> tuple[str, int, list[str]]:
        script = self.description.script
        return script.file, script.first, list(script.lines)

    def problem(self, X: Any = None, y: Any = None, parameters: Mapping[str, Any] | None = None) -> Problem:
        return super().problem(X, y, complete(self.description.takes.parameters, parameters or {}, self.title))

    def checked(self, parameters: Mapping[str, Any]) -> Any:
        return super().checked(complete(self.description.takes.parameters, parameters, self.title))

    def afresh(self) -> "PlainAlgorithm":
        """The same generator, of which nothing has been learned yet."""
        return PlainAlgorithm(self.description, self._begin, self.datasets[0])

    def check(self, data: Dataset) -> None:
        if self.description.takes.data.endswith("and target") and data.y is None:
            raise Refused(f"{self.title} takes a target, and {data.name} has none. Choose the target (--target).")

    def start(self, problem: Problem, state: State | None = None) -> Any:
        """Begin a new run; numbers that come become curves."""
        if state is not None:
            raise Refused(f"{self.title} cannot be taken up again from a state.")
        values = {a.name: getattr(problem.parameters, a.name) for a in self.description.takes.parameters}
        return WatchedStates(self._begin(problem.data, values), self.tell, self._noted(Happenings()), self.check_view)

    def _noted(self, happenings: Happenings) -> Callable[[PlainState], PlainState]:
        """Make what a run's states are noted by, on their way."""

        def noted(state: PlainState) -> PlainState:
            state = happenings.seen(state)
            self.note(state)
            while happenings.notices:
                self.tell(happenings.notices.pop(0))
            return state

        return noted

    def note(self, state: PlainState) -> None:
        """Learn from a state what there is to be followed, and what is to be told."""
        self.curves = self._numbers.curves_with(state)
        if state.phase not in self.phases:
            self.phases = {**self.phases, state.phase: "a phase that it yields"}
        if state.remark:
            self.tell(state.remark)
        if state.t == _LOOKED_AT:
            self.check_view()

    def check_view(self) -> None:
        """Tell of a name in VIEW that no field has."""
        unknown = self.view.unknown((*self.yielded, *self.description.takes.names)) if self.yielded else ""
        if unknown:
            self.tell(unknown)

    def tell(self, notice: str) -> None:
        """Give a notice, unless it was given before."""
        if notice not in self.notices:
            self.notices.append(notice)


def _unpickled(
    description: Description, data: Source, yielded: Mapping[str, Any], notices: list[str]
) -> PlainAlgorithm:
    """Make what came out of a pickle: its runs so far can be looked at, and it makes no other."""

    def start(data: Dataset, values: dict[str, Any]) -> Iterator[PlainState]:
        raise Refused(f"{description.name} came out of a pickle, which holds no code: load its file to run it again.")

    algorithm = PlainAlgorithm(description, start, data)
    algorithm.note(PlainState(fields=tuple(yielded.items())))
    algorithm.notices.extend(notices)
    return algorithm


def _as_it_is(state: S) -> S:
    """Nothing is learned from a state whose class says what is in it."""
    return state


class WatchedStates(Iterator[S]):
    """The states of a run; what it has to tell is told, and each state noted on its way.

    Args:
        steps: the run; `gi_frame` is the one place at which it says where it stands.
        tell: is given its notices.
        note: is given its states, and gives them with what happened in them.
        ended: is called when there are no more.

    Attributes:
        first_nan: the first step whose state holds a nan, None while none does.
    """

    def __init__(
        self,
        steps: Any,
        tell: Callable[[str], None],
        note: Callable[[S], S] = _as_it_is,
        ended: Callable[[], None] = lambda: None,
    ):
        self._steps, self._tell, self._note, self._ended = steps, tell, note, ended
        self.gi_frame = steps.gi_frame
        self.first_nan: int | None = None

    def __next__(self) -> S:
        try:
            state: S = next(self._steps)
        except StopIteration:
            self._ended()
            raise
        finally:
            for notice in getattr(self._steps, "notices", ()):
                self._tell(notice)
        state = self._note(state)
        if self.first_nan is None and (name := field_with_nan(state)):
            self.first_nan = state.t
            self._tell(f"the first nan is at step {state.t:,}, in {name}")
        return state


def usual_data(takes: Takes) -> Source:
    """Choose what a function is started with when no data are named."""
    if takes.data == "nothing":
        return NoData()
    if takes.data.endswith("and target"):
        return Recipe(name="iris").with_(positive="setosa")
    return Recipe(name="faithful").with_(scale=True)
