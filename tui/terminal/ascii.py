"""For terminals and fonts that have ASCII only: every character on its way out becomes one that looks like it."""

import re
import unicodedata

from rich.cells import cell_len

_ALIKE = {
    "●▲■◆★✚▼◗♣♠♥": "o^#*x+vdcsh",  # a row of each class
    "•▴▪♦⋆▾": "o^#*xv",
    "○△□◇☆✛▽◌♧♤♡◁": "OAHKXTVDCSM[",  # the same, wrong: capitals
    "─━┈┄═": "-=..=",
    "╴╶╸╺╾╼": "--====",
    "│┃┆║╷╵╻╹": "||:|||||",
    "╭╮╰╯┌┐└┘├┤┬┴┼┳┻": "+++++++++++++++",
    "┏┓┗┛┣┫╋┖┍┎┑┒┯┰┱┭┠┡┞╂┿┽": "++++++++++++++++++++++",
    "◈◎": "%@",  # what can be dragged, and what is being
    "⟨⟩‹›«»“”‘’": "<><><>\"\"''",
    "▶▸►▹→⇧↑↓←◀◂↔": ">>>>>^^v<<<-",
    "✓✗✕–—…∴·×÷°¯": "vxx--~:.x/o_",
    "≤≥≠≈≡∞∈∂∇√∝±∫∑∏": "<>!~=8edVv~+SSP",
    "‖²³½¼¹⁰₀₁₂": "|23???0012",
    "αβγδεζηθκλμνξπρστφχψω": "abgdezhqklmnxprstfxyw",
    "ΓΔΘΛΣΦΨΩ": "GDQLSFYW",
    "█▓▒░▌▐▄▀⠀": "##+:||_  ",  # a half block is told by its ground
}
_RELATIONS = {"≤": "<=", "≥": ">=", "≠": "!="}
_RELATION = re.compile("([≤≥≠]) ")  # with its blank it is as wide as what it becomes
_MARKS = (".", ".", ":", ":", "+", "+", "#", "#")  # a braille cell, by how many of its dots are set


class _Table(dict[int, str]):
    """For str.translate: what a character becomes, as wide as it is."""

    def __missing__(self, code: int) -> str:
        self[code] = self._of(chr(code))
        return self[code]

    @staticmethod
    def _of(character: str) -> str:
        code = ord(character)
        if code < 128:
            return character
        if 0x2801 <= code <= 0x28FF:
            return _MARKS[(code - 0x2800).bit_count() - 1]
        plain = unicodedata.normalize("NFKD", character)[0]
        width = cell_len(character)
        return (plain if plain.isascii() and plain.isprintable() else "?") * min(width, 1) + "?" * max(width - 1, 0)


_TABLE = _Table({ord(a): b for many, ones in _ALIKE.items() for a, b in zip(many, ones, strict=True)})


def in_ascii(text: str) -> str:
    """Write the text, as many cells wide, in ASCII alone; what steers a terminal is ASCII and stays."""
    return text if text.isascii() else _RELATION.sub(lambda sign: _RELATIONS[sign[1]], text).translate(_TABLE)
