"""Contrast: two measured numbers that are an algorithm's point, where no theorem compares them."""

from msgspec import Struct


class Contrast(Struct, frozen=True):
    """What a hall sees in large digits before any theorem: held out, the vote against a tree of it.

    Attributes:
        words: one line: what is held against what. It is true whichever of the two is less.
        curves: the names of the two curves that measure them.
        names: what each is called above its number.
    """

    words: str
    curves: tuple[str, str]
    names: tuple[str, str]
