"""The one error a person sees: a sentence that says what is wrong, where, and what would do."""


class Refused(ValueError):
    """What was asked for cannot be done; the message is one sentence for a person."""
