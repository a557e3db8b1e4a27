"""Numbers as subscripts: the third of the w is w₃."""

_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def subscript(number: int) -> str:
    """Write a number below the line: "₁₂"."""
    return str(number).translate(_LOWERED)
