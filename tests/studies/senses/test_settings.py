"""Settings that make no sense are refused."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.senses.settings import SensesSettings


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"draws": 5}, "`draws` 5 is out of range"),
        ({"pooling": "max"}, "no pooling 'max'"),
        ({"models": ()}, "no model"),
        ({"models": ("a", "a")}, "same model"),
        ({"data": ("wic", "wic")}, "same data"),
        ({"shown": 2}, "`shown` 2"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, said):
    with pytest.raises(BadInput, match=said):
        SensesSettings(**changes)
