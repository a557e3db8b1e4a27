"""The screen as an SVG that is well-formed whatever the text on it."""

import re
from typing import Any

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def svg(app: Any, title: str) -> str:
    """Make a picture of the screen as Textual draws it; characters that XML has no place for become �."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", app.export_screenshot(title=_NOT_XML.sub(" ", title)))
