"""What a scene's tables were a step before, so that the cells that a step changed can be told from the others."""

from algorithms.core import Panel, Scene, Table
from algorithms.core.state import State
from algorithms.timeline import Frame, Timeline

_SECONDS = 0.004  # that it may take to replay the step before
Tables = dict[str, Table]


class TablesBefore:
    """Keeps the tables of the scene that was asked for last: when a run goes on they are those of the step before."""

    def __init__(self) -> None:
        self._kept: tuple[State | None, Tables] = (None, {})

    def of(self, run: Timeline, frame: Frame, scene: Scene) -> Tables:
        """Give the tables of the step before a frame's by title, and keep those of its own scene.

        There are none where no step comes before, or where it would take long to have them.
        """
        (state, kept), tables = self._kept, tables_of(scene)
        self._kept = frame.state, tables
        if frame.before is None or not tables:
            return {}
        if state is frame.before:
            return kept
        earlier = None if run.algorithm.apart else run.fetch(frame.t - 1, _SECONDS)
        if earlier is None or earlier.t != frame.t - 1:
            return {}
        try:
            return tables_of(run.algorithm.scene(run.problem_at(earlier.t), earlier.before, earlier.state))
        except Exception:  # what is shown is the scene of this step, and that was made
            return {}


def tables_of(scene: Scene) -> Tables:
    """Find a scene's tables by their titles."""
    return {panel.title: table for panel in scene.panels if (table := table_of(panel)) is not None}


def table_of(panel: Panel) -> Table | None:
    """Find the table that a panel shows, if it shows one."""
    return next((mark for mark in panel.marks if isinstance(mark, Table)), None)
