"""The steps of a run, measured as they are made, with nothing kept."""

import math
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from algorithms.core.algorithm import Algorithm, Run
from algorithms.core.errors import Raised, in_words
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.theorems import Verdict
from algorithms.saving.runlog import Recorder
from algorithms.timeline.hooks import Hooks
from algorithms.userfile.state import START, PlainState


class Step(Struct, frozen=True):
    """What is said of one step.

    Attributes:
        values: of each curve, None where it has none; NaN where a reader's generator yielded that.
        verdicts: of each theorem.
        fields: what else a reader's generator yielded, by name: arrays and texts.
    """

    t: int
    iteration: int
    phase: str
    values: tuple[float | None, ...]
    verdicts: tuple[Verdict, ...]
    fields: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, algorithm: Algorithm, state: State, values: Sequence[float], verdicts: tuple[Verdict, ...]) -> "Step":
        """Say of a state what was measured there."""
        known = (
            None if math.isnan(value) and not state.is_nan(curve.name) else value
            for curve, value in zip(algorithm.curves, values)
        )
        fields = state.fields if isinstance(state, PlainState) else ()
        others = tuple((name, value) for name, value in fields if isinstance(value, np.ndarray | str))
        return cls(state.t, state.iteration, state.phase, tuple(known), verdicts, others)


class Measured(Protocol):
    """Steps of an algorithm, one after another."""

    @property
    def algorithm(self) -> Algorithm: ...

    def __iter__(self) -> Iterator[Step]: ...


def _nothing() -> None:
    """Go on."""


class Steps:
    """The steps of a run that are asked for, measured as they come.

    Args:
        every: so manieth steps, counted from 0, and the last.
        most: the step to stop at.
        recorder: where every step is recorded, whichever are asked for.
        between: called before each step; what it raises ends the run.

    Attributes:
        last: the step the run has come to.
        reason: why there are no more, once that is known.
        failed: whether that is an error that a step raised.
        hooks: what measures them; its `troubles` are the curves and theorems that raised.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        problem: Problem,
        every: int = 1,
        most: float = math.inf,
        recorder: Recorder | None = None,
        between: Callable[[], object] = _nothing,
    ):
        self.algorithm, self.problem, self.every, self.most = algorithm, problem, every, most
        self._recorder, self._between = recorder, between
        self.hooks = Hooks(algorithm, problem)
        self.last, self.reason, self.failed = 0, "", False

    def __iter__(self) -> Iterator[Step]:
        run = self.algorithm.start(self.problem)
        before: State | None = None
        state: State = next(run)
        while not self.reason:
            self._between()
            if self._recorder is not None:
                self._recorder.keep(before, state, _line(run))
            asked = state.t % self.every == 0
            called = isinstance(state, PlainState) and state.phase == START  # its curves are known once it has yielded
            early = asked and not called
            if early:
                yield self._measured(before, state)  # before the next, which may take long or end the process
            following: State | None = None
            if state.t >= self.most:
                self._end(f"stopped at step {state.t}, as asked")
            else:
                following = self._following(run)
            if not early and (asked or following is None):
                yield self._measured(before, state)
            if following is not None:
                before, state, self.last = state, following, following.t

    def _following(self, run: Run[Any]) -> State | None:
        try:
            following: State = next(run)
        except StopIteration as end:
            self._end(str(end.value or "the run has ended"))
        except Raised as error:
            self._end(error.reason, error.line, error.details)
            self.reason = in_words(error)
        except KeyboardInterrupt as error:
            if self._between is _nothing:
                raise
            self._between()  # it raises, if this was an interrupt, and not the algorithm's own
            self._end(type(error).__name__, 0, "".join(traceback.format_exception(error)))
        except (Exception, SystemExit) as error:
            self._end(f"{type(error).__name__}: {error}", 0, "".join(traceback.format_exception(error)))
        else:
            return following
        return None

    def _end(self, reason: str, line: int = 0, details: str = "") -> None:
        """Say what ended the run; details, when it failed."""
        self.reason, self.failed = reason, bool(details)
        if self._recorder is not None:
            self._recorder.end(reason, line, details)

    def _measured(self, before: State | None, state: State) -> Step:
        return Step.of(self.algorithm, state, self.hooks.values(state), self.hooks.verdicts(before, state))


def _line(run: Run[Any]) -> int:
    """Say where a generator stands; 0 for what is none."""
    place = getattr(run, "gi_frame", None)
    return place.f_lineno if place is not None else 0
