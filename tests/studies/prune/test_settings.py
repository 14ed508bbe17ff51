"""Either heads go, with rows that rank them, or layers."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.prune.settings import PruneSettings


def test_the_reader_of_the_rows_gets_its_settings():
    read = PruneSettings(heads=0.4, data="dev.csv", text="body", limit=80, seed=2).read
    assert (read.text, read.limit, read.seed) == ("body", 80, 2)


@pytest.mark.parametrize("choices", [{}, {"heads": 0.4, "layers": 2, "data": "dev.csv"}, {"heads": 0.4}])
def test_one_of_both_is_needed(choices):
    with pytest.raises(BadInput):
        PruneSettings(**choices)
