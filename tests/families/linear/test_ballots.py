"""Ballots: votes and circles of three, against those that are counted one by one."""

from itertools import combinations

import numpy as np
import pytest

from algorithms.families.linear.one_vs_one import ballots

ROUND = np.array([[1.0, -1.0, 1.0]])  # a beats b, c beats a, b beats c
RANKED = np.array([[1.0, 1.0, 1.0]])


def test_a_vote_is_a_pair_that_is_won():
    assert ballots.votes_of(ROUND, 3).tolist() == [[1, 1, 1]]
    assert ballots.votes_of(RANKED, 3).tolist() == [[2, 1, 0]]
    assert ballots.votes_of(np.zeros((1, 3)), 3).tolist() == [[0, 0, 0]]
    assert ballots.votes_of(np.array([[-1.0]]), 2).tolist() == [[0, 1]]


def test_a_circle_is_named_in_the_order_in_which_each_beats_the_next():
    assert ballots.a_circle(ballots.wins(ROUND, 3)[0]) == (0, 1, 2)
    assert ballots.a_circle(ballots.wins(-ROUND, 3)[0]) == (0, 2, 1)
    assert ballots.a_circle(ballots.wins(RANKED, 3)[0]) is None


@pytest.mark.parametrize("k", [3, 4, 5, 7])
def test_circles_by_votes_are_those_of_all_triples(k):
    scores = np.random.default_rng(k).normal(size=(30, k * (k - 1) // 2))
    beaten, votes = ballots.wins(scores, k), ballots.votes_of(scores, k)
    triples = [
        sum(
            (b[x, y] and b[y, z] and b[z, x]) or (b[y, x] and b[z, y] and b[x, z])
            for x, y, z in combinations(range(k), 3)
        )
        for b in beaten
    ]
    assert ballots.circles_by_votes(votes).tolist() == triples
    assert ballots.circles_counted(beaten) == pytest.approx(triples)
    assert ballots.in_circle(votes, np.ones(30, bool)).tolist() == [count > 0 for count in triples]


def test_no_circle_is_claimed_where_a_pair_has_no_winner():
    assert not ballots.in_circle(np.array([[0, 0, 0]]), np.array([False])).any()
