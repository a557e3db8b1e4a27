"""Data in place of a recipe: rows that are there already, and none."""

from algorithms.core.dataset import Dataset


class FixedData:
    """Rows that are there already."""

    def __init__(self, data: Dataset):
        self.name, self._data = data.name, data

    def load(self) -> Dataset:
        return self._data


class NoData:
    """No rows: a single one of no meaning, for an algorithm that takes none."""

    name = "no data"

    def load(self) -> Dataset:
        return Dataset([[0.0]], name=self.name)
