"""The keys of a run's screen in five groups, a row for what belongs together: made from the bindings, none left out."""

from collections.abc import Iterable

from textual.binding import Binding

from tui.look import printed

# What the actions do, in few words; those of the runs side by side come with those of one run. What is not named here
# stands in the last group with its own description.
_GROUPS = {
    "Move": {
        "play": "play, pause",
        "step": "a step",
        "iteration": "an iteration",
        "event": "an event",
        "seek": "the start",
        "start": "the start",
        "last": "newest step",
        "to_end": "to the end",
        "go_to": "to a step",
        "speed": "faster, slower",
        "cancel": "stop, pause",
        "breakpoints": "stop where",
        "to_stop": "next stop",
    },
    "Look": {
        "open_theorem": "a theorem",
        "section": "one part, all",
        "show_only": "one part, all",
        "chart": "next chart",
        "curve": "next curve",
        "table": "next table",
        "part": "chart, numbers",
        "scroll_table": "rows of table",
        "pan_table": "columns of it",
        "swap": "next on stage",
        "plane": "plane",
        "zoom": "in, out",
        "pan": "look aside",
        "fit": "the whole",
        "follow": "chart near",
        "along": "chart along",
        "log": "logarithmic",
        "veil": "show, hide",
        "seen_step": "next seen",
        "source": "source",
        "lecture": "for a hall",
        "ask": "asked, again",
    },
    "Change": {
        "parameters": "parameters",
        "data": "data",
        "edit": "rows by hand",
        "undo": "undo an edit",
        "fork": "fork here",
        "try_next": "try at the end",
        "turn": "turn the knob",
        "reload": "file again",
    },
    "Compare": {
        "compared": "the best, too",
        "compare": "two runs",
        "choose_runs": "choose runs",
        "other_run": "next run",
        "hand": "next run in hand",
        "runs": "all runs",
        "sweep": "many runs",
        "last_change": "when it changed",
        "first_difference": "first difference",
        "difference": "first difference",
        "align": "aligned by what",
        "leave": "back to the run",
    },
    "Keep": {
        "save": "save",
        "keep_moment": "a lesson's moment",
        "open": "open",
        "export": "export",
        "algorithms": "algorithms",
        "help": "this help",
        "app.quit": "quit",
    },
}
_WITH = {"ask_again": "ask"}  # actions that stand in the row of another
NAMED = frozenset(_WITH) | frozenset(action for actions in _GROUPS.values() for action in actions)
MOVING, LOOKING = frozenset(_GROUPS["Move"]), frozenset(_GROUPS["Look"])
_ALL = ("ctrl+p", "all by name")  # the app's own, which is no binding of a screen
_MOUSE = [("hover", "names it"), ("click", "goes there"), ("wheel", "zooms")]
Row = tuple[str, str]  # keys, and what they do


def in_groups(bindings: Iterable[Binding]) -> dict[str, list[Row]]:
    """Sort keys into groups, those of one action in one row."""
    keys: dict[str, list[Binding]] = {}
    for binding in bindings:
        action = binding.action.partition("(")[0]
        keys.setdefault(_WITH.get(action, action), []).append(binding)
    groups = {
        name: [(_printed(keys.pop(action)), words) for action, words in actions.items() if action in keys]
        for name, actions in _GROUPS.items()
    }
    groups["Keep"] += [_ALL, *((_printed(left), left[0].description) for left in keys.values())]
    return groups | {"Mouse": _MOUSE}


def _printed(bindings: list[Binding]) -> str:
    """Write the first key of each binding, what they begin with once: "alt ←→↑↓", and of many the ends: "1 … 7"."""
    names = [printed(binding.key.split(",")[0]) for binding in bindings]
    if len(names) > 4:
        return f"{names[0]} … {names[-1]}"
    if len(names) > 2:
        return names[0] + "".join(name.removeprefix("alt ") for name in names[1:])
    return " ".join(names)
