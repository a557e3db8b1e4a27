"""Statements: what the lectures state or ask, and the run, the step and the place where a person sees it.

They stand in the files of `statements/`, a block a statement; `tests/lectures` holds each against the algorithms.
"""

import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, convert

LECTURES: Mapping[str, str] = {
    "ml-techniques": "Machine learning techniques",
    "cs446": "CS 446: support vector machines, trees, boosting",
    "csc411": "CSC 411: support vector machines and AdaBoost",
    "ucl": "Logistic regression and support vector machines",
    "cs269": "CS 269: binary classification",
}


class Statement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One statement of a lecture in its sound form.

    Attributes:
        id: a letter for the lecture and its number: "A20".
        lecture: one of LECTURES.
        section: where it stands there: "Rem 1.15".
        says: the statement, with its numbers.
        errs: what the lecture has wrong or leaves out, "" where nothing.
        run: what follows `python -m tui` to see it: an algorithm, its data and parameters, and `--at` the step.
        again: what follows `python -m tui` to see it at a second place, where one run does not show all of it.
        theorem: parts of the names of theorems of the algorithm, each of one alone; they hold up to that step,
            and speak there or at the second place.
        curve: names of curves that are drawn by then.
        panel: parts of titles of panels that are on the screen at that step.
        table: parts of heads or of first cells in tables that are on the screen at that step.
        phase: phases that the run is in at that step or before.
        words: parts of the sentence that explains that step.
        expectation: parts of what is expected over many runs.
        option: parameters by which it is seen.
        demo: files of demos/.
        tests: the tests that compute its numbers, as "tests/file.py::test_name".
        dropped: why it is not to be seen, where it is not.
    """

    id: str
    lecture: str
    section: str
    says: str
    errs: str = ""
    run: str = ""
    again: str = ""
    theorem: tuple[str, ...] = ()
    curve: tuple[str, ...] = ()
    panel: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    phase: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    expectation: tuple[str, ...] = ()
    option: tuple[str, ...] = ()
    demo: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    dropped: str = ""

    @property
    def algorithm(self) -> str:
        """The algorithm that shows it, "" where only a demo does."""
        return self.run.split(" ", 1)[0]

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithm that shows it, and those that it is compared with."""
        words = shlex.split(self.run)
        others = [after for word, after in zip(words, words[1:]) if word == "--against"]
        return tuple(word.partition(":")[0] for word in (*words[:1], *others))


@cache
def statements() -> tuple[Statement, ...]:
    """Read all statements, lecture by lecture, each in the order of its numbers."""
    import tomllib  # which the app has no use for before the lectures are asked for

    blocks = [
        block
        for file in (Path(__file__).parent / "statements").iterdir()
        if file.name.endswith(".toml")
        for block in tomllib.loads(file.read_text(encoding="utf-8")).get("statement", [])
    ]
    order = list(LECTURES)
    every = convert(blocks, tuple[Statement, ...])
    return tuple(sorted(every, key=lambda one: (order.index(one.lecture), int(one.id[1:]))))
