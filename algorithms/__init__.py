"""iterscope without a screen: algorithms as generators of states, and runs that can be taken to any step.

>>> from algorithms import Timeline, datasets, find
>>> states = find("lloyd")(datasets.load("faithful"), k=3)
>>> next(states).phase
'start'
"""

from algorithms.core import Dataset, Refused
from algorithms.core.catalogue import families, find, names
from algorithms.data import datasets
from algorithms.record import Frame, Timeline

__all__ = ["Dataset", "Frame", "Refused", "Timeline", "datasets", "families", "find", "names"]
