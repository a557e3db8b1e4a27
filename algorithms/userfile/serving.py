"""In the process of a reader's file with a full ALGORITHM: its functions answer what the screen's process asks."""

import inspect
import traceback
from collections.abc import Callable, Generator
from itertools import islice
from typing import Any

from algorithms.core.algorithm import Algorithm
from algorithms.core.errors import Raised, Refused
from algorithms.core.problem import Problem
from algorithms.data.recipe import Recipe
from algorithms.userfile.steps import as_raised
from algorithms.userfile.wire import ChildSide

Answer = tuple[str, Any]


def declaration(algorithm: Algorithm) -> dict[str, Any]:
    """Send all that an Algorithm is made of, as the arguments that make it and what can be read of its generator."""
    given = [name for name in inspect.signature(Algorithm.__init__).parameters if name not in ("self", "run", "events")]
    keyword_only = [p for p in inspect.signature(algorithm.run).parameters.values() if p.kind is p.KEYWORD_ONLY]
    hints = inspect.get_annotations(algorithm.run, eval_str=True)
    try:
        source = algorithm.source
    except (OSError, TypeError):
        source = algorithm.run.__code__.co_filename, algorithm.run.__code__.co_firstlineno, []
    return {
        "given": {name: getattr(algorithm, name) for name in given}
        | {"datasets": [s if isinstance(s, Recipe) else (s.name, s.load) for s in algorithm.datasets]},
        "events": [(e.name, e.phase, None if e.phase else e.happened, e.anew, e.wrong) for e in algorithm.events],
        "parameters": [(p.name, hints[p.name], p.default) for p in keyword_only],
        "name": algorithm.name,
        "about": algorithm.about,
        "source": source,
        "resumes": algorithm.resumes,
    }


class Service:
    """Answers requests about one algorithm.

    Args:
        algorithm: the reader's.
        side: what passes between the processes.
    """

    def __init__(self, algorithm: Algorithm, side: ChildSide):
        self._algorithm, self._side = algorithm, side
        self._file = algorithm.run.__code__.co_filename
        self._replays: dict[int, Generator[Any, None, str]] = {}

    def answer(self, request: bytes) -> Answer:
        """Give what is asked for, or the error that it raised: ("answer", it), ("refused", why), ("raised", ...)."""
        try:
            kind, number, arguments = self._side.unpack(request)
        except KeyError:
            return "gone", None
        except Refused as refusal:
            return "refused", str(refusal)
        except Exception as error:
            return self._error(error)
        try:
            return "answer", _ANSWERS[kind](self, number, arguments)
        except Refused as refusal:
            return "refused", str(refusal)
        except StopIteration as end:
            return "ended", str(end.value or "")
        except BaseException as error:  # SystemExit among them
            return self._error(error)

    def _error(self, error: BaseException) -> Answer:
        failure = as_raised(error, self._file)
        return "raised", (failure.reason, failure.line, failure.details)

    def _call(self, function: Callable[..., Any], arguments: Any) -> Any:
        return function(*arguments)

    def _replay(self, number: int, arguments: tuple[Problem, Any, int]) -> tuple[list[Any], str | None]:
        """Get the next states of a replay, which is begun when its number is new; and why there are no more."""
        problem, state, most = arguments
        if number not in self._replays:
            if len(self._replays) > 16:
                self._replays.pop(next(iter(self._replays))).close()
            self._replays[number] = self._algorithm.start(problem, state)
        states = list(islice(self._replays[number], most))
        return states, None if len(states) == most else "ended"


_ANSWERS: dict[str, Callable[[Service, Any, Any], Any]] = {"call": Service._call, "replay": Service._replay}


def run_of(algorithm: Algorithm, problem: Problem, state: Any, say: Callable[[str, Any], None]) -> None:
    """Say every state of a run, with the place of its yield, and how it ended."""
    file = algorithm.run.__code__.co_filename
    try:
        run = algorithm.start(problem, state)
        place = getattr(run, "gi_frame", None)
        while True:
            state = next(run)
            say("state", (state, getattr(place, "f_lasti", 0), getattr(place, "f_lineno", 0)))
    except StopIteration as end:
        say("ended", str(end.value or "the run has ended")[:500])
    except BrokenPipeError:
        raise
    except Raised as error:
        say("raised", (error.reason, error.line, error.details))
    except BaseException as error:
        failure = as_raised(error, file)
        say("raised", (failure.reason, failure.line, failure.details[-20_000:] or traceback.format_exc()))
