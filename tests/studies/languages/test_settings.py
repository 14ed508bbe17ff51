import pytest

from wordworth.errors import BadInput
from wordworth.studies.languages.settings import LanguagesSettings


def test_settings_that_measure_nothing_are_refused():
    for choices in ({"test": 1.0}, {"limit": 10}, {"draws": 5}, {"model": "nothing-of-this-name"}):
        with pytest.raises(BadInput):
            LanguagesSettings(**choices)
