"""The settings of a map."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.corpus_map.settings import MapSettings


@pytest.mark.parametrize("choice", [{"clusters": 1}, {"clusters": 101}, {"points": 9}, {"points": 3_001}, {"seed": -1}])
def test_numbers_out_of_range_are_refused(choice):
    with pytest.raises(BadInput, match="out of range"):
        MapSettings(**choice)


def test_the_number_of_clusters_is_left_open():
    assert MapSettings().clusters is None
