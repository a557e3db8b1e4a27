"""A small lesson, and the same in hostile words."""

from tests.tui.page import FOR_BROWSERS

LINES = """---
title: Two lines
---

## The start

```moment
run lloyd --data rectangle -p k=2 -p start=rows -p seed=3
go 2
theorem never rises
chart objective
```

J is {objective = 16.00}. **Stuck soon.**

```ask
Does a row move now?
- yes | "rows moved" > 0 | It was no nearer.
- no | "rows moved" == 0 | Each stays.
why: So **it** ends.
```

## A mean is dragged

```moment
edit means[1,0] = 0.25
```

{said}

```ask
What will J be at the end?
go end
number objective within 0.5
```

## From another start

```moment
run lloyd --data rectangle -p k=2
go end
chart objective
```

It ends at {objective = 1}.

notes: for the teacher alone
"""

WHOLE = " ".join(word for word in FOR_BROWSERS if "\ud800" not in word)


def hostile() -> str:
    """The lesson with words for browsers wherever an author can put words."""
    text = LINES
    for words in ("Two lines", "The start", "Stuck soon.", "Does a row move now?", "no |", "Each stays.", "So **it**"):
        text = text.replace(words, f"{WHOLE.replace('|', '')} {words}")
    return text
