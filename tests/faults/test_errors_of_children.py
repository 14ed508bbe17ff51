"""What goes wrong in a child process reaches its parent as it was."""

import pickle

import pytest

from wordworth.errors import BadInput, MissingExtra, NotEnoughMemory, NotFound, WordworthError

ERRORS = [
    WordworthError("a process died", mend="start it again"),
    BadInput("no such column", where="texts.csv, line 1", mend="give --text"),
    MissingExtra("h5py", "elmo"),
    NotFound("no finding 'x'", mend="there is 'y'"),
    NotEnoughMemory("the machine ran out of memory"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_of_a_child_is_the_same_error_in_its_parent(error):
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(again) is type(error)
    assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))
