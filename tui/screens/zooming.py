"""The keys that zoom and pan, the same wherever there is a stage."""

from textual.binding import Binding

ZOOMING = (
    Binding("z", "zoom(0.7)", "zoom in"),
    Binding("Z", "zoom(1.43)", "zoom out"),
    Binding("alt+left", "pan(-0.15, 0)", "look further left"),
    Binding("alt+right", "pan(0.15, 0)", "look further right"),
    Binding("alt+up", "pan(0, 0.15)", "look further up"),
    Binding("alt+down", "pan(0, -0.15)", "look further down"),
    Binding("w", "fit", "the whole again, of what was zoomed last"),
)
