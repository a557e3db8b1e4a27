"""The stage screen is made of parts; no part may take another's place by a name."""

from collections import Counter

from tui.screens.stage import StageScreen
from tui.screens.stage.base import StageBase


def test_no_two_parts_have_a_name_in_common() -> None:
    """But for those of the base, which a part may go on from, and taking a run in hand, which ends a search too."""
    parts = [part for part in StageScreen.__mro__ if issubclass(part, StageBase) and part is not StageBase]
    names = Counter(name for part in parts for name in vars(part) if not hasattr(StageBase, name))
    assert [name for name, times in names.items() if times > 1 and name != "_select"] == []


def test_no_two_parts_have_a_key_in_common() -> None:
    parts = [part for part in StageScreen.__mro__ if issubclass(part, StageBase)]
    keys = Counter(key for part in parts for b in vars(part).get("BINDINGS", ()) for key in b.key.split(","))
    assert [key for key, times in keys.items() if times > 1] == []
