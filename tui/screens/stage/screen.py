"""StageScreen: all of its parts together."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.screens.help import Help
from tui.screens.stage.base import StageBase
from tui.screens.stage.changing import Changing
from tui.screens.stage.comparing import Comparing
from tui.screens.stage.editing import WHILE_EDITING, Editing
from tui.screens.stage.exporting import Exporting
from tui.screens.stage.forking import Forking
from tui.screens.stage.keeping import Keeping
from tui.screens.stage.looking import Looking
from tui.screens.stage.moving import Moving
from tui.screens.stage.opening import Opening
from tui.screens.stage.stopping import Stopping
from tui.screens.stage.theorems import Theorems


class StageScreen(
    Moving, Stopping, Editing, Changing, Forking, Comparing, Opening, Looking, Theorems, Keeping, Exporting
):
    """Shows a run and lets it be played, stepped, rewound, forked, compared and changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "all keys"),
        Binding("q", "app.quit", "quit"),
    ]

    @property
    def all_bindings(self) -> list[Binding]:
        """The keys of all parts, in the order of the parts."""
        parts = [part for part in type(self).__mro__ if issubclass(part, StageBase)]
        own = [*parts[1:], parts[0]]  # help and quit come last
        return [b for part in own for b in vars(part).get("BINDINGS", ()) if isinstance(b, Binding)]

    def action_help(self) -> None:
        self.app.push_screen(Help(self.all_bindings, WHILE_EDITING))
