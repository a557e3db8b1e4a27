"""Learning algorithms as generators of states, and runs that can be taken to any step.

>>> from algorithms import Timeline
>>> run = Timeline("lloyd", "faithful", {"k": 3}).run()
>>> run[0].state.phase
'start'

What a person needs, each with its own help():

    find, names, by_family      an algorithm by any of its names, the names there are, and by family
    datasets, Dataset, Recipe   bundled and made data, arrays, DataFrames and files; rows; data written down
    Timeline, Frame             a run, a sequence of frames, any of which can be had back; one step of it
    Branches, Change            a run and its forks; what a fork changes
    Add, Move, Remove, Label    edits of rows, for a Change or for `edited(data, edits)`
    conditions                  "mistake and norm(w) > 3": parsed, and searched for in a run
    sweep                       many runs at once, over seeds, parameters or data
    Comparison                  where two runs first differ
    Recorder                    write a run of your own to a file as it happens
    load                        an algorithm from your own file or module, or a recording
    Opening, read_session       a saved session, replayed; read without replaying
    export_numbers              the curves and theorems of every step, written to a file
    export_state                the arrays of one state, written to a file
    Refused                     the one error: a sentence that says what is wrong

algorithms.core has what an algorithm file is made of; families/ holds the algorithms, toolbox/ the mathematics that
they share.
"""

import algorithms.starting  # noqa: F401  # first: what follows takes long to be imported

# isort: split
from typing import TYPE_CHECKING

from algorithms.deferred import deferred

if TYPE_CHECKING:
    from algorithms.core import (
        Add as Add,
        Algorithm as Algorithm,
        Dataset as Dataset,
        Label as Label,
        Move as Move,
        Refused as Refused,
        Remove as Remove,
        Verdict as Verdict,
        edited as edited,
    )
    from algorithms.core.catalogue import by_family as by_family, find as find, names as names
    from algorithms.data import Recipe as Recipe, datasets as datasets
    from algorithms.saving.export import export_numbers as export_numbers, export_state as export_state
    from algorithms.saving.loading import load as load
    from algorithms.saving.runlog import Recorder as Recorder
    from algorithms.saving.session import Opening as Opening, read_session as read_session
    from algorithms.sweeping import sweep as sweep
    from algorithms.timeline import Frame as Frame, Timeline as Timeline, conditions as conditions
    from algorithms.timeline.branches import Branches as Branches, Change as Change
    from algorithms.timeline.divergence import Comparison as Comparison

# what is named here is imported when it is first asked for: half a program needs neither NumPy nor most of this
_MODULES = {
    "algorithms.core": ("Add", "Algorithm", "Dataset", "Label", "Move", "Refused", "Remove", "Verdict", "edited"),
    "algorithms.core.catalogue": ("by_family", "find", "names"),
    "algorithms.data": ("Recipe", "datasets"),
    "algorithms.saving.export": ("export_numbers", "export_state"),
    "algorithms.saving.loading": ("load",),
    "algorithms.saving.runlog": ("Recorder",),
    "algorithms.saving.session": ("Opening", "read_session"),
    "algorithms.sweeping": ("sweep",),
    "algorithms.timeline": ("Frame", "Timeline"),
    "algorithms.timeline.conditions": ("conditions",),
    "algorithms.timeline.branches": ("Branches", "Change"),
    "algorithms.timeline.divergence": ("Comparison",),
}
__all__ = [name for names in _MODULES.values() for name in names]  # noqa: PLE0605

if not TYPE_CHECKING:
    __getattr__, __dir__ = deferred(globals(), _MODULES)
