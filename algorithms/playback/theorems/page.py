"""The page of a theorem at a step: its sides, now and over the run, what its letters mean, what it rests on, why it is
true."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.errors import in_words
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.theorems import ROUNDING, Theorem, Undecided, Verdict, hypothesis
from algorithms.lectures import stated_by
from algorithms.playback.theorems.expecting import Expecting
from algorithms.timeline import Frame, Timeline
from algorithms.timeline.step_log import Kind
from algorithms.timeline.variables import AlongVariable

if TYPE_CHECKING:
    from algorithms.sweeping.expected import Estimate

_MOMENT = 0.02  # seconds in which the step is looked for at which a silent theorem last spoke
_LISTED = 0.002  # likewise of each theorem of a list
_LOOKED_AT = 256  # steps looked at for it, at most
_ROUNDING = 1e-6  # of a side: what is less is no difference between two that are to be equal
_ARTICLE = re.compile(r"\b[aA] (?=[a-zα-ω])")
_RUN = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,4}(?![A-Za-z])")  # of letters that may be a product


class SymbolNow(Struct, frozen=True):
    """A letter.

    Attributes:
        meaning: what it means.
        value: its value after the step, None where it has none.
        occurs: whether the theorem has it.
        before: its value before the step, of a theorem that speaks of both; None where it has none.
    """

    letter: str
    meaning: str
    value: float | None
    occurs: bool = True
    before: float | None = None


class HypothesisNow(Struct, frozen=True):
    """What a theorem rests on, whether it is met (None: that is not known), and why it is not."""

    words: str
    met: bool | None
    why: str = ""


class Spoken(Struct, frozen=True):
    """What a theorem said at the step at t."""

    t: int
    verdict: Verdict


class LastSpoke(Struct, frozen=True):
    """The step at which a silent theorem spoke last, and whether it held there."""

    t: int
    held: bool


class SidesSoFar(Struct, frozen=True, eq=False):
    """The sides of a theorem over the run, at the steps that were measured; NaN where a step has fewer.

    Attributes:
        names: of the sides; of a statement about every entry, of what is left between them.
        t: (m,) the steps, rising.
        values: (m, s); of a statement about every entry (m, s - 1), what was left at the entry nearest to failing: its
            sides are of another one at each step, and no line joins them. Sides that are to be equal and differ by no
            more than rounding are 0 apart.
        each: whether it is such a statement.
        along: each side along the theorem's own variable; empty where none of the curves is that variable.
        equal: whether the sides are to be equal, and always were.
        apart: of a statement about every entry whose sides are to be equal, how far they were, rounding included.
    """

    names: tuple[str, ...]
    t: Array
    values: Array
    along: tuple[AlongVariable, ...] = ()
    equal: bool = False
    each: bool = False
    apart: Array | None = None

    @property
    def gaps(self) -> Array:
        """(m, s - 1) what is left between neighbouring sides, or how far they are apart that are to be equal."""
        return between(self.values, self.equal)

    @property
    def never_apart(self) -> bool:
        """Tell whether the sides were equal at every step measured, but for rounding."""
        return self.equal and len(self.t) > 0 and not (self.each and bool(np.nan_to_num(self.values).any()))

    @property
    def widest(self) -> tuple[float, int]:
        """Find the largest difference of neighbouring sides over the run, and the step of it."""
        apart = np.nan_to_num(self.gaps if self.apart is None else self.apart, nan=0.0)
        of_step = apart.max(axis=1, initial=0.0)
        return float(of_step.max()), int(self.t[of_step.argmax()])

    def gaps_along(self) -> tuple[AlongVariable, ...]:
        """The same along the theorem's own variable."""
        if not self.along:
            return ()
        _, here, _ = np.intersect1d(self.t, self.along[0].t, assume_unique=True, return_indices=True)
        return tuple(AlongVariable(a.name, a.log, a.t, a.x, gap) for a, gap in zip(self.along, self.gaps[here].T))


