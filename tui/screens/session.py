"""The dialogs of sessions: where to save one, which to open, its replay, and what becomes of unsaved forks."""

import asyncio
import os
from pathlib import Path
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from algorithms.core import Algorithm, Refused
from algorithms.core.text import clean
from algorithms.saving.session import Opening, read_session
from tui.screens.asking import Dialog
from tui.screens.choosing import Choosing
from tui.widgets.field import Field

_SLICE = 0.1  # seconds of replay between two looks at the screen
_MOST = 3  # runs that are told of
_BAR = 40  # columns

Leaving = Literal["save", "leave"]


class SaveSession(Dialog[Path]):
    """Asks for the file of a session; one that is there is taken when it is confirmed."""

    heading = "Save the session"
    hint = "enter saves   esc leaves it unsaved"

    def __init__(self, path: Path, own: Path | None):
        super().__init__()
        self._path, self._own = path, own
        self._confirmed: Path | None = None

    def body(self) -> list[Widget]:
        words = "The run, its forks and how they are looked at, in one file; ctrl+o or --open FILE has them back."
        return [Static(Content(words), classes="words"), Field(str(self._path), id="path")]

    def on_input_changed(self) -> None:
        self.complain("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        path = Path(os.path.expanduser(text))
        if not text:
            self.complain("a session needs the name of a file, say lesson.json.")
            return
        if os.path.isdir(path):
            self.complain(f"{clean(text)} is a folder: a name for the file has to follow.")
            return
        if not os.path.isdir(path.parent):  # said here, where the name still stands and can be mended
            self.complain(f"there is no folder {clean(path.parent)}: name one that is there.")
            return
        if not path.suffix:
            path = path.with_suffix(".json")
        if os.path.exists(path) and path not in (self._own, self._confirmed):
            self._confirmed = path
            self.complain(f"{clean(path)} is there already: enter again writes over it, another name keeps it.")
        else:
            self.dismiss(path)


class OpenSession(Dialog[Opening]):
    """Asks for a session to open; what is no session is refused here.

    Args:
        algorithm, spec: what is being watched: a session of the reader's own code is opened with it, if it is the same.
        last: the file that was saved or opened last, which is proposed.
    """

    heading = "Open a session"
    hint = "enter opens it   esc stays with this run"

    def __init__(self, algorithm: Algorithm, spec: str, last: Path | None):
        super().__init__()
        self._algorithm, self._spec, self._last = algorithm, spec, last

    def body(self) -> list[Widget]:
        hint = "the path of a file saved with ctrl+s, say lesson.json"
        return [Field(str(self._last or ""), placeholder=hint, id="path")]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if not text:
            self.complain("say which: the path of a file that was saved with ctrl+s.")
            return
        path = Path(os.path.expanduser(text))
        try:
            same = self._spec and read_session(path).spec == self._spec
            self.dismiss(Opening(path, self._algorithm if same else None))
        except Refused as refusal:
            self.complain(clean(refusal, 400))


class Replaying(Dialog[Opening]):
    """Replays a session and gives it when all of it is there; says what is not as it was saved."""

    hint = "esc gives it up"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "go_on", "go on")]

    def __init__(self, opening: Opening):
        super().__init__()
        self.heading = f"Opening {clean(opening.file)}"
        self._opening = opening

    def body(self) -> list[Widget]:
        return [Static("", id="replayed")]

    def on_mount(self) -> None:
        self._show()
        self.run_worker(self._replay(), name="replay")

    async def _replay(self) -> None:
        """Replay in slices in a thread, so that the keys are heard between them."""
        opening = self._opening
        try:
            while self._there and not await asyncio.to_thread(opening.work, _SLICE):
                self._show()
        except Refused as refusal:
            if not self._there:
                return
            self.query_one("#replayed", Static).display = False
            self.complain(clean(refusal, 400))
            self._hint("esc goes back")
            return
        if not self._there:
            return
        if opening.differs:
            self._tell_differences()
        else:
            self.dismiss(opening)

    @property
    def _there(self) -> bool:
        """Tell whether the dialog is still on the screen: the app may be left while a slice is replayed."""
        return bool(self.query("#replayed"))

    def _show(self) -> None:
        if not self._there:
            return
        share = self._opening.progress
        done = round(share * _BAR)
        bar = Content.assemble(("━" * done, "$accent"), ("━" * (_BAR - done), "$line"), f"  {share:.0%} replayed")
        self.query_one("#replayed", Static).update(bar)

    def _tell_differences(self) -> None:
        opening = self._opening
        differences = opening.differences
        lines = [clean(str(one), 400) for one in differences[:_MOST]]
        if len(differences) > _MOST:
            lines.append(f"{len(differences) - _MOST} more runs are not as they were saved.")
        if opening.moved:
            lines.append(clean(f"It was saved with {opening.moved}."))
        self.query_one("#replayed", Static).update(Content("\n\n".join(lines)))
        self._hint("enter opens it as it runs here   esc gives it up")

    def _hint(self, text: str) -> None:
        self.query_one(".hint", Static).update(Content(text))

    def action_go_on(self) -> None:
        if self._opening.done:
            self.dismiss(self._opening)


class Leave(Choosing[Leaving]):
    """Asks what is to become of what was not saved."""

    heading = "Not saved"
    hint = "↑ ↓ enter chooses   s saves   l leaves   esc stays"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "choose('save')", "save, then leave"),
        Binding("l", "choose('leave')", "leave without saving"),
    ]

    def __init__(self, what: str):
        super().__init__(what, {"save": "save, then leave", "leave": "leave without saving"}, "stay")
