"""Quiz: questions about the next steps of a run, which is known no further than they were answered."""

from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Ask, Refused
from algorithms.data.made import GENERATORS, arguments
from algorithms.data.recipe import Recipe
from algorithms.playback.asks.answers import (
    Right,
    answer_in_words,
    can_be_asked,
    curves_of,
    is_right,
    right_at,
    right_in_words,
)
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession
from algorithms.playback.runs.tried_run import beside
from algorithms.timeline import Timeline
from algorithms.timeline.conditions.moment import Unanswerable

_FAR = 400  # steps that are gone on, at most, to one at which something can be asked
_SECONDS = 2.0  # and how long that may take
_SHARE = 0.8  # of the rows of real data that others are drawn of


class Told(Struct, frozen=True):
    """An answer, and what was right.

    Attributes:
        given: the answer in words; "" where one had it told.
        right: what is right, in words.
        correct: whether it was answered so.
    """

    given: str
    right: str
    correct: bool


def unasked(run: Timeline, t: int) -> str:
    """Say why nothing can be asked about the step after one; "" where it can."""
    if not run.algorithm.asks:
        return "this one has no questions: it declares none"
    if not run.resumes:
        return "no questions: this run cannot be taken up again from a step"
    if run.stopped is not None and t >= run.last:
        return "the run ends here: there is no next step to be asked about"
    return ""


class Quiz:
    """Asks about the step after the one in hand, then the one after that.

    Args:
        session: its current run is asked about, from the step that is shown on.

    Raises:
        Refused: when nothing can be asked of it, with the reason.

    Attributes:
        session: the run as far as it may be seen: no step of it is made before the question about it is answered.
        own: whether that is the run one had, and not one on other data.
        ask: the question that stands, or was answered last.
        told: the answer to it; None while it stands.
        at: the step in hand when it was asked.
    """

    def __init__(self, session: RunSession):
        self._of = session
        run = session.branch.timeline
        if reason := unasked(run, session.player.t):
            raise Refused(reason)
        self.session, self.own = self._veiled(session.current, run, session.player.t), True
        self.ask = run.algorithm.asks[0]
        self.told: Told | None = None
        self._asked, self.at = -1, session.player.t  # which was asked last
        self.next()

    @property
    def run(self) -> Timeline:
        """Get the run as far as it may be seen."""
        return self.session.branch.timeline

    @property
    def t(self) -> int:
        """Get the step in hand."""
        return self.session.player.t

    @property
    def curves(self) -> list[str]:
        """Name the curves that the question speaks of."""
        return [curve.name for curve in curves_of(self.ask, self.run)]

    def next(self) -> None:
        """Ask another question: about the step in hand, or the first after it at which there is one.

        Raises:
            Refused: when the run ends before.
        """
        if self.run.last > self.t:  # one has gone back: what was seen is a step to come again
            self.session = self._veiled(self.session.loaded, self.run, self.t)
        asks = self.run.algorithm.asks
        order = [(self._asked + 1 + i) % len(asks) for i in range(len(asks))]
        self._ask_first(order, self.t)

    def again(self) -> None:
        """Ask the same on other data: drawn with another seed, or other rows of the same.

        Raises:
            Refused: when there is no other.
        """
        loaded = other_data(self.session.loaded)
        before = self.session, self.own
        self.session, self.own = self._veiled(loaded, loaded.timeline(), self.at), False
        try:
            self._ask_first([self._asked], self.t)
        except Refused:
            self.session, self.own = before
            raise

    def answer(self, given: float | None = None) -> Told:
        """Take the step and say what was right; the answer as `is_right` takes it, None to be told.

        Raises:
            Refused: when there is no next step, or no answer at it.
        """
        run, t = self.run, self.at  # wherever one looked meanwhile
        if run.last == t:
            run.advance(1)
        if run.last == t:
            raise Refused("the run ends here: no step comes after this one")
        try:
            right = right_at(self.ask, run, t + 1)
        except Unanswerable as error:
            raise Refused(str(error)) from None
        answer = self.told = told(self.ask, right, given)
        self.session.player.seek(t + 1)
        self.session.player.work(_SECONDS)
        return answer

    def _veiled(self, loaded: LoadedRun, run: Timeline, t: int) -> RunSession:
        """Make a session of a run as far as a step, or its end, looked at as the one that is asked about."""
        run.advance(t + 1 - len(run), _SECONDS)
        t = min(t, run.last)
        known = run.fork(t)
        known.advance(t + 1 - len(known))
        player = Player(known, self._of.player.pace, at=t)
        player.looks_ahead = False
        made = beside(self._of, loaded, player)
        made.viewer.fit_again({})  # to this step: panels as large as what was seen after it tell what comes
        return made

    def _ask_first(self, order: list[int], t: int) -> None:
        """Ask the first of some questions at the first step from t on at which one can be, and go there."""
        run = self.run
        for at in range(t, t + _FAR):
            if at > run.last and not run.advance(1, _SECONDS):
                break
            for index in order:
                if self._can_be(run.algorithm.asks[index], at):
                    self.ask, self.told, self._asked, self.at = run.algorithm.asks[index], None, index, at
                    self.session.player.seek(at)
                    self.session.player.work(_SECONDS)
                    return
        raise Refused("no question can be asked from here on: go back, or to other data")

    def _can_be(self, ask: Ask, t: int) -> bool:
        if self.run.stopped is not None and t >= self.run.last:
            return False
        try:
            return can_be_asked(ask, self.run, t)
        except (Refused, Unanswerable):
            return False


def told(ask: Ask, right: Right, given: float | None) -> Told:
    """Say in words what was answered, and what is right."""
    correct = given is not None and is_right(ask, right, given)
    return Told("" if given is None else answer_in_words(ask, given), right_in_words(ask, right), correct)


def other_data(loaded: LoadedRun) -> LoadedRun:
    """Load the same on data drawn with the next seed: made data anew, of real ones other rows; without data, with the
    next seed of the algorithm.

    Raises:
        Refused: when there is nothing to be drawn.
    """
    recipe, parameters = loaded.recipe, loaded.parameters
    other: Recipe | None = None
    if isinstance(recipe, Recipe) and recipe.name in GENERATORS and _draws(recipe):
        other = recipe.with_(seed=int(dict(recipe.made).get("seed", 0)) + 1)
    elif isinstance(recipe, Recipe) and not (recipe.about and recipe.about.made):
        rows = loaded.data.n + (loaded.data.held_out.n if loaded.data.held_out else 0)
        drawn = max(round(_SHARE * rows), loaded.algorithm.needs.rows)
        other = recipe.with_(sample=recipe.sample or drawn, sample_seed=recipe.sample_seed + 1)
    if other is not None:
        return LoadedRun.checked(loaded.algorithm, other, parameters, loaded.spec)
    if any(parameter.name == "seed" for parameter in loaded.algorithm.parameters):
        seed = int(loaded.algorithm.checked(parameters).seed) + 1
        return replace(loaded, parameters=parameters | {"seed": seed})
    raise Refused("there is no other data: nothing in this run is drawn")


def _draws(recipe: Recipe) -> bool:
    """Tell whether made data are drawn by a seed."""
    return any(argument.name == "seed" for argument in arguments(recipe.name))
