"""A run that is tried out: seen in place of another at the same step, which stays untouched meanwhile."""

from typing import Any

from msgspec.structs import replace

from algorithms.core.text import clean
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession
from algorithms.timeline import Timeline
from algorithms.timeline.branches import Branch


def tried(session: RunSession, parameters: dict[str, Any], t: int, branch: Branch | None = None) -> RunSession:
    """Try out the current run of a session, or another, begun afresh with other parameters, on its way to step t.

    Raises:
        Refused: when it does not go with the data, or there is no first state to show.
    """
    loaded = session.as_loaded(branch or session.branch)
    changed = replace(loaded, parameters=loaded.parameters | parameters)
    return _beside(session, changed, changed.timeline(), t)


def tried_fork(session: RunSession, parameters: dict[str, Any], t: int, branch: Branch | None = None) -> RunSession:
    """Try out a fork of the current run, or of another, at step t; `Refused` as for `tried`, and for what no fork can
    change."""
    parent = branch or session.branch
    return _beside(session, session.as_loaded(parent), parent.timeline.fork(t, **parameters), t)


def _beside(session: RunSession, loaded: LoadedRun, timeline: Timeline, t: int) -> RunSession:
    """Make a session of a run on its way to step t."""
    made = beside(session, loaded, Player(timeline, session.player.pace, at=timeline.begin))
    made.player.approach(t, session.player.furthest)  # charts keep their length
    return made


def beside(session: RunSession, loaded: LoadedRun, player: Player) -> RunSession:
    """Make a session of a player's run, looked at as in another session if on the same data, and worked on in turn
    with its runs."""
    made = RunSession(loaded, player=player, audience=session.audience)
    made.access = session.access
    if loaded.data is session.loaded.data:
        made.viewer.restore(session.viewer.kept())
    made.forget_notice()  # that of the data has been told
    return made


def where(tried: RunSession, t: int, name: str) -> str:
    """Say how far a run that is tried out has come on its way to step t, and where it ends before it.

    Args:
        name: what the run is called: "the new run".
    """
    player, run = tried.player, tried.player.timeline
    if player.goal is not None:
        return f"{name}, step {run.last:,} on its way to {t:,}"
    if player.t < t and player.at_end and run.stopped is not None:
        ends = "fails" if run.stopped.failed else "ends"
        return f"{name} {ends} at step {player.t:,}, before step {t:,}: {clean(run.stopped.reason).rstrip('.')}"
    return f"{name} at step {player.t:,}"
