"""Every statement of the lectures is to be seen where it says."""

import pytest

from algorithms.lectures import Statement, statements
from tests.lectures.places import complaints


@pytest.mark.parametrize("one", statements(), ids=lambda one: one.id)
def test_a_statement_is_seen_where_it_says(one: Statement) -> None:
    assert list(complaints(one)) == []
