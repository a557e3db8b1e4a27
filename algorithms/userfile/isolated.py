"""A reader's file, looked at and run in other processes."""

import weakref
from collections.abc import Callable, Iterator
from threading import Lock
from time import monotonic
from typing import Any

from algorithms.core.algorithm import Algorithm
from algorithms.core.curves import Event, phase_event
from algorithms.core.dataset import Dataset
from algorithms.core.errors import NotYet, Raised, Refused
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.data.recipe import Recipe
from algorithms.userfile.importing import IMPORTING, told
from algorithms.userfile.plain import Description, PlainAlgorithm, WatchedStates
from algorithms.userfile.process import Child, ChildStates, ChildStatesFromStart, Garbled
from algorithms.userfile.signature import stand_in
from algorithms.userfile.state import PlainState
from algorithms.userfile.wire import ParentSide, RemoteFunction, unpack

_PATIENCE = 5.0  # seconds that one of its functions may take to answer
_REPLAYING = 60.0  # seconds that a few steps may take
_BATCH = 16  # steps of a replay that are asked for at once, at most


def open_isolated(spec: str) -> Algorithm:
    """Load what `spec` speaks of, imported and run in processes of its own.

    Raises:
        Refused: when it cannot be imported, or takes too long to be.
    """
    asker = RemoteCalls(spec)
    content = asker.first()
    if isinstance(content, Description):
        asker.close()
        return _plain(spec, content)
    return IsolatedAlgorithm(spec, content, asker)


def _plain(spec: str, description: Description) -> PlainAlgorithm:
    def start(data: Dataset, values: dict[str, Any]) -> Iterator[PlainState]:
        return ChildStatesFromStart(spec, (data, values), description.script.first)

    return PlainAlgorithm(description, start)


class RemoteCalls:
    """Asks the functions of a reader's file, in a process that is begun again when one of them does not answer.

    Attributes:
        broken: why a declared function is not asked any more, by its name.
        printed: what the file printed last, in short.
    """

    def __init__(self, spec: str):
        self._spec = spec
        self._lock = Lock()
        self._child: Child | None = None
        self._side = ParentSide()
        self._begun = 0
        self.broken: dict[str, str] = {}
        self.printed = ""

    def first(self) -> Any:
        """Ask what there is: the declaration, or the description of a plain generator."""
        with self._lock:
            return self._begin()

    def close(self) -> None:
        """End the process; it is begun again when something is asked."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _begin(self) -> Any:
        self.close()
        self._begun += 1
        self._side = ParentSide()
        self._child = child = Child({"spec": self._spec, "start": None, "first": self._begun << 32})
        weakref.finalize(self, child.kill)  # nobody can ask any more
        try:
            with told():
                message = self._message(child, IMPORTING)
        except Garbled as error:
            self.close()
            raise Refused(f"{self._spec} cannot be opened: {error}.") from None
        except NotYet:
            self.close()
            raise Refused(f"{self._spec} was not imported within {IMPORTING:g} seconds.") from None
        except EOFError:
            words = child.last_words
            self.close()
            raise Refused(f"{self._spec} ended the process while it was imported{words}.") from None
        match message:
            case "described", Description() as description:
                return description
            case "declared", dict() as declaration:
                return declaration
            case "refused", str(reason):
                self.close()
                raise Refused(reason)
        self.close()
        raise Refused(f"{self._spec} cannot be opened: it writes into the pipe of its process ({message[0][:40]!r}).")

    def call(self, function: RemoteFunction, arguments: tuple[Any, ...]) -> Any:
        """Get the answer of one of the file's functions.

        Raises:
            Raised: what it raised, or that it did not answer; then it is not asked again.
            Refused: what it refused.
        """
        if function.hook in self.broken:
            raise Raised(self.broken[function.hook], 0, self.broken[function.hook])
        return self._ask(("call", function, arguments), _PATIENCE, function.hook)

    def states(self, number: int, problem: Problem, state: State | None, most: int) -> tuple[list[State], str | None]:
        """Get the next states of a replay from `state`, and why there are no more, or None."""
        states: tuple[list[State], str | None] = self._ask(("replay", number, (problem, state, most)), _REPLAYING, "")
        return states

    def _ask(self, request: tuple[Any, ...], seconds: float, hook: str) -> Any:
        with self._lock:
            if self._child is None:
                self._begin()
            child = self._child
            assert child is not None
            body = self._side.pack(request)
            child.send(self._side.oldest.to_bytes(8, "big") + body)
            try:
                kind, content = self._message(child, seconds, hook)
            except Garbled as error:
                self.close()
                raise Raised(str(error), 0, str(error)) from None
            except NotYet:
                self.close()
                why = f"{hook or 'a replay'} did not answer within {seconds:g} seconds"
                if hook:
                    self.broken[hook] = f"{why}, and is not asked again"
                raise Raised(why, 0, why) from None
            except EOFError:
                why = f"{hook or 'a replay'} ended its process ({child.status()})"
                self.close()
                if hook:
                    self.broken[hook] = f"{why}, and is not asked again"
                raise Raised(why, 0, why) from None
            finally:
                self.printed = child.printed() or self.printed
        match kind, content:
            case "answer", answer:
                return answer
            case "refused", str(reason):
                raise Refused(reason)
            case "gone", _:
                raise Raised("it was made before its process was begun again", 0, "")
            case "raised", (str(reason), int(line), str(details)):
                raise Raised(reason, line, details)
        raise Raised(f"its process answered {kind[:40]!r}, which is no answer", 0, "")

    def _message(self, child: Child, seconds: float, hook: str = "") -> tuple[str, Any]:
        """Wait for the next message; what it prints meanwhile is read, so that it never waits for that."""
        until = monotonic() + seconds
        while True:
            try:
                return child.message(0.1, lambda body: unpack(body, self.call, hook))
            except NotYet:
                child.printed()
                if monotonic() > until:
                    raise


class _AskedSource:
    """Data that the reader's file makes itself."""

    def __init__(self, name: str, load: Callable[[], Dataset]):
        self.name, self._load = name, load

    def load(self) -> Dataset:
        return self._load()


