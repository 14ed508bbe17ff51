"""Settings out of range are refused with their option."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.syntactic_relations.settings import RelationsSettings


@pytest.mark.parametrize("choices", [{"limit": 3}, {"words": 0}, {"draws": 5}])
def test_values_out_of_range_are_refused(choices):
    with pytest.raises(BadInput, match=next(iter(choices))):
        RelationsSettings(**choices)
