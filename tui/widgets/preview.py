"""Preview: a small stage on which a run plays by itself."""

import math

from algorithms.core.text import clean
from algorithms.playback.cursor.player import Player
from algorithms.playback.pictures.viewer import Viewer
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.timeline import Timeline
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.text import wrapped
from tui.sections.panels.plots import paint_legend, paint_plot
from tui.widgets.raster import RasterView

_AGAIN = 2.0  # seconds for which the end of a preview is shown before it starts over
_SELDOM = 20  # times its length is waited for after a step that was long, or seemed so on a busy machine
_BEFORE = 20  # steps that lead up to the one that is to be seen


class Preview(RasterView):
    """Plays a run to its end, or up to a step, again and again; a sentence where there is none."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._player: Player | None = None
        self._viewer: Viewer | None = None
        self._ended = self._waited = 0.0
        self._until = math.inf
        self._sentence = ""

    def show(self, opened: LoadedRun, until: int | None = None) -> None:
        """Start to play another run, to its end or the steps up to one."""
        self._player = Player(Timeline(opened.algorithm, opened.data, opened.parameters, budget=8 << 20), pace=3)
        self._viewer = Viewer(self._player.timeline)
        self._until = math.inf if until is None else until
        self._ended = 0.0
        self._begin(self._player)
        self.redraw()

    def clear(self) -> None:
        """Play nothing."""
        self.tell("")

    def tell(self, sentence: str) -> None:
        """Say a sentence in place of a run."""
        self._player = self._viewer = None
        self._sentence = sentence
        self.redraw()

    def _begin(self, player: Player) -> None:
        player.play(True)
        player.seek(0 if math.isinf(self._until) else max(int(self._until) - _BEFORE, 0))

    def tick(self, elapsed: float) -> None:
        """Let the run go on."""
        player = self._player
        if player is None:
            return
        self._waited += elapsed
        if player.slow and (player.timeline.algorithm.apart or self._waited < _SELDOM * player.timeline.seconds_a_step):
            return
        self._waited = 0.0
        if player.goal is None and (player.at_end or player.t >= self._until):
            if player.t > self._until:
                player.seek(int(self._until))
            self._ended += elapsed
            if self._ended > _AGAIN:
                self._ended = 0.0
                self._begin(player)
        elif not player.playing:
            player.play(True)
        if player.tick(elapsed if player.t < self._until else 0.0, 0.008):
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        if self._player is None or self._viewer is None:
            canvas.fill(self.palette.panel)
            if self._sentence:
                inside = framed(canvas, "no run", "", self.palette)
                for row, line in enumerate(wrapped(clean(self._sentence), inside.columns - 2)):
                    inside.text(1, row, line, self.palette.ink)
            return
        frame = self._player.frame
        picture = self._viewer.picture(frame, max(canvas.columns - 9, 2), max(canvas.rows - 4, 2), moving=True)
        flat = picture.stage
        step, room = f"step {frame.t}", canvas.columns - 9  # of a long title's frame the phase goes first
        note = f"{frame.state.phase}, {step}"
        note = note if width_of(flat.title) + width_of(note) <= room else step
        inside = framed(canvas, fitted(flat.title, room - width_of(note)), note, self.palette)
        plot = paint_plot(inside, flat, picture.limits[flat.title], self.palette)
        paint_legend(canvas, flat, self.palette, self._viewer.timeline.data, plot)
