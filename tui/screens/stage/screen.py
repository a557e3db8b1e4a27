"""StageScreen: all of its parts together."""

from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from tui.screens.stage.asking import Asking
from tui.screens.stage.authoring import Authoring
from tui.screens.stage.charting import Charting
from tui.screens.stage.comparing import Comparing
from tui.screens.stage.editing import WHILE_EDITING, Editing
from tui.screens.stage.ending import Ending
from tui.screens.stage.exporting import Exporting
from tui.screens.stage.forking import Forking
from tui.screens.stage.fronting import Fronting
from tui.screens.stage.hiding import Hiding
from tui.screens.stage.keeping import Keeping
from tui.screens.stage.moving import Moving
from tui.screens.stage.opening import Opening
from tui.screens.stage.remembering import Remembering
from tui.screens.stage.seeing import Seeing
from tui.screens.stage.stating import Stating
from tui.screens.stage.stopping import Stopping
from tui.screens.stage.sweeping import Sweeping
from tui.screens.stage.theorems import Theorems
from tui.screens.stage.viewing import Viewing


class StageScreen(
    Remembering,
    Asking,
    Authoring,
    Fronting,
    Moving,
    Seeing,
    Hiding,
    Stopping,
    Editing,
    Forking,
    Sweeping,
    Comparing,
    Opening,
    Viewing,
    Charting,
    Theorems,
    Stating,
    Ending,
    Keeping,
    Exporting,
):
    """Shows a run and lets it be played, stepped, rewound, forked, compared and changed."""

    def __init__(self, loaded: LoadedRun, at: int = 0, player: Player | None = None, whole: bool = True):
        super().__init__(loaded, at, player, whole)
        self.prepares = (self.lay_along, self.with_expectations)
        self.follows = (self.bring_forward, self.put_in_front, self.point_again, self.pick_what_stopped, self.show_hall)

    def keys_of_mode(self) -> tuple[tuple[str, str], ...]:
        return WHILE_EDITING if self.editing else ()
