"""What widgets say when a place in time was clicked or dragged to."""

from textual.message import Message


class StepSought(Message):
    """A step of the run was asked for."""

    def __init__(self, t: int):
        super().__init__()
        self.t = t


class PlaceSought(Message):
    """A coordinate of the axis that several runs share was asked for."""

    def __init__(self, along: float):
        super().__init__()
        self.along = along
