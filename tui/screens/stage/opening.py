"""Another run in place of this one."""

from typing import Any, ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun, loaded_again
from algorithms.playback.runs.run_session import RunSession
from algorithms.playback.runs.tried_run import tried
from tui.screens.asking import Asked
from tui.screens.stage.keeping import Keeping
from tui.screens.stage.trying import Trying
from tui.widgets.column import Column

_LOOK = 1.0  # seconds between two looks at the file of a recording


class Opening(Keeping, Trying):
    """Another run in place of this one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "reload", "load your own file again", priority=True),
        Binding("p", "parameters", "change the parameters"),
        Binding("d", "data", "change the data"),
        Binding("a", "algorithms", "all algorithms"),
    ]

    def on_mount(self) -> None:
        self._told_of_file = ("", "")  # the file, and what was told of it
        self.set_interval(_LOOK, self._look_for_news)

    def _look_for_news(self) -> None:
        """Tell, once, that the file of a recording is not what is shown any more."""
        told = (self.loaded.spec, self.loaded.algorithm.news if self.loaded.algorithm.recorded else "")
        if told[1] and told != self._told_of_file:
            self.tell(f"{clean(told[1])}: ctrl+r shows it")
        self._told_of_file = told

    def action_parameters(self) -> None:
        from tui.screens.form_preview import FormPreview
        from tui.screens.parameters import EditParameters

        if self.is_recording():
            return
        self.pause()
        preview, current, at = FormPreview(self, tried), self.session.current, self.player.t

        def answered(differing: dict[str, Any] | None) -> None:
            seen = preview.leave(differing)
            if differing is not None:
                loaded = replace(current, parameters=current.parameters | differing)
                self.unless_forks(lambda: self.session.when_free(lambda: self._take_over(loaded, at, seen)))

        self.app.push_screen(EditParameters(current, preview), answered)

    def _take_over(self, loaded: LoadedRun, at: int, seen: RunSession | None) -> None:
        """Take the run that was seen behind the form, looked at as it was, or begin it on its way to the same step."""
        self.note_chosen(loaded)
        if seen is None:
            self._start_over(loaded, at)
        else:
            view = seen.viewer.kept()
            self.session.begin(loaded, player=seen.player)
            self.session.viewer.restore(view)
            if seen.player.goal is not None:
                seen.player.seek(at)
            self.redraw()

    def action_data(self) -> None:
        from tui.screens.choose_data import ChooseData

        if self.is_recording():
            return
        if not self.loaded.algorithm.needs.data:
            self.tell(f"{clean(self.loaded.algorithm.title)} works on no data; p changes its parameters")
            return
        self.pause()
        self.app.push_screen(ChooseData(self.session.current), self._take_data)

    def _take_data(self, loaded: Asked) -> None:
        """Begin on other data; ask first where there are forks."""
        if loaded is not None:

            def begin() -> None:
                self.note_chosen(loaded)
                self._start_over(loaded)

            self.unless_forks(begin)

    def note_chosen(self, loaded: LoadedRun) -> None:
        """Remember the data and parameters that a person chose for an algorithm of the catalogue."""
        if self.remembered.path is not None and not loaded.own:
            from tui.last_run import words_of

            self.remembered.note_run(loaded.algorithm.name, words_of(loaded))

    def start_over(self, loaded: Asked) -> None:
        """Show another run in place of this one; ask first where there are forks."""
        if loaded is not None:
            self.unless_forks(lambda: self._start_over(loaded))

    def _start_over(self, loaded: LoadedRun, at: int = 0) -> None:
        """Begin it on its way to a step, in a thread where its first state may take long."""
        if loaded.algorithm.apart:
            self.tell("starting it")
            self.run_worker(lambda: self._start(loaded, at), thread=True, name="load")
            return
        try:
            self.session.begin(loaded, at, speed=self.player.pace)
        except Refused as refusal:
            self.tell(clean(refusal))
            return
        self._shown_anew()

    def _start(self, loaded: LoadedRun, at: int) -> None:
        """Begin a run in a thread, since it may take long."""
        try:
            player = Player(loaded.timeline(), self.player.pace)
        except Refused as refusal:
            self.app.call_from_thread(self.tell, clean(f"not started, the run stays: {refusal}"))
            return
        self.app.call_from_thread(self._started, loaded, at, player)

    def _started(self, loaded: LoadedRun, at: int, player: Player) -> None:
        self.session.begin(loaded, at, player=player)
        self._shown_anew()

    def _shown_anew(self) -> None:
        self.query_one(Column).start_over()
        self.redraw()

    def action_reload(self) -> None:
        """Load a reader's own file again, and go back to the same step of the new run."""
        if not self.loaded.spec:
            self.tell("ctrl+r loads a file of your own again; this one is of the catalogue")
            return
        self.unless_forks(self._reload)

    def _reload(self) -> None:
        self.player.play(False)
        self.tell("loading it again")
        self.run_worker(self._load_again, thread=True, name="load", exit_on_error=False)

    def _load_again(self) -> None:
        """Load it in a thread, since a file can take long to be imported, and to yield."""
        try:
            loaded, player = loaded_again(self.loaded, self.player.pace)
        except Refused as refusal:
            self.app.call_from_thread(self.tell, clean(f"not loaded, the run stays: {refusal}"))
            return
        self.app.call_from_thread(self._loaded_again, loaded, player)

    def _loaded_again(self, loaded: LoadedRun, player: Player) -> None:
        at, playing = self.player.t, self.player.playing
        self.session.begin(loaded, at, player=player)
        self.player.play(playing)
        self._shown_anew()
        self.tell("loaded again")
