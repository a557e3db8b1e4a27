"""What is said of several runs: where each is, what happened in it, and where all of them are."""

from algorithms.playback.compare_player import ComparePlayer, Lane
from algorithms.playback.compared_run import LETTERS
from algorithms.playback.viewer import Picture, at_the_end
from tui.widgets.stories import Story
from tui.widgets.tracks import Course


def whereabouts(lane: Lane, holds: bool) -> tuple[str, ...]:
    """Say where a run is, the most detailed words first; `holds` when it has ended before the cursor."""
    run, frame = lane.run, lane.player.frame
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
    if lane.aim is not None:
        return f"computing   {of} {end}", f"computing, {frame.t:,}"
    comma = "" if run.stopped is None else ","
    return f"{iteration}   {of}{comma} {end}", f"{of}{comma} {end}", of, f"{frame.t:,} of {run.last:,}"


def story(i: int, lane: Lane, picture: Picture) -> Story:
    """Say what happened in the step that is shown of the i-th run."""
    words, wrong = picture.words, bool(picture.trouble)
    stopped = picture.stopped
    if stopped is not None and picture.frame.t == lane.run.last:
        words = at_the_end(stopped, words)
        wrong = wrong or stopped.failed
    return Story(i, picture.frame.state.phase, words, wrong)


def status(together: ComparePlayer) -> str:
    """ "▶ 4 steps/s   aligned by step   step 9"; what is being worked at, while something is."""
    alignment = together.alignment
    where = alignment.words(together.place)
    if together.seeks:
        return f"looking for {together.seeks}, esc stops   {where}"
    late = [LETTERS[i] for i, lane in enumerate(together.lanes) if lane.aim is not None and lane.player.slow]
    if late and not together.playing:
        return f"{', '.join(late)} computing, esc stops   {where}"
    mark = "▶" if together.playing else "■"
    return f"{mark} {alignment.pace(together.speed)}   aligned by {alignment.name}   {where}"


def course(together: ComparePlayer, lane: Lane) -> Course:
    """Measure how far a run has come along the common axis; no thread may be at work on it."""
    alignment, run = together.alignment, lane.run
    here, known = alignment.key(run, lane.player.t), alignment.key(run, run.last)
    begin = alignment.key(run, run.begin) if run.parent is not None else None
    starts = run.iteration_starts()
    return Course(
        here=here[0] if here else together.place[0],
        known=known[0] if known else together.place[0],
        ended=run.stopped is not None,
        starts=alignment.series(run, starts, starts)[0],
        begin=begin[0] if begin else None,
    )
