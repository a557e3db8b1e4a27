"""How many examples a test draws: a third in the suite, so that it keeps its time; all with ITERSCOPE_EXAMPLES=all."""

import os


def examples(most: int) -> int:
    """Take a third of them, fifteen at least; all where they are asked for."""
    return most if os.environ.get("ITERSCOPE_EXAMPLES") == "all" else max(most // 3, min(most, 15))
