"""The settings of the study `patterns`."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.attention_patterns.settings import PatternsSettings


@pytest.mark.parametrize("choice", [{"limit": 1}, {"length": 7}, {"draws": 10}])
def test_what_cannot_be_is_refused(choice):
    with pytest.raises(BadInput):
        PatternsSettings(**choice)
