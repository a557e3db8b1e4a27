"""The stage and the comparison are made of parts; no part may take another's place by a name."""

from collections import Counter

import pytest

from tui.screens.compare import CompareScreen
from tui.screens.compare.base import CompareBase
from tui.screens.run_screen import RunScreen
from tui.screens.stage import StageScreen
from tui.screens.stage.base import StageBase

SCREENS = pytest.mark.parametrize(("screen", "base"), [(StageScreen, StageBase), (CompareScreen, CompareBase)])


@SCREENS
def test_no_two_parts_have_a_name_in_common(screen: type[RunScreen], base: type[RunScreen]) -> None:
    """But for those of the base, which a part may go on from."""
    parts = [part for part in screen.__mro__ if issubclass(part, base) and part not in (base, screen)]
    names = Counter(name for part in parts for name in vars(part) if not hasattr(base, name))
    assert [name for name, times in names.items() if times > 1] == []


@SCREENS
def test_no_two_parts_have_a_key_in_common(screen: type[RunScreen], base: type[RunScreen]) -> None:
    parts = [part for part in screen.__mro__ if issubclass(part, RunScreen)]
    keys = Counter(key for part in parts for b in vars(part).get("BINDINGS", ()) for key in b.key.split(","))
    assert [key for key, times in keys.items() if times > 1] == []
