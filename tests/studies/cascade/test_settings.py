"""The settings of `cascade`."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.cascade.settings import CascadeSettings


@pytest.mark.parametrize("choice", [{"margin": -1.0}, {"limit": 3}, {"draws": 1}])
def test_a_setting_out_of_range_is_refused(choice):
    with pytest.raises(BadInput, match=next(iter(choice))):
        CascadeSettings(**choice)
