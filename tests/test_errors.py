"""Errors for users: a bad input is a `ValueError`, as other libraries raise, and travels between processes whole."""

import pickle

import pytest

from wordworth.errors import BadInput, NotEnoughMemory, NotFound


def test_bad_input_is_a_value_error():
    with pytest.raises(ValueError, match=r"reviews.csv: no column 'text'; give --text"):
        raise BadInput("no column 'text'", where="reviews.csv", mend="give --text")


def test_an_unknown_name_is_a_value_error_and_a_lookup_error():
    assert issubclass(NotFound, ValueError)
    assert issubclass(NotFound, LookupError)
    assert not issubclass(NotEnoughMemory, ValueError)


def test_an_error_arrives_whole_from_another_process():
    error = pickle.loads(pickle.dumps(NotFound("no table", where="record", mend="did you mean 'scores'?")))  # noqa: S301
    assert (str(error), error.what, error.mend) == (
        "record: no table; did you mean 'scores'?",
        "no table",
        "did you mean 'scores'?",
    )
