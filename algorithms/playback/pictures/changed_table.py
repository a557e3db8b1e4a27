"""What changed in a step, field by field: the last of the panels."""

import re
import sys

from algorithms.core import Table
from algorithms.core.text import clean
from algorithms.timeline import Frame
from algorithms.timeline.changed_fields import changed_fields

CHANGED = "changed in this step"
_WORDS = 25  # columns of what changed
_NAN = re.compile(r"\bnan\b")


def changed_table(frame: Frame) -> Table:
    """Tabulate what changed in a step, a row a field."""
    if frame.before is None:
        return Table(columns=("field",), rows=(("nothing comes before this step",),))
    changed = changed_fields(frame.before, frame.state)
    rows = tuple((clean(d.field), d.count, d.largest, clean(_told(frame, d.words), _WORDS)) for d in changed)
    return Table(columns=("field", "entries", "by", "change"), rows=rows or (("nothing", 0, None, ""),))


def _told(frame: Frame, words: str) -> str:
    """Write – for what an algorithm of ours has not measured yet; what a reader's own yields as nan is called so."""
    if not _NAN.search(words):
        return words
    own = sys.modules.get("algorithms.userfile.state")  # not imported for this: it takes as long as a step
    return words if own is not None and isinstance(frame.state, own.PlainState) else _NAN.sub("–", words)
