"""Text from data for a widget: as Content, for a plain string would be parsed as markup.

In a string of markup "[@click=...]" runs an action and "[/nope]" raises.
"""

from textual.content import Content

from algorithms.core.text import clean


def safe(text: object) -> Content:
    """Show the text as it stands, with nothing in it that steers a terminal."""
    return Content(clean(text))
