"""Orders of visit: functions of the seed and the epoch, and of nothing else."""

import numpy as np
import pytest

from algorithms import find
from algorithms.toolbox.orders import batch_rows, epoch_order, used_after, used_in_epoch


def test_cyclic_is_the_rows_in_turn():
    assert epoch_order(5, "cyclic", 9, 3).tolist() == [0, 1, 2, 3, 4]


def test_a_shuffled_epoch_visits_every_row_once_and_no_two_epochs_alike():
    first, second = (epoch_order(50, "shuffled", 0, epoch) for epoch in (1, 2))
    assert sorted(first.tolist()) == sorted(second.tolist()) == list(range(50))
    assert first.tolist() != second.tolist()
    assert first.tolist() != epoch_order(50, "shuffled", 1, 1).tolist()


def test_the_order_is_the_same_when_it_is_asked_for_again_after_being_forgotten():
    before = epoch_order(40, "shuffled", 5, 7).tolist()
    epoch_order.cache_clear()
    assert epoch_order(40, "shuffled", 5, 7).tolist() == before


def test_a_row_more_does_not_reshuffle_the_others():
    few, many = epoch_order(30, "shuffled", 2, 1), epoch_order(31, "shuffled", 2, 1)
    assert [row for row in many.tolist() if row != 30] == few.tolist()


def test_draws_with_replacement_are_rows_and_even_over_many_epochs():
    drawn = np.concatenate([epoch_order(10, "replacement", 3, epoch) for epoch in range(2000)])
    counts = np.bincount(drawn, minlength=10)
    assert len(counts) == 10
    assert (np.abs(counts - 2000) < 5 * np.sqrt(2000)).all()


def test_an_order_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        epoch_order(5, "shuffled", 0, 1)[0] = 3


def test_a_batch_is_a_piece_of_its_epochs_order():
    order = epoch_order(10, "shuffled", 4, 2)
    pieces = [batch_rows(10, "shuffled", 4, 2, first, min(first + 4, 10)) for first in (0, 4, 8)]
    assert np.concatenate(pieces).tolist() == order.tolist()
    drawn = epoch_order(10, "replacement", 4, 2)
    assert batch_rows(10, "replacement", 4, 2, 0, 10).tolist() == drawn.tolist()


def test_rows_in_turn_and_all_rows_are_a_slice():
    assert batch_rows(10, "cyclic", 0, 1, 4, 8) == slice(4, 8)
    assert batch_rows(10, "shuffled", 0, 1, 0, 10) == slice(0, 10)


@pytest.mark.parametrize(
    ("rows", "used", "left"),
    [
        ([0, 1, 2, 3, 4], 3, 3),  # nothing changed
        ([0, 1, 2, 3, 4, -1, -1], 5, 5),  # new rows are yet to come
        ([0, 2, 3, 4], 3, 2),  # row 1 was used
        ([0, 1, 2, 4], 3, 3),  # row 3 was not
        ([4, -1], 3, 0),
        ([3, 4], 0, 0),
    ],
)
def test_what_is_used_of_an_epoch_when_rows_come_and_go(rows, used, left):
    assert used_after(np.array(rows), epoch_order(5, "cyclic", 0, 1), used) == left


def test_no_more_of_an_epoch_is_used_than_it_has():
    drawn = np.array([1, 1, 1, 1, 1])
    assert used_after(np.array([0, 1]), drawn, 5) == 2


def test_what_is_used_of_an_epoch_of_a_run_is_counted_in_the_order_of_its_parameters():
    n, gone = 6, 2
    before = find("perceptron").problem(
        np.arange(2.0 * n).reshape(n, 2), [0, 1] * (n // 2), {"order": "shuffled", "seed": 5}
    )
    order, rows = epoch_order(n, "shuffled", 5, 1), np.delete(np.arange(n), gone)
    place = order.tolist().index(gone)
    assert [used_in_epoch(before, epoch, used, rows) for epoch in (0, 1) for used in (place, place + 1)] == [place] * 4
    assert used_in_epoch(before, 2, 3, np.arange(n)) == 3
