"""The data picker: every data set that suits the algorithm, a file of one's own, and how it is prepared."""

from time import monotonic
from typing import Any

from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.data import Recipe, datasets
from algorithms.data.progress import Cancelled
from algorithms.data.recipe import recipe_named
from algorithms.playback.runs.loaded_run import LoadedRun, problem_with
from tui.screens.asking import Dialog
from tui.widgets.field import Field
from tui.widgets.options import Options

_FLAGS = (
    ("columns", "features; all when empty"),
    ("target", "the column to learn"),
    ("positive", "the class held against the rest"),
    ("hold_out", "share kept aside, 0 to 0.9"),
    ("sample", "rows, at random; all if empty"),
    ("map", "quadratic, products, rbf:20"),
)
_MOMENT = 0.2  # seconds between two looks at how far a file is read
_BAR = 24  # cells


class _Reading:
    """A reading that goes on in a thread for as long as it is wanted."""

    def __init__(self, label: str):
        self.label = label
        self.wanted = True
        self.shown_at = monotonic()


class ChooseData(Dialog[LoadedRun]):
    """Asks for a data set; the run starts afresh on it."""

    heading = "Data"
    hint = "↑ ↓ choose   tab next   enter starts the run afresh   esc leaves it"

    def __init__(self, opened: LoadedRun):
        super().__init__()
        self._opened = opened
        self._recipes = offered(opened)
        self._reading: _Reading | None = None

    def body(self) -> list[Widget]:
        options = [Option(Content(_line(recipe))) for recipe in self._recipes]
        listed = Options(*options, id="recipes")
        listed.highlighted = 0
        other = Field(id="path", placeholder="a file (CSV, TSV, NPZ, JSON, Parquet) or blobs:n=100")
        rows: list[Widget] = [Horizontal(Label(Content("or")), other, classes="field wide")]
        for name, help_ in _FLAGS:
            field = Field(id=f"d-{name}")
            rows.append(
                Horizontal(
                    Label(Content(name.replace("_", " "))),
                    field,
                    Static(Content(help_), classes="help"),
                    classes="field",
                )
            )
        scaled = Horizontal(
            Label(Content("scale")),
            Select([("yes", True), ("no", False)], allow_blank=False, id="d-scale", compact=True),
            Static(Content("each feature to mean 0, deviation 1"), classes="help"),
            classes="field",
        )
        missing = Horizontal(
            Label(Content("missing")),
            Select([("drop", "drop"), ("refuse", "refuse")], allow_blank=False, id="d-missing", compact=True),
            Static(Content("rows with missing cells"), classes="help"),
            classes="field",
        )
        decimal = Horizontal(
            Label(Content("decimal")),
            Select([("point", "."), ("comma", ",")], allow_blank=False, id="d-decimal", compact=True),
            Static(Content("the decimal sign of a file"), classes="help"),
            classes="field",
        )
        return [listed, VerticalScroll(*rows, scaled, missing, decimal, id="form", can_focus=False)]

    def on_mount(self) -> None:
        self._fill(self._recipes[0])

    def _fill(self, recipe: Recipe) -> None:
        self.query_one("#d-columns", Input).value = ",".join(recipe.columns)
        self.query_one("#d-target", Input).value = recipe.target or ""
        self.query_one("#d-target", Input).placeholder = recipe.load().target or "none"
        self.query_one("#d-positive", Input).value = recipe.positive or ""
        self.query_one("#d-hold_out", Input).value = f"{recipe.hold_out:g}" if recipe.hold_out else ""
        self.query_one("#d-scale", Select).value = recipe.scale
        self.query_one("#d-sample", Input).value = str(recipe.sample or "")
        self.query_one("#d-map", Input).value = recipe.map
        self.query_one("#d-missing", Select).value = recipe.missing
        self.query_one("#d-decimal", Select).value = recipe.decimal
        self.query_one("#path", Input).value = ""

    def on_input_changed(self, event: Input.Changed) -> None:
        """Clear the fields filled in for the highlighted data: other data have other columns."""
        if event.input.id == "path" and len(event.value) == 1:
            for name, _ in _FLAGS:
                self.query_one(f"#d-{name}", Input).value = ""
                self.query_one(f"#d-{name}", Input).placeholder = ""

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._fill(self._recipes[event.option_index])
        self.complain("")

    def on_option_list_option_selected(self) -> None:
        self._take()

    def on_input_submitted(self) -> None:
        self._take()

    def action_leave(self) -> None:
        """End a reading that goes on; leave the dialog when there is none."""
        if self._reading is None:
            self.dismiss(None)
            return
        self.complain(clean(f"{self._reading.label} was not read: you ended it."))
        self._end_reading()

    def _take(self) -> None:
        if self._reading is not None:
            return
        self.complain("")
        try:
            recipe = self._recipe()
        except Refused as refusal:
            self.complain(clean(refusal))
            return
        reading = self._reading = _Reading(recipe.label)
        self.run_worker(lambda: self._read(recipe, reading), thread=True, name="read")

    def _end_reading(self) -> None:
        if self._reading is not None:
            self._reading.wanted = False
            self._reading = None
            self._say(self.hint)

    def _read(self, recipe: Recipe, reading: _Reading) -> None:
        """Load the data, in a thread, and check that all go together."""
        worker = get_current_worker()  # is cancelled when the app ends

        def watch(share: float) -> None:
            if not reading.wanted or worker.is_cancelled:
                raise Cancelled
            if monotonic() - reading.shown_at > _MOMENT:
                reading.shown_at = monotonic()
                self.app.call_from_thread(self._show, reading, share)

        opened, trouble = None, ""
        try:
            recipe.load(watch)  # what is checked next has it at hand
            opened = LoadedRun.checked(self._opened.algorithm, recipe, self._opened.parameters, self._opened.spec)
        except Refused as refusal:
            trouble = str(refusal)
        except Cancelled:
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self._read_to_the_end, reading, opened, trouble)

    def _show(self, reading: _Reading, share: float) -> None:
        if reading.wanted:
            full = round(share * _BAR)
            self._say(
                clean(f"reading {reading.label[:30]}  {'█' * full}{'░' * (_BAR - full)} {share:4.0%}   esc ends it")
            )

    def _read_to_the_end(self, reading: _Reading, opened: LoadedRun | None, trouble: str) -> None:
        if not reading.wanted:
            return
        self._end_reading()
        if opened is None:
            self.complain(clean(trouble))
        else:
            self.dismiss(opened)

    def _say(self, words: str) -> None:
        """Show words in the place of the hint."""
        self.query_one(".hint", Static).update(Content(words))

    def _recipe(self) -> Recipe:
        chosen = self._recipes[self.query_one("#recipes", OptionList).highlighted or 0]
        path = self.query_one("#path", Input).value.strip()
        base = recipe_named(path) if path else chosen
        typed: dict[str, Any] = {name: self.query_one(f"#d-{name}", Input).value.strip() for name, _ in _FLAGS}
        typed |= {name: typed[name] or None for name in ("target", "positive")}  # empty: the data set's own
        typed["map"] = "" if typed["map"] == "none" else typed["map"]
        typed["columns"] = tuple(part.strip() for part in typed["columns"].split(",") if part.strip())
        try:
            typed["hold_out"] = float(typed["hold_out"] or 0)
        except ValueError:
            raise Refused(f"hold out {typed['hold_out']!r} is not a number from 0 to 0.9.") from None
        try:
            typed["sample"] = int(typed["sample"]) if typed["sample"] else None
        except ValueError:
            raise Refused(f"sample {typed['sample']!r} is not a whole number of rows.") from None
        typed |= {name: self.query_one(f"#d-{name}", Select).value for name in ("scale", "missing", "decimal")}
        return base.with_(**typed)


def offered(opened: LoadedRun) -> list[Recipe]:
    """List the current recipe, those the algorithm starts with, and every other that suits it."""
    algorithm = opened.algorithm
    recipes: list[Recipe] = []
    named = (datasets.recipe(name) for name in datasets.names())
    for recipe in (opened.recipe, *algorithm.datasets, *named):
        if isinstance(recipe, Recipe) and recipe not in recipes and not problem_with(algorithm, recipe):
            recipes.append(recipe)
    return recipes


def _line(recipe: Recipe) -> str:
    data = recipe.load()
    kind = {"none": "", "class": f", {len(data.classes)} classes", "number": f", {data.target}"}[data.kind]
    scaled = ", scaled" if data.inputs.scaled else ""
    mapped = f", {data.map.title}" if data.map is not None else ""
    return clean(f"{data.name:<24} {data.n:>5} x {data.d}{kind}{scaled}{mapped}")
