"""Which keys the bottom line of the stage screen shows, the most wanted first."""

EVENT = "event(True)"  # of which there is none where an algorithm names none
KEYS = (
    ("space", "play", "play"),
    ("→", "step", "step(1)"),
    ("←", "back", "step(-1)"),
    ("⇧→", "iteration", "iteration(True)"),
    ("n", "event", EVENT),
    ("f", "fork", "fork"),
    ("i", "edit", "edit"),
    ("p", "parameters", "parameters"),
    ("d", "data", "data"),
    ("a", "algorithms", "algorithms"),
    ("c", "compare", "compare"),
    ("R", "many runs", "sweep"),
    ("g", "go to", "go_to"),
    ("b", "stop where", "breakpoints"),
    ("enter", "theorem", "open_theorem"),
    ("V", "show all", "veil"),
    ("P", "be asked", "ask"),
    ("+ -", "speed", "speed(1)"),
    ("t", "tables", "table"),
    ("s", "source", "source"),
    ("v", "plane", "plane"),
    ("e", "export", "export"),
    ("ctrl+s", "save", "save"),
    ("?", "keys", "help"),
)
CHANGES = ("fork", "edit", "parameters", "data", "save", "sweep", "veil")  # what a recording cannot have
FOLLOW = ("enter", "follow a number", "open_theorem")  # where no theorem is stated
FORKS = ("fork", "edit")  # what a run cannot have that is not taken up again
_BETWEEN = ("tab", "next run", "other_run(1)")
_ALL = ("B", "runs", "runs")


def keys_for(several: bool) -> tuple[tuple[str, str, str], ...]:
    """List the keys, with those that go between runs when there are several."""
    if not several:
        return KEYS
    actions = [action for _, _, action in KEYS]
    back, fork = actions.index("step(-1)") + 1, actions.index("fork") + 1
    return (*KEYS[:back], _BETWEEN, *KEYS[back:fork], _ALL, *KEYS[fork:])
