"""Say of the statements named, or of all, what is wrong with them: `python -m tests.lectures M35 A20`."""

import sys

from algorithms.lectures import statements
from tests.lectures.places import complaints

status = 0
for one in statements():
    if len(sys.argv) == 1 or one.id in sys.argv[1:]:
        wrong = list(complaints(one))
        status |= bool(wrong)
        print(one.id, "; ".join(wrong) or "is seen")
sys.exit(status)