class TheoremPage(Struct, frozen=True, eq=False):
    """All that an opened theorem shows.

    Attributes:
        t, last: the step that is shown, and the run's last.
        number, count: which of how many it is, from 1.
        verdict: how it stands at the step.
        verdicts: how each of the algorithm's theorems stands there, in order.
        phase: of the step.
        phase_at: what any step was.
        words: what happened in the step.
        links: what is left between neighbouring sides, and what rounding is forgiven there.
        failed: the first step at which it did not hold, None if it always did.
        so_far: its sides over the run; None of what holds on average.
        spoke_last: (index) -> when one of the algorithm's theorems spoke before this step; None where it had not.
        sides_at: (t, seconds) -> the sides at another step, () where it is silent; None where that takes longer.
        spoken: where it is silent, what it said last; None where it had not spoken.
        estimate: of what holds on average, the mean over the runs so far.
        lectures: the statements of the lectures that it shows: "A20 (Lecture 6: slack, Rem 1.15)".
        breaks: the steps at which another problem begins, each with which.
        range: the step at the right end of its charts, where the run is to be seen no further than it has come; None
            where they end with the run.
    """

    t: int
    last: int
    number: int
    count: int
    verdict: Verdict
    verdicts: tuple[Verdict, ...]
    phase: str
    phase_at: Callable[[int], str]
    words: str
    symbols: tuple[SymbolNow, ...]
    hypotheses: tuple[HypothesisNow, ...]
    links: tuple[tuple[float, float], ...]
    failed: int | None
    so_far: SidesSoFar | None = None
    sides_at: Callable[[int, float], tuple[float, ...] | None] | None = None
    spoken: Spoken | None = None
    estimate: "Estimate | None" = None
    lectures: tuple[str, ...] = ()
    breaks: tuple[tuple[int, str], ...] = ()
    spoke_last: Callable[[int], LastSpoke | None] = lambda index: None
    range: int | None = None

    @property
    def theorem(self) -> Theorem:
        return self.verdict.theorem


def theorem_page(
    run: Timeline,
    frame: Frame,
    index: int,
    expecting: Expecting | None = None,
    stated: tuple[Verdict, ...] | None = None,
    upto: int | None = None,
) -> TheoremPage:
    """Make the page of one of an algorithm's theorems at a step of a run; its expectations come after them.

    Args:
        stated: how the theorems stand at the step, where that is known already.
        upto: the step at the right end of its charts, where they are not to end with the run.
    """
    problem, verdicts = run.problem_at(frame.t), run.verdicts(frame) if stated is None else stated
    estimate = None
    if expecting is not None:
        estimate = expecting.estimate(run, index - len(verdicts)) if index >= len(verdicts) else None
        verdicts = (*verdicts, *expecting.verdicts(run))
    verdict, words = verdicts[index], _happened(run, problem, frame)
    theorem, sides = verdict.theorem, verdict.sides
    values = sides.values if sides is not None else ()
    between = zip(values, values[1:], sides.tolerances if sides is not None else ())
    failed = [failure.t for failure in run.failures if failure.verdict.theorem.statement == theorem.statement]
    so_far, spoken = None, None
    if index < len(run.algorithm.theorems):
        spoken = _last_spoken(run, frame.t, index) if sides is None else None
        so_far = _so_far(run, index, verdict if spoken is None else spoken.verdict)
    return TheoremPage(
        t=frame.t,
        last=run.last,
        number=index + 1,
        count=len(verdicts),
        verdict=verdict,
        verdicts=tuple(verdicts),
        phase=frame.state.phase,
        phase_at=lambda t: run.kind(t).phase if t <= run.last else "",
        words=words,
        symbols=tuple(_symbols(run, problem, frame, theorem, _text_of(theorem, so_far, words))),
        hypotheses=(*_of_the_run(run, frame, theorem), *_stated(theorem, problem, frame.state)),
        links=tuple((b - a, forgiven) for a, b, forgiven in between),
        failed=min(failed, default=None),
        so_far=so_far,
        spoke_last=lambda theorem: _spoke_last(run, frame.t, theorem),
        sides_at=lambda t, seconds: _sides_at(run, t, index, seconds),
        spoken=spoken,
        estimate=estimate,
        lectures=tuple(f"{one.id} ({one.section})" for one in stated_by(theorem.statement, run.algorithm.name)),
        breaks=tuple(run.begun_anew()),
        range=upto,
    )


def _happened(run: Timeline, problem: Problem, frame: Frame) -> str:
    """Explain the step; a reader's own words may raise."""
    try:
        return run.algorithm.explain(problem, frame.before, frame.state)
    except Exception:
        return ""


