"""What is on the screen: the signs of this very picture, what each stands for, and the letters with their numbers."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from algorithms.core import Algorithm, Dataset, Problem, State
from algorithms.core.glossary import Word, words_in
from algorithms.core.scene import Tone
from algorithms.core.text import clean, counted
from algorithms.playback.pictures.viewer import CurveNow, Picture
from algorithms.timeline import Timeline
from tui.paint.palette import Palette
from tui.paint.plot import Plot
from tui.paint.points import ON_GROUND, SEVERAL, THIS_STEP, ground_of
from tui.paint.text import typeset
from tui.paint.ticks import number
from tui.sections.column.tabs import Tab
from tui.sections.panels.plots import entries_of

_MEANINGS = {SEVERAL: "several rows in one cell", THIS_STEP: "what this step is about", "wrong": "wrong by the model"}
LETTERS = "letters"
Letter = tuple[str, Callable[[], str]]  # as `symbols` has it ("μ, Σ"), and what tells what it means now
_STATUS = {
    "holds": ("✓", "good", "holds at this step"),
    "fails": ("✗", "wrong", "fails"),
    "does not apply": ("–", "dim", "says nothing here"),
    "undecided": ("?", "dim", "is not decided"),
    "expected": ("E", "accent", "holds on average over many runs"),
}


class Sign(Struct, frozen=True):
    """A sign as it stands on the screen, and what it stands for."""

    sign: str
    ink: int
    words: str
    ground: int | None = None


class OnScreen(Struct, frozen=True):
    """What there is to say of a run's screen.

    Attributes:
        signs: by where they are.
        words: those of the field that are used.
    """

    signs: dict[str, list[Sign]]
    words: tuple[Word, ...] = ()


def on_screen(
    run: Timeline,
    picture: Picture,
    plot: Plot | None,
    curves: Sequence[tuple[CurveNow, str, int]],
    palette: Palette,
    tabs: Sequence[Tab] = (),
    hides: bool = False,
) -> OnScreen:
    """Say what is on the screen of a run at a step.

    Args:
        curves: those of its charts, with the sign and the ink of each.
        tabs: those of the column.
        hides: whether the run is seen no further than one has been.
    """
    frame, problem = picture.frame, run.problem_at(picture.frame.t)
    letters = letters_of(run.algorithm, problem, frame.before, frame.state)
    charts = [Sign(sign, ink, _curve_words(curve)) for curve, sign, ink in curves]
    if any(curve.held_from is not None for curve, _, _ in curves):
        charts.append(Sign("dim", palette.dim, "a value of a step before"))
    if charts:
        charts.append(Sign("│", palette.dim, f"the step in hand: {frame.t:,}"))
    if hides:
        charts.append(Sign("· ·", palette.dim, "not seen yet: V shows all"))
    further = [Sign(tab.text, palette.accent, f"{counted(tab.further, 'more tab')}: t") for tab in tabs if tab.further]
    theorems = [
        Sign(sign, getattr(palette, ink), words)
        for status, (sign, ink, words) in _STATUS.items()
        if any(verdict.status == status for verdict in picture.verdicts)
    ]
    signs = {
        "the stage": list(_on_stage(picture, plot, problem.data or Dataset.none, palette)),
        "the charts": [*charts, *further],
        "theorems": theorems and [*theorems, Sign("━━──", palette.accent, "how near: full is equal")],
        LETTERS: [Sign(letter, palette.ink, words()) for letter, words in letters],
    }
    return OnScreen({where: listed for where, listed in signs.items() if listed}, words_on(picture, run.algorithm))


def letters_of(algorithm: Algorithm, problem: Problem, before: State | None, after: State) -> Iterator[Letter]:
    """Yield the letters of rule, curves and theorems, each with what it means and its values before the step and after:
    measured when it is asked for, as a letter may be dear."""

    def words_of(meaning: str, measure: Callable[..., float | None] | None) -> str:
        values = [_written(measure, problem, state) for state in (before, after) if state is not None]
        known = list(dict.fromkeys(value for value in values if value))
        return typeset(clean(meaning)) + (f": {' → '.join(known)}" if known else "")

    for letter, (meaning, measure) in algorithm.symbols.items():
        yield clean(letter), partial(words_of, meaning, measure)


def words_on(picture: Picture, algorithm: Algorithm) -> tuple[Word, ...]:
    """List the words of the field that are used on the screen."""
    state = picture.frame.state
    curves = [f"{now.curve.name} {now.curve.formula}" for curves in picture.charts.values() for now in curves]
    theorems = [verdict.theorem.statement for verdict in picture.verdicts]
    titles = [picture.stage.title, *(title for title, _ in picture.beside), algorithm.title]
    said = (picture.words, algorithm.point, algorithm.phases.get(state.phase, ""), algorithm.rule)
    letters = [meaning for meaning, _ in algorithm.symbols.values()]
    return words_in("\n".join((*said, *titles, *curves, *theorems, *letters, algorithm.summary)))


def _on_stage(picture: Picture, plot: Plot | None, data: Dataset, palette: Palette) -> Iterator[Sign]:
    painted = [] if plot is None else plot.signs
    for glyph, tone, name in dict.fromkeys([*entries_of(picture.stage, data, plot), *painted]):
        one: Tone = "ink" if isinstance(tone, tuple) else tone  # a row of the list has one ink
        ink, ground = ground_of(one, palette) if glyph == ON_GROUND else (palette.tone(one), None)
        words = f"a row, {data.target} {name}" if name in data.classes and data.target else _MEANINGS.get(name, name)
        yield Sign(glyph, ink, clean(words), ground)


def _curve_words(curve: CurveNow) -> str:
    name, formula = curve.curve.name, curve.curve.formula
    value = f": {number(curve.now)}" if curve.now == curve.now else ""
    return clean(f"{name}, {formula}" if formula and formula != name else name) + value


def _written(measure: Callable[..., float | None] | None, problem: Problem, state: State) -> str:
    """Write the value of a letter; "" where it has none, or a reader's own function raises."""
    try:
        value = None if measure is None else measure(problem, state)
        return "" if value is None else number(float(value))
    except Exception:
        return ""
