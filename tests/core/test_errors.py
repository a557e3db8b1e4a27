"""A refusal quotes what was typed or read, and steers no terminal with it, whoever shows it."""

import pickle

import pytest

from algorithms import Refused, export_state, load, read_session
from algorithms.core.state import State
from algorithms.playback.runs.request import requested

NAME = "a\0b\x1b[2J\u202ec"


@pytest.mark.parametrize(
    "refuse",
    [
        lambda: read_session(f"{NAME}.json"),
        lambda: load(f"{NAME}.py"),
        lambda: load(f"{NAME}:mine"),
        lambda: export_state(NAME, State()),
        lambda: export_state(f"{NAME}.npz", State()),
        lambda: requested(["--open", NAME]),
        lambda: requested(["--follow", NAME]),
        lambda: requested(["lloyd", "--data", NAME]),
        lambda: requested([NAME]),
    ],
)
def test_nothing_in_a_name_that_comes_back_steers_the_terminal(refuse):
    with pytest.raises(Refused) as refused:
        refuse()
    assert str(refused.value).isprintable()


def test_it_comes_through_a_pipe_as_it_was():
    refusal = pickle.loads(pickle.dumps(Refused("there is no\nfile.")))
    assert (type(refusal), str(refusal)) == (Refused, "there is no file.")
