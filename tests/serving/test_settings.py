"""Settings of `serve`."""

import pytest

from wordworth.errors import BadInput
from wordworth.serving.settings import ServeSettings


def test_it_listens_to_this_machine_alone_unless_told_otherwise():
    assert ServeSettings().host == "127.0.0.1"


@pytest.mark.parametrize("values", [{"port": 65536}, {"port": -1}, {"max_texts": 0}, {"timeout": 0}, {"threads": 0}])
def test_what_is_out_of_range_is_refused(values):
    with pytest.raises(BadInput, match=r"out of range.*give"):
        ServeSettings(**values)