def _so_far(run: Timeline, index: int, verdict: Verdict) -> SidesSoFar:
    """Collect the sides that were measured, named as at the verdict, or as at the first step measured."""
    t, values = run.theorem_series(index)
    if verdict.sides is None and len(t):
        verdict = _asked(run, int(t[0]), index, _MOMENT) or verdict
    names = () if verdict.sides is None else verdict.sides.plain_names
    names += tuple(f"side {i + 1}" for i in range(len(names), values.shape[1]))
    equal = verdict.sides is not None and verdict.sides.relation == "=="
    if verdict.sides is not None and verdict.sides.entry:
        forgiven = np.maximum(np.abs(values[:, :-1]), np.abs(values[:, 1:])) * ROUNDING
        apart = values = between(values, equal)
        if equal:
            values = apart.copy()
            values[values <= np.maximum(forgiven, verdict.sides.tolerances)] = 0.0
        names = tuple(f"|{a} - {b}|" if equal else f"{b} - {a}" for a, b in zip(names, names[1:]))
        return SidesSoFar(names, t, values, _along(run, index, t, values), equal, each=True, apart=apart)
    return SidesSoFar(
        names[: values.shape[1]], t, values, _along(run, index, t, values), equal and _never_apart(values)
    )


def between(values: Array, equal: bool) -> Array:
    """(..., s) sides -> (..., s - 1) what is left between neighbours; how far apart if they are to be equal."""
    with np.errstate(invalid="ignore"):
        left = np.diff(values, axis=-1)
    return np.abs(left) if equal else left


def _never_apart(values: Array) -> bool:
    """Tell whether sides are equal at all steps but for rounding; at some they may not be to."""
    known = values[np.isfinite(values).all(axis=1)]
    return bool((np.ptp(known, axis=1) <= _ROUNDING * np.abs(known).max(axis=1)).all())


def _along(run: Timeline, index: int, t: Array, values: Array) -> tuple[AlongVariable, ...]:
    """Put the sides along the theorem's own variable, where it is one of the curves by name or by formula."""
    name = run.algorithm.theorems[index].along
    curves = (c.name for c in run.algorithm.curves if name in (c.name, c.formula.partition(" = ")[0]))
    curve = next(curves, "") if name else ""
    if not curve:
        return ()
    steps, x = run.curve(curve)
    _, here, there = np.intersect1d(t, steps, assume_unique=True, return_indices=True)
    known = np.isfinite(x[there])
    here, there = here[known], there[known]
    return tuple(AlongVariable(name, False, t[here], x[there], side) for side in values[here].T)


def _asked(run: Timeline, t: int, index: int, seconds: float) -> Verdict | None:
    """Ask a theorem of another step, if that can be replayed in time and does not raise."""
    frame = run.fetch(t, seconds)
    if frame is None:
        return None
    try:
        theorem = run.algorithm.theorems[index]
        return theorem.verdict(run.problem_at(frame.t), frame.before, frame.state, run.changed_at(frame.t))
    except Exception:  # it may be a reader's own function
        return None


def _sides_at(run: Timeline, t: int, index: int, seconds: float) -> tuple[float, ...] | None:
    """Get the sides at a step, () where the theorem is silent, None where they cannot be had in time."""
    verdict = _asked(run, t, index, seconds)
    return None if verdict is None else drawn_sides(verdict)


def drawn_sides(verdict: Verdict) -> tuple[float, ...]:
    """Give what is drawn of a theorem's sides at a step: of a statement about every entry what is left between them."""
    sides = verdict.sides
    if sides is None:
        return ()
    if not sides.entry:
        return sides.values
    equal = sides.relation == "=="
    left = zip(between(np.array(sides.values), equal).tolist(), sides.tolerances)
    return tuple(0.0 if equal and apart <= forgiven else apart for apart, forgiven in left)


def _last_spoken(run: Timeline, t: int, index: int) -> Spoken | None:
    """Find the last step before t at which a theorem had sides: the last measured one, or one after it."""
    last = _last_measured(run, t, index)
    if last is None:
        return None
    since = _spoken_since(run, t, last, index, _MOMENT)
    if since is not None:
        return since
    verdict = _asked(run, last, index, _MOMENT)
    return Spoken(last, verdict) if verdict is not None and verdict.sides is not None else None


def _last_measured(run: Timeline, t: int, index: int) -> int | None:
    """Find the last step before t at which the sides of a theorem were measured."""
    measured, _ = run.theorem_series(index)
    place = int(np.searchsorted(measured, t)) - 1
    return int(measured[place]) if place >= 0 else None


