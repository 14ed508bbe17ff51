"""Settings of `kg fuse` out of range are refused."""

import pytest

from wordworth.errors import BadInput
from wordworth.inference.entity_settings import FuseSettings, LinkSettings


@pytest.mark.parametrize("choice", [{"layers": 0}, {"seed": -1}])
def test_values_out_of_range_are_refused(choice):
    with pytest.raises(BadInput, match=r"layers|seed"):
        FuseSettings(**choice)


def test_all_of_them_have_defaults():
    assert (FuseSettings().layers, LinkSettings().text) == (None, None)
