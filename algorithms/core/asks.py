"""Ask: a question that stands before a step is taken; the run itself answers it."""

from typing import Literal

from msgspec import Struct


class Ask(Struct, frozen=True):
    """A question about the next step, with its answer in the language of conditions: `Ask(question, condition)` is
    answered yes where the condition holds of that step, and no where it does not.

    Attributes:
        question: one sentence, as a student would be asked it.
        what: a condition, or for a number or a row the value that is it.
        at: a condition on the step in hand, at which it can be asked; "" for every step that has a next one.
        kind: "choice" (yes or no among them), "number" or "row".
        choices: words, and the condition under which they are right; one holds at each step at which it is asked.
        within: how far off a number may be and still be right, as a share of it.
    """

    question: str
    what: str = ""
    at: str = ""
    kind: Literal["choice", "number", "row"] = "choice"
    choices: tuple[tuple[str, str], ...] = ()
    within: float = 0.0

    @classmethod
    def way(cls, question: str, what: str, at: str = "") -> "Ask":
        """Ask whether a value falls, stays or rises; a curve, against where it was last measured."""
        ways = (("it falls", f"{what} falls"), ("it stays", f"not {what} changes"), ("it rises", f"{what} rises"))
        return cls(question, what, at, "choice", ways)

    @classmethod
    def number(cls, question: str, what: str, within: float = 0.05, at: str = "") -> "Ask":
        """Ask for a value."""
        return cls(question, what, at, "number", within=within)

    @classmethod
    def row(cls, question: str, what: str, at: str = "") -> "Ask":
        """Ask for a row, where there may be none or several.

        Args:
            what: a number, the row (none below 0); "labels changes", the rows whose entry of an array (n, ...) does; an
                array (n,) of the rows themselves: those it marks, or with its greatest entry; another array: rows.
        """
        return cls(question, what, at, "row")

    @property
    def offered(self) -> tuple[tuple[str, str], ...]:
        """Get the answers to choose from, each with its condition."""
        if self.kind == "choice" and not self.choices:
            return ("yes", self.what), ("no", f"not ({self.what})")
        return self.choices
