"""On which plane to look at data of many features."""

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from algorithms.core import Dataset, Refused
from algorithms.core.plane import Plane, features_plane
from algorithms.core.text import clean
from tui.screens.asking import Dialog
from tui.widgets.field import Field
from tui.widgets.options import Options


class ChoosePlane(Dialog[Plane]):
    """Offers the planes worth offering, and any two features by name."""

    heading = "Look at"
    hint = "↑ ↓ enter takes one   tab: type two features, across, up   esc leaves it"

    def __init__(self, data: Dataset, planes: tuple[Plane, ...], now: Plane):
        super().__init__()
        self._data, self._planes, self._now = data, planes, now

    def body(self) -> list[Widget]:
        options = [Option(Content(clean(plane.title))) for plane in self._planes]
        offered = Options(*options, id="planes")
        offered.highlighted = next((i for i, p in enumerate(self._planes) if p.title == self._now.title), 0)
        names = ", ".join(clean(name) for name in self._data.inputs.features[:4])
        return [offered, Field(placeholder=f"{names}, ...", id="features")]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._planes[event.option_index])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        names = [part.strip() for part in event.value.replace(" against ", ",").split(",") if part.strip()]
        try:
            across, up = (_feature(self._data, name) for name in names)
            self.dismiss(features_plane(self._data, across, up))
        except Refused as refusal:
            self.complain(clean(refusal))
        except ValueError:
            self.complain("two features are needed, with a comma between them.")


def _feature(data: Dataset, name: str) -> int:
    features = data.inputs.features
    if name in features:
        return features.index(name)
    begun = [j for j, feature in enumerate(features) if feature.startswith(name)]
    if len(begun) == 1:
        return begun[0]
    raise Refused(f"there is no one feature {name!r}; there are {', '.join(features[:8])}.")
