"""Goals that are searched for: a condition, the last change of a field, the first difference of two runs."""

from msgspec.structs import replace

from algorithms.core.text import clean
from algorithms.playback.cursor.player import Goal, Player
from algorithms.timeline import Timeline, conditions
from algorithms.timeline.branches import Branch
from algorithms.timeline.changed_fields import changed_fields
from algorithms.timeline.divergence import Comparison

_NAME = 32  # characters of what is searched for, in the header


def to_condition(player: Player, condition: conditions.Condition, forward: bool) -> Goal:
    """Make the next step at which a condition holds, or the last one before, the goal of a player."""
    text, watch, start = clean(condition.text), player.watch, player.t
    search = conditions.Search(player.timeline, condition, start, forward)

    def words(t: int | None) -> str:
        if search.trouble:
            return clean(search.trouble)
        if t is None:
            gaps = f", as far as steps are kept: every {search.gaps}th" if search.gaps > 1 else ""
            return f"{'after' if forward else 'before'} step {start:,} it never comes to {text}{gaps}"
        if watch is None or watch.any is not condition:
            return text
        watch.hits.add(t)
        return f"stopped where {clean(watch.why(t))}"

    name = text if len(text) <= _NAME else f"{text[: _NAME - 1]}…"
    return Goal(name, lambda run: search.match, search=search, words=words)


def to_what_goes_wrong(player: Player, condition: conditions.Condition, forward: bool) -> Goal:
    """As `to_condition`, but a run that fails afterwards is gone to its last step: that is what goes wrong in it."""
    goal = to_condition(player, condition, forward)
    there, said = goal.find, goal.words
    assert said is not None

    def fails(run: Timeline) -> bool:
        return forward and there(run) is None and run.stopped is not None and run.stopped.failed

    def words(t: int | None) -> str:
        return "here it fails: no step comes after this one" if fails(player.timeline) else said(t)

    return replace(goal, find=lambda run: run.last if fails(run) else there(run), words=words)


def change_of(player: Player, field: str) -> conditions.Condition:
    """Make the condition that a field changes, named as it is shown; `Refused` where that cannot be asked."""
    run = player.timeline
    return conditions.parse(f"{conditions.quoted(field)} changes", run.algorithm, run.data, player.frame.state)


def to_last_change(player: Player, condition: conditions.Condition) -> Goal:
    """Make the last step before the cursor at which "FIELD changes" holds the goal of a player."""
    run, start = player.timeline, player.t
    field = clean(condition.text).removesuffix(" changes").strip("\"'")
    search = conditions.Search(run, condition, start, forward=False)

    def words(t: int | None) -> str:
        if search.trouble:
            return clean(search.trouble)
        if t is None:
            return f"{field} has not changed before step {start:,}"
        frame = run.at(t)
        changes = changed_fields(frame.before, frame.state)
        change = next((each.words for each in changes if each.field == field), "")
        return f"{field} last changed here, at step {t:,}" + (f": {clean(change)}" if change else "")

    return Goal(f"the last change of {field[:_NAME]}", lambda run: search.match, search=search, words=words)


def to_difference(branch: Branch, other: Branch) -> Goal:
    """Make the first step at which a run differs from another the goal of its player."""
    comparison = Comparison(branch.timeline, other.timeline, names=(branch.name, other.name))
    name = clean(other.name)

    def step(_run: object) -> int | None:
        return comparison.divergence.steps[0] if comparison.divergence is not None else None

    def words(_t: int | None) -> str:
        return (
            clean(comparison.divergence.sentence) if comparison.divergence is not None else f"no difference from {name}"
        )

    return Goal(f"the difference from {name[:_NAME]}", step, search=comparison, words=words)
