"""Keys of the reader's own: a file that gives actions of the run's screens other keys, by Textual's keymap.

    "event(True)" = "G"
    "step(1)" = "right,J"

What cannot be taken is told, a sentence a line of the file, and left aside; all else holds.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from textual.binding import Binding
from textual.keys import Keys, key_to_character

NAME = "keys.toml"
_MOST_BYTES = 1 << 16
_MODIFIERS = frozenset(("ctrl", "shift", "alt", "super", "hyper", "meta"))
_NAMED = frozenset(key.value for key in Keys) | {"plus", "minus", "slash", "backslash", "at", "underscore"}
_HEAD = """# Keys of your own: take the # away before a line and write other keys, with commas between several.
# They hold from the next start on. What is not named here keeps its keys.

"""

# by screen, what can be pressed there
Screens = Mapping[str, Sequence[Binding]]


def read_keymap(path: Path, screens: Screens, taken: Iterable[Binding]) -> tuple[dict[str, str], list[str]]:
    """Read which actions have other keys, and what of the file cannot be taken, in sentences.

    Args:
        taken: what every screen has besides, whose keys are not to be given away.
    """
    import tomllib

    from algorithms.core import Refused
    from algorithms.saving.files import read_plain

    try:
        given = tomllib.loads(read_plain(path, "a file of keys", _MOST_BYTES).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # a wrong encoding is a ValueError, too
        return {}, [f"{path.name} is no TOML, so all keys are as usual: {error}."]
    except Refused as refusal:
        return {}, [f"all keys are as usual: {refusal}"]
    actions = {binding.action for bound in screens.values() for binding in bound}
    usual = {key for bound in screens.values() for binding in bound for key in binding.key.split(",")}
    own: dict[str, str] = {}
    troubles: list[str] = []
    for action, keys in given.items():
        wrong = _fault(action, keys, actions, usual)
        if wrong:
            troubles.append(f"{path.name}: {wrong}")
        else:
            own[action] = ",".join(_keys_in(keys))
    others = [*taken]
    while clashes := _clashes(own, screens, others):  # who is left its usual keys may have given them to another
        for action, clash in clashes.items():
            del own[action]
            troubles.append(f"{path.name}: {clash}")
    return own, troubles


def template(screens: Screens) -> str:
    """Write a file that changes nothing and names everything."""
    keys: dict[str, list[str]] = {}
    words: dict[str, str] = {}
    for bound in screens.values():
        for binding in bound:
            known = keys.setdefault(binding.action, [])
            known += [key for key in binding.key.split(",") if key not in known]
            words.setdefault(binding.action, binding.description)
    lines = [f'# "{action}" = "{",".join(keys[action])}"' for action in keys]
    width = max(map(len, lines))
    return _HEAD + "".join(f"{line.ljust(width)}  # {words[action]}\n" for line, action in zip(lines, keys))


def mapped(bindings: Iterable[Binding], own: Mapping[str, str]) -> list[Binding]:
    """Give bindings the keys of the reader's own; what was several of one action is one then."""
    told: set[str] = set()
    found: list[Binding] = []
    for binding in bindings:
        if binding.action not in own:
            found.append(binding)
        elif binding.action not in told:
            told.add(binding.action)
            found.append(binding.with_key(own[binding.action]))
    return found


def _fault(action: str, keys: object, actions: set[str], usual: set[str]) -> str:
    """Say why a line cannot be taken, "" where it can."""
    if action not in actions:
        near = get_close_matches(action, sorted(actions), 3, 0.5)
        which = f"; near it: {', '.join(near)}" if near else ""
        return f"there is no action {action!r}{which}."
    if not isinstance(keys, str) or not _keys_in(keys):
        return f"{action} takes its keys as a text, such as 'J,ctrl+j'."
    unknown = next((key for key in _keys_in(keys) if key not in usual and not _is_key(key)), None)
    return f"{action}: there is no key {unknown!r}; 'ctrl+j', 'f5' and 'left' are some." if unknown else ""


def _keys_in(keys: str) -> list[str]:
    """List the keys of a line, a sign by its name."""
    each = [key.strip() for key in keys.split(",")]
    return [binding.key for key in each if key for binding in Binding.make_bindings([Binding(key, "")])]


def _is_key(key: str) -> bool:
    *modifiers, last = key.split("+")
    if not set(modifiers) <= _MODIFIERS or key in _MODIFIERS:
        return False
    return last in _NAMED or last.isprintable() and (len(last) == 1 or key_to_character(last) is not None)


def _clashes(own: Mapping[str, str], screens: Screens, taken: Sequence[Binding]) -> dict[str, str]:
    """Find the actions whose own key does something else on the same screen, each with a sentence."""
    found: dict[str, str] = {}
    for where, bound in screens.items():
        there = [*mapped(bound, own), *taken]
        here = {binding.action for binding in bound}
        for action in own:
            for key in own[action].split(",") if action in here else ():
                if any(key in b.key.split(",") for b in bound if b.action == action):  # its usual one: others take it
                    continue
                other = next((b for b in there if key in b.key.split(",") and b.action != action), None)
                if other is not None and action not in found:
                    does = other.description or other.action
                    found[action] = f"{action} keeps its keys: of {where}, {key!r} is {does!r} ({other.action})."
    return found
