"""Follower: one of several runs that are watched at once, each with a cursor that follows the place all share."""

from algorithms.playback.comparison.alignment import Place
from algorithms.playback.cursor.player import Player
from algorithms.timeline import Timeline


class Follower:
    """One of the runs, on its way to the place of all.

    Attributes:
        player: its cursor.
        aim: the place it is on its way to, None when it is where it should be.
        busy: whether a thread works on it.
        root: the run that it was forked from in the end, or itself.
    """

    def __init__(self, player: Player):
        self.player = player
        self.aim: Place | None = None
        self.busy = False
        self.root = player.timeline
        while self.root.parent is not None:
            self.root = self.root.parent

    @property
    def run(self) -> Timeline:
        return self.player.timeline
