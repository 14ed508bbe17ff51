"""A message reaches the progress where there is one, else the line of the caller, however deep it was made."""

import warnings

import pytest

from wordworth.caller_warnings import notify
from wordworth.models.zero_vector_warning import notify_of_zeros


def test_without_a_progress_it_is_a_warning_at_the_line_of_the_first_caller_outside_the_package():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        notify("look", UserWarning)
        notify_of_zeros("glove", 1, 2)  # another function of the package lies between
    assert [warning.filename for warning in caught] == [__file__, __file__]
    assert caught[1].lineno == caught[0].lineno + 1


def test_with_a_progress_it_is_a_note_and_no_warning(heard):
    notify("look", UserWarning, heard)
    assert heard.notes == ["look"]


def test_a_caller_filters_by_the_class():
    with pytest.raises(DeprecationWarning, match="look"):
        notify("look", DeprecationWarning)
