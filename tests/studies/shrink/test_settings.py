"""The reader of the rows gets its settings; a loss or a price below 0 is refused."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.shrink.settings import ShrinkSettings


def test_the_reader_of_the_rows_gets_its_settings():
    read = ShrinkSettings(text="body", limit=80, seed=2).read
    assert (read.text, read.limit, read.seed) == ("body", 80, 2)


@pytest.mark.parametrize("choice", [{"margin": -1}, {"hourly_price": -1}, {"limit": 10}, {"draws": 10}])
def test_what_makes_no_sense_is_refused(choice):
    with pytest.raises(BadInput, match=next(iter(choice))):
        ShrinkSettings(**choice)
