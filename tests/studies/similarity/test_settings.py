"""Settings out of range are refused with their option."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.similarity.settings import SimilaritySettings


@pytest.mark.parametrize("choices", [{"top": 0}, {"examples": 0}, {"limit": 0}, {"draws": 5}, {"units": "letters"}])
def test_values_out_of_range_are_refused(choices):
    with pytest.raises(BadInput, match=next(iter(choices))):
        SimilaritySettings(**choices)
