"""Settings that are out of range are refused."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.commonsense.settings import CommonsenseSettings


def test_nothing_can_be_drawn_from_a_set():
    with pytest.raises(BadInput, match="limit"):
        CommonsenseSettings(limit=0)
