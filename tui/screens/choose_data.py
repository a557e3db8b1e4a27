"""The data picker: every data set that suits the algorithm, a file of one's own, and how it is prepared."""

from typing import Any

from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from algorithms import Recipe, Refused, datasets, recipe_named
from tui.opened import Opened, problem_with
from tui.screens.asking import Dialog
from tui.terminal.clean import clean
from tui.widgets.options import Options

_FLAGS = (
    ("columns", "features; all when empty"),
    ("target", "the column to learn"),
    ("positive", "the class held against the rest"),
    ("hold_out", "share kept aside, 0 to 0.9"),
)


class ChooseData(Dialog[Opened]):
    """Asks for a data set; the run starts afresh on it."""

    heading = "Data"
    hint = "↑ ↓ choose   tab next   enter starts the run afresh   esc leaves it"

    def __init__(self, opened: Opened):
        super().__init__()
        self._opened = opened
        self._recipes = offered(opened)

    def body(self) -> list[Widget]:
        options = [Option(Content(_line(recipe))) for recipe in self._recipes]
        listed = Options(*options, id="recipes")
        listed.highlighted = 0
        other = Input(id="path", placeholder="a CSV of your own, or blobs:margin=0.3,n=100")
        rows: list[Widget] = [Horizontal(Label(Content("or")), other, classes="field wide")]
        for name, help_ in _FLAGS:
            field = Input(id=f"d-{name}")
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
        return [listed, VerticalScroll(*rows, scaled, missing, id="form")]

    def on_mount(self) -> None:
        self._fill(self._recipes[0])

    def _fill(self, recipe: Recipe) -> None:
        self.query_one("#d-columns", Input).value = ",".join(recipe.columns)
        self.query_one("#d-target", Input).value = recipe.target or ""
        self.query_one("#d-target", Input).placeholder = recipe.load().target or "none"
        self.query_one("#d-positive", Input).value = recipe.positive or ""
        self.query_one("#d-hold_out", Input).value = f"{recipe.hold_out:g}" if recipe.hold_out else ""
        self.query_one("#d-scale", Select).value = recipe.scale
        self.query_one("#d-missing", Select).value = recipe.missing
        self.query_one("#path", Input).value = ""

    def on_input_changed(self, event: Input.Changed) -> None:
        """Other data have other columns: what was filled in for the highlighted ones goes."""
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

    def _take(self) -> None:
        try:
            self.dismiss(
                Opened.checked(self._opened.algorithm, self._recipe(), self._opened.parameters, self._opened.spec)
            )
        except Refused as refusal:
            self.complain(clean(refusal))

    def _recipe(self) -> Recipe:
        chosen = self._recipes[self.query_one("#recipes", OptionList).highlighted or 0]
        path = self.query_one("#path", Input).value.strip()
        base = recipe_named(path) if path else chosen
        typed: dict[str, Any] = {name: self.query_one(f"#d-{name}", Input).value.strip() for name, _ in _FLAGS}
        typed |= {name: typed[name] or None for name in ("target", "positive")}  # empty: the data set's own
        typed["columns"] = tuple(part.strip() for part in typed["columns"].split(",") if part.strip())
        try:
            typed["hold_out"] = float(typed["hold_out"] or 0)
        except ValueError:
            raise Refused(f"hold out {typed['hold_out']!r} is not a number from 0 to 0.9.") from None
        typed |= {name: self.query_one(f"#d-{name}", Select).value for name in ("scale", "missing")}
        return base.with_(**typed)


def offered(opened: Opened) -> list[Recipe]:
    """The recipe in hand, those the algorithm starts with, and every other that suits it."""
    algorithm = opened.algorithm
    found: list[Recipe] = []
    named = (datasets.recipe(name) for name in datasets.names())
    for recipe in (opened.recipe, *algorithm.starts, *named):
        if isinstance(recipe, Recipe) and recipe not in found and not problem_with(algorithm, recipe):
            found.append(recipe)
    return found


def _line(recipe: Recipe) -> str:
    data = recipe.load()
    kind = {"none": "", "class": f", {len(data.classes)} classes", "number": f", {data.target}"}[data.kind]
    scaled = ", scaled" if data.scaled else ""
    return clean(f"{data.name:<24} {data.n:>5} x {data.d}{kind}{scaled}")
