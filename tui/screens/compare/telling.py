"""What is said of several runs: where each is, what happened in it, and where all of them are."""

from collections.abc import Sequence

from msgspec import Struct

from algorithms.playback.comparison.compare_player import ComparePlayer
from algorithms.playback.comparison.compared_run import LETTERS, ComparedRun, bare, distinct
from algorithms.playback.comparison.follower import Follower
from algorithms.playback.pictures.viewer import Picture, at_the_end
from algorithms.playback.runs.data_words import telling_words
from algorithms.timeline import Timeline
from tui.paint.canvas import width_of
from tui.sections.comparison.data import OtherData
from tui.widgets.header import how_far
from tui.widgets.stories import Story
from tui.widgets.tracks import Course

_WHERE = 44  # columns that a run's whereabouts take at most; the rest is for its name
_NUMBER, _VALUE = 22, 14  # columns of a run's letter and number, with how far it is from the others', and without


class Names(Struct, frozen=True):
    """What runs are called, in ever fewer words: with titles, with names of algorithms, without those of parameters.

    Attributes:
        whole: in all words.
        fewer: each with the columns that stand beside it.
    """

    whole: list[str]
    fewer: tuple[tuple[list[str], int], ...]

    @classmethod
    def of(cls, compared: Sequence[ComparedRun]) -> "Names":
        whole = distinct(compared)
        fewer = ((distinct(compared, short=True), _NUMBER), (bare(compared), _VALUE), (bare(compared, numbers=True), 0))
        return cls(whole, ((whole, _WHERE), *fewer))

    def fitting(self, room: int) -> list[str]:
        """Choose those that so many columns over a stage have room for."""
        fit = (names for names, beside in self.fewer if max(map(width_of, names)) + beside <= room)
        return next(fit, self.fewer[-1][0])


def whereabouts(follower: Follower, holds: bool) -> tuple[str, ...]:
    """Say where a run is, the most detailed words first; `holds` when it has ended before the cursor."""
    run, frame = follower.run, follower.player.frame
    end = "so far" if run.stopped is None else "failed" if run.stopped.failed else "ended"
    iteration, of = f"iteration {frame.state.iteration:,}", f"step {frame.t:,} of {run.last:,}"
    if holds:
        at = f"{end} at step {frame.t:,}"
        return (
            f"{iteration}   {at}, holds its last state",
            f"{at}, holds its last state",
            f"{at}, holds",
            f"{end} at {frame.t:,}",
        )
    if follower.aim is not None:
        return f"computing   {of}{how_far(run, frame.t)}", f"computing, {frame.t:,}"
    known = how_far(run, frame.t)
    return f"{iteration}   {of}{known}", f"{of}{known}", of, f"{frame.t:,} of {run.last:,}"


def story(i: int, follower: Follower, picture: Picture) -> Story:
    """Say what happened in the step that is shown of the i-th run."""
    words, wrong = picture.words, bool(picture.trouble)
    stopped = picture.stopped
    if stopped is not None and picture.frame.t == follower.run.last:
        words = at_the_end(stopped, words)
        wrong = wrong or stopped.wrong
    return Story(i, picture.frame.state.phase, words, wrong)


def status(together: ComparePlayer, keys: bool = True) -> str:
    """ "▶ 4 steps/s   aligned by step   step 9"; what is being worked at, while something is. Without keys no speed."""
    alignment = together.alignment
    where = alignment.words(together.place)
    if not keys:
        return f"aligned by {alignment.name}   {where}"
    if together.seeks:
        return f"looking for {together.seeks}, esc stops   {where}"
    slow = [(i, follower) for i, follower in enumerate(together.followers) if follower.player.slow]
    late = [LETTERS[i] for i, follower in slow if follower.aim is not None]
    if late and not together.playing:
        return f"{', '.join(late)} computing, esc stops   {where}"
    mark = "▶" if together.playing else "■"
    return f"{mark} {alignment.pace(together.speed)}   aligned by {alignment.name}   {where}"


def course(together: ComparePlayer, follower: Follower) -> Course:
    """Measure how far a run has come along the common axis; no thread may be at work on it."""
    alignment, run = together.alignment, follower.run
    here, known = alignment.key(run, follower.player.t), alignment.key(run, run.last)
    begin = alignment.key(run, run.begin) if run.parent is not None else None
    starts = run.iteration_starts()
    return Course(
        here=here[0] if here else together.place[0],
        known=known[0] if known else together.place[0],
        ended=run.stopped is not None,
        starts=alignment.series(run, starts, starts)[0],
        begin=begin[0] if begin else None,
    )


def end(run: Timeline, picture: Picture | None) -> str:
    """Say where a run has ended, once that step is shown; for it has no room over a stage that is narrow."""
    ended = run.stopped is not None and picture is not None and picture.frame.t == run.last
    return f"ended at step {run.last:,}" if ended else ""


def other_data(runs: Sequence[Timeline]) -> tuple[OtherData, ...]:
    """Say what tells the data of runs apart; nothing where they are the same."""
    words = telling_words([run.data for run in runs])
    return tuple(OtherData(text, run.data.n, run.data.d) for text, run in zip(words, runs)) if any(words) else ()
