"""Data in place of a recipe: rows that are there already."""

from algorithms.core.dataset import Dataset


class FixedData:
    """Rows that are there already."""

    def __init__(self, data: Dataset):
        self.name, self._data = data.name, data

    def load(self) -> Dataset:
        return self._data
