"""Arrays: the smallest of many values are found without sorting them all."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from algorithms import datasets
from algorithms.core import Array, State
from algorithms.core.arrays import smallest
from algorithms.timeline.changed_fields import changed_fields
from algorithms.toolbox.panels.clusters import least_decided

_VALUES = st.sampled_from([0.0, -0.0, 1.0, 2.5, -3.0, np.inf, -np.inf, np.nan])


@settings(deadline=None)
@given(st.lists(_VALUES, max_size=12), st.integers(1, 6))
def test_the_smallest_come_as_a_stable_sort_would_have_them(values: list[float], most: int) -> None:
    given_values = np.array(values)
    assert smallest(given_values, most).tolist() == np.argsort(given_values, kind="stable")[:most].tolist()


class _Moving(State, frozen=True, kw_only=True):
    x: Array


@pytest.mark.parametrize("looked_for", ["changed", "least decided"])
def test_a_picture_of_many_rows_sorts_no_column_of_them(monkeypatch: pytest.MonkeyPatch, looked_for: str) -> None:
    n, sort, lengths = 1_000, np.argsort, [0]
    shares = np.random.default_rng(0).random((n, 2))

    def noting(values: Array, *rest: object, **options: object) -> Array:
        lengths.append(len(values))
        return np.asarray(sort(values, *rest, **options))  # type: ignore[call-overload]

    data = datasets.blobs.with_(n=n).load()
    monkeypatch.setattr(np, "argsort", noting)
    if looked_for == "changed":
        (found,) = changed_fields(_Moving(phase="a", x=np.zeros(n)), _Moving(phase="b", x=shares[:, 0].copy()))
        largest = int(shares[:, 0].argmax())
        assert found.words.startswith(f"[{largest}]: 0 → ")
    else:
        table = least_decided(data, shares, marked=False).marks[0]
        assert table.rows[0][0] == int(shares.max(axis=1).argmin())  # type: ignore[union-attr]
    assert max(lengths) < n / 10
