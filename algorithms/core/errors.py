"""The one error a person sees: a sentence that says what is wrong, where, and what would do."""


class Refused(ValueError):
    """What was asked for cannot be done; the message is one sentence for a person."""


class NotYet(Exception):
    """The next state is being made elsewhere and has not come; asking again is sound."""


class Raised(Exception):
    """What a reader's own code raised, with where: it may have happened in another process.

    Args:
        reason: "ZeroDivisionError: division by zero".
        line: of the reader's file, 0 if it is not known.
        details: the traceback.
    """

    def __init__(self, reason: str, line: int, details: str):
        super().__init__(reason)
        self.reason, self.line, self.details = reason, line, details


def in_words(error: BaseException) -> str:
    """Describe an error in one line: what it is and says, and the line of the reader's own file if it is known."""
    if isinstance(error, Raised):
        return f"{error.reason}, in line {error.line}" if error.line else error.reason
    return f"{type(error).__name__}: {error}"
