"""Which keys the bottom line of the compare screen shows, the most wanted first."""

KEYS = (
    ("space", "play", "play"),
    ("→", "step", "step(1)"),
    ("←", "back", "step(-1)"),
    ("⇧→", "iteration", "iteration(True)"),
    ("u", "align by", "align"),
    ("t", "numbers", "part"),
    ("esc", "back to one", "leave"),
    ("x", "curve", "curve"),
    ("n", "event", "event(True)"),
    ("tab", "run in hand", "hand(1)"),
    ("+ -", "speed", "speed(1)"),
    ("g", "go to", "go_to"),
    ("v", "plane", "plane"),
    ("?", "keys", "help"),
)
