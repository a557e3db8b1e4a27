"""The data and the state changed by hand: rows added, dragged, removed, and what else can be dragged."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from msgspec import Struct
from textual import events
from textual.binding import Binding, BindingType

from algorithms.core import Array, DragHandles, Edit, Remove, State
from algorithms.core.parameters import as_typed
from algorithms.core.resolve import ResolvedPanel
from algorithms.core.text import clean
from algorithms.playback.pictures import drawing
from algorithms.playback.pictures.viewer import Picture
from algorithms.timeline.branches import Change
from tui.screens.stage.base import StageBase
from tui.widgets.header import Header
from tui.widgets.stage import Pencil, Stage

_FAR = 5  # cells that the cursor goes with shift
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_CLASSES = "123456789"
_OF_ROWS = {"delete", "backspace", "f", "o", *_CLASSES}  # keys that do something to rows
_NO_HANDLE = "there is no ◈ on this panel: m puts another one on the stage"
_NAMED = 40  # characters that a place may take with the names of the axes

WHILE_EDITING = (  # for the help
    ("← → ↑ ↓", f"the cursor; {_FAR} cells with ⇧"),
    ("enter", "adds a row; takes the row or the ◈ at the cursor, and puts it down"),
    ("del", "removes the row at the cursor, or the one that was clicked"),
    ("f", "gives that row the next class"),
    ("1 … 9", "the class of rows to come"),
    ("o", f"{drawing.BLOB} rows around the cursor"),
    ("n", "where there are no rows, the next ◈"),
    ("u", "undoes the last edit"),
    ("esc", "lets go of what is carried; done editing"),
    ("mouse", "click adds a row, drag moves a row or a ◈, right click removes a row"),
)
_LINE = (
    ("enter", "add, take", "edit_key('enter')"),
    ("del", "remove", "edit_key('delete')"),
    ("f", "flip class", "edit_key('f')"),
    ("o", "many", "edit_key('o')"),
    ("u", "undo", "undo"),
    ("esc", "done", "edit_key('escape')"),
    ("1-9", "class", "edit_key('1')"),
    ("space", "play", "play"),
    ("tab", "other run", "other_run(1)"),
    ("?", "keys", "help"),
)
_LINE_WITHOUT_ROWS = (
    ("enter", "take, put down", "edit_key('enter')"),
    ("n", "next ◈", "edit_key('n')"),
    *(key for key in _LINE if key[1] in ("undo", "done", "play", "other run", "keys")),
)


class Held(Struct, frozen=True):
    """What is being carried: a row, or a place that can be dragged.

    Attributes:
        name: "row 17", "mean 2".
        begin: where it was taken, (2,).
        step: the state it was taken from: when another is shown it is let go.
        drop: what putting it down at a place (2,) does.
    """

    name: str
    begin: tuple[float, float]
    step: State
    drop: Callable[[Array], None]


class Editing(StageBase):
    """The data and the state changed by hand, in a mode of its own whose keys go before all others."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "edit", "edit data and means by hand"),
    ]

    editing = False
    _class = 0  # the code of rows to come
    _held: Held | None = None

    # The mode

    def action_edit(self) -> None:
        if self.is_recording():
            return
        stage, picture = self.query_one(Stage), self.picture
        if not self.session.branch.timeline.resumes:
            self.tell("no edits: this run keeps what it goes on from to itself, so it cannot go on from a change")
            return
        if picture is None or not stage.has_places:
            self.tell("there is nowhere to edit on this panel: m puts another one on the stage")
            return
        self.editing, self._class = True, min(self._class, max(len(self.data.classes) - 1, 0))
        self.query_one(Header).mode = "editing"
        points = drawing.rows_of(picture.stage)
        places = stage.handle_places
        at = places[0] if places and not self.data else stage.middle
        if stage.picked is not None and points is not None and stage.picked < len(points.at):
            at = float(points.at[stage.picked, 0]), float(points.at[stage.picked, 1])
        self._point(at)
        self.pause()
        self.tell("")

    def put_by(self) -> None:
        if self.editing:
            self._leave()

    def _leave(self) -> None:
        self.editing, self._held = False, None
        self.query_one(Header).mode = ""
        self.query_one(Stage).write(None)
        self.show_where()
        self.tell("")

    def point_again(self, picture: Picture, before: Picture | None) -> None:
        """Let the cross stand where it was, among what is there now."""
        stage = self.query_one(Stage)
        if self._held is not None and self._held.step is not picture.frame.state:
            self._held = None
        if self.editing and not stage.has_places:
            self._leave()
        elif self.editing and (before is None or before.stage.title != picture.stage.title):
            self._held = None
            self._point(stage.middle)
        elif self.editing:
            self._point(self._at)

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        if not self.editing:
            return super().key_line()
        if not self.data:
            return _LINE_WITHOUT_ROWS
        return tuple(key for key in _LINE if self.data.kind == "class" or "class" not in key[1])

    def notice_for(self, picture: Picture) -> str:
        """Choose the notice, or else what the mouse does while editing."""
        if not self.editing or self.session.notice:
            return super().notice_for(picture)
        handles = any(isinstance(mark, DragHandles) and len(mark.at) for mark in picture.stage.marks)
        if not self.data and not handles:
            return f"{_NO_HANDLE}; {self._ends}"
        if not self.data:
            return f"drag a ◈, or take it with enter and put it down with enter; n goes to the next; {self._ends}"
        kind = f" of {clean(self.data.classes[self._class])}" if self.data.kind == "class" else ""
        dragged = "a row or a ◈" if handles else "a row"
        return f"click adds a row{kind}; drag {dragged}; right click removes; {self._ends}"

    @property
    def _ends(self) -> str:
        return "esc ends, c compares" if self.session.compared_last else "esc ends"

    # Keys and mouse

    def moves_with(self, key: str) -> bool:
        return not self.editing and super().moves_with(key)

    def on_key(self, event: events.Key) -> None:
        small = self.has_class("small")  # what cannot be seen should not happen
        if self.editing and not small and self.action_edit_key(event.key):
            event.stop()
            event.prevent_default()

    def action_edit_key(self, key: str) -> bool:
        """Do what a key does while editing; whether it does anything."""
        arrow = key.removeprefix("shift+")
        if not self.data and key in _OF_ROWS:
            self.tell("there are no rows: only a ◈ can be moved")
            return True
        if arrow in _STEPS:
            far, (across, down) = _FAR if arrow != key else 1, _STEPS[arrow]
            self._point(self.query_one(Stage).moved_by(self._at, far * across, far * down))
        elif key in _CLASSES:
            self._choose_class(int(key) - 1)
        elif key in self._does:
            self._does[key]()
        else:
            return False
        return True

    @property
    def _does(self) -> dict[str, Callable[[], None]]:
        return {
            "enter": self._enter,
            "delete": self._remove,
            "backspace": self._remove,
            "f": self._flip,
            "o": self._paint,
            "u": self.session.undo,
            "escape": self._let_go,
            "i": self._leave,
        } | ({} if self.data else {"n": self._next_handle})

    def on_stage_pointed(self, message: Stage.Pointed) -> None:
        if not self.editing:
            return
        self._point(message.at)
        match message.does:
            case "grab":
                self._grab()
            case "drop" if message.still:
                self._pick()
            case "drop":
                self._put_down()
            case "put" | "remove" if not self.data:
                self.tell("there is no ◈ here; n goes to the next")
            case "put":
                self._add()
            case "remove":
                self._remove()

    @property
    def _at(self) -> tuple[float, float]:
        """Say where the cursor is."""
        stage = self.query_one(Stage)
        return stage.pencil.at if stage.pencil else stage.middle

    def _point(self, at: tuple[float, float]) -> None:
        """Show the cursor at a place, with what is there, or what is being carried there."""
        stage = self.query_one(Stage)
        if self.picture is None or not stage.has_places:
            return
        text = _words_of(self.picture.stage, at)
        grip, row = stage.grip_near(at), stage.row_near(at)
        if self._held is not None:
            text = f"{self._held.name} to {text}"
        elif grip is not None:
            text = f"◈ {grip[0].names[grip[1]]}: drag it"
        elif row is not None:
            text = stage.words_of(row)
        stage.write(Pencil(at=at, carried=self._held.begin if self._held else None, text=clean(text)))

    # Taking and putting down

    def _enter(self) -> None:
        if self._held:
            self._put_down()
        elif not self._grab() and self.data:
            self._add()
        elif self._held is None:
            self.tell("there is no ◈ here; n goes to the next")

    def _next_handle(self) -> None:
        """Go to the place that can be dragged after the one at the cursor."""
        places = self.query_one(Stage).handle_places
        if not places:
            self.tell(_NO_HANDLE)
            return
        at = np.array(self._at)
        nearest = int(np.linalg.norm(np.array(places) - at, axis=1).argmin())
        there = self.query_one(Stage).grip_near(self._at) is not None
        self._point(places[(nearest + 1) % len(places) if there else nearest])

    def _grab(self) -> bool:
        """Take what is at the cursor, a place that can be dragged before a row; whether there was something."""
        stage = self.query_one(Stage)
        grip, row = stage.grip_near(self._at), stage.row_near(self._at)
        points = drawing.rows_of(self.picture.stage) if self.picture else None
        step = self.player.frame.state
        if grip is not None:
            mark, i = grip
            self._held = Held(mark.names[i], _pair(mark.at[i]), step, lambda to: self._drag(mark, i, to))
        elif row is not None and points is not None:
            self._held = Held(f"row {row}", _pair(points.at[row]), step, lambda to: self._carry(row, to))
        else:
            return False
        self._point(self._at)
        return True

    def _put_down(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held.drop(np.array(self._at))
        self._point(self._at)

    def _let_go(self) -> None:
        if self._held is None:
            self._leave()
            return
        self._held = None
        self._point(self._at)

    def _pick(self) -> None:
        """Click on what is there: it is not carried, and a row is the one that keys speak of."""
        self._held = None
        stage = self.query_one(Stage)
        row = stage.row_near(self._at)
        stage.pick(None if row == stage.picked else row)
        self._point(self._at)

    # Changes

    def _drag(self, grips: DragHandles, i: int, to: Array) -> None:
        state = self.player.frame.state
        if grips.sets is not None and state.t == 0:
            self._set_start(grips.sets, to)
            return
        try:
            moved = grips.moved(state, i, to)
        except Exception as error:  # a reader's own
            self.tell(clean(f"{grips.names[i]} cannot be dragged: {error}"))
            return
        fields = {name: getattr(moved, name) for name in state.__struct_fields__}
        changed = {name: value for name, value in fields.items() if value is not getattr(state, name)}
        if changed:
            self.session.change(Change(state=changed), f"{clean(grips.names[i])} is moved")

    def _set_start(self, sets: Callable[[Array], dict[str, Any]], to: Array) -> None:
        """Begin a run with the parameters that have it start at a place."""
        try:
            parameters = sets(to)
        except Exception as error:  # a reader's own
            self.tell(clean(f"no run can start there: {error}"))
            return
        words = ", ".join(f"{name} {as_typed(value)}" for name, value in parameters.items())
        self.session.change(Change(parameters=parameters), clean(words))

    def _carry(self, row: int, to: Array) -> None:
        hidden = "" if self.viewer.plane.whole else ", what the plane does not show of it stays"
        self._edit(
            lambda flat: drawing.carried(flat, self.viewer.plane, self.data, row, to), f"row {row} is moved{hidden}"
        )

    def _add(self) -> None:
        at = np.array(self._at)
        self._edit(
            lambda flat: (drawing.added(flat, self.viewer.plane, self.data, at, self._code),),
            f"row {self.data.n} is added{self._lifted}",
        )

    def _paint(self) -> None:
        at = np.array(self._at)
        seed = (self.player.t, len(self.session.branch.change.edits))
        self._edit(
            lambda flat: drawing.blob(flat, self.viewer.plane, self.data, at, self._code, seed),
            f"{drawing.BLOB} rows are added{self._lifted}",
        )

    def _remove(self) -> None:
        row = self._row()
        if row is not None:
            self._edit(lambda flat: (Remove(row),), f"row {row} is removed")

    def _flip(self) -> None:
        row = self._row()
        if row is not None:
            self._edit(lambda flat: (drawing.flipped(self.data, row),), f"row {row} is in another class")

    def _row(self) -> int | None:
        """Find the row at the cursor, or else the one that was clicked; tells when there is none."""
        stage = self.query_one(Stage)
        row = stage.row_near(self._at)
        row = stage.picked if row is None else row
        if row is None:
            self.tell("there is no row at the cursor")
        return row

    def _choose_class(self, code: int) -> None:
        classes = self.data.classes
        if code < len(classes):
            self._class = code
            self.tell(f"rows to come are {clean(classes[code])}")
        else:
            there = f"classes go from 1 to {len(classes)}" if classes else "these rows are in no classes"
            self.tell(there)

    @property
    def _code(self) -> float | None:
        return float(self._class) if self.data.kind == "class" else None

    @property
    def _lifted(self) -> str:
        """Say what a person should be told of where a new row lies that the plane does not show."""
        return "" if self.viewer.plane.whole else " on the plane: what it does not show is as at its middle"

    def _edit(self, make: Callable[[ResolvedPanel], tuple[Edit, ...]], words: str) -> None:
        if self.picture is None:
            return
        try:
            edits = make(self.picture.stage)
        except Exception as error:  # refused, or a reader's own
            self.tell(clean(error))
            return
        self.session.change(Change(edits=edits), words)


def _pair(at: Array) -> tuple[float, float]:
    return float(at[0]), float(at[1])


def _words_of(flat: ResolvedPanel, at: tuple[float, float]) -> str:
    """Write a place in the units of the axes, with their names where these are short."""
    axes = [(axis, axis.offset + axis.unit * c) for axis, c in zip((flat.across, flat.up), at) if axis.name]
    named = ", ".join(f"{axis.name} {value:.4g}" for axis, value in axes)
    return named if len(named) <= _NAMED else ", ".join(f"{value:.4g}" for _, value in axes)
