"""Which keys the bottom line of the stage screen shows, the most wanted first."""

KEYS = (
    ("space", "play", "play"),
    ("→", "step", "step(1)"),
    ("←", "back", "step(-1)"),
    ("⇧→", "iteration", "iteration(True)"),
    ("n", "event", "event(True)"),
    ("f", "fork", "fork"),
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
_OF_SEVERAL = (("tab", "other run", "other_run(1)"), ("B", "runs", "runs"))


def keys_for(several: bool) -> tuple[tuple[str, str, str], ...]:
    """The keys, with those that go between runs when there are several."""
    at = 1 + [action for _, _, action in KEYS].index("fork")
    return (*KEYS[:at], *_OF_SEVERAL, *KEYS[at:]) if several else KEYS