def _spoken_since(run: Timeline, t: int, last: int, index: int, seconds: float) -> Spoken | None:
    """Ask a theorem of the steps between `last` and t, backwards and for a while, until it speaks."""
    until = perf_counter() + seconds
    for at in islice(_steps_back(run, t, last, index), _LOOKED_AT):
        verdict = _asked(run, at, index, until - perf_counter())
        if verdict is not None and verdict.sides is not None:
            return Spoken(at, verdict)
        if perf_counter() > until:
            break
    return None


def _spoke_last(run: Timeline, t: int, index: int) -> LastSpoke | None:
    """Tell when a theorem of a list spoke last: of those the numbers are not shown, so that no step is replayed for
    them that was measured."""
    last = _last_measured(run, t, index) if index < len(run.algorithm.theorems) else None
    if last is None:
        return None
    since = _spoken_since(run, t, last, index, _LISTED)
    if since is not None:
        return LastSpoke(since.t, since.verdict.status != "fails")
    statement = run.algorithm.theorems[index].statement
    failed = any(failure.t == last and failure.verdict.theorem.statement == statement for failure in run.failures)
    return LastSpoke(last, not failed)


def _steps_back(run: Timeline, t: int, last: int, index: int) -> Iterator[int]:
    """Yield the steps before t and after `last`, backwards, whose phase lets a theorem speak."""
    phases = run.algorithm.theorems[index].phases

    def speaks(kind: Kind) -> bool:
        return not phases or kind.phase in phases

    return run.log.backwards(speaks, last + 1, t)


def _symbols(run: Timeline, problem: Problem, frame: Frame, theorem: Theorem, text: str) -> list[SymbolNow]:
    """List the letters with their values, of a theorem about a step before it too; those that the theorem has not, but
    the meaning of one that occurs, occur too."""
    before = frame.before if theorem.about == "step" else None
    symbols = run.algorithm.symbols
    occurring = _occurring({letter: meaning for letter, (meaning, _) in symbols.items()}, text)
    return [
        SymbolNow(
            letter,
            meaning,
            _value_of(measure, problem, frame.state),
            letter in occurring,
            None if before is None else _value_of(measure, problem, before),
        )
        for letter, (meaning, measure) in symbols.items()
    ]


def _occurring(meanings: dict[str, str], text: str) -> set[str]:
    """Find the lines of letters that stand in a text, or in the meaning of one that is found."""
    each = {letter for line in meanings for letter in line.split(", ")}
    factors = {letter[0] for letter in each if re.match("[A-Za-z](?![A-Za-z])", letter)}

    def parted(text: str) -> str:
        return _RUN.sub(lambda run: " ".join(run[0]) if _is_product(run[0], factors, each) else run[0], text)

    found: set[str] = set()
    texts = [parted(text)]
    while texts:
        new = {line for line in meanings.keys() - found if any(_one_occurs(line, text) for text in texts)}
        texts = [parted(_ARTICLE.sub("", meanings[line])) for line in new]
        found |= new
    return found


def _is_product(run: str, factors: set[str], letters: set[str]) -> bool:
    """Tell whether a run of letters is a product of some of them (XX, Hd), not a name (RSS) or a word."""
    return factors >= set(run) and run not in letters and not run.islower()


def _value_of(measure: Callable[[Problem, State], float | None] | None, problem: Problem, state: State) -> float | None:
    """Measure a letter at a state; None where it has no value, or a reader's own function raises."""
    try:
        value = None if measure is None else measure(problem, state)
        return None if value is None else float(value)
    except Exception:
        return None


def _text_of(theorem: Theorem, so_far: SidesSoFar | None, words: str) -> str:
    """Join all that a theorem says, and what is said of the step."""
    said = (theorem.statement, *theorem.hypotheses, *theorem.proof, *(so_far.names if so_far else ()))
    return " ".join((*said, _ARTICLE.sub("", words)))


def _one_occurs(letters: str, text: str) -> bool:
    """Tell whether one of the letters of a line stands in a text."""
    return any(_occurs(letter, text) for letter in letters.split(", "))


def _occurs(letter: str, text: str) -> bool:
    """Tell whether a letter stands in a text, with whatever index, and not as a part of a word."""
    stem, index, _ = letter.partition("_")
    before = r"(?<![A-Za-z])" if stem[0].isascii() else ""  # a Greek letter is a factor wherever it stands: λw
    after = r"[_ᵢⱼ]" if index else r"(?![A-Za-z])" if stem[-1].isascii() else ""
    return re.search(before + re.escape(stem) + after, text) is not None


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
