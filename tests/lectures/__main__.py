"""Say of the statements named, or of all, what is wrong with them: `python -m tests.lectures M35 A20`.

`--write` makes LECTURES.md from them instead.
"""

import sys

from algorithms.lectures import statements
from tests.lectures.document import DOCUMENT, document
from tests.lectures.places import complaints


def main(words: list[str]) -> int:
    """Do what the words say; returns the exit status."""
    if words == ["--write"]:
        DOCUMENT.write_text(document(), encoding="utf-8")
        return 0
    status = 0
    for one in statements():
        if not words or one.id in words:
            wrong = list(complaints(one))
            status |= bool(wrong)
            print(one.id, "; ".join(wrong) or "is seen")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