class IsolatedAlgorithm(Algorithm):
    """A full ALGORITHM of a reader's file, which runs, and whose functions answer, in other processes."""

    apart = True

    def __init__(self, spec: str, declaration: dict[str, Any], asker: RemoteCalls):
        self._spec, self._asker, self._declaration = spec, asker, declaration
        given = dict(declaration["given"])
        given["datasets"] = tuple(s if isinstance(s, Recipe) else _AskedSource(*s) for s in given["datasets"])
        events = tuple(
            phase_event(phase) if happened is None else Event(name, happened, "", anew, wrong)
            for name, phase, happened, anew, wrong in declaration["events"]
        )
        super().__init__(stand_in(declaration["name"], declaration["parameters"]), events=events, **given)
        self._heard: list[str] = []
        self._replays = 0

    @property
    def notices(self) -> list[str]:  # type: ignore[override]
        """Say what it printed, in short."""
        printed = [f"it prints: {self._asker.printed}"] if self._asker.printed else []
        return (self._heard or printed)[:1]

    @property
    def family(self) -> str:
        return "own"

    @property
    def about(self) -> str:
        return str(self._declaration["about"])

    @property
    def resumes(self) -> bool:
        return bool(self._declaration["resumes"])

    @property
    def source(self) -> tuple[str, int, list[str]]:
        file, first, lines = self._declaration["source"]
        return file, first, list(lines)

    def start(self, problem: Problem, state: State | None = None) -> Any:
        """Yield the states of a run in a process of its own."""
        if state is not None and not self.resumes:
            raise Refused(f"{self.title} cannot be taken up again from a state.")
        packed = ParentSide().pack((problem, state))
        return WatchedStates(ChildStates(self._spec, packed, self.source[1], IMPORTING), self.tell)

    def replay(self, problem: Problem, state: State) -> Any:
        """Yield what comes after a state, again; asked for a few steps at a time."""
        self._replays += 1
        number, most = self._replays, 1
        while True:
            states, ended = self._asker.states(number, problem, state, most)
            yield from states
            if ended is not None or not states:
                return ended or ""
            state, most = states[-1], min(2 * most, _BATCH)

    def tell(self, notice: str) -> None:
        """Keep a notice of a run of it; the first is enough."""
        self._heard = self._heard or [notice]
