"""Which keys the bottom line of the stage screen shows, the most wanted first."""

KEYS = (
    ("space", "play", "play"),
    ("→", "step", "step(1)"),
    ("←", "back", "step(-1)"),
    ("⇧→", "iteration", "iteration(True)"),
    ("n", "event", "event(True)"),
    ("p", "parameters", "parameters"),
    ("d", "data", "data"),
    ("a", "algorithms", "algorithms"),
    ("c", "compare", "compare"),
    ("g", "go to", "go_to"),
    ("+ -", "speed", "speed(1)"),
    ("t", "tables", "table"),
    ("s", "source", "source"),
    ("v", "plane", "plane"),
    ("?", "keys", "help"),
)
