"""The settings refuse what the search cannot do."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.neighbours.settings import NeighboursSettings


@pytest.mark.parametrize("choices", [{"nearest": 1}, {"head": 0}, {"limit": 1}])
def test_numbers_out_of_range_are_refused(choices):
    with pytest.raises(BadInput):
        NeighboursSettings(**choices)
