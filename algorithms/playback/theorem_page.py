"""The page of a theorem at a step: its sides, what its letters mean, what it rests on, why it is true."""

from msgspec import Struct

from algorithms.core.errors import in_words
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.theorem import Theorem, Undecided, Verdict, hypothesis
from algorithms.lectures import stated_by
from algorithms.playback.expecting import Expecting
from algorithms.sweeping.expected import Estimate
from algorithms.timeline import Frame, Timeline


class SymbolNow(Struct, frozen=True):
    """A letter, what it means, and its value at the step; None where it has none."""

    letter: str
    meaning: str
    value: float | None


class HypothesisNow(Struct, frozen=True):
    """What a theorem rests on, whether it is met (None: that is not known), and why it is not."""

    words: str
    met: bool | None
    why: str = ""


class TheoremPage(Struct, frozen=True):
    """All that an opened theorem shows.

    Attributes:
        number, count: which of how many it is, from 1.
        verdict: how it stands at the step.
        verdicts: how each of the algorithm's theorems stands there, in order.
        phase: of the step.
        links: what is left between neighbouring sides, and what rounding is forgiven there.
        failed: the first step at which it did not hold, None if it always did.
        estimate: of what holds on average, the mean over the runs so far.
        lectures: the statements of the lectures that it shows: "A20 (Lecture 6: slack, Rem 1.15)".
    """

    number: int
    count: int
    verdict: Verdict
    verdicts: tuple[Verdict, ...]
    phase: str
    symbols: tuple[SymbolNow, ...]
    hypotheses: tuple[HypothesisNow, ...]
    links: tuple[tuple[float, float], ...]
    failed: int | None
    estimate: Estimate | None = None
    lectures: tuple[str, ...] = ()

    @property
    def theorem(self) -> Theorem:
        return self.verdict.theorem


def theorem_page(run: Timeline, frame: Frame, index: int, expecting: Expecting | None = None) -> TheoremPage:
    """Make the page of one of an algorithm's theorems at a step of a run; its expectations come after them."""
    problem, verdicts = run.problem_at(frame.t), run.verdicts(frame)
    estimate = None
    if expecting is not None:
        estimate = expecting.estimate(run, index - len(verdicts)) if index >= len(verdicts) else None
        verdicts = (*verdicts, *expecting.verdicts(run))
    verdict = verdicts[index]
    theorem, sides = verdict.theorem, verdict.sides
    values = sides.values if sides is not None else ()
    between = zip(values, values[1:], sides.tolerances if sides is not None else ())
    failed = [failure.t for failure in run.failures if failure.verdict.theorem.statement == theorem.statement]
    return TheoremPage(
        number=index + 1,
        count=len(verdicts),
        verdict=verdict,
        verdicts=tuple(verdicts),
        phase=frame.state.phase,
        symbols=tuple(_symbols(run, problem, frame.state)),
        hypotheses=(*_of_the_run(run, frame, theorem), *_stated(theorem, problem, frame.state)),
        links=tuple((b - a, forgiven) for a, b, forgiven in between),
        failed=min(failed, default=None),
        estimate=estimate,
        lectures=tuple(f"{one.id} ({one.section})" for one in stated_by(theorem.statement, run.algorithm.name)),
    )


def _symbols(run: Timeline, problem: Problem, state: State) -> list[SymbolNow]:
    """List the letters with their values; one whose value raises has none."""
    symbols = []
    for letter, (meaning, measure) in run.algorithm.symbols.items():
        try:
            value = None if measure is None else measure(problem, state)
            symbols.append(SymbolNow(letter, meaning, None if value is None else float(value)))
        except Exception:  # it may be a reader's own function
            symbols.append(SymbolNow(letter, meaning, None))
    return symbols


def _of_the_run(run: Timeline, frame: Frame, theorem: Theorem) -> list[HypothesisNow]:
    """Say what `about` and `phases` ask of the run."""
    rests: list[HypothesisNow] = []
    if theorem.about == "run":
        rests.append(HypothesisNow("no fork and no edit came between", not run.changed_at(frame.t)))
    if theorem.about == "step":
        rests.append(HypothesisNow("there is a step before", frame.before is not None))
    if theorem.phases:
        phases = " or ".join(theorem.phases)
        rests.append(HypothesisNow(f"the step is of the phase {phases}", frame.state.phase in theorem.phases))
    return rests


def _stated(theorem: Theorem, problem: Problem, state: State) -> list[HypothesisNow]:
    rests: list[HypothesisNow] = []
    for words, test in theorem.hypotheses.items():
        try:
            unmet = hypothesis(words, test, problem, state)
        except Exception as error:
            rests.append(HypothesisNow(words, None, in_words(error)))
            continue
        met = True if unmet is None else None if isinstance(unmet, Undecided) else False
        rests.append(HypothesisNow(words, met, "" if unmet is None else unmet.why))
    return rests
